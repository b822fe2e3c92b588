# SPDX-License-Identifier: MIT
"""Nodes of a solved two-player game by their lines of play: ranges, mixes, equities, values.

Nothing is solved again: reaches are multiplied along the line, and values are those of the bundle.
"""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import numpy as np

from regretless import _native
from regretless.bundles.bundle import Bundle
from regretless.errors import InputError, TooLargeError
from regretless.explorer.node_view import (
    CardCase,
    Choice,
    NodeView,
    Numbers,
    SeatRange,
    hand_names,
    mean_of,
)
from regretless.explorer.tree_place import TreePlace, showdown_shares
from regretless.games import Game
from regretless.games.amounts import Amounts
from regretless.games.episodes import Episode
from regretless.games.face import view
from regretless.histories.lines import Step, format_line, read_line
from regretless.notation.cards import BOARD_CARDS, STREETS, card_name, deck_ranks, format_cards
from regretless.policies.strategy_table import StrategyTable
from regretless.policies.strategy_tree import StrategyTree
from regretless.runs.run_record import require_bundle
from regretless.solvers.problem import CFRConfig, make_problem


class SolvedTree:
    """A solved game or spot whose nodes can be shown."""

    def __init__(self, game: Game, tree: StrategyTree) -> None:
        self.game = game
        self.tree = tree

    @classmethod
    def open(cls, path: str | Path) -> "SolvedTree":
        """The tree of a bundle or run by its directory, or of a shipped bundle by its name."""
        return cls.of_bundle(require_bundle(path, verify=False))

    @staticmethod
    def is_of(bundle: Bundle) -> bool:
        """Whether a bundle holds a solved spot or a whole table, by its manifest alone."""
        manifest = bundle.manifest
        is_table = manifest.table is not None and manifest.abstraction is None
        return manifest.tree is not None or is_table

    @classmethod
    def of_bundle(cls, bundle: Bundle) -> "SolvedTree":
        if not cls.is_of(bundle):
            what = "networks" if bundle.manifest.table is None else "buckets"
            raise InputError(f"{bundle.path}: holds {what}; show needs a table or a solved spot")
        if bundle.manifest.tree is None:
            return cls.of_table(bundle.game, bundle.table())
        tree = bundle.tree()
        _check_hands(tree, bundle.game, str(bundle.path))
        return cls(bundle.game, tree)

    @classmethod
    def of_table(cls, game: Game, table: StrategyTable) -> "SolvedTree":
        """The tree of a small game for two, with values computed from the table."""
        try:
            problem = make_problem(game, CFRConfig(merge_suits=False))
        except InputError as error:
            raise TooLargeError(str(error)) from None
        found, places = table.find(problem.keys())
        rows = np.ones((len(found), game.num_actions))
        rows[found] = table.probabilities[places[found]]
        return cls(game, StrategyTree.of(problem, problem.packed(problem.profile_of(rows))))

    def node(self, line: str = "", *, equities: bool = True, unit: str | None = None) -> NodeView:
        """The node that a line of play leads to; InputError points at an impossible step.

        Amounts are in the `unit`, `bb` or `chips` (default: the one that is set). Equities take the
        longest; without `equities`, `NodeView.with_equities` adds them later.
        """
        episode = self.game.episode_of()
        amounts = Amounts.of(self.game, unit)
        steps = read_line(line, episode, amounts)
        place = TreePlace(self.game, self.tree, steps)
        node = _SolvedNode(self.game, place, episode, amounts).view(steps)
        return node.with_equities() if equities else node


