# SPDX-License-Identifier: MIT
"""The re-solving gadget of the vector solver, against a linear program and in the exact tree."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from regretless import _native, load_game
from regretless.games.menus import make_menu
from regretless.notation.cards import parse_cards

RIVER, TURN = "Ks9d4h7c2s", "Ks9d4h7c"
LINE = [6, 0, 0, 8, 0, 0, 0]  # a raise before the flop, a bet on it that is called, a check behind
Floats = NDArray[np.float64]


def make_game(sizes: Any) -> _native.Poker:
    return _native.Poker(load_game("hunl-100bb").rules, make_menu(sizes, 4))


def cards_of(hand: int) -> tuple[int, int]:
    high = next(n for n in range(1, 53) if n * (n + 1) // 2 > hand)
    return hand - high * (high - 1) // 2, high


def some_weights(board: list[int], count: int, seed: int) -> Floats:
    """Returns a range of so many hands with random weights."""
    random, weights = np.random.default_rng(seed), np.zeros(1326)
    free = [hand for hand in range(1326) if not set(cards_of(hand)) & set(board)]
    weights[random.choice(free, count, replace=False)] = random.uniform(0.1, 1.0, count)
    return weights


class GadgetProgram:
    """The least that an opponent can be held to who may take his values, as a linear program.

    It plays the betting with episodes and shares no code with the solver.
    """

    def __init__(self, game: _native.Poker, board: list[int], player: int) -> None:
        self.game, self.board, self.player = game, board, player
        self.num_variables, self.plans = 0, set[int]()
        self.equal: list[tuple[dict[int, float], float]] = []
        self.most: list[tuple[dict[int, float], float]] = []

    def solve(self, weights: list[Floats], values: Floats) -> float:
        own, his = weights[self.player], weights[1 - self.player]
        self.own = {int(hand): own[hand] for hand in np.flatnonzero(own)}
        plan = self.new_plan()
        for variable in plan.values():
            self.equal.append(({variable: 1.0}, 1.0))
        tree, costs = self.tree((), plan), {}
        for hand in map(int, np.flatnonzero(his)):
            taken, follows = self.new(), self.value(hand, tree)
            costs[taken] = his[hand]
            self.most.append(({taken: -1.0}, -values[hand]))
            self.most.append(({taken: -1.0, follows: 1.0}, 0.0))
        return self.run(costs)

    def new(self) -> int:
        self.num_variables += 1
        return self.num_variables - 1

    def new_plan(self) -> dict[int, int]:
        plan = {hand: self.new() for hand in self.own}
        self.plans.update(plan.values())
        return plan

    def episode(self, line: tuple[int, ...], hands: Any = ()) -> _native.PokerEpisode:
        episode = _native.PokerEpisode(self.game, list(hands), self.board)
        for action in (*LINE, *line):
            episode.act(action)
        return episode

    def tree(self, line: tuple[int, ...], plan: dict[int, int]) -> Any:
        """Returns (whether the player acts, subtrees), or the line and its plan at an end."""
        episode = self.episode(line)
        if episode.is_terminal:
            return line, plan
        actions = [each for each in episode.offer if each is not None]
        is_own = episode.actor == self.player
        below = [self.new_plan() if is_own else plan for _ in actions]
        if is_own:
            for hand, parent in plan.items():
                self.equal.append(({parent: -1.0, **{each[hand]: 1.0 for each in below}}, 0.0))
        subtrees = [self.tree((*line, a), each) for a, each in zip(actions, below, strict=True)]
        return is_own, subtrees

    def value(self, hand: int, tree: Any) -> int:
        """Returns the variable of the value of a hand of the opponent at most."""
        variable, (kind, rest) = self.new(), tree
        if isinstance(rest, dict):
            terms = {variable: 1.0}
            for own, weight in self.own.items():
                if not set(cards_of(own)) & set(cards_of(hand)):
                    terms[rest[own]] = -weight * self.payoff(own, hand, kind)
            self.equal.append((terms, 0.0))
            return variable
        children = [self.value(hand, each) for each in rest]
        if kind:
            self.equal.append(({variable: 1.0, **dict.fromkeys(children, -1.0)}, 0.0))
        else:
            self.most += [({variable: -1.0, child: 1.0}, 0.0) for child in children]
        return variable

    def payoff(self, own: int, his: int, line: tuple[int, ...]) -> float:
        hands = [list(cards_of(own)), list(cards_of(his))]
        ended = self.episode(line, hands if self.player == 0 else hands[::-1])
        return float(ended.payoffs[1 - self.player])

    def run(self, costs: dict[int, float]) -> float:
        def table(rows: list[tuple[dict[int, float], float]]) -> tuple[Floats, list[float]]:
            matrix = np.zeros((len(rows), self.num_variables))
            for number, (terms, _) in enumerate(rows):
                matrix[number, list(terms)] = list(terms.values())
            return matrix, [bound for _, bound in rows]

        objective = np.zeros(self.num_variables)
        objective[list(costs)] = list(costs.values())
        least = [0.0 if each in self.plans else None for each in range(self.num_variables)]
        limits = [(each, None) for each in least]
        found = linprog(objective, *table(self.most), *table(self.equal), limits)
        assert found.status == 0, found.message
        return float(found.fun)


def make_solver(
    game: _native.Poker, board: list[int], actions: list[int], weights: Any, **options: Any
) -> _native.VectorSolver:
    return _native.VectorSolver(
        game,
        _native.Discounts("cfr+"),
        board=board,
        actions=actions,
        weights=[each.tolist() for each in weights],
        **options,
    )


@pytest.mark.parametrize("player, seed", list(product(range(2), range(3))))
def test_gadget_is_as_good_as_a_linear_program(player: int, seed: int) -> None:
    game, board = make_game("100%,a"), list(parse_cards(RIVER))
    weights = [some_weights(board, 9, 10 * seed + n) for n in range(2)]
    values = np.random.default_rng(seed).normal(0, 10, 1326)
    opponent = 1 - player
    solver = make_solver(
        game, board, LINE, weights, opponent=opponent, opponent_values=values.tolist()
    )
    solver.step(6000)
    hands = np.asarray(solver.problem.hands(opponent))
    best = np.maximum(solver.best_hand_values(opponent), values[hands])
    least = GadgetProgram(game, board, player).solve(weights, values)
    assert least - 1e-4 <= best @ weights[opponent][hands] <= least + 0.05


class CutRiver:
    """A river with a gadget that is cut after two decisions; what follows is solved each time."""

    def __init__(self, game: _native.Poker, weights: Any, **gadget: Any) -> None:
        self.game, self.board = game, list(parse_cards(RIVER))
        self.solver = make_solver(game, self.board, LINE, weights, max_decisions=2, **gadget)
        problem = self.solver.problem
        self.hands = [np.asarray(problem.hands(p)) for p in range(2)]
        actors, paths = problem.actors, {0: list(LINE)}
        for node in range(1, len(actors)):
            parent = int(problem.parents[node])
            episode = _native.PokerEpisode(game, [], self.board)
            for action in paths[parent]:
                episode.act(action)
            paths[node] = [*paths[parent], episode.offer[problem.events[node]]]
        self.lines = [paths[node] for node in np.flatnonzero(actors == _native.LEAF).tolist()]

    def step(self, count: int, inner: int) -> None:
        for _ in range(count):
            reaches = self.solver.leaf_reaches()
            values = [np.zeros_like(rows) for rows in reaches]
            for leaf, line in enumerate(self.lines) if inner else ():
                weights = np.zeros((2, 1326))
                for p in range(2):
                    weights[p, self.hands[p]] = np.maximum(reaches[p][leaf], 1e-6)
                below = make_solver(self.game, self.board, line, weights)
                below.step(inner)
                found = below.beliefs([0])
                for p in range(2):
                    values[p][leaf] = found[2 + p][0]
            self.solver.step_with(*values)


@pytest.mark.parametrize("player", range(2))
def test_gadget_with_exact_leaves_is_as_good_as_a_linear_program(player: int) -> None:
    """The player's first decisions are held, and the rest is solved again; 650 is the pot."""
    game, board, opponent = make_game("100%,a"), list(parse_cards(RIVER)), 1 - player
    weights = [some_weights(board, 9, 10 + n) for n in range(2)]
    values = np.random.default_rng(1).normal(-15, 10, 1326)
    gadget: Any = {"opponent": opponent, "opponent_values": values.tolist()}
    least, found = GadgetProgram(game, board, player).solve(weights, values), []
    for inner in (60, 0):  # with exact leaves, and with leaves of 0
        cut = CutRiver(game, weights, **gadget)
        assert len(cut.lines) > 3
        cut.step(2000, inner)
        exact = make_solver(game, board, LINE, weights, **gadget)
        for node in np.flatnonzero(cut.solver.problem.actors == player).tolist():
            exact.lock(node, cut.solver.strategy(node))
        exact.step(2000)
        hands = np.asarray(exact.problem.hands(opponent))
        best = np.maximum(exact.best_hand_values(opponent), values[hands])
        found.append(best @ weights[opponent][hands] - least)
    print(f"player {player}: {found} chips beyond the program's {least}")
    assert -1e-3 <= found[0] < 6 < 20 < found[1]


