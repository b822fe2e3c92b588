# SPDX-License-Identifier: MIT
"""Push or fold of several players: orders of three, side pots, ICM, equilibria, the command."""

import csv
import json
import zlib
from itertools import permutations
from math import comb

import numpy as np
import pytest

from command_lines import run_here
from regretless import _native
from regretless.cli import main
from regretless.equities import equity
from regretless.errors import InputError
from regretless.games import load_game
from regretless.preflop import triples as triples_module
from regretless.preflop.equilibrium import (
    PushFoldSolution,
    forecast_seconds,
    solve_push_fold,
    usual_target,
)
from regretless.preflop.icm import icm_after_hand, icm_equities
from regretless.preflop.matchups import CLASS_NAMES, NUM_BOARDS, load_matchups
from regretless.preflop.multiway import PRIOR
from regretless.preflop.push_fold import PushFoldSpot, several_players
from regretless.preflop.solving import solve_preflop
from regretless.preflop.tree import PreflopSpot
from regretless.preflop.triples import ORDERS_FILE, RANKS_3, count_triples, load_triples

NAMES = np.array(CLASS_NAMES)


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


# The Independent Chip Model.


def slow_icm(stacks, prizes):
    """All orders of finishing."""
    values = np.zeros(len(stacks))
    for order in permutations(range(len(stacks))):
        chance, left = 1.0, sum(stacks)
        for player in order:
            chance *= stacks[player] / left
            left -= stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            values[player] += chance * prize
    return values


@pytest.mark.parametrize("players", range(1, 8))
def test_icm_matches_all_orders_of_finishing(players):
    random = np.random.default_rng(players)
    for stacks in (random.integers(1, 20_000, players), 10 ** random.uniform(0, 4, players)):
        for paid in (1, 2, players + 1):
            prizes = np.sort(random.random(paid))[::-1]
            found = icm_equities(stacks, prizes)
            assert found == pytest.approx(slow_icm(stacks, prizes), rel=1e-10)


def test_published_icm_equities():
    """A four-handed table of an online calculator, the example of Wikipedia, and a book's."""
    found = icm_equities([5000, 3000, 1500, 500], [500, 300, 200])
    assert found == pytest.approx([377.78, 312.89, 225.60, 83.73], abs=0.005)
    assert icm_equities([50, 30, 20], [70, 30]) == pytest.approx([45.18, 32.25, 22.57], abs=0.005)
    assert icm_equities([5000, 3000, 2000], [0.5, 0.3, 0.2])[0] == pytest.approx(0.3839, abs=5e-5)


def test_icm_of_many_players_pays_out_the_prizes():
    stacks = np.random.default_rng(0).random(150) + 0.01
    prizes = np.arange(40, 0, -1.0)
    found = icm_equities(stacks, prizes)
    assert found.sum() == pytest.approx(prizes.sum(), rel=1e-12)
    assert (np.argsort(found) == np.argsort(stacks)).all()
    assert icm_equities([3, 1], [1]) == pytest.approx([0.75, 0.25])  # winner takes all: chips
    assert icm_equities([[7, 7, 7], [1, 1, 1]], [5, 3, 1]) == pytest.approx(np.full((2, 3), 3))


def test_places_of_players_who_are_out():
    before, after = np.array([4.0, 3, 3, 10]), np.array([[0.0, 0, 0, 20], [7, 0, 3, 10]])
    found = icm_after_hand(before, after, np.array([10.0, 5, 3, 1]))
    assert found[0] == pytest.approx([5, 2, 2, 10])  # the larger stack first, equal ones share
    left = icm_equities([7, 3, 10], [10, 5, 3])
    assert found[1] == pytest.approx([left[0], 1, left[1], left[2]])


@pytest.mark.parametrize(
    ("stacks", "prizes", "message"),
    [
        ([1, 0], [1], "stacks: must be above 0"),
        ([1, float("nan")], [1], "stacks: must be above 0"),
        ([], [1], "stacks: 1 to 200"),
        ([1, 2], [], "prizes: at least one"),
        ([1, 2], [-1], "prizes: must not be negative"),
        ([1, 2], [1, 2], "prizes: a place pays no more"),
    ],
)
def test_bad_stacks_and_prizes_are_refused(stacks, prizes, message):
    with pytest.raises(InputError, match=message):
        icm_equities(stacks, prizes)


