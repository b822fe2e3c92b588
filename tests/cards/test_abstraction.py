# SPDX-License-Identifier: MIT
"""Buckets of hands: how they are found, looked up, kept on disk, and played by."""

import itertools
import json
from collections.abc import Iterator
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.abstraction.building import AbstractionConfig, build_abstraction
from regretless.abstraction.card_abstraction import CardAbstraction, Cards, StreetBuckets
from regretless.algorithms import make_algorithm
from regretless.bundles.abstraction import (
    open_abstraction,
    with_abstraction,
    write_abstraction,
)
from regretless.bundles.bundle import BundleFacts, open_bundle
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.solution import write_policy
from regretless.cli import main
from regretless.equities import equity
from regretless.errors import InputError
from regretless.games import load_game
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig, play_match
from regretless.notation.cards import STREETS, format_cards, parse_cards
from regretless.policies.asking import policy_table
from regretless.policies.policy import TablePolicy
from regretless.watch import Stopped, Watch

TENS = Cards("holdem", "TJQKA")
SMALL = AbstractionConfig(preflop=8, flop=16, turn=12, river=10, sample=3000, iterations=5)
HOLDEM, DECK = _native.Showdown.HOLDEM, _native.Deck()


@cache
def small() -> CardAbstraction:
    return build_abstraction(SMALL, TENS)


@cache
def crude() -> CardAbstraction:
    """An abstraction of short deck, without building: preflop hands, equities on the river."""
    cards = Cards("short-deck", "6789TJQKA")
    sizes = cards.table_sizes
    tables = {
        "preflop": np.arange(sizes["preflop"]),
        "flop": np.zeros(sizes["flop"]),
        "turn": np.arange(sizes["turn"]) % 2,
        "river": np.arange(sizes["river"]) * 10 // sizes["river"],
    }
    streets = {}
    for name, table in tables.items():
        ones = np.ones(int(table.max()) + 1)
        numbers = ones.astype(np.uint64), ones.astype(np.float32)
        streets[name] = StreetBuckets(table.astype(np.uint16), *numbers)
    return CardAbstraction(cards, streets, {})


@cache
def short_deck() -> Any:
    return load_game("short-deck", stacks=800, menu={"all": "100%,a", "max_raises": 2})


def exact_equity(hand: str, board: str) -> float:
    return equity([hand, "random"], board, method="exact").equities[0]


def some_hands(count: int, num_board: int) -> Iterator[tuple[str, str]]:
    random = np.random.default_rng(num_board)
    for _ in range(count):
        cards = random.permutation(52)[: 2 + num_board].tolist()
        yield format_cards(cards[:2], DECK), format_cards(cards[2:], DECK)


def row_of(num_board: int, kind: str, hand: str, board: str) -> tuple[float, Any, int]:
    """Mean equity, features and weight of one hand, by the rows of its board."""
    job = _native.EquityFeatures(HOLDEM, DECK, num_board, _native.FeatureKind[kind])
    cards = np.array([[*parse_cards(hand), *parse_cards(board)]], np.uint8)
    deal = _native.CanonicalIndex([2, num_board], DECK).index(cards)[0]
    flop = _native.CanonicalIndex([num_board], DECK).index(cards[:, 2:].copy())
    indices, _, weights, equities, features = job.rows(flop.astype(np.int64), 1)
    (row,) = np.flatnonzero(indices == deal)
    return float(equities[row]), features[row], int(weights[row])


@pytest.mark.parametrize("num_board", [3, 4])
def test_mean_equity_is_the_exact_equity(num_board: int) -> None:
    for hand, board in some_hands(2, num_board):
        mean, features, weight = row_of(num_board, "EHS", hand, board)
        assert mean == pytest.approx(exact_equity(hand, board), abs=1e-6)
        assert features == pytest.approx([mean])
        assert weight in (4, 12, 24)