class _SolvedNode:
    """One node, from a place in the tree and the episode that was played to it."""

    def __init__(self, game: Game, place: TreePlace, episode: Episode, amounts: Amounts) -> None:
        self.game, self.place, self.episode, self.amounts = game, place, episode, amounts
        self.board = list(episode.board)
        self.met = [place.met(player) for player in range(2)]

    @cached_property
    def before(self) -> list[float]:
        """Chips of each player in the pot of a spot at its start: values count from there."""
        start = self.game.episode_of()
        is_spot = bool(start.board)
        return [float(view(start).paid(seat)) if is_spot else 0.0 for seat in range(2)]

    def view(self, steps: list[Step]) -> NodeView:
        place, game = self.place, self.game
        shown = view(self.episode)
        values = self._values(place, self.met)
        seats = [self._seat(player, values[player]) for player in range(2)]
        deck = game.deck
        return NodeView(
            line=format_line(steps),
            board="" if deck is None else format_cards(self.board, deck),
            street="" if deck is None else _street(game, len(self.board)),
            actor=place.actor,
            pot=self.amounts.of_chips(shown.pot),
            to_call=self.amounts.of_chips(shown.to_call) if place.actor >= 0 else 0.0,
            unit=self.amounts.name,
            seats=(seats[0], seats[1]),
            choices=list(self._choices(seats)) if place.actor >= 0 else [],
            cards=list(self._cards()) if place.actor == _native.CHANCE else [],
            ranks=deck_ranks(deck)[::-1] if deck is not None and game.hand_size == 2 else "",
            steps=tuple(steps),
            find_equities=self._equities,
        )

    def _seat(self, player: int, values: Numbers) -> SeatRange:
        weights = self.place.reaches[player]
        together = weights * self.met[player]
        total = together.sum()
        return SeatRange(
            seat=player,
            name=_seat_name(self.game, player),
            hands=hand_names(self.game, self.place.tree.hands(player)),
            weights=weights,
            shares=together / total if total > 0 else np.zeros(len(weights)),
            equities=np.full(len(weights), np.nan),
            values=values,
        )

    def _equities(self) -> list[Numbers] | None:
        """Shares of the pot if nobody bets any more: [player][hands]."""
        shares = showdown_shares(self.game, self.place, self.board)
        if shares is None:
            return None
        equities = [np.full(len(met), np.nan) for met in self.met]
        for (wins, ties), met, found in zip(shares, self.met, equities, strict=True):
            np.divide(wins + ties / 2, met, out=found, where=met > 0)
        return equities

    def _values(self, place: TreePlace, met: list[Numbers]) -> list[Numbers]:
        """Values at this place or at a child, in units and counted from the start.

        [player][hands]. The pot of a spot is won or lost; chips put in since its start are lost.

        NaN where a hand meets nobody, or where a showdown cannot be compared.
        """
        is_end = place.actor == _native.TERMINAL
        won = self._ending_values(place, met) if is_end else place.values()
        unit, before = self.amounts.chips, self.before
        return [np.where(met[p] > 0, (won[p] + before[p]) / unit, np.nan) for p in range(2)]

    def _ending_values(self, place: TreePlace, met: list[Numbers]) -> list[Numbers]:
        payoffs = place.tree.payoffs_at(place.node)
        if (payoffs == payoffs[:, :1]).all():  # a player has folded
            return [np.full(len(met[p]), payoffs[p, 0]) for p in range(2)]
        shares = showdown_shares(self.game, place, self.board)
        if shares is None:
            return [np.full(len(each), np.nan) for each in met]
        won = []
        for p in range(2):
            wins, ties = shares[p]
            chips = payoffs[p] @ np.array([met[p] - wins - ties, ties, wins])
            won.append(np.divide(chips, met[p], out=np.zeros_like(chips), where=met[p] > 0))
        return won

    def _choices(self, seats: list[SeatRange]) -> Iterator[Choice]:
        place, actor = self.place, self.place.actor
        shares = seats[actor].shares
        is_reached = shares.sum() > 0
        for slot, row in zip(place.slots, place.mix(), strict=True):
            below = place.after(Step(slot, (), ""))
            values = self._values(below, [below.met(player) for player in range(2)])[actor]
            yield Choice(
                word=self.amounts.word(view(self.episode).slot_word(slot)),
                text=self.amounts.in_text(self.episode.slot_text(slot)),
                share=float(row @ shares) if is_reached else np.nan,
                value=mean_of(values, row * shares),
                mix=row,
                values=values,
            )

    def _cards(self) -> Iterator[CardCase]:
        deck = self.place.deck
        assert deck is not None  # only games with cards deal in public
        out = set(self.episode.board)
        for card in (each for each in range(deck.num_cards) if each not in out):
            below, teller = self.place.after(Step(None, (card,), "")), self
            met = [below.met(player) for player in range(2)]
            if below.actor == _native.TERMINAL:
                dealt = self.episode.copy()
                dealt.deal_board([card])
                teller = _SolvedNode(self.game, below, dealt, self.amounts)
            values = teller._values(below, met)
            means = [mean_of(values[p], below.reaches[p] * met[p]) for p in range(2)]
            yield CardCase(card_name(card, deck), (means[0], means[1]))


def _check_hands(tree: StrategyTree, game: Game, place: str) -> None:
    """Checks that the hands and the first node of a file are those of its game."""
    for player in range(2):
        if int(tree.hands(player)[-1]) >= game.num_hands or int(tree.hands(player)[0]) < 0:
            raise InputError(f"{place}: hands_{player} are not hands of {game.name}")
    if int(tree.actors[0]) != game.episode_of().actor:
        raise InputError(f"{place}: the tree does not begin where {game.name} does")


def _seat_name(game: Game, seat: int) -> str:
    is_spot = len(game.episode_of().board) >= 3
    return ("OOP", "IP")[seat] if is_spot else f"seat {seat}"


def _street(game: Game, num_board: int) -> str:
    if game.hand_size == 1 or num_board not in BOARD_CARDS:
        return ""
    return STREETS[BOARD_CARDS.index(num_board)]
