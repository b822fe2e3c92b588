# SPDX-License-Identifier: MIT
"""Random hands that pokerkit plays, written as PokerStars, GGPoker and 888 write them.

Nothing of the package is used: the texts follow the public descriptions of the formats.
"""

import functools
import random
from dataclasses import dataclass, field

import pokerkit

NAMES = (
    "Ann",
    "bob 77",
    "c: folds",
    "[D]",
    "é-va",
    "F (x)",
    "g_g",
    "h.h",
    "Ivan: x",
    "jo collected",
)
PLAIN = ("Ann", "bob77", "Cee", "Dee", "eva_", "F.F", "g_g", "h-h", "Ivan")
STREETS = ("PREFLOP", "FLOP", "TURN", "RIVER")


@dataclass
class Move:
    street: int
    seat: int
    verb: str
    added: int
    to: int
    high: int  # the largest bet before
    is_all_in: bool


@dataclass
class Hand:
    """A hand with amounts in cents, or in chips of a tournament; seats begin after the button."""

    number: int
    is_tournament: bool
    names: list[str]
    seats: list[int]
    stacks: list[int]
    big: int
    small: int
    ante: int = 0
    is_one_ante: bool = False  # by the big blind for all
    straddle: int = 0
    late: dict[int, tuple[int, int]] = field(default_factory=dict)  # seat: dead, live
    moves: list[Move] = field(default_factory=list)
    holes: list[str] = field(default_factory=list)
    board: list[str] = field(default_factory=list)
    live: list[int] = field(default_factory=list)
    final: list[int] = field(default_factory=list)
    uncalled: tuple[int, int] | None = None
    won: list[int] = field(default_factory=list)
    pot: int = 0
    rake: int = 0
    hero: int = 0
    gross: list[int] = field(default_factory=list)  # before the rake

    @property
    def results(self) -> list[int]:
        """Chips that each seat won or lost, the rake deducted."""
        paid = self.paid
        return [won - paid[seat] for seat, won in enumerate(self.won)]

    @property
    def paid(self) -> list[int]:
        return [s + w - f for s, w, f in zip(self.stacks, self.gross, self.final, strict=True)]

    @property
    def small_seat(self) -> int:
        return 1 if len(self.names) == 2 else 0

    @property
    def big_seat(self) -> int:
        return 0 if len(self.names) == 2 else 1


