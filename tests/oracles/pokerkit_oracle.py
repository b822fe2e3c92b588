# SPDX-License-Identifier: MIT
"""Random hands played in lockstep by `PokerEpisode` and by pokerkit, compared after every action.

    python tests/oracles/pokerkit_oracle.py --hands 100000 --processes 2

Where pokerkit departs from the rules of the card room it is corrected or excused, each place
named here:

- *Reopening, counted from 0.* After a first all-in that is smaller than the least bet, or a raise
  over the big blind that is smaller than a full raise, pokerkit lets those who have spoken raise
  again. The TDA rule does not ("an all-in wager of less than a full bet or raise does not reopen
  the betting for players who have already acted and are not facing at least a full bet or raise").
- *Reopening, counter reset.* When short all-ins that have added up to a full raise are followed by
  one more short all-in, pokerkit forgets the sum; a player who faces more than a full raise in all
  may raise under the TDA rule.
- *Straddle.* pokerkit's least raise is told it: at least a straddle.
- *Side pots.* pokerkit kills losing hands before it divides the pots and then merges pots left
  with the same players, which moves odd chips; a card room splits each side pot by itself. Here
  every hand in a showdown is shown.
- *Rake.* pokerkit rakes each pot by itself and rounds; we take it from the total, rounded down. It
  is compared at showdowns with one pot, and as a sum elsewhere.

Both say that a call of a short big blind is of the largest bet, that a raise in fixed limit must
be a full one to reopen, and that odd chips all go to the first winner after the button.
"""

import argparse
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pokerkit
from pokerkit import Automation, BettingStructure, Opening, State, Street

from random_tables import TABLES, random_game
from regretless import _native

AUTOMATIONS = tuple(
    automation
    for automation in Automation
    if automation
    not in (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING)
)
HAND_TYPES = {
    _native.Showdown.HOLDEM: pokerkit.StandardHighHand,
    _native.Showdown.SHORT_DECK: pokerkit.ShortDeckHoldemHand,
    _native.Showdown.OMAHA: pokerkit.OmahaHoldemHand,
}
STRUCTURES = {
    _native.Limit.NONE: BettingStructure.NO_LIMIT,
    _native.Limit.POT: BettingStructure.POT_LIMIT,
    _native.Limit.FIXED: BettingStructure.FIXED_LIMIT,
}
CARDS = [
    card for rank in "23456789TJQKA" for suit in "cdhs" for card in pokerkit.Card.parse(rank + suit)
]


@dataclass
class Counts:
    """Counts of the episodes and of the situations in them."""

    hands: int = 0
    decisions: int = 0
    met: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Counts") -> None:
        self.hands += other.hands
        self.decisions += other.decisions
        self.met += other.met


class OpenShowdown(State):
    """A state in which nobody mucks at showdown."""

    def can_win_now(self, player_index: int) -> bool:
        return True


class Reopening:
    """The TDA rule on who may raise again, kept apart from both engines."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.street = -1

    def begin(self, street: int) -> None:
        if street == self.street:
            return
        self.street = street
        self.spoken: set[int] = set()
        self.full_raise = least_raise(self.rules, street)

    def may_raise(self, seat: int, owed: int) -> bool:
        return seat not in self.spoken or owed >= self.full_raise

    def act(self, seat: int, raised_by: int) -> None:
        self.spoken.add(seat)
        if self.rules.limit != _native.Limit.FIXED:
            self.full_raise = max(self.full_raise, raised_by)


def least_raise(rules: Any, street: int) -> int:
    """The least bet or raise on a street; a straddle is raised by at least a straddle."""
    if street == 0 and rules.limit != _native.Limit.FIXED:
        return max(rules.bets[0], *rules.blinds)
    return rules.bets[street]


def make_state(rules: Any) -> OpenShowdown:
    """pokerkit's view of the same rules; no cards are burnt, so that any deal fits."""
    streets = tuple(
        Street(
            False,
            (False,) * (rules.num_hole_cards if street == 0 else 0),
            rules.board_cards[street],
            False,
            Opening.POSITION,
            least_raise(rules, street),
            None if cap == _native.NO_RAISE_CAP else cap,
        )
        for street, cap in enumerate(rules.max_raises)
    )
    order = -1 if rules.num_players == 2 else 1  # heads-up pokerkit names the small blind first
    is_short = rules.showdown == _native.Showdown.SHORT_DECK
    return OpenShowdown(
        AUTOMATIONS,
        pokerkit.Deck.SHORT_DECK_HOLDEM if is_short else pokerkit.Deck.STANDARD,
        (HAND_TYPES[rules.showdown],),
        streets,
        STRUCTURES[rules.limit],
        len(set(rules.antes)) == 1,  # unequal antes are dead money
        tuple(rules.antes[::order]),
        tuple(rules.blinds[::order]),
        0,
        tuple(rules.stacks),
        rules.num_players,
        rake=lambda amount, state: take_rake(rules, amount, state),
    )


