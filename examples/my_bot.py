# SPDX-License-Identifier: MIT
"""A custom bot: `regretless match examples/my_bot.py:MyBot caller --game leduc`."""

import numpy as np

from regretless import Game, Needs, Questions


class MyBot:
    """Bets or raises with a strong hand, folds a weak one to a bet, else checks or calls."""

    name = "my-bot"
    needs = Needs(chips=True)  # pots, to_calls, stacks, streets, hand_strengths

    def __init__(self, game: Game) -> None:
        self.raises = np.array([name not in ("fold", "call") for name in game.action_names])

    def __call__(self, questions: Questions) -> np.ndarray:
        """One row of probabilities for each question: [batch, actions]."""
        answer = np.zeros(questions.legal.shape, np.float32)
        strengths = questions.hand_strengths  # the share of hands that ours beats
        answer[:, 1] = 1  # check or call
        answer[strengths < 0.3, 0] = 9  # fold; where there is no bet it is not legal, and ignored
        answer[strengths > 0.7] += 9 * self.raises
        return answer
