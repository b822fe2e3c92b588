# SPDX-License-Identifier: MIT
"""Every command of the command line with its parameters, and ways to run one and to judge it.

`make fuzz-cli COUNT=500` runs random invocations.
"""

import argparse
import contextlib
import inspect
import io
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from regretless import cli

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Parameter:
    """An option, whose name begins with `--`, or an argument."""

    name: str
    kind: Any  # int, float, str, bool, Path or Literal
    is_required: bool

    @property
    def is_option(self) -> bool:
        return self.name.startswith("--")


@dataclass(frozen=True)
class Command:
    words: tuple[str, ...]
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Outcome:
    arguments: tuple[str, ...]
    status: int | None  # none: it did not end
    output: str
    errors: str
    seconds: float

    @property
    def problem(self) -> str | None:
        """Returns a finding: a traceback, no end, or more than one line for a bad input."""
        if "Traceback (most recent" in self.errors:
            return "a traceback"
        if self.status is None:
            return "no end, and deaf to SIGINT"
        if self.status < 0:
            return f"ended by signal {-self.status}"
        told = [each for each in self.errors.splitlines() if each.startswith("error: ")]
        if self.status == 2 and len(told) != 1:
            return "not one line for a bad input"
        return None if self.status in (0, 1, 2, 130) else f"status {self.status}"


def commands() -> list[Command]:
    """All there are, as the functions behind them are declared."""
    cli.register()
    return list(_commands(cli.app, ()))


def _commands(app: typer.Typer, words: tuple[str, ...]) -> Iterator[Command]:
    for each in app.registered_commands:
        assert each.callback is not None
        name = each.name or each.callback.__name__.replace("_", "-")
        yield Command((*words, name), tuple(_parameters(each.callback)))
    for group in app.registered_groups:
        assert group.typer_instance is not None
        yield from _commands(group.typer_instance, (*words, str(group.name)))


def _parameters(function: Any) -> Iterator[Parameter]:
    hints = get_type_hints(function, include_extras=True)
    for name, declared in inspect.signature(function).parameters.items():
        hint, info = hints[name], None
        if get_origin(hint) is Annotated:
            hint, info, *_ = get_args(hint)
        if hint is typer.Context:
            continue
        kinds = [each for each in get_args(hint) if each is not type(None)]
        if get_origin(hint) in (types.UnionType, Union):
            hint = kinds[0]
        if get_origin(hint) is list:
            hint = get_args(hint)[0]
        is_required = declared.default is inspect.Parameter.empty
        assert isinstance(info, OptionInfo | ArgumentInfo), (function, name)
        if isinstance(info, OptionInfo):
            written = [each for each in info.param_decls or () if each.startswith("--")]
            name = written[0] if written else f"--{name.replace('_', '-')}"
        yield Parameter(name, hint, is_required)


class _TooLongError(BaseException):
    pass


def _give_up(number: int, frame: types.FrameType | None) -> None:
    raise _TooLongError


def run_here(arguments: Sequence[str], seconds: float = 60) -> Outcome:
    """Run it in this process, for so long."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    start, before = time.perf_counter(), sys.stdin
    sys.stdin = io.StringIO()
    handler = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = _status(arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        sys.stdin = before
    texts = []
    for stream in (output, errors):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return Outcome(tuple(arguments), status, *texts, time.perf_counter() - start)


def _status(arguments: Sequence[str]) -> int:
    try:
        cli.main(list(arguments))
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1


def run_forked(arguments: Sequence[str], folder: Path, seconds: float, grace: float) -> Outcome:
    """Run it in a child, in `folder`, with SIGINT after `seconds` and an end after `grace` more."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            _run_child(arguments, folder, output.fileno(), errors.fileno())
        status = _wait(child, seconds)
        if status is None:
            os.kill(child, signal.SIGINT)
            status = _wait(child, grace)
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read(1_000_000).decode(errors="replace"))
    return Outcome(tuple(arguments), status, *texts, time.perf_counter() - start)


