# SPDX-License-Identifier: MIT
"""What each game shows of an episode: names of seats, hands, chips, bids."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from regretless import _native
from regretless.games.episodes import Episode
from regretless.games.positions import position_names, street_name
from regretless.histories.strength import describe
from regretless.notation.cards import card_name, format_cards


class View(Protocol):
    """An episode for people to look at."""

    def seat_names(self) -> list[str]:
        """What players call the seats: `BB`, `seat 0`."""

    def live_seats(self) -> list[int]:
        """The seats that are still in."""

    def hand_text(self, seat: int) -> str:
        """Cards or dice of a seat; empty where they are unknown."""

    def strength_text(self, seat: int) -> str:
        """`, pair of kings` at a showdown; empty where the hand says it all."""

    def street(self) -> str:
        """`flop Jc9d7c`; empty in games without streets."""

    def stakes(self) -> str:
        """`pot 600`; empty in games without chips."""

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        """What is on the table, as the viewer may see it."""

    def heard(self, slot: int) -> str:
        """What the others hear when the actor chooses a slot."""

    def slot_note(self, slot: int) -> str:
        """More about a slot than what it does: its size on the menu, or that it is the least."""

    def public_json(self) -> dict[str, Any]:
        """What everybody sees, as data."""

    def seat_json(self, seat: int) -> dict[str, Any]:
        """What everybody sees of a seat, as data."""


def view(episode: Episode) -> View:
    """The episode as its game shows it."""
    if isinstance(episode, _native.PokerEpisode):
        return PokerView(episode)
    if isinstance(episode, _native.ExplicitEpisode):
        return OwnView(episode)
    return DiceView(episode)


@dataclass(frozen=True)
class PokerView:
    """Cards, chips and streets."""

    episode: _native.PokerEpisode

    def seat_names(self) -> list[str]:
        return position_names(self.episode.game.rules)

    def live_seats(self) -> list[int]:
        return [seat for seat, is_live in enumerate(self.episode.live) if is_live]

    def hand_text(self, seat: int) -> str:
        return format_cards(self.episode.hole(seat), self.episode.game.rules.deck)

    def strength_text(self, seat: int) -> str:
        rule = self.episode.game.rules.showdown
        if rule == _native.Showdown.PAIR:
            return ""
        return f", {describe(self.episode.strength(seat), rule)}"

    def street(self) -> str:
        rules = self.episode.game.rules
        board = format_cards(self.episode.board, rules.deck)
        return street_name(rules, self.episode.street) + (f" {board}" if board else "")

    def stakes(self) -> str:
        return f"pot {self.episode.pot}"

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        episode = self.episode
        yield f"pot {episode.pot}, {episode.to_call or 'nothing'} to call"
        for seat in self.live_seats():
            cards = f"{self.hand_text(seat)}, " if seat == viewer else ""
            yield f"  {names[seat]}: {cards}bet {episode.bets[seat]}, {episode.stacks[seat]} behind"

    def heard(self, slot: int) -> str:
        return self.episode.slot_text(slot)

    def slot_note(self, slot: int) -> str:
        episode, name = self.episode, self.episode.game.action_names[slot]
        if not name[0].isdigit() or name == episode.slot_text(slot):
            return ""
        is_least = episode.raise_range and episode.offer[slot] == episode.raise_range[0]
        return "  (the least)" if is_least else f"  ({name})"

    def public_json(self) -> dict[str, Any]:
        episode, deck = self.episode, self.episode.game.rules.deck
        board = [card_name(card, deck) for card in episode.board]
        return {"street": episode.street, "board": board, "pot": episode.pot}

    def seat_json(self, seat: int) -> dict[str, Any]:
        return {"bet": self.episode.bets[seat], "stack": self.episode.stacks[seat]}


@dataclass(frozen=True)
class _BareView:
    """A game without chips and streets, in which everybody stays to the end."""

    episode: _native.LiarsDiceEpisode | _native.ExplicitEpisode

    def seat_names(self) -> list[str]:
        return [f"seat {seat}" for seat in self.live_seats()]

    def live_seats(self) -> list[int]:
        return list(range(self.episode.game.num_players))

    def strength_text(self, seat: int) -> str:
        return ""

    def street(self) -> str:
        return ""

    def stakes(self) -> str:
        return ""

    def slot_note(self, slot: int) -> str:
        return ""

    def public_json(self) -> dict[str, Any]:
        return {}

    def seat_json(self, seat: int) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class DiceView(_BareView):
    """Dice and bids; everybody shows."""

    episode: _native.LiarsDiceEpisode

    def hand_text(self, seat: int) -> str:
        return " ".join(map(str, self.episode.hand_parts(seat)))

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        yield f"bids: {self._bids(names) or 'none'}"
        yield f"  {names[viewer]}: {self.hand_text(viewer)}"

    def heard(self, slot: int) -> str:
        return self.episode.slot_text(slot)

    def _bids(self, names: list[str]) -> str:
        actions = self.episode.game.action_names
        return ", ".join(f"{names[seat]} {actions[slot]}" for seat, slot in self.episode.steps)


@dataclass(frozen=True)
class OwnView(_BareView):
    """A game of one's own, which says what the actor knows and nothing of what is public."""

    episode: _native.ExplicitEpisode

    def hand_text(self, seat: int) -> str:
        return ""

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        if self.episode.actor == viewer:
            yield f"{names[viewer]} know: {self.episode.infoset_name}"

    def heard(self, slot: int) -> str:
        return "moves"  # what it was may be a secret
