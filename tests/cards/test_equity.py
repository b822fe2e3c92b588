# SPDX-License-Identifier: MIT
import json
from itertools import combinations

import pytest
import typer
from phevaluator import evaluate_cards, evaluate_omaha_cards
from pokerkit import OmahaHoldemHand, ShortDeckHoldemHand
from typer.testing import CliRunner

from regretless.cli.study.equity import equity as equity_command
from regretless.equities import RULES, equity
from regretless.errors import InputError
from regretless.notation.cards import RANKS, SUITS
from regretless.notation.ranges import Range

FULL = [rank + suit for rank in RANKS for suit in SUITS]
SHORT = FULL[16:]


def split(text):
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def slow_equity(hands, board, strength, deck=FULL):
    """Wins and ties shared by hand, from an evaluator where larger is better."""
    holes = [split(hand) for hand in hands]
    known = split(board)
    used = split("".join(hands) + board)
    rest = [card for card in deck if card not in used]
    shares = [0.0] * len(hands)
    boards = list(combinations(rest, 5 - len(known)))
    for drawn in boards:
        strengths = [strength(hole, [*known, *drawn]) for hole in holes]
        winners = [i for i, each in enumerate(strengths) if each == max(strengths)]
        for i in winners:
            shares[i] += 1 / len(winners)
    return [share / len(boards) for share in shares]


def holdem(hole, board):
    return -evaluate_cards(*hole, *board)


def omaha(hole, board):
    return -evaluate_omaha_cards(*board, *hole)


@pytest.mark.parametrize(
    ("hands", "first"),
    [(["AA", "KK"], 0.8194605), (["AKo", "22"], 0.4735084), (["AA", "random"], 0.85204)],
)
def test_known_equities_before_the_flop(hands, first):
    result = equity(hands)
    assert result.method == "exact" and result.samples == 0
    assert result.equities[0] == pytest.approx(first, abs=5e-6 if "random" in hands else 5e-8)
    assert sum(result.equities) == pytest.approx(1, abs=1e-12)


def test_two_hands_before_the_flop_match_counted_boards():
    result = equity(["AsAh", "KsKh"])
    boards = 1_712_304
    assert [round(win * boards) for win in result.wins] == [1_410_336, 292_660]
    assert round(result.ties[0] * boards) == 9_308


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (["JsTs", "2h2d"], "2c3s4s"),
        (["AsKs", "QhQd", "7c6c"], "8c9cTsJd"),
        (["AcKc", "AdKd", "QhQd", "7c6c", "2s2d", "Jh9h", "Th3c", "5s4s", "8h8s"], "Ts9s6h"),
        (["AcKc", "AdKd", "QhQd", "7c6c", "2s2d", "Jh9h", "Th3c", "5s4s", "8h8s"], "Ts9s6h2h"),
    ],
)
def test_holdem_agrees_with_brute_force(hands, board):
    assert equity(hands, board).equities == pytest.approx(slow_equity(hands, board, holdem))


def test_short_deck_agrees_with_brute_force():
    def strength(hole, board):
        return ShortDeckHoldemHand.from_game("".join(hole), "".join(board))

    hands, board = ["AsKs", "6h6d", "7c8c"], "9cTs8hQd"
    slow = slow_equity(hands, board, strength, SHORT)
    assert equity(hands, board, rule="short-deck").equities == pytest.approx(slow)


def test_omaha_agrees_with_brute_force():
    def five_cards(hole, board):
        return OmahaHoldemHand.from_game("".join(hole), "".join(board))

    hands, board = ["AsKsQdJd", "2h2d7c8c", "Th9h6s5c"], "3s4s8dTc"
    assert equity(hands, board, rule="omaha").equities == pytest.approx(
        slow_equity(hands, board, omaha)
    )
    hands, board = ["AsKsQdJd9c", "2h2d7c8cAc"], "3s4s8dTc"
    assert equity(hands, board, rule="omaha").equities == pytest.approx(
        slow_equity(hands, board, five_cards)
    )


def test_ranges_weigh_the_deals_that_are_possible():
    board = "2c9sTdQh"
    first, second = "AQ,TT:0.5,KJs:0.25", "99+,QJ:0.75"
    deck = RULES["holdem"].deck
    total, share = 0.0, 0.0
    for hand, weight in Range.parse(first, deck).combos():
        for other, other_weight in Range.parse(second, deck).combos():
            if len({*split(hand), *split(other), *split(board)}) < 8:
                continue
            total += weight * other_weight
            share += weight * other_weight * equity([hand, other], board, threads=1).equities[0]
    assert equity([first, second], board).equities[0] == pytest.approx(share / total)


def test_ranges_are_taken_as_objects():
    deck = RULES["holdem"].deck
    given = [Range.parse("AA", deck), "KK"]
    assert equity(given, "2c3c4d").equities == equity(["AA", "KK"], "2c3c4d").equities
    with pytest.raises(InputError, match="does not fit"):
        equity([Range.parse("AA", RULES["short-deck"].deck), "KK"])