# Three classes.


def test_the_table_of_three_sums_to_the_table_of_two():
    """A third hand that anybody may hold changes nothing: 2 classes, counted on their own."""
    table, pairs = load_triples(), load_matchups()
    chances = table.outcomes(np.ones((1, 3, 169)))[0]  # [players, orders, classes]
    for one, two in ((0, 1), (2, 0)):
        beats = RANKS_3[:, one] > RANKS_3[:, two]
        won = pairs.wins.sum(axis=1) / (pairs.pairs.sum() * NUM_BOARDS)
        assert chances[one, beats].sum(axis=0) == pytest.approx(won, abs=2e-8)
    strict, above, below = (
        each.astype(np.float64) for each in (table.strict, table.above, table.below)
    )
    wins = strict.sum(axis=2) + strict.sum(axis=1) + strict.sum(axis=0)
    wins += above.sum(axis=1) + below.sum(axis=1).T
    expected = pairs.wins / (pairs.pairs.sum() * NUM_BOARDS)
    assert np.abs((wins - expected) / PRIOR).max() < 1e-7
    assert 3 * table.shares().sum(dtype=np.float64) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("hands", [("AA", "KK", "QQ"), ("AKs", "77", "T9s"), ("A5s", "A5s", "55")])
def test_the_table_of_three_matches_counted_boards(hands):
    table, exact = load_triples(), equity(list(hands), method="exact")
    shares = table.shares()
    for player, share in enumerate(exact.equities):
        places = [
            CLASS_NAMES.index(each)
            for each in (hands[player], *hands[:player], *hands[player + 1 :])
        ]
        found = shares[tuple(places)] / table.deals[tuple(places)]
        assert found == pytest.approx(share, abs=3e-5)


def test_counts_of_triples():
    triples = count_triples()
    assert triples.sum() == 1326 * 1225 * 1128
    aces, kings = CLASS_NAMES.index("AA"), CLASS_NAMES.index("KK")
    assert triples[aces, aces, aces] == 0 and triples[aces, aces, kings] == 6 * 6
    assert np.allclose(load_triples().deals, triples / triples.sum(), rtol=1e-6, atol=0)


def test_boards_of_three_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="134459 boards"):
        _native.class_orders(1, 134_459)


@pytest.mark.slow
def test_the_file_of_three_that_ships_is_what_is_counted():
    boards, sums = _native.num_canonical_boards(), np.zeros((3, 169, 169, 169), np.int64)
    for first in range(0, boards, 5_000):
        sums += np.stack(_native.class_orders(first, min(5_000, boards - first)))
    strict, above, below = sums
    wins = strict.sum(axis=2) + strict.sum(axis=1) + strict.sum(axis=0)
    wins += above.sum(axis=1) + below.sum(axis=1).T
    assert (wins == load_matchups().wins * comb(43, 2)).all()  # of all hands that a third may have
    packed = triples_module.pack_orders(strict, above, below)
    assert zlib.decompress(packed) == zlib.decompress(ORDERS_FILE.read_bytes())


def test_a_damaged_table_of_three_is_refused(tmp_path, monkeypatch):
    (tmp_path / "orders.bin").write_bytes(ORDERS_FILE.read_bytes()[:-1])
    monkeypatch.setattr(triples_module, "ORDERS_FILE", tmp_path / "orders.bin")
    with pytest.raises(InputError, match=r"orders\.bin: damaged"):
        load_triples.__wrapped__()


# Pots.


