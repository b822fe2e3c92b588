# SPDX-License-Identifier: MIT
"""Charts before the flop as jobs; those of two players who jam or fold are there at once."""

import time
from dataclasses import dataclass, field, replace
from typing import Any

from regretless.preflop.description import AnySolution
from regretless.preflop.equilibrium import Progress, forecast_seconds, solve_push_fold, usual_target
from regretless.preflop.push_fold import PushFoldSpot
from regretless.preflop.solving import solve_preflop
from regretless.preflop.tree import PreflopSpot
from regretless.watch import UNWATCHED, Watch
from regretless.web.jobs import ENDED, Job, Jobs
from regretless.web.settings import Limits

AnySpot = PreflopSpot | PushFoldSpot
_MOST_EXACT = 3  # players; charts of more are an approximation in any case,
_ROUGHER = 50  # and end at 0.0005 big blinds
_TREE_SECONDS = 3  # of two players who raise, roughly


@dataclass(eq=False)
class ChartJob(Job):
    """Charts that take longer; the solution is in `made`."""

    spot: AnySpot = field(kw_only=True)

    def work(self, limits: Limits) -> dict[str, Any]:
        """Solves; a job that takes too long is stopped."""
        silent = replace(self.watch, tell=lambda what, share: None)
        watch = silent.ending_at(time.perf_counter() + limits.job_seconds)
        progress = {"what": "solving", "forecast_seconds": _forecast(self.spot)}
        self.progress = progress

        def tell(iterations: int, gap: float) -> None:
            watch.look("solving")
            self.progress = {**progress, "iterations": iterations, "exploitability": gap}

        solution = _solve(self.spot, tell, watch)
        self.made, self.made_bytes = solution, 3 * solution.strategy.nbytes
        return {"iterations": solution.iterations}


def find_charts(jobs: Jobs, limits: Limits, spot: AnySpot) -> AnySolution | ChartJob:
    """The charts of a spot, or the job that solves it; InputError if the spot is not valid."""
    if isinstance(spot, PreflopSpot):
        spot.game()  # errors are reported at once
    if _is_quick(spot):
        return _solve(spot)
    for job in jobs.all():
        if isinstance(job, ChartJob) and job.spot == spot:
            if job.made is not None:
                solution: AnySolution = job.made
                return solution
            if job.status not in ENDED:
                return job
    players = spot.num_players if isinstance(spot, PushFoldSpot) else 2
    job = ChartJob("preflop", f"preflop, {players} players", spot=spot)
    return jobs.begin(job, lambda job: job.work(limits))


def _solve(
    spot: AnySpot, progress: Progress | None = None, watch: Watch = UNWATCHED
) -> AnySolution:
    if isinstance(spot, PushFoldSpot):
        return solve_push_fold(spot, target=_target(spot), progress=progress, watch=watch)
    return solve_preflop(spot, progress=progress)


def _forecast(spot: AnySpot) -> int:
    if isinstance(spot, PreflopSpot):
        return _TREE_SECONDS
    return forecast_seconds(spot, _target(spot))


def _target(spot: PushFoldSpot) -> float:
    return (1 if spot.num_players <= _MOST_EXACT else _ROUGHER) * usual_target(spot)


def _is_quick(spot: AnySpot) -> bool:
    """Whether two players jam or fold, which takes a tenth of a second."""
    if isinstance(spot, PreflopSpot):
        return spot.sizes == "a" and not spot.limp
    return spot.num_players == 2
