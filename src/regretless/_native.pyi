"""The native core of regretless."""

from collections.abc import Sequence
import enum
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


def level() -> str:
    """The processor level that this is compiled for."""

def listen(callable: object | None) -> None:
    """
    Have long native calls of this thread call this about ten times a second; an exception that it raises ends the native
    call. None: nothing is called, and signals still end the native call.
    """

def compiler() -> str:
    """The compiler and its version."""

class RowBuffer:
    """Rows of a fixed number of bytes, `capacity` of them at most."""

    @property
    def capacity(self) -> int: ...

    @property
    def size(self) -> int:
        """Rows in the buffer."""

    @property
    def num_added(self) -> int:
        """Rows ever added."""

    @property
    def row_bytes(self) -> int: ...

    @property
    def num_bytes(self) -> int:
        """Bytes of all rows when the buffer is full."""

    @property
    def is_mapped(self) -> bool:
        """Whether the rows are on disk."""

    def add(self, columns: Sequence[numpy.typing.NDArray[numpy.uint8]]) -> None:
        """Equally many rows of every column, [rows, bytes] each."""

    def sample(self, seed: int, step: int, columns: Sequence[numpy.typing.NDArray[numpy.uint8]]) -> None:
        """
        Fill [rows, bytes] of every column with rows drawn uniformly by seed and step.
        """

    def changed(self, since: int) -> numpy.typing.NDArray[numpy.int64]:
        """
        Indices, ascending, whose rows may be others than when `since` rows had been added.
        """

    def get(self, indices: numpy.typing.NDArray[numpy.int64]) -> numpy.typing.NDArray[numpy.uint8]:
        """The rows at some indices, [indices, row_bytes]."""

    def put(self, indices: numpy.typing.NDArray[numpy.int64], rows: numpy.typing.NDArray[numpy.uint8]) -> None:
        """Write rows as `get` gave them."""

    def resume(self, num_added: int) -> None:
        """
        Go on as if so many rows had been added, after their bytes were put in place.
        """

class Ring(RowBuffer):
    """Keeps the newest rows."""

    def __init__(self, column_bytes: Sequence[int], capacity: int, directory: str, max_bytes: int, threads: int) -> None: ...

class Reservoir(RowBuffer):
    """Keeps a uniform sample of all rows ever added."""

    def __init__(self, column_bytes: Sequence[int], capacity: int, seed: int, directory: str, max_bytes: int, threads: int) -> None: ...

class Deck:
    """Cards rank * num_suits + suit, lowest rank first."""

    def __init__(self, num_ranks: int = 13, num_suits: int = 4, lowest_rank: int = 0) -> None: ...

    @property
    def num_ranks(self) -> int: ...

    @property
    def num_suits(self) -> int: ...

    @property
    def lowest_rank(self) -> int: ...

    @property
    def num_cards(self) -> int: ...

    def rank(self, card: int) -> int: ...

    def suit(self, card: int) -> int: ...

    def card(self, rank: int, suit: int) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Showdown(enum.Enum):
    """The rule by which hands are compared."""

    HOLDEM = 0
    """The best five of hole and board cards (5, 6 or 7 in all)."""

    SHORT_DECK = 1
    """Hold'em with 36 cards; a flush beats a full house."""

    OMAHA = 2
    """Two of 4 or 5 hole cards and three board cards."""

    PAIR = 3
    """One hole card: a pair with the board, else its rank."""

class Category(enum.Enum):
    """The name of a poker hand."""

    HIGH_CARD = 0

    PAIR = 1

    TWO_PAIR = 2

    TRIPS = 3

    STRAIGHT = 4

    FLUSH = 5

    FULL_HOUSE = 6

    QUADS = 7

    STRAIGHT_FLUSH = 8

def strength(rule: Showdown, deck: Deck, hole: Sequence[int], board: Sequence[int]) -> int:
    """
    The strength of one hand on one board; the larger wins, equal ones split.
    """

def strengths(rule: Showdown, deck: Deck, cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], num_hole: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    Strengths [hands] of rows of hole and board cards [hands, cards]. The cards of a row must be
    distinct, which is not checked.
    """

def board_strengths(rule: Showdown, deck: Deck, board: Sequence[int], num_hole: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    Strengths of every hand, by hand index, on one board; 0 where the board holds a card of it.
    """

def win_signs(places: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int8], dict(shape=(None, None))]:
    """
    On how many boards the hand of a column beats that of a row, less those where it loses: [hands, hands], from the places in the order of strength [boards, hands], negative where a board blocks a hand.
    """

def category(rule: Showdown, strength: int) -> Category:
    """The name of a strength."""

def num_hands(deck: Deck, num_hole: int) -> int:
    """The number of hands of num_hole cards in the deck."""

