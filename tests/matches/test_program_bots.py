# SPDX-License-Identifier: MIT
"""Bots in any language: lines of JSON over standard input and output, and one line if they fail."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import without_progress
from regretless.errors import InputError
from regretless.games import load_game
from regretless.seats.matches import match
from regretless.seats.program_bots import start_program

EXAMPLE = Path(__file__).parents[2] / "examples" / "json_bot.py"

BOT = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    n = asked.get("hands")
    if "hello" in asked:
        told = {{"name": "bot", "needs": ["history", "strengths"]}}
        {hello}
    else:
        told = {{"ask": asked["ask"], "slots": [1] * n}}
        {answer}
    print(json.dumps(told), flush=True)
"""


def command(path: Path, hello: str = "", answer: str = "") -> str:
    path.write_text(BOT.format(hello=hello or "pass", answer=answer or "pass"))
    return f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def test_the_example_plays_and_knows_nothing_of_this_package() -> None:
    assert "import regretless" not in EXAMPLE.read_text()
    bot = f"cmd:{sys.executable} {EXAMPLE}"
    first, second = match(bot, "caller", hands=600).players
    assert first.name == "json-bot" and first.won.mean > 1 > second.won.mean


@pytest.mark.parametrize("game", ["leduc", "nlhe", "liars-dice-1x4f", "kuhn"])
def test_a_program_plays_as_a_policy_of_the_same_slots_does(tmp_path: Path, game: str) -> None:
    lowest = 'told["slots"] = [row.index(1) for row in asked["legal"]]'
    dice = game.startswith("liars")
    source = command(tmp_path / "bot.py", answer=lowest if dice else "")
    mine = match(source, "random", game=game, hands=300).players[0].won.mean
    if not dice:
        assert mine == match("caller", "random", game=game, hands=300).players[0].won.mean
    row = "[9 * (i == row.index(1)) for i in range(len(row))]"
    many = f'told["probabilities"] = [{row} for row in asked["legal"]]'
    source = command(tmp_path / "bot.py", answer=f'{many}; del told["slots"]' if dice else "")
    assert mine == match(source, "random", game=game, hands=300).players[0].won.mean


def test_a_program_is_told_cards_bets_and_history(tmp_path: Path) -> None:
    told = tmp_path / "told"
    write = f"open({str(told)!r}, 'a').write(line)"
    match(command(tmp_path / "bot.py", write, write), "pot-odds", game="nlhe", hands=40)
    lines = [json.loads(line) for line in told.read_text().splitlines()]
    assert lines[0]["hello"] == 1 and lines[0]["game"]["slots"][:2] == ["fold", "call"]
    assert lines[0]["game"]["rules"]["poker"]["stacks"] == [10_000, 10_000]
    first, flop = lines[1], next(each for each in lines if any(each.get("streets", [])))
    assert first["hands"] == len(first["actors"]) == len(first["hole_cards"])
    assert all(len(cards) == 4 and cards[1] in "cdhs" for cards in first["hole_cards"])
    row = next(i for i, street in enumerate(flop["streets"]) if street)
    assert len(flop["boards"][row]) == 2 * (2 + flop["streets"][row])
    steps = slice(*flop["step_offsets"][row : row + 2])
    assert flop["step_streets"][steps][0] == 0 and len(flop["step_actions"][steps]) >= 2
    assert 0 <= flop["hand_strengths"][row] <= 1 and len(flop["seat_stacks"][row]) == 2


@pytest.mark.parametrize(
    ("hello", "answer", "problem"),
    [
        ("sys.exit('no cards for me')", "", "ended with status 1 before it answered: no cards"),
        ("", "1 / 0", "ended with status 1 before it answered: ZeroDivisionError"),
        ("", "import os; os.kill(os.getpid(), 9)", "ended by signal 9 before it answered"),
        ("", "time.sleep(9)", "gave no answer in 1 seconds"),
        ("time.sleep(9)", "", "gave no answer in 1 seconds"),
        ("told = []", "", "must answer a JSON object, not '[]'"),
        ("told = {}", "", "must answer the first line with its name"),
        ("told['needs'] = ['money']", "", "needs ['money']; there are history, strengths"),
        ("print('hi')", "", "answers what is no JSON: 'hi'"),
        ("", "told['ask'] = 7", "answers question 7, and 1 was asked"),
        ("", "told['amounts'] = []", "must answer with one of slots, amounts, probabilities"),
        ("", "told['slots'] = 'abc'", "slots must be lists of numbers"),
        ("", "told['slots'] = [[1, 2], [3]]", "slots must be lists of numbers"),
        ("", "told['slots'] = [1]", "answers [1] slots, not [5]"),
        ("", "told['slots'][2] = 17", "chooses slot 17 for hand 2, which is not legal"),
        ("", "told['slots'][0] = 1.5", "chooses slot 1.5 for hand 0, which is not legal"),
        ("", "told = {'ask': 1, 'amounts': [-3] * n}", "amounts: must be -1"),
        ("", "told = {'ask': 1, 'probabilities': [[0, 0, 0]] * n}", "gives no legal slot"),
        ("", "told = {'ask': 1, 'probabilities': [[1e999, 0, 0]] * n}", "is not finite"),
    ],
)
def test_a_program_that_fails_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hello: str, answer: str, problem: str
) -> None:
    slow = "sleep" in hello + answer
    monkeypatch.setenv("REGRETLESS_ANSWER_SECONDS", "1" if slow else "20")
    source = command(tmp_path / "bot.py", hello, answer)
    with pytest.raises(InputError) as caught:
        match(source, "caller", game="leduc", hands=10)
    message = str(caught.value)
    assert message.startswith(f"{source}: ") and problem in message and "\n" not in message


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("cmd:./no-such-bot", "./no-such-bot: No such file or directory"),
        ("cmd:", "name a program, as in cmd:./bot"),
        ("cmd:'", "No closing quotation"),
    ],
)
def test_a_program_that_cannot_start_is_one_line(source: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        start_program(source, load_game("kuhn"))


def test_a_program_that_reads_nothing_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "deaf.py"
    path.write_text('import time\nprint(\'{"name": "deaf"}\', flush=True)\ntime.sleep(20)\n')
    bot = start_program(f"cmd:{sys.executable} {path}", load_game("nlhe"), seconds=1)
    with pytest.raises(InputError, match="gave no answer in 1 seconds"):
        match(bot, "caller", hands=8000)  # more than a pipe holds


def test_a_program_ends_with_the_match(tmp_path: Path) -> None:
    bot = start_program(command(tmp_path / "bot.py"), load_game("kuhn"))
    process = bot.policy._program._process
    assert process.poll() is None
    del bot
    assert process.poll() == 0


def test_play_and_evaluate_take_programs(tmp_path: Path) -> None:
    source = command(tmp_path / "bot.py")
    run = [sys.executable, "-m", "regretless"]
    played = subprocess.run(
        [*run, "play", "leduc", "--against", source, "--seed", "1"],
        input="c\n" * 9,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "against bot, seed 1" in played.stdout and "after 1 hand:" in played.stdout
    told = subprocess.run(
        [*run, "evaluate", source, "--game", "kuhn"], capture_output=True, text=True, timeout=60
    )
    assert "exact exploitability" in told.stdout and without_progress(told.stderr) == ""
