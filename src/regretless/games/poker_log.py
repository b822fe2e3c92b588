# SPDX-License-Identifier: MIT
"""An episode of poker as a hand log: seats, actions street by street, results."""

from collections.abc import Iterator

from regretless import _native
from regretless.games.episodes import replayed
from regretless.games.poker_rules import position_names, street_name
from regretless.notation.cards import format_cards
from regretless.notation.strength import describe


def poker_log(episode: _native.PokerEpisode) -> Iterator[str]:
    """The lines of the log; all known cards are shown."""
    rules = episode.game.rules
    names = position_names(rules)
    yield f"{rules.name}, {rules.num_players} players"
    for seat, name in enumerate(names):
        yield f"  {name}: {rules.stacks[seat]} chips, {_hand_text(episode, seat)}"
    posted = _native.PokerEpisode(episode.game, []).paid
    yield "  " + ", ".join(f"{names[seat]} posts {n}" for seat, n in enumerate(posted) if n)
    last = episode.events[-1][1] if episode.events else 0
    for street in range(episode.street + 1):
        yield from _street_lines(episode, street, names)
        if street == last:
            yield from _returned_lines(episode, names, posted)
    yield from _end_lines(episode, names)


def _street_lines(episode: _native.PokerEpisode, street: int, names: list[str]) -> Iterator[str]:
    rules = episode.game.rules
    board = episode.board[: sum(rules.board_cards[: street + 1])]
    cards = " " + format_cards(board, rules.deck) if board else ""
    title = street_name(rules, street).capitalize() + cards
    pot, lines = episode.pot, list[str]()
    for before, seat, action in replayed(episode):
        if before.street == street:
            pot = pot if lines else before.pot
            lines.append(f"  {names[seat]} {_action_text(before, action)}")
    yield f"{title}, pot {pot}"
    yield from lines


def _action_text(before: _native.PokerEpisode, action: int) -> str:
    actor = before.actor
    if action == -1:
        return "folds"
    if action == 0 and before.to_call == 0:
        return "checks"
    added = before.to_call if action == 0 else action - before.bets[actor]
    all_in = ", all-in" if added == before.stacks[actor] else ""
    if action == 0:
        return f"calls {added}{all_in}"
    return f"{'raises to' if max(before.bets) else 'bets'} {action}{all_in}"


def _returned_lines(
    episode: _native.PokerEpisode, names: list[str], posted: list[int]
) -> Iterator[str]:
    """The uncalled bet, returned after the last action."""
    put_in = list(posted)
    for seat, _, _, added in episode.events:
        put_in[seat] += added
    for seat, name in enumerate(names):
        if put_in[seat] > episode.paid[seat]:
            yield f"  {name} takes back {put_in[seat] - episode.paid[seat]}"


def _end_lines(episode: _native.PokerEpisode, names: list[str]) -> Iterator[str]:
    if not episode.is_terminal:
        yield f"{names[episode.actor]} is to act" if episode.actor >= 0 else "Board cards are due"
        return
    live = [seat for seat, is_live in enumerate(episode.live) if is_live]
    if len(live) > 1:
        yield f"Showdown, pot {episode.pot}"
        for seat in live:
            shown = _hand_text(episode, seat) + _strength_text(episode, seat)
            yield f"  {names[seat]} shows {shown}"
    if len(live) > 1 and not all(episode.hole(seat) for seat in live):
        yield "Result unknown, as not all cards are known"
    else:
        yield from _result_lines(episode, names)


def _result_lines(episode: _native.PokerEpisode, names: list[str]) -> Iterator[str]:
    yield "Result"
    payoffs, stacks = episode.payoffs, episode.game.rules.stacks
    for seat, name in enumerate(names):
        won = payoffs[seat] + episode.paid[seat]
        wins = f"wins {won}, " if won else ""
        yield f"  {name}: {wins}{payoffs[seat]:+d}, now {stacks[seat] + payoffs[seat]}"
    if sum(payoffs):
        yield f"  rake: {-sum(payoffs)}"


def _hand_text(episode: _native.PokerEpisode, seat: int) -> str:
    return format_cards(episode.hole(seat), episode.game.rules.deck) or "unknown cards"


def _strength_text(episode: _native.PokerEpisode, seat: int) -> str:
    rule = episode.game.rules.showdown
    if rule == _native.Showdown.PAIR or not episode.hole(seat):
        return ""
    return ": " + describe(episode.strength(seat), rule)