def hand_cards(deck: Deck, num_hole: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
    """The cards [hands, num_hole] of every hand, ascending in each."""

def hand_index(deck: Deck, cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    The hand index [hands] of rows of cards [hands, num_hole] in any order.
    """

def hands_possible(deck: Deck, num_hole: int, dead: Sequence[int]) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
    """Whether each hand [hands] holds none of the dead cards."""

class CanonicalIndex:
    """
    Dense numbers for deals, equal when suits are renamed or a street is reordered.
    """

    def __init__(self, cards_per_street: Sequence[int], deck: Deck = ...) -> None: ...

    @property
    def num_streets(self) -> int: ...

    def num_cards(self, street: int) -> int:
        """Cards dealt up to and including a street."""

    def size(self, street: int) -> int:
        """The number of indices of a street."""

    def index(self, cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """
        The index [deals] of rows of cards [deals, cards] in the order of the streets; the number of cards
        names the street.
        """

    def cards(self, street: int, indices: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
        """One deal [deals, cards] for each index [deals] of a street."""

class FeatureKind(enum.Enum):
    """The features that distinguish hands before the river."""

    EHS = 0
    """The mean equity over the boards to come."""

    EHS2 = 1
    """The mean of its square."""

    HISTOGRAM = 2
    """The frequency of equities below each of 24 steps."""

class EquityFeatures:
    """
    Equities of hands on the boards to come against a hand drawn at random.
    """

    def __init__(self, rule: Showdown, deck: Deck, num_board: int, kind: FeatureKind) -> None:
        """On boards of 3 or 4 cards."""

    @property
    def width(self) -> int:
        """Features of a hand."""

    @property
    def num_boards(self) -> int:
        """Boards up to a renaming of suits."""

    @property
    def num_deals(self) -> int:
        """Hands with boards up to a renaming of suits."""

    def rows(self, boards: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None, None))]]:
        """
        For each hand on these boards, by number: the canonical index with the board, the one of the hole cards, the
        deals that it stands for, the mean equity, and the features [rows, width].
        """

class ScoreCounts:
    """The number of deals of two cards and a full board with each score."""

    def __init__(self, rule: Showdown, deck: Deck) -> None: ...

    @property
    def most(self) -> int:
        """The score of a hand that beats all others; score / most is the equity."""

    @property
    def num_boards(self) -> int:
        """Boards up to a renaming of suits."""

    def count(self, first: int, last: int, threads: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """int64 [most + 1], over the boards from first to before last."""

class KMeans:
    """Clusters of weighted points; the seed decides them, not the threads."""

    def __init__(self, points: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], clusters: int, seed: int, threads: int) -> None:
        """Chooses the first centroids."""

    def step(self) -> bool:
        """
        Move every centroid to the mean of its points; whether any point changed its centroid then.
        """

    @property
    def error(self) -> float:
        """Mean squared distance of a point from its centroid."""

    @property
    def centroids(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """float32 [clusters, width]"""

def nearest_centroids(points: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], centroids: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]:
    """
    uint16 [points]: the centroid that is nearest to each point, of equally near ones the first.
    """

class HandBuckets:
    """Buckets of two hole cards and a board; renamed suits change nothing."""

    def __init__(self, name: str, rule: Showdown, deck: Deck, preflop: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], flop: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], turn: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], river: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], equities: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]] = []) -> None:
        """
        Tables by canonical index of hole cards and board as a set; on the river by score; equities of the
        buckets of each street, for encoders.
        """

    @property
    def name(self) -> str: ...

    @property
    def rule(self) -> Showdown: ...

    @property
    def deck(self) -> Deck: ...

    def buckets(self, cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]:
        """
        uint16 [deals]: of rows of two hole cards and 0, 3, 4 or 5 board cards [deals, cards].
        """

    @staticmethod
    def table_sizes(rule: Showdown, deck: Deck) -> list[int]:
        """Entries of the four tables."""

def range_shares(rule: Showdown, deck: Deck, board: Sequence[int], first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None))]:
    """
    Shares of every hand of two cards against the other's range, weights [hands] each, on a board of 3 to 5 cards: float64 [players, (wins, ties, meets), hands], the weight that it beats, ties with and can meet.
    """

class Equity:
    """The share of the pot that each player wins on average."""

    @property
    def equities(self) -> list[float]:
        """[players], sum 1."""

    @property
    def wins(self) -> list[float]:
        """[players], chance of being the only winner."""

    @property
    def ties(self) -> list[float]:
        """[players], chance of being one of several winners."""

    @property
    def standard_errors(self) -> list[float]:
        """[players], 0 if exact."""

    @property
    def samples(self) -> int:
        """0 if exact."""

class Matchup:
    """Who holds what before the board is complete."""

    @staticmethod
    def of(rule: Showdown, deck: Deck, players: Sequence[tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], board: Sequence[int], dead: Sequence[int]) -> Matchup:
        """players: for each, hands [hands, num_hole] and weights [hands]."""

class ExactEquity:
    """Equity over all deals and boards, in chunks."""

    def __init__(self, matchup: Matchup) -> None: ...

    @property
    def num_evaluations(self) -> float: ...

    @property
    def num_chunks(self) -> int: ...

    def run(self, chunks: int, threads: int) -> None:
        """The next chunks."""

    def result(self) -> Equity:
        """The equity over the chunks run so far."""

class SampledEquity:
    """Equity from random deals, in chunks."""

    def __init__(self, matchup: Matchup, samples: int, seed: int) -> None: ...

    @property
    def num_chunks(self) -> int: ...

    def run(self, chunks: int, threads: int) -> None:
        """The next chunks."""

    def result(self) -> Equity:
        """The equity over the chunks run so far."""

def num_canonical_boards() -> int:
    """Boards of five cards up to a renaming of suits."""

def class_wins(first: int, count: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None, None))]:
    """
    Deals [classes, classes] in which one class of hold'em hands beats another over these canonical boards and all that renamings of suits make of them; classes by their places in a chart, row by row from AA.
    """

def class_orders(first: int, count: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None, None, None))], Annotated[NDArray[numpy.uint32], dict(shape=(None, None, None))], Annotated[NDArray[numpy.uint32], dict(shape=(None, None, None))]]:
    """
    Deals [classes, classes, classes] of three hold'em hands over these canonical boards and all that renamings of suits make of them, in three arrays: the first beats the second, which beats the third; the first two are equal and beat the third; they are equal and lose to the third.
    """

CHANCE: int = -1

TERMINAL: int = -2

NO_RAISE_CAP: int = 1000000

class Limit(enum.Enum):
    """The limit on bets."""

    FIXED = 0

    POT = 1

    NONE = 2

class Rake:
    """The share of a pot that the house takes."""

    def __init__(self) -> None: ...

    @property
    def fraction(self) -> float: ...

    @fraction.setter
    def fraction(self, arg: float, /) -> None: ...

    @property
    def cap(self) -> int: ...

    @cap.setter
    def cap(self, arg: int, /) -> None: ...

    @property
    def no_flop_no_drop(self) -> bool: ...

    @no_flop_no_drop.setter
    def no_flop_no_drop(self, arg: bool, /) -> None: ...

class PokerRules:
    """A poker variant as plain data."""

    def __init__(self) -> None: ...

    def copy(self) -> PokerRules: ...

    @property
    def name(self) -> str: ...

    @name.setter
    def name(self, arg: str, /) -> None: ...

    @property
    def num_players(self) -> int: ...

    @num_players.setter
    def num_players(self, arg: int, /) -> None: ...

    @property
    def deck(self) -> Deck: ...

    @deck.setter
    def deck(self, arg: Deck, /) -> None: ...

    @property
    def num_hole_cards(self) -> int: ...

    @num_hole_cards.setter
    def num_hole_cards(self, arg: int, /) -> None: ...

    @property
    def num_streets(self) -> int: ...

    @num_streets.setter
    def num_streets(self, arg: int, /) -> None: ...

    @property
    def limit(self) -> Limit: ...

    @limit.setter
    def limit(self, arg: Limit, /) -> None: ...

    @property
    def rake(self) -> Rake: ...

    @rake.setter
    def rake(self, arg: Rake, /) -> None: ...

    @property
    def showdown(self) -> Showdown: ...

    @showdown.setter
    def showdown(self, arg: Showdown, /) -> None: ...

    @property
    def unit(self) -> int: ...

    @unit.setter
    def unit(self, arg: int, /) -> None: ...

    @property
    def num_board_cards(self) -> int: ...

    def validate(self) -> None:
        """Raise ValueError, naming the field, if the rules make no sense."""

    @property
    def board_cards(self) -> list[int]: ...

    @board_cards.setter
    def board_cards(self, arg: Sequence[int], /) -> None: ...

    @property
    def bets(self) -> list[int]: ...

    @bets.setter
    def bets(self, arg: Sequence[int], /) -> None: ...

    @property
    def max_raises(self) -> list[int]: ...

    @max_raises.setter
    def max_raises(self, arg: Sequence[int], /) -> None: ...

    @property
    def first_actors(self) -> list[int]: ...

    @first_actors.setter
    def first_actors(self, arg: Sequence[int], /) -> None: ...

    @property
    def antes(self) -> list[int]: ...

    @antes.setter
    def antes(self, arg: Sequence[int], /) -> None: ...

    @property
    def blinds(self) -> list[int]: ...

    @blinds.setter
    def blinds(self, arg: Sequence[int], /) -> None: ...

    @property
    def stacks(self) -> list[int]: ...

    @stacks.setter
    def stacks(self, arg: Sequence[int], /) -> None: ...

class BetMenu:
    """The bets that a player may choose from, as canonical slots."""

    def __init__(self, name: str, slots: Sequence[str], rows: Sequence[Sequence[Sequence[Sequence[str]]]], max_raises: int = 1000000, *, add_all_in: float = 0.0, force_all_in: float = 0.0, merge: float = 0.0, limp: bool = True) -> None:
        """
        Rows are [seats or 1][streets][open, raise, reraise and perhaps donk][raise slots] of sizes such as '33%'.
        """

    @property
    def name(self) -> str: ...

    @property
    def slots(self) -> list[str]: ...

    @property
    def max_raises(self) -> int: ...

    @property
    def add_all_in(self) -> float:
        """All-in is offered where it is at most so many pots; 0: nowhere."""

    @property
    def force_all_in(self) -> float:
        """A raise that would leave at most so many pots behind is all-in."""

    @property
    def merge(self) -> float:
        """
        The smaller of two raises closer than this share of the pot is dropped.
        """

    @property
    def limp(self) -> bool:
        """Whether the big blind may be called before anybody has raised."""

    @property
    def has_donks(self) -> bool:
        """Whether it has sizes for bets into the last aggressor."""

    def rows(self, num_streets: int) -> list[list[list[list[str]]]]: ...

def normalize_bet_size(text: str) -> str:
    """The size in its canonical spelling; ValueError if it is none."""

class Poker:
    """A poker variant with a bet menu."""

    def __init__(self, rules: PokerRules, menu: BetMenu, *, board: Sequence[int] = [], weights: Sequence[Sequence[float]] = [], aggressor: int = -1) -> None:
        """
        `board`: cards that are out before the first decision; `weights` [players][hands]: how likely each hand is there; `aggressor`: the seat that made the last bet or raise before it, -1 if nobody did.
        """

    @property
    def board(self) -> list[int]:
        """Cards that are out before the first decision."""

    @property
    def weights(self) -> list[list[float]]:
        """Weight of each hand at the start, [players][hands]; empty: all alike."""

    @property
    def aggressor(self) -> int:
        """The seat that made the last bet or raise before the start; -1: nobody."""

    @property
    def rules(self) -> PokerRules:
        """A copy of the rules."""

    @property
    def deck(self) -> Deck:
        """The cards that it is played with."""

    @property
    def menu(self) -> BetMenu: ...

    @property
    def action_names(self) -> list[str]: ...

    @property
    def name(self) -> str: ...

    @property
    def num_players(self) -> int: ...

    @property
    def num_streets(self) -> int: ...

    @property
    def num_board_cards(self) -> int:
        """Public cards in all; 0 where there are none."""

    @property
    def hand_size(self) -> int:
        """Cards or dice of a private hand."""

    def hand_parts(self, hand: int) -> list[int]:
        """The cards of a hand, ascending, or its faces, from 1."""

    def episode(self, seed: int = 0, index: int = 0) -> PokerEpisode:
        """The cards or dice of episode `index` of a job with this seed."""

    def episode_of(self, hands: Sequence[Sequence[int]] = [], board: Sequence[int] = []) -> PokerEpisode:
        """
        Given cards, or faces from 1; an empty list, or none, is a hand that is unknown.
        """

    @property
    def num_actions(self) -> int:
        """Slots, the same at every decision."""

    @property
    def num_hands(self) -> int:
        """Private hands of one player."""

    @property
    def unit(self) -> float:
        """Chips in the unit that values are counted in."""

    def hand_weights(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Weight of each hand at the root, relative to the others: float64 [hands].
        """

    def hands_possible(self, dead: Sequence[int]) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
        """bool [hands]: whether each hand holds none of these cards."""

    def count_tree(self) -> dict[str, int]:
        """
        Histories, terminals, infosets and public nodes; walks every public state, so for small games only.
        """

class PokerEpisode:
    """One poker episode, stepped."""

    @overload
    def __init__(self, game: Poker, hole: Sequence[Sequence[int]], board: Sequence[int] = []) -> None:
        """Given cards; an empty list of hole cards is unknown."""

    @overload
    def __init__(self, game: Poker, seed: int = 0, index: int = 0) -> None:
        """The cards or dice of episode `index` of a job with this seed."""

    def hole(self, seat: int) -> list[int]:
        """Hole cards, empty if unknown."""

    @property
    def stacks(self) -> list[int]:
        """Chips behind."""

    @property
    def bets(self) -> list[int]:
        """Chips bet on this street."""

    @property
    def paid(self) -> list[int]:
        """Chips put in so far."""

    @property
    def pot(self) -> int:
        """All chips put in, bets included."""

    @property
    def to_call(self) -> int: ...

    @property
    def can_fold(self) -> bool: ...

    @property
    def raise_range(self) -> tuple[int, int] | None:
        """Least and most to raise to, or None."""

    @property
    def offer(self) -> list[int | None]:
        """
        For each slot the action it means here (-1 fold, 0 call, else raise to), None if not legal.
        """

    def act(self, action: int) -> None:
        """-1 folds, 0 checks or calls, a positive amount bets or raises to it."""

    def fold(self) -> None: ...

    def call(self) -> None:
        """Check or call."""

    def raise_to(self, amount: int) -> None: ...

    def deal_hole(self, seat: int, cards: Sequence[int]) -> None: ...

    def translate(self, action: int) -> tuple[int, int, float]:
        """
        Slots low and high that a bet off the menu lies between, and the probability of low.
        """

    def strength(self, seat: int) -> int:
        """At showdown; the larger wins."""

    @property
    def events(self) -> list[tuple[int, int, int, int]]:
        """(seat, street, action, chips added) of every decision so far."""

    @property
    def game(self) -> Poker: ...

    @property
    def actor(self) -> int:
        """The seat to act, -1 where board cards are due, -2 at the end."""

    @property
    def is_terminal(self) -> bool: ...

    @property
    def legal(self) -> list[bool]:
        """For each slot, whether it may be chosen."""

    def choose(self, slot: int) -> None:
        """Choose a slot; ValueError, and no change, if it is not legal."""

    def slot_text(self, slot: int) -> str:
        """The meaning of a legal slot here."""

    @property
    def payoffs(self) -> list[int]:
        """Chips won by each seat, at the end."""

    @property
    def board(self) -> list[int]:
        """Public cards."""

    def deal_board(self, cards: Sequence[int]) -> None:
        """The next public cards; ValueError, and no change, if they cannot come."""

    @property
    def street(self) -> int: ...

    @property
    def live(self) -> list[bool]:
        """For each seat, whether it may still win: has not folded."""

    def hand_parts(self, seat: int) -> list[int]:
        """Cards, ascending, or faces from 1, of a seat; empty if unknown."""

    def hand(self, seat: int) -> int:
        """Dense index of the hand of a seat."""

    @property
    def infoset(self) -> int:
        """A key of what the actor knows."""

    @property
    def infoset_name(self) -> str:
        """The infoset in words, such as 'Qd:cc/Kd:r'."""

    @property
    def steps(self) -> list[tuple[int, int]]:
        """
        (seat, slot) of every decision so far; ValueError after a bet that is not on the menu.
        """

    def copy(self) -> PokerEpisode: ...

class LiarsDice:
    """Liar's Dice; the highest face is wild."""

    def __init__(self, num_dice: int, num_faces: int, num_players: int = 2) -> None: ...

    @property
    def num_dice(self) -> int: ...

    @property
    def num_faces(self) -> int: ...

    @property
    def deck(self) -> None:
        """None: there are no cards."""

    @property
    def action_names(self) -> list[str]: ...

    @property
    def name(self) -> str: ...

    @property
    def num_players(self) -> int: ...

    @property
    def num_streets(self) -> int: ...

    @property
    def num_board_cards(self) -> int:
        """Public cards in all; 0 where there are none."""

    @property
    def hand_size(self) -> int:
        """Cards or dice of a private hand."""

    def hand_parts(self, hand: int) -> list[int]:
        """The cards of a hand, ascending, or its faces, from 1."""

    def episode(self, seed: int = 0, index: int = 0) -> LiarsDiceEpisode:
        """The cards or dice of episode `index` of a job with this seed."""

    def episode_of(self, hands: Sequence[Sequence[int]] = [], board: Sequence[int] = []) -> LiarsDiceEpisode:
        """
        Given cards, or faces from 1; an empty list, or none, is a hand that is unknown.
        """

    @property
    def num_actions(self) -> int:
        """Slots, the same at every decision."""

    @property
    def num_hands(self) -> int:
        """Private hands of one player."""

    @property
    def unit(self) -> float:
        """Chips in the unit that values are counted in."""

    def hand_weights(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Weight of each hand at the root, relative to the others: float64 [hands].
        """

    def hands_possible(self, dead: Sequence[int]) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
        """bool [hands]: whether each hand holds none of these cards."""

    def count_tree(self) -> dict[str, int]:
        """
        Histories, terminals, infosets and public nodes; walks every public state, so for small games only.
        """

class LiarsDiceEpisode:
    """One episode of Liar's Dice, stepped."""

    @overload
    def __init__(self, game: LiarsDice, dice: Sequence[Sequence[int]]) -> None:
        """Given faces, from 1; an empty list is unknown."""

    @overload
    def __init__(self, game: LiarsDice, seed: int = 0, index: int = 0) -> None:
        """The cards or dice of episode `index` of a job with this seed."""

    @property
    def game(self) -> LiarsDice: ...

    @property
    def actor(self) -> int:
        """The seat to act, -1 where board cards are due, -2 at the end."""

    @property
    def is_terminal(self) -> bool: ...

    @property
    def legal(self) -> list[bool]:
        """For each slot, whether it may be chosen."""

    def choose(self, slot: int) -> None:
        """Choose a slot; ValueError, and no change, if it is not legal."""

    def slot_text(self, slot: int) -> str:
        """The meaning of a legal slot here."""

    @property
    def payoffs(self) -> list[int]:
        """Chips won by each seat, at the end."""

    @property
    def board(self) -> list[int]:
        """Public cards."""

    def deal_board(self, cards: Sequence[int]) -> None:
        """The next public cards; ValueError, and no change, if they cannot come."""

    @property
    def street(self) -> int: ...

    @property
    def live(self) -> list[bool]:
        """For each seat, whether it may still win: has not folded."""

    def hand_parts(self, seat: int) -> list[int]:
        """Cards, ascending, or faces from 1, of a seat; empty if unknown."""

    def hand(self, seat: int) -> int:
        """Dense index of the hand of a seat."""

    @property
    def infoset(self) -> int:
        """A key of what the actor knows."""

    @property
    def infoset_name(self) -> str:
        """The infoset in words, such as 'Qd:cc/Kd:r'."""

    @property
    def steps(self) -> list[tuple[int, int]]:
        """
        (seat, slot) of every decision so far; ValueError after a bet that is not on the menu.
        """

    def copy(self) -> LiarsDiceEpisode: ...

class ExplicitGame:
    """A game written out in full, to be played; arrays as in ExplicitTree."""

    def __init__(self, *, name: str, unit: float, stake: float, actors: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], num_children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chance_probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], infosets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], terminals: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], infoset_actors: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], infoset_num_actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], infoset_names: Sequence[str], slots: Sequence[Sequence[int]], texts: Sequence[Sequence[str]], action_names: Sequence[str]) -> None:
        """
        Checks the tree. It has a key and the slots of the actions for each infoset, and chips for 1 of the payoffs.
        """

    @property
    def deck(self) -> None:
        """None: there are no cards."""

    @property
    def action_names(self) -> list[str]: ...

    @property
    def infoset_keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """uint64 [infosets]: the keys that questions have."""

    @property
    def name(self) -> str: ...

    @property
    def num_players(self) -> int: ...

    @property
    def num_streets(self) -> int: ...

    @property
    def num_board_cards(self) -> int:
        """Public cards in all; 0 where there are none."""

    @property
    def hand_size(self) -> int:
        """Cards or dice of a private hand."""

    def hand_parts(self, hand: int) -> list[int]:
        """The cards of a hand, ascending, or its faces, from 1."""

    def episode(self, seed: int = 0, index: int = 0) -> ExplicitEpisode:
        """The cards or dice of episode `index` of a job with this seed."""

    def episode_of(self, hands: Sequence[Sequence[int]] = [], board: Sequence[int] = []) -> ExplicitEpisode:
        """
        Given cards, or faces from 1; an empty list, or none, is a hand that is unknown.
        """

    @property
    def num_actions(self) -> int:
        """Slots, the same at every decision."""

    @property
    def num_hands(self) -> int:
        """Private hands of one player."""

    @property
    def unit(self) -> float:
        """Chips in the unit that values are counted in."""

    def hand_weights(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Weight of each hand at the root, relative to the others: float64 [hands].
        """

    def hands_possible(self, dead: Sequence[int]) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
        """bool [hands]: whether each hand holds none of these cards."""

    def count_tree(self) -> dict[str, int]:
        """
        Histories, terminals, infosets and public nodes; walks every public state, so for small games only.
        """

class ExplicitEpisode:
    """One episode of a game written out in full, stepped."""

    def __init__(self, game: ExplicitGame, seed: int = 0, index: int = 0) -> None:
        """The cards or dice of episode `index` of a job with this seed."""

    @property
    def game(self) -> ExplicitGame: ...

    @property
    def actor(self) -> int:
        """The seat to act, -1 where board cards are due, -2 at the end."""

    @property
    def is_terminal(self) -> bool: ...

    @property
    def legal(self) -> list[bool]:
        """For each slot, whether it may be chosen."""

    def choose(self, slot: int) -> None:
        """Choose a slot; ValueError, and no change, if it is not legal."""

    def slot_text(self, slot: int) -> str:
        """The meaning of a legal slot here."""

    @property
    def payoffs(self) -> list[int]:
        """Chips won by each seat, at the end."""

    @property
    def board(self) -> list[int]:
        """Public cards."""

    def deal_board(self, cards: Sequence[int]) -> None:
        """The next public cards; ValueError, and no change, if they cannot come."""

    @property
    def street(self) -> int: ...

    @property
    def live(self) -> list[bool]:
        """For each seat, whether it may still win: has not folded."""

    def hand_parts(self, seat: int) -> list[int]:
        """Cards, ascending, or faces from 1, of a seat; empty if unknown."""

    def hand(self, seat: int) -> int:
        """Dense index of the hand of a seat."""

    @property
    def infoset(self) -> int:
        """A key of what the actor knows."""

    @property
    def infoset_name(self) -> str:
        """The infoset in words, such as 'Qd:cc/Kd:r'."""

    @property
    def steps(self) -> list[tuple[int, int]]:
        """
        (seat, slot) of every decision so far; ValueError after a bet that is not on the menu.
        """

    def copy(self) -> ExplicitEpisode: ...

class TabularGame:
    """
    The public view of a game written out in full: hands dealt once, then public play.
    """

    def __init__(self, *, name: str, unit: float, action_names: Sequence[str], actors: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], first_children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], num_children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], slots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], stakes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], pair_weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], tables: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scales: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Tables as `TabularParts` in native/games/tabular_game.h has them; ValueError where they do not fit together.
        """

    @property
    def name(self) -> str: ...

    @property
    def num_players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def num_hands(self) -> int: ...

    @property
    def unit(self) -> float: ...

    @property
    def action_names(self) -> list[str]: ...

    def infoset_keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None))]:
        """uint64 [nodes, hands]: of a decision's actor with each hand."""

