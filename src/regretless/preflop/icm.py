# SPDX-License-Identifier: MIT
"""The Independent Chip Model: what stacks of a tournament are worth in prizes (Malmuth-Harville).

A player wins with the probability of his share of the chips; the second is drawn among the others
in the same way, and so on. Players who finish at times that are exponential with rates
proportional to their stacks finish in the same order, so an equity is an integral over one time
instead of a sum over all orders: exact to rounding for any number of players.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError

Floats = NDArray[np.float64]

MOST_PLAYERS = 200
_FIRST, _LAST = -34.0, 4.0  # of the logarithm of time
_MOST_NUMBERS = 4_000_000  # at once


def icm_equities(stacks: Sequence[float] | Floats, prizes: Sequence[float]) -> Floats:
    """Expected prizes of players with these stacks: [..., players].

    Prizes are those of the first place, the second, ...; prizes beyond the number of players
    are not paid. InputError where an amount makes no sense.
    """
    chips = np.asarray(stacks, np.float64)
    amounts = require_prizes(prizes)
    if chips.ndim < 1 or not 1 <= chips.shape[-1] <= MOST_PLAYERS:
        raise InputError(f"stacks: 1 to {MOST_PLAYERS:,} of them")
    if not (np.isfinite(chips).all() and (chips > 0).all()):
        raise InputError("stacks: must be above 0")
    return _race(chips.reshape(-1, chips.shape[-1]), amounts).reshape(chips.shape)


def require_prizes(prizes: Sequence[float]) -> Floats:
    """The prizes as an array; InputError unless they fall from the first place on."""
    amounts = np.asarray(prizes, np.float64)
    if amounts.ndim != 1 or not len(amounts):
        raise InputError("prizes: at least one, from the first place on")
    if not np.isfinite(amounts).all() or (amounts < 0).any() or amounts[0] <= 0:
        raise InputError("prizes: must not be negative, and the first is above 0")
    if (np.diff(amounts) > 0).any():
        raise InputError("prizes: a place pays no more than the place before it")
    return amounts


def icm_after_hand(before: Floats, after: Floats, prizes: Floats) -> Floats:
    """Equities of stacks of which some are 0: [hands, players].

    A player who is out has the place behind all who are left. Of several, who had more before
    the hand has the better place; equal stacks share their prizes.
    """
    num_players = len(before)
    paid = np.zeros(num_players)
    paid[: min(num_players, len(prizes))] = prizes[:num_players]
    values = np.zeros(after.shape)  # also if the stacks are whole numbers
    is_in, hands = np.unique(after > 0, axis=0, return_inverse=True)
    for mask, number in zip(is_in, range(len(is_in)), strict=True):
        rows = np.flatnonzero(hands.ravel() == number)
        left = np.flatnonzero(mask)
        values[np.ix_(rows, left)] = _race(after[np.ix_(rows, left)], paid[: len(left)])
        out = np.flatnonzero(~mask)
        for player in out:
            better = len(left) + int((before[out] > before[player]).sum())
            equal = int((before[out] == before[player]).sum())
            values[rows, player] = paid[better : better + equal].mean()
    return values


def _race(stacks: Floats, prizes: Floats) -> Floats:
    """[hands, players]: the integral over the logarithm of time by the trapezoidal rule."""
    num_players, count = stacks.shape[1], min(len(prizes), stacks.shape[1])
    rates = stacks / stacks.sum(axis=1, keepdims=True)
    step = 0.7 / max(8, count) ** 0.5  # the time of the n-th place is the narrower the larger n
    grid = np.arange(_FIRST, _LAST - np.log(rates.min()), step)
    times = np.exp(grid)[:, None]  # [times, 1]
    size = max(1, _MOST_NUMBERS // (len(grid) * count * (num_players + 1)))
    values: Floats = np.empty_like(rates)
    for begin in range(0, len(rates), size):
        part = rates[begin : begin + size]
        late = np.exp(-part[:, None, :] * times)[..., None]  # [hands, times, players, 1]
        early = -np.expm1(-part[:, None, :] * times)[..., None]
        # before[i]: how many of the players before i finish earlier, as a distribution over
        # 0, ..., count - 1; worth: the prize by that number, over the players after i.
        before = [np.zeros((len(part), len(grid), count))]
        before[0][..., 0] = 1
        for i in range(num_players - 1):
            following = late[:, :, i] * before[i]
            following[..., 1:] += early[:, :, i] * before[i][..., :-1]
            before.append(following)
        worth = np.broadcast_to(prizes[:count], before[0].shape)
        for i in reversed(range(num_players)):
            density = part[:, i, None] * late[:, :, i, 0] * times[:, 0] * step
            values[begin : begin + size, i] = (density * (before[i] * worth).sum(axis=2)).sum(
                axis=1
            )
            shifted = np.zeros_like(before[0])
            shifted[..., :-1] = worth[..., 1:]
            worth = late[:, :, i] * worth + early[:, :, i] * shifted
    return values
