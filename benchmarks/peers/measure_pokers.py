# SPDX-License-Identifier: MIT
"""pokers: random no-limit hold'em episodes.

Its `Raise` takes the amount above the call, its list of legal actions knows neither stacks nor the
smallest raise, and it asks players who are all in. So the script looks at the actor's stack, raises
by a big blind or more, and lets a player without chips pass.
"""

from functools import partial
from itertools import count, islice
from random import random, seed

from pokers import Action, ActionEnum, Stage, State
from stopwatch import Timing, Work, main

NUM_EPISODES = 200
SMALL_BLIND, BIG_BLIND, STACK = 1, 2, 200

PREFLOP = Stage.Preflop
RAISE = ActionEnum.Raise
CHECK = Action(ActionEnum.Check)
CALL = Action(ActionEnum.Call)
FOLD = Action(ActionEnum.Fold)


def random_action(state: State) -> Action:
    player = state.players_state[state.current_player]
    stack = int(player.stake)
    to_call = int(state.min_bet - player.bet_chips)
    if to_call == 0:
        if stack and random() < 0.5:
            return random_raise(stack)
        # The big blind's option before the flop is a call of nothing.
        return CALL if state.stage == PREFLOP else CHECK
    if stack == 0:
        return CALL
    choice = int(random() * (3 if stack > to_call else 2))
    if choice == 2:
        return random_raise(stack - to_call)
    return CALL if choice else FOLD


def random_raise(largest: int) -> Action:
    smallest = min(BIG_BLIND, largest)
    return Action(RAISE, smallest + int(random() * (largest - smallest + 1)))


def prepare_episodes(num_players: int) -> Work:
    seed(0)
    deal_seeds = count()

    def play() -> int:
        for deal_seed in islice(deal_seeds, NUM_EPISODES):
            state = State.from_seed(num_players, 0, SMALL_BLIND, BIG_BLIND, STACK, deal_seed)
            while not state.final_state:
                state = state.apply_action(random_action(state))
            _ = [player.reward for player in state.players_state]
        return NUM_EPISODES

    return play


if __name__ == "__main__":
    main(
        "pokers",
        {
            "holdem2": Timing(partial(prepare_episodes, 2), "episodes/s"),
            "holdem6": Timing(partial(prepare_episodes, 6), "episodes/s"),
        },
    )
