# SPDX-License-Identifier: MIT
"""`regretless evaluate`: how strong the strategy of a run or of a bundle is."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.output import JsonFlag, console, print_json
from regretless.cli.strategies import Strategy, find_strategy
from regretless.evaluation.measures import Effort, Evaluation
from regretless.evaluation.measures import evaluate as measure


def evaluate(
    path: Annotated[Path, typer.Argument(help="The directory of a run or of a bundle.")],
    hands: Annotated[
        int, typer.Option(min=1, help="Of the match against each bot, where nothing is exact.")
    ] = Effort.match_hands,
    lbr_hands: Annotated[
        int, typer.Option(min=3, help="Of each local best response, where nothing is exact.")
    ] = Effort.lbr_hands,
    json: JsonFlag = False,
) -> None:
    """Measure a strategy: exactly where the game is small enough.

    Else by local best response, a lower bound, and by matches against the bots, no bound. Of a run
    that has not ended, the newest checkpoint is measured.
    """
    strategy = find_strategy(path)
    found = measure(strategy.game, strategy.policy, Effort(hands, lbr_hands))
    if json:
        print_json(_as_json(strategy, found))
        return
    _show(strategy, found)


def _as_json(strategy: Strategy, found: Evaluation) -> dict[str, Any]:
    return {
        "game": strategy.game.name,
        "algorithm": strategy.algorithm,
        "origin": strategy.origin,
        "measures": [asdict(each) for each in found.measures],
        "values": found.exact.values if found.exact else None,
        "best_response_gains": found.exact.gains if found.exact else None,
        "coverage": strategy.coverage.model_dump() if strategy.coverage else None,
        "claimed": [each.model_dump() for each in strategy.claimed],
        "note": found.note,
    }


def _show(strategy: Strategy, found: Evaluation) -> None:
    coverage = strategy.coverage
    of = f" of {coverage.of:,}" if coverage and coverage.of is not None else ""
    covered = f"{coverage.infosets:,}{of} infosets" if coverage else "all infosets"
    lines = [f"{strategy.algorithm} on {strategy.game.name}, {strategy.origin}, {covered}"]
    lines += [f"{m.measure}  {m.value:.6g} {m.unit}  ({m.how})" for m in found.measures]
    if found.exact:
        players = zip(found.exact.values, found.exact.gains, strict=True)
        lines += [
            f"seat {seat}  value {value:.6g}, a best response gains {gain:.6g}"
            for seat, (value, gain) in enumerate(players)
        ]
    if found.note:
        lines.append(found.note)
    lines += [f"claimed: {s.measure} {s.value:.6g} {s.unit}" for s in strategy.claimed]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
