# SPDX-License-Identifier: MIT
"""`regretless evaluate`: how strong a run, a bundle, a .onnx file or a bot is."""

from collections.abc import Iterator
from functools import partial
from typing import Annotated

import typer

from regretless.bundles.bundle import Bundle, copy_bundle
from regretless.bundles.model_card import for_players
from regretless.bundles.shipped import find_street_values
from regretless.bundles.solution import claimed
from regretless.cli.clusters import ClusterName, WorkerCount, played_on
from regretless.cli.field_options import takes
from regretless.cli.output import BotFile, GameName, JsonFlag, print_json, print_line, print_note
from regretless.cli.progress import Telling
from regretless.cli.train.gate import evaluate_street_values
from regretless.errors import InputError
from regretless.evaluation.measures import Effort, Evaluation
from regretless.evaluation.measures import evaluate as measure
from regretless.runs.run_record import require_bundle
from regretless.seats.contestants import find_contestants, may_try
from regretless.seats.descriptions import evaluation_json
from regretless.seats.strategies import Strategy


@takes(Effort)
def evaluate(
    player: Annotated[
        str,
        typer.Argument(
            help="The directory of a run or of a bundle, a .onnx file, a bot, bot.py:Name or "
            "cmd:PROGRAM."
        ),
    ],
    game: GameName = None,
    *,
    effort: Effort,
    device: Annotated[
        str | None, typer.Option(help="Device of the networks of a run or bundle: cpu or cuda.")
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Write these figures into the bundle.")
    ] = False,
    cluster: ClusterName = None,
    workers: WorkerCount = None,
    from_file: BotFile = None,
    json: JsonFlag = False,
) -> None:
    """Measure a strategy, exactly if the game is small enough.

    Else by local best response, a lower bound, and by matches against the bots, no bound. Of a run
    that has not ended, the newest checkpoint is measured. A value network of a street is measured
    at the leaves of turns that are solved with it.
    """
    values = find_street_values(player)
    if values is not None:
        evaluate_street_values(values, device or "cpu", effort.threads, record=record, json=json)
        return
    bundle = _bundle(player) if record else None
    with Telling("loading", for_programs=json):
        (strategy,) = find_contestants([player], game, None, from_file, print_note, device=device)
    with (
        played_on(cluster, workers, effort.threads) as plays,
        Telling(for_programs=json, forecasts=True) as telling,
    ):
        policy, forecast = strategy.policy, None
        if plays is None and may_try(policy):
            forecast = partial(telling.forecast, "all measures", hands=effort.hands)
        found = measure(strategy.game, policy, effort, telling.watch(), plays, forecast)
    if bundle is not None:
        copy_bundle(bundle, bundle.path, strength=[claimed(each) for each in found.measures])
    if json:
        print_json(evaluation_json(strategy, found))
        return
    for line in _lines(strategy, found):
        print_line(line)


def _bundle(player: str) -> Bundle:
    try:
        return require_bundle(player)
    except InputError:
        raise InputError(f"--record: {player} is no bundle, and no run that has left one") from None


def _lines(strategy: Strategy, found: Evaluation) -> Iterator[str]:
    covered, coverage = "", strategy.coverage
    if coverage is not None:
        of = f" of {coverage.of:,}" if coverage.of is not None else ""
        covered = f", {coverage.infosets:,}{of} infosets"
    yield f"{strategy.algorithm} on {strategy.game.name}, {strategy.origin}{covered}"
    for each in found.measures:
        shown = for_players(claimed(each), strategy.game)
        yield f"{shown.measure}  {shown.value:.6g} {shown.unit}  ({shown.how})"
    if found.exact:
        players = zip(found.exact.values, found.exact.gains, strict=True)
        for seat, (value, gain) in enumerate(players):
            yield f"seat {seat}  value {value:.6g}, a best response gains {gain:.6g}"
    if found.note:
        yield found.note
    for claim in (for_players(each, strategy.game) for each in strategy.claimed):
        yield f"claimed: {claim.measure} {claim.value:.6g} {claim.unit}"
