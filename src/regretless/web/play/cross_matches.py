# SPDX-License-Identifier: MIT
"""A round-robin as a job, for the API and the page."""

from collections.abc import Sequence
from typing import Any

from regretless.games.face import unit_name
from regretless.matches.match import MatchConfig
from regretless.matches.round_robin import round_robin
from regretless.seats.matches import cross_json
from regretless.web.jobs import Job
from regretless.web.play.seating import Wanted
from regretless.web.services import Services


def begin_cross(
    services: Services,
    players: Sequence[Wanted],
    game: str | None,
    seats: int | None,
    config: MatchConfig,
    *,
    aivat: bool,
) -> Job:
    """Starts the job; its result is `cross_json` with the names that clients know.

    Without `game` and `seats` those of the strategies are played, else no-limit hold'em.
    """
    names = [each.name for each in players]

    def work(job: Job) -> dict[str, Any]:
        found = services.seating.contestants(players, game, seats)
        job.check()
        played, policies = found[0].game, [each.policy for each in found]
        result = round_robin(played, policies, config, names=names, aivat=aivat, watch=job.watch)
        return cross_json(result) | {"seed": config.seed, "unit": unit_name(played)}

    return services.jobs.begin(Job("cross-play", ", ".join(names)), work)
