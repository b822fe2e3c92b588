# SPDX-License-Identifier: MIT
"""Three classes all-in: how often the hands end in each of the 13 orders with ties.

Deals are counted exactly: all triples of hands without a common card and all boards. The file has
the probabilities rounded to 16 bits, for classes in ascending order; scripts/class_orders.py
writes it.
"""

import hashlib
import zlib
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.notation.hand_classes import class_places
from regretless.preflop.matchups import COMBOS, NUM_CLASSES, Counts, Floats

Singles = NDArray[np.float32]

NUM_BOARDS = comb(46, 5)  # 1,370,754 for each triple of hands
ORDERS_FILE = Path(__file__).parent / "class_orders.bin"  # zlib of [2 bytes, 13, triples]
ORDERS_SHA256 = "90ec21687c65ef1746adcb22a785495771c942094774f151d7c2f60d55460a79"
SCALE = 65_535  # of a probability in the file
_NUM_DEALS = 1326 * 1225 * 1128  # ordered triples of hands

STRICT = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))  # the best first
PAIRS = ((0, 1, 2), (0, 2, 1), (1, 2, 0))  # two that are equal, and the third
# Ranks of the three in each order: six without ties, two equal and better than the third, two
# equal and worse, all equal.  [13, 3]
RANKS_3 = np.array(
    [[2 - order.index(player) for player in range(3)] for order in STRICT]
    + [[int(player != third) for player in range(3)] for _, _, third in PAIRS]
    + [[int(player == third) for player in range(3)] for _, _, third in PAIRS]
    + [[0, 0, 0]]
)


def sorted_triples() -> Counts:
    """[3, triples]: classes a <= b <= c of each triple in the file, in its order."""
    a, b, c = np.ogrid[:NUM_CLASSES, :NUM_CLASSES, :NUM_CLASSES]
    return np.stack(np.nonzero((a <= b) & (b <= c))).astype(np.int64)


def count_triples() -> Counts:
    """[classes, classes, classes]: triples of hands without a common card.

    Hands of one class differ by a renaming of suits, so one of them stands for all.
    """
    places = class_places(13, 4)
    order = np.argsort(places, kind="stable")
    cards = _native.hand_cards(_native.Deck(), 2)[order].astype(np.int64)
    holds = np.zeros((len(order), 52), np.float32)
    np.put_along_axis(holds, cards, 1, axis=1)
    is_apart = holds @ holds.T == 0
    starts = np.searchsorted(places[order], np.arange(NUM_CLASSES))
    triples = np.empty((NUM_CLASSES,) * 3, np.int64)
    for place, start in enumerate(starts):
        apart = is_apart[start]
        both = is_apart & apart[:, None] & apart[None, :]
        rows = np.add.reduceat(both, starts, axis=0, dtype=np.int16)
        triples[place] = np.add.reduceat(rows, starts, axis=1, dtype=np.int64) * COMBOS[place]
    return triples


