# SPDX-License-Identifier: MIT
"""Variants by name and from YAML: what they say, and what they say when they are wrong."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.errors import InputError
from regretless.games import game_names, load_game

# Histories, terminals, infosets: OpenSpiel's counts (ANCHORS of its own test files).
COUNTS = {
    ("kuhn", 2): (58, 30, 12),
    ("leduc", 2): (9_457, 5_520, 936),
    ("kuhn", 3): (617, 312, 48),
    ("leduc3", 3): (1_831_601, 1_043_952, 25_800),
    ("liars-dice-1x6f", 2): (294_883, 147_420, 24_576),
}


@pytest.mark.parametrize(("key", "counts"), COUNTS.items(), ids=str)
def test_tree_counts(key: tuple[str, int], counts: tuple[int, int, int]) -> None:
    tree = load_game(key[0], players=key[1]).count_tree()
    assert (tree["histories"], tree["terminals"], tree["infosets"]) == counts


@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_played(name: str) -> None:
    game = load_game(name)
    played = _native.play_random(game, 2_000, seed=3)
    assert sum(played["payoffs"]) == 0 and played["decisions"] >= 2_000


@pytest.mark.parametrize("players", range(2, 10))
def test_holdem_for_many(players: int) -> None:
    rules = load_game("nlhe", players=players).rules
    blinds = [100, 50] if players == 2 else [50, 100] + [0] * (players - 2)
    assert rules.blinds == blinds
    assert rules.first_actors == [1 if players == 2 else 2 % players, 0, 0, 0]
    assert rules.stacks == [10_000] * players and rules.unit == 100


def test_variant_in_yaml(tmp_path: Path) -> None:
    path = tmp_path / "royal.yaml"
    path.write_text(
        "base: nlhe\nplayers: 3\nstacks: [500, 1000, 1500]\nantes: [0, 100]\n"
        "straddle: 200\nrake: {fraction: 0.05, cap: 300}\nmenu: 50%,2.5x,a\n"
    )
    with pytest.raises(InputError, match="has no bet to multiply"):
        load_game(str(path))
    path.write_text(path.read_text().replace("2.5x", "100%"))
    game = load_game(str(path), stacks=[700, 700, 700])
    assert isinstance(game, _native.Poker)
    assert game.name == "royal" and game.rules.stacks == [700] * 3
    assert game.rules.blinds == [50, 100, 200] and game.rules.antes == [0, 100, 0]
    assert game.rules.rake.cap == 300 and game.rules.first_actors[0] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("players: two\n", ["players", "two"]),
        ("playrs: 2\n", ["playrs", "players"]),
        ("base: nlhx\n", ["base", "nlhx"]),
        ("- 1\n", ["mapping"]),
        ("a: [1\n", ["line 2"]),
        ("base: nlhe\nstacks: [200000000, 1]\n", ["stacks", "200000000"]),
        ("base: nlhe\nstacks: [1]\n", ["stacks", "2 values"]),
        ("base: nlhe\nstacks: 0\n", ["stacks"]),
        ("base: nlhe\nstraddle: 200\n", ["straddle", "three"]),
        ("base: nlhe\nsmall_blind: 0\nbig_blind: 0\n", ["bets"]),
        ("base: nlhe\nboard_cards: [0, 3, 1, 1, 1]\n", ["board_cards"]),
        ("base: nlhe\nboard_cards: [0, 3, 3]\n", ["board_cards"]),
        ("base: nlhe\ndeck: {ranks: '2468'}\n", ["deck", "2468"]),
        ("base: nlhe\ndeck: {ranks: JQKA}\n", ["holdem", "52"]),
        ("base: nlhe\nrake: {fraction: 1.5}\n", ["rake"]),
        ("base: nlhe\nmenu: 33%,x\n", ["menu", "'x'"]),
        ("base: nlhe\nmenu: {turn: 50%}\n", ["menu", "preflop"]),
        ("base: nlhe\nfirst_actors: [7, 0, 0, 0]\n", ["first_actors[0]"]),
        ("base: plo5\nplayers: 10\n", ["players", "9"]),
    ],
)
def test_errors_name_the_place(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_game(str(path))
    message = str(caught.value)
    assert "\n" not in message and "bad.yaml" in message
    assert all(word in message for word in words), message


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 300) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
_KEYS = ["players", "deck", "hole_cards", "board_cards", "limit", "bets", "max_raises", "blinds",
         "antes", "stacks", "first_actors", "rake", "showdown", "unit", "menu", "straddle",
         "small_blind", "big_blind", "button_blind", "base", "name"]  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(options=st.dictionaries(st.sampled_from(_KEYS[:-2]), _VALUES, max_size=4))
def test_any_options_give_a_game_or_an_error(options: dict[str, object]) -> None:
    try:
        game = load_game("nlhe", **options)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        _native.play_random(game, 20, seed=1)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_file_gives_a_game_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, text: bytes
) -> None:
    path = tmp_path_factory.mktemp("variants") / "any.yaml"
    path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        load_game(str(path))
    assert "\n" not in str(caught.value)


def test_liars_dice_names() -> None:
    game = load_game("liars-dice-2x3f-3p")
    assert game.num_players == 3 and game.num_hands == 9 and game.num_actions == 19
    for bad in ("liars-dice", "liars-dice-0x6f", "liars-dice-1x6", "liars-dice-6x6f-9p"):
        with pytest.raises(InputError, match="iar"):
            load_game(bad)
