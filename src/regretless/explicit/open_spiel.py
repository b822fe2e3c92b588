# SPDX-License-Identifier: MIT
"""Any game of OpenSpiel as a Python game; OpenSpiel is imported when the first one is made."""

from dataclasses import dataclass, field
from typing import Any

from regretless.errors import InputError
from regretless.explicit.python_game import CHANCE, TERMINAL

SpielState = Any  # pyspiel.State


@dataclass(frozen=True, slots=True)
class SpielLabel:
    """The name that OpenSpiel shows, and the key that counts.

    The key of an action is its number. That of an infoset has the player and the information state:
    in some games two players can have the same string.
    """

    key: Any
    name: str = field(compare=False)

    def __str__(self) -> str:
        return self.name


class OpenSpielGame:
    """A `PythonGame` that asks OpenSpiel; infosets are keyed by its information state strings.

    Takes a name with optional parameters, `"kuhn_poker(players=3)"`, or a `pyspiel.Game`. A game
    with simultaneous moves is turned into one where players move in turn without seeing the others.
    """

    def __init__(self, name_or_game: Any) -> None:
        pyspiel = _import_pyspiel()
        game = _load(pyspiel, name_or_game) if isinstance(name_or_game, str) else name_or_game
        if not isinstance(game, pyspiel.Game):
            raise InputError(f"neither the name of an OpenSpiel game nor one: {game!r}")
        _check_supported(pyspiel, game)
        if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            game = pyspiel.convert_to_turn_based(game)
        self.game = game
        self.num_players: int = game.num_players()
        self._actors = {
            int(pyspiel.PlayerId.CHANCE): CHANCE,
            int(pyspiel.PlayerId.TERMINAL): TERMINAL,
            **{player: player for player in range(self.num_players)},
        }

    def root(self) -> SpielState:
        return self.game.new_initial_state()

    def actor(self, state: SpielState) -> int:
        return self._actors[state.current_player()]

    def actions(self, state: SpielState) -> list[SpielLabel]:
        return [SpielLabel(each, state.action_to_string(each)) for each in state.legal_actions()]

    def next(self, state: SpielState, action: SpielLabel) -> SpielState:
        return state.child(action.key)

    def chance(self, state: SpielState) -> list[tuple[SpielLabel, float]]:
        return [
            (SpielLabel(number, state.action_to_string(number)), probability)
            for number, probability in state.chance_outcomes()
        ]

    def infoset(self, state: SpielState) -> SpielLabel:
        text = state.information_state_string()
        return SpielLabel((state.current_player(), text), text)

    def payoffs(self, state: SpielState) -> list[float]:
        payoffs: list[float] = state.returns()
        return payoffs


def _import_pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise InputError(
            "OpenSpiel is not installed; to use its games: pip install 'regretless[open-spiel]'"
        ) from None
    return pyspiel


def _load(pyspiel: Any, name: str) -> Any:
    # Looked up first, because OpenSpiel prints its whole list of games before it raises.
    short_name = name.split("(", 1)[0]
    registered = pyspiel.registered_names()
    if short_name not in registered:
        problem = f"OpenSpiel has no game named {short_name!r}"
        raise InputError.unknown(problem, short_name, registered)
    try:
        return pyspiel.load_game(name)
    except Exception as error:  # SpielError, and whatever else its C++ happens to throw
        reason = " ".join(str(error).split())
        raise InputError(f"OpenSpiel cannot load {name!r}: {reason}") from error


def _check_supported(pyspiel: Any, game: Any) -> None:
    kind = game.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        problem = "is a mean-field game, which has no tree of histories"
    elif kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        problem = "samples its chance outcomes without giving their probabilities"
    elif not kind.provides_information_state_string:
        problem = "gives no information state strings, so its infosets are unknown"
    else:
        return
    raise InputError(f"OpenSpiel game {kind.short_name!r} {problem}")