def take_rake(rules: Any, amount: int, state: State) -> tuple[int, int]:
    rake = 0
    if state.board_cards or not rules.rake.no_flop_no_drop:
        rake = int(rules.rake.fraction * amount)
    if rules.rake.cap:
        rake = min(rake, rules.rake.cap)
    return rake, amount - rake


def has_odd_chip(operation: pokerkit.Operation) -> bool:
    return isinstance(operation, pokerkit.ChipsPushing) and len(set(operation.amounts) - {0}) > 1


class Lockstep:
    """One hand in both engines."""

    def __init__(self, game: Any, rng: random.Random) -> None:
        self.rules, self.rng = game.rules, rng
        deck, seats = self.rules.deck, self.rules.num_players
        first = deck.lowest_rank * deck.num_suits
        self.cards = CARDS[first : first + deck.num_ranks * deck.num_suits]
        num_board = self.rules.num_board_cards
        dealt = rng.sample(range(len(self.cards)), seats * self.rules.num_hole_cards + num_board)
        self.board, rest = dealt[:num_board], dealt[num_board:]
        self.holes = [rest[seat::seats] for seat in range(seats)]
        board_is_known = rng.random() < 0.5
        self.ours = _native.PokerEpisode(game, self.holes, self.board if board_is_known else [])
        self.theirs = make_state(self.rules)
        self.reopening = Reopening(self.rules)
        self.counts = Counts(hands=1)
        self.deal()

    def play(self) -> Counts:
        while self.theirs.actor_index is not None:
            self.compare_chips()
            self.act(self.choose(self.compare_actions()))
        self.compare_results()
        return self.counts

    def deal(self) -> None:
        """Both get the cards that are due."""
        while self.ours.actor == _native.CHANCE:
            shown = len(self.ours.board)
            self.ours.deal_board(self.board[shown : shown + self.rules.board_cards[self.street()]])
        state = self.theirs
        while (seat := state.hole_dealee_index) is not None:
            state.deal_hole(tuple(self.cards[card] for card in self.holes[seat]), seat)
        while count := state.board_dealing_count:
            shown = len(state.board_cards)
            cards = self.board[shown : shown + count]
            state.deal_board(tuple(self.cards[card] for card in cards))

    def street(self) -> int:
        return self.ours.street

    def compare_chips(self) -> None:
        ours, theirs = self.ours, self.theirs
        self.expect("actor", ours.actor, theirs.actor_index)
        self.expect("street", ours.street, theirs.street_index)
        self.expect("stacks", ours.stacks, theirs.stacks)
        self.expect("bets", ours.bets, theirs.bets)
        self.expect("pot", ours.pot, theirs.total_pot_amount)
        self.expect("live", ours.live, theirs.statuses)
        self.expect("fold", ours.can_fold, theirs.can_fold())
        self.expect("call", ours.to_call, theirs.checking_or_calling_amount)
        shown = [self.cards[card] for card in ours.board]
        self.expect("board", shown, [card for cards in theirs.board_cards for card in cards])

    def compare_actions(self) -> tuple[int, int] | None:
        """The raises that both allow."""
        ours, state = self.ours, self.theirs
        low = state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        theirs = None if low is None else (low, high)
        self.counts.decisions += 1
        self.reopening.begin(ours.street)
        owed = max(ours.bets) - ours.bets[ours.actor]
        may_raise = self.reopening.may_raise(ours.actor, owed)
        if ours.raise_range is not None and theirs is not None:
            self.expect("raise", ours.raise_range, theirs)
            self.expect("the TDA rule", may_raise, True)
        elif theirs is not None:
            self.expect("the TDA rule", may_raise, False)
            counted = state.completion_betting_or_raising_amount
            self.expect("all-in below a full bet", counted < self.reopening.full_raise, True)
            self.counts.met["reopening counted from 0"] += 1
            return None
        elif ours.raise_range is not None:
            self.expect("the TDA rule", may_raise and ours.actor in self.reopening.spoken, True)
            shorts = state.consecutive_short_all_in_amounts
            is_reset = 0 < sum(shorts) < state.completion_betting_or_raising_amount
            self.expect("sum of short all-ins reset", is_reset, True)
            self.counts.met["reopening counter reset"] += 1
            return None
        elif not may_raise:
            self.counts.met["not reopened, both agree"] += 1
        return ours.raise_range

    def choose(self, raises: tuple[int, int] | None) -> int:
        """A kind of action, then if it is a raise how much, at random."""
        kinds = [0] + [-1] * self.ours.can_fold + [1] * (raises is not None)
        kind = self.rng.choice(kinds)
        if kind < 1:
            return kind
        low, high = raises
        near = self.rng.randint(low, min(high, 3 * low))
        return self.rng.choice([low, high, near, self.rng.randint(low, high)])

    def act(self, action: int) -> None:
        seat, high_bet = self.ours.actor, max(self.ours.bets)
        self.ours.act(action)
        if action == -1:
            self.theirs.fold()
        elif action == 0:
            self.theirs.check_or_call()
        else:
            self.theirs.complete_bet_or_raise_to(action)
        self.reopening.act(seat, max(0, action - high_bet))
        self.deal()

    def compare_results(self) -> None:
        self.expect("over", self.ours.actor, _native.TERMINAL)
        self.expect("over in pokerkit", self.theirs.status, False)
        payoffs, pots = self.ours.payoffs, len(list(self.theirs.pots))
        if sum(self.ours.live) == 1:
            self.counts.met["won without showdown"] += 1
        elif pots > 1:
            self.counts.met["side pots"] += 1
        self.counts.met["odd chips"] += any(map(has_odd_chip, self.theirs.operations))
        if self.rules.rake.fraction and (pots > 1 or sum(self.ours.live) == 1):
            rake, _ = take_rake(self.rules, self.ours.pot, self.theirs)
            self.expect("rake", -sum(payoffs), rake)
            return
        won = [stack + payoff for stack, payoff in zip(self.rules.stacks, payoffs, strict=True)]
        self.expect("final stacks", won, self.theirs.stacks)

    def expect(self, what: str, ours: Any, theirs: Any) -> None:
        if ours == theirs:
            return
        rules = self.rules
        names = [[repr(self.cards[card]) for card in hole] for hole in self.holes]
        raise AssertionError(
            f"{what}: ours {ours}, pokerkit {theirs}\n{rules.name}: stacks {rules.stacks}, "
            f"blinds {rules.blinds}, antes {rules.antes}, bets {rules.bets}\n"
            f"hole {names}, board {[repr(self.cards[card]) for card in self.board]}\n"
            f"events (seat, street, action, added) {self.ours.events}"
        )