class DealPool:
    """Whole deals that are drawn once: see docs/deal_pool.md."""

    def __init__(self, game: Poker | LiarsDice | ExplicitGame | TabularGame, *, count: int, min_per_class: int = 0, max_rejections: int = 500000, seed: int = 0) -> None: ...

    def __len__(self) -> int: ...

    @property
    def num_classes(self) -> int:
        """Classes of hands that a seat can be dealt."""

    @property
    def num_lacking(self) -> int:
        """Seats and classes that have fewer deals than they should."""

    @property
    def num_rejections(self) -> int:
        """Draws that were thrown away."""

    @property
    def counts(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None))]:
        """
        int64 [players, classes]: deals for a seat by the class of its hand. Deal i is for seat i % players.
        """

    @property
    def weights(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        float32 [deals]: what each counts, so that expectations are those of the game.
        """

    @property
    def hands(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """int32 [deals, players]"""

class Field:
    """
    A piece of a row, and the features that it gives: see docs/encoders.md.
    """

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str:
        """marks, wide marks, numbers or bits"""

    @property
    def byte(self) -> int:
        """Its first byte in the row."""

    @property
    def count(self) -> int:
        """The number of marks, numbers or bits."""

    @property
    def width(self) -> int:
        """Features of a mark, bytes of a number, or bits that make a number."""

    @property
    def divisor(self) -> int:
        """A byte b marks number b / divisor % width."""

    @property
    def feature(self) -> int:
        """Its first feature."""

    @property
    def stride(self) -> int:
        """From the features of one mark, number or bit to those of the next."""

    @property
    def scale(self) -> float:
        """The factor of a number, or the value of a bit."""

    @property
    def num_bytes(self) -> int: ...

class Encoder:
    """Encodes a decision for a network, as a row of bytes and as features."""

    def __init__(self, game: Poker | LiarsDice | ExplicitGame | TabularGame, name: str, buckets: Sequence[HandBuckets] = []) -> None:
        """The encoder of that name; `buckets` are for the one that sees them."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int:
        """Another one has other rows or features."""

    @property
    def buckets(self) -> list[HandBuckets]:
        """Those that it sees, of one abstraction or none."""

    @property
    def hole_bytes(self) -> list[int]:
        """
        Bytes of a row that hold the actor's cards by their index in the deck, 255 for none; empty where it names suits anew.
        """

    @property
    def board_bytes(self) -> list[int]:
        """Bytes of a row that hold the cards of the board."""

    @property
    def row_bytes(self) -> int: ...

    @property
    def num_features(self) -> int: ...

    @property
    def fields(self) -> list[Field]:
        """Fields, by which rows become features."""

    def row(self, episode: PokerEpisode | LiarsDiceEpisode | ExplicitEpisode) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """uint8 [row_bytes]: what the actor knows."""

    def expand(self, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 1) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """float32 [rows, num_features] from uint8 [rows, row_bytes]."""

class Perceptron:
    """
    A network that answers on the CPU, with the same bytes on every processor.
    """

    def __init__(self, hidden: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None]], residual: bool, output: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None]], value: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None]], head: str) -> None:
        """
        Layers are (weights [outputs, inputs], bias, gain, shift); `value` is empty, or leads to the value that is added.
        """

    def outputs(self, encoder: Encoder, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 1) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """float32 [rows, slots]: what comes before probabilities."""

    def answer(self, encoder: Encoder, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], legal: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 1, temperature: float = 0.0) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """
        Probabilities [rows, slots] of the legal slots; with a temperature values play by a softmax.
        """

