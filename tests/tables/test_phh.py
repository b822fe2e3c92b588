# SPDX-License-Identifier: MIT
import random
import re
import tomllib
from contextlib import suppress
from decimal import Decimal

import pokerkit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.histories.phh import (
    _plain_fields,
    read_phh,
    read_phh_file,
    read_phh_hand,
    read_phhs,
    write_phh,
    write_phhs,
)
from regretless.notation.cards import parse_cards

HAND = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 5000]
actions = [
  'd dh p1 ????',
  'd dh p2 JhJs',
  'p2 cbr 300 # the button opens',
  'p1 cc',
  'd db 2c7dKh',
  '# a pause',
  'p1 cc',
  'p2 cbr 400',
  'p1 cbr 4700',
  'p2 cc',
  'p1 sm KsKd',
  'p2 sm JhJs',
  'd db 9s',
  'd db 3h',
]
players = ['Alice', "Bob"]
"""
# All amounts are multiples of this, so that up to six winners share every pot evenly: the two
# engines give odd chips to different players where there are side pots.
UNIT = 60


def random_game(generator: random.Random) -> _native.Poker:
    name = generator.choice(["nlhe", "limit-holdem", "plo4", "short-deck"])
    players = generator.choice([2, 2, 3, 4, 6])
    stacks = [UNIT * generator.choice([1, 2, 5, 12, 30, 100]) for _ in range(players)]
    options = {"players": players, "stacks": stacks, "antes": UNIT * generator.choice([0, 0, 1, 2])}
    if name == "short-deck":
        return load_game(name, **{**options, "antes": UNIT}, button_blind=UNIT, bets=UNIT)
    if players > 2:
        options["straddle"] = UNIT * generator.choice([0, 0, 4])
    if name == "limit-holdem":
        options["bets"] = [2 * UNIT, 2 * UNIT, 4 * UNIT, 4 * UNIT]
    return load_game(name, **options, small_blind=UNIT, big_blind=2 * UNIT)


def random_action(generator: random.Random, raise_range: tuple[int, int] | None) -> int:
    if raise_range is None or generator.random() < 0.6:
        return 0
    least, most = raise_range
    return generator.choice([least, most, UNIT * generator.randint(least // UNIT, most // UNIT)])


def play(episode: _native.PokerEpisode, generator: random.Random) -> None:
    while not episode.is_terminal:
        folds = episode.can_fold and generator.random() < 0.15
        episode.act(-1 if folds else random_action(generator, episode.raise_range))


def final_stacks(episode: _native.PokerEpisode) -> list[int]:
    return [s + p for s, p in zip(episode.game.rules.stacks, episode.payoffs, strict=True)]


@pytest.mark.parametrize("seed", range(6))
def test_what_we_write_is_replayed_by_pokerkit(seed):
    generator = random.Random(seed)
    for index in range(40):
        episode = _native.PokerEpisode(random_game(generator), seed=seed, index=index)
        play(episode, generator)
        history = pokerkit.HandHistory.loads(write_phh(episode))
        steps = list(history.state_actions)
        # The replay of pokerkit repairs histories; nothing may need it.
        assert [action for _, action in steps if action is not None] == history.actions
        assert not steps[-1][0].status
        assert list(steps[-1][0].stacks) == final_stacks(episode) == history.finishing_stacks


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_what_we_write_is_read(seed):
    generator = random.Random(seed)
    episode = _native.PokerEpisode(random_game(generator), seed=seed)
    play(episode, generator)
    text = write_phh(episode)
    again = read_phh(text)
    assert write_phh(again) == text
    assert (again.events, again.payoffs) == (episode.events, episode.payoffs)


POKERKIT_GAMES = [
    (pokerkit.NoLimitTexasHoldem, (2 * UNIT,)),
    (pokerkit.FixedLimitTexasHoldem, (2 * UNIT, 4 * UNIT)),
    (pokerkit.NoLimitShortDeckHoldem, (2 * UNIT,)),
    (pokerkit.PotLimitOmahaHoldem, (2 * UNIT,)),
]


def play_pokerkit(kind, bets, generator: random.Random) -> tuple[str, list[int]]:
    """A random hand of pokerkit as it dumps it, and its final stacks."""
    automations = tuple(a for a in pokerkit.Automation)
    players = generator.choice([2, 2, 3, 6])
    stacks = [UNIT * generator.choice([3, 12, 30, 100]) for _ in range(players)]
    antes = [UNIT * generator.choice([0, 1])] * players
    game = kind(automations, True, antes, (UNIT, 2 * UNIT), *bets, mode=pokerkit.Mode.CASH_GAME)
    state = game(stacks, players)
    while state.status:
        least, most = (
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )
        # pokerkit lets those who have spoken raise after a first bet that is not full; we do not.
        full = state.street.min_completion_betting_or_raising_amount
        may_raise = least is not None and least >= max(state.bets) + full
        action = random_action(generator, (least, most) if may_raise else None)
        if action:
            state.complete_bet_or_raise_to(action)
        elif state.checking_or_calling_amount and generator.random() < 0.15:
            state.fold()
        else:
            state.check_or_call()
    history = pokerkit.HandHistory.from_game_state(game, state, ante_trimming_status=True)
    return history.dumps(), list(state.stacks)


@pytest.mark.parametrize(("kind", "bets"), POKERKIT_GAMES)
def test_what_pokerkit_writes_is_read(kind, bets):
    generator = random.Random(5)
    random.seed(5)  # pokerkit shuffles with the global generator
    for _ in range(40):
        text, stacks = play_pokerkit(kind, bets, generator)
        assert final_stacks(read_phh(text)) == stacks, text


def test_read_hand():
    episode = read_phh(HAND, menu="50%,a")
    assert (episode.game.name, episode.game.menu.slots[2:]) == ("nlhe", ["50%", "all-in"])
    assert episode.game.rules.blinds == [100, 50]
    deck = episode.game.rules.deck
    assert episode.hole(0) == list(parse_cards("KsKd", deck))  # shown at the end
    assert final_stacks(episode) == [15000, 0]


def test_unknown_hands_stay_unknown():
    episode = read_phh(HAND.replace("'p1 sm KsKd',", "").replace("'d db 3h',", ""))
    assert (episode.hole(0), episode.actor) == ([], _native.CHANCE)
    text = write_phh(episode)
    assert "'d dh p1 ????'" in text and "finishing_stacks" not in text and " sm " not in text
    assert write_phh(read_phh(text)) == text


def test_cards_one_by_one():
    text = HAND.replace("'d dh p2 JhJs'", "'d dh p2 Jh', 'd dh p2 Js'")
    text = text.replace("'d db 2c7dKh'", "'d db 2c', 'd db 7dKh'")
    assert read_phh(text).payoffs == read_phh(HAND).payoffs


def test_scale_reads_decimals():
    text = re.sub(r"\b[0-9]{2,}\b", lambda match: f"{int(match[0]) / 100:.2f}", HAND)
    assert "starting_stacks = [100.00, 50.00]" in text and "cbr 47.00" in text
    with pytest.raises(InputError, match=r"x: blinds_or_straddles\[0\]: .* larger scale"):
        read_phh(text, "x", 1)
    assert read_phh(text, scale=100).events == read_phh(text).events == read_phh(HAND).events


def test_players_and_several_hands(tmp_path):
    episode = read_phh(HAND)
    names = ['quote " and \\', "tab\t \x7f é"]
    assert pokerkit.HandHistory.loads(write_phh(episode, names)).players == names
    path = tmp_path / "hands.phhs"
    path.write_text(write_phhs([episode, episode]))
    hands = read_phh_file(path)
    assert [hand.events for hand in hands] == [episode.events] * 2
    assert len(list(pokerkit.HandHistory.loads_all(path.read_text()))) == 2
    single = tmp_path / "hand.phh"
    single.write_text(HAND)
    assert len(read_phh_file(single)) == 1
    with pytest.raises(InputError, match="hands: line 1: must stand in a table"):
        list(read_phhs(HAND.splitlines(True), "hands"))
    with pytest.raises(InputError, match=r"hands: \[2\]: variant is missing"):
        list(read_phhs((write_phhs([episode]) + "[2]").splitlines(True), "hands"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variant =", "variant", "x: Expected '=' after a key in a key/value pair (at line 1"),
        ("'NT'", "'FO/8'", "x: variant: no code 'FO/8'; there are FT, NT, NS, PO"),
        ("'NT'", "['NT']", "x: variant: no code ['NT']"),
        ("'NT'", "'PO'", "'p1 cbr 4700': raise to 4700: must be 800 to 1800"),
        ("antes = [0, 0]", "", "x: antes is missing"),
        ("antes = [0, 0]", "antes = 0", "x: antes: must be a list"),
        ("antes = [0, 0]", "antes = [-1, 0]", "x: antes[0]: must be 0 to 100000000 chips"),
        ("min_bet = 100", "min_bet = true", "x: min_bet: must be a number, not True"),
        ("min_bet = 100", "min_bet = 0", "x: bets[0]: must be positive"),
        ("[10000, 5000]", "[10000, -inf]", "x: starting_stacks[1]: -Infinity is not an amount"),
        ("[10000, 5000]", "[10000, 1e30]", "x: starting_stacks[1]: 1E+30 is not an amount"),
        ("[10000, 5000]", "[10000]", "x: starting_stacks: must be 2 to 10 players"),
        ("[10000, 5000]", "[10000, 0]", "x: stacks[1]: must be 1 to"),
        ("'p1 cc'", "7", "x: actions: must be a list of strings"),
        ("JhJs", "JhJh", "x: actions[1]: 'd dh p2 JhJh': card given twice"),
        ("JhJs", "JhJx", "x: actions[1]: 'd dh p2 JhJx': unknown card"),
        ("JhJs", "JhJsJd", "x: actions[1]: 'd dh p2 JhJsJd': a hand has 2 cards"),
        ("p2 cbr 300", "p3 cbr 300", "actions[2]: 'p3 cbr 300 # the button opens': players are p1"),
        ("p2 cbr 300", "p1 cbr 300", "actions[2]: 'p1 cbr 300 # the button opens': p2 is to act"),
        ("p2 cbr 300", "p2 cbr 150", "raise to 150: must be 200 to 5000"),
        ("p2 cbr 300", "p2 cbr x", "the amount must be a number"),
        ("p2 cbr 300", "p2 cbr 0", "the amount must be positive"),
        ("p2 cbr 300", "p2 sd", "not an action of this game"),
        ("d db 2c7dKh", "d db ??????", "actions[4]: 'd db ??????': board cards must be known"),
        ("d db 2c7dKh", "d db 2c7dKh5h", "no board cards are due"),
        ("'d db 2c7dKh',", "", "board cards are due"),
        ("p1 sm KsKd", "p1 sm KsKh", "is dealt twice"),
        ("p2 sm JhJs", "p2 sm JhJd", "these are not the cards that were dealt"),
        ("'d db 3h'", "'d db 3h', 'p1 cc'", "the episode is over"),
        ("p1 ????", "p1 Jh", "x: actions[1]: 'd dh p2 JhJs': Jh is dealt twice"),
        ("p1 ????", "p1 2c", "x: actions[4]: 'd db 2c7dKh': 2c is dealt twice"),
        ("p1 ????", "p1 As?garbage", "x: actions[0]: 'd dh p1 As?garbage': unknown card"),
        ("p1 ????", "p1 ????zz", "x: actions[0]: 'd dh p1 ????zz': unknown card"),
        (
            "'p1 cc'",
            "'p1 cc', 'd dh p1 AsAd'",
            "hole cards come before the betting",
        ),
        ("p1 sm KsKd", "p1 sm ?garb", "'p1 sm ?garb': unknown card"),
        ("players", "finishing_stacks = [1, 2]\nplayers", "x: finishing_stacks[0]: p1 ends with"),
        ("players", "finishing_stacks = 'x'\nplayers", "x: finishing_stacks: must be a list"),
        ("players", "finishing_stacks = [5000]\nplayers", "x: finishing_stacks: must be a list"),
        ("players", "finishing_stacks = [20000, 0]\nplayers", "20000 chips in all, of 15000"),
    ],
)
def test_bad_hands(old, new, message):
    assert old in HAND
    with pytest.raises(InputError, match=re.escape(message)):
        read_phh(HAND.replace(old, new, 1), "x")


@pytest.mark.parametrize(
    ("stacks", "is_right"),
    [
        ("[15000, 0]", True),  # three kings
        ("[14000, 0]", True),  # of which a thousand went to the house
        ("[14000, 1000]", False),
        ("[4999, 0]", False),
        ("[0, 15000]", False),
    ],
)
def test_stacks_at_the_end(stacks, is_right):
    text = HAND.replace("players", f"finishing_stacks = {stacks}\nplayers")
    if is_right:
        assert read_phh(text).is_terminal
    else:
        with pytest.raises(InputError, match="finishing_stacks"):
            read_phh(text)


def test_stacks_at_the_end_of_a_hand_that_goes_on():
    text = HAND.replace("  'd db 3h',\n", "") + "finishing_stacks = [15000, 0]\n"
    with pytest.raises(InputError, match="the hand is not over"):
        read_phh(text)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("kuhn", {}, "kuhn: PHH has no code"),
        ("turn-endgame", {}, "for games with a flop, a turn and a river"),
        ("nlhe", {"bets": [100, 100, 200, 200]}, "no way to write bets"),
        ("nlhe", {"first_actors": [0, 0, 0, 0]}, "no way to write who speaks first"),
    ],
)
def test_games_that_cannot_be_written(name, options, message):
    with pytest.raises(InputError, match=message):
        write_phh(_native.PokerEpisode(load_game(name, **options)))


@settings(deadline=None)
@given(st.text())
def test_any_text(text):
    with pytest.raises(InputError):
        read_phh(text)


WORDS = (
    "1|-0|007|1.50|1.|.5|1e3|1_000|true|inf|09:03:00|24:00:00|2009-07-04|'é[]'|\"c\"|'a b'|''"
    "|'it''s'|'''d'''|\"\\n\"|'\t'|# e|"
)
PIECES = st.sampled_from(WORDS.split("|"))
LISTS = st.lists(PIECES, max_size=4).flatmap(
    lambda items: st.sampled_from([", ", ",\n  ", " , ", " "]).map(
        lambda between: f"[{between.join(items)}]"
    )
)


@settings(max_examples=600, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b_c", "D", "'e'", "f.g"]), PIECES | LISTS)),
    st.sampled_from(["\n", "\n\n", "\r\n", " # h\n", " "]),
)
def test_plain_fields_are_those_of_tomllib(fields, end):
    text = "".join(f"{name} = {value}{end}" for name, value in fields)
    found = _plain_fields(text)
    if found is not None:
        assert repr(found) == repr(tomllib.loads(text, parse_float=Decimal))


def test_hands_are_read_without_tomllib(monkeypatch):
    text = write_phh(read_phh(HAND))
    monkeypatch.setattr("tomllib.loads", None)
    assert write_phh(read_phh(text)) == text


@settings(max_examples=400, deadline=None)
@given(
    st.integers(0, len(HAND)),
    st.integers(0, 12),
    st.text("p12cbrfdhsm AsKd0459'\",[]=.-?#\n", max_size=6),
)
def test_damaged_hands(at, cut, text):
    with suppress(InputError):
        write_phh(read_phh(HAND[:at] + text + HAND[at + cut :]))


@pytest.mark.parametrize(
    "value", ["[" * 5000 + "]" * 5000, "9" * 5000, "1e9999999999999999999", "nan"]
)
def test_extreme_numbers(value):
    with pytest.raises(InputError):
        read_phh(HAND.replace("min_bet = 100", f"min_bet = {value}"))


THREE = """variant = 'NT'
ante_trimming_status = false
antes = [0, {ante}, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [{stacks}]
actions = ['d dh p1 AsKd', 'd dh p2 2c2d', 'd dh p3 9h8h', {actions}]
"""


def recorded(actions: str, stacks: str = "1000, 2000, 3000", ante: str = "0"):
    text = THREE.format(actions=actions, stacks=stacks, ante=ante)
    return read_phh_hand(text, "x"), text


def test_an_ante_of_one_player_is_dead_money():
    """As pokerkit plays it; 100 do not divide by three, so the scale does."""
    actions = "'p3 cbr 300', 'p1 cc', 'p2 cbr 1900', 'p3 cc', 'p1 cc', "
    actions += "'p1 sm AsKd', 'p2 sm 2c2d', 'p3 sm 9h8h', 'd db 7h6h2h', 'd db Kc', 'd db Ks'"
    hand, text = recorded(actions, ante="100")
    state = list(pokerkit.HandHistory.loads(text))[-1]
    assert hand.scale == 3 and hand.payoffs is not None
    won = [payoff / hand.scale for payoff in hand.payoffs]
    assert won == [state.stacks[0] - 1000, state.stacks[1] - 2000, state.stacks[2] - 3000]


def test_a_fold_without_a_bet_leaves_the_seat_out():
    """The big blind folds though he could check; the best hand of the others wins."""
    actions = "'p3 cc', 'p1 cc', 'p2 f', 'd db 2h2s3c', 'p1 cc', 'p3 cc', 'd db Qs', "
    hand, _ = recorded(actions + "'p1 cc', 'p3 cbr 100', 'p1 f'")
    assert (hand.folded, hand.live, hand.payoffs) == ({1}, [2], [-100, -100, 200])
    shown, _ = recorded(actions + "'p1 cc', 'p3 cc', 'd db Jc', 'p1 cc', 'p3 cc'")
    assert (shown.live, shown.payoffs) == ([0, 2], [200, -100, -100])  # not the quads
    alone, _ = recorded("'p3 f', 'p1 cc', 'p2 f'")
    assert alone.is_over and alone.payoffs == [100, -100, 0]


def test_unknown_stacks_are_made_large_enough_or_found():
    actions = "'p3 cbr 300', 'p1 cbr 700', 'p2 f', 'p3 cc'"
    hand, _ = recorded(actions + ", 'd db 2h2s3c', 'p1 cbr 900', 'p3 f'", stacks="inf, inf, inf")
    assert hand.payoffs == [800, -100, -700]
    run_out, _ = recorded(actions + ", 'd db 2h2s3c', 'd db Qs', 'd db Jc'", stacks="inf, 900, inf")
    assert run_out.payoffs == [800, -100, -700]  # both were all-in with 700
    assert run_out.episode.game.rules.stacks[0] == 700


@pytest.mark.parametrize("code", ["F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB", "FO/8"])
def test_other_rules_are_refused_in_one_line(code):
    """Stud, razz, draw and split pots, as the World Series dataset has them."""
    with pytest.raises(InputError, match=f"x: variant: no code '{code}'") as caught:
        read_phh(HAND.replace("'NT'", f"'{code}'"), "x")
    assert len(str(caught.value).splitlines()) == 1
