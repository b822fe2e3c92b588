# SPDX-License-Identifier: MIT
"""A custom bot from the command line, and one line for each thing that can be wrong with it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from regretless.errors import InputError
from regretless.games import load_game
from regretless.seats.contestants import find_contestants
from regretless.seats.custom_bots import load_custom_bot
from regretless.seats.matches import match

BOT = Path(__file__).parents[2] / "examples" / "my_bot.py"
GAME = load_game("leduc")


def regretless(*arguments: str, typed: str = "", folder: Path | None = None) -> str:
    command = [sys.executable, "-m", "regretless", *arguments]
    result = subprocess.run(
        command, input=typed, capture_output=True, text=True, timeout=60, cwd=folder
    )
    assert "Traceback" not in result.stderr
    return result.stdout + result.stderr


def test_the_example_plays_a_match() -> None:
    arguments = ("match", f"{BOT}:MyBot", "random", "--game", "leduc", "--hands", "2000", "--json")
    first, second = json.loads(regretless(*arguments))["players"]
    assert (first["name"], second["name"]) == ("my-bot", "random")
    assert first["mbb_per_game"] > 300  # a bot that looks at its cards beats one that does not
    named = regretless("match", "MyBot", "caller", "--from-file", str(BOT), "--hands", "100")
    assert "my-bot" in named and "nlhe" in named


def test_the_example_plays_at_a_table() -> None:
    text = regretless(
        *("play", "leduc", "--against", f"{BOT}:MyBot", "--seed", "1", "--hands", "3"),
        typed="c\n" * 20,
    )
    assert "against my-bot, seed 1" in text and "after 3 hands" in text


def test_the_example_is_evaluated() -> None:
    text = regretless(
        *("evaluate", f"{BOT}:MyBot", "--game", "nlhe", "--hands", "200", "--lbr-hands", "30")
    )
    assert text.startswith("my-bot on nlhe, bot\n")
    assert "local best response" in text and "match against caller" in text


SEEDED = """
from dataclasses import dataclass
import numpy as np
from regretless import Needs, UniformPolicy

@dataclass
class Drawn:
    game: object
    needs = Needs(seeds=True)
    name = "drawn"
    def __call__(self, questions):
        return np.eye(3, dtype=np.float32)[questions.seeds % 3] + 1e-9 * questions.legal

class Told(Drawn):
    def average(self, networks=None):
        return UniformPolicy()
"""


def test_a_bot_that_draws_is_measured_by_its_average(tmp_path: Path) -> None:
    (tmp_path / "seeded.py").write_text(SEEDED)
    text = regretless("evaluate", "seeded.py:Told", "--game", "kuhn", folder=tmp_path)
    assert "exact exploitability  0.458333" in text
    text = regretless(
        *("evaluate", "seeded.py:Drawn", "--game", "kuhn", "--hands", "200"),
        *("--lbr-hands", "30"),
        folder=tmp_path,
    )
    assert "drawn: plays by a seed and has no average" in text and "match against" in text


def test_a_bot_of_a_module_in_the_folder_where_one_is(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bots.py").write_text(BOT.read_text())
    arguments = ("match", "mine.bots:MyBot", "caller", "--hands", "100")
    assert "my-bot" in regretless(*arguments, folder=tmp_path)


def test_the_example_has_about_twenty_lines() -> None:
    lines = BOT.read_text().split('"""', 2)[2].splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 20


TEMPLATE = """
import numpy as np
from regretless import Needs
class Bot:
    name = "bot"
    needs = Needs()
    def __init__(self, game):
        {make}
    def __call__(self, questions):
        rows = np.ones(questions.legal.shape, np.float32)
        {answer}
class Nameless:
    def __init__(self, game): pass
    def __call__(self, questions): return None
number = 5
"""


@pytest.mark.parametrize(
    ("make", "answer", "problem"),
    [
        ("raise KeyError('x')", "", "Bot(game) raises KeyError: 'x' (bot.py, line 8)"),
        ("pass", "1 / 0", "answering raises ZeroDivisionError: division by zero (bot.py, line 11)"),
        ("pass", "return rows[:, 1:]", "answers [BATCH, 2], not [BATCH, 3]"),
        ("pass", "return None", "answers [1], not [BATCH, 3]"),
        ("pass", "return 'no'", "answering raises ValueError: could not convert string"),
        ("pass", "return rows * np.nan", "a probability that is not finite"),
        ("pass", "return rows * np.inf", "a probability that is not finite"),
        ("pass", "return -rows", "a probability below 0"),
        ("pass", "return 0 * rows", "gives no legal slot a probability above 0"),
    ],
)
def test_a_bad_bot_is_one_line(tmp_path: Path, make: str, answer: str, problem: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text(TEMPLATE.format(make=make, answer=answer))
    with pytest.raises(InputError) as caught:
        match(f"{path}:Bot", "caller", game=GAME, hands=10)
    message = str(caught.value)
    assert message.startswith(f"{path}:Bot: ") and "\n" not in message
    assert problem.replace("BATCH", "5") in message


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{path}:Bat", "there is no 'Bat'; did you mean 'Bot'?"),
        ("{path}:Nameless", "is no policy: it needs name"),
        ("{path}:number", "'number' is no class or function"),
        ("{path}", "name the bot too, as in bot.py:Name"),
        ("{path}x.py:Bot", "there is no file"),
        ("{broken}:Bot", "raises SyntaxError: invalid syntax"),
        ("{missing}:Bot", "raises ModuleNotFoundError: No module named 'nothing_there'"),
        ("no_such_module_here:Bot", "there is no module 'no_such_module_here'"),
        ("regretless.no_such_module:Bot", "there is no module 'regretless.no_such_module'"),
        (":Bot", "name the bot too"),
        ("regretless.errors:", "name the bot too"),
    ],
)
def test_a_missing_bot_is_one_line(tmp_path: Path, source: str, problem: str) -> None:
    texts = {
        "path": TEMPLATE.format(make="pass", answer="return rows"),
        "broken": "def (:\n",
        "missing": "import nothing_there\n",
    }
    paths = {name: tmp_path / f"{name}.py" for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text)
    source = source.format(**paths)
    with pytest.raises(InputError) as caught:
        if source.endswith(".py"):
            find_contestants([source], GAME)
        else:
            load_custom_bot(source, GAME)
    message = str(caught.value)
    assert message.startswith(f"{source}: ") and problem in message and "\n" not in message


def test_answers_may_be_lists_and_doubles(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(TEMPLATE.format(make="pass", answer="return rows.astype(np.float64).tolist()"))
    won = match(f"{path}:Bot", "random", game=GAME, hands=10).players[0].won
    assert np.isfinite(won.mean)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "from regretless import UniformPolicy\n"
        "def Bot(game):\n"
        "    return UniformPolicy(name=game)\n"
    )
    with pytest.raises(InputError, match="name: must be a text, not Poker"):
        load_custom_bot(f"{path}:Bot", load_game("kuhn"))


def test_a_bot_without_a_constructor_argument_plays(tmp_path: Path) -> None:
    path = tmp_path / "bare.py"
    path.write_text("class Bare:\n    def act(self, view):\n        return 'call'\n")
    assert load_custom_bot(f"{path}:Bare", GAME).name == f"{path}:Bare"
