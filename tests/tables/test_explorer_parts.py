# SPDX-License-Identifier: MIT
"""The parts of the pages: nodes that are asked, places of a line, grids, practice, reviews."""

import fcntl
from pathlib import Path

import numpy as np
import pytest

from regretless import _native, load_game, solve
from regretless.errors import InputError
from regretless.explorer.asked_nodes import AskedNodes
from regretless.explorer.node_text import range_of
from regretless.explorer.nodes import SolvedTree
from regretless.games import Game
from regretless.games.episodes import decisions
from regretless.histories.lines import read_line, spots_of
from regretless.matches.bots import load_policy
from regretless.matches.slot_values import SlotValues
from regretless.notation.cards import FULL_DECK, RANKS
from regretless.notation.hand_classes import grid_names
from regretless.notation.ranges import Range, grid_weights, with_classes
from regretless.policies.asking import mixes
from regretless.policies.policy import Policy, TablePolicy
from regretless.runs.run import run_status
from regretless.solving.spot_options import SpotOptions
from regretless.storage.row_files import csv_parts
from regretless.tables.review import review


@pytest.fixture(scope="module")
def leduc() -> tuple[Game, Policy, SolvedTree]:
    found = solve("leduc", iterations=30)
    policy = found.policy
    assert isinstance(policy, TablePolicy)
    return found.game, policy, SolvedTree.of_table(found.game, policy.table)


@pytest.fixture(scope="module")
def turn(tmp_path_factory: pytest.TempPathFactory) -> SolvedTree:
    spot = SpotOptions("QsJh2h8d", 100, 200, "AA:0.5,KQs,76s", "99,AQs,KJs").spot()
    assert spot is not None
    path = tmp_path_factory.mktemp("spot") / "turn"
    solve(spot, iterations=30).write_bundle(path)
    return SolvedTree.open(path)


@pytest.mark.parametrize("line", ["", "b2", "b2 r4", "x b2 c", "x b2 c | Kd", "b2 c | Jc | x b4"])
def test_asked_nodes_are_those_of_the_tree(
    leduc: tuple[Game, Policy, SolvedTree], line: str
) -> None:
    game, policy, tree = leduc
    asked, solved = AskedNodes(game, policy).node(line), tree.node(line)
    assert (asked.line, asked.actor, asked.pot, asked.board) == (
        solved.line,
        solved.actor,
        solved.pot,
        solved.board,
    )
    for mine, theirs in zip(asked.seats, solved.seats, strict=True):
        kept = dict(zip(theirs.hands, theirs.weights, strict=True))
        for hand, weight in zip(mine.hands, mine.weights, strict=True):
            assert np.isclose(weight, kept[hand], atol=1e-4)
    for own, other in zip(asked.choices, solved.choices, strict=True):
        assert own.word == other.word
        told = dict(zip(solved.acting.hands, other.mix, strict=True))
        assert all(
            np.isclose(share, told[hand], atol=1e-4)
            for hand, share in zip(asked.acting.hands, own.mix, strict=True)
        )
    assert [each.card for each in asked.cards] == [each.card for each in solved.cards]


@pytest.mark.parametrize(
    ("name", "line"),
    [("nlhe", "c x | 7h8h2c | x b100"), ("leduc", "x b2 c | Kd"), ("liars-dice-1x4f", "")],
)
def test_all_ways_from_a_line_lead_on(name: str, line: str) -> None:
    game = load_game(name)
    steps = read_line(line, game.episode_of())
    spots = spots_of(game, steps)
    assert [each.chosen for each in spots][:-1] == [each.text for each in steps]
    assert not spots[-1].chosen
    for spot in spots:
        read_line(spot.line, game.episode_of())
        assert bool(spot.choices) == (spot.actor >= 0)
        for choice in spot.choices:
            steps = read_line(choice.line, game.episode_of())
            assert steps[-1].text == choice.word
    if name == "nlhe":
        assert [each.cards_due for each in spots] == [0, 0, 3, 0, 0, 0]


