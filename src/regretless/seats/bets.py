# SPDX-License-Identifier: MIT
"""Bets in chips, mapped to the slots of the menu, a whole batch at a time."""

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games.menus import CALL_SLOT, FOLD_SLOT
from regretless.games.translation import FOLD


def bet_probabilities(
    questions: _native.Questions, amounts: NDArray[np.number]
) -> NDArray[np.float32]:
    """Maps bets in chips to the menu: probabilities of the slots, [batch, actions].

    An amount is the actor's total bet on this street (a raise *to*); 0 checks or calls; -1 folds,
    or checks where nothing is to call. An amount outside the rules becomes the nearest legal one,
    or a call where no raise is legal. An amount between two slots is mapped pseudo-harmonically by
    shares of the pot (Ganzfried and Sandholm 2013). Questions need `Needs(table=True)`.
    """
    wanted = np.asarray(amounts, np.float64)
    if wanted.shape != (len(questions),):
        raise InputError(f"amounts: must be [{len(questions)}], not {list(wanted.shape)}")
    if not (np.isfinite(wanted).all() and ((wanted >= 0) | (wanted == FOLD)).all()):
        raise InputError("amounts: must be -1 (fold), 0 (check or call) or chips to raise to")
    rows = np.arange(len(wanted))
    legal, most = questions.legal, questions.most_raises
    answer = np.zeros(legal.shape, np.float32)
    folds = (wanted == FOLD) & legal[:, FOLD_SLOT]
    raises = (wanted > 0) & (most > 0)
    answer[rows, np.where(folds, FOLD_SLOT, CALL_SLOT)] = ~raises
    if raises.any():
        low, high, chance = _between(questions, np.clip(wanted, questions.least_raises, most))
        answer[rows[raises], low[raises]] += chance[raises]
        answer[rows[raises], high[raises]] += (1 - chance)[raises]
    return answer


def _between(
    questions: _native.Questions, wanted: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The slots below and above each amount, and the probability of the one below.

    A check or call counts as a bet of 0; above the highest slot there is only that one.
    """
    rows = np.arange(len(wanted))
    faced = questions.seat_bets.max(axis=1).astype(np.float64)
    to = questions.offers.astype(np.float64)
    to[:, FOLD_SLOT], to[:, CALL_SLOT] = np.nan, faced
    to[~questions.legal] = np.nan
    below = np.where(to <= wanted[:, None], to, -np.inf)
    above = np.where(to >= wanted[:, None], to, np.inf)
    below[:, CALL_SLOT] = faced  # also where the least raise is no more than a call
    above[:, CALL_SLOT] = np.inf
    low, high = below.argmax(axis=1), above.argmin(axis=1)
    high = np.where(np.isinf(above[rows, high]), low, high)
    pots = np.maximum(questions.pots + questions.to_calls, 1)
    share_low, share_high, share = (
        (each - faced) / pots for each in (below[rows, low], to[rows, high], wanted)
    )
    gap = np.where(high == low, 1, share_high - share_low)
    chance = (share_high - share) * (1 + share_low) / (gap * (1 + share))
    return low, high, np.where(high == low, 1.0, np.clip(chance, 0, 1))
