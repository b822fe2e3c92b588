# SPDX-License-Identifier: MIT
"""Any node of a solved two-player game by its line of play: ranges, mixes, equities, values.

What `regretless show` prints, and a page may, is a `NodeView`. Nothing is solved again: reaches are
multiplied along the line, values are those that the bundle keeps.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.bundles.bundle import Bundle
from regretless.bundles.shipped import strategy_directory
from regretless.errors import InputError
from regretless.explorer.node_view import CardCase, Choice, NodeView, Numbers, SeatRange, mean_of
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.games.face import face, unit_name, view
from regretless.histories.lines import Step, format_line, read_line
from regretless.notation.cards import BOARD_CARDS, STREETS, card_name, deck_ranks, format_cards
from regretless.policies.strategy_table import StrategyTable
from regretless.policies.strategy_tree import StrategyTree
from regretless.runs.run_record import find_bundle
from regretless.solvers.problem import CFRConfig, make_problem

_LEAST_MET = 1e-9  # of a range; a hand that meets less of it meets nobody
_MOST_SMALL_HANDS = 64


class SolvedTree:
    """A solved game or spot whose nodes can be looked at."""

    def __init__(self, game: Game, tree: StrategyTree) -> None:
        self.game = game
        self.tree = tree

    @classmethod
    def open(cls, path: str | Path) -> "SolvedTree":
        """Of a bundle or a run by its directory, or of a bundle that ships by its name."""
        found = find_bundle(strategy_directory(Path(path)) or Path(path), verify=False)
        if found is None:
            raise InputError(f"{path}: the run has no bundle yet")
        return cls.of_bundle(found)

    @classmethod
    def of_bundle(cls, bundle: Bundle) -> "SolvedTree":
        if bundle.manifest.tree is not None:
            tree = bundle.tree()
            _check_hands(tree, bundle.game, str(bundle.path))
            return cls(bundle.game, tree)
        if bundle.manifest.table is None or bundle.manifest.abstraction is not None:
            what = "networks" if bundle.manifest.table is None else "buckets"
            raise InputError(f"{bundle.path}: holds {what}; show needs a table or a solved spot")
        return cls.of_table(bundle.game, bundle.table())

    @classmethod
    def of_table(cls, game: Game, table: StrategyTable) -> "SolvedTree":
        """Of a small game: its values are computed anew."""
        problem = make_problem(game, CFRConfig(merge_suits=False))
        found, places = table.find(problem.keys())
        rows = np.ones((len(found), game.num_actions))
        rows[found] = table.probabilities[places[found]]
        return cls(game, StrategyTree.of(problem, problem.packed(problem.profile_of(rows))))

    def node(self, line: str = "", *, equities: bool = True) -> NodeView:
        """The node that a line of play leads to; InputError points at what cannot be there.

        Without `equities`, which take the longest, they are unknown.
        """
        episode = self.game.episode_of()
        steps = read_line(line, episode)
        place = _Place(self.game, self.tree)
        for step in steps:
            place.go(step)
        return _Telling(self.game, place, episode, format_line(steps), equities).view()


class _Place:
    """A node of the kept tree, with reaches in the names of the hand as it was played."""

    def __init__(self, game: Game, tree: StrategyTree) -> None:
        self.tree = tree
        self.deck = game.deck
        self.cards = [_cards_of(game, tree.hands(player)) for player in range(2)]
        self.node = 0
        self.reaches: list[Numbers] = [tree.weights(p).copy() for p in range(2)]
        self.possible: list[NDArray[np.bool_]] = [np.ones(len(each), bool) for each in self.cards]
        self.places: list[NDArray[Any]] = [np.arange(len(tree.hands(p))) for p in range(2)]
        self.kept_board = list(game.episode_of().board)
        self.suits = np.arange(4)

    def copy(self) -> "_Place":
        other = object.__new__(_Place)
        other.__dict__.update(self.__dict__)
        other.reaches, other.places = list(self.reaches), list(self.places)
        other.possible = list(self.possible)
        other.kept_board = list(self.kept_board)
        return other

    @property
    def actor(self) -> int:
        return int(self.tree.actors[self.node])

    def go(self, step: Step) -> None:
        if step.slot is None:
            self.deal(step.cards)
        else:
            self.choose(step.slot)

    def mix(self) -> Numbers:
        """[actions, hands of the actor]"""
        return self.tree.strategy_at(self.node)[:, self.places[self.actor]]

    def choose(self, slot: int) -> None:
        children = self.tree.children(self.node)
        slots = self.tree.events[children.start : children.stop].tolist()
        if slot not in slots:
            raise InputError(f"node {self.node} of the tree: its children are not of this game")
        actor, action = self.actor, slots.index(slot)
        if len(self.tree.strategy):  # else it is the tree alone, without a solution
            self.reaches[actor] = self.reaches[actor] * self.mix()[action]
        self.node = children[action]

    def deal(self, cards: tuple[int, ...]) -> None:
        if len(cards) != 1:
            raise InputError("lines go on after one public card at a time")
        (card,) = cards
        num_suits = self.deck.num_suits if self.deck is not None else 1
        rank, suit = divmod(card, num_suits)
        kept = rank * num_suits + int(self.suits[suit])
        left = [each for each in range(self._num_cards) if each not in self.kept_board]
        child, renaming = self._child(left.index(kept))
        for p in range(2):
            self.possible[p] = self.possible[p] & ~(self.cards[p] == card).any(axis=1)
            self.reaches[p] = np.where(self.possible[p], self.reaches[p], 0.0)
            self.places[p] = self.tree.places(p)[renaming][self.places[p]]
        self.suits = self.tree.suits[renaming][self.suits].astype(np.intp)
        # The kept board is the one that the first outcome of the child shows.
        first = self.tree.outcomes_of(int(self.tree.boards[child]))[0][0]
        self.kept_board.append(left[first])
        self.node = child

    def _child(self, outcome: int) -> tuple[int, int]:
        for child in self.tree.children(self.node):
            for each, renaming in self.tree.outcomes_of(int(self.tree.boards[child])):
                if each == outcome:
                    return child, renaming
        raise InputError(f"node {self.node} of the tree: a card that may come is not there")

    def values(self) -> list[Numbers]:
        """[player][hands] of a decision or chance node, chips won."""
        kept = self.tree.values_at(self.node)
        return [kept[p][self.places[p]] for p in range(2)]

    def met(self, player: int) -> Numbers:
        """[hands]: the weight of the other's hands that each can meet; 0 where there is none."""
        mine, his = self.cards[player], self.cards[1 - player]
        reach = self.reaches[1 - player]
        total = float(reach.sum())
        if self.deck is None:
            return np.full(len(mine), total)  # dice block nothing
        by_card = np.zeros(self._num_cards)
        for k in range(his.shape[1]):
            np.add.at(by_card, his[:, k], reach)
        met = total - by_card[mine].sum(axis=1)
        if mine.shape[1] == 2:  # who shares both cards was taken off twice
            own, other = self.tree.hands(player), self.tree.hands(1 - player)
            twins = np.searchsorted(other, own).clip(max=len(other) - 1)
            met += np.where(other[twins] == own, reach[twins], 0.0)
        return np.where((met > _LEAST_MET * total) & self.possible[player], met, 0.0)

    @property
    def _num_cards(self) -> int:
        return self.deck.num_cards if self.deck is not None else 0


