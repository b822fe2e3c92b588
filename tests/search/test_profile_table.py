# SPDX-License-Identifier: MIT
"""The player who searches at every decision: known exploitabilities, and all his stops by hand."""

from collections import defaultdict

import numpy as np
import pytest

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.policies.policy import TablePolicy
from regretless.policies.strategy_table import TableEvaluator
from regretless.search.leaf_values import (
    Features,
    Possible,
    Ranges,
    Stakes,
    Values,
    ZeroLeaves,
)
from regretless.search.profile_table import SearchProfileTable
from regretless.search.subgames import (
    SearchConfig,
    answer_all,
    make_subgames,
    number_roots,
    search_discounts,
    solved_leaves,
)
from subgame_reference import LEAF, WEIGHTS, Line, Node, Reference, Rules, with_suits_alike

LETTERS = "fcr"


def leduc_player(
    iterations: int, solved: int = 400, playthroughs: int = 0, **options: int
) -> SearchProfileTable:
    game, config = load_game("leduc"), SearchConfig(iterations=iterations, cfr="linear")
    leaves = solved_leaves(game, SearchConfig(iterations=solved, cfr="cfr+"))
    return SearchProfileTable(game, config, leaves, playthroughs, **options)


# Others count 256, 1,024 and 2,048 updates of either player.


def test_exact_leaves_give_the_known_exploitability() -> None:
    player = leduc_player(128)
    assert player.num_subgames == 1 + 30 * 128
    assert player.exploitability() == pytest.approx(0.050, rel=0.15)
    assert player.values()[0] == pytest.approx(-0.0856, abs=0.05)
    policy = player.policy("search")
    assert isinstance(policy, TablePolicy)
    exact = TableEvaluator(load_game("leduc")).evaluate(policy.table)
    assert exact.exploitability == pytest.approx(player.exploitability(), abs=1e-9)
    assert player.num_infosets() == 936 == len(player.strategy())


@pytest.mark.slow
@pytest.mark.parametrize(("iterations", "expected"), [(512, 0.022), (1024, 0.014)])
def test_exact_leaves_give_the_known_ladder(iterations: int, expected: float) -> None:
    assert leduc_player(iterations).exploitability() == pytest.approx(expected, rel=0.15)


def test_worthless_leaves_are_far_worse() -> None:
    config = SearchConfig(iterations=128, cfr="linear")
    player = SearchProfileTable(load_game("leduc"), config, lambda job: ZeroLeaves())
    assert player.exploitability() > 5 * 0.050


class RangeLeaves(ZeroLeaves):
    """Returns the difference between two ranges."""

    def __call__(self, ranges: Ranges) -> Values:
        return ranges - ranges[:, ::-1]


@pytest.mark.parametrize(
    ("name", "depth", "playthroughs"), [("kuhn", 1, 0), ("kuhn", 1, 50), ("liars-dice-1x3f", 2, 64)]
)
def test_the_batch_changes_only_the_order(name: str, depth: int, playthroughs: int) -> None:
    """A batch of one follows all stops of a subgame before it begins another."""
    game, config = load_game(name), SearchConfig(iterations=50, depth=depth)
    discounts = search_discounts(config)
    tables = []
    for batch in (8192, 7, 1):
        job = make_subgames(game, config, keeps_average=False)
        whole = _native.Subgames(_native.PublicStates(game), discounts, iterations=1)
        profile = _native.SearchProfile(
            job, whole, discounts, warm_start=0, playthroughs=playthroughs, part=0, parts=1,
            batch=batch, seed=3,
        )  # fmt: skip
        answer_all(profile, RangeLeaves())
        tables.append((profile.num_subgames, profile.sums()))
    for count, sums in tables[1:]:
        assert count >= tables[0][0]  # of the root, which seeds share in a batch, there may be more
        np.testing.assert_allclose(sums, tables[0][1], rtol=0, atol=1e-9)


# Every combination of stops, in plain Python.


class SmoothLeaves:
    """Some smooth function of whose turn it is, the chips and the ranges."""

    def __init__(self, rules: Rules, depth: int | str, job: _native.Subgames) -> None:
        self.job, self.features = job, number_features(rules, depth, job)
        self.shown: list[np.ndarray] = []

    def prepare(self, features: Features, stakes: Stakes, possible: Possible) -> None:
        self.shown = [self.features[state] for state in self.job.states.find(features)]

    def __call__(self, ranges: Ranges) -> Values:
        rows = zip(self.shown, ranges, strict=True)
        return np.stack([SMOOTH(features, row) for features, row in rows])


