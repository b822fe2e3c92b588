# SPDX-License-Identifier: MIT
"""One face for each kind of game: everything else asks the face and never the class of a game.

A new kind of game is a `GameFace` and an `EpisodeView`, and one row in each of the two tables.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.explicit.explicit_game import ExplicitGame
from regretless.games.episodes import Episode, EpisodeView
from regretless.games.poker_face import PokerFace, probe_key
from regretless.games.poker_view import PokerView
from regretless.notation.cards import format_cards
from regretless.pictures.result_table import facts_html


@dataclass(frozen=True)
class DiceFace:
    """Dice and bids."""

    game: _native.LiarsDice

    poker = None
    explicit = None
    unit_name = "points"

    def record(self) -> dict[str, Any]:
        game = self.game
        dice = {"dice": game.num_dice, "faces": game.num_faces, "players": game.num_players}
        return {"liars_dice": dice}

    def infoset_probe(self) -> int:
        game = self.game
        dice = [[1] * game.num_dice for _ in range(game.num_players)]
        return probe_key(_native.LiarsDiceEpisode(game, dice=dice))


@dataclass(frozen=True)
class ExplicitFace:
    """An explicit tree: a custom game, or one of OpenSpiel."""

    game: ExplicitGame

    poker = None
    unit_name = "points"

    @property
    def explicit(self) -> ExplicitGame:
        return self.game

    def record(self) -> dict[str, Any]:
        game = self.game
        size = {"players": game.num_players, **game.count_tree()}
        return {"explicit": {"name": game.name, **size, "sha256": game.digest}}

    def infoset_probe(self) -> int:
        return int(self.game.infoset_keys[0])


class DiceView(EpisodeView):
    """Dice and bids; all hands are shown at the end."""

    episode: _native.LiarsDiceEpisode

    def hand_text(self, seat: int) -> str:
        return " ".join(map(str, self.episode.hand_parts(seat)))

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        actions = self.episode.game.action_names
        bids = ", ".join(f"{names[seat]} {actions[slot]}" for seat, slot in self.episode.steps)
        yield f"bids: {bids or 'none'}"
        yield f"  {names[viewer]}: {self.hand_text(viewer)}"

    def state_lines(self) -> Iterator[str]:
        bids = [self.episode.game.action_names[slot] for _, slot in self.episode.steps]
        yield f"  bids: {', '.join(bids) or 'none'}"

    def log_lines(self) -> Iterator[str]:
        episode, game = self.episode, self.episode.game
        yield f"{game.name}, {game.num_players} players, {game.num_faces} is wild"
        for seat in self.live_seats():
            yield f"  seat {seat}: {self.hand_text(seat)}"
        liar, bid = game.num_actions - 1, 0
        for seat, slot in episode.steps:
            if slot == liar:
                yield f"  seat {seat} calls it a lie"
            else:
                yield f"  seat {seat} bids {game.action_names[slot]}"
                bid = slot
        if not episode.is_terminal:
            yield f"seat {episode.actor} is to act"
            return
        face = bid % game.num_faces + 1
        dice = [die for seat in self.live_seats() for die in episode.hand_parts(seat)]
        yield f"Result: {sum(die in (face, game.num_faces) for die in dice)} x {face}"
        for seat, payoff in enumerate(episode.payoffs):
            yield f"  seat {seat}: {payoff:+d}"


class ExplicitView(EpisodeView):
    """An explicit game, which names what the actor knows and has no public state."""

    episode: _native.ExplicitEpisode

    def action_text(self, action: int) -> str:
        return "moves"  # the action may be hidden from the others

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        if self.episode.actor == viewer:
            yield f"{names[viewer]} know: {self.episode.infoset_name}"

    def deal_lines(self) -> Iterator[str]:
        return iter(())  # only infosets describe the deal

    def state_lines(self) -> Iterator[str]:
        is_over = self.episode.is_terminal
        yield "  over" if is_over else f"  knows: {self.episode.infoset_name}"

    def end_lines(self, names: list[str]) -> Iterator[str]:
        actions, steps = self.episode.game.action_names, self.episode.steps
        done = ", ".join(f"{names[seat]} {actions[slot]}" for seat, slot in steps)
        yield f"the end: {done}" if done else "the end"

    def log_lines(self) -> Iterator[str]:
        episode, game = self.episode, self.episode.game
        yield f"{game.name}, {game.num_players} players"
        for seat, slot in episode.steps:
            yield f"  seat {seat}: {game.action_names[slot]}"
        if not episode.is_terminal:
            yield f"seat {episode.actor} is to act, knowing {episode.infoset_name}"
            return
        yield "Result"
        for seat, payoff in enumerate(episode.payoffs):
            yield f"  seat {seat}: {payoff / game.unit:+g}"


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
    for kind, make in _FACES.items():
        if isinstance(game, kind):
            found: GameFace = make(game)
            return found
    raise TypeError(f"{type(game).__name__} is no game of load_game")


def has_face(game: object) -> bool:
    """Whether an object is a game of `load_game`."""
    return isinstance(game, tuple(_FACES))


def view(episode: Episode) -> EpisodeView:
    """The view of an episode."""
    return _VIEWS[type(episode)](episode)


def unit_name(game: Game) -> str:
    """The unit of values: `antes`, `big blinds`, `chips` or, outside poker, `points`."""
    return face(game).unit_name


def _game_text(game: Game) -> str:
    """A game in one line, as Python shows it."""
    board, actions = _board(game), _listed(game.action_names)
    start = f" at {board}" if board else ""
    return f"<{game.name}{start}: {game.num_players} players, {actions}>"


def _game_html(game: Game) -> str:
    """A game as a table of facts, as a notebook shows it."""
    facts = {
        "players": game.num_players,
        "board": _board(game),
        "hands of a player": game.num_hands if face(game).explicit is None else None,
        "actions": _listed(game.action_names),
        "unit": unit_name(game),
    }
    return facts_html(game.name, facts)


def _board(game: Game) -> str | None:
    """The board that a spot begins with."""
    poker = face(game).poker
    return format_cards(poker.board, poker.rules.deck) if poker and poker.board else None


def _listed(names: list[str], most: int = 9) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} ... ({len(names)} in all)" if len(names) > most else shown


for _kind in _FACES:  # the native core never prints
    setattr(_kind, "__repr__", _game_text)  # noqa: B010
    setattr(_kind, "_repr_html_", _game_html)  # noqa: B010


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
