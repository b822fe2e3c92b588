# SPDX-License-Identifier: MIT
"""Every encoder on every game: what a row keeps, what it must not show, and how it expands."""

import hashlib
import itertools
from collections import defaultdict
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.errors import InputError
from regretless.games import game_names, load_game
from regretless.games.encoders import (
    ENCODERS,
    check_encoder,
    describe_encoder,
    load_encoder,
)
from regretless.networks.expansion import Expansion

GAMES = {
    **{name: (name, {}) for name in game_names()},
    "nlhe 6": ("nlhe", {"players": 6}),
    "nlhe deep": ("nlhe", {"players": 3, "stacks": 5_000_000, "menu": "min,50%,100%,a"}),
    "kuhn 3": ("kuhn", {"players": 3}),
    "liars-dice-2x3f-3p": ("liars-dice-2x3f-3p", {}),
}
EPISODES = 60
every_game = pytest.mark.parametrize("game_name", GAMES)
ONLY_HOLDEM = {"table30"}
OF_POKER = [name for name in ENCODERS if name not in ("buckets", "infoset")]
OF_EVERY_GAME = [name for name in OF_POKER if name not in ONLY_HOLDEM]
HOLDEM = ["nlhe", "nlhe 6", "nlhe deep", "hunl-100bb", "hunl-25bb", "limit-holdem"]
every_encoder = pytest.mark.parametrize("name", OF_POKER)
every_encoder_on_its_games = pytest.mark.parametrize(
    ("name", "game_name"),
    [(n, game) for n in OF_POKER for game in GAMES if n in OF_EVERY_GAME or game in HOLDEM],
)


def make_game(name: str) -> _native.Poker | _native.LiarsDice:
    base, options = GAMES[name]
    return load_game(base, **options)


def is_poker(game: object) -> bool:
    return isinstance(game, _native.Poker)


def new_episode(game, seed, index):
    kind = _native.PokerEpisode if is_poker(game) else _native.LiarsDiceEpisode
    return kind(game, seed=seed, index=index)


def lines(game, seed: int, episodes: int = EPISODES) -> Iterator[object]:
    """The decisions of random episodes, each as an episode that stands there."""
    random = Random(seed)
    for index in range(episodes):
        episode = new_episode(game, seed, index)
        while not episode.is_terminal:
            yield episode.copy()
            legal = np.flatnonzero(episode.legal).tolist()
            slot = legal[int(random.random() * len(legal))]
            episode.choose(slot if slot or random.random() < 0.2 else legal[-1])  # few folds


def replayed(episode, hole=None, board=None):
    """Replays the actions with other cards."""
    game = episode.game
    other = _native.PokerEpisode(
        game,
        hole=hole or [episode.hole(seat) for seat in range(game.num_players)],
        board=board if board is not None else episode.board,
    )
    for _, _, action, _ in episode.events:
        other.act(action)
    return other


@every_encoder_on_its_games
def test_no_other_seats_cards_are_in_the_row(name: str, game_name: str) -> None:
    game = make_game(game_name)
    encoder, random = load_encoder(name, game), np.random.default_rng(1)
    for episode in lines(game, seed=1, episodes=20):
        mine = episode.actor
        if is_poker(game):
            known = {*episode.hole(mine), *episode.board}
            rest = [card for card in range(game.rules.deck.num_cards) if card not in known]
            cards = random.permutation(rest).tolist()
            size = game.rules.num_hole_cards
            hole = [[cards.pop() for _ in range(size)] for _ in range(game.num_players)]
            hole[mine] = episode.hole(mine)
            other = replayed(episode, hole)
        else:
            dice = random.integers(1, game.num_faces + 1, (game.num_players, game.num_dice))
            dice[mine] = episode.hand_parts(mine)
            other = _native.LiarsDiceEpisode(game, dice=dice.tolist())
            for _, slot in episode.steps:
                other.choose(slot)
        assert encoder.row(other).tobytes() == encoder.row(episode).tobytes()