def test_histogram_and_square_come_from_the_rivers() -> None:
    hand, board = "AhKh", "Qh7c2h3d"
    rivers = [
        exact_equity(hand, board + format_cards([card]))
        for card in range(52)
        if card not in parse_cards(hand + board)
    ]
    _, square, _ = row_of(4, "EHS2", hand, board)
    assert square == pytest.approx([np.mean(np.square(rivers))], abs=1e-6)
    _, histogram, _ = row_of(4, "HISTOGRAM", hand, board)
    below = [np.mean(np.array(rivers) < step / 25) for step in range(1, 25)]
    assert histogram == pytest.approx(below, abs=1e-6)


def test_sizes_are_known() -> None:
    assert Cards().table_sizes == {
        "preflop": 169,
        "flop": 1_286_792,
        "turn": 13_960_050,
        "river": 1981,
    }
    assert _native.ScoreCounts(HOLDEM, DECK).num_boards == 134_459
    for num_board, boards in ((3, 1755), (4, 16_432)):
        job = _native.EquityFeatures(HOLDEM, DECK, num_board, _native.FeatureKind.EHS)
        assert job.num_boards == boards


def test_every_deal_is_in_a_bucket() -> None:
    hands = comb(20, 2)
    totals = {"preflop": hands, "flop": hands * comb(18, 3), "turn": hands * comb(18, 4)}
    totals["river"] = hands * comb(18, 5)
    for name, street in small().streets.items():
        assert int(street.deals.sum()) == totals[name]
        assert (street.deals > 0).all()
        assert len(street) <= vars(SMALL)[name]
        assert (np.diff(street.equities) >= 0).all()
        mean = (street.equities * street.deals).sum() / street.deals.sum()
        assert mean == pytest.approx(0.5, abs=1e-5)  # what one wins the other loses


def test_threads_do_not_matter_and_the_seed_does() -> None:
    assert build_abstraction(SMALL, TENS, threads=3).digest == small().digest
    other = AbstractionConfig(**{**vars(SMALL), "seed": 1})
    assert build_abstraction(other, TENS).digest != small().digest


def test_no_more_buckets_than_there_are_classes() -> None:
    config = AbstractionConfig(preflop=500, flop=4, turn=4, river=4, iterations=2, sample=500)
    built = build_abstraction(config, TENS)
    assert len(built.streets["preflop"]) <= 25
    pairs = {built.find(f"{rank}s{rank}c")[1] for rank in "TJQKA"}
    assert len(pairs) == 5


def test_building_stops_when_told() -> None:
    with pytest.raises(Stopped):
        build_abstraction(SMALL, TENS, watch=Watch(should_stop=lambda: True))


deals = st.sampled_from([0, 3, 4, 5]).flatmap(
    lambda board: st.lists(st.integers(0, 19), min_size=2 + board, max_size=2 + board, unique=True)
)


