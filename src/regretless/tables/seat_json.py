# SPDX-License-Identifier: MIT
"""A table or a finished hand as one seat may see it, as data, and the controls of its decisions."""

from dataclasses import asdict, dataclass
from typing import Any

from regretless import _native
from regretless.games.episodes import Episode, actions_of, legal_slots, replayed
from regretless.games.face import view
from regretless.games.translation import action_text
from regretless.histories.choices import read_bet
from regretless.histories.seat_view import seat_names, shown_seats
from regretless.tables.table import Table

SHARES = (33, 50, 75, 100, 150)
"""Percentages of the pot after a call."""


def seat_json(table: Table, viewer: int | None) -> dict[str, Any]:
    """The table as the viewer sees it (None: a spectator), as numbers and texts."""
    episode = table.episode
    is_turn = viewer is not None and table.actor == viewer
    return {
        **episode_json(episode, viewer),
        "choices": [_choice(table, slot) for slot in legal_slots(episode)] if is_turn else [],
        "bet_range": table.bet_range if is_turn else None,
        "controls": asdict(betting_controls(table)) if is_turn else None,
        "log": [asdict(entry) for entry in table.log],
    }


def episode_json(episode: Episode, viewer: int | None) -> dict[str, Any]:
    """Cards and chips as the viewer may see them."""
    return {
        "game": episode.game.name,
        "viewer": viewer,
        "actor": None if episode.is_terminal else episode.actor,
        "is_over": episode.is_terminal,
        "seats": [_seat(episode, seat, viewer) for seat in range(episode.game.num_players)],
        **view(episode).public_json(),
        "lines": _lines(episode, viewer),
    }


def _lines(episode: Episode, viewer: int | None) -> list[str]:
    """The state in words, in games without chips; else empty."""
    shown = view(episode)
    if viewer is None or shown.poker is not None:
        return []
    names = seat_names(episode, viewer)
    lines = shown.end_lines(names) if episode.is_terminal else shown.table_lines(viewer, names)
    return [each.strip() for each in lines]


def _seat(episode: Episode, seat: int, viewer: int | None) -> dict[str, Any]:
    shown = view(episode)
    is_shown = seat == viewer or seat in shown_seats(episode)
    return {
        "name": shown.seat_names()[seat],
        "is_live": seat in shown.live_seats(),
        "hand": shown.hand_text(seat) if is_shown else None,
        "payoff": episode.payoffs[seat] if episode.is_terminal else None,
        "strength": shown.strength_text(seat) if seat in shown_seats(episode) else "",
        **shown.seat_json(seat),
    }


def _choice(table: Table, slot: int) -> dict[str, Any]:
    episode = table.episode
    return {"slot": slot, "name": episode.game.action_names[slot], "text": episode.slot_text(slot)}


def replay_steps(episode: Episode, viewer: int | None, first: int = 0) -> list[dict[str, Any]]:
    """The deal and the state after every action, as data, from step `first` on.

    `seat` and `text` are the actor and the action, None and empty at the deal. Hands of other seats
    are included where they were shown.
    """
    seat: int | None = None
    text, steps = "", []
    for step, (before, actor, action) in enumerate(replayed(episode)):
        if step >= first:
            steps.append(_step(before, viewer, seat, text))
        seat, text = actor, view(before).action_text(action)
    return [*steps, _step(episode, viewer, seat, text)]


def last_steps(episode: Episode, viewer: int) -> list[dict[str, Any]]:
    """Steps of a replay: the state before the viewer's last action, and all that happened since.

    An explicit game, whose deals cannot be repeated, has its present state alone.
    """
    if isinstance(episode, _native.ExplicitEpisode):
        return [_step(episode, viewer, None, "")]
    own = [step for step, (seat, _) in enumerate(actions_of(episode)) if seat == viewer]
    return replay_steps(episode, viewer, own[-1] if own else 0)


def _step(episode: Episode, viewer: int | None, seat: int | None, text: str) -> dict[str, Any]:
    return {"seat": seat, "text": text, "seen": episode_json(episode, viewer)}


@dataclass(frozen=True)
class Button:
    """A choice by its slot, or a bet of the one size that is legal."""

    text: str
    slot: int | None = None
    amount: int | None = None


@dataclass(frozen=True)
class BettingControls:
    """The controls of the seat to act."""

    buttons: list[Button]
    bets: tuple[int, int] | None
    """The least and the most to bet or raise to, where there is something between; else None."""
    word: str
    """`bet` or `raise to`."""
    marks: list[tuple[str, int]]
    """Amounts with a name, as far as they are legal: shares of the pot, `pot`, `all-in`."""


def betting_controls(table: Table) -> BettingControls:
    """All legal choices at a table; none when the hand is over."""
    poker, bets = view(table.episode).poker, table.bet_range
    offer = [] if poker is None or table.is_over else poker.offer
    raises = [slot for slot, to in enumerate(offer) if to is not None and to > 0]
    slots = [] if table.is_over else legal_slots(table.episode)
    buttons = [Button(table.episode.slot_text(slot), slot) for slot in slots if slot not in raises]
    if poker is None or bets is None:
        return BettingControls(buttons, None, "bet", [])
    least, most = bets
    word = "raise to" if max(poker.bets) else "bet"
    if least == most:
        buttons.append(Button(action_text(poker, least), amount=least))
        return BettingControls(buttons, None, word, [])
    return BettingControls(buttons, bets, word, _marks(poker, least, most))


def _marks(episode: _native.PokerEpisode, least: int, most: int) -> list[tuple[str, int]]:
    marks = []
    for share in SHARES:
        amount = read_bet(f"{share}.0%", episode)  # with a point, so that it is no name of a menu
        if amount is not None and least <= amount <= most:
            marks.append(("pot" if share == 100 else f"{share}%", amount))
    if most == episode.bets[episode.actor] + episode.stacks[episode.actor]:
        marks.append(("all-in", most))
    return marks
