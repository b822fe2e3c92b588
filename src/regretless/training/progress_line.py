# SPDX-License-Identifier: MIT
"""The progress of a run in one line."""

from datetime import timedelta

from regretless.algorithm import Metrics
from regretless.recipes.config import BudgetConfig
from regretless.training.loop import STALENESS, Progress

_MOST_SECONDS = 1e9  # of a forecast that is shown


def progress_line(progress: Progress, budget: BudgetConfig) -> str:
    """Step, rate, time left and the latest measures."""
    record = progress.record
    parts = [f"step {record.step:,}"]
    if budget.steps:
        parts[0] += f" of {budget.steps:,}"
    parts.append(f"{progress.rate:,.3g} steps/s")
    if (left := _seconds_left(progress, budget)) is not None:
        parts.append(f"{timedelta(seconds=round(left))} left")
    if progress.cluster:
        parts.append(_cluster_text(progress.cluster))
    parts += [f"{key} {value:.3g}" for key, value in progress.latest.items() if "/" not in key]
    return "   ".join(parts)


def progress_share(progress: Progress, budget: BudgetConfig) -> float | None:
    """The share of the budget of steps or seconds that is spent; None with a target alone."""
    record = progress.record
    spent = [(record.step, budget.steps), (record.seconds, budget.seconds)]
    return max((done / most for done, most in spent if most), default=None)


def _cluster_text(figures: Metrics) -> str:
    """Workers, shards a second, and what went wrong, such as `3 workers, 1.2 shards/s`."""
    parts = []
    if "cluster/workers" in figures:
        parts.append(f"{figures['cluster/workers']:,.0f} workers")
        parts.append(f"{figures['cluster/shards_per_second']:,.3g} shards/s")
        if retries := figures["cluster/retries"]:
            parts.append(f"{retries:,.0f} made again")
    if STALENESS in figures:
        parts.append(f"staleness {figures[STALENESS]:.0f}")
    return ", ".join(parts)


def _seconds_left(progress: Progress, budget: BudgetConfig) -> float | None:
    """Seconds until the budget of steps or seconds is spent; None with a target alone."""
    times = []
    if budget.steps and progress.rate > 0:
        times.append((budget.steps - progress.record.step) / progress.rate)
    if budget.seconds:
        times.append(budget.seconds - progress.record.seconds)
    return min(max(0.0, min(times)), _MOST_SECONDS) if times else None
