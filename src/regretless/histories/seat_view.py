# SPDX-License-Identifier: MIT
"""An episode as one seat may see it, line by line: its own cards, the board, the bets."""

from collections.abc import Iterator

from regretless import _native
from regretless.games.episodes import Episode
from regretless.histories.choices import legal_slots
from regretless.histories.views import view


def seat_names(episode: Episode, viewer: int) -> list[str]:
    """What the seats are called; the viewer's own is `you (BB)`."""
    names = view(episode).seat_names()
    names[viewer] = f"you ({names[viewer]})"
    return names


def shown_seats(episode: Episode) -> list[int]:
    """The seats that show their hands: at the end those still in, if there are several."""
    live = view(episode).live_seats()
    return live if episode.is_terminal and len(live) > 1 else []


def decision_lines(episode: Episode, viewer: int) -> Iterator[str]:
    """What is on the table when `viewer` is to act, and what there is to choose from."""
    shown = view(episode)
    yield from shown.table_lines(viewer, seat_names(episode, viewer))
    for slot in legal_slots(episode):
        yield f"  {slot:2d}  {episode.slot_text(slot)}{shown.slot_note(slot)}"


def end_lines(episode: Episode, viewer: int) -> Iterator[str]:
    """How it ended: the hands that were shown, or who takes what was in the middle."""
    shown, names, seats = view(episode), seat_names(episode, viewer), shown_seats(episode)
    if isinstance(episode, _native.ExplicitEpisode):
        yield from _told_lines(episode, names)
        return
    if not seats:
        yield f"{shown.stakes()} goes to {names[shown.live_seats()[0]]}"
        return
    yield ", ".join(filter(None, ["showdown", shown.street(), shown.stakes()]))
    for seat in seats:
        yield f"  {names[seat]}: {shown.hand_text(seat)}{shown.strength_text(seat)}"


def _told_lines(episode: _native.ExplicitEpisode, names: list[str]) -> Iterator[str]:
    """All that was done, which is no secret any more."""
    game = episode.game
    told = ", ".join(f"{names[seat]} {game.action_names[slot]}" for seat, slot in episode.steps)
    yield f"the end: {told}" if told else "the end"


def result_text(chips: float) -> str:
    """`you win 3`, `you lose 3`, `you break even`."""
    if chips == 0:
        return "you break even"
    return f"you {'win' if chips > 0 else 'lose'} {abs(chips):g}"
