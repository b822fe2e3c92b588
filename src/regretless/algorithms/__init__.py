# SPDX-License-Identifier: MIT
"""Algorithms by name; a module is imported when its algorithm is asked for.

A custom algorithm is `my_cfr.py:MyCfr`, `package.module:MyCfr`, or a name in the entry points of an
installed package, group `regretless.algorithms` (docs/custom_game_and_algorithm.md).
"""

import importlib
import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, Literal, cast

from regretless import _native
from regretless.algorithm import Algorithm, ExactMeasures, Solver
from regretless.custom_code import is_custom_code, load_custom, naming
from regretless.errors import InputError
from regretless.evaluation.measures import PolicySolver
from regretless.explicit.explicit_game import ExplicitGame
from regretless.explicit.explicit_tree import ExplicitTree
from regretless.explicit.native_adapter import NativeGame
from regretless.games.loading import play_at_table
from regretless.options import read_options
from regretless.solvers.backend import has_public_tree

ENTRY_POINTS = "regretless.algorithms"


@dataclass(frozen=True)
class Row:
    """The module of an algorithm and its properties.

    The module has a class `kind`, whose dataclass `Config` has the options, or a function
    `make(name, game, **options)` and, if the algorithm takes a device, `set_up_process`.
    """

    module: str = ""
    kind: str | None = None
    games: Literal["any", "played", "public", "holdem"] = "any"
    """`played`: games with episodes, native or explicit; `public`: games for two players with
    public states and private hands; `holdem`: hold'em for two; `any`: trees without episodes,
    too."""
    samples: bool = False
    """Whether the result depends on the seed."""
    needs_torch: bool = False
    takes_device: bool = False
    """Whether there is an option `device`."""
    knows_memory: bool = False
    """Whether there is an option `max_bytes`, which refuses what would be larger."""
    iterations: int = 10_000
    """Iterations that end `solve` where the user names no end and the target is not reached."""
    measure_unit: int = 1
    """Iterations that take about half as long as an exact measure of a small game."""


_FAMILY = Row("regretless.algorithms.cfr", takes_device=True, knows_memory=True, iterations=100_000)
_SAMPLING = Row(
    "regretless.algorithms.mccfr",
    games="played",
    samples=True,
    iterations=1_000_000,
    measure_unit=10_000,
)
_LEARNING = Row(
    games="played", samples=True, needs_torch=True, takes_device=True, knows_memory=True
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
    "rl-cfr": replace(_SAMPLING, module="regretless.algorithms.rl_cfr", kind="RLCFR"),
    "q-learning": Row(
        "regretless.algorithms.q_learning",
        "QLearning",
        games="played",
        samples=True,
        iterations=500,
    ),
    "fictitious-play": Row("regretless.algorithms.fictitious_play", "FictitiousPlay"),
    "sequence-form": Row("regretless.algorithms.sequence_form", "SequenceForm", iterations=1),
    "deep-cfr": replace(_LEARNING, module="regretless.algorithms.deep_cfr", kind="DeepCFR"),
    "sd-cfr": replace(_LEARNING, module="regretless.algorithms.sd_cfr", kind="SDCFR"),
    "nfsp": replace(_LEARNING, module="regretless.algorithms.nfsp", kind="NFSP"),
    "rebel": Row(
        "regretless.algorithms.rebel",
        "ReBeL",
        games="public",
        samples=True,
        needs_torch=True,
        takes_device=True,
        iterations=10,
    ),
    "street-values": Row(
        "regretless.algorithms.street_values",
        "StreetValues",
        games="holdem",
        samples=True,
        needs_torch=True,
        takes_device=True,
    ),
}


