# SPDX-License-Identifier: MIT
"""One face for each kind of game: everything else asks the face and never the class of a game.

A new kind of game is a `GameFace` and an `EpisodeView`, and one row in each of the two tables.
"""

from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.explicit.explicit_game import ExplicitGame
from regretless.games.bare_faces import DiceFace, DiceView, ExplicitFace, ExplicitView
from regretless.games.episodes import Episode, EpisodeView
from regretless.games.poker_face import PokerFace, PokerView

Game = _native.Poker | _native.LiarsDice | ExplicitGame
Record = dict[str, Any]


GameFace = PokerFace | DiceFace | ExplicitFace
"""The answers of one kind of game; `PokerFace` documents its members."""

_FACES: dict[type, type[Any]] = {
    _native.Poker: PokerFace,
    _native.LiarsDice: DiceFace,
    _native.ExplicitGame: ExplicitFace,
}
_VIEWS: dict[type, type[EpisodeView]] = {
    _native.PokerEpisode: PokerView,
    _native.LiarsDiceEpisode: DiceView,
    _native.ExplicitEpisode: ExplicitView,
}


def face(game: object) -> GameFace:
    """The face of a game; TypeError for objects that are no games of `load_game`."""
    for kind in type(game).__mro__:
        if kind in _FACES:
            found: GameFace = _FACES[kind](game)
            return found
    raise TypeError(f"{type(game).__name__} is no game of load_game")


def has_face(game: object) -> bool:
    """Whether an object is a game of `load_game`."""
    return any(kind in _FACES for kind in type(game).__mro__)


def view(episode: Episode) -> EpisodeView:
    """The view of an episode."""
    return _VIEWS[type(episode)](episode)


def unit_name(game: Game) -> str:
    """The unit of values: `antes`, `big blinds`, `chips` or, outside poker, `points`."""
    return face(game).unit_name


def rules_record(game: Game) -> Record:
    """The rules in full as plain data: `poker` with its `menu`, `liars_dice`, or `explicit`.

    A game that begins at a spot has its board and hand weights as `start`, with the seat that bet
    last where the menu has donk bets. An explicit game is recorded by its size and a hash: the
    tree is kept in a file of its own.
    """
    return face(game).record()


def require_poker(game: Game, problem: str) -> _native.Poker:
    """The game if it is poker; otherwise an InputError with its name and the problem."""
    poker = face(game).poker
    if poker is None:
        raise InputError(f"{game.name}: {problem}")
    return poker


def with_hands(game: Game | _native.ExplicitGame, what: str) -> _native.Poker | _native.LiarsDice:
    """The game if private hands are apart from the public state; otherwise InputError."""
    if isinstance(game, _native.ExplicitGame):
        raise InputError(
            f"{game.name}: {what} needs public states with private hands kept apart, which an "
            "explicit game does not have"
        )
    return game


def with_public_view(
    game: Game, what: str
) -> _native.Poker | _native.LiarsDice | _native.TabularGame:
    """The game as solvers over public states see it; InputError without hands and public states."""
    if not isinstance(game, ExplicitGame):
        return game
    if game.public is None:
        raise InputError(
            f"{game.name}: {what} needs public states with private hands kept apart: give the "
            "class the methods hand and public_state (docs/python_games.md)"
        )
    return game.public.native