def test_a_grid_of_a_range() -> None:
    text = "AA,KK:0.5,AsKs,A5s:0.25,72o"
    found = Range.parse(text, FULL_DECK)
    names, weights = grid_names(RANKS), grid_weights(found)
    told = {
        name: weight
        for row, line in zip(names, weights, strict=True)
        for name, weight in zip(row, line, strict=True)
    }
    assert len(told) == 169
    wanted = {"AA": 1, "KK": 0.5, "AKs": 0.25, "A5s": 0.25, "72o": 1}
    assert {name: weight for name, weight in told.items() if weight} == wanted
    for name in told:
        assert grid_weights(with_classes(Range.parse("AA:0"), [name], 0.5)) == [
            [0.5 if each == name else 0.0 for each in row] for row in names
        ]


def test_a_node_as_text(turn: SolvedTree) -> None:
    node = turn.node("x")
    copied = range_of(turn.game, turn.node().seats[0])
    assert copied == Range.parse("AA:0.5,KQs,76s,KsQs:0")  # the board has the queen of spades
    assert Range.parse(str(copied)) == copied
    rows = [*node.rows(1)]
    lines = b"".join(csv_parts(list(rows[0]), rows)).decode().splitlines()
    assert len(lines) == 1 + np.count_nonzero(node.seats[1].weights)
    with pytest.raises(InputError):
        range_of(load_game("liars-dice-1x4f"), node.seats[0])


def test_a_review_tells_what_the_strategy_does(leduc: tuple[Game, Policy, SolvedTree]) -> None:
    game, policy, _ = leduc
    episode = game.episode(3, 0)
    while not episode.is_terminal:
        episode.choose(1)
    values = SlotValues(game, policy)
    told = review(episode, 0, policy, values)
    made = decisions(episode, 0, [0])
    assert len(told) == len(made) == 2
    for each, (spot, slot) in zip(told, made, strict=True):
        (row,) = mixes(policy, [spot], np.array([episode.hand(0)]))
        assert [p for _, p in each.mix] == [row[0][k] for k, ok in enumerate(spot.legal) if ok]
        losses = values.losses(spot)
        assert losses is not None
        assert each.lost == losses[slot]


def test_a_review_at_a_table_of_six() -> None:
    game = load_game("nlhe", players=6)
    episode = game.episode(1, 0)
    while not episode.is_terminal:
        episode.choose(1)
    assert isinstance(episode, _native.PokerEpisode)
    told = review(episode, 4, load_policy("caller", game))
    assert len(told) == 4
    assert all(each.lost is None for each in told)


def test_a_review_of_bets_that_are_not_on_the_menu() -> None:
    """The strategy is asked about the hand as it is on its menu; costs are not known."""
    game = load_game("nlhe", menu="50%,100%,a")
    assert isinstance(game, _native.Poker)
    episode = game.episode(1, 0)
    for action in (0, 317, 0, 0, 433, 0, 0, 0, 0, 0):
        episode.act(action)
    assert episode.is_terminal
    bettor, policy = episode.events[1][0], load_policy("pot-odds", game)
    told = review(episode, bettor, policy)
    assert told[0].chosen == "raise to 317"
    for each in told:
        is_odd = each.chosen.startswith(("bet", "raise"))
        assert (each.seen_as or "check").startswith(("bet", "raise") if is_odd else "check")
    assert all(abs(sum(p for _, p in each.mix) - 1) < 1e-6 for each in told)
    assert all(each.lost is None for each in told)
    # Without the odd bets it is the same as before.
    plain = game.episode(1, 0)
    while not plain.is_terminal:
        plain.act(0)
    assert all(each.seen_as is None for each in review(plain, 0, policy))


def test_the_status_of_a_run(tmp_path: Path) -> None:
    assert run_status(tmp_path) == "stopped"
    with (tmp_path / "lock").open("w") as lock:
        assert run_status(tmp_path) == "stopped"
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert run_status(tmp_path) == "running"
    (tmp_path / "bundle").mkdir()
    assert run_status(tmp_path) == "done"
