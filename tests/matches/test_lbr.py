# SPDX-License-Identifier: MIT
"""Local best response against enumeration, exact best responses and closed values."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from lbr_reference import Reference, replay, table_answer
from regretless import _native
from regretless.algorithms import make_algorithm
from regretless.equities import equity
from regretless.errors import InputError
from regretless.evaluation.lbr import LbrConfig, local_best_response
from regretless.evaluation.measures import Effort, evaluate
from regretless.games import load_game
from regretless.games.encoders import load_encoder
from regretless.games.poker_rules import make_poker
from regretless.games.variants import make_variant
from regretless.matches.bots import BOTS, load_policy
from regretless.notation.cards import format_cards
from regretless.policies.policy import Needs, TablePolicy, UniformPolicy
from regretless.policies.strategy_table import StrategyTable, TableEvaluator
from regretless.watch import Watch

MENUS = ("fold-call", "bets")


@dataclass(frozen=True)
class SlotPolicy:
    """The first of its slots that is legal."""

    needs: ClassVar[Needs] = Needs()

    slots: tuple[int, ...]
    name: str = "slot"

    def __call__(self, questions) -> np.ndarray:
        legal = np.asarray(questions.legal)
        chosen = np.array(self.slots)[legal[:, self.slots].argmax(axis=1)]
        return np.eye(legal.shape[1], dtype=np.float32)[chosen]


CALLER, FOLDER, RAISER = SlotPolicy((1,)), SlotPolicy((0, 1)), SlotPolicy((2, 1))


def solved(game, iterations: int) -> TablePolicy:
    solver = make_algorithm("cfr+", game)
    solver.step(iterations)
    return solver.policy()


def policies(game) -> dict:
    return {
        "uniform": UniformPolicy(),
        "caller": CALLER,
        "folder": FOLDER,
        "raiser": RAISER,
        "cfr+ 3": solved(game, 3),
        "cfr+ 1000": solved(game, 1000),
        "any": random_policy(game),
    }


def random_policy(game) -> TablePolicy:
    evaluator = TableEvaluator(game)
    rows = np.random.default_rng(3).dirichlet(np.full(game.num_actions, 0.3), len(evaluator.names))
    rows = rows * evaluator.legal + 1e-9 * evaluator.legal
    return TablePolicy(evaluator.table(dict(zip(evaluator.names, rows, strict=True))))


def exact_exploitability(game, policy) -> float:
    """Returns the table of any policy of a small game, asked at every infoset."""
    evaluator = TableEvaluator(game)
    answer = table_answer(policy)
    order = np.argsort(evaluator.keys)
    rows = [answer(int(evaluator.keys[i]), evaluator.legal[i].tolist()) for i in order]
    return evaluator.evaluate(StrategyTable(evaluator.keys[order], np.array(rows))).exploitability


@pytest.mark.parametrize("hands", [20_000, pytest.param(200_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("menu", MENUS)
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_agrees_with_enumeration_and_stays_below_the_best_response(
    name: str, menu: str, hands: int
) -> None:
    game = load_game(name)
    for label, policy in policies(game).items():
        result = local_best_response(game, policy, hands, LbrConfig(menu=menu))
        exact = Reference(game, table_answer(policy), menu).value()
        assert abs(result.value - exact) <= 3 * result.standard_error + 1e-9, label
        assert abs(result.payoff - exact) <= 0.05 * math.sqrt(200_000 / hands), label
        bound = exact_exploitability(game, policy)
        assert exact <= bound + 1e-6, label
        assert result.value - 3 * result.standard_error <= bound + 1e-9, label


def test_weak_strategies_lose() -> None:
    for name in ("kuhn", "leduc"):
        game = load_game(name)
        for policy in (UniformPolicy(), CALLER, FOLDER, RAISER):
            result = local_best_response(game, policy, 20_000)
            assert result.interval[0] > 0.1
    assert local_best_response(load_game("leduc"), FOLDER, 100).value == 1  # an ante a game


def test_ranges_are_bayes() -> None:
    game = load_game("leduc")
    policy = random_policy(game)
    answer = table_answer(policy)
    histories = {}  # infoset -> slots, board

    def walk(slots, board, own, card) -> None:
        episode = replay(game, slots, board, 1, card, own)
        if episode.is_terminal:
            return
        histories[episode.infoset] = (slots, episode.board)
        for slot, legal in enumerate(episode.legal):
            if legal:
                walk((*slots, slot), board, own, card)

    for own in range(6):
        for card in range(6):
            for board in range(6):
                if len({own, card, board}) == 3:
                    walk((), board, own, card)

    job = _native.LbrPlay(game, 300, menu="bets", tables=50, seed=4)
    compared = 0
    while (questions := job.ask()) is not None:
        firsts = dict(zip(questions.episodes[::-1], questions.infosets[::-1], strict=True))
        for episode, tracked in zip(*job.ranges(), strict=True):
            slots, board = histories[int(firsts[episode])]
            responder = int(episode) % 2
            own = _native.PokerEpisode(game, seed=4, index=int(episode) // 2).hand(responder)
            weights = np.zeros(6)
            for card in range(6):
                if card == own or card in board:
                    continue
                weights[card] = 1
                for place, slot in enumerate(slots):
                    before = replay(
                        game, slots[:place], board[0] if board else None, 1 - responder, card, own
                    )
                    if before.actor == 1 - responder:
                        weights[card] *= answer(before.infoset, before.legal)[slot]
            assert tracked == pytest.approx(weights / weights.sum(), abs=1e-12)
            compared += 1
        job.answer(policy(questions))
    assert compared > 500


def test_every_possible_hand_is_asked_once_for_each_state() -> None:
    game = load_game("nlhe")
    names = ["slots12", "canonical24"]
    job = _native.LbrPlay(game, 2, menu="bets", tables=2, rollouts=5, encoders=names)
    questions = job.ask()
    deal = _native.PokerEpisode(game, seed=0, index=0)
    rows = np.asarray(questions.hands)[np.asarray(questions.episodes) == 0]
    assert len(rows) == 1225  # the button speaks first, and in episode 0 the other sits there
    held = _native.hand_cards(game.rules.deck, 2)[rows]
    assert not np.isin(held, deal.hole(0)).any()
    bets = np.asarray(questions.hands)[np.asarray(questions.episodes) == 1]
    num_bets = sum(amount is not None for amount in deal.offer[2:])
    assert (np.unique(bets, return_counts=True)[1] == num_bets).all()
    place = int(np.flatnonzero(rows == deal.hand(1))[0])
    assert questions.infosets[place] == deal.infoset
    for name in names:
        row = load_encoder(name, game).row(deal)
        np.testing.assert_array_equal(questions.rows(name)[place], row)
    assert questions.legal[place].tolist() == deal.legal


def every_chip_row(job) -> dict[int, tuple]:
    """Returns the chips of questions, by infoset."""
    found: dict[int, tuple] = {}
    while (questions := job.ask()) is not None:
        rows = zip(
            questions.pots.tolist(),
            questions.to_calls.tolist(),
            questions.stacks.tolist(),
            questions.streets.tolist(),
            questions.hand_strengths.tolist(),
            strict=True,
        )
        for infoset, row in zip(questions.infosets.tolist(), rows, strict=True):
            assert found.setdefault(infoset, row) == row
        job.answer(UniformPolicy()(questions))
    return found


def test_chips_are_those_of_self_play() -> None:
    game = load_game("leduc")
    played = every_chip_row(_native.SelfPlay(game, 50_000, chips=True))
    walked = every_chip_row(_native.LbrPlay(game, 20_000, chips=True))
    assert len(played) == 936
    assert len(walked) > 500 and walked.items() <= played.items()
    with pytest.raises(RuntimeError, match="chips=True"):
        _ = _native.LbrPlay(game, 2).ask().pots


def test_chips_in_holdem() -> None:
    game = load_game("nlhe")
    questions = _native.LbrPlay(game, 2, tables=2, rollouts=5, chips=True).ask()
    opening = np.asarray(questions.episodes) == 0  # the button has the small blind
    assert set(questions.pots[opening].tolist()) == {150}
    assert set(questions.to_calls[opening].tolist()) == {50}
    assert set(questions.stacks[opening].tolist()) == {9950}
    assert not questions.streets.any()
    raised = questions.to_calls[~opening]
    assert raised.min() > 50 and len(set(raised.tolist())) > 3
    expected = _native.starting_strengths(game)[questions.hands]
    assert questions.hand_strengths == pytest.approx(expected)


class Noted:
    """Asks a policy, and keeps what it answers by infoset."""

    def __init__(self, policy) -> None:
        self.policy, self.rows = policy, {}

    def __call__(self, questions) -> np.ndarray:
        rows = self.policy(questions)
        self.rows.update(zip(questions.infosets.tolist(), rows, strict=True))
        return UniformPolicy()(questions)  # so that everything is seen


@pytest.mark.parametrize("name", BOTS)
def test_bots_are_measured_as_the_tables_they_play(name: str) -> None:
    game = load_game("leduc")
    bot = BOTS[name](game)
    noted = Noted(bot)
    play_all = _native.SelfPlay(game, 50_000, chips=True)
    while (questions := play_all.ask()) is not None:
        play_all.answer(noted(questions))
    keys = np.array(sorted(noted.rows), np.uint64)
    assert len(keys) == 936
    table = StrategyTable(keys, np.array([noted.rows[int(key)] for key in keys], np.float64))
    measured = local_best_response(game, bot, 20_000)
    assert measured == local_best_response(game, TablePolicy(table), 20_000)
    exact = TableEvaluator(game).evaluate(table).exploitability
    assert 0.1 < measured.value <= exact + 3 * measured.standard_error


def test_only_what_a_policy_reads_is_filled() -> None:
    seen: list[bool] = []

    @dataclass(frozen=True)
    class Reader:
        needs: Needs
        name: str = "reader"

        def __call__(self, questions) -> np.ndarray:
            for is_needed, column in (
                (self.needs.chips, "pots"),
                (self.needs.history, "step_slots"),
                (self.needs.seeds, "seeds"),
            ):
                if is_needed:
                    assert getattr(questions, column).size or column == "step_slots"
                else:
                    with pytest.raises(RuntimeError, match="without that column"):
                        getattr(questions, column)
                seen.append(is_needed)
            return UniformPolicy()(questions)

    for needs in (Needs(), Needs(chips=True), Needs(history=True, seeds=True)):
        local_best_response(load_game("leduc"), Reader(needs), 50)
    assert any(seen) and not all(seen)


def play(job, policy) -> tuple[np.ndarray, np.ndarray]:
    while (questions := job.ask()) is not None:
        job.answer(policy(questions))
    return job.payoffs(), job.values()


def river_game() -> _native.Poker:
    row = {"name": "river", "board_cards": [5], "antes": 100, "bets": 100, "unit": 100}
    return make_poker(make_variant(row | {"stacks": 1_000, "menu": "100%,a"}, "test"), "test")


@pytest.mark.parametrize("menu", ["fold-call", "all-in", "bets"])
def test_a_caller_on_the_river_has_a_closed_value(menu: str) -> None:
    game = river_game()
    deck = game.rules.deck
    _, values = play(_native.LbrPlay(game, 60, menu=menu, seed=9), CALLER)
    for e, value in enumerate(values):
        deal = _native.PokerEpisode(game, seed=9, index=e // 2)
        hands = [format_cards(deal.hole(e % 2), deck), "random"]
        share = equity(hands, format_cards(deal.board, deck), method="exact").equities[0]
        stake = 1_000 if share > 0.5 and menu != "fold-call" else 100
        assert value == pytest.approx((2 * share - 1) * stake, abs=1e-6)


@pytest.mark.parametrize("menu", ["all-in", "bets"])
def test_good_hands_go_all_in_before_the_flop_against_a_caller(menu: str) -> None:
    game = load_game("nlhe")
    deck = game.rules.deck
    job = _native.LbrPlay(game, 600, menu=menu, rollouts=100, seed=2)
    payoffs, values = play(job, CALLER)
    misses, wins, hands = [], [], job.hands()
    for e in range(600):
        low, high = _native.hand_cards(deck, 2)[hands[e, e % 2]].tolist()
        if not (low // 4 >= 7 and (high // 4 == 12 or low // 4 == high // 4)):  # 99+, A9+
            continue
        hand = format_cards([low, high], deck)
        share = equity([hand, "random"], method="monte-carlo", samples=100_000).equities[0]
        misses.append(values[e] - 10_000 * (2 * share - 1))
        wins.append(payoffs[e] - 10_000 * (2 * share - 1))
    assert len(misses) > 30
    for errors in (misses, wins):
        assert abs(np.mean(errors)) < 3 * np.std(errors) / np.sqrt(len(errors))
    assert np.std(misses) < 0.15 * np.std(wins)  # the showdown is valued, not sampled


def test_who_only_calls_wins_nothing_from_a_caller() -> None:
    result = local_best_response(load_game("nlhe"), CALLER, 400, LbrConfig(menu="fold-call"))
    assert result.payoff == 0  # the two seats of a deal cancel
    assert result.interval[0] < 0 < result.interval[1]


def test_tables_and_threads_change_nothing() -> None:
    for name, hands in (("leduc", 2_000), ("limit-holdem", 40)):
        game = load_game(name)
        config = LbrConfig(rollouts=20)
        first = local_best_response(game, UniformPolicy(), hands, config)
        for tables, threads in ((1, 1), (7, 2), (64, 3)):
            changed = replace(config, tables=tables, threads=threads)
            assert local_best_response(game, UniformPolicy(), hands, changed) == first
        assert local_best_response(game, UniformPolicy(), hands, replace(config, seed=1)) != first


def test_bad_answers_are_refused_and_change_nothing() -> None:
    game = load_game("leduc")
    good = play(_native.LbrPlay(game, 50, seed=3), UniformPolicy())
    job = _native.LbrPlay(game, 50, seed=3)
    with pytest.raises(RuntimeError, match="still being played"):
        job.payoffs()
    while (questions := job.ask()) is not None:
        right = UniformPolicy()(questions)
        for bad in (-1.0, np.nan, np.inf):
            wrong = right.copy()
            wrong[-1, 1] = bad
            with pytest.raises(ValueError, match=f"row {len(right) - 1}"):
                job.answer(wrong)
        with pytest.raises(ValueError, match="row 0"):
            job.answer(np.zeros_like(right))
        with pytest.raises(ValueError, match="expected shape"):
            job.answer(right[1:])
        job.answer(right)
    assert np.array_equal((job.payoffs(), job.values()), good)
    with pytest.raises((ValueError, RuntimeError)):
        job.answer(np.ones((0, 3), np.float32))


def test_input_errors() -> None:
    for game, message in (
        (load_game("kuhn", players=3), "two players"),
        (load_game("plo4"), "one or two hole cards"),
        (load_game("liars-dice-1x4f"), "heads-up poker"),
    ):
        with pytest.raises(InputError, match=message):
            local_best_response(game, UniformPolicy(), 10)
    with pytest.raises(InputError, match="menu"):
        local_best_response(load_game("kuhn"), UniformPolicy(), 10, LbrConfig(menu="raise"))
    with pytest.raises(InputError, match="two deals"):
        local_best_response(load_game("kuhn"), UniformPolicy(), 2)
    with pytest.raises(InputError, match="rollouts"):
        local_best_response(load_game("kuhn"), UniformPolicy(), 10, LbrConfig(rollouts=0))


def test_result_is_seconds_in_units_and_thousandths() -> None:
    heard: list[float] = []
    watch = Watch(tell=lambda what, share: heard.append(share or 0))
    config = LbrConfig(menu="all-in")
    result = local_best_response(load_game("leduc"), UniformPolicy(), 999, config, watch=watch)
    assert result.hands == 1000 and result.menu == "all-in" and heard[-1] == 1
    assert result.value_mbb == pytest.approx(1000 * result.value)
    low, high = result.interval_mbb
    assert low < result.value_mbb < high
    assert high - low == pytest.approx(2 * 1.96 * 1000 * result.standard_error, rel=1e-4)


def test_the_time_of_all_measures_is_forecast_once_before_play() -> None:
    game, seconds = load_game("nlhe"), list[float]()
    effort = Effort(hands=400, lbr_hands=20)
    policy = load_policy("caller", game)
    with_forecast = evaluate(game, policy, effort, forecast=seconds.append)
    assert len(seconds) == 1 and 0 < seconds[0] < 60
    assert with_forecast == evaluate(game, policy, effort)  # trials change nothing
    evaluate(load_game("kuhn"), load_policy("random", load_game("kuhn")), forecast=seconds.append)
    assert len(seconds) == 1  # exact, without play
