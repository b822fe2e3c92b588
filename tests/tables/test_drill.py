# SPDX-License-Identifier: MIT
"""Practice: decisions come as in self-play, and grades are those of the solved tree."""

import math

import numpy as np
import pytest

from regretless import InputError, load_game, solve
from regretless.explorer.asked_nodes import AskedNodes
from regretless.explorer.nodes import SolvedTree
from regretless.histories.lines import read_line
from regretless.matches.bots import load_policy
from regretless.policies.asking import mixes
from regretless.solving.spot_options import SpotOptions
from regretless.tables.drill import GOOD_SHARE, DecisionKind, Drill, decision_kind, seat_names


@pytest.fixture(scope="module")
def turn() -> SolvedTree:
    spot = SpotOptions("QsJh2h8d", 100, 200, "AA:0.5,KQs,76s", "99,AQs,KJs").spot()
    assert spot is not None
    return solve(spot, iterations=50).problem.tree()


@pytest.fixture(scope="module")
def leduc() -> SolvedTree:
    return solve("leduc", iterations=50).problem.tree()


def test_grades_are_those_of_the_tree(turn: SolvedTree) -> None:
    drill, lines, hands = Drill(turn), set(), set()
    for seed in range(40):
        found = drill.draw(DecisionKind(), seed, 0)
        assert found is not None
        lines.add(found.line)
        hands.add(found.hand)
        node = turn.node(found.line)
        place = node.acting.hands.index(found.hand)
        assert node.acting.weights[place] > 0 and node.acting.name == found.kind.position
        values = [float(each.values[place]) for each in node.choices]
        assert [each.value for each in found.choices] == values
        assert [each.mix for each in found.choices] == [float(e.mix[place]) for e in node.choices]
        for each, value in zip(found.choices, values, strict=True):
            assert each.lost == max(values) - value
            assert each.lost_share == each.lost / node.pot
            assert each.is_good == (each.lost <= GOOD_SHARE * node.pot)
        assert found.best == values.index(max(values))
        again = drill.of(found.line, found.hand)
        assert (again.choices, again.kind, again.line) == (found.choices, found.kind, found.line)
    assert len(lines) > 5 and len(hands) > 10


def test_decisions_come_as_often_as_in_self_play(leduc: SolvedTree) -> None:
    drill, count = Drill(leduc), 1500
    root = leduc.node("")
    first = DecisionKind(street="street 1", position="seat 0", facing="none")
    drawn = [found for n in range(count) if (found := drill.draw(first, 1, n)) is not None]
    assert len(drawn) == count
    shares = [sum(each.hand == hand for each in drawn) / count for hand in root.acting.hands]
    assert shares == pytest.approx(root.acting.shares, abs=0.04)
    checked = DecisionKind(street="street 1", position="seat 1", facing="none")
    after = [found for n in range(count) if (found := drill.draw(checked, 2, n)) is not None]
    (check,) = [each for each in root.choices if each.word == "x"]
    assert len(after) / count == pytest.approx(check.share, abs=0.04)
    node = leduc.node("x")
    shares = [sum(each.hand == hand for each in after) / len(after) for hand in node.acting.hands]
    assert shares == pytest.approx(node.acting.shares, abs=0.05)


def test_one_line_with_the_range_that_arrives(leduc: SolvedTree) -> None:
    drill, node = Drill(leduc), leduc.node("b2")
    hands = [drill.at("b2", seed).hand for seed in range(600)]
    shares = [hands.count(hand) / len(hands) for hand in node.acting.hands]
    assert shares == pytest.approx(node.acting.shares, abs=0.07)
    assert drill.at("b2", 7).hand == drill.at("b2", 7).hand


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("", DecisionKind("preflop", "UTG", "limped", "bet")),
        ("c", DecisionKind("preflop", "HJ", "limped", "bet")),
        ("c f f f c", DecisionKind("preflop", "BB", "limped", "none")),
        ("c f f f c x | 7h8h2c", DecisionKind("flop", "SB", "limped", "none")),
        ("r250 f f f f", DecisionKind("preflop", "BB", "single-raised", "raise")),
        ("r250 f f f f c | 7h8h2c | x", DecisionKind("flop", "UTG", "single-raised", "none")),
        ("r250 f f f f r900", DecisionKind("preflop", "UTG", "3-bet", "raise")),
        ("r250 f f f f r900 c | 7h8h2c | b900", DecisionKind("flop", "UTG", "3-bet", "bet")),
        ("r250 f f f f r900 r2000", DecisionKind("preflop", "BB", "4-bet", "raise")),
    ],
)
def test_kinds_of_decisions(line: str, kind: DecisionKind) -> None:
    game = load_game("nlhe", players=6, menu="25%,50%,100%")
    episode = game.episode_of()
    for word in line.replace("|", " ").split():
        if word[0] in "rb":
            episode.raise_to(int(word[1:]))
        elif word in "xc":
            episode.call()
        elif word == "f":
            episode.fold()
        else:
            read_line(word, episode)
    assert decision_kind(episode, seat_names(game)) == kind


