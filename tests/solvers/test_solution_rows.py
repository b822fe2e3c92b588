# SPDX-License-Identifier: MIT
"""Rows of solvers by infoset key agree with an oracle that only plays episodes."""

import itertools
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from regretless import _native
from regretless.algorithms import make_algorithm
from regretless.errors import InputError, TooLargeError
from regretless.games import load_game
from regretless.games.spots import Spot, make_spot
from regretless.matches.match import MatchConfig
from regretless.matches.runout_values import RunoutValues
from regretless.policies.policy import TablePolicy
from regretless.policies.strategy_table import StrategyTable, TableEvaluator, solution_table
from regretless.search.subgames import SearchConfig, make_subgames
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig
from regretless.solvers.torch_cfr import TorchCFR

SPOTS = {
    "river": ("Ks8s3h3d2c", "KQs,77:0.5,QTs", "A8s,99:0.5,JTs"),
    "turn": ("Ks8s3h3d", "KQs,77:0.5", "A8s,JTs"),  # diamonds and hearts may be exchanged
    "flop": ("9h8h2c", "AsKs,AdKd", "QsQd,7h6h"),  # spades and diamonds too
}


def spot_of(name: str) -> Spot:
    board, first, second = SPOTS[name]
    return make_spot(board, 100, 150, first, second, "a" if name == "flop" else "60%,a")


def solved(game: Any, iterations: int = 40, **options: Any) -> CFR:
    solver = CFR(game, CFRConfig("dcfr", **options))
    solver.step(iterations)
    return solver


@dataclass
class Sums:
    """Over the histories of an infoset."""

    reach: float = 0.0
    weight: float = 0.0
    value: float = 0.0
    row: Any = field(default=None)


def play_all(game: Any, table: StrategyTable, deals: Any) -> dict[int, Sums]:
    """Every history of every deal (episode, probability), by what a player would see."""
    found: dict[int, Sums] = defaultdict(Sums)

    def play(episode: Any, chance: float, reaches: tuple[float, float]) -> list[float]:
        if episode.is_terminal:
            return [chips / game.unit for chips in episode.payoffs]
        actor = episode.actor
        legal = np.array([episode.legal])
        (row,) = table.lookup(np.array([episode.infoset], np.uint64), legal)
        values = [0.0, 0.0]
        for slot in np.flatnonzero(legal[0]):
            after = episode.copy()
            after.choose(int(slot))
            below = list(reaches)
            below[actor] *= row[slot]
            won = play(after, chance, (below[0], below[1]))
            values = [value + row[slot] * each for value, each in zip(values, won, strict=True)]
        sums = found[episode.infoset]
        weight = chance * reaches[1 - actor]
        sums.reach, sums.row = reaches[actor], row
        sums.weight += weight
        sums.value += weight * values[actor]
        return values

    for episode, chance in deals:
        play(episode, chance, (1.0, 1.0))
    return found


def poker_deals(game: "_native.Poker") -> Any:
    """All cards that may come, each with how likely it is."""
    rules, weights = game.rules, [game.hand_weights(player) for player in range(2)]
    hands = [
        [int(card) for card in row] for row in _native.hand_cards(rules.deck, game_cards(game))
    ]
    left = rules.num_board_cards - len(game.board)
    for first, second in itertools.product(*(np.flatnonzero(each) for each in weights)):
        taken = {*hands[first], *hands[second], *game.board}
        if len(taken) < 2 * game_cards(game) + len(game.board):
            continue
        rest = [card for card in range(rules.deck.num_cards) if card not in taken]
        for board in itertools.permutations(rest, left):
            cards = [*game.board, *board]
            episode = _native.PokerEpisode(game, hole=[hands[first], hands[second]], board=cards)
            yield episode, float(weights[0][first] * weights[1][second])


def game_cards(game: "_native.Poker") -> int:
    return game.rules.num_hole_cards


def dice_deals(game: "_native.LiarsDice") -> Any:
    faces = range(1, game.num_faces + 1)
    for rolls in itertools.product(faces, repeat=2):
        yield _native.LiarsDiceEpisode(game, dice=[[each] for each in rolls]), 1.0


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice-1x3f", "river", "turn"])
def test_rows_are_what_playing_finds(name: str) -> None:
    game = spot_of(name).game if name in SPOTS else load_game(name)
    table = solved(game).table()
    deals = poker_deals(game) if isinstance(game, _native.Poker) else dice_deals(game)
    found = play_all(game, table, deals)
    assert set(found) == set(map(int, table.keys))
    most = 2e-3 if name in SPOTS else 1e-9  # chips of a pot of 100, in single precision
    assert table.values is not None and table.reaches is not None
    for key, row, value, reach in zip(
        table.keys, table.probabilities, table.values, table.reaches, strict=True
    ):
        sums = found[int(key)]
        assert np.abs(row - sums.row).max() < 1e-12
        assert abs(reach - sums.reach) < 1e-5
        if sums.weight > 1e-3:
            assert abs(value - sums.value / sums.weight) < most


