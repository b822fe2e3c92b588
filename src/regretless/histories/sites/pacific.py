# SPDX-License-Identifier: MIT
"""Hand histories of 888poker and other sites of the Pacific network.

The amount of a raise is what the player adds, not what he raises to.
"""

import re

from regretless.errors import InputError
from regretless.histories.phh_fields import FIXED_LIMIT
from regretless.histories.recorded_hand import RecordedHand
from regretless.histories.sites.site_hand import Lines, SiteHand, play_lines, read_amount

HEAD = re.compile(r"\*{5} ?(?:888 ?poker|888\.[a-z]+|Cassava|Pacific\w*) .*Game #?([0-9]+)", re.I)
_STAKES = re.compile(r"(.*?[0-9][^/]*)/(.*?[0-9].*?) Blinds (.+?) - \*{3} ?(.*)")
_DATE = re.compile(r"([0-9]{2}) ([0-9]{2}) ([0-9]{4}) ([0-9]{1,2}:[0-9]{2}:[0-9]{2})")
_GAMES = {
    "No Limit Holdem": "NT",
    "Fix Limit Holdem": "FT",
    "Pot Limit Holdem": "PT",
    "Pot Limit Omaha": "PO",
    "Fix Limit Omaha": "FO",
}
_GAME = re.compile(f"({'|'.join(_GAMES)})(?!\\w)")
_TOURNAMENT = re.compile(r"Tournament #([0-9]+) .*")
_TABLE = re.compile(r"Table (.+?)(?: [0-9]+ Max)?(?: \([^()]*\))*")
_BUTTON = re.compile(r"Seat ([0-9]{1,2}) is the button")
_SEAT = re.compile(r"Seat ([0-9]{1,2}): (.+) \( (.+) \)")
_DEALT = re.compile(r"Dealt to (.+) \[ (.+) \]")
_STREET = re.compile(r"\*\* Dealing (flop|turn|river) \*\* \[ ?(.+?) ?\]", re.I)
_POST = re.compile(r"(.+) posts (?:the )?(.+?) \[ ?(.+?) ?\]")
_MOVE = re.compile(
    r"(.+) (folds|checks|calls|bets|raises|collected|shows|mucks)(?: \[ ?(.*?) ?\])?"
)


def read_pacific(lines: Lines, place: str, scale: int | None = None) -> RecordedHand:
    """Plays the hand of these lines; InputError names the line that is wrong."""
    return play_lines(lines, place, scale, _begin, _read_line)


def _begin(lines: Lines) -> tuple[SiteHand, int]:
    head = HEAD.match(lines[0][1])
    assert head is not None  # it was found by this
    if len(lines) < 2:
        raise InputError("the stakes are missing")
    return _stakes(head[1], lines[1][1]), 2


def _stakes(number: str, text: str) -> SiteHand:
    found = _STAKES.match(text)
    if found is None:
        raise InputError(f"stakes, a game and a date are due, not {text[:60]!r}")
    big, game = read_amount(found[2]) or 1, _GAME.match(found[3])
    if game is None:
        raise InputError(f"{found[3]}: is not read; there are {', '.join(_GAMES)}")
    variant = _GAMES[game[1]]
    # Of a limit game the line has the blinds too: a bet is the big blind, then twice that.
    hand = SiteHand("888poker", number, variant, (big, (1 + (variant in FIXED_LIMIT)) * big))
    date = _DATE.search(found[4])
    if date is None and found[4]:
        raise InputError(f"a date is due, not {found[4][:40]!r}")
    if date is not None:
        day, month, year, at = date.groups()
        hand.date(year, month, day, at)
    if symbol := re.search(r"[^0-9\s.,]", found[1]):
        hand.facts["currency_symbol"] = symbol[0]
    return hand


def _read_line(hand: SiteHand, text: str) -> None:
    if text.startswith("**"):
        if street := _STREET.match(text):
            hand.deal(street[2])
            hand.street.clear()
        elif "Dealing down" in text:
            hand.deal_in()
    elif text.startswith("Seat "):
        if seat := _SEAT.fullmatch(text):
            hand.sit(seat[2], int(seat[1]), read_amount(seat[3]))
        elif button := _BUTTON.match(text):
            hand.button = int(button[1])
    elif (post := _POST.fullmatch(text)) and post[1] in hand.stacks:
        _post(hand, post[1], post[2], post[3])
    elif (move := _MOVE.fullmatch(text)) and move[1] in hand.stacks:
        _move(hand, move[1], move[2], move[3] or "")
    elif dealt := _DEALT.fullmatch(text):
        hand.hero = dealt[1]
        hand.show(dealt[1], dealt[2], is_showdown=False)
    elif tournament := _TOURNAMENT.match(text):
        hand.facts["event"] = f"Tournament {tournament[1]}"
        hand.facts.pop("currency_symbol", None)
    elif not hand.stacks and (table := _TABLE.fullmatch(text)):
        hand.facts["table"] = table[1]


def _post(hand: SiteHand, name: str, what: str, text: str) -> None:
    left = hand.stacks[name][1]
    if "+" in text:
        dead, live = (read_amount(each) for each in text.split("+", 1))
        hand.post_dead(name, dead, live)
        hand.street[name] = live
        return
    amount = read_amount(text)
    if "ante" in what:
        hand.post_ante(name, amount, amount >= left)
        return
    is_all_in = amount + hand.antes.get(name, 0) >= left
    if "straddle" in what:
        hand.post_straddle(name, amount)
    elif "dead" in what:
        hand.post_dead(name, amount, 0)
        return
    else:
        hand.post_blind(name, amount, "small" not in what, is_all_in)
    if name not in hand.dead:
        hand.street[name] = amount


def _move(hand: SiteHand, name: str, verb: str, rest: str) -> None:
    match verb:
        case "folds":
            hand.act(name, "f")
        case "checks":
            hand.act(name, "cc")
        case "calls":
            hand.street[name] = hand.street.get(name, 0) + read_amount(rest)
            hand.act(name, "cc")
        case "bets" | "raises":
            hand.street[name] = hand.street.get(name, 0) + read_amount(rest)
            hand.act(name, f"cbr {hand.street[name]}")
        case "collected":
            hand.collect(name, read_amount(rest))
        case _:
            hand.show(name, rest)