def test_only_what_is_wanted(turn: SolvedTree) -> None:
    game = load_game("nlhe", players=6)
    asked = Drill(AskedNodes(game, load_policy("pot-odds", game)))
    for drill, wanted in (
        (Drill(turn), DecisionKind(street="river", facing="bet")),
        (Drill(turn), DecisionKind(street="turn", position="IP")),
        (asked, DecisionKind(street="flop", position="BB")),
        (asked, DecisionKind(pot="3-bet")),
    ):
        drill.check(wanted)
        drawn = [drill.draw(wanted, 5, number) for number in range(150)]
        found = [each for each in drawn if each is not None]
        assert found
        assert all(wanted.fits(each.kind) for each in found)


def test_a_policy_is_graded_by_its_mix() -> None:
    game = load_game("nlhe")
    policy = load_policy("tight-aggressive", game)
    drill = Drill(AskedNodes(game, policy))
    boards = set()
    for seed in range(30):
        found = drill.draw(DecisionKind(), seed, 0)
        assert found is not None
        boards.add(len(found.episode.board))
        (rows,) = mixes(
            policy, [found.episode], np.array([found.episode.hand(found.episode.actor)])
        )
        mix = [row for row, is_legal in zip(rows[0], found.episode.legal, strict=True) if is_legal]
        assert [each.mix for each in found.choices] == pytest.approx(mix)
        assert all(math.isnan(each.lost) for each in found.choices)
        assert found.choices[found.best].mix == max(mix)
        for each in found.choices:
            assert each.is_good == (each.mix >= max(mix) / 2)
    assert len(boards) > 1


def test_dice_and_other_games_without_streets() -> None:
    game = load_game("liars-dice-1x4f")
    drill = Drill(AskedNodes(game, load_policy("random", game)))
    assert drill.offers() == {
        "street": [],
        "position": ["seat 0", "seat 1"],
        "pot": [],
        "facing": [],
    }
    found = drill.draw(DecisionKind(position="seat 1"), 3, 0)
    assert found is not None and found.hand in "1234"
    assert drill.of(found.line, found.hand).hand == found.hand
    assert [text for seat, text in drill.moves(found) if seat == 0]


def test_the_line_in_words(turn: SolvedTree) -> None:
    drill = Drill(turn)
    told = list(drill.moves(drill.of("x b50 c | 7h | x", "AhQh")))
    assert told == [
        (-1, "turn QsJh2h8d"),
        (0, "check"),
        (1, "bet 50"),
        (0, "call 50"),
        (-1, "river QsJh2h8d7h"),
        (0, "check"),
    ]


def test_what_cannot_be_practised(turn: SolvedTree) -> None:
    drill = Drill(turn)
    with pytest.raises(InputError, match="nobody decides"):
        drill.at("x x", 0)
    with pytest.raises(InputError, match="nobody decides"):
        drill.of("x x", "AhQh")
    with pytest.raises(InputError, match="card of the board"):
        drill.of("x", "QsAs")
    with pytest.raises(InputError, match="not in the range of OOP"):
        drill.of("", "3d3c")
    with pytest.raises(InputError, match="2 cards, not 1"):
        drill.of("", "3d")
    with pytest.raises(InputError, match="did you mean 'river'"):
        drill.check(DecisionKind(street="rivr"))
    with pytest.raises(InputError, match="pot: no '3-bet' here"):
        drill.check(DecisionKind(pot="3-bet"))
