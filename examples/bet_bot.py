# SPDX-License-Identifier: MIT
"""A bot that bets amounts: `regretless match examples/bet_bot.py:BetBot pot-odds`."""

import numpy as np

from regretless import Game, Needs, Questions


class BetBot:
    """Bets the better its hand the more, up to one and a half pots; calls at fair odds."""

    name = "bet-bot"
    needs = Needs(chips=True, table=True)  # hand strengths; cards, bets and stacks of the table

    def __init__(self, game: Game) -> None:
        self.big_blind = game.unit

    def __call__(self, questions: Questions) -> np.ndarray:
        """One amount for each question: [batch]."""
        strengths, to_calls = questions.hand_strengths, questions.to_calls
        pots = questions.pots + to_calls
        faced = questions.seat_bets.max(axis=1)
        raise_to = np.maximum(faced + 2 * (strengths - 0.5) * 1.5 * pots, 2 * self.big_blind)
        is_strong = strengths > np.where(to_calls > 0, 0.85, 0.65)
        is_fair = strengths * pots >= to_calls
        return np.where(is_strong, raise_to, np.where(is_fair, 0, -1))  # 0 calls, -1 folds
