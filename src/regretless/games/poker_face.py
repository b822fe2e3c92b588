# SPDX-License-Identifier: MIT
"""Poker for the rest of the package: names, records, views of episodes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from regretless import _native
from regretless.games.episodes import EpisodeView, legal_slots
from regretless.games.poker_log import poker_log
from regretless.games.poker_rules import position_names, street_name
from regretless.games.translation import CALL, FOLD, action_text
from regretless.notation.cards import card_name, deck_ranks, format_cards
from regretless.notation.strength import describe


@dataclass(frozen=True)
class PokerFace:
    """Cards, chips, streets and a bet menu."""

    game: _native.Poker

    explicit = None
    """The game itself if it is an explicit tree, else None."""

    @property
    def poker(self) -> _native.Poker:
        """The game itself if it has cards, chips and a bet menu, else None."""
        return self.game

    @property
    def unit_name(self) -> str:
        """The unit of values: `antes`, `big blinds`, `chips` or, outside poker, `points`."""
        rules = self.game.rules
        if min(rules.antes) == rules.unit:
            return "antes"
        if max(rules.blinds) == rules.unit:
            return "big blinds"
        return "chips" if rules.unit == 1 else f"{rules.unit} chips"

    def record(self) -> dict[str, Any]:
        """The rules in full as plain data."""
        game = self.game
        start = {"board": game.board, "weights": game.weights}
        if game.aggressor >= 0:
            start["aggressor"] = game.aggressor
        is_begun = any((game.board, game.weights, game.aggressor >= 0))
        rows = {"poker": _rules_row(game.rules), "menu": _menu_row(game)}
        return rows | ({"start": start} if is_begun else {})

    def infoset_probe(self) -> int:
        """The infoset key at a fixed decision: it changes when the way to make keys changes."""
        game, rules = self.game, self.game.rules
        size = rules.num_hole_cards
        cards = [card for card in range(rules.deck.num_cards) if card not in game.board]
        hole = [cards[p * size : (p + 1) * size] for p in range(game.num_players)]
        rest = cards[game.num_players * size :]
        board = game.board + rest[: rules.num_board_cards - len(game.board)]
        return probe_key(_native.PokerEpisode(game, hole=hole, board=board))


def probe_key(episode: _native.PokerEpisode | _native.LiarsDiceEpisode) -> int:
    """The infoset key after a few middle slots."""
    key = 0
    for _ in range(4):
        if episode.actor < 0:
            break
        key = episode.infoset
        slots = legal_slots(episode)
        episode.choose(slots[len(slots) // 2])
    return key


def _rules_row(rules: _native.PokerRules) -> dict[str, Any]:
    return {
        "name": rules.name,
        "players": rules.num_players,
        "deck": {"ranks": deck_ranks(rules.deck), "suits": rules.deck.num_suits},
        "hole_cards": rules.num_hole_cards,
        "board_cards": rules.board_cards,
        "limit": rules.limit.name.lower(),
        "bets": rules.bets,
        "max_raises": rules.max_raises,
        "blinds": rules.blinds,
        "antes": rules.antes,
        "stacks": rules.stacks,
        "first_actors": rules.first_actors,
        "rake": {
            "fraction": rules.rake.fraction,
            "cap": rules.rake.cap,
            "no_flop_no_drop": rules.rake.no_flop_no_drop,
        },
        "showdown": rules.showdown.name.lower().replace("_", "-"),
        "unit": rules.unit,
    }


def _menu_row(game: _native.Poker) -> dict[str, Any]:
    menu = game.menu
    return {
        "name": menu.name,
        "slots": menu.slots,
        "max_raises": menu.max_raises,
        "rows": menu.rows(game.rules.num_streets),
        "add_all_in": menu.add_all_in,
        "force_all_in": menu.force_all_in,
        "merge": menu.merge,
        "limp": menu.limp,
    }


class PokerView(EpisodeView):
    """Cards, chips and streets."""

    episode: _native.PokerEpisode

    def __init__(self, episode: _native.PokerEpisode) -> None:
        super().__init__(episode)
        self.poker = episode

    @property
    def pot(self) -> int:
        return self.episode.pot

    @property
    def to_call(self) -> int:
        return self.episode.to_call

    def stack(self, seat: int) -> int:
        return self.episode.stacks[seat]

    def paid(self, seat: int) -> int:
        return self.episode.paid[seat]

    def cards_due(self) -> int:
        episode = self.episode
        if episode.actor != _native.CHANCE:
            return 0
        total = 0
        for count in episode.game.rules.board_cards:
            total += count
            if total > len(episode.board):
                return total - len(episode.board)
        return 0

    def action_text(self, action: int) -> str:
        return action_text(self.episode, action)

    def slot_word(self, slot: int) -> str:
        episode = self.episode
        action = episode.offer[slot]
        assert action is not None  # the slot is legal
        if action == FOLD:
            return "f"
        if action == CALL:
            return "c" if episode.to_call > 0 else "x"
        if action == episode.bets[episode.actor] + episode.stacks[episode.actor]:
            return "a"
        return f"{'r' if max(episode.bets) > 0 else 'b'}{action}"

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
        return poker_log(self.episode)

    def public_json(self) -> dict[str, Any]:
        episode, deck = self.episode, self.episode.game.rules.deck
        board = [card_name(card, deck) for card in episode.board]
        return {"street": episode.street, "board": board, "pot": episode.pot}

    def seat_json(self, seat: int) -> dict[str, Any]:
        return {"bet": self.episode.bets[seat], "stack": self.episode.stacks[seat]}
