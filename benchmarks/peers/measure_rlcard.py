# SPDX-License-Identifier: MIT
"""rlcard: random no-limit hold'em episodes; its raises are half pot, pot and all-in."""

from functools import partial
from random import random, seed

import rlcard
from rlcard.games.nolimitholdem.round import Action
from stopwatch import Timing, Work, main

NUM_EPISODES = 50
STACK = 200  # The blinds are always 1 and 2.

FOLD, CHECK_OR_CALL = Action.FOLD.value, Action.CHECK_CALL.value


def random_action(state: dict) -> int:
    raises = [action for action in state["legal_actions"] if action > CHECK_OR_CALL]
    observation = state["raw_obs"]
    choices = [CHECK_OR_CALL]
    if observation["my_chips"] < max(observation["all_chips"]):
        choices.append(FOLD)
    if raises:
        choices.append(raises[int(random() * len(raises))])
    return choices[int(random() * len(choices))]


def prepare_episodes(num_players: int) -> Work:
    seed(0)
    environment = rlcard.make(
        "no-limit-holdem",
        config={"seed": 0, "game_num_players": num_players, "chips_for_each": STACK},
    )

    def play() -> int:
        for _ in range(NUM_EPISODES):
            state, _ = environment.reset()
            while not environment.is_over():
                state, _ = environment.step(random_action(state))
            environment.get_payoffs()
        return NUM_EPISODES

    return play


if __name__ == "__main__":
    main(
        "rlcard",
        {
            "holdem2": Timing(partial(prepare_episodes, 2), "episodes/s"),
            "holdem6": Timing(partial(prepare_episodes, 6), "episodes/s"),
        },
    )
