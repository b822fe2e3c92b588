# SPDX-License-Identifier: MIT
"""OpenSpiel: random episodes of universal_poker, every chip a legal raise; its solvers in C++."""

from functools import partial
from random import random, sample, seed

import pyspiel
from stopwatch import Timing, Work, main

NUM_EPISODES = 100
NUM_ITERATIONS = 500
NUM_ITERATIONS_TO_1E3 = 490
NUM_CARDS, NUM_BOARD_CARDS = 52, 5
STACK = 200

# Per number of players: who posts the blinds of 1 and 2, and who opens each street.
BLINDS = {2: "2 1", 6: "1 2 0 0 0 0"}
FIRST_PLAYERS = {2: "2 1 1 1", 6: "3 1 1 1"}

FOLD, CHECK_OR_CALL = 0, 1


def load_holdem(num_players: int) -> pyspiel.Game:
    return pyspiel.load_game(
        "universal_poker",
        {
            "betting": "nolimit",
            "bettingAbstraction": "fullgame",
            "numPlayers": num_players,
            "numRounds": 4,
            "blind": BLINDS[num_players],
            "firstPlayer": FIRST_PLAYERS[num_players],
            "numSuits": 4,
            "numRanks": 13,
            "numHoleCards": 2,
            "numBoardCards": "0 3 1 1",
            "stack": " ".join([str(STACK)] * num_players),
        },
    )


def random_action(legal_actions: list[int]) -> int:
    """Uniform among folding, calling and raising, then uniform among the raises."""
    num_passive = (legal_actions[0] == FOLD) + 1
    num_kinds = num_passive + (len(legal_actions) > num_passive)
    kind = int(random() * num_kinds)
    if kind < num_passive:
        return legal_actions[kind]
    return legal_actions[num_passive + int(random() * (len(legal_actions) - num_passive))]


def prepare_episodes(num_players: int) -> Work:
    seed(0)
    game = load_holdem(num_players)
    num_dealt = 2 * num_players + NUM_BOARD_CARDS

    def play() -> int:
        for _ in range(NUM_EPISODES):
            state = game.new_initial_state()
            # A chance action is a card: dealing here spares the list of chance outcomes.
            cards = iter(sample(range(NUM_CARDS), num_dealt))
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(next(cards))
                else:
                    state.apply_action(random_action(state.legal_actions()))
            state.returns()
        return NUM_EPISODES

    return play


def prepare_mccfr() -> Work:
    """The solver in C++; one iteration is a traversal for each player, as ours."""
    solver = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"), seed=0)

    def iterate() -> int:
        for _ in range(NUM_ITERATIONS):
            solver.run_iteration()
        return NUM_ITERATIONS

    return iterate


def prepare_cfr(game: str) -> Work:
    """CFR+; one iteration updates both players."""
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(game))

    def iterate() -> int:
        solver.evaluate_and_update_policy()
        return 1

    return iterate


def prepare_solve() -> Work:
    """Leduc to 1e-3; it is known to take so many iterations, so one measure at the end will do."""
    game = pyspiel.load_game("leduc_poker")

    def solve() -> int:
        solver = pyspiel.CFRPlusSolver(game)
        for _ in range(NUM_ITERATIONS_TO_1E3):
            solver.evaluate_and_update_policy()
        assert pyspiel.exploitability(game, solver.average_policy()) <= 1e-3
        return 1

    return solve


def prepare_exploitability() -> Work:
    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()

    def measure() -> int:
        pyspiel.exploitability(
            game, solver.average_policy()
        )  # a policy does not outlive its solver
        return 1

    return measure


if __name__ == "__main__":
    main(
        "open_spiel",
        {
            "holdem2": Timing(partial(prepare_episodes, 2), "episodes/s"),
            "holdem6": Timing(partial(prepare_episodes, 6), "episodes/s"),
            "leduc_cfr": Timing(partial(prepare_cfr, "leduc_poker"), "iterations/s"),
            "leduc_solve": Timing(prepare_solve, "solutions/s"),
            "leduc_exploitability": Timing(prepare_exploitability, "measures/s"),
            "dice_cfr": Timing(partial(prepare_cfr, "liars_dice"), "iterations/s"),
            "leduc_mccfr": Timing(prepare_mccfr, "iterations/s"),
        },
    )
