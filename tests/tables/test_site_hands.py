# SPDX-License-Identifier: MIT
"""Texts of PokerStars, GGPoker and 888 are read, replayed to their results, and written again."""

import re
from decimal import Decimal
from pathlib import Path

import pokerkit
import pytest
from oracles import site_texts
from oracles.site_texts import NAMES, PLAIN, Hand, random_hand

from regretless.errors import InputError
from regretless.histories.hand_files import Reading, convert_hands, read_hands
from regretless.histories.phh import format_fields, read_phh
from regretless.histories.recorded_hand import RecordedHand, split_pot
from regretless.histories.sites.site_hand import read_amount
from regretless.notation.cards import FULL_DECK, format_cards

ACTIONS = (
    pokerkit.Folding,
    pokerkit.CheckingOrCalling,
    pokerkit.CompletionBettingOrRaisingTo,
)
SITES = {
    "PokerStars": (site_texts.stars, NAMES),
    "GGPoker": (site_texts.gg, NAMES),
    "888poker": (site_texts.pacific, PLAIN),
}


def hands_of(path: Path) -> list[RecordedHand]:
    readings = list(read_hands(path))
    assert not [each.problem for each in readings if each.hand is None]
    return [each.hand for each in readings if each.hand is not None]


def check(hand: RecordedHand, due: Hand, site: str) -> None:
    unit = 1 if due.is_tournament else 100
    assert hand.payoffs is not None and hand.fields is not None
    assert [won * unit / hand.scale for won in hand.payoffs] == due.results
    assert actions_of(hand, unit) == [
        (move.seat, move.street, move.verb, move.added, move.to) for move in due.moves
    ]
    assert sum(hand.put_in) * unit / hand.scale == due.pot
    assert format_cards(hand.episode.board, FULL_DECK) == "".join(due.board)
    assert hand.players == due.names
    assert hand.fields["venue"] == site and hand.fields["_hero"] == due.hero + 1
    shown = due.live if len(due.live) > 1 else [due.hero]
    for seat in {*shown, due.hero}:
        dealt = pokerkit.Card.parse(due.holes[seat])
        ours = [hand.episode.game.rules.deck, *hand.episode.hole(seat)]
        assert len(ours) == 3 and len(list(dealt)) == 2