def test_stacks_after_match_the_engine():
    """Random stacks, antes, lines and cards; the engine bets and splits pots."""
    random = np.random.default_rng(3)
    for _ in range(60):
        players = int(random.integers(3, 8))
        stacks, ante = random.integers(3, 30, players) * 10, int(random.integers(0, 3)) * 2
        big_ante = int(random.integers(0, 2)) * 6
        spot = PushFoldSpot(tuple(map(float, stacks)), 4, 10, ante, big_ante)
        # The engine numbers seats from the small blind.
        order = [players - 2, players - 1, *range(players - 2)]
        game = load_game(
            "nlhe",
            players=players,
            small_blind=4,
            big_blind=10,
            antes=[spot.antes[seat] for seat in order],
            stacks=[int(stacks[seat]) for seat in order],
            menu="a",
        )
        cards = random.permutation(52)[: 2 * players + 5].tolist()
        hole = [cards[2 * place : 2 * place + 2] for place in range(players)]
        episode = _native.PokerEpisode(game, hole=hole, board=cards[-5:])
        line, top = 0, 0
        while episode.actor >= 0 and episode.street == 0:
            seat = order[episode.actor]
            is_walk = line == 0 and seat == players - 1
            if not is_walk and random.random() < 0.6:
                line |= 1 << seat
                if spot.chips[seat] > max(top, 10):
                    episode.act(max(each for each in episode.offer if each is not None))
                else:
                    episode.call()
                top = max(top, int(spot.chips[seat]))
            else:
                line |= is_walk << seat
                episode.fold()
        if line == 0:
            line = 1 << (players - 1)
        ranks = [0] * players
        for seat, held in zip(order, hole, strict=True):
            ranks[seat] = _native.strength(
                _native.Showdown.HOLDEM, _native.Deck(), held, cards[-5:]
            )
        after = spot.stacks_after(line, ranks)
        expected = np.zeros(players)
        for place, seat in enumerate(order):
            expected[seat] = stacks[seat] + episode.payoffs[place]
        assert np.abs(after - expected).max() <= players, (spot, line)  # odd chips
        assert after.sum() == pytest.approx(stacks.sum())


def test_payoffs_of_three_stacks():
    spot = PushFoldSpot((12.0, 8.0, 10.0))
    assert spot.names == ("BTN", "SB", "BB")
    assert spot.stacks_after(0b111, [0, 2, 1]).tolist() == [2, 24, 4]  # side pot to the big blind
    assert spot.stacks_after(0b111, [2, 2, 0]).tolist() == [18, 12, 0]
    assert spot.stacks_after(0b100, [0, 0, 0]).tolist() == [12, 7.5, 10.5]
    assert spot.stacks_after(0b011, [1, 0, 9]).tolist() == [21, 0, 9]
    short = PushFoldSpot((5.0, 5.0, 0.6))  # the big blind is all-in, and may win 0.6 of each
    assert not short.decides(2, 1) and short.stacks_after(
        0b101, [0, 0, 1]
    ).tolist() == pytest.approx([4.4, 4.5, 1.7])


# Equilibria.


@pytest.fixture(scope="module")
def three() -> PushFoldSolution:
    return solve_push_fold(PushFoldSpot((10.0, 10.0, 10.0)), target=2e-5)


def test_two_players_match_the_other_solver():
    found, other = solve_push_fold(PushFoldSpot((10.0, 10.0))), solve_preflop(PreflopSpot(10))
    assert found.is_exact and found.epsilon <= 1e-5
    assert found.values == pytest.approx([other.value, -other.value], abs=2e-5)
    totals = [found.totals(i)[1] for i in (0, 1)]
    assert totals == pytest.approx([other.totals(i)[1] for i in (0, 1)], abs=2e-3)


def test_icm_of_two_players_is_chips():
    spots = PushFoldSpot((9.0, 6.0)), PushFoldSpot((9.0, 6.0), prizes=(70, 30))
    chips, prizes = (solve_push_fold(spot, iterations=100, target=0) for spot in spots)
    scale = 40 / 15  # a chip moves this much of the prizes
    assert prizes.values == pytest.approx(chips.values * scale, rel=1e-6)
    assert np.abs(prizes.strategy - chips.strategy).max() < 1e-6


def test_three_players_at_ten_big_blinds(three):
    assert three.is_exact and three.epsilon <= 2e-5
    assert three.values.sum() == pytest.approx(0, abs=1e-6)
    totals = {three.line_text(i): three.totals(i)[1] for i in range(len(three.decisions))}
    assert totals == pytest.approx(
        {
            "": 0.3268,
            "BTN fold": 0.5634,
            "BTN all-in": 0.1810,
            "BTN fold, SB all-in": 0.3617,
            "BTN all-in, SB fold": 0.2428,
            "BTN all-in, SB call": 0.1317,
        },
        abs=2e-3,
    )
    assert three.values == pytest.approx([0.24137, -0.08348, -0.15790], abs=1e-4)
    assert three.action_values[0, 0] == pytest.approx(np.zeros(169), abs=1e-5)
    assert three.frequencies[0] == pytest.approx(1, abs=1e-5)
    again = [three.find(text) for text in ("", "f", "j", "f,j", "j,f", "j,c")]
    assert again == list(range(6))


