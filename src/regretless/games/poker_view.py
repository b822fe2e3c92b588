# SPDX-License-Identifier: MIT
"""Episodes of poker for people: the table, the end, and the log of a hand."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from regretless import _native
from regretless.games.episodes import EpisodeView, replayed
from regretless.games.poker_rules import position_names, street_name
from regretless.games.translation import CALL, FOLD, action_kind, action_text
from regretless.notation.cards import card_name, format_cards
from regretless.notation.strength import describe

_WORDS = {"fold": "f", "check": "x", "call": "c", "all-in": "a"}


class PokerView(EpisodeView):
    """Cards, chips and streets."""

    episode: _native.PokerEpisode

    def cards_due(self) -> int:
        episode, now = self.episode, len(self.episode.board)
        if episode.actor != _native.CHANCE:
            return 0
        totals = accumulate(episode.game.rules.board_cards)
        return next((total - now for total in totals if total > now), 0)

    def action_text(self, action: int) -> str:
        return action_text(self.episode, action)

    def slot_word(self, slot: int) -> str:
        action = self.episode.offer[slot]
        assert action is not None  # the slot is legal
        kind = action_kind(self.episode, action)
        return _WORDS.get(kind, f"{kind[0]}{action}")

    def slot_note(self, slot: int) -> str:
        episode, name = self.episode, self.episode.game.action_names[slot]
        if not name[0].isdigit() or name == episode.slot_text(slot):
            return ""
        is_least = episode.raise_range and episode.offer[slot] == episode.raise_range[0]
        return "  (the least)" if is_least else f"  ({name})"

    def seat_names(self) -> list[str]:
        return position_names(self.episode.game.rules)

    def hand_text(self, seat: int) -> str:
        return format_cards(self.episode.hole(seat), self.episode.game.rules.deck)

    def strength_text(self, seat: int) -> str:
        rule = self.episode.game.rules.showdown
        if rule == _native.Showdown.PAIR or not self.episode.hole(seat):
            return ""
        return describe(self.episode.strength(seat), rule)

    def street(self) -> str:
        rules = self.episode.game.rules
        board = format_cards(self.episode.board, rules.deck)
        return street_name(rules, self.episode.street) + (f" {board}" if board else "")

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        episode = self.episode
        yield f"pot {episode.pot}, {episode.to_call or 'nothing'} to call"
        for seat in self.live_seats():
            cards = f"{self.hand_text(seat)}, " if seat == viewer else ""
            yield f"  {names[seat]}: {cards}bet {episode.bets[seat]}, {episode.stacks[seat]} behind"

    def state_lines(self) -> Iterator[str]:
        episode, rules = self.episode, self.episode.game.rules
        board = format_cards(episode.board, rules.deck)
        yield f"  {street_name(rules, episode.street)}: {board or 'no board'}, pot {episode.pot}"
        bets, stacks = (" ".join(map(str, each)) for each in (episode.bets, episode.stacks))
        yield f"  bets {bets}, stacks {stacks}"

    def end_lines(self, names: list[str]) -> Iterator[str]:
        live = self.live_seats()
        if len(live) == 1:
            yield f"{self.stakes()} goes to {names[live[0]]}"
        else:
            yield from super().end_lines(names)

    def log_lines(self) -> Iterator[str]:
        episode, rules, names = self.episode, self.episode.game.rules, self.seat_names()
        yield f"{rules.name}, {rules.num_players} players"
        for seat, name in enumerate(names):
            yield f"  {name}: {rules.stacks[seat]} chips, {self._cards(seat)}"
        put_in = _native.PokerEpisode(episode.game, []).paid
        antes = [0] * len(names)
        if any(rules.antes) and any(rules.blinds):  # which are not the same
            antes = [min(each, rules.stacks[seat]) for seat, each in enumerate(rules.antes)]
            yield "  " + ", ".join(f"{names[seat]} antes {n}" for seat, n in enumerate(antes) if n)
        posts = {seat: n - antes[seat] for seat, n in enumerate(put_in)}
        yield "  " + ", ".join(f"{names[seat]} posts {n}" for seat, n in posts.items() if n > 0)
        pots, lines = dict[int, int](), defaultdict[int, list[str]](list)  # by street
        for before, seat, action in replayed(episode):
            pots.setdefault(before.street, before.pot)
            lines[before.street].append(f"  {names[seat]} {_log_text(before, action)}")
        for seat, _, _, added in episode.events:
            put_in[seat] += added
        last = episode.events[-1][1] if episode.events else 0
        for seat, name in enumerate(names):
            if put_in[seat] > episode.paid[seat]:  # the bet that was not called
                lines[last].append(f"  {name} takes back {put_in[seat] - episode.paid[seat]}")
        for street in range(episode.street + 1):
            cards = format_cards(episode.board[: sum(rules.board_cards[: street + 1])], rules.deck)
            title = " ".join(filter(None, [street_name(rules, street).capitalize(), cards]))
            yield f"{title}, pot {pots.get(street, episode.pot)}"
            yield from lines[street]
        yield from self._log_end(names)

    def _log_end(self, names: list[str]) -> Iterator[str]:
        episode, live = self.episode, self.live_seats()
        if not episode.is_terminal:
            is_due = episode.actor < 0
            yield "Board cards are due" if is_due else f"{names[episode.actor]} is to act"
            return
        if len(live) > 1:
            yield f"Showdown, pot {episode.pot}"
            for seat in live:
                shown = ": ".join(filter(None, [self._cards(seat), self.strength_text(seat)]))
                yield f"  {names[seat]} shows {shown}"
        if len(live) > 1 and not all(episode.hole(seat) for seat in live):
            yield "Result unknown, as not all cards are known"
            return
        yield "Result"
        payoffs, stacks = episode.payoffs, episode.game.rules.stacks
        for seat, name in enumerate(names):
            won = payoffs[seat] + episode.paid[seat]
            wins = f"wins {won}, " if won else ""
            yield f"  {name}: {wins}{payoffs[seat]:+d}, now {stacks[seat] + payoffs[seat]}"
        if sum(payoffs):
            yield f"  rake: {-sum(payoffs)}"

    def _cards(self, seat: int) -> str:
        return self.hand_text(seat) or "unknown cards"

    def public_json(self) -> dict[str, Any]:
        episode, deck = self.episode, self.episode.game.rules.deck
        board = [card_name(card, deck) for card in episode.board]
        return {
            "street": episode.street,
            "board": board,
            "pot": episode.pot,
            "pots": _pots(episode),
            "hole_cards": episode.game.rules.num_hole_cards,
        }


def _pots(episode: _native.PokerEpisode) -> list[dict[str, Any]]:
    """The main pot and the side pots without the bets of this street; at the end of all chips."""
    bets = [0] * len(episode.paid) if episode.is_terminal else episode.bets
    inside = [paid - bet for paid, bet in zip(episode.paid, bets, strict=True)]
    live = [seat for seat, is_live in enumerate(episode.live) if is_live]
    pots, below = list[dict[str, Any]](), 0
    for level in sorted({inside[seat] for seat in live if inside[seat] > 0}):
        chips = sum(min(each, level) - min(each, below) for each in inside)
        pots.append({"chips": chips, "seats": [seat for seat in live if inside[seat] >= level]})
        below = level
    if pots:  # chips of seats that have folded since
        pots[-1]["chips"] += sum(max(each - below, 0) for each in inside)
    return pots


def _log_text(before: _native.PokerEpisode, action: int) -> str:
    if action == FOLD:
        return "folds"
    if action == CALL and before.to_call == 0:
        return "checks"
    added = before.to_call if action == CALL else action - before.bets[before.actor]
    bets = "raises to" if max(before.bets) else "bets"
    text = f"calls {added}" if action == CALL else f"{bets} {action}"
    return text + (", all-in" if added == before.stacks[before.actor] else "")
