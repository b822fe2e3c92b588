# SPDX-License-Identifier: MIT
"""Hand histories of PokerStars and of GGPoker, whose text has the same form.

A hand that was run twice has two results, and is refused.
"""

import re

from regretless.errors import InputError
from regretless.histories.phh_fields import FIXED_LIMIT
from regretless.histories.recorded_hand import RecordedHand
from regretless.histories.sites.site_hand import Amount, Lines, SiteHand, play_lines, read_amount

HEAD = re.compile(r"(PokerStars|Poker)(?: [\w ]*)? ?(?:Hand|Game) #([A-Z]{0,4}[0-9]+):\s*(.*)")
SITES = {"PokerStars": "PokerStars", "Poker": "GGPoker"}
_GAMES = {
    ("Hold'em", "No Limit"): "NT",
    ("Hold'em", "Limit"): "FT",
    ("Hold'em", "Pot Limit"): "PT",
    ("Omaha", "Pot Limit"): "PO",
    ("Omaha", "Limit"): "FO",
    ("5 Card Omaha", "Pot Limit"): "PO5",
    ("6+ Hold'em", "No Limit"): "NS",
}
_GAME = re.compile(
    r"((?:6\+ )?Hold'em|(?:[56] Card )?Omaha(?: [56] Cards)?(?: Hi/Lo)?|PLO\S*|Short ?Deck)(?!\w)"
)
_LIMIT = re.compile(r"(No|Pot|Fixed)? ?Limit")
_STAKES = re.compile(
    r"\(([^()/]*[0-9][^()/]*)/([^()/]*[0-9][^()/]*?)(?:\([^()]*\))?(?: - [^()]*)?\)"
)
_BUTTON_BLIND = re.compile(r"\((?:Button Blind )?([^()/]*[0-9][^()/-]*?)(?: - Ante [^()/]*)?\)")
_DATE = re.compile(
    r"([0-9]{4})/([0-9]{2})/([0-9]{2}) (?:- )?([0-9]{1,2}:[0-9]{2}:[0-9]{2})(?: \(?(\w+)\)?)?"
)
_TOURNAMENT = re.compile(r"Tournament #([0-9]+)")
_TABLE = re.compile(r"Table '(.*)' .*?Seat #([0-9]{1,2}) is the button")
_SEAT = re.compile(r"Seat ([0-9]{1,2}): (.+) \(([^()]*) in chips(?:,[^()]*)?\)(.*)")
_DEALT = re.compile(r"Dealt to (.+) \[([^\]]+)\]")
_MOVE = re.compile(r"(.+?): (posts|folds|checks|calls|bets|raises|shows|straddles?)\b ?(.*)")
_MOVE_OF_LONGEST = re.compile(_MOVE.pattern.replace("(.+?)", "(.+)"))
_COLLECT = re.compile(r"(.+) collected (\S+) from .*pot.*")
_STREET = re.compile(r"\*\*\* (FLOP|TURN|RIVER) \*\*\* .*\[([^\]]+)\]")
_MUCKED = re.compile(r"Seat [0-9]{1,2}: (.+?)(?: \([\w ]+\))* (?:mucked|showed) \[([^\]]+)\].*")
_CASHED_OUT = re.compile(_MUCKED.pattern[:-2] + r" and won \(([^()]+)\).*pot not awarded.*")
_ADDED = re.compile(r"Cash Drop to Pot ?: ?total (\S+)")
_TWICE = re.compile(r"\*\*\* (FIRST|SECOND) |Hand was run ")
_ALL_IN = "all-in"


def read_pokerstars(lines: Lines, place: str, scale: int | None = None) -> RecordedHand:
    """Plays the hand of these lines; InputError names the line that is wrong."""
    return play_lines(lines, place, scale, lambda lines: (_head(lines[0][1]), 1), _read_line)


def _head(text: str) -> SiteHand:
    head = HEAD.match(text)
    assert head is not None  # it was found by this
    rest = head[3]
    games, limit = _GAME.findall(rest), _LIMIT.search(rest)
    variant = _variant(games[-1] if games else "", limit[1] if limit else "Pot")
    stakes = _STAKES.search(rest)
    if stakes is None and variant == "NS":
        stakes = _BUTTON_BLIND.search(rest)
    date = list(_DATE.finditer(rest))
    if stakes is None or not date:
        raise InputError("the first line must have stakes and a date")
    bets = [read_amount(each) for each in stakes.groups()]
    bets = bets if variant in FIXED_LIMIT else [bets[-1]]
    hand = SiteHand(SITES[head[1]], head[2], variant, (bets[0], bets[-1]))
    year, month, day, at, zone = date[-1].groups()
    hand.date(year, month, day, at)
    if zone:
        hand.facts["_time_zone"] = zone
    if tournament := _TOURNAMENT.search(rest):
        hand.facts["event"] = f"Tournament {tournament[1]}"
    elif symbol := re.match(r"\s*([^0-9\s.,])", stakes[1]):
        hand.facts["currency_symbol"] = symbol[1]
    return hand


