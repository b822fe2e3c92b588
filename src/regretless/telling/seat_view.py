# SPDX-License-Identifier: MIT
"""An episode as one seat may see it, line by line: its own cards, the board, the bets."""

from collections.abc import Iterator

from regretless import _native
from regretless.games.positions import position_names, street_name
from regretless.notation.cards import format_cards
from regretless.telling.choices import legal_slots
from regretless.telling.hand_log import Episode
from regretless.telling.strength import describe


def seat_names(episode: Episode, viewer: int) -> list[str]:
    """What the seats are called by the one who sits at `viewer`."""
    if isinstance(episode, _native.PokerEpisode):
        names = position_names(episode.game.rules)
    else:
        names = [f"seat {seat}" for seat in range(episode.game.num_players)]
    names[viewer] = f"you ({names[viewer]})"
    return names


def hand_text(episode: Episode, seat: int) -> str:
    if isinstance(episode, _native.PokerEpisode):
        return format_cards(episode.hole(seat), episode.game.rules.deck)
    return " ".join(map(str, episode.hand_parts(seat)))


def decision_lines(episode: Episode, viewer: int) -> Iterator[str]:
    """What stands on the table when `viewer` is to act, and what there is to choose from."""
    names = seat_names(episode, viewer)
    if isinstance(episode, _native.PokerEpisode):
        yield f"{_street_text(episode)}, pot {episode.pot}"
        for seat, name in enumerate(names):
            if episode.live[seat]:
                cards = f"{hand_text(episode, seat)}, " if seat == viewer else ""
                yield f"  {name}: {cards}bet {episode.bets[seat]}, {episode.stacks[seat]} behind"
    else:
        bids = [f"{names[seat]} {episode.game.action_names[slot]}" for seat, slot in episode.steps]
        yield f"bids: {', '.join(bids) or 'none'}"
        yield f"  {names[viewer]}: {hand_text(episode, viewer)}"
    for slot in legal_slots(episode):
        yield f"  {slot:2d}  {episode.slot_text(slot)}{_slot_name(episode, slot)}"


def end_lines(episode: Episode, viewer: int) -> Iterator[str]:
    """How it ended: the hands that were shown, and the viewer's payoff."""
    names = seat_names(episode, viewer)
    if isinstance(episode, _native.PokerEpisode):
        shown = [seat for seat, is_live in enumerate(episode.live) if is_live]
        if len(shown) > 1:
            yield f"showdown, {_street_text(episode)}, pot {episode.pot}"
            for seat in shown:
                yield f"  {names[seat]}: {hand_text(episode, seat)}{_strength_text(episode, seat)}"
        else:
            yield f"the pot of {episode.pot} goes to {names[shown[0]]}"
    else:
        for seat, name in enumerate(names):
            yield f"  {name}: {hand_text(episode, seat)}"


def _street_text(episode: _native.PokerEpisode) -> str:
    rules = episode.game.rules
    board = format_cards(episode.board, rules.deck)
    return street_name(rules, episode.street) + (f" {board}" if board else "")


def _slot_name(episode: Episode, slot: int) -> str:
    """The name on the menu where it says more than the amount."""
    name = episode.game.action_names[slot]
    return f"  ({name})" if name[0].isdigit() and name != episode.slot_text(slot) else ""


def _strength_text(episode: _native.PokerEpisode, seat: int) -> str:
    rule = episode.game.rules.showdown
    if rule == _native.Showdown.PAIR:
        return ""
    return f", {describe(episode.strength(seat), rule)}"
