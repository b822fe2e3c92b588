# SPDX-License-Identifier: MIT
"""Matches against the bots: no bound on anything, but a strong strategy does not lose them."""

from dataclasses import dataclass

from regretless.errors import InputError
from regretless.evaluation.measures import Measure, Subject
from regretless.matches.bots import BOTS, bots_of
from regretless.matches.match import MatchConfig, play_match
from regretless.policies.policy import Policy
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True)
class Baselines:
    """Winnings against each bot, which takes all other seats; a `Measurer`."""

    hands: int = 20_000
    """Episodes of the match against each bot."""
    bots: tuple[str, ...] = tuple(BOTS)
    seed: int = 0
    """A fixed seed, so that the figures of one run differ by its strategies alone."""
    threads: int = 1

    def __post_init__(self) -> None:
        MatchConfig(self.hands, self.seed, self.threads)
        for bot in self.bots:
            if bot not in BOTS:
                raise InputError.unknown(f"baselines: bots: unknown bot {bot!r}", bot, BOTS)

    def figures(self) -> list[str]:
        return [_key(bot) for bot in self.bots]

    def why_not(self, subject: Subject) -> str | None:
        return subject.no_policy

    def __call__(self, subject: Subject, watch: Watch = UNWATCHED) -> list[Measure]:
        policy = subject.policy()
        bots = [bot for bot in self.bots if bot in bots_of(subject.game)]
        return [self._measure(bot, subject, policy, watch) for bot in bots]

    def _measure(self, name: str, subject: Subject, policy: Policy, watch: Watch) -> Measure:
        game = subject.game
        bots = [BOTS[name](game)] * (game.num_players - 1)
        config = MatchConfig(self.hands, self.seed, self.threads)
        result = play_match(game, [policy, *bots], config, watch=watch, plays=subject.plays)
        won = result.players[0].won
        low, high = (1000 * (won.mean + sign * won.half_width) for sign in (-1, 1))
        how = (
            f"baseline, no bound: {result.hands:,} hands over duplicate deals, "
            f"95 % interval {low:.0f} to {high:.0f}"
        )
        what = f"match against {name}"
        return Measure(_key(name), what, 1000 * won.mean, "mbb a hand", how, low, high)


def _key(bot: str) -> str:
    return f"match_{bot.replace('-', '_')}"
