# SPDX-License-Identifier: MIT
"""The commands in README and two pages of docs work: the quick ones are run, in order."""

import json
import re
import shlex
from pathlib import Path

import pytest

from regretless.bundles.shipped import shipped_names
from regretless.cli import COMMANDS, main
from regretless.matches.bots import BOTS
from regretless.recipes.names import recipe_names

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")

# What is not run here, by how it begins: it needs PyTorch, or takes longer than a test should.
NOT_RUN = ("play nlhe", "export", "train", "resume", "match pot-odds tight-aggressive")
NOT_RUN += (
    "match nlhe-nfsp",
    "flops",
    "acpc",
    "convert",
    "web",
    "bench",
    "evaluate runs/leduc_deep_cfr",
    "evaluate nlhe-nfsp",
)
NOT_RUN += ("review",)
NOT_RUN += ("sweep",)  # tests/training/test_sweep.py runs it
# What a comment of README says that a command prints.
SAYS = {
    "equity JsTs 2h2d": "53.979",
    "games leduc --count --episode 7": "infosets 936",
    "games": "liars-dice-1x6f",
    "solve kuhn": "theory",
    "evaluate runs/leduc": "exploitability",
    "play runs/leduc --hands 10": "after 10 hands",
}


COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
REPORTS_PAGE = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")


def shown_commands(text: str = README + COMMANDS_PAGE + REPORTS_PAGE) -> list[list[str]]:
    """The words of every `regretless` line in indented blocks, without comments."""
    lines = re.findall(r"^    regretless (.*)$", text.replace("\\\n", " "), re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


def test_the_readme_has_at_most_fifteen_commands_and_the_page_has_all() -> None:
    assert len(shown_commands(README)) <= 15
    assert {words[0] for words in shown_commands(COMMANDS_PAGE)} == set(COMMANDS)


def is_run(words: list[str]) -> bool:
    return not " ".join(words).startswith(NOT_RUN)


def write_run(path: Path, seed: int) -> None:
    path.mkdir(parents=True)
    (path / "config.yaml").write_text(
        f"game: {{name: leduc}}\nalgorithm: {{name: cfr+}}\nseed: {seed}\n"
    )
    rows = [{"step": n, "time/seconds": n / 9, "eval/exploitability": 1 / n} for n in (1, 10)]
    (path / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_quick_commands_of_the_readme(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("configs", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    write_run(tmp_path / "runs" / "a", 1)
    write_run(tmp_path / "runs" / "b", 2)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda _: "c")
    said = set()
    for words in filter(is_run, shown_commands()):
        hands = ["--hands", "2000"] if words[0] == "match" else []  # README's are 100,000
        line = " ".join(words)
        if line in said:
            continue
        with pytest.raises(SystemExit) as ended:
            main([*words, *hands])
        out, err = capsys.readouterr()
        assert not ended.value.code, (line, err)
        assert SAYS.get(line, "") in out, line
        said.add(line)
    assert said >= set(SAYS)
    assert (tmp_path / "comparison.png").exists() and (tmp_path / "comparison.svg").exists()


def test_what_is_not_run_is_there_all_the_same() -> None:
    shown = shown_commands()
    assert len(shown) > 20
    for words in shown:
        assert words[0] in COMMANDS
        if words[0] == "train":
            assert (ROOT / words[1]).is_file() or words[1] in recipe_names(), words[1]
        if words[0] == "match" and not is_run(words):
            assert set(words[1:3]) <= {*BOTS, *shipped_names()}
    assert sum(is_run(words) for words in shown) >= 14


def test_readme_says_where_the_command_is() -> None:
    assert ".venv/bin/regretless" in README


@pytest.mark.parametrize(
    ("typed", "said", "not_said"),
    [
        ("equity AsKs QQ --dead QhQd", r"QQ +│ +1 │", "6"),  # combos that the dead cards leave
        ("games leduc --count", r"tree  histories 9,457 ", "{"),
        (
            "solve nlhe --board Td9d6hQc2c --pot 201 --stack 900 --range-oop AA --range-ip KK",
            "",
            "",
        ),
    ],
)
def test_small_commands(
    typed: str, said: str, not_said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(typed.split())
    out = capsys.readouterr().out
    assert not ended.value.code and re.search(said, out)
    assert not not_said or not re.search(rf"(?<![\d.]){re.escape(not_said)}(?![\d.%])", out)