def test_gadget_that_nobody_takes_changes_nothing() -> None:
    game, board = make_game("100%,a"), list(parse_cards(RIVER))
    weights = [some_weights(board, 40, n) for n in range(2)]
    plain = make_solver(game, board, LINE, weights)
    never = make_solver(game, board, LINE, weights, opponent=1, opponent_values=[-1e6] * 1326)
    for solver in (plain, never):
        solver.step(50)
    assert np.array_equal(plain.strategy(0), never.strategy(0))


def test_true_values_leave_the_value_as_it_is() -> None:
    game, board = make_game("50%,a"), list(parse_cards(RIVER))
    weights = [some_weights(board, 60, n) for n in range(2)]
    trunk = make_solver(game, board, LINE, weights)
    trunk.step(2000)
    hands = np.asarray(trunk.problem.hands(1))
    values = np.zeros(1326)
    values[hands] = trunk.beliefs([0])[3][0]
    uniform = np.where(weights[1] > 0, 1.0, 0.0)
    solver = make_solver(
        game,
        board,
        LINE,
        [weights[0], uniform],
        opponent=1,
        opponent_values=values.tolist(),
        least_follow=0.01,
    )
    solver.step(2000)
    gains = np.maximum(np.asarray(solver.best_hand_values(1)) - values[hands], 0.0)
    assert gains.max() < 0.01 * weights[0].sum() * 26  # 1 % of the pot
    assert gains @ weights[1][hands] / weights[1].sum() < 0.001 * weights[0].sum() * 26


