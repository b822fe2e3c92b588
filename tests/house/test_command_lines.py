# SPDX-License-Identifier: MIT
"""Every option of every command with wrong values, and random invocations: never a traceback."""

import contextlib
import shutil
from pathlib import Path
from typing import Any

import pytest

from command_lines import Command, Outcome, Parameter, commands, fuzz, prepare, run_forked, run_here

# What each command needs to do its work, if nothing else is said, in next to no time.
VALID: dict[tuple[str, ...], list[str]] = {
    ("games",): ["leduc"],
    ("equity",): ["AsKs", "QhQd", "--board", "2c3c4c5d9h"],
    ("solve",): ["kuhn", "--iterations", "2"],
    ("train",): ["configs/config.yaml", "budget.steps=1"],
    ("resume",): ["run"],
    ("sweep",): ["configs/config.yaml", "budget.steps=1", "--output", "swept"],
    ("match",): ["random", "caller", "--game", "kuhn", "--hands", "4", "--tables", "2"],
    ("evaluate",): ["random", "--game", "kuhn", "--hands", "4", "--lbr-hands", "3"],
    ("compare",): ["run"],
    ("play",): ["kuhn", "--against", "random"],
    ("export",): ["hunl-deep-cfr", "--onnx", "new.onnx"],
    ("bench",): ["nosuch"],
    ("web",): ["nosuch", "--no-browser"],
    ("preflop",): ["--iterations", "2"],
    ("icm",): ["5,3,2", "--prizes", "2,1"],
    ("flops",): ["--output", "new.json", "--flops", "1", "--pot", "20", "--stack", "20"],
    ("show",): ["bundle"],
    ("runouts",): ["leduc", "x x"],
    ("compare-spots",): ["bundle", "bundle"],
    ("convert",): ["hands.phhs", "new.txt"],
    ("import",): ["hands.phhs", "--database", "new.db"],
    ("stats",): ["--database", "hands.db", "--player", "caller"],
    ("review",): ["--database", "hands.db", "--strategy", "leduc", "--player", "caller"],
    ("acpc", "client"): ["localhost", "1", "random"],
    ("acpc", "dealer"): ["random", "caller", "--hands", "2"],
    ("abstraction", "build"): ["--output", "abstraction"],
    ("abstraction", "info"): ["bundle"],
    ("bundle", "list"): [],
    ("bundle", "export"): ["bundle", "--output", "copy"],
    ("bundle", "info"): ["bundle"],
    ("bundle", "verify"): ["bundle"],
    ("bundle", "diff"): ["bundle", "bundle"],
}
SPOT = ["nlhe", "--board", "Ts9d6h4c2s", "--pot", "100", "--stack", "200", "--iterations", "2"]
OF_A_SPOT = ("--pot", "--stack", "--range-oop", "--range-ip", "--bets", "--raises", "--menu")
OF_A_SPOT += ("--add-all-in", "--force-all-in", "--merge", "--board", "--precision")
FROM_FILE = ("match", "evaluate", "play", "dealer")
OF_ROUND_ROBINS = ("--players",)
WRITES = ("--bundle", "--output", "--phh", "--onnx")
NO_PLACES = ("missing/below/x", "text/below", "/proc/nosuch/x", "x" * 300)
STRANGE = ("no-such-thing", "\x1b[31m", "a\nb", "\udc80", "x" * 5000, "[red]")
ODD = "a\udc80b"  # no UTF-8
RIGHT = {  # though it looks wrong
    ("solve", "--bundle", "missing/below/x"),  # folders are made
    ("build", "--output", "missing/below/x"),
    ("export", "--output", "missing/below/x"),
    ("compare", "--output", "missing/below/x"),
    ("compare", "--output", "text"),  # text.png and text.svg
    *((name, "--stack-ip", "9" * 30) for name in ("solve", "flops")),  # the smaller stack counts
    *(
        ("dealer", name, place)
        for name in ("--log", "--transactions")
        for place in ("text", "null", ODD)
    ),
    ("dealer", "--from-file", ODD),  # may have been written by another option
    ("preflop", "--csv", "text"),
    *(
        (name, option, place)
        for name in ("flops", "show", "runouts", "compare-spots")
        for option in ("--csv", "--parquet")
        for place in ("text", ODD)
    ),
    ("sweep", "--output", "missing/below/x"),
    *((name, "--csv", place) for name in ("compare", "sweep") for place in ("text", ODD)),
    *((name, "--latex", place) for name in ("compare", "sweep") for place in ("text", ODD)),
    *((name, "--csv", place) for name in ("stats", "review") for place in ("text", ODD)),
    ("import", "paths", ODD),  # a file of that name
    *(("import", "--database", place) for place in ("missing/below/x", ODD)),
    ("export", "--onnx", "missing/below/x.onnx"),
    *(("show", "--hands", text) for text in STRANGE),  # no hand that arrives
    *(("dealer", "--host", text) for text in STRANGE),  # nobody is awaited there
    *((name, "--from-file", place) for name in FROM_FILE for place in ("text", "null")),
}
NOT_RUN = {
    ("bench",),
    ("web",),
    ("acpc", "client"),
    ("abstraction", "build"),
    ("abstraction", "info"),
}
NOT_NUMBERS = ("x", "", "1.5.2", "0x10", "--", "²", "1_")
NOT_COUNTS = ("1.5", "-1", "9" * 30, "-" + "9" * 30)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files to name."""
    pytest.importorskip("torch")  # loaded here: a first import takes long, and would be progress
    made = tmp_path_factory.mktemp("commands")
    prepare(made)
    return made


def wrong_values(parameter: Parameter) -> tuple[str, ...]:
    kind: Any = parameter.kind
    if kind is bool:
        return ("1",)
    if kind is int:
        return (*NOT_NUMBERS, *NOT_COUNTS)
    if kind is float:
        return (*NOT_NUMBERS, "nan", "-1", "-inf")
    if parameter.name in WRITES:
        suffix = {"--phh": ".phhs", "--onnx": ".onnx"}.get(parameter.name, "")
        return (*(place + suffix for place in NO_PLACES), "text")
    if kind is Path:
        return (*NO_PLACES, "text", "null", ODD)
    return STRANGE


def arguments_with(command: Command, parameter: Parameter, value: str) -> list[str]:
    """Valid arguments but for this one."""
    valid = list(VALID[command.words])
    if command.words == ("solve",) and parameter.name in OF_A_SPOT:
        valid = list(SPOT)
    if command.words == ("match",) and parameter.name in OF_ROUND_ROBINS:
        valid.append("--round-robin")
    if command.words == ("match",) and parameter.name == "--phh":
        valid[valid.index("kuhn")] = "nlhe"
    if not parameter.is_option:
        return [*command.words, value, *valid[1:]]
    if parameter.name in valid:
        at = valid.index(parameter.name)
        del valid[at : at + 2]
    return [*command.words, *valid, f"{parameter.name}={value}"]


ALL = [(command, each) for command in commands() for each in command.parameters]
NAMES = [f"{' '.join(command.words)} {each.name}" for command, each in ALL]


@pytest.mark.parametrize(("command", "parameter"), ALL, ids=NAMES)
def test_wrong_values_are_one_line(prepared: Path, command: Command, parameter: Parameter) -> None:
    """Some of them, in this process."""
    values = wrong_values(parameter)
    first = len(command.words[-1] + parameter.name)  # others for others
    with contextlib.chdir(prepared):
        for value in {values[first % len(values)], values[(first + 3) % len(values)]}:
            if (command.words[-1], parameter.name, value) not in RIGHT:
                check_refused(run_here(arguments_with(command, parameter, value)))


@pytest.mark.parametrize("words", sorted(VALID.keys() - NOT_RUN), ids=" ".join)
def test_valid_arguments_are_valid(prepared: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Else each wrong value would be refused for another reason."""
    folder = shutil.copytree(prepared, tmp_path / "x", symlinks=True)
    with contextlib.chdir(folder):
        outcome = run_here([*words, *VALID[words]])
    assert outcome.status == 0, outcome


@pytest.mark.slow
@pytest.mark.parametrize(("command", "parameter"), ALL, ids=NAMES)
def test_all_wrong_values_are_one_line(
    prepared: Path, tmp_path: Path, command: Command, parameter: Parameter
) -> None:
    folder = shutil.copytree(prepared, tmp_path / "x", symlinks=True)
    for value in wrong_values(parameter):
        if (command.words[-1], parameter.name, value) not in RIGHT:
            check_refused(run_forked(arguments_with(command, parameter, value), folder, 30, 1))


def check_refused(outcome: Outcome) -> None:
    lines = outcome.errors.splitlines()
    assert outcome.status == 2, outcome
    assert len(lines) == 1 and lines[0].startswith("error: ") and len(lines[0]) < 3000, outcome
    assert outcome.output == "", outcome


def test_random_invocations() -> None:
    problems = [each for each in fuzz(seed=7, count=15) if each.problem is not None]
    assert not problems, problems[0]
