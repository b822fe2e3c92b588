# SPDX-License-Identifier: MIT
"""Episodes: legal slots, actions, the one way to replay them, and views for people.

An action is a slot; in poker it is the number that `PokerEpisode.act` takes, since a bet need not
be on the menu.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast

from regretless import _native

Episode = _native.PokerEpisode | _native.LiarsDiceEpisode | _native.ExplicitEpisode
_AnyEpisode = TypeVar("_AnyEpisode", bound=Episode)


def legal_slots(episode: Episode) -> list[int]:
    """The slots that may be chosen, in ascending order."""
    return [slot for slot, is_legal in enumerate(episode.legal) if is_legal]


def actions_of(episode: Episode) -> list[tuple[int, int]]:
    """(seat, action) of every decision so far."""
    if isinstance(episode, _native.PokerEpisode):
        return [(seat, action) for seat, _, action, _ in episode.events]
    return episode.steps


def act(episode: Episode, action: int) -> None:
    """Plays an action, as `actions_of` lists them."""
    if isinstance(episode, _native.PokerEpisode):
        episode.act(action)
    else:
        episode.choose(action)


def played(episode: _AnyEpisode, actions: Iterable[int]) -> _AnyEpisode:
    """Plays these actions and returns the episode."""
    for action in actions:
        act(episode, action)
    return episode


def restarted(episode: _AnyEpisode, known: Sequence[int] | None = None) -> _AnyEpisode:
    """A new episode of this deal, with the hands of the `known` seats (default: all)."""
    hand_of = episode.hole if isinstance(episode, _native.PokerEpisode) else episode.hand_parts
    seats = range(episode.game.num_players)
    hands = [hand_of(seat) if known is None or seat in known else [] for seat in seats]
    return cast(_AnyEpisode, episode.game.episode_of(hands if any(hands) else [], episode.board))


def replayed(
    episode: _AnyEpisode, known: Sequence[int] | None = None
) -> Iterator[tuple[_AnyEpisode, int, int]]:
    """Every decision so far: the episode before it, the seat and its action.

    Only the hands of the `known` seats are there (default: all). The episode is the same object
    each time: copy it to keep it.
    """
    now = restarted(episode, known)
    for seat, action in actions_of(episode):
        yield now, seat, action
        act(now, action)


def decisions(
    episode: _AnyEpisode, seat: int, known: Sequence[int] = ()
) -> list[tuple[_AnyEpisode, int]]:
    """Every decision of a seat: a copy of the episode before it, and the slot that was chosen.

    Only the hands of the `known` seats are there. ValueError after a bet that is not on the menu.
    """
    slots = [slot for _, slot in episode.steps]
    return [
        (cast(_AnyEpisode, before.copy()), slot)
        for slot, (before, actor, _) in zip(slots, replayed(episode, known), strict=True)
        if actor == seat
    ]


class EpisodeView:
    """An episode and the texts that describe it, as a game without chips and streets shows it."""

    poker: _native.PokerEpisode | None
    """The episode itself if it has cards, chips and a bet menu."""

    def __init__(self, episode: Any) -> None:
        self.episode = episode
        self.poker = episode if isinstance(episode, _native.PokerEpisode) else None

    @property
    def pot(self) -> int:
        """Chips in the pot."""
        return self.poker.pot if self.poker else 0

    @property
    def to_call(self) -> int:
        """Chips that the actor must add to call."""
        return self.poker.to_call if self.poker else 0

    def stack(self, seat: int) -> int:
        """Chips behind of a seat."""
        return self.poker.stacks[seat] if self.poker else 0

    def paid(self, seat: int) -> int:
        """Chips that a seat has put in."""
        return self.poker.paid[seat] if self.poker else 0

    def cards_due(self) -> int:
        """The number of public cards that come next; 0 where a player acts."""
        return 0

    def action_text(self, action: int) -> str:
        """The text that everybody at the table reads when the actor takes an action."""
        return str(self.episode.slot_text(action))

    def slot_word(self, slot: int) -> str:
        """A legal slot as a line of play writes it."""
        return "".join(self.episode.slot_text(slot).split())

    def slot_note(self, slot: int) -> str:
        """More about a slot than its text: its size on the menu, or that it is the smallest."""
        return ""

    def seat_names(self) -> list[str]:
        """The names of the seats: `BB`, `seat 0`."""
        return [f"seat {seat}" for seat in self.live_seats()]

    def live_seats(self) -> list[int]:
        """The seats that have not folded."""
        return [seat for seat, is_live in enumerate(self.episode.live) if is_live]

    def hand_text(self, seat: int) -> str:
        """Cards or dice of a seat; empty where they are unknown."""
        return ""

    def strength_text(self, seat: int) -> str:
        """`pair of kings` at a showdown; empty where the hand needs no description."""
        return ""

    def street(self) -> str:
        """`flop Jc9d7c`; empty in games without streets."""
        return ""

    def stakes(self) -> str:
        """`pot 600`; empty in games without chips."""
        return f"pot {self.poker.pot}" if self.poker else ""

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        """The table as the viewer may see it."""
        raise NotImplementedError

    def deal_lines(self) -> Iterator[str]:
        """The hands of all seats, for a playthrough."""
        for seat in self.live_seats():
            yield f"seat {seat}: {self.hand_text(seat)}, hand {self.episode.hand(seat)}"

    def state_lines(self) -> Iterator[str]:
        """The public state, for a playthrough."""
        raise NotImplementedError

    def end_lines(self, names: list[str]) -> Iterator[str]:
        """The end as everybody sees it: the hands that are shown, or who takes the pot."""
        yield ", ".join(filter(None, ["showdown", self.street(), self.stakes()]))
        for seat in self.live_seats():
            shown = ", ".join(filter(None, [self.hand_text(seat), self.strength_text(seat)]))
            yield f"  {names[seat]}: {shown}"

    def log_lines(self) -> Iterator[str]:
        """The whole episode with all known hands, for a hand log."""
        raise NotImplementedError

    def public_json(self) -> dict[str, Any]:
        """The public state as data."""
        return {}

    def seat_json(self, seat: int) -> dict[str, Any]:
        """The public state of a seat as data."""
        if (poker := self.poker) is None:
            return {}
        return {"bet": poker.bets[seat], "stack": poker.stacks[seat], "paid": poker.paid[seat]}
