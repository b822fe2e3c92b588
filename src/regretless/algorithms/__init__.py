# SPDX-License-Identifier: MIT
"""Algorithms by name; a module is imported when its algorithm is asked for."""

import importlib
from dataclasses import dataclass, replace
from typing import Any, cast

from regretless import _native
from regretless.algorithm import Algorithm, ExactMeasures, Solver
from regretless.errors import InputError
from regretless.games.native_game import NativeGame


@dataclass(frozen=True)
class Row:
    """What makes an algorithm, by the kind of game, and what it needs.

    A text names a module, which has functions `make(name, game, **options)` and, where it wants
    settings of the whole process, `set_up_process(name, **options)`.
    """

    native: str | None = None
    """For native games."""
    players: int | None = None
    """Of native games, exactly so many; None: any number."""
    on_device: str | None = None
    """In place of `native` where the option `device` asks for a torch device."""
    explicit: str | None = None
    """For games written out in full: Python and OpenSpiel games, and what `native` leaves out."""
    samples: bool = False
    """Whether what it does depends on the seed."""
    needs_torch: bool = False
    knows_memory: bool = False
    """Whether on native games it takes the option `max_bytes` and refuses what would be larger."""
    iterations: int = 10_000
    """That end `solve` where the user names no end and the target is not reached before."""
    measure_unit: int = 1
    """Iterations that take about half as long as an exact measure of a small game."""


_FAMILY = Row(
    native="regretless.algorithms.cfr",
    players=2,
    on_device="regretless.algorithms.torch_cfr",
    explicit="regretless.algorithms.explicit_cfr",
    knows_memory=True,
    iterations=100_000,
)
_SAMPLING = Row(
    native="regretless.algorithms.mccfr", samples=True, iterations=1_000_000, measure_unit=10_000
)
ALGORITHMS = {
    "cfr": _FAMILY,
    "cfr+": _FAMILY,
    "linear": _FAMILY,
    "dcfr": _FAMILY,
    "pcfr+": _FAMILY,
    "pdcfr+": _FAMILY,
    "mccfr": _SAMPLING,
    "mccfr-outcome": _SAMPLING,
    "rl-cfr": replace(_SAMPLING, native="regretless.algorithms.rl_cfr"),
    "q-learning": Row(native="regretless.algorithms.q_learning", samples=True, iterations=500),
    "fictitious-play": Row(explicit="regretless.algorithms.fictitious_play"),
    "sequence-form": Row(explicit="regretless.algorithms.sequence_form", iterations=1),
    "deep-cfr": Row(
        native="regretless.algorithms.deep_cfr", samples=True, needs_torch=True, knows_memory=True
    ),
    "sd-cfr": Row(
        native="regretless.algorithms.sd_cfr", samples=True, needs_torch=True, knows_memory=True
    ),
    "nfsp": Row(
        native="regretless.algorithms.nfsp", samples=True, needs_torch=True, knows_memory=True
    ),
    "rebel": Row(
        native="regretless.algorithms.rebel",
        players=2,
        samples=True,
        needs_torch=True,
        iterations=10,
    ),
}


def make_algorithm(name: str, game: Any, /, **options: Any) -> Algorithm:
    """The algorithm of that name on a game; InputError for names and options it does not know.

    All take `seed` and `threads`, and besides these the fields of their config dataclass.
    """
    row = _row(name)
    _check(name, options)
    is_native = isinstance(game, _native.Poker | _native.LiarsDice)
    module = _module(name, row, game.num_players if is_native else None, options)
    played = NativeGame(game) if is_native and module == row.explicit else game
    made: Algorithm = _imported(module, name, row).make(name, played, **options)
    return made


def make_solver(name: str, game: Any, /, **options: Any) -> Solver:
    """The same, of an algorithm that can tell exactly how good its strategy is."""
    made = make_algorithm(name, game, **options)
    if not isinstance(made, ExactMeasures):
        raise InputError(f"algorithm {name!r} learns and does not solve: use `regretless train`")
    return cast(Solver, made)


def set_up_process(name: str, /, **options: Any) -> None:
    """Give the whole process the settings that an algorithm with these options wants.

    That is for programs, before the algorithm is made; a library leaves its process alone.
    """
    row = _row(name)
    _check(name, options)
    if row.needs_torch and row.native is not None:
        _imported(row.native, name, row).set_up_process(name, **options)
    elif row.on_device is not None and "device" in options:
        _imported(row.on_device, name, row).set_up_process(name, **options)


def knows_memory(name: str, game: Any) -> bool:
    """Whether the algorithm takes the option `max_bytes` on this game."""
    row = ALGORITHMS.get(name, Row())
    return row.knows_memory and row.players in (None, game.num_players)


def _row(name: str) -> Row:
    if name not in ALGORITHMS:
        raise InputError.unknown(f"unknown algorithm {name!r}", name, ALGORITHMS)
    return ALGORITHMS[name]


def _check(name: str, options: dict[str, Any]) -> None:
    """What all algorithms take."""
    for key, least, most in (("seed", 0, (1 << 63) - 1), ("threads", 1, 1024)):
        value = options.get(key, least)
        if type(value) is not int or not least <= value <= most:
            raise InputError(
                f"algorithm {name!r}: {key}: must be a whole number from {least} to {most}, "
                f"not {value!r}"
            )


def _module(name: str, row: Row, players: int | None, options: dict[str, Any]) -> str:
    """The module for a native game of so many players, or for another game."""
    if players is not None and row.native is not None and row.players in (None, players):
        return row.on_device if row.on_device is not None and "device" in options else row.native
    if row.explicit is None:
        of = " of two players" if row.players == 2 else ", not for Python games"
        raise InputError(f"algorithm {name!r} is for native games{of}")
    return row.explicit


def _imported(module: str, name: str, row: Row) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        wants = f"algorithm {name!r}" if row.needs_torch else "a device"
        raise InputError(f"{wants} needs PyTorch: pip install 'regretless[torch]'") from None