def _run_child(arguments: Sequence[str], folder: Path, output: int, errors: int) -> None:
    status = 1
    try:
        os.setsid()
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb", closefd=False))
        sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), encoding="utf-8")
        sys.stderr = io.TextIOWrapper(
            os.fdopen(2, "wb", closefd=False), encoding="utf-8", line_buffering=True
        )
        signal.signal(signal.SIGINT, signal.default_int_handler)
        status = _status(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _wait(child: int, seconds: float) -> int | None:
    end = time.perf_counter() + seconds
    pause = 0.001
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.perf_counter() > end:
            return None
        time.sleep(pause)
        pause = min(2 * pause, 0.02)


# Random invocations

WORDS = (
    *("", "x", "-1", "0", "1", "2", "3", "07", "1e3", "nan", "inf", "-inf", "1e400", "0x10"),
    *("9" * 30, "-" + "9" * 30, str(1 << 63), str((1 << 64) - 1), str(1 << 64), "2147483648"),
    *("[red]", "{}", "%s", "a=b", "=", "--", "-", "é", "\udc80", "\x1b[31m", "a\nb", "x" * 5000),
)
GAMES = ("kuhn", "leduc", "liars-dice-1x3f", "liars-dice-9x9f", "nlhe", "plo5", "leduc3")
ALGORITHMS = ("cfr", "cfr+", "dcfr", "mccfr", "fictitious-play", "lp", "rebel", "nosuch")
PLAYERS = ("random", "caller", "pot-odds", "bundle", "run", "hunl-deep-cfr", "bot.py:Bot", "tight")
CARDS = ("AsKd", "AA", "AKs,QQ+", "2c3c4c", "Ts9d6h4c2s", "AsAs", "As", "random", "22:0.5", "????")
PLACES = (
    *(
        "new",
        "bundle",
        "run",
        "configs/config.yaml",
        "menu.yaml",
        "text",
        "text/below",
        "missing/below",
    ),
    *("full", "/proc/nosuch/x", "null", ".", "..", "", "x" * 300, "h.phhs", "full.phhs"),
    *("page.md", "bot.py", "abstraction", "zero", "a\udc80b", "variant.yaml", "g.game"),
)
SMALL = ("1", "2", "3", "4", "10", "50")
BY_NAME: dict[str, tuple[str, ...]] = {
    "--game": GAMES,
    "game": GAMES,
    "name": (*GAMES, "variant.yaml", "g.game", "selfplay"),
    "target": (*GAMES, *PLAYERS),
    "--algorithm": ALGORITHMS,
    "hands": CARDS,
    "--hand": CARDS,
    "--board": CARDS,
    "--dead": CARDS,
    "--range-oop": CARDS,
    "--range-ip": CARDS,
    "--bets": ("50%", "a", "33%,75%,a", "2.5x,min", "33%,33%", "1e400%", "3u,e"),
    "--raises": ("50%", "a", "2.5x,a", "2x,x"),
    "--rule": ("holdem", "omaha", "short-deck", "pair"),
    "--device": ("cpu", "cuda", "cuda:99", "meta", "mps"),
    "--precision": ("16", "32", "float32", "bfloat16", "float64"),
    "policies": PLAYERS,
    "player": PLAYERS,
    "source": PLAYERS,
    "--against": PLAYERS,
    "--measure": ("eval/exploitability", "eval", "nosuch"),
    "--features": ("histogram", "equity", "nosuch"),
    "--ranks": ("6789TJQKA", "23", "A"),
    "overrides": (
        *(
            "budget.steps=2",
            "budget.steps=0",
            "seed=!!bool x",
            "seed=-1",
            "game=leduc",
            "game=nlhe",
        ),
        *("algorithm=mccfr", "algorithm=dcfr", "algorithm.nosuch=1", "game.options.players=99"),
        *("output=new2", "output=text/x", "evaluate.measures=[lbr]", "evaluate.measures=[]"),
        *("budget.seconds=.inf", "log.every_steps=1e30", "a.b.c=d", "game={}", "checkpoint.keep=0"),
    ),
}
BOUNDED = {  # what keeps a command short, unless the generator says otherwise
    ("solve",): ("--iterations", "3"),
    ("match",): ("--hands", "8"),
    ("train",): ("budget.steps=2",),
    ("sweep",): ("budget.steps=2",),
    ("evaluate",): ("--hands", "8"),
}


def prepare(folder: Path) -> None:
    """Files that random invocations name: a run, a bundle, configs, a bot, hands, a database."""
    config = (ROOT / "configs" / "kuhn_cfr.yaml").read_text(encoding="utf-8")
    (folder / "configs").mkdir()  # beside a config.yaml the folder would be a run
    path = folder / "configs" / "config.yaml"
    path.write_text(config, encoding="utf-8")
    (folder / "menu.yaml").write_text("river: 50%,a\nall: 75%\n", encoding="utf-8")
    (folder / "variant.yaml").write_text("base: leduc\nstacks: 20\n", encoding="utf-8")
    (folder / "g.game").write_text("GAMEDEF\nlimit\nEND GAMEDEF\n", encoding="utf-8")
    (folder / "text").write_text("a text\n", encoding="utf-8")
    bot = "from regretless import UniformPolicy\ndef Bot(game):\n    return UniformPolicy()\n"
    (folder / "bot.py").write_text(bot, encoding="utf-8")
    (folder / "full.phhs").symlink_to("/dev/full")
    for device in ("full", "null", "zero"):  # by links: the devices themselves are not at risk
        (folder / device).symlink_to(f"/dev/{device}")
    made = [
        ["solve", "kuhn", "--iterations", "5", "--bundle", str(folder / "bundle")],
        ["solve", "leduc", "--iterations", "5", "--bundle", str(folder / "leduc")],
        [
            "train",
            str(folder / "configs" / "config.yaml"),
            "budget.steps=2",
            f"output={folder / 'run'}",
        ],
        ["match", "random", "caller", "--hands", "4", "--phh", str(folder / "hands.phhs")],
        ["import", str(folder / "hands.phhs"), "--database", str(folder / "hands.db")],
    ]
    for arguments in made:
        outcome = run_here(arguments)
        assert outcome.status == 0, outcome


def random_arguments(generator: random.Random, known: Sequence[Command]) -> list[str]:
    """A command with some of its options, most of them of the right type."""
    command = generator.choice(known)
    arguments = list(command.words)
    parts: list[list[str]] = [list(BOUNDED.get(command.words, ()))]
    for each in command.parameters:
        if not each.is_option:
            count = generator.choice(
                [0, 1, 1, 2, 3] if not each.is_required else [1, 1, 1, 1, 2, 0]
            )
            arguments += [_value(generator, each) for _ in range(count)]
        elif each.kind is bool:
            parts += [[each.name]] * (generator.random() < 0.2)
        elif each.is_required or generator.random() < 0.25:
            parts.append([each.name, _value(generator, each)])
    if generator.random() < 0.05:
        parts.append([generator.choice(["--nosuch", "--help", "--", "-x", "--json=1", ""])])
    generator.shuffle(parts)
    return arguments + [word for part in parts for word in part]


def _value(generator: random.Random, parameter: Parameter) -> str:
    if generator.random() < 0.12:
        return generator.choice(WORDS)
    if parameter.name in BY_NAME:
        return generator.choice(BY_NAME[parameter.name])
    if get_origin(parameter.kind) is Literal:
        return str(generator.choice(get_args(parameter.kind)))
    if parameter.kind is int:
        return generator.choice(SMALL)
    if parameter.kind is float:
        return generator.choice(["0.1", "0.5", "1", "2", "1e-3"])
    return generator.choice(PLACES)


def fuzz(seed: int, count: int, seconds: float = 5, grace: float = 20) -> Iterator[Outcome]:
    """So many random invocations, one after another, in a folder of their own."""
    generator, known = random.Random(seed), commands()
    known = [
        each for each in known if each.words not in (("bench",), ("web",))
    ]  # minutes, and no input to speak of; a server that runs until it is stopped
    with tempfile.TemporaryDirectory() as made:
        pattern = Path(made) / "pattern"
        pattern.mkdir()
        prepare(pattern)
        for number in range(count):
            folder = Path(made) / str(number)
            shutil.copytree(pattern, folder, symlinks=True)
            yield run_forked(random_arguments(generator, known), folder, seconds, grace)
            shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description="Random invocations of the command line.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=5, help="Of one, before SIGINT.")
    options = parser.parse_args()
    ends: dict[int | None, int] = {}
    problems, start = 0, time.perf_counter()
    for number, outcome in enumerate(fuzz(options.seed, options.count, options.seconds)):
        ends[outcome.status] = ends.get(outcome.status, 0) + 1
        if outcome.problem is not None:
            problems += 1
            print(f"{number}: {outcome.problem}: {list(outcome.arguments)!r}")
            print("   ", "\n    ".join(outcome.errors.splitlines()[-4:])[:1500], flush=True)
    told = ", ".join(f"{count} with status {status}" for status, count in ends.items())
    print(f"{options.count} invocations in {time.perf_counter() - start:.0f} s: {told}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
