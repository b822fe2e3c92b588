# SPDX-License-Identifier: MIT
"""Matches against the bots: not a bound on anything, but a strategy that loses them is no good."""

from regretless.evaluation.bots import BOTS
from regretless.evaluation.matches import MatchConfig, play_match
from regretless.evaluation.measures import Effort, Measure
from regretless.games import Game
from regretless.policy import Policy


def baseline_matches(game: Game, policy: Policy, effort: Effort) -> list[Measure]:
    """What the policy wins from each bot, which takes all the other seats."""
    config = MatchConfig(effort.match_hands)
    measures = []
    for name, make_bot in BOTS.items():
        bots = [make_bot(game)] * (game.num_players - 1)
        result = play_match(game, [policy, *bots], config)
        won = result.players[0].won
        low, high = (1000 * (won.mean + sign * won.half_width) for sign in (-1, 1))
        how = (
            f"baseline, no bound: {result.hands:,} hands over duplicate deals, "
            f"95 % interval {low:.0f} to {high:.0f}"
        )
        measures.append(Measure(f"match against {name}", 1000 * won.mean, "mbb a hand", how))
    return measures