def kept_by_slots12(episode) -> tuple:
    """Seat, cards as they are, and the slots of each street, the last twelve."""
    game = episode.game
    if not is_poker(game):
        return episode.actor, tuple(episode.hand_parts(episode.actor)), tuple(episode.steps)
    steps = defaultdict(list)
    for _, street, slot in steps_of(episode):
        steps[street].append(slot)
    slots = tuple(tuple(steps[street][-12:]) for street in range(game.rules.num_streets))
    board = by_street(game, episode.board)
    return episode.actor, tuple(sorted(episode.hole(episode.actor))), board, slots


def kept_by_canonical24(episode) -> tuple:
    """Seat, cards up to the names of suits, and the last steps with their shares of the pot."""
    game = episode.game
    if not is_poker(game):
        dice = tuple(sorted(episode.hand_parts(episode.actor)))
        return episode.actor, dice, tuple(slot for _, slot in episode.steps)
    shares = shares_of(episode)
    steps = [
        (seat, street, min(slot, 2), share)
        for (seat, street, slot), share in zip(steps_of(episode), shares, strict=True)
    ]
    whole = game.rules.limit == _native.Limit.FIXED
    return episode.actor, canonical(episode), tuple(steps if whole else steps[-24:])


def kept_by_table30(episode) -> tuple:
    """Seat, cards as they are, and the last 30 steps: who acted, slot and share of the pot."""
    shares, steps = shares_of(episode), steps_of(episode)
    last = [(s, slot, share) for (s, _, slot), share in zip(steps, shares, strict=True)][-30:]
    hole = tuple(sorted(episode.hole(episode.actor)))
    return episode.actor, hole, by_street(episode.game, episode.board), tuple(last)


KEPT = {
    "slots12": kept_by_slots12,
    "canonical24": kept_by_canonical24,
    "composition": kept_by_canonical24,  # what it adds follows from the cards
    "table30": kept_by_table30,
}


def by_street(game, board) -> tuple:
    """Cards of each street, in any order."""
    streets, left = [], list(board)
    for count in game.rules.board_cards[: game.rules.num_streets]:
        streets.append(tuple(sorted(left[:count])))
        left = left[count:]
    return tuple(streets)


def canonical(episode) -> tuple:
    """The least of all ways to name the suits."""
    game, deck = episode.game, episode.game.rules.deck

    def named(suits) -> tuple:
        hole = tuple(sorted(renamed(deck, episode.hole(episode.actor), suits)))
        return hole, by_street(game, renamed(deck, episode.board, suits))

    return min(map(named, itertools.permutations(range(deck.num_suits))))


