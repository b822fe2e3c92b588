# SPDX-License-Identifier: MIT
"""An episode as one seat may see it, line by line: its own cards, the board, the bets."""

from collections.abc import Iterator

from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import view


def seat_names(episode: Episode, viewer: int) -> list[str]:
    """The names of the seats; the viewer's own is `you (BB)`."""
    names = view(episode).seat_names()
    names[viewer] = f"you ({names[viewer]})"
    return names


def shown_seats(episode: Episode) -> list[int]:
    """The seats that show their hands: at the end those still in, if there are several."""
    live = view(episode).live_seats()
    return live if episode.is_terminal and len(live) > 1 else []


def decision_lines(episode: Episode, viewer: int) -> Iterator[str]:
    """The table when `viewer` is to act, and the slots to choose from."""
    shown = view(episode)
    yield from shown.table_lines(viewer, seat_names(episode, viewer))
    for slot in legal_slots(episode):
        yield f"  {slot:2d}  {episode.slot_text(slot)}{shown.slot_note(slot)}"


def end_lines(episode: Episode, viewer: int) -> Iterator[str]:
    """The end: the hands that are shown, or who takes the pot."""
    return view(episode).end_lines(seat_names(episode, viewer))


def result_text(chips: float) -> str:
    """`you win 3`, `you lose 3`, `you break even`."""
    if chips == 0:
        return "you break even"
    return f"you {'win' if chips > 0 else 'lose'} {abs(chips):g}"