def test_dead_cards_are_not_dealt():
    assert equity(["AsKs", "QhQd"], "2c3c4dJs", dead="Qc Qs").ties == (0, 0)
    outs = sum(1 for card in FULL if card[0] in "AK") - 2 - 2
    result = equity(["AsKs", "QhQd"], "2c3c9d7h", dead="AcKc")
    assert result.wins[0] == pytest.approx(outs / (52 - 8 - 2))


@pytest.mark.parametrize(
    ("hands", "board", "rule"),
    [
        (["JsTs", "2h2d"], "", "holdem"),
        (["TT+,AKs:0.5", "random", "55-22"], "2c9sTdQh", "holdem"),
        (["AA", "KK,AA:0.5"], "", "holdem"),
        (["AsKsQdJd", "2h2d7c8c"], "3s4s8d", "omaha"),
    ],
)
def test_samples_are_near_the_exact_equity(hands, board, rule):
    exact = equity(hands, board, rule=rule, method="exact")
    sampled = equity(hands, board, rule=rule, method="monte-carlo", samples=200_000, seed=3)
    assert sampled.samples == 200_000 and sampled.method == "monte-carlo"
    for one, other, error in zip(
        exact.equities, sampled.equities, sampled.standard_errors, strict=True
    ):
        assert 0 < error < 0.0012
        assert abs(one - other) < 4 * error


def test_threads_do_not_change_the_result():
    for method in ("exact", "monte-carlo"):
        one, two = (
            equity(
                ["TT+,AKs:0.3", "random:0.7"], "2c9sTd", method=method, samples=50_000, threads=n
            )
            for n in (1, 2)
        )
        assert one == two


def test_auto_samples_what_is_too_much_to_count():
    assert equity(["random"] * 3, samples=10_000).method == "monte-carlo"
    assert equity(["AsKs", "random"], "2c9s").method == "exact"
    nine = equity(["random"] * 9, samples=100_000)
    assert nine.equities == pytest.approx([1 / 9] * 9, abs=0.01)
    omaha = equity(["AsKsQdJd", "random"], rule="omaha", samples=10_000)
    assert omaha.method == "monte-carlo" and omaha.ranges[1].num_combos == 270_725


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"hands": ["AsKs"]}, "2 to 9 players"),
        ({"hands": ["AsKs"] * 10}, "2 to 9 players"),
        ({"hands": ["AsKs", "AsQs"]}, "no deal is possible"),
        ({"hands": ["AA", "AA", "AA"]}, "no deal is possible"),
        ({"hands": ["AsKs", "2h2d"], "board": "As3c4c"}, "player 1 has no possible hand"),
        ({"hands": ["AsKs", "2h2d"], "dead": "2d"}, "player 2 has no possible hand"),
        ({"hands": ["AsKs", "QQ:0"]}, "player 2 has no possible hand"),
        ({"hands": ["AsKs", "QQ"], "board": "2c3c4c", "dead": "4c"}, "twice"),
        ({"hands": ["AsKs", "QQ"], "board": "2c3c4c5c6c7c"}, "at most five"),
        ({"hands": ["AsKs", "QQ"], "rule": "stud"}, "unknown rule"),
        ({"hands": ["AsKs", "QQ"], "method": "guess"}, "unknown method"),
        ({"hands": ["AsKs", "QQ"], "samples": 0}, "number of samples"),
        ({"hands": ["random"] * 9, "method": "exact"}, "use Monte Carlo"),
        ({"hands": ["AsKs", "QQx"]}, "column 1"),
        ({"hands": ["AsKsQdJd", "2h2d7c8c9c"], "rule": "omaha"}, "a hand has 4 cards"),
        ({"hands": ["random"] * 9, "dead": "".join(FULL[:30])}, "too few"),
    ],
)
def test_impossible_questions_are_one_clear_line(arguments, problem):
    with pytest.raises(InputError, match=problem) as caught:
        equity(**arguments)
    assert "\n" not in str(caught.value)


def run_command(*arguments):
    app = typer.Typer()
    app.command()(equity_command)
    return CliRunner().invoke(app, list(arguments))


def test_command_prints_one_json_object():
    done = run_command("JsTs", "2h2d", "--board", "2c3s4s", "--json")
    assert done.exit_code == 0
    shown = json.loads(done.stdout)
    assert shown["equities"] == list(equity(["JsTs", "2h2d"], "2c3s4s").equities)
    assert shown["method"] == "exact" and shown["samples"] == 0
    assert shown["combos"] == [1, 1] and shown["board"] == "2c3s4s"
    assert len(shown["wins"]) == len(shown["ties"]) == 2


def test_command_shows_how_ranges_were_understood():
    done = run_command("TT+", "AK:0.5", "--samples", "5000", "--seed", "1")
    assert done.exit_code == 0
    for text in ("30", "16", "8", "Monte Carlo, 5,000 deals"):
        assert text in done.stdout
    assert isinstance(run_command("TTx", "AK").exception, InputError)
    assert isinstance(run_command("TT", "AK", "--exact", "--samples", "9").exception, InputError)
