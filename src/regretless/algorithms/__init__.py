# SPDX-License-Identifier: MIT
"""Algorithms by name; a module is imported when its algorithm is asked for.

A custom algorithm is `my_cfr.py:MyCfr` or `package.module:MyCfr`, or a name of an installed
package's entry points, group `regretless.algorithms` (docs/custom_game_and_algorithm.md).
"""

import importlib
import importlib.metadata
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, Literal, cast

from regretless import _native
from regretless.algorithm import Algorithm, ExactMeasures, Solver
from regretless.custom_code import is_custom_code, load_custom, naming
from regretless.errors import InputError
from regretless.evaluation.policy_solver import PolicySolver
from regretless.explicit.explicit_game import ExplicitGame
from regretless.explicit.explicit_tree import ExplicitTree
from regretless.explicit.native_adapter import NativeGame
from regretless.games.loading import play_at_table
from regretless.options import read_options

ENTRY_POINTS = "regretless.algorithms"


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
    written_out: Literal["none", "with hands", "all"] = "none"
    """Of games written out in full, those that `native` is for, too; `with hands`: those that tell
    public states and hands apart."""
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
    native="regretless.algorithms.mccfr",
    written_out="all",
    samples=True,
    iterations=1_000_000,
    measure_unit=10_000,
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
    "q-learning": Row(
        native="regretless.algorithms.q_learning",
        written_out="all",
        samples=True,
        iterations=500,
    ),
    "fictitious-play": Row(explicit="regretless.algorithms.fictitious_play"),
    "sequence-form": Row(explicit="regretless.algorithms.sequence_form", iterations=1),
    "deep-cfr": Row(
        native="regretless.algorithms.deep_cfr",
        written_out="all",
        samples=True,
        needs_torch=True,
        knows_memory=True,
    ),
    "sd-cfr": Row(
        native="regretless.algorithms.sd_cfr",
        written_out="all",
        samples=True,
        needs_torch=True,
        knows_memory=True,
    ),
    "nfsp": Row(
        native="regretless.algorithms.nfsp",
        written_out="all",
        samples=True,
        needs_torch=True,
        knows_memory=True,
    ),
    "rebel": Row(
        native="regretless.algorithms.rebel",
        players=2,
        written_out="with hands",
        samples=True,
        needs_torch=True,
        iterations=10,
    ),
}


def make_algorithm(name: str, game: Any, /, **options: Any) -> Algorithm:
    """The algorithm of that name on a game; InputError for names and options it does not know.

    The game is one of `load_game`, or an object with the members of a `PythonGame`. All take
    `seed` and `threads`, and besides these the fields of their config dataclass.
    """
    own = _find_custom(name)
    if own is not None:
        _check(name, options)
        return _make_custom(name, own, _played(game), options)
    row = _row(name)
    _check(name, options)
    if row.explicit is None:
        game = _played(game)
    is_native = isinstance(game, _native.Poker | _native.LiarsDice)
    is_written_out = isinstance(game, ExplicitGame) and (
        row.written_out == "all" or (row.written_out == "with hands" and game.public is not None)
    )
    players = game.num_players if is_native or is_written_out else None
    module = _module(name, row, players, options)
    if is_written_out and row.written_out == "all" and row.needs_torch:
        options.setdefault("encoder", "infoset")
    played = NativeGame(game) if is_native and module == row.explicit else game
    made: Algorithm = _imported(module, name, row).make(name, played, **options)
    return made


def make_solver(name: str, game: Any, /, **options: Any) -> Solver:
    """The same, of an algorithm that can tell exactly how good its strategy is.

    A custom algorithm need not: its policy is asked at every infoset.
    """
    made = make_algorithm(name, game, **options)
    if isinstance(made, ExactMeasures):
        return cast(Solver, made)
    if name not in ALGORITHMS and made.no_policy() is None:
        return PolicySolver(made)
    raise InputError(f"algorithm {name!r} learns and does not solve: use `regretless train`")


def _played(game: Any) -> Any:
    """The same as something that is played: a Python game is written out in full."""
    if isinstance(game, _native.Poker | _native.LiarsDice | ExplicitGame):
        return game
    if isinstance(game, ExplicitTree):
        return ExplicitGame(game, "tree")
    played = game.game if isinstance(game, NativeGame) else None
    return played or play_at_table(game, type(game).__name__)


def _find_custom(name: str) -> Any:
    """The class or function that makes an algorithm that is not ours; None: there is none."""
    if is_custom_code(name):
        return load_custom(name, "algorithm", "my_cfr.py:MyCfr")
    if name in ALGORITHMS:
        return None
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS, name=name):
        with naming(name, f"loading {point.value}"):
            return point.load()
    return None


def _make_custom(source: str, make: Any, game: Any, options: dict[str, Any]) -> Algorithm:
    """`make(game, config, seed)`; the config is its `Config`, a dataclass, if it has one."""
    seed = options.pop("seed", 0)
    place, kind = f"algorithm {source!r}", getattr(make, "Config", None)
    if options.get("threads") == 1:
        del options["threads"]  # what everybody may do with
    if kind is None:
        if options:
            raise InputError(
                f"{place}: has no Config, so there is no option {next(iter(options))!r}"
            )
        config = None
    elif not is_dataclass(kind):
        raise InputError(f"{place}: Config: must be a dataclass, whose fields are the options")
    else:
        config = read_options(cast(type[Any], kind), place, options)
    with naming(source, f"{getattr(make, '__name__', 'it')}(game, config, seed)"):
        made: Any = make(game, config, seed)
    missing = [each for each in _MEMBERS if not hasattr(made, each)]
    if missing:
        raise InputError(f"{place}: is no algorithm: it has no {', '.join(missing)}")
    return cast(Algorithm, made)


_MEMBERS = ("game", "steps_done", "takes", "step", "no_policy", "policy", "state", "restore")


def set_up_process(name: str, /, **options: Any) -> None:
    """Give the whole process the settings that an algorithm with these options wants.

    That is for programs, before the algorithm is made; a library leaves its process alone.
    """
    if _find_custom(name) is not None:
        return
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


def algorithm_row(name: str) -> Row:
    """What is known of an algorithm; nothing special of a custom one."""
    return ALGORITHMS.get(name, Row()) if _find_custom(name) is None else Row()


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
        of = " of two players" if row.players == 2 else ""
        raise InputError(
            f"algorithm {name!r} is for native games{of}; a custom game needs public states with "
            "private hands kept apart: give the class the methods hand and public_state "
            "(docs/python_games.md)"
        )
    return row.explicit


def _imported(module: str, name: str, row: Row) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        wants = f"algorithm {name!r}" if row.needs_torch else "a device"
        raise InputError(f"{wants} needs PyTorch: pip install 'regretless[torch]'") from None