def renamed(deck, cards, suits) -> list[int]:
    size = deck.num_suits
    return [int(card // size * size + suits[card % size]) for card in cards]


def steps_of(episode) -> list[tuple[int, int, int]]:
    """Seat, street and slot of every decision, the street by playing it again."""
    replay, steps = replay_of(episode), []
    for seat, street, action, _ in episode.events:
        steps.append((seat, street, replay.offer.index(action)))
        replay.act(action)
    return steps


def replay_of(episode):
    game = episode.game
    return _native.PokerEpisode(game, hole=[[]] * game.num_players, board=episode.board)


def shares_of(episode) -> list[float]:
    """Returns the price of a call and the sizes of raises, as shares of the pot."""
    replay, shares = replay_of(episode), []
    for seat, _, action, added in episode.events:
        pot = replay.pot
        owed = min(max(replay.bets) - replay.bets[seat], replay.stacks[seat])
        chips, whole = (added, pot) if action <= 0 else (action - max(replay.bets), pot + owed)
        shares.append(step_of_share(chips, whole))
        replay.act(action)
    return shares


def step_of_share(chips: int, pot: int) -> float:
    share = int(np.floor(32 * chips / max(pot, 1) + 0.5))
    if share < 64:
        return share / 32
    doublings = int(np.floor(np.log2(share))) - 5
    return min(255, 32 * doublings + share // 2**doublings) / 32


@every_encoder_on_its_games
def test_rows_differ_where_what_is_kept_differs_and_nowhere_else(name: str, game_name: str) -> None:
    game = make_game(game_name)
    encoder = load_encoder(name, game)
    owners: dict[bytes, tuple] = {}
    rows: dict[tuple, bytes] = {}
    for episode in lines(game, seed=2, episodes=100):
        kept, row = KEPT[name](episode), encoder.row(episode).tobytes()
        assert owners.setdefault(row, kept) == kept
        chips = (episode.pot, *episode.stacks) if is_poker(game) else ()
        assert rows.setdefault((kept, chips), row) == row
    assert len(owners) > 10


@pytest.mark.parametrize(
    "game_name", ["limit-holdem", "leduc3", "kuhn 3", "hunl-100bb", "hunl-25bb", "plo5-100bb"]
)
def test_the_whole_history_is_kept_where_raises_are_capped_or_bets_few(game_name: str) -> None:
    game = make_game(game_name)
    encoder = load_encoder("canonical24", game)
    (deeds,) = (field for field in encoder.fields if field.name == "fold, call or raise")
    for episode in lines(game, seed=3, episodes=300):
        assert len(episode.steps) <= deeds.count


@pytest.mark.parametrize("game_name", [name for name in GAMES if "dice" not in name])
@pytest.mark.parametrize("name", ["canonical24", "composition"])
def test_renamed_suits_have_one_canonical_row(name: str, game_name: str) -> None:
    game = make_game(game_name)
    deck = game.rules.deck
    encoder, random = load_encoder(name, game), np.random.default_rng(4)
    for episode in lines(game, seed=4, episodes=25):
        suits = random.permutation(deck.num_suits)
        board, left = [], episode.board
        for count in game.rules.board_cards[: game.rules.num_streets]:
            board += random.permutation(renamed(deck, left[:count], suits)).tolist()
            left = left[count:]
        hole = [renamed(deck, episode.hole(seat), suits) for seat in range(game.num_players)]
        other = replayed(episode, hole, board)
        assert encoder.row(other).tobytes() == encoder.row(episode).tobytes()


def reference_features(episode) -> np.ndarray:
    """The features of slots12, written from docs/encoders.md."""
    game, mine = episode.game, episode.actor
    one_hot = np.eye(64, dtype=np.float32)
    if not is_poker(game):
        parts = [one_hot[mine, : game.num_players]]
        parts += [one_hot[face - 1, : game.num_faces] for face in episode.hand_parts(mine)]
        bids = np.zeros(game.num_actions, np.float32)
        bids[[slot for _, slot in episode.steps]] = 1
        return np.concatenate([*parts, bids])
    rules = game.rules
    parts = [one_hot[mine, : game.num_players], one_hot[episode.street, : rules.num_streets]]
    for cards in (episode.hole(mine), *by_street(game, episode.board)):
        parts.append(one_hot[list(cards), : rules.deck.num_cards].sum(axis=0))
    scale = np.float32(1) / np.float32(max(rules.stacks[: game.num_players]))
    bets, stacks = episode.bets, episode.stacks
    folded = {seat for seat, _, action, _ in episode.events if action < 0}
    chips = [np.float32(episode.pot) * scale, np.float32(max(bets) - bets[mine]) * scale]
    for seat in [(mine + i) % game.num_players for i in range(game.num_players)]:
        chips.append(np.float32(stacks[seat]) * scale)
        chips.append(np.float32(-1) if seat in folded else np.float32(bets[seat]) * scale)
    cap = max(rules.max_raises[: rules.num_streets])
    length = min(12, game.num_players * (min(cap, 12) + 1))
    history = np.zeros((rules.num_streets, length, game.num_actions), np.float32)
    streets = defaultdict(list)
    for _, street, slot in steps_of(episode):
        streets[street].append(slot)
    for street, slots in streets.items():
        for place, slot in enumerate(slots[-length:]):
            history[street, place, slot] = 1
    return np.concatenate([*parts, np.array(chips, np.float32), history.ravel()])


@every_game
def test_slots12_expands_to_its_features(game_name: str) -> None:
    game = make_game(game_name)
    encoder = load_encoder("slots12", game)
    decisions = list(lines(game, seed=5, episodes=30))
    rows = np.stack([encoder.row(episode) for episode in decisions])
    expected = np.stack([reference_features(episode) for episode in decisions])
    found = encoder.expand(rows)
    assert found.shape == expected.shape == (len(rows), encoder.num_features)
    assert found.tobytes() == expected.tobytes()


@every_encoder_on_its_games
def test_native_and_torch_expand_alike(name: str, game_name: str) -> None:
    game = make_game(game_name)
    encoder = load_encoder(name, game)
    rows = np.stack([encoder.row(episode) for episode in lines(game, seed=6, episodes=20)])
    native = encoder.expand(rows)
    assert native.tobytes() == encoder.expand(rows, threads=3).tobytes()
    found = Expansion(encoder)(torch.as_tensor(rows))
    assert found.dtype == torch.float32 and found.numpy().tobytes() == native.tobytes()
    half = Expansion(encoder, torch.bfloat16)(torch.as_tensor(rows))
    assert torch.equal(half, torch.as_tensor(native).to(torch.bfloat16))


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_any_bytes_expand_alike(data: st.DataObject) -> None:
    """Also rows that no decision has, if only the first mark is there."""
    name = data.draw(st.sampled_from(OF_POKER))
    games = ["leduc", "nlhe 6", "nlhe deep", "liars-dice-1x4f"]
    game = make_game(data.draw(st.sampled_from(games[1:3] if name in ONLY_HOLDEM else games)))
    encoder = load_encoder(name, game)
    seed = data.draw(st.integers(0, 2**32 - 1))
    rows = np.random.default_rng(seed).integers(0, 128, (5, encoder.row_bytes), dtype=np.uint8)
    rows[np.random.default_rng(seed + 1).random(rows.shape) < 0.3] = 255
    for field in encoder.fields:
        if field.kind == "numbers":
            rows[:, field.byte : field.byte + field.num_bytes] &= 127
    rows[:, 0] = data.draw(st.integers(0, game.num_players - 1))
    # Two fields that give to one feature: no row has both.
    for field in encoder.fields:
        if field.kind == "bits" and field.stride == 2:
            rows[:, field.byte : field.byte + field.num_bytes] = 0
    found = Expansion(encoder)(torch.as_tensor(rows)).numpy()
    np.testing.assert_array_equal(found, encoder.expand(rows))


GOLDEN = {
    "slots12": "ffbbeccdf7f2e5f7",
    "canonical24": "5b90b9e47c4ad928",
    "composition": "edefddbfad84e5d5",
    "table30": "17f69c3aa671a13c",
}


@every_encoder
def test_rows_and_features_are_those_of_the_version(name: str) -> None:
    """To change the rows, raise the version in the encoder and in ENCODERS, then this."""
    digest = hashlib.sha256()
    games = ("kuhn", "leduc", "nlhe", "nlhe 6", "liars-dice-1x4f")
    for game_name in games[2:4] if name in ONLY_HOLDEM else games:
        game = make_game(game_name)
        encoder = load_encoder(name, game)
        assert (encoder.name, encoder.version) == (name, ENCODERS[name])
        for episode in lines(game, seed=7, episodes=20):
            row = encoder.row(episode)
            digest.update(row.tobytes() + encoder.expand(row[None]).tobytes())
    assert digest.hexdigest()[:16] == GOLDEN[name]


def test_rows_are_compact() -> None:
    for name in OF_EVERY_GAME:
        for players in (2, 6):
            assert load_encoder(name, load_game("nlhe", players=players)).row_bytes <= 110
    assert load_encoder("composition", load_game("plo5-100bb")).row_bytes <= 100


def test_what_does_not_fit_is_refused() -> None:
    game = load_game("leduc")
    with pytest.raises(InputError, match="did you mean 'slots12'"):
        load_encoder("slots13", game)
    with pytest.raises(InputError, match="version 7 was recorded, and this is 1"):
        check_encoder("slots12", 7)
    with pytest.raises(InputError, match="no encoder is called"):
        check_encoder("pixels", 1)
    for name, version in ENCODERS.items():
        check_encoder(name, version)
    encoder = load_encoder("slots12", game)
    with pytest.raises(ValueError, match="rows: must be"):
        encoder.expand(np.zeros((2, encoder.row_bytes + 1), np.uint8))
    with pytest.raises(ValueError, match="another game"):
        encoder.row(_native.PokerEpisode(load_game("kuhn")))
    with pytest.raises(ValueError, match="unknown"):
        encoder.row(_native.PokerEpisode(game, hole=[[], []]))
    assert f"{encoder.row_bytes} bytes" in describe_encoder(encoder)