def play_hand(name: str, seed: int, index: int) -> Counts:
    rng = random.Random(f"{name} {seed} {index}")
    return Lockstep(random_game(TABLES[name], rng), rng).play()


def play_hands(name: str, seed: int, first: int, last: int) -> Counts:
    counts = Counts()
    for index in range(first, last):
        try:
            counts.add(play_hand(name, seed, index))
        except Exception as error:
            raise AssertionError(f"play_hand({name!r}, {seed}, {index}): {error}") from error
    return counts


def play_all(hands: int, seed: int, processes: int, piece: int = 250) -> dict[str, Counts]:
    """So many hands over all tables, in pieces that any number of processes may share."""
    totals = {name: Counts() for name in TABLES}
    pieces = [
        (name, seed, first, min(first + piece, last))
        for name, table in TABLES.items()
        for last in [round(hands * table.share)]
        for first in range(0, last, piece)
    ]
    if processes == 1:
        for one in pieces:
            totals[one[0]].add(play_hands(*one))
        return totals
    with ProcessPoolExecutor(processes) as pool:
        for one, counts in zip(
            pieces, pool.map(play_hands, *zip(*pieces, strict=True)), strict=True
        ):
            totals[one[0]].add(counts)
    return totals


def print_totals(totals: dict[str, Counts]) -> None:
    for name, counts in totals.items():
        met = ", ".join(f"{what} {count:,}" for what, count in sorted(counts.met.items()))
        print(f"{name:14} {counts.hands:>7,} hands {counts.decisions:>9,} decisions: {met}")
    print(f"{'all':14} {sum(counts.hands for counts in totals.values()):>7,} hands agree")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the engine with pokerkit.")
    parser.add_argument("--hands", type=int, default=2_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    try:
        print_totals(play_all(options.hands, options.seed, options.processes))
    except AssertionError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
