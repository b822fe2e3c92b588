# SPDX-License-Identifier: MIT
"""`regretless preflop`: jam or fold, and small trees of raises, before the flop."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import numpy as np
import typer
from numpy.typing import NDArray
from rich.style import Style
from rich.text import Text

from regretless.cli.field_options import takes
from regretless.cli.output import (
    CsvFile,
    JsonFlag,
    console,
    print_json,
    print_line,
    print_note,
    rows_table,
)
from regretless.cli.progress import Telling
from regretless.notation.cards import RANKS
from regretless.preflop.description import (
    AnySolution,
    exactness_note,
    flop_note,
    push_fold_json,
    solution_csv,
    solution_json,
)
from regretless.preflop.equilibrium import (
    PushFoldSolution,
    forecast_push_fold,
    forecast_seconds,
    solve_push_fold,
    usual_target,
)
from regretless.preflop.push_fold import PushFoldSpot, parse_amounts, several_players
from regretless.preflop.solving import DEFAULT_ITERATIONS, PreflopSolution, solve_preflop
from regretless.preflop.tree import PreflopSpot
from regretless.storage.files import told_on_failure, write_file

_MOST_CHARTS = 12
_RAREST = 1e-4  # of all deals: what is met less often has no chart
_NEVER = 1e-6  # a reach below this is not shown
_FOLD, _PASSIVE, _ALL_IN = (70, 80, 95), (40, 130, 70), (150, 40, 45)
_COLOURS = dict.fromkeys(("call", "limp", "check"), _PASSIVE) | {"fold": _FOLD, "all-in": _ALL_IN}
_RAISES = ((205, 125, 45), (190, 95, 45), (175, 75, 45))  # from the smallest

Row = NDArray[np.float64]
_T = TypeVar("_T")


@takes(PreflopSpot)
def preflop(
    *,
    spot: PreflopSpot,
    target: Annotated[
        float | None,
        typer.Option(
            help="Stop at this exploitability, in big blinds.",
            show_default="3e-8, or 1e-5 if a flop is seen",
        ),
    ] = None,
    iterations: Annotated[int, typer.Option(help="Most iterations.")] = DEFAULT_ITERATIONS,
    ev: Annotated[
        bool, typer.Option("--ev", help="Print EVs instead of frequencies, in big blinds.")
    ] = False,
    players: Annotated[int, typer.Option(help="Players, 2 to 9; more than two jam or fold.")] = 2,
    stacks: Annotated[
        str | None,
        typer.Option(help="Stacks by seat, from the first to act to the big blind: 12,8,10."),
    ] = None,
    icm: Annotated[
        str | None,
        typer.Option(help="Prizes of a tournament, from the first place on: 50,30,20."),
    ] = None,
    others: Annotated[
        str | None, typer.Option(help="With --icm: stacks at other tables, 20,15,7.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            help="The chart after a line alone: f (fold), j (jam) or c (call) by seat, f,j."
        ),
    ] = None,
    csv_file: CsvFile = None,
    json: JsonFlag = False,
) -> None:
    """Solve preflop play of two players, or push or fold of 2 to 9, and print charts."""
    if players != 2 or any(each is not None for each in (stacks, icm, others, at)):
        given = {"stacks": stacks, "icm": icm, "others": others}
        by_seat, prizes, rest = (parse_amounts(text, name) for name, text in given.items())
        several = several_players(spot, players, stacks=by_seat, prizes=prizes, others=rest)
        _push_fold(several, target, iterations, ev, at, csv_file, json)
        return
    with Telling(for_programs=json) as telling:
        solution = solve_preflop(
            spot,
            target=target,
            iterations=iterations,
            progress=lambda done, gap: telling.say(
                f"iteration {done:,}   exploitability {gap:.3g} big blinds"
            ),
        )
    _write(solution, csv_file)
    print_json(solution_json(solution)) if json else _show(solution, ev)


def _write(solution: AnySolution, csv_file: Path | None) -> None:
    if csv_file is not None:
        with told_on_failure(csv_file):
            write_file(csv_file, solution_csv(solution))


def _push_fold(
    spot: PushFoldSpot,
    target: float | None,
    iterations: int,
    ev: bool,
    at: str | None,
    csv_file: Path | None,
    json: bool,
) -> None:
    if at is not None:
        spot.parse_line(at)  # which may be wrong
    with Telling(for_programs=json) as telling:
        unit = "prize" if spot.prizes else "big blinds"
        goal = f"{usual_target(spot) if target is None else target:.3g}"
        needs = f"{spot.num_players} players: about {forecast_push_fold(spot, target)}"
        telling.say(needs)
        if not json and forecast_seconds(spot, target) >= 10:
            print_note(needs)
        solution = solve_push_fold(
            spot,
            target=target,
            iterations=iterations,
            progress=lambda done, gap: telling.say(
                f"iteration {done:,}   epsilon {gap:.3g} {unit} (ends at {goal})"
            ),
        )
    _write(solution, csv_file)
    print_json(push_fold_json(solution)) if json else _show_push_fold(solution, ev, at)


def _show_charts(solution: AnySolution, ev: bool, only: int | None = None) -> None:
    decisions = solution.decisions
    order = sorted(range(len(decisions)), key=lambda i: -solution.frequencies[i])
    shown = sorted(i for i in order[:_MOST_CHARTS] if solution.frequencies[i] >= _RAREST)
    for i in shown if only is None else [only]:
        print_line(_heading(solution, i, ev), "bold")
        console.print((_value_chart if ev else _chart)(solution, i), end="")
        print_line(_totals(solution, i))
        print_line("")
    if only is not None:
        return
    if len(shown) < len(decisions):
        count = len(decisions) - len(shown)
        where = "in --json and --csv alone"
        if isinstance(solution, PushFoldSolution):
            where = "with --at, --json and --csv alone"
        print_line(f"decisions that are met more rarely, {where}: {count}")
    if len(decisions) > 2:
        rows = [_row(solution, i) for i in shown]
        console.print(rows_table(["line", "seat", "met", "choices"], rows))


def _show(solution: PreflopSolution, ev: bool) -> None:
    _show_charts(solution, ev)
    print_line(
        f"value {solution.value:+.5f} bb to the small blind, {-solution.value:+.5f} to the big "
        f"blind; exploitability {solution.exploitability:.2g} bb after "
        f"{solution.iterations:,} iterations"
    )
    print_line(flop_note(solution))


def _show_push_fold(solution: PushFoldSolution, ev: bool, at: str | None) -> None:
    _show_charts(solution, ev, None if at is None else solution.find(at))
    spot, unit = solution.spot, solution.unit
    head = ["seat", "stack", f"ev in {unit}", "gain of a best response"]
    rows = [
        [
            name,
            f"{spot.stacks[seat]:g}",
            f"{solution.values[seat]:+.5f}",
            f"{solution.gains[seat]:.1g}",
        ]
        for seat, name in enumerate(solution.names)
    ]
    if spot.prizes:
        head.append("prizes expected before the hand")
        for row, equity in zip(rows, spot.equities_before(), strict=True):
            row.append(f"{equity:.5f}")
    console.print(rows_table(head, rows))
    print_line(
        f"epsilon {solution.epsilon:.2g} {unit}: no player gains more by another strategy; "
        f"{solution.iterations:,} iterations, {solution.seconds:.1f} s"
    )
    print_line(exactness_note(solution))


def _heading(solution: AnySolution, i: int, ev: bool) -> str:
    decision = solution.decisions[i]
    line = solution.line_text(i)
    where = f"after {line}" if line else "first in"
    shown = f": {decision.actions[1]} %" if len(decision.actions) == 2 else ""
    name = solution.names[decision.seat]
    return f"{name} {where}{f': ev in {solution.unit}' if ev else shown}"


def _totals(solution: AnySolution, i: int) -> str:
    actions = solution.decisions[i].actions
    letters = dict(zip(actions, _letters(actions), strict=True))
    names = [each if len(actions) == 2 else f"{each} ({letters[each]})" for each in actions]
    totals = solution.totals(i)
    return "  " + "   ".join(f"{n} {t:.2%}" for n, t in zip(names, totals, strict=True))


def _row(solution: AnySolution, i: int) -> list[str]:
    decision = solution.decisions[i]
    pairs = zip(decision.actions, solution.totals(i), strict=True)
    choices = ", ".join(f"{name} {total:.1%}" for name, total in pairs)
    line = solution.line_text(i) or "first in"
    return [line, solution.names[decision.seat], f"{solution.frequencies[i]:.2%}", choices]


def _chart(solution: AnySolution, decision: int) -> Text:
    """The share of each class in percent: of the one action besides fold, or of the likeliest.

    Colours are those of the actions, mixed by their shares. Where there are more than two actions
    a letter before the number names the likeliest.
    """
    actions = solution.decisions[decision].actions
    strategy = solution.strategy[decision, : len(actions)]  # [actions, classes]
    letters = _letters(actions)
    colours = np.array(_by_action(actions, _COLOURS, _RAISES), np.float64)
    cells = [_cell(shares, letters) for shares in strategy.T]
    return _grid(cells, strategy.T @ colours, solution.ranges[decision] >= _NEVER)


def _value_chart(solution: AnySolution, decision: int) -> Text:
    """The EV of each class from there on, in big blinds, with the chips put in."""
    count = len(solution.decisions[decision].actions)
    parts = solution.strategy[decision, :count] * solution.action_values[decision, :count]
    values = parts.sum(axis=0)  # [classes]
    cells = ["" if np.isnan(each) else f"{each:+.2f}" for each in values]
    signs = np.where(values > 0, 1, 0)
    colours = np.array([_ALL_IN, _PASSIVE], np.float64)[signs]
    return _grid(cells, colours, solution.ranges[decision] >= _NEVER, width=6)


def _grid(cells: list[str], colours: Row, is_there: NDArray[np.bool_], width: int = 5) -> Text:
    """13 rows of 13 cells, with the ranks above and beside; colours [classes, 3]."""
    text = Text("  " + "".join(f"{rank:^{width}}" for rank in reversed(RANKS)) + "\n")
    for row, rank in enumerate(reversed(RANKS)):
        text.append(f"{rank} ")
        for place in range(row * 13, row * 13 + 13):
            if not is_there[place]:
                text.append(" " * width)
                continue
            red, green, blue = (int(each) for each in np.rint(colours[place]))
            style = Style(color="rgb(255,255,255)", bgcolor=f"rgb({red},{green},{blue})")
            text.append(f"{cells[place]:^{width}}", style)
        text.append("\n")
    return text


def _cell(shares: Row, letters: list[str]) -> str:
    if len(shares) == 2:
        percent = round(100 * float(shares[1]))
        return str(percent) if percent else "."
    best = int(shares.argmax())
    percent = round(100 * float(shares[best]))
    if letters[best] == "f" and percent == 100:
        return "."
    return f"{letters[best]}{percent}"


def _letters(actions: tuple[str, ...]) -> list[str]:
    """`f`, `c`, `x` for a check, `a` for all-in, and `r`, `s`, `t`, ... for raises by size."""
    words = {"fold": "f", "call": "c", "limp": "c", "check": "x", "all-in": "a"}
    return _by_action(actions, words, ("r", "s", "t", "u", "v", "w"))


def _by_action(actions: tuple[str, ...], fixed: dict[str, _T], raises: Sequence[_T]) -> list[_T]:
    sizes = [action for action in actions if action not in fixed]
    return [
        fixed[action] if action in fixed else raises[min(sizes.index(action), len(raises) - 1)]
        for action in actions
    ]
