# SPDX-License-Identifier: MIT
"""pokerkit: random no-limit hold'em episodes with everything but the betting automated."""

from functools import partial
from random import random, seed

from pokerkit import Automation, NoLimitTexasHoldem, State
from stopwatch import Timing, Work, main

NUM_EPISODES = 10
SMALL_BLIND, BIG_BLIND, STACK = 1, 2, 200


def act_randomly(state: State) -> None:
    smallest = state.min_completion_betting_or_raising_to_amount
    can_fold = state.checking_or_calling_amount > 0
    choice = int(random() * (1 + can_fold + (smallest is not None)))
    if choice == 0:
        state.check_or_call()
    elif choice == 1 and can_fold:
        state.fold()
    else:
        largest = state.max_completion_betting_or_raising_to_amount
        state.complete_bet_or_raise_to(smallest + int(random() * (largest - smallest + 1)))


def prepare_episodes(num_players: int) -> Work:
    seed(0)
    game = NoLimitTexasHoldem(tuple(Automation), True, 0, (SMALL_BLIND, BIG_BLIND), BIG_BLIND)

    def play() -> int:
        for _ in range(NUM_EPISODES):
            state = game(STACK, num_players)
            while state.status:
                act_randomly(state)
            _ = state.payoffs
        return NUM_EPISODES

    return play


if __name__ == "__main__":
    main(
        "pokerkit",
        {
            "holdem2": Timing(partial(prepare_episodes, 2), "episodes/s"),
            "holdem6": Timing(partial(prepare_episodes, 6), "episodes/s"),
        },
    )
