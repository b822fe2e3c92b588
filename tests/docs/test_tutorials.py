# SPDX-License-Identifier: MIT
"""The commands and the code of the tutorials work, in their order."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from in_process import InProcess
from regretless.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
# By how they begin: a server, a player at the keyboard, or PyTorch.
NOT_RUN = ("web", "play nlhe", "acpc", "train kuhn_nfsp", "train kuhn_deep_cfr")
NOT_RUN += ("export", "match bot.onnx")


def commands(text: str) -> list[list[str]]:
    """Returns the words of every `regretless` line in indented blocks."""
    lines = re.findall(r"^    regretless (.*)$", text.replace("\\\n", " "), re.MULTILINE)
    return [shlex.split(line) for line in lines]


def python_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda _: "c")
    InProcess.fails = ""
    text = page.read_text(encoding="utf-8")
    for number, block in enumerate(python_blocks(text)):
        is_bot = "class Careful" in block
        if is_bot:
            (tmp_path / "careful.py").write_text(block)
        exec(compile(block, f"{page.name}, block {number}", "exec"), {})
    for words in commands(text):
        assert words[0] in COMMANDS
        if " ".join(words).startswith(NOT_RUN):
            continue
        found = [str(path) for word in words for path in _expanded(word)]
        with monkeypatch.context() as patched, pytest.raises(SystemExit) as ended:
            if words[0] == "sweep":
                patched.setattr(subprocess, "Popen", InProcess)
            main(found)
        assert not ended.value.code, (words, capsys.readouterr().err)
    capsys.readouterr()


def _expanded(word: str) -> list[str]:
    """Returns the paths of a pattern, as a shell would."""
    if "*" in word and "/" in word:
        return sorted(str(path) for path in Path().glob(word))
    return [word]


def test_the_careful_bot_raises_and_folds(tmp_path: Path) -> None:
    """Checks the words of the page: it raises kings, and folds to a bet otherwise."""
    from types import SimpleNamespace

    (block,) = python_blocks((ROOT / "docs" / "tutorials" / "bot_builder.md").read_text("utf-8"))
    scope: dict[str, type] = {}
    exec(block, scope)
    bot = scope["Careful"]()
    seen = [("Kh", 0), ("Kh", 2), ("Qh", 2), ("Qh", 0)]
    views = [SimpleNamespace(hole=[c], to_call=bet, choices={"raise": 4}) for c, bet in seen]
    answers = [bot.act(view) for view in views]
    assert answers == ["raise", "raise", "fold", "call"]
