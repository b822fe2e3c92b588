# SPDX-License-Identifier: MIT
"""docs/cross_play.md: the shipped strategies and three bots, each against each.

python -m benchmarks.scripts.cross_play hunl-100bb --hands 20000
python -m benchmarks.scripts.cross_play nlhe --hands 12000 --players 6
"""

import argparse
import re
import shlex
import sys
from pathlib import Path

from benchmarks.machine import describe_machine
from regretless import cross_play, load_game
from regretless.matches.round_robin import CrossPlay
from regretless.seats.contestants import shipped_players
from regretless.storage.files import write_file

PAGE = Path("docs/cross_play.md")
BOTS = ("random", "caller", "tight-aggressive")


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--hands", type=int, default=20_000, help="of each pair")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=PAGE)
    options = parser.parse_args(arguments)
    seats = {} if options.players == 2 else {"players": options.players}
    names = [*shipped_players(load_game(options.game, **seats)), *BOTS]
    played = cross_play(
        *names, game=options.game, seats=options.players, hands=options.hands, seed=options.seed
    )
    command = shlex.join(["python", "-m", "benchmarks.scripts.cross_play", *arguments])
    page = options.output.read_text(encoding="utf-8")
    write_file(options.output, with_section(page, section(played, command)))


def section(cross: CrossPlay, command: str) -> str:
    """The table of one game in Markdown, with the command and the machine that made it."""
    heading = f"## {cross.game}, {cross.players} players"
    return "\n\n".join([heading, _conditions(cross), _table(cross), _origin(command)])


def with_section(page: str, section: str) -> str:
    """The page with the section of this heading replaced, or added at the end."""
    heading = section.splitlines()[0]
    parts = [part.strip("\n") for part in re.split(r"^(?=## )", page, flags=re.MULTILINE)]
    places = [number for number, part in enumerate(parts) if part.splitlines()[:1] == [heading]]
    if places:
        parts[places[0]] = section
    else:
        parts.append(section)
    return "\n\n".join(parts) + "\n"


def _conditions(cross: CrossPlay) -> str:
    if cross.players == 2:
        who = "bb/100 of the row against the column"
        seats = "every deal is played in both seatings"
    else:
        who = f"bb/100 of one seat of the row against the column on the other {cross.players - 1}"
        seats = f"every deal is played {cross.players} times, with the row on each seat once"
    return (
        f"{who}, with 95 % intervals, over {cross.hands:,} hands each. All play the same "
        f"deals; {seats}. The mean counts each opponent alike."
    )


def _table(cross: CrossPlay) -> str:
    names = [name.replace("|", r"\|") for name in cross.names]
    lines = [f"| | {' | '.join(names)} | mean |", f"|---|{'---:|' * (len(names) + 1)}"]
    for number, (name, row) in enumerate(zip(names, cross.won, strict=True)):
        cells = [
            "" if won is None else f"{100 * won.mean:+,.1f} ± {100 * won.half_width:,.1f}"
            for won in row
        ]
        lines.append(f"| {name} | {' | '.join(cells)} | {100 * cross.mean(number):+,.1f} |")
    return "\n".join(lines)


def _origin(command: str) -> str:
    machine = describe_machine()
    return (
        f"Made by `{command}` on {machine['cpu']}, {machine['level']}, one thread, "
        f"{machine['system']}, Python {machine['python']}."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
