# SPDX-License-Identifier: MIT
"""An episode as one seat may see it, line by line: its own cards, the board, the bets."""

from collections.abc import Iterator

from regretless import _native
from regretless.games.episodes import Episode
from regretless.games.positions import position_names, street_name
from regretless.notation.cards import format_cards
from regretless.telling.choices import legal_slots
from regretless.telling.strength import describe


def seat_names(episode: Episode, viewer: int | None = None) -> list[str]:
    """What the seats are called; the viewer's own is `you (BB)`."""
    if isinstance(episode, _native.PokerEpisode):
        names = position_names(episode.game.rules)
    else:
        names = [f"seat {seat}" for seat in range(episode.game.num_players)]
    if viewer is not None:
        names[viewer] = f"you ({names[viewer]})"
    return names


def hand_text(episode: Episode, seat: int) -> str:
    """Cards or dice of a seat; empty where they are unknown."""
    if isinstance(episode, _native.PokerEpisode):
        return format_cards(episode.hole(seat), episode.game.rules.deck)
    return " ".join(map(str, episode.dice(seat)))


def street_line(episode: Episode) -> str:
    """`flop Jc9d7c, pot 600` at the beginning of a street; empty in games without streets."""
    if isinstance(episode, _native.PokerEpisode):
        return f"{_street_text(episode)}, pot {episode.pot}"
    return ""


def live_seats(episode: Episode) -> list[int]:
    """The seats that are still in."""
    if isinstance(episode, _native.PokerEpisode):
        return [seat for seat, is_live in enumerate(episode.live) if is_live]
    return list(range(episode.game.num_players))


def shown_seats(episode: Episode) -> list[int]:
    """The seats that show their hands: at the end those still in, if there are several."""
    live = live_seats(episode)
    return live if episode.is_terminal and len(live) > 1 else []


def decision_lines(episode: Episode, viewer: int) -> Iterator[str]:
    """What is on the table when `viewer` is to act, and what there is to choose from."""
    names = seat_names(episode, viewer)
    if isinstance(episode, _native.PokerEpisode):
        yield f"pot {episode.pot}, {episode.to_call or 'nothing'} to call"
        for seat in live_seats(episode):
            cards = f"{hand_text(episode, seat)}, " if seat == viewer else ""
            yield f"  {names[seat]}: {cards}bet {episode.bets[seat]}, {episode.stacks[seat]} behind"
    else:
        bids = [f"{names[seat]} {episode.game.action_names[slot]}" for seat, slot in episode.events]
        yield f"bids: {', '.join(bids) or 'none'}"
        yield f"  {names[viewer]}: {hand_text(episode, viewer)}"
    for slot in legal_slots(episode):
        yield f"  {slot:2d}  {episode.slot_text(slot)}{slot_note(episode, slot)}"


def slot_note(episode: Episode, slot: int) -> str:
    """The size on the menu, `  (60%)`, or that a bet or raise is the least that the rules allow."""
    name = episode.game.action_names[slot]
    if not name[0].isdigit() or name == episode.slot_text(slot):
        return ""
    if isinstance(episode, _native.PokerEpisode) and episode.raise_range is not None:
        least = episode.raise_range[0]
        if episode.offer[slot] == least:
            return "  (the least)"
    return f"  ({name})"


def end_lines(episode: Episode, viewer: int) -> Iterator[str]:
    """How it ended: the hands that were shown, or who takes the pot."""
    names = seat_names(episode, viewer)
    shown = shown_seats(episode)
    if isinstance(episode, _native.PokerEpisode):
        if not shown:
            yield f"the pot of {episode.pot} goes to {names[live_seats(episode)[0]]}"
            return
        yield f"showdown, {street_line(episode)}"
    for seat in shown:
        yield f"  {names[seat]}: {hand_text(episode, seat)}{strength_text(episode, seat)}"


def result_text(chips: int) -> str:
    """`you win 3`, `you lose 3`, `you break even`."""
    if chips == 0:
        return "you break even"
    return f"you {'win' if chips > 0 else 'lose'} {abs(chips)}"


def strength_text(episode: Episode, seat: int) -> str:
    """`, pair of kings` at a showdown; empty where the cards say it all."""
    if not isinstance(episode, _native.PokerEpisode):
        return ""
    rule = episode.game.rules.showdown
    if rule == _native.Showdown.PAIR:
        return ""
    return f", {describe(episode.strength(seat), rule)}"


def _street_text(episode: _native.PokerEpisode) -> str:
    rules = episode.game.rules
    board = format_cards(episode.board, rules.deck)
    return street_name(rules, episode.street) + (f" {board}" if board else "")