def _variant(game: str, limit: str | None) -> str:
    kind = {"No": "No Limit", "Pot": "Pot Limit"}.get(limit or "", "Limit")
    if of_plo := re.fullmatch(r"PLO-?(5?)", game):
        game, kind = "5 Card Omaha" if of_plo[1] else "Omaha", "Pot Limit"
    if re.fullmatch("Short ?Deck", game):
        game, kind = "6+ Hold'em", "No Limit"
    code = _GAMES.get((game, kind))
    if code is None:
        known = ", ".join(" ".join(each) for each in _GAMES)
        raise InputError(f"{game or 'no game'} {kind}: is not read; there are {known}")
    return code


def _read_line(hand: SiteHand, text: str) -> None:
    if text.startswith(("***", "Hand was run")):
        if _TWICE.match(text):
            raise InputError("the hand was run more than once, and has more than one result")
        if street := _STREET.match(text):
            hand.deal(street[2])
    elif text.startswith("Seat "):
        _read_seat(hand, text)
    elif move := _find_move(hand, text):
        _move(hand, *move.groups())
    elif (collect := _COLLECT.fullmatch(text)) and collect[1] in hand.stacks:
        hand.collect(collect[1], read_amount(collect[2]))
    else:
        _read_fact(hand, text)


def _read_seat(hand: SiteHand, text: str) -> None:
    if seat := _SEAT.fullmatch(text):
        if "out of hand" not in seat[4]:  # who sits out of a tournament posts and folds
            hand.sit(seat[2], int(seat[1]), read_amount(seat[3]))
        return
    if (shown := _MUCKED.fullmatch(text)) and shown[1] in hand.stacks:
        hand.show(shown[1], shown[2])
    if (sold := _CASHED_OUT.fullmatch(text)) and sold[1] in hand.stacks:
        hand.collect(sold[1], read_amount(sold[3]))


def _find_move(hand: SiteHand, text: str) -> re.Match[str] | None:
    """The action of somebody at the table, whose name may look like a part of an action."""
    for pattern in (_MOVE, _MOVE_OF_LONGEST):
        if (move := pattern.fullmatch(text)) and move[1] in hand.stacks:
            return move
    return None


def _read_fact(hand: SiteHand, text: str) -> None:
    if table := _TABLE.match(text):
        hand.facts["table"], hand.button = table[1], int(table[2])
    elif dealt := _DEALT.fullmatch(text):
        hand.hero = dealt[1]
        hand.show(dealt[1], dealt[2], is_showdown=False)
    elif added := _ADDED.match(text):
        hand.added = read_amount(added[1])
    elif text.lower().startswith("hand cancelled"):
        raise InputError("the hand was cancelled")


def _move(hand: SiteHand, name: str, verb: str, rest: str) -> None:
    match verb:
        case "posts" | "straddle" | "straddles":
            _post(hand, name, rest if verb == "posts" else f"straddle {rest}")
        case "folds":
            hand.act(name, "f")
            if rest.startswith("[") and name != hand.hero:
                hand.show(name, rest, is_showdown=False)
        case "checks" | "calls":
            hand.act(name, "cc")
        case "bets":
            hand.act(name, f"cbr {read_amount(rest)}")
        case "raises":
            _, to, total = rest.partition(" to ")
            if not to:
                raise InputError(f"a raise is from one amount to another, not {rest[:40]!r}")
            hand.act(name, f"cbr {read_amount(total)}")
        case "shows":
            hand.show(name, rest.partition("]")[0])


def _post(hand: SiteHand, name: str, rest: str) -> None:
    is_all_in = _ALL_IN in rest
    amount: Amount = read_amount(rest)
    big = hand.bets[0]
    if "small & big" in rest or "dead" in rest:
        hand.post_dead(name, max(0, amount - big), min(amount, big))
    elif "missed" in rest:
        hand.post_dead(name, amount, 0)
    elif "ante" in rest:
        hand.post_ante(name, amount, is_all_in)
    elif "straddle" in rest or "button blind" in rest:
        hand.post_straddle(name, amount)
    else:
        hand.post_blind(name, amount, "small blind" not in rest, is_all_in)