def find_place(game: Game, problem: _native.VectorProblem, line: str) -> tuple[int, Episode]:
    """The node of a problem that a line leads to, and the episode there."""
    episode = game.episode_of()
    steps = read_line(line, episode)
    empty = np.zeros(0, np.int16), np.zeros((0, 0), np.int16), np.zeros((0, 2, 2), np.float32)
    place = _Place(game, StrategyTree.of(problem, empty))
    for step in steps:
        place.go(step)
    return place.node, episode


class _Telling:
    """What is said of one place."""

    def __init__(
        self, game: Game, place: _Place, episode: Episode, line: str, equities: bool = True
    ) -> None:
        self.game, self.place, self.episode, self.line = game, place, episode, line
        self.has_equities = equities
        self.unit = game.unit
        self.met = [place.met(player) for player in range(2)]

    @cached_property
    def paid(self) -> list[float]:
        """Chips that each player has put in: what he has won of them counts as the pot."""
        return [float(view(self.episode).paid(seat)) for seat in range(2)]

    @cached_property
    def shares(self) -> "list[NDArray[np.float64]] | None":
        """[player][(wins, ties), hands]: weights that each hand beats and ties with, if known."""
        return _showdown_shares(self.game, self.place, list(self.episode.board))

    def view(self) -> NodeView:
        place, game = self.place, self.game
        shown, board = view(self.episode), list(self.episode.board)
        values = self._values(place, self.met)
        seats = [self._seat(player, values[player]) for player in range(2)]
        deck = game.deck
        return NodeView(
            line=self.line,
            board="" if deck is None else format_cards(board, deck),
            street="" if deck is None else _street(game, len(board)),
            actor=place.actor,
            pot=shown.pot / self.unit,
            to_call=shown.to_call / self.unit if place.actor >= 0 else 0.0,
            unit=unit_name(game),
            seats=(seats[0], seats[1]),
            choices=list(self._choices(seats)) if place.actor >= 0 else [],
            cards=list(self._cards()) if place.actor == _native.CHANCE else [],
            ranks=deck_ranks(deck)[::-1] if deck is not None and game.hand_size == 2 else "",
        )

    def _seat(self, player: int, values: Numbers) -> SeatRange:
        weights = self.place.reaches[player]
        met = self.met[player]
        together = weights * met
        total = together.sum()
        equities = np.full(len(weights), np.nan)
        if self.has_equities and self.shares is not None:
            wins, ties = self.shares[player]
            np.divide(wins + ties / 2, met, out=equities, where=met > 0)
        return SeatRange(
            seat=player,
            name=_seat_name(self.game, player),
            hands=hand_names(self.game, self.place.tree.hands(player)),
            weights=weights,
            shares=together / total if total > 0 else np.zeros(len(weights)),
            equities=equities,
            values=values,
        )

    def _values(self, place: _Place, met: list[Numbers]) -> list[Numbers]:
        """[player][hands] at this place or one of its children: units, what was paid here counted.

        NaN where a hand meets nobody, or where an ending is not known to be compared.
        """
        is_end = place.actor == _native.TERMINAL
        won = self._ending_values(place, met) if is_end else place.values()
        return [np.where(met[p] > 0, (won[p] + self.paid[p]) / self.unit, np.nan) for p in range(2)]

    def _ending_values(self, place: _Place, met: list[Numbers]) -> list[Numbers]:
        payoffs = place.tree.payoffs_at(place.node)
        if (payoffs == payoffs[:, :1]).all():  # somebody has folded
            return [np.full(len(met[p]), payoffs[p, 0]) for p in range(2)]
        board = list(getattr(self.episode, "board", []))
        shares = _showdown_shares(self.game, place, board)
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
        mix, shares = place.mix(), seats[actor].shares
        slots = [int(place.tree.events[child]) for child in place.tree.children(place.node)]
        for slot, row in zip(slots, mix, strict=True):
            below = place.copy()
            below.choose(slot)
            met = [below.met(player) for player in range(2)]
            values = self._values(below, met)[actor]
            known = shares.sum() > 0
            yield Choice(
                word=view(self.episode).slot_word(slot),
                text=self.episode.slot_text(slot),
                share=float(row @ shares) if known else np.nan,
                value=mean_of(values, row * shares),
                mix=row,
                values=values,
            )

    def _cards(self) -> Iterator[CardCase]:
        deck = self.place.deck
        assert deck is not None  # nothing else deals in public
        out = set(self.episode.board)
        for card in (each for each in range(deck.num_cards) if each not in out):
            below = self.place.copy()
            below.deal((card,))
            met = [below.met(player) for player in range(2)]
            if below.actor == _native.TERMINAL:
                dealt = self.episode.copy()
                dealt.deal_board([card])
                values = _Telling(self.game, below, dealt, "")._values(below, met)
            else:
                values = self._values(below, met)
            means = [mean_of(values[p], below.reaches[p] * met[p]) for p in range(2)]
            yield CardCase(card_name(card, deck), (means[0], means[1]))


