# SPDX-License-Identifier: MIT
"""A round-robin as a job, for the API and the page."""

from dataclasses import dataclass
from typing import Any

from regretless.games.face import unit_name
from regretless.matches.match import MatchConfig
from regretless.matches.round_robin import round_robin
from regretless.seats.matches import cross_json
from regretless.web.jobs import Job
from regretless.web.play.seating import Wanted
from regretless.web.services import Services


@dataclass(frozen=True)
class CrossMatch:
    """The players and the number of hands."""

    players: tuple[Wanted, ...]
    game: str | None
    """None for the game of the strategies, else no-limit hold'em."""
    seats: int | None
    """Seats at a table; None for those of the strategies."""
    hands: int
    """Hands per pair."""
    seed: int = 0
    aivat: bool = False

    @property
    def title(self) -> str:
        return ", ".join(each.name for each in self.players)


def begin_cross(services: Services, play: CrossMatch) -> Job:
    """Starts the job; its result is `cross_json` with the names that clients know."""

    def work(job: Job) -> dict[str, Any]:
        found = services.seating.contestants(play.players, play.game, play.seats)
        job.check()
        names = [each.name for each in play.players]
        config = MatchConfig(play.hands, play.seed)
        game, policies = found[0].game, [each.policy for each in found]
        result = round_robin(game, policies, config, names=names, aivat=play.aivat, watch=job.watch)
        return cross_json(result) | {"seed": play.seed, "unit": unit_name(game)}

    return services.jobs.begin("cross-play", play.title, work)