@given(deals, st.permutations(range(4)), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_suits_and_order_do_not_matter(cards: list[int], suits: list[int], random: Any) -> None:
    renamed = [card // 4 * 4 + suits[card % 4] for card in cards]
    hole, board = renamed[:2], renamed[2:]
    random.shuffle(hole)
    random.shuffle(board)
    buckets = small().buckets
    rows = np.array([cards, hole + board], np.uint8)
    first, second = buckets.buckets(rows)
    assert first == second


def test_river_buckets_follow_the_equity() -> None:
    found = []
    for cards in itertools.islice(itertools.combinations(range(20), 7), 0, 70_000, 1511):
        score = _score(cards)
        found.append((score, int(small().buckets.buckets(np.array([cards], np.uint8))[0])))
    assert [bucket for _, bucket in sorted(found)] == sorted(bucket for _, bucket in found)


def _score(cards: tuple[int, ...]) -> int:
    hole, board = list(cards[:2]), list(cards[2:])
    own = _native.strength(HOLDEM, TENS.deck, hole, board)
    others = itertools.combinations([card for card in range(20) if card not in cards], 2)
    theirs = [_native.strength(HOLDEM, TENS.deck, list(other), board) for other in others]
    return sum((own > each) + (own >= each) for each in theirs)


def test_a_directory_gives_the_same_buckets(tmp_path: Path) -> None:
    write_abstraction(tmp_path / "tens", small())
    opened = open_abstraction(tmp_path / "tens")
    assert opened.digest == small().digest
    assert opened.made == vars(SMALL)
    write_abstraction(tmp_path / "tens", small())  # over an older one
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="not an abstraction"):
        write_abstraction(tmp_path / "other", small())


@pytest.mark.parametrize("name", ["manifest.json", "tables.safetensors"])
def test_every_byte_is_checked(tmp_path: Path, name: str) -> None:
    write_abstraction(tmp_path / "tens", small())
    path = tmp_path / "tens" / name
    whole = path.read_bytes()
    random = np.random.default_rng(1)
    for place in random.integers(0, len(whole), 20):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(random.integers(8))
        path.write_bytes(bytes(damaged))
        with pytest.raises(InputError):
            open_abstraction(tmp_path / "tens")


def blueprint(**options: Any) -> Any:
    chosen = {"abstraction": crude(), "batch": 50, "iterations_per_step": 500, **options}
    return make_algorithm("mccfr", short_deck(), seed=1, **chosen)


@cache
def trained() -> Any:
    made = blueprint(weight_power=1.0)
    made.step(200)
    return made


def test_a_blueprint_beats_bots() -> None:
    for name in ("random", "tight-aggressive"):
        bot = BOTS[name](short_deck())
        config = MatchConfig(hands=4000, seed=2)
        won = play_match(short_deck(), [trained().policy(), bot], config).players[0].won
        assert won.mean > won.half_width, (name, won)


def test_threads_and_storage_do_not_matter() -> None:
    one, two, states = blueprint(), blueprint(threads=2), blueprint(storage="states")
    for each in (one, two, states):
        each.step(1)
    first, second = one.state(), two.state()
    assert all(np.array_equal(first[key], second[key]) for key in first)
    by_tree, by_states = one.average_strategy(), states.average_strategy()
    assert np.array_equal(by_tree.keys, by_states.keys)
    assert by_tree.probabilities == pytest.approx(by_states.probabilities, abs=1e-3)
    assert first["regrets"].dtype == np.float32


def test_questions_carry_what_one_by_buckets_knows() -> None:
    game, buckets = short_deck(), crude().buckets
    job = _native.SelfPlay(game, 40, tables=8, seed=3, history=True, buckets=[buckets])
    seen: dict[int, set[tuple[Any, ...]]] = {}
    asked = []
    while (questions := job.ask()) is not None:
        keys = questions.bucket_infosets(crude().digest)
        some = questions.part(np.arange(0, len(questions), 2))
        assert np.array_equal(some.bucket_infosets(crude().digest), keys[::2])
        for row, key in enumerate(keys):
            begin, end = questions.step_offsets[row : row + 2]
            slots = tuple(questions.step_slots[begin:end].tolist())
            seen.setdefault(int(key), set()).add((slots, int(questions.actors[row])))
        asked.append(questions)
        job.answer(questions.legal.astype(np.float32))
    assert all(len(known) == 1 for known in seen.values())  # no key stands for two lines
    joined = _native.Questions.joined(asked).bucket_infosets(crude().digest)
    parts = [questions.bucket_infosets(crude().digest) for questions in asked]
    assert np.array_equal(joined, np.concatenate(parts))
    with pytest.raises(ValueError, match="no infosets of these buckets"):
        asked[0].bucket_infosets("others")
    none: Any = [None]
    with pytest.raises((ValueError, TypeError)):
        _native.SelfPlay(game, 1, buckets=none)
    with pytest.raises(ValueError, match="only poker"):
        _native.SelfPlay(load_game("liars-dice-1x4f"), 1, buckets=[buckets])


def test_a_state_goes_on_with_the_same_buckets_only() -> None:
    whole, half, rest = blueprint(), blueprint(), blueprint()
    whole.step(2)
    half.step(1)
    rest.restore(half.state())
    rest.step(1)
    first, second = whole.state(), rest.state()
    assert all(np.array_equal(first[key], second[key]) for key in first)
    streets = {**crude().streets, "turn": crude().streets["turn"]}
    table = 1 - crude().streets["turn"].table
    streets["turn"] = StreetBuckets(table, streets["turn"].deals, streets["turn"].equities)
    other = blueprint(abstraction=CardAbstraction(crude().cards, streets, {}))
    with pytest.raises(InputError, match="another abstraction"):
        other.restore(half.state())


def test_a_blueprint_bundle_plays_without_the_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = BundleFacts(AlgorithmFacts(name="mccfr"))
    write_policy(tmp_path / "bundle", short_deck(), trained().policy(), facts)
    opened = open_bundle(tmp_path / "bundle")
    opened.verify()
    assert "81 / 1 / 2 / 10 by street" in (tmp_path / "bundle" / "README.md").read_text()
    assert _run(["bundle", "info", str(tmp_path / "bundle")]) == 0
    assert crude().digest in capsys.readouterr().out
    policy = opened.policy()
    assert isinstance(policy, TablePolicy) and policy.abstraction is not None
    assert policy.abstraction.digest == crude().digest
    table, expected = policy.table, trained().policy().table
    assert np.array_equal(table.keys, expected.keys)
    assert table.probabilities == pytest.approx(expected.probabilities, abs=1e-6)
    whole = (tmp_path / "bundle" / "abstraction.safetensors").read_bytes()
    damaged = bytearray(whole)
    damaged[-1] ^= 1
    (tmp_path / "bundle" / "abstraction.safetensors").write_bytes(bytes(damaged))
    with pytest.raises(InputError, match="damaged"):
        open_bundle(tmp_path / "bundle").policy()


def test_an_abstraction_must_fit_the_game(tmp_path: Path) -> None:
    for name in ("nlhe", "short-deck", "leduc"):  # neither has twenty cards
        with pytest.raises(InputError, match="other cards"):
            make_algorithm("mccfr", load_game(name), abstraction=small())
    with pytest.raises(InputError, match="only poker"):
        make_algorithm("mccfr", load_game("liars-dice-1x4f"), abstraction=small())
    with pytest.raises(InputError, match="open it first"):
        make_algorithm("mccfr", short_deck(), abstraction="somewhere")
    with pytest.raises(InputError, match="no such directory"):
        with_abstraction({"abstraction": str(tmp_path / "nowhere")})
    with pytest.raises(InputError, match="no table"):
        policy_table(short_deck(), trained().policy())


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "tens")
    sizes = ["--preflop", "8", "--flop", "16", "--turn", "12", "--river", "10"]
    rest = ["--ranks", "TJQKA", "--sample", "3000", "--iterations", "5", "--json"]
    assert _run(["abstraction", "build", "--output", path, *sizes, *rest]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == small().digest
    assert _run(["abstraction", "build", "--output", path, *sizes, *rest]) == 2
    assert "there is an abstraction already; --force" in capsys.readouterr().err
    assert _run(["abstraction", "build", "--output", path, "--force", *sizes, *rest]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == small().digest
    assert _run(["abstraction", "info", path, "--hand", "AsAc", "--board", "AdAhKs", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["street"], found["bucket"]) == small().find("AsAc", "AdAhKs")
    assert _run(["abstraction", "info", path]) == 0
    shown = capsys.readouterr().out
    assert all(street in shown for street in STREETS)
    for wrong in (["--board", "AsKs"], ["--hand", "AsAs"], ["--hand", "AsAc", "--board", "AsKsQs"]):
        assert _run(["abstraction", "info", path, *wrong]) == 2
        assert "error:" in capsys.readouterr().err


def _run(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)