def _showdown_shares(
    game: Game, place: _Place, board: list[int]
) -> "list[NDArray[np.float64]] | None":
    """[player][(wins, ties), hands] over all boards to come; None where it is not known."""
    poker = face(game).poker
    if poker is None:
        return None
    rules, tree = poker.rules, place.tree
    is_holdem = rules.showdown in (_native.Showdown.HOLDEM, _native.Showdown.SHORT_DECK)
    if is_holdem and len(board) >= 3:
        weights = [np.zeros(game.num_hands) for _ in range(2)]
        for p in range(2):
            weights[p][tree.hands(p)] = place.reaches[p]
        shares = _native.range_shares(rules.showdown, rules.deck, board, *weights)
        return [shares[p, :2][:, tree.hands(p)] for p in range(2)]
    if game.num_hands > _MOST_SMALL_HANDS:
        return None
    return _small_shares(poker, place, board)


def _small_shares(
    game: "_native.Poker", place: _Place, board: list[int]
) -> list[NDArray[np.float64]]:
    """The same by comparing all pairs of hands on all boards."""
    rules, tree = game.rules, place.tree
    left = [card for card in range(rules.deck.num_cards) if card not in board]
    missing = rules.num_board_cards - len(board)
    hands = [tree.hands(p) for p in range(2)]
    cards = place.cards
    is_apart = ~(cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
    totals = [np.zeros((2, len(hands[p]))) for p in range(2)]
    counts = np.zeros(is_apart.shape)
    sums = np.zeros((2, *is_apart.shape))  # of pairs: player 0 wins, or they tie
    for rest in combinations(left, missing):
        whole = [*board, *rest]
        strengths = _native.board_strengths(
            rules.showdown, rules.deck, whole, rules.num_hole_cards
        ).astype(np.int64)
        first, second = strengths[hands[0]][:, None], strengths[hands[1]][None, :]
        is_left = [np.array(~np.isin(cards[p], rest).any(axis=1)) for p in range(2)]
        may_be = is_apart & is_left[0][:, None] & is_left[1][None, :]
        counts += may_be
        sums += np.array([(first > second) & may_be, (first == second) & may_be])
    wins, ties = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    losses = np.where(counts > 0, 1 - wins - ties, 0.0)
    totals[0][:] = wins @ place.reaches[1], ties @ place.reaches[1]
    totals[1][:] = losses.T @ place.reaches[0], ties.T @ place.reaches[0]
    return totals


def _check_hands(tree: StrategyTree, game: Game, place: str) -> None:
    """The hands of a file are hands of its game, and its nodes begin where the game does."""
    for player in range(2):
        if int(tree.hands(player)[-1]) >= game.num_hands or int(tree.hands(player)[0]) < 0:
            raise InputError(f"{place}: hands_{player} are not hands of {game.name}")
    if int(tree.actors[0]) != game.episode_of().actor:
        raise InputError(f"{place}: the tree does not begin where {game.name} does")


def _cards_of(game: Game, hands: NDArray[Any]) -> NDArray[np.int64]:
    """[hands, cards or dice]"""
    deck = game.deck
    if deck is None:
        return np.array([game.hand_parts(hand) for hand in hands.tolist()], np.int64)
    cards: NDArray[np.int64] = _native.hand_cards(deck, game.hand_size)[hands].astype(np.int64)
    return cards


def hand_names(game: Game, hands: NDArray[Any]) -> list[str]:
    """Highest cards first. The list is shared: leave it as it is."""
    deck = game.deck
    if deck is None:
        return ["".join(map(str, each)) for each in _cards_of(game, hands).tolist()]
    return _card_names(deck, game.hand_size, hands.astype(np.int64).tobytes())


@lru_cache(maxsize=64)
def _card_names(deck: "_native.Deck", hand_size: int, hands: bytes) -> list[str]:
    cards = _native.hand_cards(deck, hand_size)[np.frombuffer(hands, np.int64)]
    return [format_cards(each[::-1], deck) for each in cards.tolist()]


def _seat_name(game: Game, seat: int) -> str:
    is_spot = len(game.episode_of().board) >= 3
    return ("OOP", "IP")[seat] if is_spot else f"seat {seat}"


def _street(game: Game, num_board: int) -> str:
    if game.hand_size == 1 or num_board not in BOARD_CARDS:
        return ""
    return STREETS[BOARD_CARDS.index(num_board)]