@pytest.mark.parametrize("name", ["leduc", "turn", "flop"])
def test_merged_boards_are_listed_under_each_of_their_names(name: str) -> None:
    """After two iterations: later on, rounding decides where actions tie."""
    game = spot_of(name).game if name in SPOTS else load_game(name)
    merged, whole = (solved(game, 2, merge_suits=each) for each in (True, False))
    assert merged.problem.size.nodes < whole.problem.size.nodes
    first, second = merged.table(), whole.table()
    assert (first.keys == second.keys).all() and len(first.keys) == merged.num_infosets()
    assert np.abs(first.probabilities - second.probabilities).max() < 1e-3
    for ours, theirs in ((first.values, second.values), (first.reaches, second.reaches)):
        assert ours is not None and theirs is not None
        assert np.abs(ours - theirs).max() < (0.05 if name in SPOTS else 1e-6)


@pytest.mark.parametrize("name", ["river", "turn", "flop"])
def test_a_spot_is_played_from_its_ranges_and_every_infoset_is_known(name: str) -> None:
    spot = spot_of(name)
    table = solved(spot.game, 5).table()
    job = _native.SelfPlay(spot.game, 300, seed=4)
    seen = 0
    while (questions := job.ask()) is not None:
        found, _ = table.find(questions.infosets)
        assert found.all()
        seen += len(found)
        job.answer(TablePolicy(table)(questions))
    assert seen > 300


@pytest.mark.parametrize("name", ["river", "turn", "flop"])
def test_a_table_of_a_spot_is_measured_as_its_solver_measures(name: str) -> None:
    game = spot_of(name).game
    solver = solved(game, 30)
    exact = TableEvaluator(game).evaluate(solver.table())
    assert exact.values == pytest.approx(solver.values(), abs=2e-3)
    assert exact.exploitability == pytest.approx(solver.exploitability(), abs=2e-3)


@pytest.mark.parametrize("name", ["leduc", "river"])
def test_torch_hands_out_the_same_rows(name: str) -> None:
    game = spot_of(name).game if name in SPOTS else load_game(name)
    native = solved(game, 10)
    ours = TorchCFR(game, CFRConfig("dcfr"), precision="float64")
    ours.step(10)
    first, second = native.table(), ours.table()
    assert (first.keys == second.keys).all()
    assert np.abs(first.probabilities - second.probabilities).max() < 1e-3


def test_names_and_keys_are_in_one_order() -> None:
    game = load_game("leduc")
    evaluator, solver = TableEvaluator(game), solved(game, 10)
    named = solver.strategy()
    assert set(named) == set(evaluator.names)
    by_name = evaluator.strategy(solver.table())
    assert all((named[name] == by_name[name]).all() for name in named)
    episode = _native.PokerEpisode(game, hole=[[4], [3]], board=[1])
    for slot in (1, 2, 1, 2):
        episode.choose(slot)
    assert episode.infoset_name == "Qd:crc/Jd:r"
    (place,) = np.flatnonzero(evaluator.keys == episode.infoset)
    assert evaluator.names[place] == episode.infoset_name


def test_what_is_too_large_is_refused_before_it_is_made() -> None:
    solver = solved(spot_of("turn").game, 1)
    with pytest.raises(TooLargeError, match=r"a table of [0-9]+ infosets needs [0-9]+ MiB"):
        solution_table(solver.solver.rows, solver.game, 1 << 10)


@pytest.mark.parametrize("bad", [float("nan"), -1.0, float("inf")])
def test_what_is_no_probability_is_refused(bad: float) -> None:
    game = load_game("kuhn")
    evaluator = TableEvaluator(game)
    rows = np.full((len(evaluator.keys), game.num_actions), bad)
    with pytest.raises(ValueError, match="finite and not negative"):
        _native.TableEvaluation(game).evaluate(rows)
    solver = solved(game, 3)
    state = solver.solver.state()
    state[0] = float("nan")
    with pytest.raises(ValueError, match="not finite"):
        solver.solver.restore(3, state)


def test_beliefs_and_sampling_begin_with_the_ranges_of_a_spot() -> None:
    spot = spot_of("river")
    for player, given in enumerate(_native.PublicStates(spot.game).root_ranges()):
        weights = spot.ranges[player].weights * (given > 0)
        assert given / given.sum() == pytest.approx(weights / weights.sum())
    sampled = make_algorithm("mccfr", spot.game, seed=1, iterations_per_step=1000)
    sampled.step(30)
    exact = TableEvaluator(spot.game)
    table = sampled.policy().table  # type: ignore[attr-defined]
    assert set(map(int, table.keys)) <= set(map(int, exact.keys))
    uniform = exact.evaluate(exact.table({})).exploitability
    assert exact.evaluate(table).exploitability < uniform / 4


def test_a_search_begins_with_the_ranges_of_a_spot_and_aivat_refuses_them() -> None:
    game = spot_of("turn").game
    states = make_subgames(game, SearchConfig()).states
    possible = states.possible()[0]
    for player, weights in enumerate(states.root_ranges()):
        assert weights == pytest.approx(np.array(game.hand_weights(player)) * possible)
    with pytest.raises(InputError, match="begins at a spot"):
        RunoutValues(game, MatchConfig(hands=10))
