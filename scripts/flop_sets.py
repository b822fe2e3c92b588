# SPDX-License-Identifier: MIT
"""Writes src/regretless/solving/flop_sets.json: 25, 95 and 184 flops that stand for all 22,100.

Flops are drawn by strata, the number of suits and of ranks, in proportion to their deals, at least
one of each; flops of one stratum weigh alike. So the shares of suits and pairs are exact. Within
the strata, statistics of the set are brought close to those of all flops: shares of ranks, of pairs
of ranks, of the highest card for each number of suits, of possible straights, and the mean equity
of each of the 169 classes of hands against a random hand. From a random start, a flop is exchanged
for the best other one of its stratum until no exchange helps; the best of several starts is kept.
"""

import json
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.notation.cards import FULL_DECK, RANKS, parse_cards
from regretless.notation.hand_classes import class_places
from regretless.notation.ranges import Range
from regretless.solving.flop_report import Flop, all_flops, flop_subset
from regretless.solving.flop_sets import NUM_DEALS, SETS_FILE, SIZES, textures

SEED = 28
STARTS = 20
FITTED = ("15%", "30%", "22-99", "A2s-A5s", "54s-JTs", "AK,AQ,KQ", "QQ+", "KTs+,QTs+,JTs")
AGAINST = (
    "22-99,A2s-A9s,K6s-KJs,Q8s-QJs,J8s+,T8s+,97s+,86s+,75s+,65s,54s,ATo-A8o,KTo+,QTo+,JTo",
    "22+,A2s+,K5s+,Q7s+,J8s+,T8s+,97s+,87s,76s,65s,54s,A7o+,K9o+,Q9o+,J9o+,T9o",
)

Numbers = NDArray[np.float64]


def class_equities(flops: list[Flop]) -> Numbers:
    """Equities of the classes against a random hand: [flops, classes]; 1/2 if none is left."""
    places, weights = class_places(13, 4), np.ones(1326)
    rows = []
    for flop in flops:
        board = list(parse_cards(flop.cards))
        wins, ties, meets = _native.range_shares(
            _native.Showdown.HOLDEM, FULL_DECK, board, weights, weights
        )[0]
        met = np.bincount(places, meets, 169)
        won = np.bincount(places, wins + ties / 2, 169)
        rows.append(np.divide(won, met, out=np.full(169, 0.5), where=met > 0))
    return np.array(rows)


def statistics(flops: list[Flop], equities: Numbers) -> Numbers:
    """Statistics whose means count, scaled by their importance: [flops, statistics]."""
    rows = []
    for flop in flops:
        ranks = sorted((RANKS.index(rank) for rank in flop.cards[::2]), reverse=True)
        held, pairs, high = np.zeros(13), np.zeros((13, 13)), np.zeros((3, 13))
        np.add.at(held, ranks, 1 / 3)
        for low, other in combinations(ranks, 2):
            pairs[low, other] += 1 / 3
        high[len(set(flop.cards[1::2])) - 1, ranks[0]] = 1
        has_straight = textures(flop.cards)["straights"] == "straight possible"
        rows.append([*held, *pairs.ravel(), *high.ravel(), *high.sum(axis=0), has_straight])
    return np.hstack([np.array(rows), equities])


def choose(numbers: Numbers, weights: Numbers, strata: Numbers, count: int) -> list[int]:
    """The chosen flops by number."""
    goal = weights @ numbers / NUM_DEALS
    shares = np.bincount(strata, weights) / NUM_DEALS
    parts = _parts(shares, count)
    scale = (shares / parts)[strata]  # the weight of a flop, if it is chosen
    best: tuple[float, list[int]] = (np.inf, [])
    for start in range(STARTS):
        rng = np.random.default_rng([SEED, count, start])
        drawn = [
            rng.choice(np.flatnonzero(strata == s), n, replace=False) for s, n in enumerate(parts)
        ]
        chosen = np.concatenate(drawn).tolist()
        cost = _exchange(chosen, numbers, goal, scale, strata, rng)
        best = min(best, (cost, sorted(chosen)))
    return best[1]