def sampled_deals(players, count, seed):
    """Classes [deals, players] and strengths [deals, players] of random deals."""
    random = np.random.default_rng(seed)
    cards = random.random((count, 52)).argpartition(2 * players + 5, axis=1)[:, : 2 * players + 5]
    cards = random.permuted(cards, axis=1)
    board = cards[:, -5:]
    classes, strengths = np.empty((2, count, players), np.int64)
    for player in range(players):
        hole = cards[:, 2 * player : 2 * player + 2]
        rank, suit = 12 - hole // 4, hole % 4
        high, low = rank.min(axis=1), rank.max(axis=1)
        is_suited = suit[:, 0] == suit[:, 1]
        classes[:, player] = np.where(is_suited, high * 13 + low, low * 13 + high)
        seven = np.concatenate([hole, board], axis=1).astype(np.uint8)
        strengths[:, player] = _native.strengths(_native.Showdown.HOLDEM, _native.Deck(), seven, 2)
    return classes, strengths


def pot_of_equal_stacks(stack, blinds, line, strengths):
    """Payoffs [deals, players] of a line of equal stacks: one pot, split among the best."""
    players = strengths.shape[1]
    is_in = np.array([line >> seat & 1 for seat in range(players)], bool)
    paid = np.where(is_in, stack, blinds) if is_in.sum() > 1 else blinds
    best = np.where(is_in, strengths, -1)
    is_best = best == best.max(axis=1, keepdims=True)
    return is_best * (np.sum(paid) / is_best.sum(axis=1, keepdims=True)) - paid


def brute_force(classes, strengths, stack, blinds, iterations):
    """Fictitious play of all lines over sampled deals: how often each seat is in, and values."""
    count, players = classes.shape
    pays = [pot_of_equal_stacks(stack, blinds, line, strengths) for line in range(1 << players)]
    jams = [np.full((1 << seat, 169), 0.5) for seat in range(players)]
    jams[-1][0] = 1
    for number in range(1, iterations + 1):
        best, values = [], np.zeros(players)
        for seat in range(players):
            gains = np.zeros((1 << seat, 169))
            for line in range(1, 1 << players):
                chance = np.ones(count)
                for other in range(players):
                    if other != seat:
                        jam = jams[other][line & ((1 << other) - 1)][classes[:, other]]
                        chance *= jam if line >> other & 1 else 1 - jam
                worth = np.bincount(classes[:, seat], chance * pays[line][:, seat], 169)
                at = line & ((1 << seat) - 1)
                gains[at] += worth if line >> seat & 1 else -worth
                own = jams[seat][at] if line >> seat & 1 else 1 - jams[seat][at]
                values[seat] += own @ worth / count
            best.append((gains > 0).astype(float))
        best[-1][0] = 1
        jams = [old + (new - old) * 2 / (number + 2) for old, new in zip(jams, best, strict=True)]
    return jams, values


def test_three_players_match_fictitious_play_over_sampled_deals(three):
    """Another algorithm over random deals, without tables of classes; errors are of sampling."""
    classes, strengths = sampled_deals(3, 120_000, 7)
    jams, values = brute_force(classes, strengths, 10, np.array([0, 0.5, 1]), 25)
    assert values == pytest.approx(three.values, abs=0.05)
    # Not the overcall, which is too rare in this sample.
    totals = [jams[0][0], jams[1][0], jams[1][1], jams[2][2], jams[2][1]]
    found = [three.totals(i)[1] for i in range(5)]
    assert [PRIOR @ each for each in totals] == pytest.approx(found, abs=0.045)


