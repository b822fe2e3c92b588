# SPDX-License-Identifier: MIT
"""A round-robin as a section of a page in Markdown, with how it was made."""

import re
import shlex
from pathlib import Path

import typer

from regretless.cli.machine import describe_machine
from regretless.cli.output import estimate_text
from regretless.errors import InputError
from regretless.matches.round_robin import CrossPlay
from regretless.storage.files import told_on_failure, write_file

_NEW_PAGE = "# Cross-play\n"


def check_page(path: Path) -> None:
    """Whether a section can be written there, before anything is played."""
    if not path.absolute().parent.is_dir():
        raise InputError(f"--markdown: there is no folder {str(path.parent)!r}")
    _read(path)


def write_section(path: Path, cross: CrossPlay, threads: int, command: str) -> None:
    """Put the table into a page: its section is replaced or added, the rest stays as it is."""
    heading = f"## {cross.game}, {cross.players} players"
    section = "\n\n".join([heading, _what(cross), _table(cross), _origin(threads, command)])
    with told_on_failure(path):
        write_file(path, with_section(_read(path), section))


def with_section(page: str, section: str) -> str:
    """The page with the section of this heading, its first line, replaced or added at the end."""
    heading = section.splitlines()[0]
    parts = [part.strip("\n") for part in re.split(r"^(?=## )", page, flags=re.MULTILINE)]
    places = [number for number, part in enumerate(parts) if part.splitlines()[:1] == [heading]]
    if places:
        parts[places[0]] = section
    else:
        parts.append(section)
    return "\n\n".join(parts) + "\n"


def typed(context: typer.Context) -> str:
    """The command as it was given, which can be typed again."""
    words = ["regretless", str(context.info_name)]
    for parameter in context.command.params:
        source = context.get_parameter_source(str(parameter.name))
        if source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[str(parameter.name)]
        if parameter.param_type_name == "argument":
            words += map(str, value)
        elif value is True:
            words.append(parameter.opts[0])
        else:
            words += [parameter.opts[0], str(value)]
    return shlex.join(words)


def _read(path: Path) -> str:
    if not path.exists():
        return _NEW_PAGE
    try:
        with told_on_failure(path):
            return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"--markdown: {str(path)!r} is no text") from None


def _what(cross: CrossPlay) -> str:
    if cross.players == 2:
        who = "bb/100 of the row against the column"
        seats = "every deal is played in both seatings"
    else:
        who = f"bb/100 of one seat of the row against the column on the other {cross.players - 1}"
        seats = f"every deal is played {cross.players} times, with the row on each seat once"
    luck = ", with luck taken off by AIVAT" if cross.aivat else ""
    return (
        f"{who}, with 95 % intervals, over {cross.hands:,} hands each{luck}. All play the same "
        f"deals; {seats}. The mean counts each opponent alike."
    )


def _table(cross: CrossPlay) -> str:
    names = [name.replace("|", r"\|") for name in cross.names]
    lines = [f"| | {' | '.join(names)} | mean |", f"|---|{'---:|' * (len(names) + 1)}"]
    for number, (name, row) in enumerate(zip(names, cross.won, strict=True)):
        cells = ["" if cell is None else estimate_text(cell, 100) for cell in row]
        lines.append(f"| {name} | {' | '.join(cells)} | {100 * cross.mean(number):+,.1f} |")
    return "\n".join(lines)


def _origin(threads: int, command: str) -> str:
    machine = describe_machine()
    used = "one thread" if threads == 1 else f"{threads} threads"
    return (
        f"Made by `{command}` on {machine['cpu']}, {machine['level']}, {used}, "
        f"{machine['system']}, Python {machine['python']}."
    )