def test_values_of_both_players_add_up_to_nothing() -> None:
    game, board = make_game({"all": {"open": "75%", "raise": "a"}}), list(parse_cards(TURN))
    weights = [some_weights(board, 50, n) for n in range(2)]
    solver = make_solver(game, board, LINE[:-2], weights, least_follow=0.0)
    solver.step(20)
    problem = solver.problem
    nodes = np.flatnonzero(problem.actors > _native.TERMINAL)[:400].tolist()
    first, second, mine, his = solver.beliefs(nodes)
    total = (first * mine).sum(axis=1) + (second * his).sum(axis=1)
    scale = np.abs(first * mine).sum(axis=1)
    assert np.abs(total).max() < 1e-4 * scale.max()


class CombinedStrategy:
    """A turn strategy whose rivers are solved again, in the exact tree."""

    def __init__(self, iterations: int) -> None:
        self.game = make_game({"all": {"open": "75%", "raise": "a", "reraise": ""}})
        self.board = list(parse_cards(TURN))
        self.weights = [some_weights(self.board, 40, n) for n in range(2)]
        options = {"merge_suits": False}
        self.trunk = make_solver(self.game, self.board, LINE[:-2], self.weights, **options)
        self.trunk.step(iterations)
        problem = self.trunk.problem
        self.actors, self.events = problem.actors, problem.events
        self.first, self.count = problem.first_children, problem.num_children
        self.mixes = {
            node: np.asarray(self.trunk.strategy(node)) for node in np.flatnonzero(self.actors >= 0)
        }

    def roots(self) -> list[tuple[int, list[int], int]]:
        """Returns the decisions at the start of the river: node, actions and card."""
        found, deck = [], [card for card in range(52) if card not in self.board]

        def walk(node: int, actions: list[int]) -> None:
            children = range(self.first[node], self.first[node] + self.count[node])
            if self.actors[node] == _native.CHANCE:
                for child in children:
                    if self.actors[child] >= 0:
                        found.append((child, actions, deck[self.events[child]]))
            elif self.actors[node] >= 0:
                episode = _native.PokerEpisode(self.game, [], self.board)
                for action in actions:
                    episode.act(action)
                for child in children:
                    action = episode.offer[self.events[child]]
                    assert action is not None
                    walk(child, [*actions, action])

        walk(0, LINE[:-2])
        return found

    def gain(self, player: int, mixes: dict[int, Floats]) -> float:
        """Returns what a best response to the player wins, in chips."""
        profile = np.concatenate([mixes[node].ravel() for node in sorted(mixes)])
        return float(self.trunk.problem.best_values_against(profile)[1 - player])

    def resolved(self, player: int, is_safe: bool, iterations: int = 300) -> dict[int, Floats]:
        """Returns the strategies with the player's rivers solved again."""
        mixes, roots = dict(self.mixes), self.roots()
        reaches = self.trunk.beliefs([node for node, _, _ in roots])
        hands = [np.asarray(self.trunk.problem.hands(p)) for p in range(2)]
        for row, (node, actions, card) in enumerate(roots):
            weights, values = np.zeros((2, 1326)), np.zeros(1326)
            for p in range(2):
                weights[p, hands[p]] = np.maximum(reaches[p][row], 1e-9)
                weights[p] *= [card not in cards_of(hand) for hand in range(1326)]
            values[hands[1 - player]] = reaches[3 - player][row]
            gadget: dict[str, Any] = {}
            if is_safe:
                gadget = {"opponent": 1 - player, "opponent_values": values.tolist()}
                gadget["least_follow"] = 0.01
            river = make_solver(self.game, [*self.board, card], actions, weights, **gadget)
            river.step(iterations)
            self.put(mixes, player, river, node)
        return mixes

    def put(
        self, mixes: dict[int, Floats], player: int, river: _native.VectorSolver, node: int
    ) -> None:
        problem = river.problem
        actors, first, count = problem.actors, problem.first_children, problem.num_children
        places = np.searchsorted(self.trunk.problem.hands(player), problem.hands(player))
        pairs = [(0, node)]
        while pairs:
            here, there = pairs.pop()
            if actors[here] == player:
                mixes[there] = mixes[there].copy()
                mixes[there][:, places] = river.strategy(here)
            if actors[here] >= 0:
                pairs += [(first[here] + n, self.first[there] + n) for n in range(count[here])]