class Questions:
    """
    Decisions that wait for an answer: read-only columns, good as long as they are held.
    """

    def __len__(self) -> int: ...

    def rows(self, encoder: str) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """
        uint8 [batch, row_bytes]: what the encoder of that name says, if the job was made with it.
        """

    @property
    def legal(self) -> Annotated[NDArray[numpy.bool_], dict(writable=False)]:
        """bool [batch, actions]"""

    @property
    def actors(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """int32 [batch]"""

    @property
    def hands(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """int32 [batch]: dense index of the actor's hand"""

    @property
    def episodes(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]:
        """int64 [batch]"""

    @property
    def infosets(self) -> Annotated[NDArray[numpy.uint64], dict(writable=False)]:
        """uint64 [batch]: a key of what the actor knows"""

    @property
    def publics(self) -> Annotated[NDArray[numpy.uint64], dict(writable=False)]:
        """
        uint64 [batch]: a key of the public state, so that rows of one public state can be grouped; the key of the infoset in a game without public states
        """

    def bucket_infosets(self, name: str) -> Annotated[NDArray[numpy.uint64], dict(writable=False)]:
        """
        uint64 [batch]: a key of what one who plays by the buckets of that name knows, if the job was made with them.
        """

    @property
    def pots(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """int32 [batch]: chips in the middle; with chips=True or table=True"""

    @property
    def to_calls(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """int32 [batch]: chips that a call costs; with chips=True or table=True"""

    @property
    def stacks(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """
        int32 [batch]: chips the actor has behind; with chips=True or table=True
        """

    @property
    def streets(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """int32 [batch]; with chips=True or table=True"""

    @property
    def hand_strengths(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """
        float32 [batch]: the share of hands that the actor's beats, by what he sees; with chips=True
        """

    @property
    def seeds(self) -> Annotated[NDArray[numpy.uint64], dict(writable=False)]:
        """
        uint64 [batch]: a random number of the seat in the episode, the same at all its decisions; with seeds=True
        """

    @property
    def step_offsets(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]:
        """
        int64 [batch + 1]: where the steps so far of each row begin; with history=True
        """

    @property
    def step_actors(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [steps]; with history=True"""

    @property
    def step_slots(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [steps]; with history=True"""

    @property
    def step_streets(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [steps]; with history=True"""

    @property
    def step_actions(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """
        int32 [steps]: -1 a fold, 0 a check or call, else what was raised to; with history=True and table=True
        """

    @property
    def hole_cards(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """
        uint8 [batch, hole cards]: the actor's, ascending, or his dice; with table=True
        """

    @property
    def boards(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """
        uint8 [batch, board cards], 255 where none is dealt yet; with table=True
        """

    @property
    def seat_stacks(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """int32 [batch, players]: chips behind; with table=True"""

    @property
    def seat_bets(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """int32 [batch, players]: chips bet on this street; with table=True"""

    @property
    def live(self) -> Annotated[NDArray[numpy.bool_], dict(writable=False)]:
        """bool [batch, players]: who has not folded; with table=True"""

    @property
    def offers(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """
        int32 [batch, actions]: what each slot means, -1 a fold, 0 a check or call, else what it raises to, -2 if it is not legal; with table=True
        """

    @property
    def least_raises(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """
        int32 [batch]: the least to raise to by the rules, 0 if there is no raise; with table=True
        """

    @property
    def most_raises(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """
        int32 [batch]: the most to raise to by the rules, 0 if there is no raise; with table=True
        """

    @property
    def past_offsets(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]:
        """
        int64 [batch + 1]: where the actor's own earlier decisions of each row begin; with past=True
        """

    @property
    def past_slots(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [past]: what he chose at each; with past=True"""

    @property
    def past(self) -> Questions:
        """
        The decisions themselves, as questions of the same columns but without histories; with past=True
        """

    def part(self, rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Questions:
        """A copy of some of the rows, int64."""

    @staticmethod
    def joined(parts: Sequence[Questions]) -> Questions:
        """
        A copy of the rows of several, one after the other, with the columns that all of them have.
        """

class Steps:
    """
    Whole episodes in the order of their numbers, and their steps in the order of play.
    """

    def __len__(self) -> int: ...

    @property
    def first_episode(self) -> int:
        """The number of the first episode here."""

    @property
    def num_episodes(self) -> int: ...

    @property
    def payoffs(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """int32 [episodes, players]: chips won"""

    @property
    def hands(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]:
        """int32 [episodes, players]"""

    @property
    def boards(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [episodes, board cards], as dealt"""

    @property
    def offsets(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]:
        """int64 [episodes + 1]: where the steps of each episode begin"""

    @property
    def episodes(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]:
        """int64 [steps]: less first_episode, rows of payoffs and hands"""

    @property
    def actors(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [steps]"""

    @property
    def slots(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [steps]: chosen"""

    @property
    def streets(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [steps]"""

    @property
    def infosets(self) -> Annotated[NDArray[numpy.uint64], dict(writable=False)]:
        """uint64 [steps]"""

    @property
    def stakes(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """float32 [steps]: what lay in the pot, in units"""

    @property
    def next(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]:
        """int64 [steps]: the same seat's next step, -1 if it has none"""

    @property
    def legal(self) -> Annotated[NDArray[numpy.bool_], dict(writable=False)]:
        """bool [steps, actions]"""

    @property
    def answers(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """
        float32 [steps, actions]: what was answered, 0 where not legal; with record_answers=True
        """

    def rows(self, encoder: str) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """
        uint8 [steps, row_bytes]: what the encoder of that name said; with record_rows=True
        """

    def columns(self) -> dict[str, Any]:
        """All arrays by name; the rows of an encoder as `rows/NAME`."""

class LbrPlay:
    """
    Local best response in bulk: asks what a strategy would do with every hand, and plays against it.
    """

    def __init__(self, game: Poker, episodes: int, *, first_episode: int = 0, menu: str = 'bets', tables: int = 16, threads: int = 1, seed: int = 0, rollouts: int = 100, encoders: Sequence[str] = [], chips: bool = False, history: bool = False, seeds: bool = False, past: bool = False, table: bool = False, buckets: Sequence[HandBuckets] = []) -> None: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def num_finished(self) -> int:
        """Episodes that are over."""

    @property
    def num_questions(self) -> int:
        """Rows answered so far."""

    def ask(self) -> Questions | None:
        """
        One row for each hand that the other may hold, None when every episode is over.
        """

    def answer(self, probabilities: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """float32 [batch, actions]: of the legal slots; need not be normalised."""

    def ranges(self) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]:
        """
        Episodes [open] of the tables that wait, and the opponent's ranges [open, hands], each of sum 1.
        """

    def payoffs(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        Chips that the responder won, [episodes]; he sits in seat 0 in even episodes, in seat 1 in odd ones.
        """

    def values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Expected payoffs, given the responder's hand and the betting, [episodes]: the same mean, less noise.
        """

    def hands(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """Dense indices of the hands, [episodes, players]."""

class SpotQuestions:
    """
    Questions about a list of spots, with a row for each hand at each of them.
    """

    def __len__(self) -> int: ...

    @property
    def offsets(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]:
        """
        int64 [spots + 1]: where the rows of each spot begin; its rows are in the order of hands, or of those given.
        """

    def ask(self, begin: int, end: int) -> Questions:
        """The rows from begin to before end, at most 2^20."""

def ask_at(game: Poker | LiarsDice | ExplicitGame | TabularGame, episodes: Sequence[PokerEpisode | LiarsDiceEpisode | ExplicitEpisode], hands: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, *, numbers: Sequence[int] | None = None, seed: int = 0, encoders: Sequence[str] = [], chips: bool = False, history: bool = False, seeds: bool = False, past: bool = False, table: bool = False, buckets: Sequence[HandBuckets] = []) -> SpotQuestions:
    """
    Ask at the public state of each episode about these hands, int32, of whoever is to act, or about all that the public cards leave. Seeds are those of a job with this seed in episodes of these numbers (0 without). ValueError where nobody is to act, and after a bet that is not on the menu.
    """

def ask_everywhere(game: Poker | LiarsDice | ExplicitGame | TabularGame, *, seed: int = 0, encoders: Sequence[str] = [], chips: bool = False, history: bool = False, seeds: bool = False, past: bool = False, table: bool = False, buckets: Sequence[HandBuckets] = []) -> SpotQuestions:
    """
    Ask at every decision of the game, in the order of the public tree, about all hands; ValueError if they are too many.
    """

class BotRule:
    """A bot whose rule is one sentence, as data: see matches/bots.py."""

    def __init__(self, *, at_random: bool = False, bets_from: float = 2.0, raises_from: float = 2.0, calls_from: float = 0.0, calls_by_odds: bool = False, raise_size: float = 1.0, bids: bool = False) -> None: ...

    @property
    def looks(self) -> bool:
        """Whether it reads the strength of its hand, and chips."""

    def answers(self, questions: Questions) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """float32 [batch, actions]: the slot of each row, chosen for sure."""

def play_bots(game: Poker | LiarsDice | ExplicitGame | TabularGame, rules: Sequence[BotRule], first_deal: int, deals: int, seed: int = 0, threads: int = 1) -> dict[str, Any]:
    """
    Plays deals in all their copies: payoffs int32 [episodes, players] and, in poker, the counts behind styles by name.
    """

def count_styles(payoffs: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], actors: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], slots: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], streets: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], can_fold: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], num_streets: int) -> dict[str, Any]:
    """
    The counts behind figures of style by name, int64 [players], from the columns of steps; can_fold is 0 or 1.
    """

class SelfPlay:
    """
    Episodes in bulk: ask for the open questions and answer them, until there are none, or without an end if episodes is None.
    """

    def __init__(self, game: Poker | LiarsDice | ExplicitGame | TabularGame, episodes: int | None = None, *, tables: int = 2048, threads: int = 1, seed: int = 0, first_episode: int = 0, copies: int = 1, record: bool = True, record_rows: bool = False, record_answers: bool = False, record_ends: bool = False, encoders: Sequence[str] = [], chips: bool = False, history: bool = False, seeds: bool = False, past: bool = False, table: bool = False, buckets: Sequence[HandBuckets] = []) -> None: ...

    @property
    def num_players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def num_decisions(self) -> int: ...

    @property
    def num_finished(self) -> int: ...

    def ask(self) -> Questions | None:
        """The open questions, None when every episode is over."""

    def answer(self, probabilities: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], recorded: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        float32 [batch, actions]: sampled over the legal slots; need not be normalised. With record_answers=True the steps keep `recorded` in the place of the probabilities, if it is given.
        """

    def answer_slots(self, slots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        int32 [batch]: the slots to play; where it is WAIT the table waits, and asks the same again.
        """

    def ended(self) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
        """
        bool [tables]: whether the last answers ended the table's episode; with record_ends=True.
        """

    def end_payoffs(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """
        int32 [tables, players]: chips won in the episodes that the last answers ended, 0 where none has; with record_ends=True. An episode right after in which nobody is asked is left out.
        """

    def take_steps(self) -> Steps:
        """
        The episodes that are over and were not yet taken, up to the first that is still played. Put together, what many calls return is the same whatever the tables and threads. What is not taken is kept, so take it now and then.
        """

WAIT: int = -2

NUM_CELLS: int = 100

def follow_runouts(game: Poker, hands: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], slots: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], *, copies: int = 1, first_deal: int = 0, samples: int = 256, seed: int = 0, threads: int = 1) -> dict[str, Any]:
    """
    Two-player poker, from a log: equities of seat 0 and cells [deals, streets + 1] as the cards came (hole cards first), pots [episodes, streets] as they came (0: they did not), is_all_in [episodes, streets], step_pots [steps].
    """

def follow_luck(game: Poker, hands: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], slots: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], pot_limits: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], bases: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], slopes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], *, copies: int = 1, first_deal: int = 0, samples: int = 256, seed: int = 0, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    The luck of seat 0 with the cards of each street, float64 [episodes, streets] in chips, by values that are shares of the pot: bases + slopes (2 equity - 1), each [copies, streets, pot classes, cells].
    """

def starting_strengths(game: Poker) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """float32 [hands]: hand strengths before the board."""

def play_random(game: Poker | LiarsDice | ExplicitGame | TabularGame, episodes: int, seed: int = 0, threads: int = 1) -> dict[str, Any]:
    """Play episodes of random legal actions, raises to any legal amount."""

class TraversalSamples:
    """
    Samples of traversals: advantages at decisions of the traverser, strategies at those of others, and with baselines what came of slots at all decisions.
    """

    @property
    def rows(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [samples, row_bytes]: what the encoder said"""

    @property
    def legal(self) -> Annotated[NDArray[numpy.bool_], dict(writable=False)]:
        """bool [samples, actions]"""

    @property
    def advantages(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """float32 [samples, actions], in units; 0 where not legal"""

    @property
    def weights(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """float32 [samples]: of their deals, 1 without a pool"""

    @property
    def infosets(self) -> Annotated[NDArray[numpy.uint64], dict(writable=False)]:
        """uint64 [samples]"""

    @property
    def values(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """
        float32 [samples]: what the strategy is worth to the traverser there, in units
        """

    @property
    def stakes(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """float32 [samples]: what lies in the pot there, in units"""

    @property
    def strategy_rows(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [strategies, row_bytes]"""

    @property
    def strategy_legal(self) -> Annotated[NDArray[numpy.bool_], dict(writable=False)]:
        """bool [strategies, actions]"""

    @property
    def strategies(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """float32 [strategies, actions]; 0 where not legal"""

    @property
    def strategy_weights(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """float32 [strategies]"""

    @property
    def strategy_infosets(self) -> Annotated[NDArray[numpy.uint64], dict(writable=False)]:
        """uint64 [strategies]"""

    @property
    def strategy_actors(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [strategies]: whose they are"""

    @property
    def outcome_rows(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """uint8 [outcomes, row_bytes of all seats]: what all seats know"""

    @property
    def followed(self) -> Annotated[NDArray[numpy.bool_], dict(writable=False)]:
        """bool [outcomes, actions]: which slots were"""

    @property
    def outcomes(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """
        float32 [outcomes, actions], in units: the payoff, or what the strategy is worth at the next decision by its baselines; 0 where not followed
        """

    @property
    def outcome_weights(self) -> Annotated[NDArray[numpy.float32], dict(writable=False)]:
        """float32 [outcomes]"""

    def columns(self) -> dict[str, Any]:
        """All arrays by name."""

class Traversals:
    """
    Sampled traversals of one player in bulk: begin some, then ask and answer until no half has a question.
    """

    def __init__(self, game: Poker | LiarsDice | ExplicitGame | TabularGame, encoder: str, *, sampling: str = 'external', epsilon: float = 0.6000000238418579, baselines: str = 'none', deals: DealPool | None = None, in_flight: int = 1024, halves: int = 1, threads: int = 1, kept_answers: int = 1048576, strategies: bool = True, runouts: int = 0, seed: int = 0, buckets: Sequence[HandBuckets] = []) -> None: ...

    @property
    def num_players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def num_halves(self) -> int: ...

    @property
    def num_nodes(self) -> int:
        """Decisions and endings visited, of all iterations."""

    @property
    def num_questions(self) -> int:
        """Answered, of all iterations."""

    @property
    def num_finished(self) -> int:
        """Traversals that are over since `begin`."""

    def begin(self, iteration: int, traverser: int, first: int, count: int) -> None:
        """
        Begin so many traversals, numbered from `first` on, once those before are over.
        """

    def ask(self, half: int = 0) -> Questions | None:
        """
        The open questions of a half, ordered by actor, None when it has nothing left to do.
        """

    def answer(self, probabilities: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], half: int = 0, baselines: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        float32 [batch, actions]: of the legal slots; need not be normalised. With baselines, in units, if the job has any.
        """

    def take_samples(self) -> TraversalSamples:
        """
        Samples of the traversals that are over and were not yet taken, up to the first that is not over. Put together, the samples of many calls are the same whatever the number in flight, the halves and the threads.
        """

class Discounts:
    """A member of the CFR family."""

    def __init__(self, name: str) -> None: ...

    @property
    def alpha(self) -> float:
        """
        After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1).
        """

    @alpha.setter
    def alpha(self, arg: float, /) -> None: ...

    @property
    def beta(self) -> float:
        """The exponent for negative regrets."""

    @beta.setter
    def beta(self, arg: float, /) -> None: ...

    @property
    def gamma(self) -> float:
        """Iteration t counts t^gamma in the average strategy."""

    @gamma.setter
    def gamma(self, arg: float, /) -> None: ...

    @property
    def clamps(self) -> bool:
        """Regrets never fall below zero."""

    @clamps.setter
    def clamps(self, arg: bool, /) -> None: ...

    @property
    def predicts(self) -> bool:
        """The last regret counts once more in the strategy."""

    @predicts.setter
    def predicts(self, arg: bool, /) -> None: ...

    @property
    def alternating(self) -> bool:
        """The second player answers the first one's new strategy."""

    @alternating.setter
    def alternating(self, arg: bool, /) -> None: ...

    def positive(self, iteration: int) -> float:
        """What a positive regret is multiplied by after this iteration."""

    def negative(self, iteration: int) -> float:
        """The same for a negative regret."""

    def average(self, iteration: int) -> float:
        """What the average strategy so far is multiplied by in this iteration."""

def cfr_family() -> list[str]:
    """Names that Discounts takes."""

class SolveSize:
    """
    The size of a problem and of its solver (native/solve/vector_problem.h).
    """

    @property
    def nodes(self) -> int: ...

    @property
    def decisions(self) -> int: ...

    @property
    def endings(self) -> int:
        """Terminal nodes."""

    @property
    def leaves(self) -> int: ...

    @property
    def entries(self) -> int: ...

    @property
    def infosets(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def problem_bytes(self) -> int:
        """Bytes without the tables of a solver."""

    @property
    def tables(self) -> int:
        """Tables of showdowns, at most."""

    @property
    def payoff_terms(self) -> int:
        """Matrices of a showdown that are not 0: sign, presence, tie."""

    @property
    def hands(self) -> list[int]:
        """Hands of each player."""

    @property
    def precision(self) -> int:
        """Bits of a number in the tables."""

class VectorProblem:
    """
    A two-player problem: public tree, ranges and showdowns; it can be shared by threads.
    """

    def __init__(self, game: Poker | LiarsDice | ExplicitGame | TabularGame, *, board: Sequence[int] = [], weights: Sequence[Sequence[float]] = [[], []], merge_suits: bool = True, max_bytes: int = 68719476736, max_decisions: int = 0, ends_with_round: bool = False, runs_out: bool = True) -> None:
        """
        A tree is cut after max_decisions decisions on a path (0: never), and with ends_with_round at the first decision after public chance; a cut tree ends at leaves. Unless it runs out, the first card that comes where nobody can bet any more is a leaf, too.
        """

    @property
    def size(self) -> SolveSize: ...

    @property
    def table_bytes(self) -> int:
        """Bytes of `rows` in memory."""

    def hands(self, player: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def hand_weights(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Weight of the opponent's compatible hands, for each hand of `hands`."""

    @property
    def actors(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """int8 [nodes]"""

    @property
    def parents(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """int32 [nodes]"""

    @property
    def first_children(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """int32 [nodes]"""

    @property
    def num_children(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """int32 [nodes]"""

    @property
    def events(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """int32 [nodes]: the slot or public outcome that led there"""

    def hands_possible(self, node: int, player: int) -> list[bool]: ...

    def values_of(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[float]:
        """Expected chips of a profile given node by node as [actions, hands]."""

    def best_values_against(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[float]:
        """Winnings of each player's best response to a profile."""

    def rows(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bytes: int = 68719476736) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Lists a profile by infoset, merged boards under each of their names: keys [infosets] ascending, probabilities [infosets, slots], expected payoffs of the actor (units; 0 where the opponent's reach is 0) and the actor's own reaches. ValueError if the rows would take more than max_bytes.
        """

    def packed(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int16], dict(shape=(None,))], Annotated[NDArray[numpy.int16], dict(shape=(None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None))]]:
        """
        A profile and its values in 16 bits (`PackedSolution` in native/solve/vector_problem.h): strategy, values [nodes, hands], scales [nodes, players, 2].
        """

    def profile_of(self, probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The profile of probabilities [infosets, slots] in the order of `keys`, for problems that merge no suits.
        """

    def boards(self) -> dict[str, Any]:
        """
        Boards of the nodes and what they stand for (`BoardList` in native/solve/vector_problem.h).
        """

    def names(self) -> list[str]:
        """Names of the infosets, such as 'Qd:cc/Kd:r', in the order of `keys`."""

    def keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """Keys of the infosets, in the order of a depth-first walk."""

    def arrays(self) -> dict[str, Any]:
        """
        The problem as flat arrays (`VectorArrays` in native/solve/vector_problem.h); those of player p end in _p, payoffs are [terminals, 6].
        """

    def matchups(self, table: int = -1) -> Annotated[NDArray[numpy.int8], dict(shape=(None, None))]:
        """
        int8 [hands of player 0, hands of player 1]: 1 player 0 wins, 0 a tie or no showdown, -1 player 0 loses, 2 they cannot meet.
        """

class VectorSolver:
    """CFR over the public tree of a two-player game, with vectors of hands."""

    def __init__(self, game: Poker | LiarsDice | ExplicitGame | TabularGame, discounts: Discounts, *, threads: int = 1, board: Sequence[int] = [], actions: Sequence[int] = [], weights: Sequence[Sequence[float]] = [[], []], merge_suits: bool = True, max_bytes: int = 68719476736, precision: int = 0, opponent: int = -1, opponent_values: Sequence[float] = [], least_follow: float = 0.0, max_decisions: int = 0, ends_with_round: bool = False, runs_out: bool = True) -> None:
        """
        The root follows `board` and `actions` (-1 fold, 0 check or call, else the amount to bet or raise to), on the menu or not. With an `opponent` (a player) the root is a re-solving gadget: he may take `opponent_values` [hands] instead of playing, counterfactual to the other's weights; each hand plays with probability `least_follow` at least. A tree is cut as that of a VectorProblem; then both players are updated at once, with values of the leaves (`step_with`).
        """

    @property
    def problem(self) -> VectorProblem:
        """The problem that is solved."""

    @property
    def size(self) -> SolveSize: ...

    @property
    def iteration(self) -> int: ...

    def step(self, count: int = 1) -> None: ...

    def leaf_reaches(self, *, of_average: bool = False) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None))]]:
        """
        The reaches of players 0 and 1 at the leaves in the order of nodes, chance left out: [leaves, hands] each; those of the next iteration, or of the average strategies.
        """

    def step_with(self, first: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        One iteration with counterfactual values of both players at the leaves, [leaves, hands]: chips times the reach of the other.
        """

    @property
    def is_zero_sum(self) -> bool:
        """Whether one wins what the other loses."""

    def value(self, player: int) -> float:
        """Expected chips of the average strategy."""

    def best_value(self, player: int) -> float:
        """Expected chips of the best answer to the other's average strategy."""

    def hand_values(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Expected chips of each hand of the problem's `hands`."""

    def best_hand_values(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Counterfactual values of a best response at the root, for each hand of the problem's `hands`.
        """

    def beliefs(self, nodes: Sequence[int], first: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, second: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]:
        """
        Reaches of players 0 and 1, then their counterfactual values, at these nodes under the average strategies: [nodes, hands] each. A cut tree needs the values of its leaves there.
        """

    def strategy(self, node: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """The average strategy at a decision: [actions, hands of the actor]."""

    def rows(self, max_bytes: int = 68719476736) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """Lists the average strategy as `VectorProblem.rows` lists a profile."""

    def packed(self) -> tuple[Annotated[NDArray[numpy.int16], dict(shape=(None,))], Annotated[NDArray[numpy.int16], dict(shape=(None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None))]]:
        """Packs the average strategy as `VectorProblem.packed` packs a profile."""

    def lock(self, node: int, strategy: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        Let the actor of a node do this and nothing else: [actions, hands], which sum to 1 for each hand.
        """

    def state(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def restore(self, iteration: int, state: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def planned_size(game: Poker | LiarsDice | ExplicitGame | TabularGame, discounts: Discounts, *, board: Sequence[int] = [], actions: Sequence[int] = [], weights: Sequence[Sequence[float]] = [[], []], merge_suits: bool = True, max_bytes: int = 68719476736, precision: int = 0) -> SolveSize:
    """
    Returns the size of a VectorSolver without making one, even above max_bytes; infosets are not counted. Precision 0 plans 32 bits where max_bytes allow it, else 16.
    """

class PublicStates:
    """
    The catalogue of public states: numbers them on demand, 0 is the root. States of equal features share a number.
    """

    def __init__(self, game: Poker | LiarsDice | ExplicitGame | TabularGame, *, board: Sequence[int] = []) -> None: ...

    @property
    def game(self) -> object: ...

    def __len__(self) -> int: ...

    @property
    def num_hands(self) -> int: ...

    @property
    def num_features(self) -> int: ...

    @property
    def num_slots(self) -> int: ...

    def number(self, episode: PokerEpisode | LiarsDiceEpisode | ExplicitEpisode) -> int:
        """The number of an episode's public state."""

    def follow(self, slots: Sequence[int], board: Sequence[int] = []) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The states of a line of play, [slots + 1]: before each slot and after the last. Public cards come from `board`, in its order, where they are due.
        """

    def act(self, state: int, slot: int) -> int:
        """The state after one slot."""

    def deal(self, state: int, cards: Sequence[int]) -> int:
        """The state after public cards."""

    def board(self, state: int) -> list[int]:
        """The public cards of a state."""

    def actor(self, state: int) -> int:
        """The player to act at a state, CHANCE or TERMINAL."""

    def find(self, features: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The numbers of the decisions with these features [rows, features]; ValueError for features never met.
        """

    def root_ranges(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """Weights of the hands by the rules: [2, hands]."""

    def features(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """Network inputs of some states or of all: [states, features]."""

    def stakes(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Chips that are played for: [states]."""

    def legal(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
        """1 for legal slots: [states, slots]."""

    def possible(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
        """1 for hands that hold no public card: [states, hands]."""

    def twins(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The first state that each one becomes by renaming suits, which questions are asked about: [states].
        """

    def twin_hands(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """The name of each hand at the twin: [states, hands]."""

LEAF: int = -3

class Subgames:
    """
    Depth-limited subgames at public belief states, solved in lockstep: asks for the values of their leaves.
    """

    def __init__(self, states: PublicStates, discounts: Discounts, *, iterations: int, max_decisions: int = 0, ends_with_round: bool = False, keeps_average: bool = True, warm_start: int = 0, threads: int = 1, max_bytes: int = 68719476736) -> None: ...

    @property
    def states(self) -> PublicStates:
        """The catalogue of its public states."""

    def ask_strategies(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), writable=False)]] | None:
        """
        With a warm start, decisions to begin with: states [rows] and ranges [rows, 2, hands] of one level; None after the last.
        """

    def answer_strategies(self, probabilities: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        float32 [rows, slots, hands] of the actor; slots that are not legal are ignored.
        """

    def ask(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), writable=False)]] | None:
        """
        States [rows] and ranges [rows, 2, hands] of all leaves, read-only; None when all are solved.
        """

    def answer(self, values: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        float32 [rows, 2, hands], chips: what a hand wins on average against the opponent's range, where hands that cannot meet count nothing.
        """

    @property
    def num_hands(self) -> int: ...

    @property
    def num_slots(self) -> int: ...

    @property
    def iterations(self) -> int: ...

    def outline(self, state: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None))]:
        """
        The subgame that begins at a state, [nodes, 6]: first child, number of children, actor, state of a decision or leaf, offset of a decision among the strategies, slot or public outcome that leads there.
        """

    def value_examples(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None))]]:
        """
        The root of each subgame, as its twin: states [n], ranges [n, 2, hands], root values in stakes [n, 2, hands].
        """

    def strategy_examples(self, seed: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None))]]:
        """
        A random decision of each subgame, as its twin: states [n], ranges there [n, 2, hands], average strategies [n, slots, hands].
        """

    def subgame_bytes(self, state: int) -> int:
        """
        Memory of one subgame that begins at a state, with one stop whose strategies are kept.
        """

    def begin(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ranges: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], stop_subgames: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, stop_iterations: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, stop_seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, *, opponents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, opponent_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, least_follow: float = 0.0, exploration: float = 0.0, keeps_strategies: bool = False, keeps_values: bool = False) -> None:
        """
        New subgames at states [n] with ranges [n, 2, hands]. `opponents` [n] names the player who may take his value of `opponent_values` [n, hands] at the root instead of playing (the re-solving gadget), -1 for none; every hand plays with probability `least_follow` at least. A stop names a subgame, the iteration (from 1) whose strategies a path to a leaf is drawn from, and a seed.
        """

    def ranges(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None))]:
        """Ranges at the roots, each of sum 1: [subgames, 2, hands]."""

    def root_values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None))]:
        """
        Mean over the iterations, weighted as the average strategy: [subgames, 2, hands], in the unit of leaf values.
        """

    def node_values(self, subgame: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None))]:
        """
        Values at all nodes of a subgame, [nodes, 2, hands], as `root_values`; begin with keeps_values=True.
        """

    def average_ranges(self, subgame: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None))]:
        """
        Ranges of the average strategies at decisions and leaves of a subgame: [nodes, 2, hands].
        """

    def next_states(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The leaf that each stop's path reached, -1 where the episode ended: [stops].
        """

    def next_ranges(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None))]:
        """The ranges there: [stops, 2, hands]."""

    def stop_strategies(self, stop: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Strategies of all decisions at a stop, as `outline` places them; the average where the subgame has no leaves.
        """

    def average_strategies(self, subgame: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Average strategies of all decisions of a subgame, as `outline` places them.
        """

class SearchProfile:
    """
    The strategy of a player who searches at every decision, as a table of the whole game.
    """

    def __init__(self, search: Subgames, game: Subgames, discounts: Discounts, *, warm_start: int = 0, playthroughs: int, part: int = 0, parts: int = 1, batch: int, seed: int = 0) -> None: ...

    @property
    def states(self) -> PublicStates:
        """The catalogue of its public states."""

    def ask_strategies(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), writable=False)]] | None:
        """
        With a warm start, decisions to begin with: states [rows] and ranges [rows, 2, hands] of one level; None after the last.
        """

    def answer_strategies(self, probabilities: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        float32 [rows, slots, hands] of the actor; slots that are not legal are ignored.
        """

    def ask(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), writable=False)]] | None:
        """
        States [rows] and ranges [rows, 2, hands] of all leaves, read-only; None when all are solved.
        """

    def answer(self, values: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        float32 [rows, 2, hands], chips: what a hand wins on average against the opponent's range, where hands that cannot meet count nothing.
        """

    @property
    def num_subgames(self) -> int:
        """Solved so far."""

    def sums(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        [actions, hands] of every decision of the game, one after the other: how likely the player's own actions come that far.
        """

class SequenceForm:
    """
    A game of perfect recall by the sequences of each player; arrays as in ExplicitTree.
    """

    def __init__(self, *, actors: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], num_children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chance_probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], infosets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], terminals: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], infoset_actors: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], infoset_num_actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def num_players(self) -> int: ...

    @property
    def num_infosets(self) -> int: ...

    @property
    def max_actions(self) -> int: ...

    def sequences(self, player: int) -> tuple[int, int]:
        """
        The first sequence of a player, the empty one, and the one after the last.
        """

    def infosets(self, player: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """
        For each infoset of a player: its number in the tree, the sequence that leads to it, that of
        its first action, and the number of actions.  [infosets, 4]
        """

    def payoffs(self, player: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None, None))]]:
        """
        Winnings of a player by own sequence, as sparse rows: starts [sequences + 1], chance probability
        times payoff [terms], and the other players' sequences [terms, players - 1].
        """

def explicit_values(form: SequenceForm, strategy: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Mean winnings of each player.  [players]"""

def explicit_best_response(form: SequenceForm, strategy: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]:
    """
    Winnings of each player's best response to the others [players], and all these answers in one
    strategy: of equally good actions the first.
    """

class ExplicitCfr:
    """
    Counterfactual regret minimisation; an iteration updates every player once.
    """

    def __init__(self, form: SequenceForm, variant: str, *, alpha: float | None = None, beta: float | None = None, gamma: float | None = None, alternating: bool = True) -> None: ...

    @property
    def iteration(self) -> int: ...

    def step(self, count: int = 1) -> None: ...

    def average_strategy(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def state(self) -> dict[str, numpy.typing.NDArray[Any]]: ...

    def restore(self, iteration: int, regrets: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], predictions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None: ...

class FictitiousPlay:
    """Fictitious play; an iteration updates every player once."""

    def __init__(self, form: SequenceForm, *, is_linear: bool = False, alternating: bool = True) -> None: ...

    @property
    def iteration(self) -> int: ...

    def step(self, count: int = 1) -> None: ...

    def average_strategy(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def average_plans(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        The probability that a player does all that leads to an action, and the action.
        """

    def restore(self, iteration: int, average_plans: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

class Sampling(enum.Enum):
    """The actions that one traversal walks."""

    EXTERNAL = 0

    OUTCOME = 1

class Estimates(enum.Enum):
    """Estimates for the actions that outcome sampling does not walk."""

    NONE = 0

    BASELINE = 1

    SUBSTITUTE = 2

class Storage(enum.Enum):
    """The way in which infosets are found."""

    AUTO = 0

    TREE = 1

    STATES = 2

class MccfrOptions:
    def __init__(self) -> None: ...

    @property
    def sampling(self) -> Sampling: ...

    @sampling.setter
    def sampling(self, arg: Sampling, /) -> None: ...

    @property
    def epsilon(self) -> float: ...

    @epsilon.setter
    def epsilon(self, arg: float, /) -> None: ...

    @property
    def final_epsilon(self) -> float: ...

    @final_epsilon.setter
    def final_epsilon(self, arg: float, /) -> None: ...

    @property
    def epsilon_decay(self) -> float: ...

    @epsilon_decay.setter
    def epsilon_decay(self, arg: float, /) -> None: ...

    @property
    def estimates(self) -> Estimates: ...

    @estimates.setter
    def estimates(self, arg: Estimates, /) -> None: ...

    @property
    def value_rate(self) -> float: ...

    @value_rate.setter
    def value_rate(self, arg: float, /) -> None: ...

    @property
    def weight_power(self) -> float: ...

    @weight_power.setter
    def weight_power(self, arg: float, /) -> None: ...

    @property
    def pruning(self) -> float: ...

    @pruning.setter
    def pruning(self, arg: float, /) -> None: ...

    @property
    def replay_capacity(self) -> int: ...

    @replay_capacity.setter
    def replay_capacity(self, arg: int, /) -> None: ...

    @property
    def replay_draws(self) -> int: ...

    @replay_draws.setter
    def replay_draws(self, arg: int, /) -> None: ...

    @property
    def batch(self) -> int: ...

    @batch.setter
    def batch(self, arg: int, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def storage(self) -> Storage: ...

    @storage.setter
    def storage(self, arg: Storage, /) -> None: ...

    @property
    def max_nodes(self) -> int: ...

    @max_nodes.setter
    def max_nodes(self, arg: int, /) -> None: ...

    @property
    def max_entries(self) -> int: ...

    @max_entries.setter
    def max_entries(self, arg: int, /) -> None: ...

class Mccfr:
    """Monte Carlo counterfactual regret minimisation."""

    def __init__(self, game: Poker | LiarsDice | ExplicitGame | TabularGame, options: MccfrOptions, buckets: HandBuckets | None = None) -> None:
        """
        With buckets, which are for poker, infosets are slots and buckets instead of actions and cards.
        """

    @property
    def storage(self) -> Storage: ...

    @property
    def iteration(self) -> int:
        """Iterations so far: one traversal for each player."""

    @property
    def nodes(self) -> int:
        """Decisions and endings that all traversals so far visited."""

    @property
    def decisions(self) -> int:
        """Decisions visited since this object was made."""

    def most_bytes(self) -> int | None:
        """
        The most bytes of the rows of infosets; None: the rows grow, and there are too many to count.
        """

    def run(self, batches: int) -> None:
        """Do that many batches of iterations."""

    def average_strategy(self) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]:
        """
        Keys [infosets] in order, of the infosets that were met, and probabilities [infosets, actions].
        """

    def state(self) -> dict[str, numpy.typing.NDArray[Any]]: ...

    def restore(self, state: dict[str, numpy.typing.NDArray[Any]]) -> None:
        """ValueError, and no change, if the state does not fit."""

class TableEvaluation:
    """Exact values of tables by infoset, for small games."""

    def __init__(self, game: Poker | LiarsDice | ExplicitGame | TabularGame) -> None: ...

    @property
    def num_players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """uint64 [infosets]"""

    @property
    def actors(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """int8 [infosets]"""

    @property
    def names(self) -> list[str]:
        """[infosets], such as 'Qd:cc/Kd:r'; made anew each time."""

    @property
    def legal(self) -> Annotated[NDArray[numpy.bool_], dict(shape=(None, None))]:
        """bool [infosets, actions]"""

    def evaluate(self, probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[list[float], list[float]]:
        """
        For each player the value of the profile [infosets, actions], and of the best answer to the others, in units.
        """
