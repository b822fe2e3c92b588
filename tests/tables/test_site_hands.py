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
    assert hand.players == due.names
    assert hand.fields["venue"] == site and hand.fields["_hero"] == due.hero + 1
    shown = due.live if len(due.live) > 1 else [due.hero]
    for seat in {*shown, due.hero}:
        dealt = pokerkit.Card.parse(due.holes[seat])
        ours = [hand.episode.game.rules.deck, *hand.episode.hole(seat)]
        assert len(ours) == 3 and len(list(dealt)) == 2


def check_with_pokerkit(hand: RecordedHand, due: Hand) -> None:
    """An outside replay of the fields ends with the same stacks."""
    assert hand.fields is not None
    kept = {key: value for key, value in hand.fields.items() if not key.startswith("_")}
    kept.pop("winnings")
    kept["ante_trimming_status"] = not (due.is_one_ante or due.late)
    history = pokerkit.HandHistory.loads(format_fields(kept), parse_value=Decimal)
    unit = 1 if due.is_tournament else 100
    for stack, final in zip(list(history)[-1].stacks, due.final, strict=True):
        assert abs(stack * unit - final) < len(due.names)  # odd chips, which Decimal divides


def check_site(site: str, count: int, folder: Path) -> None:
    write, names = SITES[site]
    due = [random_hand(seed, names) for seed in range(count)]
    path = folder / "hands.txt"
    path.write_text("".join(map(write, due)), encoding="utf-8")
    for hand, each in zip(hands_of(path), due, strict=True):
        check(hand, each, site)
    for hand, each in list(zip(hands_of(path), due, strict=True))[:: max(1, count // 40)]:
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
