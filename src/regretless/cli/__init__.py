# SPDX-License-Identifier: MIT
"""The command line: a command is a function that parses, calls and shows."""

import contextlib
import importlib
import io
import os
import sys
import time
from typing import Annotated, Any, NoReturn

import typer

import regretless
from regretless.errors import InputError
from regretless.levels import chosen_level, installed_levels, processor_levels

COMMANDS = {
    "games": "regretless.cli.study.games:games",
    "equity": "regretless.cli.study.equity:equity",
    "abstraction": "regretless.cli.train.abstraction:abstraction",
    "preflop": "regretless.cli.study.preflop:preflop",
    "icm": "regretless.cli.study.icm:icm",
    "solve": "regretless.cli.study.solve:solve",
    "show": "regretless.cli.study.show:show",
    "runouts": "regretless.cli.study.runouts:runouts",
    "compare-spots": "regretless.cli.study.compare_spots:compare_spots",
    "flops": "regretless.cli.study.flops:flops",
    "train": "regretless.cli.train.train:train",
    "resume": "regretless.cli.train.train:resume",
    "sweep": "regretless.cli.train.sweep:sweep",
    "match": "regretless.cli.play.match:match",
    "evaluate": "regretless.cli.train.evaluate:evaluate",
    "compare": "regretless.cli.train.compare:compare",
    "play": "regretless.cli.play.play:play",
    "web": "regretless.cli.play.web:web",
    "acpc": "regretless.cli.play.acpc:acpc",
    "convert": "regretless.cli.play.convert:convert",
    "import": "regretless.cli.hands.database:import_",
    "stats": "regretless.cli.hands.database:stats",
    "review": "regretless.cli.hands.review:review",
    "bundle": "regretless.cli.train.bundle:bundle",
    "export": "regretless.cli.train.export:export",
    "bench": "regretless.cli.train.bench:bench",
}

# What the parser refuses; typer does not name this class.
_UsageError: Any = typer.BadParameter.__base__

_NO_THREAD = ("can't start new thread", "Resource temporarily unavailable")

app = typer.Typer(
    name="regretless",
    help="Train, solve, measure, explore and play imperfect-information games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(is_asked: bool) -> None:
    """Prints the version, and which compilation of the native core is used."""
    if not is_asked:
        return
    from regretless import _native  # not above: what does not fit is for main to say

    there_are, best = ", ".join(reversed(installed_levels())), processor_levels()[0]
    how = f"of {there_are}; the processor has {best}"
    if chosen_level() == "native":
        how = "compiled for this processor"
    print(f"regretless {regretless.__version__}, {_native.level()} ({how})")
    raise typer.Exit


Version = Annotated[
    bool,
    typer.Option(
        "--version",
        callback=_show_version,
        is_eager=True,
        help="Show the version and processor level.",
    ),
]


@app.callback()
def _regretless(version: Version = False) -> None:
    """Options before any command."""


def register(*names: str) -> None:
    """Imports these commands, or all, into `app`; importing one command is quicker."""
    app.registered_commands.clear()
    app.registered_groups.clear()
    for name in names or COMMANDS:
        module, name_in_module = COMMANDS[name].split(":")
        command = getattr(importlib.import_module(module), name_in_module)
        if isinstance(command, typer.Typer):  # a command of several commands
            app.add_typer(command, name=name, no_args_is_help=True)
        else:
            app.command(name)(command)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Runs the command line; bad input ends with one line on stderr and exit status 2."""
    if sys.stdout is None:
        _fail("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may lack a sign
    begun = time.perf_counter() - time.process_time()  # the start of the interpreter counts
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")  # numpy's idle threads sleep, not spin
    try:
        words = sys.argv[1:] if arguments is None else arguments
        if words[:1] != ["--version"]:
            # Imports the native core, which may not fit the processor.
            from regretless.cli.progress import start

            start(begun)
            register(*(word for word in words[:1] if word in COMMANDS))
        status = app(args=words, prog_name="regretless", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        _fail(str(error))
    except _UsageError as error:
        _fail(error.format_message())
    except BrokenPipeError:  # nobody reads on
        _close_output()
        status = 1
    except MemoryError:
        _fail("there is not enough memory for this; a smaller game, menu or batch would fit")
    except RuntimeError as error:
        if not str(error).startswith(_NO_THREAD):
            raise
        _fail("there is not enough memory for another thread, or there are too many processes")
    except OSError as error:
        _close_output()
        _fail(f"{error.filename or 'output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        status = 130
    sys.exit(status or 0)


def _fail(message: str) -> NoReturn:
    if message:
        line = InputError(" ".join(message.split()))  # which is one line, and not too long
        print(f"error: {line}", file=sys.stderr)
    sys.exit(2)


def _close_output() -> None:
    """Drops output that could not be written; it would fail again when the program ends."""
    with contextlib.suppress(OSError, io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