def random_hand(seed: int, names: tuple[str, ...] = NAMES) -> Hand:
    rng = random.Random(seed)
    count = rng.choice([2, 2, 3, 4, 5, 6, 6, 9])
    big = rng.choice([2, 5, 10, 25, 100, 200, 1000])
    is_tournament = rng.random() < 0.4
    if is_tournament:
        big = rng.choice([20, 100, 600, 3000])
    stacks = [
        big * rng.choice([1, 3, 12, 30, 100, 100, 250]) + rng.randrange(big) for _ in range(count)
    ]
    hand = Hand(
        number=10**9 + seed,
        is_tournament=is_tournament,
        names=rng.sample(names[: max(count, 9)], count),
        seats=sorted(rng.sample(range(1, 10), count)),
        stacks=stacks,
        big=big,
        small=max(1, big // 2),
    )
    turn = rng.randrange(count)
    hand.seats = hand.seats[turn:] + hand.seats[:turn]
    kind = rng.random()
    if is_tournament and kind < 0.6:
        hand.ante = max(1, big // 8) if kind < 0.4 else big
        hand.is_one_ante = kind >= 0.4
    elif count > 3 and kind < 0.15:
        hand.straddle = 2 * big
    elif count > 4 and kind < 0.35:
        seat = rng.randrange(3, count)
        if hand.stacks[seat] > 2 * big:
            hand.late[seat] = (hand.small if kind < 0.25 else 0, big)
    _play(hand, rng)
    # Without an action pokerkit has put away the cards of the loser already.
    return hand if hand.moves else random_hand(seed + 1_000_000, names)


def _play(hand: Hand, rng: random.Random) -> None:
    count = len(hand.names)
    antes = [0 if hand.is_one_ante else hand.ante] * count
    if hand.is_one_ante:
        antes[hand.big_seat] = hand.ante
    blinds = [0] * count
    blinds[hand.small_seat], blinds[hand.big_seat] = hand.small, hand.big
    if hand.straddle:
        blinds[2] = hand.straddle
    for seat, (dead, live) in hand.late.items():
        antes[seat] += dead
        blinds[seat] = -live
    order = slice(None, None, -1) if count == 2 else slice(None)
    random.seed(rng.random())  # pokerkit shuffles with the global generator
    state = pokerkit.NoLimitTexasHoldem.create_state(
        tuple(pokerkit.Automation),
        not (hand.is_one_ante or hand.late),
        antes[order],
        blinds[order],
        hand.big,
        hand.stacks,
        count,
        mode=pokerkit.Mode.CASH_GAME,
    )
    hand.holes = ["".join(map(repr, cards)) for cards in state.hole_cards]
    while state.status:
        _act(hand, state, rng)
    hand.final = list(state.stacks)
    _finish(hand, state, rng)
    assert sum(hand.final) == sum(hand.stacks)


def _act(hand: Hand, state: pokerkit.State, rng: random.Random) -> None:
    seat, street, bets = state.actor_index, state.street_index, list(state.bets)
    least = state.min_completion_betting_or_raising_to_amount
    most = state.max_completion_betting_or_raising_to_amount
    full = state.street.min_completion_betting_or_raising_amount
    # Those who have spoken may raise after a first bet that is not full in pokerkit alone, and
    # there a straddle may be raised by a big blind.
    may_raise = least is not None and least >= max(bets) + full
    short = [m for m in hand.moves if m.street == 0 and 0 < m.to - m.high < hand.straddle]
    may_raise = may_raise and not (short and street == 0)
    if may_raise and street == 0:
        least = min(most, max(least, max(bets) + hand.straddle))
    drawn, stack = rng.random(), state.stacks[seat]
    call = state.checking_or_calling_amount
    if call and drawn < 0.22:
        hand.moves.append(Move(street, seat, "folds", 0, 0, max(bets), False))
        state.fold()
    elif may_raise and drawn > 0.72:
        to = rng.choice([least, most, rng.randint(least, min(most, 4 * least))])
        verb = "raises" if max(bets) else "bets"
        added = to - bets[seat]
        hand.moves.append(Move(street, seat, verb, added, to, max(bets), added == stack))
        state.complete_bet_or_raise_to(to)
    else:
        verb = "calls" if call else "checks"
        hand.moves.append(Move(street, seat, verb, call, 0, max(bets), call > 0 and call == stack))
        state.check_or_call()


def _finish(hand: Hand, state: pokerkit.State, rng: random.Random) -> None:
    count = len(hand.names)
    hand.board = [repr(card) for (card,) in state.board_cards] if any(state.board_cards) else []
    folded = {move.seat for move in hand.moves if move.verb == "folds"}
    hand.live = [seat for seat in range(count) if seat not in folded]
    posted = posts(hand)
    put = [0] * count
    for seat, _, amount, _ in posted:
        put[seat] += amount
    for move in hand.moves:
        put[move.seat] += move.added
    dead = [0] * count
    for seat, kind, amount, _ in posted:
        if kind == "dead" or (kind == "ante" and hand.is_one_ante):
            dead[seat] += amount
    matched = [a - b for a, b in zip(put, dead, strict=True)]
    top = sorted(matched)
    if top[-1] > top[-2]:
        seat = matched.index(top[-1])
        if seat in hand.live:
            hand.uncalled = seat, top[-1] - top[-2]
            put[seat] -= top[-1] - top[-2]
    hand.gross = [f - (s - p) for f, s, p in zip(hand.final, hand.stacks, put, strict=True)]
    assert min(hand.gross) >= 0 and sum(hand.gross) == sum(put), (hand, put)
    hand.pot = sum(put)
    hand.won = list(hand.gross)
    if not hand.is_tournament and hand.board and rng.random() < 0.8:
        winner = hand.won.index(max(hand.won))
        hand.rake = min(hand.won[winner] // 20, 3 * hand.big)
        hand.won[winner] -= hand.rake
    hand.hero = rng.randrange(count)


def posts(hand: Hand) -> list[tuple[int, str, int, bool]]:
    """(seat, kind, amount, all-in) of antes, then blinds."""
    left, found = list(hand.stacks), []

    def post(seat: int, kind: str, amount: int) -> None:
        amount = min(amount, left[seat])
        left[seat] -= amount
        if amount:
            found.append((seat, kind, amount, left[seat] == 0))

    for seat in range(len(hand.names)):
        if hand.ante and (not hand.is_one_ante or seat == hand.big_seat):
            post(seat, "ante", hand.ante)
    post(hand.small_seat, "small", hand.small)
    post(hand.big_seat, "big", hand.big)
    if hand.straddle:
        post(2, "straddle", hand.straddle)
    for seat, (dead, live) in hand.late.items():
        post(seat, "dead", dead)
        post(seat, "late", live)
    return found


def _money(hand: Hand, chips: int) -> str:
    return f"{chips}" if hand.is_tournament else f"${chips / 100:.2f}".removesuffix(".00")


def _cards(text: str, between: str = " ") -> str:
    return between.join(text[i : i + 2] for i in range(0, len(text), 2))


def stars(hand: Hand, is_gg: bool = False) -> str:
    lines = [*_stars_head(hand, is_gg), *_stars_posts(hand), "*** HOLE CARDS ***"]
    for seat, name in enumerate(hand.names):
        if seat == hand.hero:
            lines.append(f"Dealt to {name} [{_cards(hand.holes[seat])}]")
        elif is_gg:
            lines.append(f"Dealt to {name} ")
    street = 0
    for move in hand.moves:
        lines += _streets(hand, street, move.street)
        street = move.street
        added, to = _money(hand, move.added), _money(hand, move.to)
        text = {"calls": f" {added}", "bets": f" {to}"}.get(move.verb, "")
        if move.verb == "raises":
            text = f" {_money(hand, move.to - move.high)} to {to}"
        suffix = " and is all-in" if move.is_all_in else ""
        lines.append(f"{hand.names[move.seat]}: {move.verb}{text}{suffix}")
        if len(lines) % 11 == 0:
            lines.append('Ann said, "bob 77: folds"')
    if hand.uncalled:
        seat, back = hand.uncalled
        lines.append(f"Uncalled bet ({_money(hand, back)}) returned to {hand.names[seat]}")
    lines += _streets(hand, street, 3)
    return "\n".join([*lines, *_stars_end(hand, is_gg)]) + "\n\n\n"


def _stars_head(hand: Hand, is_gg: bool) -> list[str]:
    stakes = f"{_money(hand, hand.small)}/{_money(hand, hand.big)}"
    if is_gg:
        head = f"Poker Hand #{'TM' if hand.is_tournament else 'HD'}{hand.number}: "
        kind = f"Tournament #77, Sunday 5$ Special Hold'em No Limit - Level12({stakes})"
        head += kind if hand.is_tournament else f"Hold'em No Limit ({stakes})"
        head += " - 2024/03/09 07:08:09"
    else:
        head = f"PokerStars Hand #{hand.number}: "
        kind = f"Tournament #77, $3.19+$0.31 USD Hold'em No Limit - Level XI ({stakes})"
        head += kind if hand.is_tournament else f" Hold'em No Limit ({stakes} USD)"
        head += " - 2013/10/04 19:53:27 CET [2013/10/04 13:53:27 ET]"
    lines = [head, f"Table 'Alpha {hand.number % 7}' 9-max Seat #{hand.seats[-1]} is the button"]
    for seat in sorted(range(len(hand.names)), key=lambda seat: hand.seats[seat]):
        stack = _money(hand, hand.stacks[seat])
        lines.append(f"Seat {hand.seats[seat]}: {hand.names[seat]} ({stack} in chips)")
    free = [n for n in range(1, 10) if n not in hand.seats]
    if free and not is_gg:
        lines.append(f"Seat {free[0]}: away ({_money(hand, 500)} in chips) is sitting out")
    return lines


def _stars_posts(hand: Hand) -> list[str]:
    kinds = {"ante": "the ante", "small": "small blind", "big": "big blind", "late": "big blind"}
    dead = {seat: amount for seat, kind, amount, _ in posts(hand) if kind == "dead"}
    lines = []
    for seat, kind, amount, is_all_in in posts(hand):
        if kind == "dead":
            continue
        what = kinds.get(kind, "straddle")
        if kind == "late" and seat in dead:
            what, amount = "small & big blinds", amount + dead[seat]
        suffix = " and is all-in" if is_all_in else ""
        lines.append(f"{hand.names[seat]}: posts {what} {_money(hand, amount)}{suffix}")
    return lines


def _stars_end(hand: Hand, is_gg: bool) -> list[str]:
    lines = []
    if len(hand.live) > 1:
        lines.append("*** SHOWDOWN ***" if is_gg else "*** SHOW DOWN ***")
        for seat in hand.live:
            lines.append(f"{hand.names[seat]}: shows [{_cards(hand.holes[seat])}] (high card)")
    for seat, chips in enumerate(hand.won):
        if chips:
            half = chips // 2 if len(hand.live) > 2 else 0
            if half:
                lines.append(f"{hand.names[seat]} collected {_money(hand, half)} from side pot")
            lines.append(f"{hand.names[seat]} collected {_money(hand, chips - half)} from pot")
    pot, rake = _money(hand, hand.pot), _money(hand, hand.rake)
    lines += ["*** SUMMARY ***", f"Total pot {pot} | Rake {rake}"]
    if hand.board:
        lines.append(f"Board [{' '.join(hand.board)}]")
    for seat, name in enumerate(hand.names):
        lines.append(f"Seat {hand.seats[seat]}: {name} folded before Flop (didn't bet)")
    return lines


def gg(hand: Hand) -> str:
    return stars(hand, is_gg=True)


def _streets(hand: Hand, street: int, last: int) -> list[str]:
    found = []
    for each in range(street + 1, last + 1):
        end = each + 2
        if len(hand.board) >= end:
            before = hand.board[: end - 1] if each > 1 else []
            new = hand.board[len(before) : end]
            text = (f"[{' '.join(before)}] " if before else "") + f"[{' '.join(new)}]"
            found.append(f"*** {STREETS[each]} *** {text}")
    return found


def _pacific_money(hand: Hand, chips: int) -> str:
    is_european = hand.number % 3 == 0
    if hand.is_tournament:
        return f"{chips:,}".replace(",", "." if is_european else ",")
    text = f"{chips / 100:,.2f}" if chips % 100 else f"{chips // 100:,}"
    if is_european:
        return text.replace(",", "\u00a0").replace(".", ",") + "$"
    return f"${text}"


def pacific(hand: Hand) -> str:
    money = functools.partial(_pacific_money, hand)
    count = len(hand.names)
    table = "Tournament #83728678 $18.30 + $1.70 - Table #1 9 Max (Real Money)"
    lines = [
        f"#Game No : {hand.number}",
        f"***** 888poker Hand History for Game {hand.number} *****",
        f"{money(hand.small)}/{money(hand.big)} Blinds No Limit Holdem - *** 21 06 2018 19:41:18",
        table if hand.is_tournament else "Table Goiania 9 Max (Real Money)",
        f"Seat {hand.seats[-1]} is the button",
        f"Total number of players : {count}",
    ]
    for seat, name in enumerate(hand.names):
        lines.append(f"Seat {hand.seats[seat]}: {name} ( {money(hand.stacks[seat])} )")
    dead = {seat: amount for seat, kind, amount, _ in posts(hand) if kind == "dead"}
    kinds = {"ante": "ante", "small": "small blind", "big": "big blind", "late": "big blind"}
    for seat, kind, amount, _ in posts(hand):
        if kind == "late" and seat in dead:
            text = f"dead blind [{money(dead[seat])} + {money(amount)}]"
        elif kind != "dead":
            text = f"{kinds.get(kind, 'straddle')} [{money(amount)}]"
        else:
            continue
        lines.append(f"{hand.names[seat]} posts {text}")
    lines.append("** Dealing down cards **")
    lines.append(f"Dealt to {hand.names[hand.hero]} [ {_cards(hand.holes[hand.hero], ', ')} ]")
    street = 0

    def streets(last: int) -> list[str]:
        found = []
        for each in range(street + 1, last + 1):
            new = hand.board[:3] if each == 1 else hand.board[each + 1 : each + 2]
            if new:
                name = STREETS[each].lower()
                found.append(f"** Dealing {name} ** [ {', '.join(new)} ]")
        return found

    for move in hand.moves:
        lines += streets(move.street)
        street = move.street
        text = f" [{money(move.added)}]" if move.added else ""
        lines.append(f"{hand.names[move.seat]} {move.verb}{text}")
    lines += streets(3)
    lines.append("** Summary **")
    if len(hand.live) > 1:
        for seat in hand.live:
            verb = "shows" if hand.won[seat] else "mucks"
            lines.append(f"{hand.names[seat]} {verb} [ {_cards(hand.holes[seat], ', ')} ]")
    else:
        lines.append(f"{hand.names[hand.live[0]]} did not show his hand")
    for seat, chips in enumerate(hand.won):
        if chips:
            lines.append(f"{hand.names[seat]} collected [ {money(chips)} ]")
    return "\n".join(lines) + "\n\n"