@pytest.mark.parametrize("player", range(2))
def test_safe_rivers_are_no_easier_to_exploit_than_the_trunk(player: int) -> None:
    combined = CombinedStrategy(iterations=15)
    trunk = combined.gain(player, combined.mixes)
    safe = combined.gain(player, combined.resolved(player, is_safe=True))
    unsafe = combined.gain(player, combined.resolved(player, is_safe=False))
    print(f"player {player}: trunk {trunk:.4f}, safe {safe:.4f}, unsafe {unsafe:.4f} chips")
    assert safe <= trunk + 0.002 * 26  # of the pot


def test_bad_roots_are_refused() -> None:
    game, board = make_game("100%,a"), list(parse_cards(RIVER))
    weights = [some_weights(board, 5, n) for n in range(2)]
    with pytest.raises(ValueError, match="not legal"):
        make_solver(game, board, [*LINE, 1], weights)
    with pytest.raises(ValueError, match="more cards"):
        make_solver(game, board, LINE[:3], weights)
    with pytest.raises(ValueError, match="missing"):
        make_solver(game, board[:4], LINE, weights)
    with pytest.raises(ValueError, match="must be 1326"):
        make_solver(game, board, LINE, weights, opponent=0, opponent_values=[0.0])
    solver = make_solver(game, board, LINE, weights, opponent=0, opponent_values=[0.0] * 1326)
    with pytest.raises(ValueError, match="gadget"):
        solver.value(0)
    with pytest.raises(ValueError, match="twice"):
        solver.beliefs([0, 0])