@dataclass(frozen=True)
class Triples:
    """Probabilities of three classes and an order, each [classes, classes, classes]."""

    deals: Singles  # of the classes alone, sum 1
    strict: Singles  # the first beats the second, which beats the third
    above: Singles  # the first two are equal and beat the third
    below: Singles  # the first two are equal and lose to the third

    def outcomes(self, weights: Floats) -> Floats:
        """Chances of each order by the class of each player, who may hold any class himself.

        `weights` [n, 3, classes] are those of the three players' classes. The result [n, 3
        players, 13 orders, classes] sums over the classes of the other two.
        """
        count = len(weights)
        rows = weights.reshape(3 * count, NUM_CLASSES).astype(np.float32)
        shape = (count, 3, NUM_CLASSES, NUM_CLASSES)

        def last(tensor: Singles) -> Singles:  # sums over the third class: [n, 3, first, second]
            return (rows @ tensor.reshape(-1, NUM_CLASSES).T).reshape(shape)

        def first(tensor: Singles) -> Singles:  # [n, 3, second, third]
            return (rows @ tensor.reshape(NUM_CLASSES, -1)).reshape(shape)

        def row(matrix: Singles, player: int) -> Floats:
            values: Floats = np.einsum("nab,nb->na", matrix, weights[:, player])
            return values

        def column(matrix: Singles, player: int) -> Floats:
            values: Floats = np.einsum("nab,na->nb", matrix, weights[:, player])
            return values

        chances = np.zeros((count, 3, 13, NUM_CLASSES))
        ends, begins = last(self.strict), first(self.strict)
        for order, (best, middle, worst) in enumerate(STRICT):
            chances[:, best, order] = row(ends[:, worst], middle)
            chances[:, middle, order] = column(ends[:, worst], best)
            chances[:, worst, order] = column(begins[:, best], middle)
        for offset, tensor in ((6, self.above), (9, self.below)):
            ends, begins = last(tensor), first(tensor)
            for order, (one, two, third) in enumerate(PAIRS, offset):
                chances[:, one, order] = row(ends[:, third], two)
                chances[:, two, order] = row(ends[:, third], one)
                chances[:, third, order] = column(begins[:, one], two)
        ends = last(self.deals)
        for player in range(3):
            one, two = (each for each in range(3) if each != player)
            total = row(ends[:, one], two)
            chances[:, player, 12] = total - chances[:, player].sum(axis=1)
        return chances

    def shares(self) -> Singles:
        """[classes, classes, classes]: the first's share of a pot of three, times `deals`."""
        beats = self.strict + self.strict.transpose(0, 2, 1) + self.below.transpose(2, 0, 1)
        ties = self.above + self.above.transpose(0, 2, 1)
        every = np.zeros_like(self.strict)
        for order in STRICT:
            every += self.strict.transpose(order)
        for tensor in (self.above, self.below):
            every += tensor + tensor.transpose(0, 2, 1) + tensor.transpose(2, 0, 1)
        shares: Singles = (beats + ties / 2 + (self.deals - every) / 3).astype(np.float32)
        return shares


def pack_orders(strict: Counts, above: Counts, below: Counts) -> bytes:
    """The contents of the file, from counts [classes, classes, classes] of `class_orders`."""
    triple = sorted_triples()
    deals = count_triples()[tuple(triple)]
    columns = [strict[tuple(triple[list(order)])] for order in STRICT]
    columns += [tied[tuple(triple[list(pair)])] for tied in (above, below) for pair in PAIRS]
    rounded = np.rint(np.stack(columns) / np.maximum(deals * NUM_BOARDS, 1) * SCALE)
    numbers = np.concatenate([deals[None], rounded]).astype("<u2").view(np.uint8)
    return zlib.compress(numbers.reshape(-1, 2).T.tobytes(), 9)  # low bytes, then high ones


@cache
def load_triples() -> Triples:
    """The table that ships; InputError if the file is not what was shipped."""
    try:
        data = ORDERS_FILE.read_bytes()
    except OSError as error:
        raise InputError(f"{ORDERS_FILE}: {error.strerror}") from None
    if hashlib.sha256(data).hexdigest() != ORDERS_SHA256:
        raise InputError(f"{ORDERS_FILE}: damaged: its hash is another")
    halves = np.frombuffer(zlib.decompress(data), np.uint8).reshape(2, -1)
    numbers, *columns = np.ascontiguousarray(halves.T).view("<u2").reshape(13, -1)
    triple = sorted_triples()
    deals, strict, above, below = np.empty((4, *(NUM_CLASSES,) * 3), np.float32)
    weights = numbers.astype(np.float32) / np.float32(_NUM_DEALS)
    for order in STRICT:
        deals[tuple(triple[list(order)])] = weights
    weights /= SCALE
    for order, column in zip(STRICT, columns[:6], strict=True):
        strict[tuple(triple[list(order)])] = column * weights
    for tied, half in ((above, columns[6:9]), (below, columns[9:])):
        for (one, two, third), column in zip(PAIRS, half, strict=True):
            tied[tuple(triple[[one, two, third]])] = column * weights
            tied[tuple(triple[[two, one, third]])] = column * weights
    return Triples(deals, strict, above, below)
