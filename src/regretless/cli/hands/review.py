# SPDX-License-Identifier: MIT
"""`regretless review`: the decisions of a player beside a strategy, worst first."""

from typing import Annotated

import typer

from regretless.cli.field_options import takes
from regretless.cli.hands.database import DatabaseFile, PlayerName, open_database
from regretless.cli.output import (
    CsvFile,
    JsonFlag,
    print_json,
    print_line,
    print_note,
    print_table,
    rows_table,
)
from regretless.cli.progress import Telling
from regretless.database.reviewing import Review, ReviewedDecision, ReviewOptions, review_hands
from regretless.storage.files import require_file_place
from regretless.storage.row_files import write_rows

_COLUMNS = ("hand", "played", "place", "chosen", "seen_as", "chance", "lost_bb", "best")


@takes(ReviewOptions)
def review(
    *,
    options: ReviewOptions,
    database: DatabaseFile = None,
    player: PlayerName = None,
    rows: Annotated[
        int, typer.Option(min=1, max=10**6, help="Decisions to show in the terminal.")
    ] = 20,
    csv: CsvFile = None,
    json: JsonFlag = False,
) -> None:
    """Review a player's decisions: the strategy's mix, and the EV lost where it is known."""
    if csv is not None:
        require_file_place(csv)
    with open_database(database) as opened, Telling(for_programs=json) as telling:
        found = review_hands(opened, player, options, report=telling.say)
    write_rows(lambda: [each.to_json() for each in found.decisions], csv, names=_COLUMNS)
    if json:
        facts = {key: value for key, value in vars(found).items() if key != "decisions"}
        print_json({**facts, "decisions": [each.to_json() for each in found.decisions]})
        return
    _print(found, rows)


def _print(found: Review, rows: int) -> None:
    shown = f"{len(found.decisions):,} decisions in {found.hands:,} hands"
    print_line(
        f"{found.player}: {shown}, {found.solved:,} hands solved; worst first, in big blinds"
    )
    head = ["hand", "decision", "chosen", "strategy", "lost", "best", "solved from"]
    print_table(rows_table(head, [_texts(each) for each in found.decisions[:rows]]))
    if found.solved:
        print_line(
            "Losses assume the strategy's ranges, or those given, and the bet sizes of the hand; "
            "behind the street is the exploitability of the tree. --json has the ranges."
        )
    for what, counts in (("not asked", found.unasked), ("not solved", found.unsolved)):
        for reason, count in sorted(counts.items(), key=lambda item: -item[1]):
            print_note(f"{count:,} hands {what}: {reason}")


def _texts(each: ReviewedDecision) -> list[str]:
    choice, solved = each.choice, each.solved
    top = sorted(choice.mix, key=lambda pair: -pair[1])[:3]
    seen = f" ({each.chance:.0%})" if each.chance is not None else ""
    return [
        each.hand.name,
        choice.place,
        choice.chosen + seen,
        ", ".join(f"{text} {chance:.0%}" for text, chance in top) or "–",
        "–" if choice.lost is None else f"{choice.lost:.2f}",
        each.best or "–",
        "–" if solved is None else f"{solved.street}, {solved.exploitability:.1f} %",
    ]