def smooth_values(features: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """Even to the last bit of single precision, whatever was rounded before."""
    shown = np.round(ranges.astype(np.float64), 5)
    slopes = np.cos(np.arange(1, 1 + shown.size).reshape(shown.shape) + features @ np.arange(20.0))
    return np.round(slopes + 3 * shown[::-1] * np.roll(slopes, 1), 5).astype(np.float32)


SMOOTH = with_suits_alike(smooth_values)


def number_features(rules: Rules, depth: int | str, job: _native.Subgames) -> dict[int, np.ndarray]:
    """Features of the reference for every root."""
    lines: dict[int, Line] = {0: ()}
    for state in number_roots(job):
        outline = job.outline(state)
        nodes: list[Node] = [rules.tree(lines[state], depth)] * len(outline)
        for n, (first, count, actor, leaf_state, *_) in enumerate(outline):
            nodes[first : first + count] = nodes[n].children
            if actor == LEAF:
                lines.setdefault(int(leaf_state), nodes[n].line)
    return {root: rules.features(line) for root, line in lines.items()}


class PlainPlayer:
    """Searches at every leaf of every stop, one subgame at a time."""

    def __init__(self, game: Game, config: SearchConfig) -> None:
        self.rules, self.config = Rules(game), config
        shape = (game.num_actions, game.num_hands)
        self.sums: dict[Line, np.ndarray] = defaultdict(lambda: np.zeros(shape))
        self.num_subgames = 0
        self.search((), np.ones((2, game.num_hands)), 1.0)

    def search(self, line: Line, reaches: np.ndarray, weight: float) -> None:
        self.num_subgames += 1
        tree = self.rules.tree(line, self.config.depth)
        solver = Reference(
            self.rules, tree, reaches, SMOOTH,
            self.config.cfr, alternating=self.config.alternating,
        )  # fmt: skip
        for _ in range(self.config.iterations):
            solver.iterate()
        shares, stops = np.ones(1), [solver.average()]
        if solver.leaves:
            shares = np.arange(1, self.config.iterations + 1.0) ** WEIGHTS[self.config.cfr]
            stops = solver.strategies
        for share, strategy in zip(shares / shares.sum(), stops, strict=True):
            self.follow(tree, strategy, reaches, weight * share)

    def follow(
        self, node: Node, strategy: dict[Line, np.ndarray], reaches: np.ndarray, weight: float
    ) -> None:
        """Counts what is played, by own reach, and searches on at leaves."""
        if node.actor == LEAF:
            if reaches.any():
                self.search(node.line, reaches, weight)
            return
        for action, child in enumerate(node.children):
            below = reaches.copy()
            if node.actor >= 0:
                below[node.actor] *= strategy[node.line][action]
                self.sums[node.line][child.line[-1]] += weight * below[node.actor]
            self.follow(child, strategy, below, weight)

    def strategy(self, line: Line, hand: int, legal: np.ndarray) -> np.ndarray:
        row = self.sums[line][:, hand]
        return row / row.sum() if row.sum() > 0 else legal / legal.sum()


# Without Leduc updated simultaneously: there a queen that always loses bets and checks exactly
# alike against random play, and rounding decides what she does next.
@pytest.mark.parametrize("cfr", ["cfr", "linear", "dcfr"])
@pytest.mark.parametrize(
    ("name", "depth", "iterations", "alternating"),
    [("kuhn", 1, 6, True), ("kuhn", 1, 6, False), ("leduc", "round", 3, True)],
)
def test_every_stop_counts_with_its_probability(
    name: str, depth: int | str, iterations: int, alternating: bool, cfr: str
) -> None:
    game = load_game(name)
    config = SearchConfig(iterations=iterations, depth=depth, cfr=cfr, alternating=alternating)
    plain = PlainPlayer(game, config)
    player = SearchProfileTable(game, config, lambda job: SmoothLeaves(plain.rules, depth, job))
    assert player.num_subgames == plain.num_subgames
    evaluator, found = TableEvaluator(game), player.strategy()
    legal = dict(zip(evaluator.names, evaluator.legal, strict=True))
    assert set(found) == set(legal)
    for infoset, row in found.items():
        hand, line = parse(evaluator, infoset)
        np.testing.assert_allclose(row, plain.strategy(line, hand, legal[infoset]), atol=1e-9)


def parse(evaluator: TableEvaluator, infoset: str) -> tuple[int, Line]:
    """Hand and line of play of a name as `Kc:cr/Jd:c`."""
    cards = [name.removesuffix(":") for name in evaluator.names if name.endswith(":")]
    cards = [card for card in cards if "/" not in card]
    held, _, history = infoset.partition(":")
    line: Line = ()
    for part in history.split("/"):
        card, has_card, letters = part.rpartition(":")
        line += ((cards.index(card),),) if has_card else ()
        line += tuple(LETTERS.index(letter) for letter in letters)
    return cards.index(held), line


# Seeds.


def test_a_seed_fixes_the_table() -> None:
    first, again, other = (leduc_player(16, 50, 8, seed=seed).strategy() for seed in (1, 1, 2))
    assert all((row == again[name]).all() for name, row in first.items())
    assert not all((row == other[name]).all() for name, row in first.items())


def test_many_seeds_approach_all_stops() -> None:
    """A few seeds are easier to exploit; with many the strategy is as that of all stops."""
    exact, *sampled = (leduc_player(32, 100, count).exploitability() for count in (0, 2, 16, 512))
    errors = [abs(each - exact) / exact for each in sampled]
    assert errors[0] > 0.5 > errors[1]
    assert errors[2] < 0.03


@pytest.mark.parametrize("playthroughs", [0, 2])
def test_threads_change_nothing(playthroughs: int) -> None:
    one, three = (leduc_player(4, 50, playthroughs, threads=n).strategy() for n in (1, 3))
    for name, row in one.items():
        np.testing.assert_allclose(row, three[name], atol=1e-12)


def test_bad_input_is_one_line() -> None:
    leduc = load_game("leduc")
    for depth in (0, "street"):
        with pytest.raises(
            InputError, match=r"^depth: must be a number of decisions, 'round' or 'end'"
        ):
            SearchProfileTable(leduc, SearchConfig(depth=depth), lambda job: ZeroLeaves())
    with pytest.raises(InputError, match=r"^leduc: iterations: must be at least 1$"):
        SearchProfileTable(leduc, SearchConfig(iterations=0), lambda job: ZeroLeaves())
