# SPDX-License-Identifier: MIT
"""The encoder `table30` against the public log of episodes and against trying all cards."""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from card_sight import CATEGORIES, Sight
from random_tables import TABLES, random_game
from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.encoders import load_encoder
from regretless.networks.expansion import Expansion

CARDS, STATE, HAND, HISTORY = 0, 364, 410, 462  # where each part begins
RECORDS = 30
PAGE = Path(__file__).parents[2] / "docs" / "encoders.md"
seeds = st.integers(0, 2**32 - 1)
players = st.integers(2, 9)


def decisions(game, random, folds=0.1):
    """Those of one random episode, each as an episode that stands there."""
    episode = _native.PokerEpisode(game, seed=random.randrange(2**32), index=0)
    while not episode.is_terminal:
        yield episode.copy()
        legal = np.flatnonzero(episode.legal).tolist()
        slot = 1 if random.random() < 0.5 else random.choice(legal)
        episode.choose(slot if slot or random.random() < folds else legal[-1])


def features_of(encoder, episode):
    return encoder.expand(encoder.row(episode)[None])[0]


def replayed(episode, hole=None, board=None, game=None, scale=1):
    """Replays the actions with other cards, or in a game of larger chips."""
    other = _native.PokerEpisode(
        game or episode.game,
        hole=hole or [episode.hole(seat) for seat in range(episode.game.num_players)],
        board=episode.board if board is None else board,
    )
    for _, _, action, _ in episode.events:
        other.act(action * scale if action > 0 else action)
    return other


