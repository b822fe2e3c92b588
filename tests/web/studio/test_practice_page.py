# SPDX-License-Identifier: MIT
"""Practice in a browser: grades are those of the solved tree, and answers survive a reload."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from regretless import solve
from regretless.explorer.nodes import SolvedTree
from regretless.solving.spot_options import SpotOptions
from regretless.tables.drill import GOOD_SHARE
from web_browser import check_access

KEPT = "JSON.parse(localStorage.getItem('regretless.practice'))"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    solve("leduc", iterations=50).write_bundle(path / "leduc")
    spot = SpotOptions("QsJh2h8d", 100, 200, "AA,KQs,76s,55", "99,AQs,KJs,T9s").spot()
    assert spot is not None
    solve(spot, iterations=100).write_bundle(path / "turn")
    return path


@pytest.fixture(scope="module")
def turn(directory: Path) -> SolvedTree:
    return SolvedTree.open(directory / "turn")


def _asked(page: Any) -> tuple[str, str]:
    """The line and the hand of the exercise, once it waits for an answer."""
    page.get_by_text("Your action?").wait_for()
    shown = page.get_by_label("exercise")
    return shown.get_attribute("data-line") or "", shown.get_attribute("data-hand")


def _answer(page: Any, key: str) -> str:
    page.keyboard.press(key)
    graded = page.locator("[data-grade]")
    graded.wait_for()
    return str(graded.inner_text())


def _percent(text: str) -> float:
    """The whole percentage in a text."""
    found = re.search(r"(\d+) %", text)
    assert found is not None, text
    return float(found[1])


def _query(page: Any) -> dict[str, str]:
    return {key: value[0] for key, value in parse_qs(urlsplit(page.url).query).items()}


def test_twenty_decisions_are_drilled_by_keys(page: Any, turn: SolvedTree) -> None:
    """From the home page; every grade, every figure and the score are those of the tree."""
    page.goto("/")
    page.get_by_role("link", name="Practise turn").click()
    good, streak, lost_shares, lines = 0, 0, [], set()
    for number in range(1, 21):
        line, hand = _asked(page)
        lines.add(line)
        node = turn.node(line)
        place = node.acting.hands.index(hand)
        values = [float(each.values[place]) for each in node.choices]
        chosen = number % len(values)
        grade = _answer(page, str(chosen + 1))
        lost = max(values) - values[chosen]
        lost_shares.append(lost / node.pot)
        if lost <= GOOD_SHARE * node.pot:
            good, streak = good + 1, streak + 1
            assert grade.startswith("Good.")
        else:
            streak = 0
            told = re.search(r"([\d,.]+) chips lost, ([\d.]+) % of the pot", grade)
            assert told is not None, grade
            assert float(told[1].replace(",", "")) == pytest.approx(lost, abs=0.006)
            assert float(told[2]) == pytest.approx(100 * lost / node.pot, abs=0.06)
        shown = page.locator(".practice-answer").all_inner_texts()
        for text, value, each in zip(shown, values, node.choices, strict=True):
            assert each.text in text
            assert _percent(text) == pytest.approx(100 * float(each.mix[place]), abs=0.51)
            ev = re.search(r"EV (−?)([\d,.]+)", text)
            assert ev is not None
            read = float(ev[2].replace(",", "")) * (-1 if ev[1] else 1)
            assert read == pytest.approx(value, abs=0.006)
        score = page.locator(".score").inner_text().split("\n")
        assert score[score.index("answered") + 1] == str(number)
        assert _percent(score[score.index("good") + 1]) == pytest.approx(
            100 * good / number, abs=0.51
        )
        assert score[score.index("streak") + 1] == str(streak)
        mean = 100 * sum(lost_shares) / number
        read = float(score[score.index("lost a decision") + 1].split()[0])
        assert read == pytest.approx(mean, abs=0.06)
        page.keyboard.press("Enter")
    assert len(lines) > 3
    _asked(page)
    assert page.locator(".progress-chart .curve").count() == 1


def test_answers_survive_a_reload(page: Any) -> None:
    page.goto("/practice/turn")
    for _ in range(4):
        _asked(page)
        _answer(page, "1")
        page.get_by_role("button", name="Next").click()
    before = page.locator(".score").inner_text()
    page.reload()
    _asked(page)
    assert page.locator(".score").inner_text() == before
    kept = page.evaluate(KEPT)["turn"]
    assert len(kept["rows"]) == 4 and kept["name"] == "turn"
    page.goto("/")
    page.get_by_role("link", name="Practice: turn").wait_for()
    page.goto("/practice")
    page.get_by_role("link", name=re.compile("turn.*4 answers")).click()
    page.wait_for_url("**/practice/turn")
    page.get_by_role("button", name="Forget answers").click()
    page.get_by_role("button", name="Forget all answers?").click()
    page.get_by_text("This browser keeps them.").wait_for()
    assert page.evaluate(KEPT) == {}


def test_filters_are_in_the_address(page: Any, turn: SolvedTree) -> None:
    page.goto("/practice/turn")
    _asked(page)
    page.get_by_label("Street").select_option("river")
    page.wait_for_url("**street=river")
    page.get_by_label("Facing").select_option("a bet")
    page.wait_for_url("**facing=bet")
    page.reload()
    for _ in range(4):
        line, hand = _asked(page)
        node = turn.node(line)
        assert node.street == "river" and node.to_call > 0
        assert hand in node.acting.hands
        _answer(page, "1")
        page.keyboard.press("n")
    page.go_back()
    page.wait_for_url("**street=river")
    page.get_by_role("heading", name=re.compile("^River: you are (OOP|IP)")).wait_for()
    page.wait_for_function("() => [...document.querySelectorAll('select')].at(-1).value === ''")


def test_one_spot_with_hands_of_the_range(page: Any, turn: SolvedTree) -> None:
    page.goto("/practice/turn?line=x")
    hands = set()
    for _ in range(6):
        line, hand = _asked(page)
        assert line == "x"
        assert turn.node("x").acting.weights[turn.node("x").acting.hands.index(hand)] > 0
        hands.add(hand)
        _answer(page, "2")
        page.keyboard.press("Enter")
    assert len(hands) > 1
    page.get_by_role("button", name="All decisions").last.click()
    page.wait_for_url("**/practice/turn")


def _mistake(line: str, hand: str, share: float, mistake: str, **more: Any) -> dict[str, Any]:
    known = {"street": "turn", "position": "IP", "pot": "", "facing": "none", "unit": "chips"}
    told = {"chosen": "all-in 200", "best": "check", "mix": 0, "lost": 100 * share}
    row = {"line": line, "hand": hand, "share": share, "good": share == 0, "mistake": mistake}
    return {"at": 1_700_000_000_000, **known, **told, **row, **more}


def test_own_mistakes_come_again_the_worst_first(page: Any, turn: SolvedTree) -> None:
    rows = [
        _mistake("x", "9s9h", 0.1, "all-in, not check"),
        _mistake("", "5s5h", 0.7, "all-in, not check", position="OOP"),
        _mistake("x", "KsJs", 0.4, "bet, not check"),
        _mistake("x", "9s9c", 0.9, "bet, not check"),
        _mistake("x", "9s9c", 0.0, ""),  # answered better since
    ]
    page.goto("/design")
    page.evaluate(
        "(rows) => localStorage.setItem('regretless.practice', rows)",
        json.dumps({"turn": {"name": "turn", "rows": rows}}),
    )
    page.goto("/practice/turn")
    _asked(page)
    worst = page.locator(".worst-list li").all_inner_texts()
    assert [re.search(r"([\d.]+) % of the pot", each)[1] for each in worst] == [  # type: ignore[index]
        "70.0",
        "40.0",
        "10.0",
    ]
    link = page.get_by_role("link", name="study 9s9h after x")
    assert link.get_attribute("href") == "/study/turn?line=x"
    page.get_by_role("button", name="Drill these").click()
    page.wait_for_url("**of=mistakes")
    page.get_by_role("button", name="My mistakes (3)").wait_for()
    page.locator('[data-hand="5s5h"]').wait_for()
    seen = []
    for _ in range(3):
        seen.append(_asked(page))
        node = turn.node(seen[-1][0])
        place = node.acting.hands.index(seen[-1][1])
        values = [float(each.values[place]) for each in node.choices]
        assert _answer(page, str(values.index(max(values)) + 1)).startswith("Good.")
        page.keyboard.press("Enter")
    assert seen == [("", "5s5h"), ("x", "KsJs"), ("x", "9s9h")]
    page.get_by_text("No mistakes left here").wait_for()
    page.get_by_role("button", name="All decisions").last.click()
    _asked(page)


def test_mistakes_of_one_kind(page: Any) -> None:
    rows = [
        _mistake("x", "9s9h", 0.5, "all-in, not check"),
        _mistake("x", "KsJs", 0.4, "bet, not check"),
    ]
    page.goto("/design")
    page.evaluate(
        "(rows) => localStorage.setItem('regretless.practice', rows)",
        json.dumps({"turn": {"name": "turn", "rows": rows}}),
    )
    page.goto("/practice/turn")
    _asked(page)
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_role("button", name="bet, not check").click()
    page.wait_for_url("**of=mistakes**")
    assert _query(page) == {"of": "mistakes", "mistake": "bet, not check"}
    page.get_by_role("button", name="My mistakes (1)").wait_for()
    page.locator('[data-line="x"][data-hand="KsJs"]').wait_for()


def test_a_network_of_six_by_position_and_pot(page: Any) -> None:
    page.goto("/practice/nlhe6-nfsp?position=BTN&pot=single-raised")
    for _ in range(3):
        _asked(page)
        page.get_by_role("heading", name=re.compile("you are BTN")).wait_for()
        assert "single-raised pot" in page.locator(".exercise-head").inner_text()
        assert page.locator(".practice-seat").count() == 5
        grade = _answer(page, "1")
        share = re.search(r"The strategy does it (\d+) % of the time", grade)
        assert share is not None
        assert f"{share[1]} %" in page.locator(".practice-answer.chosen").inner_text()
        page.keyboard.press("Enter")
    _, hand = _asked(page)
    page.get_by_label("amounts in bb").click()
    page.get_by_text(re.compile(r"pot [\d,]+ chips")).wait_for()
    assert _asked(page)[1] == hand  # the same decision in another unit


def test_small_games(page: Any, directory: Path) -> None:
    tree = SolvedTree.open(directory / "leduc")
    page.goto("/practice/leduc?position=seat%201")
    counts = Counter[str]()
    for _ in range(5):
        line, hand = _asked(page)
        node = tree.node(line)
        assert node.actor == 1
        place = node.acting.hands.index(hand)
        values = [float(each.values[place]) for each in node.choices]
        grade = _answer(page, "1")
        counts[grade.split(".")[0]] += 1
        assert grade.startswith("Good.") == (max(values) - values[0] <= GOOD_SHARE * node.pot)
        page.keyboard.press("Enter")
    assert sum(counts.values()) == 5


def test_the_first_visit_and_what_is_not_there(page: Any) -> None:
    page.goto("/practice")
    page.get_by_role("link", name=re.compile("^turn .*graded by EV")).wait_for()
    page.get_by_role("link", name=re.compile("^hunl-deep-cfr .*graded by the mix")).wait_for()


def test_what_is_wrong_is_one_line(browser: Any, server: str) -> None:
    page = browser.new_page(base_url=server)
    page.goto("/practice/turn?street=flop")
    page.get_by_text("street: no 'flop' here").wait_for()
    page.get_by_role("button", name="All decisions").last.click()
    _asked(page)
    page.goto("/practice/nothing")
    page.get_by_text("nothing in the library has the id 'nothing'").wait_for()
    page.close()


@pytest.mark.parametrize(("look", "size"), [("light", (1440, 900)), ("dark", (390, 844))])
def test_everybody_can_practise(page: Any, look: str, size: tuple[int, int]) -> None:
    page.emulate_media(color_scheme=look)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/practice/turn")
    _asked(page)
    check_access(page)
    for _ in range(3):
        _asked(page)
        page.locator(".practice-answer").last.click()
        page.locator("[data-grade]").wait_for()
        check_access(page)
        page.get_by_role("button", name="Next").click()
    _asked(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    if size[0] == 390:  # a decision and its answers are on the screen at once
        box = page.locator(".practice-answer").last.bounding_box()
        assert box["y"] + box["height"] < size[1] - 50
        assert box["height"] >= 44
    page.goto("/practice")
    page.get_by_role("heading", name="Practice").wait_for()
    check_access(page)
