# SPDX-License-Identifier: MIT
"""The first ten minutes of three users: one who plays, one who builds a bot, one who studies."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import regretless as rl
from command_line import command
from regretless.histories.hand_log import format_episode

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of the user's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REGRETLESS_BOT", raising=False)
    return tmp_path


def told(*arguments: str) -> dict[str, object]:
    """Returns the one object that a command prints with --json."""
    found: dict[str, object] = json.loads(command(*arguments, "--json"))
    return found


def test_a_player() -> None:
    """Equity, a spot, a few hands, and what the other may hold."""
    (first, _) = rl.equity(["JsTs", "2h2d"]).equities
    assert first == pytest.approx(0.5398, abs=5e-5)
    assert "53.9" in command("equity", "JsTs", "2h2d")
    command("equity", "AA,AKs", "TT+", "72o", "--board", "2h7d9s")

    spot = ["nlhe", "--board", "Td9d6hQcAh", "--pot", "200", "--stack", "300", "--bets", "60%,a"]
    ranges = ["--range-oop", "66+,A8s+", "--range-ip", "QQ-22,A2s+", "--raises", "2.5x"]
    found = told("solve", *spot, *ranges, "--target", "1", "--bundle", "runs/spot")
    assert float(str(found["exploitability"])) <= 1
    command("bundle", "verify", "runs/spot")

    assert "kuhn" in command("games") and "histories 58" in command("games", "kuhn", "--count")
    command("solve", "leduc", "--algorithm", "dcfr", "--target", "1e-3", "--bundle", "runs/leduc")
    typed = "?\n" + "c\n" * 40
    said = command("play", "runs/leduc", "--hands", "3", "--seed", "5", typed=typed)
    assert "holds" in said and "after 3 hands" in said


def test_a_player_by_script() -> None:
    """Hands at a table without a terminal, and the range of the other seat."""
    solution = rl.solve("leduc", iterations=200)
    game, won = solution.game, 0
    for index in range(5):
        table = rl.Table(game, [solution.policy, None], seed=3, index=index)
        rl.play_on([table])
        while not table.is_over:
            table.draw(np.array(table.episode.legal, float))
            rl.play_on([table])
        won += table.episode.payoffs[1]
        assert format_episode(table.episode).startswith("leduc, 2 players")
    assert isinstance(won, int)
    answers = rl.ask_every_hand(game.episode(1), solution.policy)
    assert answers.probabilities.shape == (6, 2)  # cards, and check or raise


def test_a_bot_builder(folder: Path) -> None:
    """A custom bot in a match, measured, beside a network that leaves for other programs."""
    shutil.copy(ROOT / "examples" / "my_bot.py", folder / "my_bot.py")
    result = told("match", "my_bot.py:MyBot", "caller", "--game", "leduc", "--hands", "2000")
    assert len(list(result["players"])) == 2  # type: ignore[call-overload]
    assert "exploitability" in command("evaluate", "my_bot.py:MyBot", "--game", "leduc")
    played = rl.match("my_bot.py:MyBot", rl.UniformPolicy(), game="leduc", hands=2000)
    assert played.hands == 2000
    (folder / "my_bot.py").write_text("class MyBot:\n    def __init__(self, game): 1 / 0\n")
    said = command("match", "my_bot.py:MyBot", "caller", "--game", "leduc", status=2)
    assert said.count("\n") == 1 and "my_bot.py, line 2" in said

    pytest.importorskip("onnx")
    command("export", "hunl-deep-cfr", "--onnx", "bot.onnx")
    pytest.importorskip("onnxruntime")
    command("match", "bot.onnx", "caller", "--hands", "20")


CONFIG = """
game: leduc
algorithm: {name: mccfr, weight_power: 1, iterations_per_step: 100}
budget: {steps: 20}
evaluate: {every_steps: 10}
checkpoint: {every_steps: 10}
"""


def test_a_researcher(folder: Path) -> None:
    """Solve, train, resume, evaluate, compare, and the same with a custom game."""
    assert "value" in command("solve", "kuhn")
    (folder / "leduc.yaml").write_text(CONFIG)
    command("train", "leduc.yaml", "output=runs/a")
    command("train", "leduc.yaml", "output=runs/b", "algorithm.name=mccfr-outcome", "seed=2")
    before = rl.evaluate("runs/a").measures[0].value
    command("resume", "runs/a", "budget.steps=100")
    after = rl.evaluate("runs/a").measures[0].value
    assert after < before
    pytest.importorskip("matplotlib")
    command("compare", "runs/a", "runs/b", "--output", "curves")

    shutil.copy(ROOT / "examples" / "python_game.py", folder / "own.py")
    command("solve", "own.py:KuhnPoker", "--algorithm", "mccfr", "--iterations", "2000")
    (folder / "own.yaml").write_text(CONFIG.replace("leduc", "own.py:KuhnPoker"))
    command("train", "own.yaml", "output=runs/own")
    assert "exact exploitability" in command("evaluate", "runs/own")
    said = command("match", "runs/own", "random", "--hands", "500")
    assert "random" in said


def test_the_readme_in_python(folder: Path) -> None:
    """Its code as it stands, with fewer hands."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    exec(code.replace("20_000", "200").replace("100_000", "500"), {"print": lambda *_: None})
