# SPDX-License-Identifier: MIT
"""Algorithms by name; a module is imported when its algorithm is asked for."""

import importlib
from typing import Any

from regretless import _native
from regretless.algorithm import Algorithm
from regretless.errors import InputError
from regretless.games.native_game import NativeGame

# Each function takes the name, the game and options. For native games of two players:
ALGORITHMS = {
    "cfr": "regretless.algorithms.cfr:make",
    "cfr+": "regretless.algorithms.cfr:make",
    "linear": "regretless.algorithms.cfr:make",
    "dcfr": "regretless.algorithms.cfr:make",
    "pcfr+": "regretless.algorithms.cfr:make",
    "pdcfr+": "regretless.algorithms.cfr:make",
}
# The same on a torch device, where the option `device` asks for one:
DEVICE_ALGORITHMS = {
    "cfr": "regretless.algorithms.torch_cfr:make",
    "cfr+": "regretless.algorithms.torch_cfr:make",
    "linear": "regretless.algorithms.torch_cfr:make",
    "dcfr": "regretless.algorithms.torch_cfr:make",
    "pcfr+": "regretless.algorithms.torch_cfr:make",
    "pdcfr+": "regretless.algorithms.torch_cfr:make",
}
# For native games of any number of players:
SAMPLING_ALGORITHMS = {
    "mccfr": "regretless.algorithms.mccfr:make",
    "mccfr-outcome": "regretless.algorithms.mccfr:make",
    "rl-cfr": "regretless.algorithms.rl_cfr:make",
    "q-learning": "regretless.algorithms.q_learning:make",
}

# For native games of two players, with networks; needs PyTorch:
LEARNING_ALGORITHMS = {
    "rebel": "regretless.algorithms.rebel:make",
}

# For games written out in full: Python games, OpenSpiel games, native ones of more players.
EXPLICIT_ALGORITHMS = {
    "cfr": "regretless.algorithms.explicit_cfr:make",
    "cfr+": "regretless.algorithms.explicit_cfr:make",
    "linear": "regretless.algorithms.explicit_cfr:make",
    "dcfr": "regretless.algorithms.explicit_cfr:make",
    "pcfr+": "regretless.algorithms.explicit_cfr:make",
    "pdcfr+": "regretless.algorithms.explicit_cfr:make",
    "fictitious-play": "regretless.algorithms.fictitious_play:make",
}


def make_algorithm(name: str, game: Any, /, **options: Any) -> Algorithm:
    """The algorithm of that name on a game; InputError for names and options it does not know.

    All take `seed` and `threads`, and besides these the fields of their config dataclass.
    """
    names = ALGORITHMS | SAMPLING_ALGORITHMS | LEARNING_ALGORITHMS | EXPLICIT_ALGORITHMS
    if name not in names:
        raise InputError.unknown(f"unknown algorithm {name!r}", name, names)
    is_native = isinstance(game, _native.Poker | _native.LiarsDice)
    if name in SAMPLING_ALGORITHMS:
        if not is_native:
            raise InputError(f"algorithm {name!r} is for native games, not for Python games")
        return _make(SAMPLING_ALGORITHMS[name], name, game, options)
    if name in LEARNING_ALGORITHMS:
        if not is_native or game.num_players != 2:
            raise InputError(f"algorithm {name!r} is for native games of two players")
        return _make(LEARNING_ALGORITHMS[name], name, game, options)
    table = DEVICE_ALGORITHMS if "device" in options else ALGORITHMS
    if is_native and game.num_players == 2 and name in table:
        return _make(table[name], name, game, options)
    return _make(EXPLICIT_ALGORITHMS[name], name, NativeGame(game) if is_native else game, options)


def _make(target: str, name: str, game: Any, options: dict[str, Any]) -> Algorithm:
    for key, least, most in (("seed", 0, (1 << 63) - 1), ("threads", 1, 1024)):
        value = options.get(key, least)
        if type(value) is not int or not least <= value <= most:
            raise InputError(
                f"algorithm {name!r}: {key}: must be a whole number from {least} to {most}, "
                f"not {value!r}"
            )
    module, function = target.split(":")
    try:
        made: Algorithm = getattr(importlib.import_module(module), function)(name, game, **options)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        wants = f"algorithm {name!r}" if name in LEARNING_ALGORITHMS else "a device"
        raise InputError(f"{wants} needs PyTorch: pip install 'regretless[torch]'") from None
    return made