def actions_of(hand: RecordedHand, unit: int) -> list[tuple[int, int, str, int, int]]:
    """Seat, street, verb, chips added and the amount of a bet or raise, as moves have them."""
    found: list[tuple[int, int, str, int, int]] = []
    for seat, street, action, added in hand.episode.events:
        verb = "folds" if action < 0 else "calls" if added else "checks"
        if action > 0:
            is_first = street > 0 and not any(x[1] == street and x[4] for x in found)
            verb = "bets" if is_first else "raises"
        amounts = (added * unit // hand.scale, max(action, 0) * unit // hand.scale)
        found.append((seat, street, verb, *amounts))
    return found


def check_with_pokerkit(hand: RecordedHand, due: Hand) -> None:
    """An outside replay of the fields takes the same actions and ends with the same stacks."""
    assert hand.fields is not None
    kept = {key: value for key, value in hand.fields.items() if not key.startswith("_")}
    kept.pop("winnings")
    kept["ante_trimming_status"] = not (due.is_one_ante or due.late)
    history = pokerkit.HandHistory.loads(format_fields(kept), parse_value=Decimal)
    unit = 1 if due.is_tournament else 100
    end = list(history)[-1]
    acted = [
        (each.player_index, getattr(each, "amount", 0) * unit)
        for each in end.operations
        if isinstance(each, ACTIONS)
    ]
    assert acted == [(each.seat, each.to or each.added) for each in due.moves]
    for stack, final in zip(end.stacks, due.final, strict=True):
        assert abs(stack * unit - final) < len(due.names)  # odd chips, which Decimal divides


def check_site(site: str, count: int, folder: Path) -> None:
    write, names = SITES[site]
    due = [random_hand(seed, names) for seed in range(count)]
    path = folder / "hands.txt"
    path.write_text("".join(map(write, due)), encoding="utf-8")
    for hand, each in zip(hands_of(path), due, strict=True):
        check(hand, each, site)
        check_with_pokerkit(hand, each)


@pytest.mark.parametrize("site", SITES)
def test_random_hands_of_a_site(site: str, tmp_path: Path) -> None:
    check_site(site, 60, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("site", SITES)
def test_a_thousand_hands_of_a_site(site: str, tmp_path: Path) -> None:
    check_site(site, 1000, tmp_path)


@pytest.mark.filterwarnings("ignore::UserWarning")  # pokerkit warns of its own fields
def test_a_second_reader_agrees_about_pokerstars_text(tmp_path: Path) -> None:
    """pokerkit reads plain cash hands of PokerStars itself: no chat, no antes, no raises."""
    path, compared = tmp_path / "hands.txt", 0
    for seed in range(150):
        due = random_hand(seed, PLAIN)
        is_plain = not (due.is_tournament or due.late or due.straddle or len(due.names) == 2)
        if not is_plain or any(move.verb == "raises" for move in due.moves):
            continue
        lines = site_texts.stars(due).splitlines()
        path.write_text("\n".join(each for each in lines if " said, " not in each))
        (hand,) = hands_of(path)
        (history,) = pokerkit.HandHistory.from_pokerstars(
            path.read_text(), parse_value=lambda text: round(Decimal(text) * 100)
        )
        ours = read_phh(format_fields({**(hand.fields or {}), "winnings": []}))
        theirs = read_phh(history.dumps())
        assert (ours.events, ours.board) == (theirs.events, theirs.board)
        assert history.players == hand.players
        compared += 1
    assert compared > 4


@pytest.mark.parametrize("site", SITES)
def test_hands_go_round_as_pokerstars_text_and_phh(site: str, tmp_path: Path) -> None:
    write, names = SITES[site]
    source, stars, phhs = (tmp_path / name for name in ("a.txt", "b.txt", "c.phhs"))
    source.write_text("".join(write(random_hand(seed, names)) for seed in range(40)))
    assert convert_hands(source, stars, target_format="pokerstars") == 40
    assert convert_hands(stars, phhs) == 40
    for first, second, third in zip(*map(hands_of, (source, stars, phhs)), strict=True):
        assert facts(first) == facts(second) == facts(third)


def facts(hand: RecordedHand) -> tuple:
    episode = hand.episode
    holes = [sorted(episode.hole(seat)) for seat in range(episode.game.num_players)]
    return episode.events, episode.board, holes, hand.payoffs, hand.scale, hand.players


STARS = """\
PokerStars Hand #7: Hold'em No Limit ($0.50/$1 USD) - 2020/02/07 19:15:13 ET
Table 'T' 6-max Seat #3 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($40.50 in chips)
Seat 3: Cy ($99 in chips)
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Cy [As Kd]
Cy: raises $2 to $3
Ann: folds
Bob: calls $2
*** FLOP *** [2c 7d Kh]
Bob: checks
Cy: bets $4
Bob: folds
Uncalled bet ($4) returned to Cy
Cy collected $6.20 from pot
*** SUMMARY ***
Total pot $6.50 | Rake $0.30
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("Hold'em No Limit", "Omaha Hi/Lo Limit", 1, "Omaha Hi/Lo Limit: is not read"),
        ("($0.50/$1 USD)", "", 1, "must have stakes and a date"),
        ("Seat 2: Bob", "Seat 1: Bob", 4, "comes twice"),
        ("$2 to $3", "$2 to $300", 10, "raise to 30000: must be"),
        ("$2 to $3", "$2", 10, "a raise is from one amount"),
        ("raises $2 to $3", "raises x to y", 10, "an amount is due"),
        ("Ann: folds", "Bob: folds", 11, "is to act"),
        ("[2c 7d Kh]", "[2c 7d Kd]", 13, "Kd is dealt twice"),
        ("*** FLOP", "*** FIRST FLOP", 13, "run more than once"),
        ("$6.20 from", "$66.20 from", 20, "Cy takes 66.20 from the pot, and cards and bets say"),
        ("Cy collected", "Bob collected", 20, "Bob takes 6.20 from the pot"),
        ("Cy collected $6.20 from pot\n", "", 19, "nobody takes the pot"),
        ("Bob: folds\n", "", 19, "the hand is not over"),
        ("2020/02/07", "2020/14/07", 1, "no date"),
    ],
)
def test_a_bad_hand_is_listed_with_its_line(
    old: str, new: str, line: int, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "hands.txt"
    assert old in STARS
    path.write_text(STARS + "\n\n" + STARS.replace(old, new, 1) + "\n\n" + STARS)
    first, second, third = read_hands(path)
    assert first.hand is not None and third.hand is not None and second.hand is None
    assert second.line == 23 and problem in second.problem
    place = re.match(rf"{re.escape(str(path))}: line ([0-9]+): ", second.problem)
    assert place is not None and int(place[1]) == 22 + line


AWAY = """\
PokerStars Game #1: Tournament #2, Hold'em No Limit - Level I (25/50) - 2007/10/15 - 05:34:03 (ET)
Table '2 1' 9-max Seat #1 is the button
Seat 1: ann (500 in chips)
Seat 2: bob (1000 in chips) is sitting out
Seat 3: cid (1000 in chips)
Seat 4: dan (1000 in chips) out of hand (moved from another table into small blind)
bob: posts small blind 25
cid: posts big blind 50
*** HOLE CARDS ***
Dealt to cid [2c 7d]
ann: raises 450 to 500 and is all-in
bob: folds
cid: folds
Uncalled bet (450) returned to ann
ann collected 125 from pot
*** SUMMARY ***
Total pot 125 | Rake 0
"""


def test_who_sits_out_of_a_tournament_pays_blinds(tmp_path: Path) -> None:
    """The date is written as in 2007."""
    path = tmp_path / "away.txt"
    path.write_text(AWAY)
    (hand,) = hands_of(path)
    assert dict(zip(hand.players, hand.payoffs or (), strict=True)) == {
        "ann": 75,
        "bob": -25,
        "cid": -50,
    }
    assert hand.fields is not None and (hand.fields["year"], hand.fields["_time_zone"]) == (
        2007,
        "ET",
    )


def results_of(text: str, path: Path) -> tuple[RecordedHand, dict[str, float]]:
    """The hand of a text and winnings by name; it goes round as PokerStars text and PHH."""
    path.write_text(text, encoding="utf-8")
    (hand,) = hands_of(path)
    stars, phhs = path.with_suffix(".stars.txt"), path.with_suffix(".phhs")
    convert_hands(path, stars, target_format="pokerstars")
    convert_hands(stars, phhs)
    (second,), (third,) = hands_of(stars), hands_of(phhs)
    assert facts(hand) == facts(second) == facts(third)
    assert hand.live == second.live == third.live
    won = [each / hand.scale for each in hand.payoffs or ()]
    return hand, dict(zip(hand.players or (), won, strict=True))


UNCALLABLE = """\
PokerStars Hand #8: Hold'em No Limit ($1/$2 USD) - 2020/02/07 19:15:13 ET
Table 'T' 6-max Seat #3 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($9 in chips)
Seat 3: Cy ($30 in chips)
Ann: posts small blind $1
Bob: posts big blind $2
*** HOLE CARDS ***
Cy: raises $28 to $30 and is all-in
Ann: raises $28 to $58
Bob: folds
Uncalled bet ($28) returned to Ann
*** FLOP *** [2c 7d Kh]
*** TURN *** [2c 7d Kh] [3c]
*** RIVER *** [2c 7d Kh 3c] [4s]
*** SHOW DOWN ***
Ann: shows [As Kd] (a pair of Kings)
Cy: shows [Qs Qd] (a pair of Queens)
Ann collected $62 from pot
"""


def test_a_raise_that_nobody_can_call_is_a_call(tmp_path: Path) -> None:
    hand, won = results_of(UNCALLABLE, tmp_path / "a.txt")
    assert won == {"Ann": 32, "Bob": -2, "Cy": -30}
    assert hand.episode.events[1][2] == 0 and "p1 cc" in (hand.fields or {})["actions"]
    # Where somebody could call it is a raise.
    hand, won = results_of(UNCALLABLE.replace("Bob ($9", "Bob ($90"), tmp_path / "b.txt")
    assert won == {"Ann": 32, "Bob": -2, "Cy": -30}
    assert hand.episode.events[1][2] == 58 * hand.scale
    # Where Bob could call, but Ann's raise is too small to open the betting for Cy again.
    closed = UNCALLABLE.replace("Ann ($100", "Ann ($25").replace("Bob ($9", "Bob ($90")
    closed = closed.replace("Cy ($30", "Cy ($100").replace("raises $28 to $30", "raises $18 to $20")
    closed = closed.replace("Ann: raises $28 to $58", "Ann: raises $5 to $25 and is all-in")
    closed = closed.replace("Bob: folds", "Bob: calls $23\nCy: raises $35 to $60")
    (tmp_path / "c.txt").write_text(closed)
    (reading,) = read_hands(tmp_path / "c.txt")
    assert reading.hand is None and "no raise is allowed here" in reading.problem


ALL_IN_AWAY = """\
PokerStars Hand #9: Tournament #2, Hold'em No Limit - Level IX (75/150) - 2010/08/03 12:31:05 ET
Table '2 8' 9-max Seat #4 is the button
Seat 1: ann (7000 in chips)
Seat 2: bob (5000 in chips)
Seat 3: cid (10 in chips) is sitting out
Seat 4: dan (8000 in chips)
ann: posts the ante 20
bob: posts the ante 20
cid: posts the ante 10 and is all-in
dan: posts the ante 20
ann: posts small blind 75
bob: posts big blind 150
*** HOLE CARDS ***
cid: folds
dan: raises 150 to 300
ann: folds
bob: calls 150
*** FLOP *** [9c Jd 2c]
bob: checks
dan: checks
*** TURN *** [9c Jd 2c] [Td]
bob: checks
dan: checks
*** RIVER *** [9c Jd 2c Td] [6d]
bob: checks
dan: checks
*** SHOW DOWN ***
bob: shows [Qd Ac] (high card Ace)
dan: shows [Ts 8s] (a pair of Tens)
dan collected 705 from side pot
dan collected 40 from main pot
"""


def test_who_is_all_in_by_an_ante_and_away_folds(tmp_path: Path) -> None:
    hand, won = results_of(ALL_IN_AWAY, tmp_path / "a.txt")
    assert won == {"ann": -95, "bob": -320, "cid": -10, "dan": 425}
    assert hand.players == ["ann", "bob", "cid", "dan"] and hand.live == [1, 3]
    late = ALL_IN_AWAY.replace("cid: folds\n", "").replace(
        "dan: checks\n*** TURN", "cid: folds\n*** TURN"
    )
    (tmp_path / "b.txt").write_text(
        late.replace("bob: checks\ncid", "bob: checks\ndan: checks\ncid")
    )
    (again,) = hands_of(tmp_path / "b.txt")
    assert facts(again) == facts(hand)
    (tmp_path / "c.txt").write_text(ALL_IN_AWAY.replace("cid: folds", "cid: calls 150"))
    assert "is to act" in next(read_hands(tmp_path / "c.txt")).problem


BUTTON_BLIND = """\
PokerStars Hand #10:  6+ Hold'em No Limit (Button Blind $2 - Ante $2  USD) - 2020/05/05 16:31:20 ET
Table 'H' 6-max Seat #2 is the button
Seat 1: ann ($50 in chips)
Seat 2: bob ($70 in chips)
Seat 3: cid ($60 in chips)
bob: posts button blind $2
ann: posts the ante $2
bob: posts the ante $2
cid: posts the ante $2
*** HOLE CARDS ***
Dealt to cid [Ah Ac]
cid: calls $2
ann: raises $46 to $48 and is all-in
bob: folds
cid: calls $46
*** FLOP *** [Qs 7c Qd]
*** TURN *** [Qs 7c Qd] [8d]
*** RIVER *** [Qs 7c Qd 8d] [9d]
*** SHOW DOWN ***
cid: shows [Ah Ac] (two pair, Aces and Queens)
ann: shows [Ad Kc] (a pair of Queens)
cid cashed out the hand for $90 | Cash Out Fee $1
*** SUMMARY ***
Total pot $104 | Rake $2
Seat 3: cid showed [Ah Ac] and won ($102) with two pair (pot not awarded as player cashed out)
"""


def test_short_deck_with_a_button_blind(tmp_path: Path) -> None:
    """The seat after the button is the first to speak on every street."""
    hand, won = results_of(BUTTON_BLIND, tmp_path / "a.txt")
    assert won == {"cid": 52, "ann": -50, "bob": -4}
    assert hand.players == ["cid", "ann", "bob"] and hand.episode.game.rules.deck.num_ranks == 9
    gg = BUTTON_BLIND.replace(
        "PokerStars Hand #10:  6+ Hold'em No Limit (Button Blind $2 - Ante $2  USD)",
        "Poker Hand #SD10: ShortDeck No Limit ($2)",
    )
    gg = gg.replace("*** HOLE", "cid: straddle $4\n*** HOLE", 1).replace("cid: calls $2\n", "")
    gg = gg.replace("bob: folds\ncid: calls $46", "bob: folds\ncid: calls $44")
    _, won = results_of(gg.replace("ann: raises $46", "ann: raises $44"), tmp_path / "b.txt")
    assert won == {"cid": 52, "ann": -50, "bob": -4}


FIVE_CARDS = """\
Poker Hand #OM11: PLO-5 ($0.50/$1) - 2021/01/20 20:13:50
Table 'P5' 6-max Seat #2 is the button
Seat 1: ann ($100 in chips)
Seat 2: bob ($80 in chips)
bob: posts small blind $0.50
ann: posts big blind $1
*** HOLE CARDS ***
Dealt to ann [Ks Kd 7h 4c 3d]
bob: raises $2 to $3
ann: calls $2
*** FLOP *** [2c 7d Kh]
ann: bets $6
bob: calls $6
*** TURN *** [2c 7d Kh] [Ac]
ann: bets $18
bob: folds
Uncalled bet ($18) returned to ann
*** SHOWDOWN ***
ann collected $17 from pot
"""


@pytest.mark.parametrize(
    ("head", "name", "cards"),
    [
        ("PLO-5 ($", "plo5", "Ks Kd 7h 4c 3d"),
        ("5 Card Omaha Pot Limit ($", "plo5", "Ks Kd 7h 4c 3d"),
        (
            "Tournament #4, Mixed Omaha (5 Card Omaha Pot Limit) - Level I ($",
            "plo5",
            "Ks Kd 7h 4c 3d",
        ),
        ("Mixed NLH/PLO (Hold'em Pot Limit) ($", "pot-limit-holdem", "Ks Kd"),
        ("Omaha Pot Limit ($", "plo4", "Ks Kd 7h 4c"),
    ],
)
def test_games_with_a_limit_of_the_pot(head: str, name: str, cards: str, tmp_path: Path) -> None:
    text = FIVE_CARDS.replace("PLO-5 ($", head).replace("Ks Kd 7h 4c 3d", cards)
    hand, won = results_of(text, tmp_path / "a.txt")
    assert won == {"ann": 8, "bob": -9} and hand.episode.game.rules.name == name
    assert len(hand.episode.hole(0)) == len(cards.split())
    too_much = text.replace("bets $18", "bets $19")
    (tmp_path / "b.txt").write_text(too_much)
    (reading,) = read_hands(tmp_path / "b.txt")
    assert reading.hand is None and "raise to 1900: must be" in reading.problem


def test_blinds_of_the_level_that_is_played(tmp_path: Path) -> None:
    """The first line may have the next level, and a missed blind is dead money."""
    text = STARS.replace("($0.50/$1 USD)", "($1/$2 USD)").replace("$2 to $3", "$1 to $2")
    text = text.replace("Bob: calls $2", "Bob: calls $1").replace("$6.20", "$4.50")
    _, won = results_of(text, tmp_path / "a.txt")
    assert won == {"Ann": -0.5, "Bob": -2, "Cy": 2.5}
    late = STARS.replace(
        "*** HOLE", "Cy: posts missed blind $0.50\nCy: posts big blind $1\n*** HOLE", 1
    )
    _, won = results_of(late.replace("$6.20", "$7"), tmp_path / "b.txt")
    assert won == {"Ann": -0.5, "Bob": -3, "Cy": 3.5}


PACIFIC = """\
***** 888poker Hand History for Game 12 *****
$1/$2 Blinds No Limit Holdem - *** 03 07 2011 00:50:21
Table B (Real Money)
Seat 1 is the button
Total number of players : 4
Seat 1: ann ( $100 )
Seat 2: bob ( $100 )
Seat 4: cid ( $50 )
Seat 6: dan ( $20 )
bob posts small blind [$1]
dan folds
cid posts big blind [$2]
** Dealing down cards **
Dealt to bob [ 7h, 8s ]
ann calls [$2]
bob folds
cid checks
** Dealing flop ** [ 9s, Jh, 2s ]
cid checks
ann checks
** Dealing turn ** [ 5h ]
cid checks
ann checks
** Dealing river ** [ Qc ]
cid bets [$2]
ann calls [$2]
** Summary **
ann shows [ 2d, Ad ]
cid shows [ 8c, Ac ]
ann collected [ $9 ]
"""


@pytest.mark.parametrize("jack, queen, ace", [("J", "Q", "A"), ("Kn", "D", "E"), ("В", "Д", "Т")])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1251"])
def test_888_in_other_languages(
    jack: str, queen: str, ace: str, encoding: str, tmp_path: Path
) -> None:
    """Whoever folds before the deal was not dealt in; dan is no part of the hand."""
    text = PACIFIC.replace("Jh", f"{jack}h").replace("Qc", f"{queen}c")
    text = text.replace("Ad", f"{ace}d").replace("Ac", f"{ace}c")
    hand, won = results_of(text, tmp_path / "a.txt")
    assert won == {"ann": 5, "bob": -1, "cid": -4}
    (tmp_path / "b.txt").write_bytes(text.encode(encoding))
    (again,) = hands_of(tmp_path / "b.txt")
    assert facts(again) == facts(hand)


def test_what_888_writes_besides(tmp_path: Path) -> None:
    """Hands without a date, in other games, and cards that nobody knows how to read."""
    path = tmp_path / "a.txt"
    path.write_text(PACIFIC.replace(" 03 07 2011 00:50:21", ""))
    (hand,) = hands_of(path)
    assert "year" not in (hand.fields or {})
    path.write_text(PACIFIC.replace("No Limit Holdem", "Pot Limit Holdem"))
    (hand,) = hands_of(path)
    assert hand.episode.game.rules.limit.name == "POT"
    for old, new, problem in [
        ("No Limit Holdem", "Pot Limit OmahaHL", "Pot Limit OmahaHL: is not read"),
        ("Qc", "Vc", "line 24: no card: 'Vc'"),
        ("03 07 2011", "1", "a date is due"),
    ]:
        path.write_text(PACIFIC.replace(old, new))
        (reading,) = read_hands(path)
        assert reading.hand is None and problem in reading.problem


def test_what_a_site_writes_besides(tmp_path: Path) -> None:
    """Players who wait, mucked cards, chat, a promotion that adds to the pot, UTF-16."""
    text = STARS.replace("Seat 3: Cy", "Seat 5: Dee ($9 in chips)\nSeat 3: Cy")
    text = text.replace("Bob: checks", 'Bob said, "Ann: folds"\nBob: checks')
    path = tmp_path / "hands.txt"
    path.write_bytes(b"\xff\xfe" + text.encode("utf-16-le"))
    (hand,) = hands_of(path)
    assert hand.players == ["Ann", "Bob", "Cy"] and hand.payoffs == [-50, -300, 320]
    drop = text.replace("Ann: posts small", "Cash Drop to Pot : total $2.50\nAnn: posts small", 1)
    path.write_text(drop.replace("PokerStars Hand #7", "Poker Hand #RC7").replace("6.20", "8.70"))
    (hand,) = hands_of(path)
    assert hand.payoffs is not None
    assert [100 * won / hand.scale for won in hand.payoffs] == [-50, -300, 570]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("$1,234.50", Decimal("1234.50")),
        ("1 234,50 €", Decimal("1234.50")),
        ("34.069", 34069),
        ("0,63$", Decimal("0.63")),
        ("1,000", 1000),
        ("£5", 5),
        ("[ $0.01 ]", Decimal("0.01")),
    ],
)
def test_amounts(text: str, amount: int | Decimal) -> None:
    assert read_amount(text) == amount


def test_a_pot_is_split_like_the_engine_does() -> None:
    assert split_pot([100, 50, 100], [1, 2, 0]) == [100, 150, 0]
    assert split_pot([100, 100, 30], [None, 5, 5]) == [0, 185, 45]
    assert split_pot([10, 10, 11], [1, 1, None]) == [16, 15, 0]


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hands.xyz"
    path.write_text("nothing")
    with pytest.raises(InputError, match="which format"):
        list(read_hands(path))
    path.write_bytes(b"\x00\x01\x02")
    with pytest.raises(InputError, match="not a text file"):
        list(read_hands(path))
    assert Reading(1, None, "x").problem == "x"
