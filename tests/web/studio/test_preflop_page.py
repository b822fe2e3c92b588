# SPDX-License-Identifier: MIT
"""Charts before the flop in a browser: what they show is what the package solves."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from regretless import PreflopSpot, PushFoldSpot, solve_preflop, solve_push_fold
from regretless.notation.ranges import Range
from regretless.preflop.description import COLUMNS, AnySolution
from regretless.preflop.matchups import CLASS_NAMES
from web_browser import check_access

TREE = "2.5u,a/3x,a/a"
THREE = [0.24137, -0.08348, -0.15790]
"""Values of three players with ten big blinds in docs/preflop.md; other tests check them."""


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library")


def _cell(page: Any, name: str) -> Any:
    return page.locator(f'.preflop-chart [data-cell="{name}"]')


def _check_chart(page: Any, solution: AnySolution, i: int) -> None:
    """Totals and every cell of a decision."""
    decision = solution.decisions[i]
    line = solution.line_text(i)
    title = f"{solution.names[decision.seat]} " + (f"after {line}" if line else "first in")
    page.get_by_role("heading", name=title, exact=True).wait_for()
    shown = page.locator(".preflop-actions").inner_text()
    for name, total in zip(decision.actions, solution.totals(i), strict=True):
        assert f"{name} {100 * total:.1f} %" in " ".join(shown.split())
    cells = page.locator(".preflop-chart .cell")
    labels = cells.evaluate_all("cells => cells.map((each) => each.getAttribute('aria-label'))")
    for place, (name, label) in enumerate(zip(CLASS_NAMES, labels, strict=True)):
        if solution.ranges[i][place] < 1e-6:
            assert label == f"{name}: does not arrive"
            continue
        shares = [float(each) for each in re.findall(r" (\d+) %", label)]
        expected = 100 * solution.strategy[i, : len(decision.actions), place]
        assert shares == pytest.approx(expected.tolist(), abs=0.51), label


def _values(page: Any) -> list[float]:
    rows = page.get_by_label("players", exact=True).locator("tbody tr")
    texts = [row.locator("td").nth(2).inner_text() for row in rows.all()]
    return [float(each.replace("−", "-")) for each in texts]


def test_two_players_jam_or_fold(page: Any) -> None:
    page.goto("/preflop")
    solution = solve_preflop(PreflopSpot(stack=10))
    _check_chart(page, solution, 0)
    assert _values(page) == pytest.approx([solution.value, -solution.value], abs=6e-5)
    page.get_by_text("exact: every line ends with a fold or all-in").wait_for()
    page.get_by_role("group", name="position").get_by_text("BB").click()
    _check_chart(page, solution, 1)
    page.get_by_role("textbox", name="Stack, big blinds").fill("15")  # follows what is typed
    page.get_by_role("textbox", name="Ante", exact=True).fill("0.1")
    page.wait_for_url("**stack=15**")
    deeper = solve_preflop(PreflopSpot(stack=15, ante=0.1))
    page.get_by_text(f"{100 * deeper.totals(1)[1]:.1f} %").first.wait_for()
    _check_chart(page, deeper, 1)
    page.reload()  # stack, ante and decision are in the address
    _check_chart(page, deeper, 1)
    page.keyboard.press("p")
    _check_chart(page, deeper, 0)
    check_access(page)


def test_a_hand_is_kept_with_its_evs(page: Any) -> None:
    page.goto("/preflop?stack=12")
    solution = solve_preflop(PreflopSpot(stack=12))
    _cell(page, "K9o").click()
    page.wait_for_url("**pin=K9o")
    place = CLASS_NAMES.index("K9o")
    panel = page.get_by_label("K9o", exact=True).last
    fold, jam = solution.action_values[0, :2, place]
    assert f"{fold:+.3f}".rstrip("0").rstrip(".").replace("-", "−") in panel.inner_text()
    assert f"{jam:+.3f}".rstrip("0").replace("-", "−") in panel.inner_text()
    _cell(page, "22").hover()
    panel.wait_for()  # the pointer does not change what is kept
    page.get_by_role("group", name="figures").get_by_text("EV").click()
    page.wait_for_url("**view=ev**")
    values = (solution.strategy[0, :2] * solution.action_values[0, :2]).sum(axis=0)
    for name in ("AA", "K9o", "72o"):
        figure = float(_cell(page, name).locator(".figure").inner_text().replace("−", "-"))
        assert figure == pytest.approx(values[CLASS_NAMES.index(name)], abs=0.006)


def test_three_players_are_solved_when_asked_for(page: Any) -> None:
    page.goto("/preflop")
    page.get_by_role("heading", name="SB first in").wait_for()
    page.get_by_role("group", name="players").get_by_text("3").click()
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_role("button", name="Stop", exact=True).wait_for()
    page.get_by_role("heading", name="BTN first in").wait_for()
    page.wait_for_url("**players=3")
    page.get_by_text("32.7 %").first.wait_for()
    assert _values(page) == pytest.approx(THREE, abs=6e-5)
    for _ in range(2):
        page.get_by_role("button", name=re.compile("^BB after BTN fold, SB all-in")).click()
        page.get_by_role("heading", name="BB after BTN fold, SB all-in").wait_for()
        shown = page.locator(".preflop-actions").inner_text()
        assert " ".join(shown.split()) == "fold 63.8 % call 36.2 %"
        assert page.locator(".decision-row").count() == 6
        page.reload()  # solved already


def test_prizes_and_stacks_by_seat(page: Any) -> None:
    page.goto("/preflop?stacks=12,8&prizes=50,30&others=20")
    spot = PushFoldSpot(stacks=(12, 8), prizes=(50, 30), others=(20,))
    solution = solve_push_fold(spot)
    _check_chart(page, solution, 0)
    assert _values(page) == pytest.approx(solution.values.tolist(), abs=6e-5)
    equities = page.get_by_label("players", exact=True).locator("tbody td:nth-child(4)")
    shown = [float(each) for each in equities.all_inner_texts()]
    assert shown == pytest.approx(spot.equities_before().tolist(), abs=6e-4)
    page.get_by_role("textbox", name="Prizes, from the first place (ICM)").fill("50,x")
    page.locator(".field.wrong").filter(has_text="amounts between commas").wait_for()


def test_what_makes_no_sense_is_one_line(loose: Any) -> None:
    loose.goto("/preflop?stack=500")
    loose.get_by_role("alert").filter(has_text="must be 2 to 200 big blinds").wait_for()
    loose.get_by_role("textbox", name="Stack, big blinds").fill("20")
    loose.get_by_role("heading", name="SB first in").wait_for()


def test_a_range_is_copied_and_a_flop_is_solved(page: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/preflop?stack=20&sizes={TREE}&limp=1&seat=BB&after=raise 2.5")
    page.get_by_role("heading", name="BB after SB raise 2.5").wait_for()
    solution = solve_preflop(PreflopSpot(stack=20, sizes=TREE, limp=True))
    lines = [each.line for each in solution.decisions]
    there, before = lines.index(("raise 2.5",)), lines.index(())
    _check_chart(page, solution, there)
    page.get_by_role("button", name="copy the range that plays call").click()
    page.get_by_text("Copied: ").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")

    def check(text: str, decision: int, action: str) -> None:
        found = page.request.post("/api/ranges", data={"text": text}).json()["weights"]
        row = solution.decisions[decision].actions.index(action)
        weights = solution.ranges[decision] * solution.strategy[decision, row]
        assert [found[name] for name in CLASS_NAMES] == pytest.approx(weights.tolist(), abs=1e-3)

    check(text, there, "call")
    page.get_by_role("button", name="Solve a flop").click()
    page.wait_for_url("**/solve?**")
    page.get_by_text("per iteration").wait_for()
    given = {key: value[0] for key, value in parse_qs(urlsplit(page.url).query).items()}
    assert (given["pot"], given["stack"]) == ("50", "175")  # 2.5 bb each, 17.5 behind
    assert Range.parse(given["range_oop"]) == Range.parse(text)
    check(given["range_ip"], before, "raise 2.5")


def test_the_charts_are_a_csv_file(page: Any) -> None:
    page.goto("/preflop?stack=10")
    page.get_by_role("heading", name="SB first in").wait_for()
    with page.expect_download() as started:
        page.get_by_role("button", name="Download CSV").click()
    lines = Path(started.value.path()).read_text().splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert len(lines) == 1 + 2 * 169 * 2
    assert lines[1].startswith(",SB,AA,6,1,fold,0,")