def test_every_class_overcalls_where_random_boards_pay_for_it(three):
    """Calls after a jam and a call, worth what equities of ranges say: by another road."""
    samples, pot, stack = 40_000, 30, 10
    jams, calls = (
        ",".join(
            f"{name}:{share:.6f}" for name, share in zip(NAMES, row, strict=True) if share > 1e-5
        )
        for row in (three.strategy[0, 1], three.strategy[2, 1])
    )
    worth = [
        pot * equity([jams, calls, name], method="monte-carlo", samples=samples, seed=k).equities[2]
        for k, name in enumerate(NAMES)
    ]
    call, error = np.array(worth) - stack, pot * 0.5 / samples**0.5
    assert np.abs(call - three.action_values[5, 1]).max() < 5 * error
    clear = np.abs(call + 1) > 5 * error
    assert ((three.strategy[5, 1] > 0.5) == (call > -1))[clear].all()


def test_values_of_three_players_match_random_deals(three):
    means, errors = simulate(three, 300_000, 11)
    assert (np.abs(means - three.values) < 4 * errors).all() and errors.max() < 0.02


def simulate(solution, count, seed):
    """Mean payoffs of the players over random deals, and their standard errors."""
    spot = solution.spot
    players = spot.num_players
    classes, strengths = sampled_deals(players, count, seed)
    jams = {
        sum(1 << i for i, action in enumerate(each.line) if action != "fold")
        | 1 << each.seat + 16: row[1]
        for each, row in zip(solution.decisions, solution.strategy, strict=True)
    }
    total = np.zeros((count, players))
    blinds = np.zeros(players)
    blinds[-2:] = 0.5, 1
    for line in range(1, 1 << players):
        chance = np.ones(count)
        for seat in range(players):
            before = line & ((1 << seat) - 1)
            jam = jams.get(before | 1 << seat + 16)
            share = np.ones(count) if jam is None else jam[classes[:, seat]]
            chance *= share if line >> seat & 1 else 1 - share
        total += chance[:, None] * pot_of_equal_stacks(spot.stacks[0], blinds, line, strengths)
    return total.mean(axis=0), total.std(axis=0) / count**0.5


def test_values_of_four_players_match_random_deals():
    solution = solve_push_fold(PushFoldSpot((6.0,) * 4), target=1e-3)
    assert not solution.is_exact and solution.epsilon <= 1e-3
    assert solution.values.sum() == pytest.approx(0, abs=2e-3)
    means, errors = simulate(solution, 100_000, 3)
    assert (np.abs(means - solution.values) < 4 * errors + 2e-3).all()


@pytest.mark.slow
@pytest.mark.parametrize(("players", "stack"), [(4, 4.0), (6, 10.0), (9, 10.0)])
def test_values_of_more_players_match_random_deals(players, stack):
    solution = solve_push_fold(PushFoldSpot((stack,) * players), target=1e-3)
    means = np.mean([simulate(solution, 100_000, seed) for seed in range(20)], axis=0)
    print(players, stack, solution.values, means[0], means[1] / 20**0.5)
    assert (np.abs(means[0] - solution.values) < 4 * means[1] / 20**0.5 + 5e-3).all()


def test_whole_stacks_are_worth_what_they_are():
    """Expected prizes are no whole numbers, also if all stacks are."""
    whole = PushFoldSpot(stacks=(12, 8), prizes=(50, 30), others=(20,))
    equities = icm_equities([12, 8, 20], [50, 30])
    np.testing.assert_allclose(whole.equities_before(), equities[:2])


def test_icm_makes_calls_tighter(three):
    spot = PushFoldSpot((10.0, 10.0, 10.0), prizes=(50, 30, 20))
    solution = solve_push_fold(spot, target=1e-3)
    assert solution.unit == "prize" and spot.equities_before() == pytest.approx([100 / 3] * 3)
    assert solution.values.sum() == pytest.approx(0, abs=1e-5)
    for i in (2, 3, 4, 5):  # every call
        assert solution.totals(i)[1] < three.totals(i)[1]


def test_a_bubble_makes_short_stacks_fold():
    """Two equal prizes for three players: the short stacks wait for each other."""
    chips, prizes = (
        solve_push_fold(PushFoldSpot((30.0, 4.0, 4.0), prizes=paid), target=target)
        for paid, target in (((), 1e-2), ((1, 1), 1e-3))
    )
    call = chips.find("j,f")
    assert prizes.totals(call)[1] < chips.totals(call)[1] / 2