def _exchange(
    chosen: list[int],
    numbers: Numbers,
    goal: Numbers,
    scale: Numbers,
    strata: Numbers,
    rng: np.random.Generator,
) -> float:
    """Exchanges flops in place until none helps; returns the squared error that is left."""
    off = scale[chosen] @ numbers[chosen] - goal
    cost, is_better = float(off @ off), True
    while is_better:
        is_better = False
        for place in rng.permutation(len(chosen)).tolist():
            old = chosen[place]
            others = np.setdiff1d(np.flatnonzero(strata == strata[old]), chosen)
            if not len(others):
                continue
            offs = off + scale[old] * (numbers[others] - numbers[old])
            costs = (offs**2).sum(axis=1)
            nearest = int(costs.argmin())
            if costs[nearest] < cost * (1 - 1e-9):
                chosen[place], off, cost = int(others[nearest]), offs[nearest], costs[nearest]
                is_better = True
    return float(cost)


def _parts(shares: Numbers, count: int) -> list[int]:
    """Flops of each stratum: in proportion, at least one, at most all flops that it has."""
    wanted = shares * count
    parts = np.maximum(np.floor(wanted), 1)
    while parts.sum() < count:
        parts[(wanted / (parts + 0.5)).argmax()] += 1
    while parts.sum() > count:
        parts[np.where(parts > 1, parts / wanted, 0).argmax()] -= 1
    return [int(each) for each in parts]


def deals(chosen: list[int], weights: Numbers, strata: Numbers) -> list[int]:
    """Whole numbers of deals that the chosen flops stand for, alike within a stratum."""
    found = np.zeros(len(chosen), int)
    for stratum in np.unique(strata):
        places = np.flatnonzero(strata[chosen] == stratum)
        total = int(weights[strata == stratum].sum())
        found[places] = total // len(places)
        found[places[: total % len(places)]] += 1
    return [int(each) for each in found]


def make_sets() -> dict[str, dict[str, int]]:
    """Returns the sets by size: flops with the deals that they stand for."""
    flops = all_flops()
    weights = np.array([flop.weight * NUM_DEALS for flop in flops]).round()
    kinds = [(len(set(flop.cards[1::2])), len(set(flop.cards[::2]))) for flop in flops]
    strata = np.array([sorted(set(kinds)).index(kind) for kind in kinds])
    numbers = statistics(flops, class_equities(flops))
    sets = {}
    for size in SIZES:
        chosen = choose(numbers, weights, strata, size)
        names = [flops[each].cards for each in chosen]
        sets[str(size)] = dict(zip(names, deals(chosen, weights, strata), strict=True))
    return sets


def print_errors(flops: list[Flop], equities: Numbers) -> None:
    """Prints how far the sets, and evenly spaced choices, are from all flops (docs/reports.md)."""
    places = {flop.cards: place for place, flop in enumerate(flops)}
    weights = np.array([flop.weight for flop in flops])
    combos = [np.bincount(class_places(13, 4), Range.parse(t).weights, 169) for t in FITTED]
    means = np.array([equities @ each / each.sum() for each in combos])
    against = np.array([_equity_against(flop) for flop in flops])
    kinds = [textures(flop.cards) for flop in flops]
    names = sorted({each["high card"] for each in kinds})
    high = np.array([[each["high card"] == name for each in kinds] for name in names])
    straights = np.array([each["straights"] == "straight possible" for each in kinds])
    print(f"all flops: {weights @ against:.4f}")
    ends = np.cumsum(weights)
    for size in SIZES:
        shares = np.zeros(len(flops))
        for flop in flop_subset(size):
            shares[places[flop.cards]] = flop.weight
        spaced = np.searchsorted(ends, (np.arange(size) + 0.5) / size)
        for name, each in (("set", shares), ("spaced", np.bincount(spaced, minlength=1755) / size)):
            off = [abs(row @ (each - weights)).max() for row in (high, straights, means, against)]
            print(size, name, *(f"{error:.2%}" for error in off))


def _equity_against(flop: Flop) -> float:
    """The equity of a range of the big blind against one of the button."""
    ranges = [Range.parse(text).weights for text in AGAINST]
    board = list(parse_cards(flop.cards))
    shares = _native.range_shares(_native.Showdown.HOLDEM, FULL_DECK, board, *ranges)[0]
    return float((shares[0] + shares[1] / 2) @ ranges[0] / (shares[2] @ ranges[0]))


def main() -> None:
    SETS_FILE.write_text(json.dumps(make_sets(), indent=1) + "\n", encoding="utf-8")
    print_errors(all_flops(), class_equities(all_flops()))


if __name__ == "__main__":
    main()
