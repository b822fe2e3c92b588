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


BLINDS = ("nlhe", "--against", "caller", "--seed", "5", "--seat", "1")
NLHE = (*BLINDS, "--unit", "chips")


def test_any_bet_may_be_made(play: Play) -> None:
    text = play("r333 b75 x c r1 pot 75% c", *NLHE, "--hands", "1")
    assert "r  any amount: r200 to r10000" in text
    seen = re.search(
        r"you \(BTN\): raise to 333   \(not on the menu; seen as (raise to \d+)\)", text
    )
    assert seen is not None and seen[1] in ("raise to 300", "raise to 400")
    assert "flop" in text and "pot 666" in text  # 333 each, whatever was seen
    assert "cannot bet 75 here: from 100 to 9667" in text
    assert "you cannot check" not in text  # nothing to call: x checks
    assert "cannot bet 1 here" in text
    assert "bet 666" in text  # the pot
    assert re.search(r"you (win|lose) \d+", text)


def test_one_unit_is_shown_and_typed(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    text = play("r3.33 b0.75 x c r0.01 r2.25bb pot c", *BLINDS, "--hands", "1")
    assert "pot 1.5 bb, 0.5 bb to call" in text and "99.5 bb behind" in text
    assert "r  any amount: r2bb to r100bb" in text
    assert "you (BTN): raise to 3.33 bb   (not on the menu; seen as raise to " in text
    assert "cannot bet 0.75 bb here: from 1 bb to 96.67 bb" in text
    assert "pot 6.66 bb" in text and "bet 2.25 bb" in text
    assert not re.search(
        r"(bet|call|raise to|all-in|pot|win|lose) [0-9.,]+(?! bb)\b(?![.,0-9])", text
    )
    assert re.search(r"after 1 hand: [+-][0-9.,]+ bb", text)
    monkeypatch.setenv("REGRETLESS_UNIT", "chips")
    assert "pot 150, 50 to call" in play("q", *BLINDS)
    monkeypatch.setenv("REGRETLESS_UNIT", "dollars")
    assert "REGRETLESS_UNIT: must be bb or chips" in play("q", *BLINDS, code=2)


def test_ranges_after_a_bet_off_the_menu_are_told_as_it_was_seen(play: Play) -> None:
    text = play("r333 ? q", *NLHE)
    assert re.search(r"as the others see this hand, pot \d+:", text)
    assert "BB holds, and at its last decision chose:" in text


def test_the_log_of_the_hand_and_of_the_session(play: Play) -> None:
    text = play("c c c c r333 h q", *NLHE, "--hands", "2")
    log = text[text.rindex("hand 1, you (BTN)") :]
    assert re.match(r"hand 1, you \(BTN\): \w{4}, you (win|lose|break)", log)
    assert "you (BTN): raise to 333   (not on the menu; seen as" in log
    assert "BB: call 233" in log


def test_losses_on_request_and_after_each_hand(play: Play, leduc: str) -> None:
    text = play("e f c", leduc, "--hands", "4", "--seed", "11")
    assert text.count(": best") == 1 and re.search(r"loses \d\.\d{3} antes\n", text)
    lost = [float(each) for each in re.findall(r"^  .* loses (\S+) antes to ", text, re.MULTILINE)]
    total = re.search(r"EV lost: (\S+) antes", text)
    assert total is not None and lost
    assert float(total[1]) == pytest.approx(sum(lost), abs=0.002 * (len(lost) + 4))
    assert "EV lost" not in play("c", *NLHE)
    assert "not known: only of small games" in play("e q", *NLHE)


def test_hands_are_written(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "session.phhs"
    text = play("r333 c", *NLHE, "--hands", "3", "--phh", str(path))
    hands = read_phh_file(path)
    assert len(hands) == 3
    assert [action for _, _, action, _ in hands[0].events][:2] == [333, 0]
    won = [hand.payoffs[1] for hand in hands]
    assert f"after 3 hands: {sum(won):+,d} chips" in text
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
