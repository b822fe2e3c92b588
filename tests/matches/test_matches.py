# SPDX-License-Identifier: MIT
"""Matches: duplicate deals, fair seats, every hand counted, and intervals that hold."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from regretless import _native
from regretless.algorithm import Shard
from regretless.cli import main
from regretless.errors import InputError
from regretless.games import load_game
from regretless.histories.phh import read_phh_file
from regretless.matches.bots import load_policy
from regretless.matches.intervals import Moments
from regretless.matches.match import MatchConfig, distinct, play_deals, play_match, replays
from regretless.matches.round_robin import round_robin
from regretless.matches.seatings import by_policy
from regretless.matches.style import StyleCounts, style_counts
from regretless.policies.policy import TablePolicy
from regretless.policies.strategy_table import StrategyTable, TableEvaluator


def bots(game, *names):
    return [load_policy(name, game) for name in names]


def random_table(evaluator, seed):
    rows = np.random.default_rng(seed).random(evaluator.legal.shape) ** 2 * evaluator.legal
    order = np.argsort(evaluator.keys)
    rows = rows / rows.sum(axis=1, keepdims=True)
    return StrategyTable(evaluator.keys[order], rows[order])


def true_value(evaluator, first, second):
    """Returns the mean value of the first policy over both seats, in units."""
    values = [evaluator.evaluate(tables).values for tables in ([first, second], [second, first])]
    return (values[0][0] + values[1][1]) / 2


def test_a_policy_against_itself_is_even_to_the_chip():
    game = load_game("nlhe")
    result = play_match(game, bots(game, "pot-odds", "pot-odds"), MatchConfig(2_001))
    assert result.hands == 2_002
    assert [player.name for player in result.players] == ["pot-odds", "pot-odds (2)"]
    assert all(player.won.mean == player.won.half_width == 0 for player in result.players)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_policy_holds_every_seat_of_a_deal(players):
    game = load_game("nlhe", players=players)
    names = ["pot-odds", "tight-aggressive", "caller", "random", "raiser"][:players]
    piece = play_deals(game, bots(game, *names), MatchConfig(1, seed=4), Shard(10, 30))
    hands = piece.steps.hands.reshape(30, players, players)
    assert (hands == hands[:, :1]).all()
    seats = np.arange(players * 30)[:, None] + np.arange(players)
    assert (
        np.sort((seats % players).reshape(30, -1)) == np.repeat(np.arange(players), players)
    ).all()
    held = by_policy(np.tile(np.eye(players, dtype=int)[None], (30, 1, 1)).reshape(-1, players))
    assert (held.sum(axis=1) == players).all()
    totals = by_policy(piece.steps.payoffs)
    assert totals.shape == (30, players) and (totals.sum(axis=1) == 0).all()
    caller = names.index("caller") if "caller" in names else None
    if caller is not None:
        episodes = np.repeat(np.arange(30 * players), np.diff(piece.steps.offsets))
        mine = (piece.steps.actors + episodes) % players == caller
        assert set(piece.steps.slots[mine].tolist()) == {1}


def test_tables_threads_and_pieces_change_nothing(monkeypatch):
    game = load_game("leduc")
    policies = bots(game, "random", "pot-odds")
    first = play_match(game, policies, MatchConfig(3_000, seed=9))
    for tables, threads in ((7, 1), (64, 2)):
        assert play_match(game, policies, MatchConfig(3_000, 9, threads, tables)) == first
    monkeypatch.setattr("regretless.matches.match._CHUNK", 500)
    again = play_match(game, policies, MatchConfig(3_000, seed=9))
    for one, other in zip(first.players, again.players, strict=True):
        assert other.won.mean == pytest.approx(one.won.mean, abs=1e-12)
        assert other.won.standard_error == pytest.approx(one.won.standard_error, rel=1e-9)
        assert other.style == one.style


def test_intervals_cover_the_truth_as_often_as_they_say():
    game = load_game("leduc")
    evaluator = TableEvaluator(game)
    covered, matches = 0, 200
    for number in range(matches):
        first, second = (random_table(evaluator, 2 * (number % 20) + i) for i in range(2))
        policies = [TablePolicy(first, "first"), TablePolicy(second, "second")]
        won = play_match(game, policies, MatchConfig(1_000, seed=number)).players[0].won
        truth = true_value(evaluator, first, second)
        covered += abs(won.mean - truth) <= won.half_width
    assert 0.92 <= covered / matches <= 0.98


def test_moments_are_those_of_all_rows():
    rows = np.random.default_rng(0).normal(5, 3, (1_000, 2))
    moments = Moments(2)
    for part in np.split(rows, [0, 1, 17, 400]):
        moments.add(part)
    estimate = moments.estimate(1, scale=2)
    assert estimate.mean == pytest.approx(2 * rows[:, 1].mean())
    assert estimate.standard_error == pytest.approx(2 * rows[:, 1].std(ddof=1) / math.sqrt(1_000))
    assert 1.96 < estimate.half_width / estimate.standard_error < 1.97
    single = Moments(1)
    single.add(np.ones((1, 1)))
    assert math.isinf(single.estimate(0).half_width)


def test_styles_by_hand():
    # Two deals of hold'em for two, each in two copies; seat 1 is the button and speaks first.
    steps = [  # actor, slot, street, could_fold
        [(1, 1, 0, 1), (0, 1, 0, 0), (0, 2, 1, 0), (1, 0, 1, 1)],  # limp, check, bet, fold
        [(1, 2, 0, 1), (0, 1, 0, 1), *[(p, 1, s, 0) for s in (1, 2, 3) for p in (0, 1)]],
        [(1, 0, 0, 1)],
        [(1, 8, 0, 1), (0, 1, 0, 1)],
    ]
    flat = np.array([step for episode in steps for step in episode], np.uint8)
    played = SimpleNamespace(
        payoffs=np.array([[100, -100], [300, -300], [50, -50], [0, 0]], np.int32),
        offsets=np.cumsum([0, *map(len, steps)]),
        legal=flat[:, 3:] != 0,
        **dict(zip(("actors", "slots", "streets"), flat.T[:3], strict=True)),
    )
    counts = StyleCounts()
    counts.add({"payoffs": played.payoffs, **style_counts(played, 4)})
    # Policy 0 sits on seats 0, 1, 0, 1: checks and bets; raises; wins the blind; moves all-in.
    style = counts.style(0)
    assert (style.vpip, style.pfr) == (0.5, 0.5)
    assert math.isinf(style.aggression)
    assert style.went_to_showdown == pytest.approx(2 / 3) and style.won_at_showdown == 0
    style = counts.style(1)
    assert (style.vpip, style.pfr, style.aggression) == (0.75, 0, 0)
    assert style.went_to_showdown == pytest.approx(2 / 3) and style.won_at_showdown == 0.5


def test_steps_that_do_not_fit_together_have_no_style():
    payoffs, offsets = np.zeros((2, 2), np.int32), np.array([0, 1, 2])
    columns = {name: np.zeros(2, np.uint8) for name in ("actors", "slots", "streets", "can_fold")}
    right = {"payoffs": payoffs, "offsets": offsets, **columns, "num_streets": 4}
    assert set(_native.count_styles(**right)["vpip"]) == {0}
    for name, wrong in (
        *(("payoffs", payoffs[:1]), ("payoffs", payoffs[:, :0]), ("num_streets", 0)),
        *(("offsets", offsets[:0]), ("offsets", np.array([0, 2, 1]))),
        *(("offsets", np.array([0, 1, 3])), ("offsets", np.array([-1, 1, 2]))),
        *((each, columns[each][:1]) for each in columns),
        ("actors", np.array([0, 2], np.uint8)),
    ):
        with pytest.raises(ValueError, match="styles: "):
            _native.count_styles(**right | {name: wrong})


def test_styles_of_bots():
    game = load_game("nlhe")
    players = play_match(game, bots(game, "caller", "raiser"), MatchConfig(2_000)).players
    caller, raiser = (player.style for player in players)
    assert caller.vpip == raiser.vpip == raiser.pfr == caller.went_to_showdown == 1
    assert caller.pfr == caller.aggression == 0 and math.isinf(raiser.aggression)
    dice = load_game("liars-dice-1x4f")
    assert (
        play_match(dice, bots(dice, "caller", "random"), MatchConfig(100)).players[0].style is None
    )


def test_replays_end_as_the_match_did():
    game = load_game("nlhe", players=3)
    policies = bots(game, "random", "pot-odds", "tight-aggressive")
    piece = play_deals(game, policies, MatchConfig(1, seed=6), Shard(100, 30))
    for episode, payoffs in zip(replays(game, piece, 6), piece.steps.payoffs, strict=True):
        assert episode.is_terminal and episode.payoffs == payoffs.tolist()


def test_round_robin_is_antisymmetric():
    game = load_game("leduc")
    names = ("random", "caller", "pot-odds", "caller")
    cross = round_robin(game, bots(game, *names), MatchConfig(2_000))
    assert cross.names == ("random", "caller", "pot-odds", "caller (2)")
    for i in range(4):
        assert cross.won[i][i] is None
        for j in range(i):
            assert cross.won[i][j].mean == pytest.approx(-cross.won[j][i].mean)
    assert cross.won[1][3].mean == 0
    with pytest.raises(InputError, match="two policies or more"):
        round_robin(game, bots(game, "random"), MatchConfig(10))


def test_round_robin_takes_luck_off() -> None:
    game, names = load_game("leduc"), ("caller", "pot-odds", "tight-aggressive")
    plain = round_robin(game, bots(game, *names), MatchConfig(2_000))
    less = round_robin(game, bots(game, *names), MatchConfig(2_000), aivat=True)
    assert less.aivat and not plain.aivat
    for mine, theirs in zip(less.won, plain.won, strict=True):
        for one, other in zip(mine, theirs, strict=True):
            if one is not None and other is not None:
                assert one.half_width < 0.5 * other.half_width
                assert abs(one.mean - other.mean) < 2 * other.half_width


def test_bad_matches_are_refused():
    game = load_game("kuhn")
    with pytest.raises(InputError, match="2 players, and 3 policies"):
        play_match(game, bots(game, "random", "random", "random"), MatchConfig(10))
    for options in ({"hands": 0}, {"threads": 0}, {"tables": 0}, {"seed": -1}):
        with pytest.raises(InputError):
            MatchConfig(**({"hands": 1} | options))
    assert distinct(["a", "b", "a", "a"]) == ["a", "b", "a (2)", "a (3)"]


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as exit_status:
        main(["match", *arguments])
    return exit_status.value.code, capsys.readouterr()


def test_command_line(capsys, tmp_path: Path):
    path = tmp_path / "hands.phhs"
    arguments = ["pot-odds", "caller", "raiser", "--hands", "300", "--seed", "3", "--json"]
    status, printed = run(capsys, *arguments, "--phh", str(path))
    result = json.loads(printed.out)
    assert status == 0 and printed.err == ""
    assert result["hands"] == 300 and result["deals"] == 100
    assert sum(player["bb_per_100"] for player in result["players"]) == pytest.approx(0)
    assert result["players"][2]["aggression"] is None  # it never calls
    episodes = read_phh_file(path)
    assert len(episodes) == 300
    total = sum(episode.payoffs[(0 - number) % 3] for number, episode in enumerate(episodes))
    assert total / 300 == pytest.approx(result["players"][0]["bb_per_100"])
    assert 'players = ["caller", "raiser", "pot-odds"]' in path.read_text()


def test_command_line_tables(capsys):
    status, printed = run(capsys, "random", "caller", "--game", "kuhn", "--hands", "100", "--aivat")
    assert status == 0 and "AIVAT" in printed.out and "VPIP" in printed.out
    status, printed = run(capsys, "random", "caller", "--game", "liars-dice-1x4f", "--hands", "10")
    assert status == 0 and "VPIP" not in printed.out
    arguments = ["random", "caller", "raiser", "--game", "leduc", "--hands", "100", "--round-robin"]
    status, printed = run(capsys, *arguments)
    assert status == 0 and "mean" in printed.out
    status, printed = run(capsys, *arguments, "--json")
    assert len(json.loads(printed.out)["matrix"]) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["random", "caler"], "did you mean 'caller'"),
        (["random"], "two policies or more"),
        (["random"] * 3 + ["--game", "leduc"], "players: at most 2"),
        (["random"] * 2 + ["--hands", "0"], "hands"),
        (["random"] * 2 + ["--phh", "hands.txt"], ".phhs"),
        (["random"] * 2 + ["--game", "leduc", "--phh", "hands.phhs"], "PHH"),
        (["random"] * 2 + ["--phh", "x.phhs", "--round-robin"], "--phh"),
        (["random"] * 2 + ["--players", "2"], "--players belongs to a round-robin"),
        (["--shipped", "--game", "hunl-100bb"], "--shipped belongs to a round-robin"),
        (["random"] * 3 + ["--aivat"], "no AIVAT"),
    ],
)
def test_command_line_errors(capsys, arguments, words):
    status, printed = run(capsys, *arguments)
    assert status == 2 and printed.out == ""
    assert len(printed.err.splitlines()) == 1 and words in printed.err


def test_copies_are_checked():
    with pytest.raises(ValueError, match="copies"):
        _native.SelfPlay(load_game("kuhn"), 10, copies=0)