def make_algorithm(name: str, game: Any, /, **options: Any) -> Algorithm:
    """Makes the algorithm of that name on a game; InputError for unknown names and options.

    The game is one of `load_game`, or an object with the members of a `PythonGame`. All algorithms
    take `seed` and `threads`, and besides these the fields of their config dataclass.
    """
    custom = _find_custom(name)
    if custom is None and name not in ALGORITHMS:
        raise InputError.unknown(f"unknown algorithm {name!r}", name, ALGORITHMS)
    check_common(name, options)
    if custom is not None:
        return _make_custom(name, custom, _played(game), options)
    row = ALGORITHMS[name]
    if row.games != "any":
        game = _played(game)
    if row.games == "public" and not _has_public_states(game):
        raise InputError(
            f"algorithm {name!r} is for native games of two players; a custom game needs public "
            "states with private hands kept apart: give the class the methods hand and "
            "public_state (docs/python_games.md)"
        )
    if row.games == "played" and row.needs_torch and isinstance(game, ExplicitGame):
        options.setdefault("encoder", "infoset")
    seed = {"seed": options.pop("seed", 0)} if row.samples else {}
    options.pop("seed", None)  # nothing is random
    module = _imported(name, row)
    if row.kind is None:
        made = module.make(name, game, **seed, **options)
    else:
        kind = getattr(module, row.kind)
        made = kind(game, _configured(name, kind, options), **seed)
    return cast(Algorithm, made)


def _configured(name: str, kind: Any, options: dict[str, Any]) -> Any:
    """The config of a class; where it has no option `threads`, one thread does the work."""
    if "threads" not in kind.Config.__dataclass_fields__:
        options.pop("threads", None)
    return read_options(kind.Config, f"algorithm {name!r}", options)


def make_solver(name: str, game: Any, /, **options: Any) -> Solver:
    """Makes an algorithm with exact measures of its strategy.

    The policy of a custom algorithm without them is asked at every infoset.
    """
    made = make_algorithm(name, game, **options)
    if isinstance(made, ExactMeasures):
        return cast(Solver, made)
    if name not in ALGORITHMS and made.no_policy() is None:
        return cast(Solver, PolicySolver(made))
    raise InputError(f"algorithm {name!r} learns and does not solve: use `regretless train`")


def _played(game: Any) -> Any:
    """The game with episodes: a Python game is enumerated."""
    if isinstance(game, _native.Poker | _native.LiarsDice | ExplicitGame):
        return game
    if isinstance(game, ExplicitTree):
        return ExplicitGame(game, "tree")
    played = game.game if isinstance(game, NativeGame) else None
    return played or play_at_table(game, type(game).__name__)


def _has_public_states(game: Any) -> bool:
    if isinstance(game, ExplicitGame):
        return game.public is not None
    return has_public_tree(game)


def _find_custom(name: str) -> Any:
    """The class or function that makes a custom algorithm; None if there is none of that name."""
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
        del options["threads"]  # one thread is no request
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
    """Applies settings of the whole process that an algorithm with these options needs.

    For programs, before the algorithm is made. A custom algorithm has no such settings.
    """
    row = algorithm_row(name)
    if row.takes_device:
        check_common(name, options)
        module = _imported(name, row)
        options.pop("seed", None)
        if row.kind is None:
            module.set_up_process(name, **options)
        else:
            _configured(name, getattr(module, row.kind), options).set_up_process()


def knows_memory(name: str, game: Any) -> bool:
    """Whether the algorithm takes the option `max_bytes` on this game."""
    row = algorithm_row(name)
    return row.knows_memory and (row.games != "any" or has_public_tree(game))


def algorithm_row(name: str) -> Row:
    """The row of an algorithm; a custom algorithm has the defaults."""
    return ALGORITHMS.get(name, Row())


def check_common(name: str, options: Mapping[str, Any]) -> None:
    """Checks the options that all algorithms take."""
    for key, least, most in (("seed", 0, (1 << 63) - 1), ("threads", 1, 1024)):
        value = options.get(key, least)
        if type(value) is not int or not least <= value <= most:
            raise InputError(
                f"algorithm {name!r}: {key}: must be a whole number from {least} to {most}, "
                f"not {value!r}"
            )


def _imported(name: str, row: Row) -> Any:
    try:
        return importlib.import_module(row.module)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        message = f"algorithm {name!r} needs PyTorch: pip install 'regretless[torch]'"
        raise InputError(message) from None