def test_the_same_again():
    spot = PushFoldSpot((5.0, 7.0, 6.0, 9.0), ante=0.1, prizes=(5, 3, 2))
    first, second = (solve_push_fold(spot, iterations=30, target=0) for _ in range(2))
    assert (first.strategy == second.strategy).all() and (first.values == second.values).all()


# The command.


def test_the_command_shows_three_players(capsys, tmp_path):
    path = tmp_path / "chart.csv"
    arguments = ["--players", "3", "--stack", "8", "--target", "1e-2", "--csv", str(path)]
    code, out, _ = run(capsys, "preflop", *arguments)
    assert (
        code == 0
        and "BTN first in: all-in %" in out
        and "BB after BTN all-in, SB call: call %" in out
    )
    assert "exact: all deals are counted" in out and "epsilon" in out
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6 * 2 * 169 and rows[-1]["line"] == "BTN all-in, SB call"
    code, out, _ = run(capsys, "preflop", *arguments[:-2], "--at", "f,j", "--ev")
    assert code == 0 and out.startswith("BB after BTN fold, SB all-in: ev in bb")
    assert out.count("first in") == 0


def test_the_command_takes_prizes_and_prints_json(capsys):
    arguments = ["--stacks", "10,4,7,5", "--icm", "50,30,20", "--others", "8", "--iterations", "25"]
    code, out, _ = run(capsys, "preflop", *arguments, "--json")
    result = json.loads(out)
    assert code == 0 and result["unit"] == "prize" and not result["exact"]
    assert [each["seat"] for each in result["players"]] == ["UTG", "BTN", "SB", "BB"]
    assert sum(each["equity"] for each in result["players"]) < 100
    assert len(result["decisions"]) == 2**4 - 2
    code, out, _ = run(capsys, "preflop", *arguments)
    assert code == 0 and "ev in prize" in out and "an approximation" in out


def test_the_command_of_stacks(capsys):
    code, out, _ = run(capsys, "icm", "5000,3000,2000", "--prizes", "50,30,20", "--json")
    assert code == 0 and json.loads(out)["equities"][0] == pytest.approx(38.3929, abs=1e-4)
    code, out, _ = run(capsys, "icm", "5000,3000,2000", "--prizes", "50,30,20")
    assert code == 0 and "38.39286" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "10"], "players: 2 to 9, not 10"),
        (["--players", "3", "--limp"], "--sizes, --limp and --max-raises are for two"),
        (["--players", "3", "--stacks", "1,2"], "stacks: 2 of them, but 3 players"),
        (["--stacks", "10,x,3"], "stacks: 'x' is no amount"),
        (["--stacks", "10,-4,3"], "amounts: must not be negative"),
        (["--stacks", "10,0.1,3", "--ante", "0.1"], "stacks: 0.1 of the SB"),
        (["--players", "3", "--icm", "20,30"], "prizes: a place pays no more"),
        (["--players", "3", "--icm", "1,1,1"], "icm: all places pay the same"),
        (["--players", "3", "--others", "5"], "others: stacks at other tables"),
        (["--players", "3", "--at", "f,x"], "at: 'x' is none of f"),
        (["--players", "3", "--at", "f,f"], "at: nobody decides after 'f,f'"),
        (["--players", "3", "--at", "f,f,f,f"], "at: nobody decides"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, message):
    code, out, err = run(capsys, "preflop", *arguments)
    assert code == 2 and not out
    assert message in err and err.count("\n") == 1


def test_the_forecast_grows_with_players_and_falls_with_the_target() -> None:
    spots = {count: several_players(PreflopSpot(stack=10), count) for count in (3, 4, 6, 9)}
    seconds = [forecast_seconds(spot) for spot in spots.values()]
    assert seconds == sorted(seconds) and seconds[-1] > 10 * seconds[0]
    target = usual_target(spots[4])
    assert forecast_seconds(spots[4], 50 * target) < forecast_seconds(spots[4], target) / 4
    assert forecast_seconds(spots[4], target / 4) > 2 * forecast_seconds(spots[4])


def test_long_solves_begin_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["preflop", "--players", "4", "--iterations", "1"]
    assert run_here([*words, "--json"]).errors == ""
    assert "note: 4 players: about 320 MB and 70 s" in run_here(words).errors