def renamed(cards, suits):
    return [card // 4 * 4 + suits[card % 4] for card in cards]


# What does not depend on the table


@pytest.mark.parametrize("menu", ["nfsp-9", "min,a", "25%,33%,50%,66%,75%,100%,150%,200%,a"])
def test_the_features_are_the_same_whatever_the_number_of_players(menu: str) -> None:
    encoders = [load_encoder("table30", load_game("nlhe", players=n, menu=menu)) for n in (2, 6, 9)]
    slots = len(load_game("nlhe", menu=menu).menu.slots)
    assert {encoder.num_features for encoder in encoders} == {HISTORY + RECORDS * (2 + slots)}
    assert {encoder.row_bytes for encoder in encoders} == {139}
    described = {
        tuple(
            (f.name, f.kind, f.byte, f.count, f.width, f.feature, f.stride, f.scale)
            for f in e.fields
        )
        for e in encoders
    }
    assert len(described) == 1


@settings(max_examples=60, deadline=None)
@given(seed=seeds, n=players, ante=st.sampled_from([0, 1]), level=st.sampled_from([3, 25, 50]))
def test_blind_levels_do_not_show(seed: int, n: int, ante: int, level: int) -> None:
    random = Random(seed)
    stacks = [random.randint(3, random.choice([10, 100, 800])) for _ in range(n)]

    def at_level(scale):
        chips = {"small_blind": scale, "big_blind": 2 * scale, "antes": ante * scale}
        stacks_there = [stack * scale for stack in stacks]
        # Sizes that are whole chips at every level.
        return load_game("nlhe", players=n, stacks=stacks_there, menu="min,100%,200%,a", **chips)

    low, high = at_level(1), at_level(level)
    encoder, other = load_encoder("table30", low), load_encoder("table30", high)
    for episode in decisions(low, random):
        row = other.row(replayed(episode, game=high, scale=level))
        assert row.tobytes() == encoder.row(episode).tobytes()


@settings(max_examples=60, deadline=None)
@given(seed=seeds, n=players)
def test_hidden_cards_do_not_show(seed: int, n: int) -> None:
    game, random = load_game("nlhe", players=n), Random(seed)
    encoder = load_encoder("table30", game)
    for episode in decisions(game, random):
        mine, board = episode.actor, episode.board
        rest = [card for card in range(52) if card not in {*episode.hole(mine), *board}]
        random.shuffle(rest)
        hole = [[rest.pop(), rest.pop()] for _ in range(n)]
        hole[mine] = episode.hole(mine)
        assert encoder.row(replayed(episode, hole)).tobytes() == encoder.row(episode).tobytes()
        # Nor does what is still to come.
        more = replayed(episode, hole, [*board, *rest[: 5 - len(board)]])
        assert encoder.row(more).tobytes() == encoder.row(episode).tobytes()


# Cards


@settings(max_examples=80, deadline=None)
@given(
    seed=seeds,
    n=players,
    suits=st.permutations(range(4)),
    name=st.sampled_from(["table30", "slots12"]),
)
def test_suits_can_be_renamed_and_hole_cards_swapped_in_rows(seed, n, suits, name) -> None:
    game, random = load_game("nlhe", players=n), Random(seed)
    encoder = load_encoder(name, game)
    hole_bytes, board_bytes = encoder.hole_bytes, encoder.board_bytes
    assert (len(hole_bytes), len(board_bytes)) == (2, 5)
    for episode in decisions(game, random):
        row = encoder.row(episode)
        assert sorted(row[hole_bytes]) == sorted(episode.hole(episode.actor))
        shown = [card for card in row[board_bytes].tolist() if card != 255]
        assert sorted(shown[:3]) == sorted(episode.board[:3]) and shown[3:] == episode.board[3:]
        hole = [renamed(episode.hole(seat), suits)[::-1] for seat in range(n)]
        expected = encoder.row(replayed(episode, hole, renamed(episode.board, suits)))
        table = np.array([*renamed(range(52), suits), *[255] * 204], np.uint8)
        changed = row.copy()
        changed[[*hole_bytes, *board_bytes]] = table[row[[*hole_bytes, *board_bytes]]]
        # Cards dealt together stand in the order of the deck.
        for together in (hole_bytes, board_bytes[:3]):
            changed[together] = np.sort(changed[together])
        assert changed.tobytes() == expected.tobytes()
        features = Expansion(encoder)(torch.as_tensor(np.stack([changed])))[0].numpy()
        assert features.tobytes() == encoder.expand(expected[None])[0].tobytes()
        swapped = changed.copy()
        swapped[hole_bytes] = changed[hole_bytes[::-1]]
        if name == "table30":
            swapped = encoder.expand(swapped[None])[0]
            assert swapped[:52].tobytes() == features[52:104].tobytes()
            assert swapped[52:104].tobytes() == features[:52].tobytes()
            assert swapped[104:].tobytes() == features[104:].tobytes()
            before = features_of(encoder, episode)
            assert before[STATE:].tobytes() == features[STATE:].tobytes()


def test_who_renames_suits_or_shows_no_cards_has_no_bytes_of_cards() -> None:
    game = load_game("nlhe", players=3)
    for name in ("canonical24", "composition"):
        encoder = load_encoder(name, game)
        assert encoder.hole_bytes == encoder.board_bytes == []
    dice = load_encoder("slots12", load_game("liars-dice-1x4f"))
    assert dice.hole_bytes == dice.board_bytes == []
    seats = _native.Encoder(game, "table30/seats")
    assert seats.hole_bytes == [0, 1, 139, 140, 278, 279]
    assert seats.board_bytes == [139 * seat + byte for seat in range(3) for byte in range(2, 7)]


@cache
def cards_game():
    game = load_game("nlhe")
    return game, load_encoder("table30", game)


@st.composite
def situations(draw):
    """Hole and board cards; suits and ranks are few, so that much is made of them."""
    first, width = draw(st.integers(0, 12)), draw(st.integers(5, 13))
    few = draw(st.integers(2, 4))
    fits = [card for card in range(52) if card % 4 < few and (card // 4 - first) % 13 < width]
    count = draw(st.sampled_from((0, 3, 4, 5)))
    dealt = draw(
        st.lists(st.sampled_from(fits), unique=True, min_size=2 + count, max_size=2 + count)
    )
    return dealt[:2], dealt[2:]


def features_of_cards(hole, board):
    game, encoder = cards_game()
    others = [card for card in range(52) if card not in {*hole, *board}]
    seat = 0 if board else 1
    hands = [others[:2], others[:2]]
    hands[seat] = hole
    episode = _native.PokerEpisode(game, hole=hands, board=board)
    while len(episode.board) < len(board):
        episode.call()
    assert episode.actor == seat
    return features_of(encoder, episode)


@settings(max_examples=250, deadline=None)
@given(situation=situations())
def test_cards_are_shown_by_their_index(situation) -> None:
    hole, board = situation
    marked = np.flatnonzero(features_of_cards(hole, board)[:STATE]).tolist()
    cards = [*sorted(hole), *sorted(board[:3]), *board[3:]]
    assert marked == [52 * place + card for place, card in enumerate(cards)]


def flush_order(sight):
    """4 for the nuts, one less for each higher card that is missing, 1 at least; 0 for none."""
    made = sight.flushes()
    drawn = {
        suit for card in next_cards(sight) for suit in sight.flushes([*sight.board, card]) - made
    }
    order = 0
    for suit in made | drawn:
        mine = max(card for card in sight.hole if sight.suit(card) == suit)
        higher = [card for card in sight.unseen() if sight.suit(card) == suit and card > mine]
        order = max(order, 4 - min(len(higher), 3))
    return order


def next_cards(sight):
    return sight.unseen() if sight.to_come and sight.board else []


def three_to_a_straight(sight):
    """Two cards are to come, and two of them at least are needed."""
    ranks, shown = set(sight.ranks([*sight.hole, *sight.board])), set(sight.ranks(sight.board))
    mine = set(sight.ranks(sight.hole)) - shown
    return any(len(w & ranks) == 3 and w & mine for w in sight.windows())


def expected_numbers(sight):
    """Features 428 to 441, by docs/encoders.md, before they are scaled."""
    hole, board = sight.ranks(sight.hole), sight.ranks(sight.board)
    kickers = [] if hole[0] == hole[1] else [rank + 1 for rank in hole if rank not in board]
    flush_cards = {
        card for card in next_cards(sight) if sight.flushes([*sight.board, card]) - sight.flushes()
    }
    straight_cards = set().union(*sight.next_straights()) if board else set()
    suits = Counter(map(sight.suit, sight.board))
    windows = [len(window & set(board)) for window in sight.windows()]
    above = sum(rank > max(board) for rank in hole) if board else 0
    return [
        *(max(hole) + 1, min(hole) + 1, max(kickers, default=0)),
        *(max(board, default=-1) + 1, min(board, default=-1) + 1),
        *(len(flush_cards), len(straight_cards), len(flush_cards | straight_cards)),
        *(above, flush_order(sight), max(suits.values(), default=0), max(windows)),
        *(sum(count >= 3 for count in windows), len({rank for rank in board if rank > max(hole)})),
    ]


def expected_bits(sight):
    """Features 442 to 461, by docs/encoders.md."""
    hole, board = sorted(sight.ranks(sight.hole)), sorted(sight.ranks(sight.board), reverse=True)
    is_pair = hole[0] == hole[1]
    apart = hole[1] - hole[0]
    if hole[1] == 12:
        apart = min(apart, hole[0] + 1)
    order = sorted(set(board), reverse=True)
    shared = set(hole) & set(board)
    held, shown = Counter(hole), Counter(board)
    alike = sorted(shown.values(), reverse=True)
    suits_shown = Counter(map(sight.suit, sight.board))
    suits = Counter(map(sight.suit, [*sight.hole, *sight.board]))
    mine = {sight.suit(card) for card in sight.hole}
    is_better = plays_board = False
    if board:
        is_better = CATEGORIES.index(sight.best_category()) > board_category(sight)
        plays_board = len(board) == 5 and evaluate_cards(
            *sight.hole, *sight.board
        ) == evaluate_cards(*sight.board)
    is_flop = len(board) == 3
    pairs_shown = sum(count == 2 for count in alike)
    return [
        *(is_pair, len(mine) == 1, apart == 1, apart == 2, apart in (3, 4)),
        *(any(rank in shared for rank in order[i:j]) for i, j in ((0, 1), (1, 2), (2, 5))),
        bool(board) and is_pair and hole[0] > board[0],
        bool(board) and is_pair and hole[0] < board[0],
        any(held[rank] == 2 for rank in shared),
        not is_pair and any(shown[rank] >= 2 for rank in shared),
        *(is_better, plays_board),
        is_flop and any(suits[suit] == 3 for suit in mine),
        is_flop and three_to_a_straight(sight),
        max(suits_shown.values(), default=0) >= 3,
        alike[:1] == [2] and pairs_shown == 1,
        alike[:1] == [2] and pairs_shown == 2,
        bool(alike) and alike[0] >= 3,
    ]


def board_category(sight):
    if len(sight.board) == 5:
        return CATEGORIES.index(sight.category(sight.board))
    alike = sorted(Counter(sight.ranks(sight.board)).values(), reverse=True)
    names = {(2, 1): "pair", (2, 1, 1): "pair", (2, 2): "two pair", (3,): "trips", (3, 1): "trips"}
    return CATEGORIES.index({**names, (4,): "quads"}.get(tuple(alike), "high card"))


@settings(max_examples=300, deadline=None)
@given(situation=situations())
def test_facts_of_the_hand(situation) -> None:
    hole, board = situation
    sight, features = Sight(cards_game()[0], hole, board), features_of_cards(hole, board)
    made = [CATEGORIES.index(sight.best_category())] if board else []
    assert np.flatnonzero(features[418:427]).tolist() == made
    scales = np.repeat([1 / 13, 1 / 16, 1 / 5], [5, 3, 6]).astype(np.float32)
    expected = np.array(expected_numbers(sight), np.float32) * scales
    np.testing.assert_array_equal(features[428:442], expected)

    np.testing.assert_array_equal(features[442:462], expected_bits(sight))


def test_strength_and_its_powers_are_those_of_questions() -> None:
    game = load_game("nlhe", players=6)
    encoder = load_encoder("table30", game)
    job = _native.SelfPlay(game, 400, chips=True, encoders=["table30"], tables=400)
    random, before = np.random.default_rng(1), {}
    while (questions := job.ask()) is not None:
        features = encoder.expand(questions.rows("table30"))
        strengths = np.array(questions.hand_strengths, np.float64)
        np.testing.assert_allclose(features[:, HAND], strengths, rtol=0, atol=0.51 / 65535)
        powers = strengths[:, None] ** np.arange(2, 9)
        np.testing.assert_allclose(features[:, 411:418], powers, rtol=0, atol=0.51 / 255)
        keys = zip(questions.episodes.tolist(), questions.actors.tolist(), strict=True)
        for i, key in enumerate(keys):
            if questions.streets[i] == 0:
                before[key] = strengths[i]
            if key in before:
                assert abs(features[i, 427] - before[key]) <= 0.51 / 255
        legal = np.array(questions.legal, np.float32) * random.random(questions.legal.shape)
        job.answer(np.float32(legal / legal.sum(axis=1, keepdims=True)))


# The table


class Log:
    """Chips as they stand after the public events of an episode, counted from the first ante."""

    def __init__(self, episode):
        rules, n = episode.game.rules, episode.game.num_players
        self.stacks = rules.stacks[:n]
        self.paid, self.bets = [0] * n, [0] * n
        antes = rules.antes[:n]
        for seat in range(n):
            self.pay(seat, antes[seat])
        if len(set(antes)) == 1:
            self.give_back(self.paid)
        for seat in range(n):
            self.bets[seat] += self.pay(seat, rules.blinds[seat])
        self.folded, street = set(), 0
        for seat, at, action, added in episode.events:
            self.go_to(street, at)
            street = at
            assert self.pay(seat, added) == added
            self.bets[seat] += added
            if action == -1:
                self.folded.add(seat)
        self.go_to(street, episode.street)
        self.pot = sum(self.paid)

    def pay(self, seat, chips):
        chips = min(chips, self.stacks[seat])
        self.stacks[seat] -= chips
        self.paid[seat] += chips
        return chips

    def go_to(self, street, other):
        if other > street:
            self.give_back(self.bets)
            self.bets = [0] * len(self.bets)

    def give_back(self, bets):
        """Returns the chips that nobody matched."""
        second, first = sorted(bets)[-2:]
        seat = bets.index(first)
        self.stacks[seat] += first - second
        self.paid[seat] -= first - second


def share(chips, pot):
    """The share of the pot as a feature, by docs/encoders.md."""
    exact = Fraction(chips) / max(Fraction(pot), 1)
    steps = int(32 * exact + Fraction(1, 2))
    doublings = 0
    while steps >= 64:
        steps, doublings = steps // 2, doublings + 1
    return min(255, 32 * doublings + steps) / 32


def units(chips, unit):
    return min(65535, int(Fraction(64 * chips, unit) + Fraction(1, 2))) / 6400


def yet_to_act(episode):
    """Counts the players who act on this street if the actor and all after him call."""
    game, n = episode.game, episode.game.num_players
    copy = replayed(episode, [[]] * n)  # no board is known beyond this street
    copy.call()
    count = 0
    while copy.actor >= 0 and copy.street == episode.street:
        copy.call()
        count += 1
    assert count < game.num_players
    return count


def deeds_of(episode):
    """Raises and calls by whose they are and street, and the seat of the last raise."""
    mine, found, last = episode.actor, np.zeros((2, 2, 4)), None
    for event, (_, _, slot, part) in zip(episode.events, steps_of(episode), strict=True):
        seat, street, _, _ = event
        if slot >= 2:
            found[int(seat != mine), 0, street] += 1
            last = seat
        elif slot == 1 and part > 0:
            found[int(seat != mine), 1, street] += 1
    return found, last


def steps_of(episode):
    """Seat, street, slot and share of the pot of every step, by playing it again."""
    game, steps = episode.game, []
    replay = _native.PokerEpisode(game, hole=[[]] * game.num_players, board=episode.board)
    for seat, street, action, added in episode.events:
        owed = min(max(replay.bets) - replay.bets[seat], replay.stacks[seat])
        chips, pot = added, replay.pot
        if action > 0:
            chips, pot = action - max(replay.bets), replay.pot + owed
        steps.append((seat, street, replay.offer.index(action), share(chips, pot)))
        replay.act(action)
    return steps


def expected_state(episode):
    """The 46 numbers, by docs/encoders.md, from the log."""
    rules, n, mine = episode.game.rules, episode.game.num_players, episode.actor
    log = Log(episode)
    others = [seat for seat in range(n) if seat not in log.folded and seat != mine]
    stack, bet, pot = log.stacks[mine], log.bets[mine], log.pot
    call = min(stack, max(log.bets) - bet)
    most = max(log.stacks[seat] + log.bets[seat] for seat in others)
    effective = min(stack, max(most - bet, 0))  # a blind may be more than others have
    least, largest = (each - bet for each in episode.raise_range or (bet, bet))
    chips = [pot, call, stack, effective, least, largest, log.paid[mine]]
    stacks, bets = [log.stacks[seat] for seat in others], [log.bets[seat] for seat in others]
    shares = [effective, max(stacks), min(stacks), Fraction(sum(stacks), len(others))]
    shares += [max(bets), Fraction(sum(bets), len(others))]
    deeds, last = deeds_of(episode)
    live = [*others, mine]
    seats = [n, len(live), sum(log.stacks[seat] == 0 for seat in live), yet_to_act(episode)]
    seats += [n - 1 - mine, 0 if last is None else (last - mine) % n]
    raises = sum(action > 0 and at == episode.street for _, at, action, _ in episode.events)
    counts = [raises, *deeds.ravel()]
    small, big = (1, 0) if n == 2 else (0, 1)
    return [
        *(street == episode.street for street in range(4)),
        *(units(each, rules.unit) for each in chips),
        int(Fraction(255 * call, max(pot + call, 1)) + Fraction(1, 2)) / 255,
        *(share(each, pot) for each in shares),
        *(each / 9 for each in seats),
        *(min(each, 15) / 4 for each in counts),
        *(mine == n - 1, mine == small, mine == big, last == mine, last not in (None, mine)),
    ]


HOLDEM_TABLES = [name for name in TABLES if name.startswith(("nlhe", "limit"))]


@settings(max_examples=150, deadline=None)
@given(seed=seeds, table=st.sampled_from(HOLDEM_TABLES))
@example(seed=224, table="nlhe-6")
def test_the_state_is_that_of_the_public_log(seed: int, table: str) -> None:
    random = Random(seed)
    game = random_game(TABLES[table], random)
    encoder = load_encoder("table30", game)
    for episode in decisions(game, random):
        found = features_of(encoder, episode)[STATE:HAND]
        np.testing.assert_allclose(found, expected_state(episode), rtol=1e-6, atol=1e-7)
        assert np.all(found >= 0) and np.all(found <= 10.25)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, n=players, menu=st.sampled_from(["nfsp-9", "min,a"]))
def test_the_history_is_the_last_30_steps_in_order(seed: int, n: int, menu: str) -> None:
    random = Random(seed)
    game = load_game("nlhe", players=n, menu=menu, stacks=random.choice([1_000, 10_000, 10**7]))
    encoder, slots = load_encoder("table30", game), len(game.menu.slots)
    for episode in decisions(game, random, folds=0.3):
        records = features_of(encoder, episode)[HISTORY:].reshape(RECORDS, 2 + slots)
        expected = np.zeros_like(records)
        for record, (seat, _, slot, part) in zip(
            expected, steps_of(episode)[-RECORDS:], strict=False
        ):
            record[0] = np.float32((seat - episode.actor) % n) * np.float32(1 / 9)
            record[1 + slot] = 1
            record[-1] = part
        assert records.tobytes() == expected.tobytes()
        count = min(len(episode.events), RECORDS)
        assert np.all(records[:count, 1:-1].sum(axis=1) == 1) and not records[count:].any()


def test_more_than_30_steps_push_out_the_first() -> None:
    game = load_game("nlhe", players=9, menu="min,a", stacks=10**7)
    encoder = load_encoder("table30", game)
    episode = _native.PokerEpisode(game, seed=1, index=0)
    for step in range(40):
        episode.choose(2 if step % 3 == 0 else 1)  # the street does not end
    records = features_of(encoder, episode)[HISTORY:].reshape(RECORDS, 6)
    slots = np.argmax(records[:, 1:-1], axis=1).tolist()
    assert slots == [2 if step % 3 == 0 else 1 for step in range(10, 40)]


# What is said of it


def test_games_that_do_not_fit_are_refused() -> None:
    for name in ("plo5", "short-deck", "leduc", "turn-endgame"):
        with pytest.raises(
            InputError, match=r"^encoder 'table30': needs hold'em with two hole cards"
        ):
            load_encoder("table30", load_game(name))
    nine = load_game("nlhe", players=9)
    rules = nine.rules.copy()
    rules.num_players, rules.stacks = 10, [100] * 10
    with pytest.raises(InputError, match=r"^encoder 'table30': needs 2 to 9 players, not 10$"):
        load_encoder("table30", _native.Poker(rules, nine.menu))
    with pytest.raises(InputError, match=r"^encoder 'table30': only poker has cards$"):
        load_encoder("table30", load_game("liars-dice-1x4f"))


def test_the_page_lists_every_feature_with_its_step() -> None:
    """The table in docs/encoders.md has lines `| first to last | what | step |`."""
    _, encoder = cards_game()
    steps = {}
    for field in encoder.fields:
        width = field.width if field.kind == "marks" else 1
        for i in range(field.count):
            first = field.feature + i * field.stride
            scale = 1.0 if field.kind == "marks" else field.scale
            steps |= dict.fromkeys(range(first, first + width), scale)
    section = PAGE.read_text(encoding="utf-8").split("## `table30`")[1].split("\n## ")[0]
    listed = []
    for first, last, step in re.findall(
        r"^\| (\d+)(?: to (\d+))? \| .+ \| (\d+(?:/\d+)?) \|$", section, re.MULTILINE
    ):
        for feature in range(int(first), int(last or first) + 1):
            listed.append(feature)
            assert np.float32(float(Fraction(step))) == np.float32(steps[feature]), feature
    assert listed == list(range(HISTORY))
    assert f"{encoder.row_bytes} bytes" in section and f"{encoder.num_features} features" in section
