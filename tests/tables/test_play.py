# SPDX-License-Identifier: MIT
"""Playing in the terminal: any game, any policy, typed input that may end at any moment."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command_line import command
from regretless import _native
from regretless.algorithms import make_algorithm
from regretless.bundles.bundle import BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.table_bundle import write_bundle
from regretless.cli.range_view import range_lines
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import view
from regretless.histories.choices import read_choice
from regretless.histories.seat_view import decision_lines
from regretless.matches.bots import BOTS
from regretless.matches.slot_values import posterior
from regretless.policies.policy import TablePolicy, UniformPolicy
from regretless.policies.strategy_table import TableEvaluator


def play(typed: str, *arguments: str, code: int = 0) -> str:
    return command("play", *arguments, typed=typed, status=code)


def play_apart(typed: str, *arguments: str) -> str:
    """In a process of its own."""
    command = [sys.executable, "-m", "regretless.cli", "play", *arguments]
    result = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    return result.stdout + result.stderr


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("kuhn") / "bundle", "kuhn")


def write(path: Path, name: str) -> Path:
    game = load_game(name)
    solver = make_algorithm("cfr+", game)
    solver.step(2000)
    table = solver.policy().table  # type: ignore[attr-defined]
    write_bundle(path, game, table, BundleFacts(AlgorithmFacts(name="cfr+")))
    return path


@pytest.mark.parametrize("game", ["kuhn", "leduc", "nlhe", "liars-dice-1x6f", "plo4"])
def test_a_series_is_played_and_added_up(game: str) -> None:
    # Where one choice is not legal another one is: nothing stops a series.
    options = ("--hands", "4", "--seed", "3", "--against", "random", "--unit", "chips")
    text = play("1\n12\n0\n11\n" * 100, game, *options)
    assert "against random" in text
    results = re.findall(r"^you (win|lose|break) ([\w,]+)$", text, re.MULTILINE)
    signs = {"win": 1, "lose": -1}
    payoffs = [
        signs[word] * int(chips.replace(",", "")) if word in signs else 0 for word, chips in results
    ]
    assert len(payoffs) == 4
    assert f"after 4 hands: {sum(payoffs):+,d}" in text


def test_a_series_is_the_same_with_the_same_seed() -> None:
    first = play("c\n" * 50, "leduc", "--hands", "5", "--seed", "8")
    assert first == play_apart("c\n" * 50, "leduc", "--hands", "5", "--seed", "8")
    assert first != play("c\n" * 50, "leduc", "--hands", "5", "--seed", "9")


@pytest.mark.parametrize("typed", ["", "q\n", "Quit\n", "nonsense\n", "\n\n", "?\n", "9" * 20])
def test_input_may_end_at_any_moment(typed: str) -> None:
    text = play(typed, "leduc", "--seat", "0")
    assert "you leave in the middle of hand 1" in text
    assert "after 0 hands: +0" in text


def test_against_a_bundle(kuhn: Path, tmp_path: Path) -> None:
    text = play("?\nc\n" * 20, str(kuhn), "--hands", "3", "--seed", "4")
    assert "kuhn, 2 players, against cfr+" in text
    assert "seat 1 has not acted yet" in text and "seat 1's answer" in text
    assert play("c\n" * 20, "kuhn", "--against", str(kuhn)).startswith("kuhn, 2 players, against")
    (tmp_path / "config.yaml").write_text("game: {name: kuhn}\nalgorithm: {name: cfr+}\n")
    (tmp_path / "bundle").symlink_to(kuhn)
    assert "against cfr+" in play("c\n" * 20, str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["leduc", "--against", "BUNDLE"], "is for kuhn, and the game asked for is leduc"),
        (["BUNDLE", "--players", "3"], "--players"),
        (["kuhn", "--seat", "2"], "--seat"),
        (["kuhn", "--against", "nobody"], "nobody"),
        (["kuuhn"], "kuhn"),
        ([".", "--seat", "1"], "manifest.json"),
    ],
)
def test_bad_tables_are_one_line(kuhn: Path, arguments: list[str], words: str) -> None:
    arguments = [str(kuhn) if each == "BUNDLE" else each for each in arguments]
    text = play("", *arguments, code=2)
    assert text.startswith("error: ") and words in text and text.count("\n") == 1


def test_choices() -> None:
    game = load_game("nlhe")
    episode = _native.PokerEpisode(game, seed=1)
    for text, slot in {
        "0": 0,
        "f": 0,
        "FOLD": 0,
        "c": 1,
        "call 50": 1,
        "60%": 4,
        "r220": 4,
        "raise to 220": 4,
        "b 220": 4,
        "a": 8,
        "all-in": 8,
    }.items():
        assert read_choice(text, episode) == slot, text
    for text in ("3", "", "r", "-1", "9", "½"):
        with pytest.raises(InputError, match="not a choice"):
            read_choice(text, episode)
    for text, nearest in {
        "r221": "r220 and r260",
        "b1": "r200",
        "r" + "9" * 5000: "r10000",
    }.items():
        with pytest.raises(
            InputError, match=f"not on the menu here; the nearest to it: {nearest}$"
        ):
            read_choice(text, episode)
    for text in ("x", "k", "check"):  # there is the big blind to call
        with pytest.raises(InputError, match="cannot check"):
            read_choice(text, episode)
    leduc = _native.PokerEpisode(load_game("leduc"), seed=1)
    assert [read_choice(text, leduc) for text in ("k", "x", "check", "r", "b")] == [1, 1, 1, 2, 2]
    dice = _native.LiarsDiceEpisode(load_game("liars-dice-1x4f"), seed=1)
    assert read_choice("1x3", dice) == read_choice("1 X 3", dice) == 2


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(max_size=12) | st.from_regex(r"(r|b|raise to |bet )?[0-9]{1,6}%?", fullmatch=True),
    name=st.sampled_from(["kuhn", "nlhe", "plo4", "liars-dice-2x3f"]),
)
def test_any_text_is_a_legal_choice_or_one_line(text: str, name: str) -> None:
    episode = load_game(name).episode(5)
    try:
        assert read_choice(text, episode) in legal_slots(episode)
    except InputError as error:
        assert "\n" not in str(error)


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(["kuhn", "leduc", "leduc3", "nlhe", "short-deck", "liars-dice-2x3f"]),
    seed=st.integers(0, 1000),
    data=st.data(),
)
def test_a_seat_sees_only_its_own_hand(name: str, seed: int, data: st.DataObject) -> None:
    """Whatever the others hold, what stands on the screen is the same."""
    game = load_game(name)
    episode: Episode
    if isinstance(game, _native.Poker):
        episode = _native.PokerEpisode(game, seed=seed)
        size = game.rules.num_hole_cards
        hole = [list(episode.hole(0)), *([[]] * (game.num_players - 1))]
        board = list(_full_board(game, seed))
        used = {*board, *hole[0]}
        free = [card for card in range(game.rules.deck.num_cards) if card not in used]
        other: Episode = _native.PokerEpisode(
            game,
            hole=[hole[0], *(free[p * size : (p + 1) * size] for p in range(game.num_players - 1))],
            board=board,
        )
    else:
        episode = _native.LiarsDiceEpisode(game, seed=seed)
        dice = [episode.hand_parts(0)] + [[2] * game.num_dice] * (game.num_players - 1)
        other = _native.LiarsDiceEpisode(game, dice=dice)
    while not episode.is_terminal:
        if episode.actor == 0:
            assert list(decision_lines(episode, 0)) == list(decision_lines(other, 0))
        slot = data.draw(st.sampled_from(legal_slots(episode)))
        episode.choose(slot)
        other.choose(slot)
    assert list(view(episode).end_lines(view(episode).seat_names()))


def _full_board(game: _native.Poker, seed: int) -> list[int]:
    """The board that this seed deals, by calling down."""
    episode = _native.PokerEpisode(game, seed=seed)
    while not episode.is_terminal:
        episode.call()
    return episode.board


def solved(name: str, steps: int = 1000) -> TablePolicy:
    solver = make_algorithm("cfr+", load_game(name))
    solver.step(steps)
    policy = solver.policy()
    assert isinstance(policy, TablePolicy)
    return policy


def test_a_range_in_kuhn_is_as_theory_says() -> None:
    game, policy = load_game("kuhn"), solved("kuhn", 5000)
    episode = _native.PokerEpisode(game, hole=[[1], [0]])
    episode.call()
    episode.raise_to(1)
    found = posterior(episode, seat=1, viewer=0, policy=policy)
    # A king always bets after a check and a jack one time in three.
    assert found.hands == [(0,), (2,)]
    assert found.weights == pytest.approx([0.25, 0.75], abs=0.01)
    assert found.last_mix is not None
    assert found.last_mix[:, 2] == pytest.approx([1 / 3, 1], abs=0.02)
    assert not found.answers


@pytest.mark.parametrize("name", ["leduc", "liars-dice-1x4f"])
def test_a_range_is_bayes_rule(name: str) -> None:
    """All hands are alike likely before, so the range is as the strategy of the last action."""
    game, policy = load_game(name), solved(name)
    evaluator = TableEvaluator(game)
    slots = [1, 2] if name == "leduc" else [0, 3]
    if name == "leduc":
        mine: Episode = _native.PokerEpisode(game, hole=[[2], [5]])
    else:
        mine = _native.LiarsDiceEpisode(game, dice=[[2], [1]])
    for slot in slots:
        mine.choose(slot)
    found = posterior(mine, seat=1, viewer=0, policy=policy)
    history = ":cr" if name == "leduc" else ":[1x1][1x4]"
    rows = evaluator.strategy(policy.table)
    expected = []
    for hand in found.hands:
        text = _name(game, hand) + history.rsplit("r" if name == "leduc" else "[", 1)[0]
        expected.append(rows[text][slots[1]])
    assert found.weights == pytest.approx(np.array(expected) / sum(expected), abs=1e-9)
    for row in found.answers.values():
        assert row.sum() == pytest.approx(1)


def _name(game: object, hand: tuple[int, ...]) -> str:
    if isinstance(game, _native.Poker):
        return TableEvaluator(game).names[hand[0]].removesuffix(":")
    return "".join(map(str, hand))


def test_a_range_in_holdem() -> None:
    game = load_game("nlhe", menu="100%,a", stacks=1000)
    solver = make_algorithm("mccfr", game)
    solver.step(200)
    episode = _native.PokerEpisode(game, seed=2)
    episode.choose(2)
    episode.choose(1)
    episode.choose(1)
    found = posterior(episode, seat=1, viewer=0, policy=solver.policy())
    assert len(found.hands) == 47 * 46 / 2
    dead = {*episode.hole(0), *episode.board}
    assert not any(dead & set(hand) for hand in found.hands)
    assert found.weights.sum() == pytest.approx(1)
    uniform = posterior(episode, seat=1, viewer=0, policy=UniformPolicy())
    assert uniform.weights == pytest.approx(np.full(len(uniform.hands), 1 / len(uniform.hands)))


def test_ranges_are_shown_of_bots_too() -> None:
    game = load_game("leduc")
    episode = game.episode_of([[2], [5]])
    for slot in (1, 2):
        episode.choose(slot)
    lines = list(range_lines(episode, 0, BOTS["tight-aggressive"](game)))
    assert [line.split()[:2] for line in lines[1:3]] == [["Kc", "50.0%"], ["Kd", "50.0%"]]
    bet = _native.PokerEpisode(load_game("nlhe"), seed=1)
    least, most = bet.raise_range
    bet.raise_to(next(to for to in range(least, most) if to not in bet.offer))
    (line,) = range_lines(bet, 0, UniformPolicy())
    assert line.endswith("is not on the menu: the range cannot be shown")
