# SPDX-License-Identifier: MIT
"""Poker for the rest of the package: its unit, its record, its probe of infoset keys."""

from dataclasses import dataclass
from typing import Any

from regretless import _native
from regretless.games.episodes import legal_slots
from regretless.games.variants import RakeRow
from regretless.notation.cards import deck_ranks


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
        "rake": {key: getattr(rules.rake, key) for key in RakeRow.model_fields},
        "showdown": rules.showdown.name.lower().replace("_", "-"),
        "unit": rules.unit,
    }


def _menu_row(game: _native.Poker) -> dict[str, Any]:
    keys = ("name", "slots", "max_raises", "rows", "add_all_in", "force_all_in", "merge", "limp")
    row = {key: getattr(game.menu, key) for key in keys}
    return row | {"rows": game.menu.rows(game.rules.num_streets)}
