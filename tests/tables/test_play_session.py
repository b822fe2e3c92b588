# SPDX-License-Identifier: MIT
"""A session of `play` beside its hands: bets off the menu, its log, losses, files."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from regretless.cli import main
from regretless.histories.phh import read_phh_file
from regretless.solving.solution import solve

Play = Callable[..., str]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """`play` with what is typed, a word for each question; the last one is typed for ever."""

    def run(typed: str, *arguments: str, code: int = 0) -> str:
        words = typed.split()
        monkeypatch.setattr("builtins.input", lambda _: words.pop(0) if words[1:] else words[0])
        with pytest.raises(SystemExit) as ended:
            main(["play", *arguments])
        assert (ended.value.code or 0) == code
        out, err = capsys.readouterr()
        return out + err

    return run


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("play") / "leduc"
    solve("leduc", iterations=300).write_bundle(path)
    return str(path)


NLHE = ("nlhe", "--against", "caller", "--seed", "5", "--seat", "1")


def test_any_bet_may_be_made(play: Play) -> None:
    text = play("r333 b75 x c r1 pot 75% c", *NLHE, "--hands", "1")
    assert "r  any amount: r200 to r10000" in text
    seen = re.search(
        r"you \(BTN\): raise to 333   \(not on the menu; seen as (raise to \d+)\)", text
    )
    assert seen is not None and seen[1] in ("raise to 300", "raise to 400")
    assert "flop" in text and "pot 666" in text  # 333 each, whatever was seen
    assert "75 cannot be bet here: from 100 to 9667" in text
    assert "you cannot check" not in text  # nothing to call: x checks
    assert "1 cannot be bet here" in text
    assert "bet 666" in text  # the pot
    assert re.search(r"you (win|lose) \d+", text)


def test_ranges_after_a_bet_off_the_menu_are_told_as_it_was_seen(play: Play) -> None:
    text = play("r333 ? q", *NLHE)
    assert re.search(r"as the others see this hand, pot \d+:", text)
    assert "BB holds, and at its last decision chose:" in text


def test_the_log_of_the_hand_and_of_the_session(play: Play) -> None:
    text = play("c c c c r333 h q", *NLHE, "--hands", "2")
    log = text[text.rindex("episode 1, you (BTN)") :]
    assert re.match(r"episode 1, you \(BTN\): \w{4}, you (win|lose|break)", log)
    assert "you (BTN): raise to 333   (not on the menu; seen as" in log
    assert "BB: call 233" in log


def test_losses_on_request_and_after_each_hand(play: Play, leduc: str) -> None:
    text = play("e f c", leduc, "--hands", "4", "--seed", "11")
    assert text.count(": best") == 1 and re.search(r"loses \d\.\d{3} antes\n", text)
    lost = [float(each) for each in re.findall(r"^  .* loses (\S+) antes to ", text, re.MULTILINE)]
    total = re.search(r"expected value lost: (\S+) antes", text)
    assert total is not None and lost
    assert float(total[1]) == pytest.approx(sum(lost), abs=0.002 * (len(lost) + 4))
    assert "expected value lost" not in play("c", *NLHE)
    assert "not known: only of small games" in play("e q", *NLHE)


def test_hands_are_written(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "session.phhs"
    text = play("r333 c", *NLHE, "--hands", "3", "--phh", str(path))
    hands = read_phh_file(path)
    assert len(hands) == 3
    assert [action for _, _, action, _ in hands[0].events][:2] == [333, 0]
    won = [hand.payoffs[1] for hand in hands]
    assert f"after 3 episodes: {sum(won):+d}" in text
    assert 'players = ["caller", "you"]' in path.read_text()
    play("r333 q", *NLHE, "--phh", str(path))  # a hand that was left is none
    assert read_phh_file(path) == []
    for options, words in (
        (["nlhe", "--phh", str(tmp_path / "x.txt")], "must end in .phhs"),
        (["leduc", "--phh", str(path)], "PHH"),
        (["nlhe", "--phh", str(tmp_path / "none" / "x.phhs")], "No such file or directory"),
    ):
        assert words in play("q", *options, "--against", "random", code=2)


def test_colours_where_the_terminal_has_them(
    play: Play, monkeypatch: pytest.MonkeyPatch, leduc: str
) -> None:
    assert "\x1b[" not in play("c", leduc, "--seed", "2")
    colour = Console(force_terminal=True, color_system="standard", no_color=False)
    monkeypatch.setattr("regretless.cli.play.play.console", colour)
    assert "\x1b[" in play("c", leduc, "--seed", "2")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(
        "regretless.cli.play.play.console", Console(force_terminal=True, color_system="standard")
    )
    assert not re.search(r"\x1b\[3[0-9]", play("c", leduc, "--seed", "2"))
