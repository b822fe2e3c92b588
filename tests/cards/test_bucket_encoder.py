# SPDX-License-Identifier: MIT
"""The encoder `buckets`: cards as buckets of an abstraction, street by street."""

from functools import cache

import numpy as np
import pytest
import torch

from regretless import _native
from regretless.abstraction.card_abstraction import CardAbstraction, Cards, StreetBuckets
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.encoders import describe_encoder, load_encoder
from regretless.inference.network_policy import NetworkPolicy
from regretless.networks.expansion import Expansion
from regretless.networks.mlp import MlpShape
from regretless.networks.shape import NetworkWeights

SIZES = {"preflop": 81, "flop": 700, "turn": 40, "river": 30}
BOARDS = (0, 3, 4, 5)


@cache
def abstraction(seed: int = 1) -> CardAbstraction:
    """A random abstraction of short deck: the hands of a bucket have nothing in common."""
    cards, random = Cards("short-deck", "6789TJQKA"), np.random.default_rng(seed)
    streets = {}
    for name, buckets in SIZES.items():
        table = random.integers(0, buckets, cards.table_sizes[name])
        table[:buckets] = np.arange(buckets)
        deals, equities = np.ones(buckets, np.uint64), random.random(buckets)
        streets[name] = StreetBuckets(table.astype(np.uint16), deals, equities.astype(np.float32))
    return CardAbstraction(cards, streets, {})


@cache
def game() -> _native.Poker:
    return load_game("short-deck", stacks=800, menu="100%,a")


@cache
def encoder() -> _native.Encoder:
    return load_encoder("buckets", game(), [abstraction().buckets])


def decisions(seed, episodes=60):
    random = np.random.default_rng(seed)
    for index in range(episodes):
        episode = _native.PokerEpisode(game(), seed=seed, index=index)
        while not episode.is_terminal:
            yield episode.copy()
            legal = np.flatnonzero(episode.legal)
            episode.choose(1 if random.random() < 0.6 else int(random.choice(legal)))


def values(row, name) -> np.ndarray:
    features = encoder().expand(row[None])[0]
    (field,) = (each for each in encoder().fields if each.name == name)
    width = field.width if "marks" in field.kind else field.count
    return features[field.feature : field.feature + width]


def test_rows_have_the_bucket_and_its_equity_on_every_street_so_far():
    tables, streets = abstraction().buckets, list(abstraction().streets.values())
    met = set()
    for episode in decisions(seed=1):
        row, hole = encoder().row(episode), episode.hole(episode.actor)
        equities = values(row, "equity of the bucket on each street")
        for street, count in enumerate(BOARDS):
            marks = np.flatnonzero(values(row, f"bucket on street {street}")).tolist()
            if street > episode.street:
                assert marks == [] and equities[street] == 0
                continue
            cards = np.array([[*hole, *episode.board[:count]]], np.uint8)
            bucket = int(tables.buckets(cards)[0])
            assert marks == [bucket]
            assert equities[street] == pytest.approx(streets[street].equities[bucket], abs=1e-5)
        met.add(episode.street)
    assert met == {0, 1, 2, 3}


def test_rows_know_no_other_hand_and_no_names_of_suits():
    random = np.random.default_rng(2)
    for episode in decisions(seed=2, episodes=25):
        mine, suits = episode.actor, random.permutation(4)
        rest = [c for c in range(36) if c not in {*episode.hole(mine), *episode.board}]
        others = random.choice(rest, 2, replace=False).tolist()
        hands = [others, others]
        hands[mine] = episode.hole(mine)
        board = episode.board
        renamed = [[int(c // 4 * 4 + suits[c % 4]) for c in cards] for cards in (*hands, board)]
        again = _native.PokerEpisode(game(), hole=renamed[:2], board=renamed[2])
        for _, _, action, _ in episode.events:
            again.act(action)
        assert encoder().row(again).tobytes() == encoder().row(episode).tobytes()


def test_native_and_torch_expand_alike():
    rows = np.stack([encoder().row(episode) for episode in decisions(seed=3, episodes=20)])
    noise = np.random.default_rng(3).integers(0, 127, rows.shape, dtype=np.uint8)
    noise[:, 0] = 1
    for some in (rows, noise):
        native = encoder().expand(some)
        assert Expansion(encoder())(torch.as_tensor(some)).numpy().tobytes() == native.tobytes()


def test_jobs_are_given_the_buckets():
    options = {"encoders": ["buckets"], "buckets": [abstraction().buckets]}
    questions = _native.SelfPlay(game(), 20, tables=20, **options).ask()
    rows = questions.rows("buckets")
    for row, episode in zip(rows, questions.episodes, strict=True):
        same = _native.PokerEpisode(game(), seed=0, index=int(episode))
        assert row.tobytes() == encoder().row(same).tobytes()
    job = _native.Traversals(game(), "buckets", buckets=[abstraction().buckets])
    job.begin(1, 0, 0, 5)
    assert job.ask(0).rows("buckets").shape[1] == encoder().row_bytes
    with pytest.raises(ValueError, match="needs the buckets of one abstraction, not of 0"):
        _native.SelfPlay(game(), 20, encoders=["buckets"])


def test_a_policy_of_networks_needs_what_its_encoder_sees():
    shape = MlpShape(
        inputs=encoder().num_features, widths=(), outputs=game().num_actions, head="advantages"
    )
    zeros = {name: np.zeros((1, *size), np.float32) for name, size in shape.parameters().items()}
    policy = NetworkPolicy(NetworkWeights(shape, zeros, np.ones(1)), encoder())
    job = _native.SelfPlay(game(), 30, **policy.needs.options())
    questions = job.ask()
    probabilities = policy(questions)
    assert probabilities == pytest.approx(
        questions.legal / questions.legal.sum(axis=1, keepdims=True), abs=1e-6
    )


def test_what_does_not_fit_is_refused():
    tables = abstraction().buckets
    with pytest.raises(InputError, match="needs the buckets of one abstraction, not of 0"):
        load_encoder("buckets", game())
    with pytest.raises(InputError, match="not of 2"):
        load_encoder("buckets", game(), [tables, abstraction(2).buckets])
    with pytest.raises(InputError, match="cards"):
        load_encoder("buckets", load_game("nlhe"), [tables])
    with pytest.raises(InputError, match="only poker has cards"):
        load_encoder("buckets", load_game("liars-dice-1x4f"), [tables])
    columns = {name: street.table for name, street in abstraction().streets.items()}
    cards = abstraction().cards
    bare = _native.HandBuckets("bare", cards.showdown, cards.deck, **columns)
    with pytest.raises(InputError, match="have no equities"):
        load_encoder("buckets", game(), [bare])
    wrong = [np.full(size, 2, np.float32) for size in SIZES.values()]
    with pytest.raises(ValueError, match="equities: must be from 0 to 1"):
        _native.HandBuckets("wrong", cards.showdown, cards.deck, **columns, equities=wrong)
    assert "bucket on street 1 (wide mark)" in describe_encoder(encoder())
