# SPDX-License-Identifier: MIT
"""The solve page in a browser: what it shows and solves is what the package says."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from regretless import solve
from regretless.explorer.locks import parse_lock
from regretless.notation.ranges import Range
from regretless.runs.room import size_text
from regretless.solvers.cuda.device import has_device
from regretless.solving.forecast import forecast_solve
from regretless.solving.presets import find_preset, presets
from regretless.solving.spot_options import SpotOptions
from web_browser import check_access

OOP, IP = "AA,KQs,JTs,99,AQ:0.5,76s", "22+,A9s+,KTs+"
RIVER = SpotOptions("QsJh2h8d3c", 100, 200, OOP, IP, donks="none")
RIVER_QUERY = f"board=QsJh2h8d3c&pot=100&stack=200&range_oop={quote(OOP)}&range_ip={quote(IP)}"
LONG = "/solve?board=QsJh2h8d&target=0.0000001"  # of the first preset
LOCK = "x b50 = f 1"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library")


def _field(page: Any, name: str) -> Any:
    return page.get_by_role("textbox", name=name, exact=True)


def _solve_button(page: Any) -> Any:
    return page.get_by_role("button", name="Solve", exact=True)


def _figure(page: Any, name: str) -> float:
    box = page.locator(".solve-progress .figure-box").filter(has_text=name)
    text: str = box.locator("b").inner_text()
    return float(text.replace("−", "-").replace(",", ""))


def _query(page: Any) -> dict[str, str]:
    return {key: value[0] for key, value in parse_qs(urlsplit(page.url).query).items()}


def _is_forecast(page: Any) -> None:
    page.get_by_text("per iteration").wait_for()


def test_a_river_is_solved_and_solved_with_a_lock(page: Any) -> None:
    spot = RIVER.spot()
    assert spot is not None
    free = solve(spot, target=0.2)
    page.goto(f"/solve?{RIVER_QUERY}&target=0.2")
    _is_forecast(page)
    _solve_button(page).click()
    page.get_by_text(f"done: {free.iterations} iterations").wait_for()
    told = free.to_json()
    page.get_by_text("EV OOP").wait_for()
    assert _figure(page, "EV OOP") == pytest.approx(told["ev_oop"], abs=0.006)
    assert _figure(page, "EV IP") == pytest.approx(told["ev_ip"], abs=0.006)
    assert _figure(page, "exploitability") == pytest.approx(told["exploitability"], abs=6e-4)
    shown = page.locator(".root-mix").inner_text()
    for name, share in told["root_mix"].items():
        assert f"{name} {100 * share:.1f} %" in " ".join(shown.split())
    page.get_by_text("rake, all-in rules, locks").click()
    _field(page, "Locks").fill(LOCK)
    page.wait_for_url(re.compile("locks="))
    _solve_button(page).click()
    page.get_by_text(re.compile("The locks cost OOP")).wait_for()
    locks = [parse_lock(LOCK)]
    cost = solve(spot, target=0.2, locks=locks).lock_cost(free.evs, locks)["oop"]
    text = page.locator(".lock-cost").inner_text()
    assert float(text.split()[-2]) == pytest.approx(cost, abs=0.006)
    check_access(page)
    _field(page, "Name in the library").fill("river")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/study/river")
    page.get_by_role("button", name=re.compile("^check")).last.click()
    page.get_by_role("button", name=re.compile("^bet 50")).last.click()
    page.locator(".choice").filter(has_text="fold").filter(has_text="100.0 %").wait_for()


def test_nothing_is_solved_of_a_field_that_makes_no_sense(loose: Any) -> None:
    page, sent = loose, list[str]()
    page.on("request", lambda each: sent.append(f"{each.method} {urlsplit(each.url).path}"))
    page.goto(f"/solve?{RIVER_QUERY}")
    _is_forecast(page)
    oop = _field(page, "Range of OOP")
    oop.fill("22+,ZZ")
    wrong = page.locator(".range-editor .field.wrong").filter(has_text="unknown card")
    wrong.wait_for()
    assert oop.input_value() == "22+,ZZ" and oop.get_attribute("aria-invalid") == "true"
    assert _solve_button(page).is_disabled()
    page.locator("main").press("s")
    oop.fill("")
    page.get_by_text("range of OOP: a range needs hands").wait_for()
    assert _solve_button(page).is_disabled()
    oop.fill(OOP)
    _is_forecast(page)
    pot = _field(page, "Pot, chips")
    for text in ("-5", "0", "2.5", "", "1e3"):
        pot.fill(text)
        page.locator(".field.wrong").filter(has_text="a whole number of chips").wait_for()
        assert pot.input_value() == text
        assert _solve_button(page).is_disabled()
        page.locator("main").press("s")
    pot.fill("100")
    _field(page, "Bets, All streets").fill("fifty")
    page.get_by_text("bet size 'fifty'").first.wait_for()
    assert _solve_button(page).is_disabled()
    _field(page, "Bets, All streets").fill("50%,100%,a")
    _is_forecast(page)
    _field(page, "Cards").fill("QsJh2h8d3c4")
    page.locator(".board-panel .field.wrong").wait_for()
    assert "POST /api/solves" not in sent
    _field(page, "Cards").fill("QsJh2h8d3c")
    _is_forecast(page)
    _solve_button(page).click()
    page.get_by_text("done: ").wait_for()
    assert sent.count("POST /api/solves") == 1


def test_the_form_is_in_the_address(page: Any) -> None:
    page.goto("/solve")
    _is_forecast(page)
    assert _query(page) == {}
    _field(page, "Cards").fill("Td9d6h4c3s")
    _field(page, "Pot, chips").fill("60")
    _field(page, "Range of OOP").fill("QQ+")
    _field(page, "Donk bets").fill("")
    page.get_by_label("Threads", exact=True).select_option("1")
    page.wait_for_url(re.compile("threads=1"))
    expected = {"board": "Td9d6h4c3s", "pot": "60", "range_oop": "QQ+", "threads": "1"}
    assert _query(page) == {**expected, "donks": " "}
    page.reload()
    _is_forecast(page)
    assert _field(page, "Cards").input_value() == "Td9d6h4c3s"
    assert _field(page, "Range of OOP").input_value() == "QQ+"
    assert _field(page, "Donk bets").input_value() == ""
    cell = page.get_by_role("group", name="hands of OOP").locator("[data-cell=QQ]")
    assert "empty" not in cell.get_attribute("class").split()
    _solve_button(page).click()
    page.get_by_text("done: ").wait_for()
    spot = SpotOptions("Td9d6h4c3s", 60, 975, "QQ+", find_preset("btn-bb-srp").range_ip).spot()
    assert spot is not None
    value = solve(spot, target=0.5, threads=1).to_json()["ev_oop"]
    page.get_by_text("EV OOP").wait_for()
    assert _figure(page, "EV OOP") == pytest.approx(value, abs=0.006)
    page.reload()  # the job is in the address, too
    page.get_by_text("EV OOP").wait_for()
    page.goto(f"/solve?{RIVER_QUERY}&rake=5&rake_cap=4&bets_river=75%25&raises_oop=a")
    _is_forecast(page)
    assert _field(page, "Rake, % of the pot").input_value() == "5"
    _solve_button(page).click()
    page.get_by_text("EV OOP").wait_for()
    raked = replace(RIVER, rake=5.0, rake_cap=4, bets_river="75%", raises_oop="a").spot()
    assert raked is not None
    told = solve(raked, target=0.5).to_json()
    assert _figure(page, "EV IP") == pytest.approx(told["ev_ip"], abs=0.006)


def test_a_preset_is_chosen(page: Any) -> None:
    page.goto("/solve")
    _is_forecast(page)
    page.get_by_role("group", name="stacks").get_by_text("40 bb").click()
    page.get_by_role("button", name="BB v BTN").click()
    page.wait_for_url("**preset=bb-btn-3bet-40")
    preset = find_preset("bb-btn-3bet-40")
    assert _field(page, "Pot, chips").input_value() == str(preset.pot)
    assert _field(page, "Stacks behind, chips").input_value() == str(preset.stack)
    assert _field(page, "Range of IP").input_value() == preset.range_ip
    page.get_by_text(f"{preset.play}.").wait_for()
    page.get_by_text("made by hand").wait_for()
    shown = page.locator(".range-editor").nth(1).locator(".range-figures")
    share = Range.parse(preset.range_ip).total_weight / 1326
    shown.get_by_text(f"{100 * share:.1f} %").wait_for()
    spot = SpotOptions(board="QsJh2h", preset=preset.name).spot()
    assert spot is not None
    planned = forecast_solve("dcfr", spot.game, {"max_bytes": 4 << 30})
    page.get_by_text(f"{planned.decisions:,} decisions").wait_for()
    page.get_by_text(size_text(planned.memory_bytes).split(".")[0]).first.wait_for()
    assert page.locator(".badge.warn").count() == 0
    _field(page, "Pot, chips").fill("170")
    page.locator(".badge.warn").filter(has_text="changed").wait_for()
    page.wait_for_url("**pot=170**")


def test_the_cost_follows_the_sizes(page: Any) -> None:
    page.goto("/solve?preset=btn-co-3bet&board=Ks7d2c")
    _is_forecast(page)

    def planned(**sizes: str) -> Any:
        spot = SpotOptions(board="Ks7d2c", preset="btn-co-3bet", **sizes).spot()  # type: ignore[arg-type]
        assert spot is not None
        return forecast_solve("dcfr", spot.game, {"max_bytes": 4 << 30})

    page.get_by_text(f"{planned().decisions:,} decisions").wait_for()
    _field(page, "Bets, River").fill("50%,100%")
    page.get_by_text(f"{planned(bets_river='50%,100%').decisions:,} decisions").wait_for()
    _field(page, "Raises, Turn").fill("2x,3x")
    both = planned(bets_river="50%,100%", raises_turn="2x,3x")
    page.get_by_text(f"{both.decisions:,} decisions").wait_for()
    assert re.search(r"about \d+ (s|min)", page.get_by_label("cost").inner_text())


def test_a_range_is_painted(page: Any) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/solve?{RIVER_QUERY}")
    oop = _field(page, "Range of OOP")
    oop.fill("AA,AsKs")
    editor = page.get_by_label("range of OOP", exact=True)
    editor.get_by_text("7 combos").wait_for()
    cells = page.get_by_role("group", name="hands of OOP").locator(".cell")
    first, last = (cells.nth(14 * i).bounding_box() for i in (1, 3))
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + 5, steps=8)
    page.mouse.up()
    editor.get_by_text("25 combos").wait_for()
    assert oop.input_value() == "JJ+,AsKs"
    slider = page.get_by_role("slider", name="Weight to paint, OOP")
    slider.fill("50")
    cells.nth(14 * 3).focus()
    page.keyboard.press("ArrowRight")  # from JJ to JTs
    page.keyboard.press(" ")
    editor.get_by_text("29 combos").wait_for()
    assert Range.parse(oop.input_value()) == Range.parse("JJ+,AsKs,JTs:0.5")
    page.keyboard.press(" ")  # the same weight again takes it away
    editor.get_by_text("25 combos").wait_for()
    assert oop.input_value() == "JJ+,AsKs"
    page.wait_for_url(re.compile(r"range_oop=JJ%2B%2CAsKs"))
    editor.get_by_role("button", name="clear, OOP").click()
    page.get_by_text("range of OOP: a range needs hands").wait_for()


def test_ranges_are_kept_in_this_browser(page: Any) -> None:
    page.goto(f"/solve?{RIVER_QUERY}")
    _is_forecast(page)
    page.get_by_role("button", name="save the range of OOP").click()
    _field(page, "Name of the range, OOP").fill("mine")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="delete mine").wait_for()
    page.reload()
    page.get_by_label("Saved ranges, IP").select_option("own mine")
    page.wait_for_url(re.compile(f"range_ip={re.escape(quote(OOP, safe=''))}"))
    assert _field(page, "Range of IP").input_value() == OOP
    page.get_by_role("button", name="delete mine").first.click()
    page.get_by_role("button", name="delete mine").first.wait_for(state="detached")
    shipped = page.get_by_label("Saved ranges, IP").locator("option").all_inner_texts()
    assert "mine" not in shipped
    assert f"BTN: {presets()['btn-bb-srp'].title}, single-raised, 100 bb" in shipped


def test_a_solve_is_explored_while_it_runs_and_stopped(page: Any) -> None:
    page.goto(LONG)
    _is_forecast(page)
    _solve_button(page).click()
    page.locator(".chart .curve").first.wait_for()
    job = _query(page)["job"]
    page.get_by_role("link", name="Explore now").click()
    page.wait_for_url(f"**/study/solve/{job}")
    page.locator(".choice").first.wait_for()
    page.go_back()
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_text(re.compile("^done: ")).wait_for()
    result = page.request.get(f"/api/jobs/{job}/result").json()["result"]
    page.get_by_text("EV OOP").wait_for()
    assert _figure(page, "EV OOP") == pytest.approx(result["ev_oop"], abs=0.006)
    curve = page.request.get(f"/api/jobs/{job}").json()["progress"]["curve"]
    drawn = page.locator(".chart .curve").first.get_attribute("d")
    assert len(re.findall("[ML]", drawn)) == len(curve) >= 2


def test_a_solve_opens_by_itself_and_is_discarded(page: Any) -> None:
    page.goto(LONG)
    _is_forecast(page)
    page.get_by_label("Open it as soon as it can be explored").check()
    page.locator("main").press("s")
    page.wait_for_url("**/study/solve/*")
    page.locator(".choice").first.wait_for()
    page.go_back()
    page.wait_for_url("**/study/solve/*")  # it opens again, since it still runs
    job = page.url.rpartition("/")[2].partition("?")[0]
    page.request.post(f"/api/jobs/{job}/cancel")


def test_a_small_game(page: Any) -> None:
    page.goto("/solve")
    page.get_by_label("Game", exact=True).select_option("kuhn")
    page.get_by_text("Kuhn poker: one card each").wait_for()
    assert page.locator(".range-editor").count() == 0
    _field(page, "Until, units").fill("0.0005")
    page.wait_for_url("**game=kuhn**target=0.0005**")
    _solve_button(page).click()
    page.get_by_text("value of the first player").wait_for()
    assert _figure(page, "value of the first player") == pytest.approx(-1 / 18, abs=6e-4)
    page.get_by_role("link", name="Explore", exact=True).click()
    page.wait_for_url("**/study/solve/*")


def test_no_device_is_one_line(loose: Any) -> None:
    if has_device():
        pytest.skip("there is a CUDA device")
    loose.goto(f"/solve?{RIVER_QUERY}")
    _is_forecast(loose)
    loose.get_by_label("Solve on").select_option("cuda")
    loose.get_by_role("alert").filter(has_text="no CUDA device was found").first.wait_for()
    assert _solve_button(loose).is_disabled()
    loose.get_by_label("Solve on").select_option("auto")
    _is_forecast(loose)
    _solve_button(loose).click()
    loose.get_by_text("done: ").wait_for()


def test_cards_are_clicked(page: Any) -> None:
    page.goto(f"/solve?{RIVER_QUERY}")
    _is_forecast(page)
    page.locator('[data-card="3c"]').click()
    assert _field(page, "Cards").input_value() == "QsJh2h8d"
    page.locator('[data-card="Ac"]').click()
    page.wait_for_url("**board=QsJh2h8dAc**")
    assert page.locator('[data-card="Kc"]').is_disabled()  # the board is full
    page.get_by_role("button", name="Random").click()
    page.wait_for_url(lambda address: len(parse_qs(urlsplit(address).query)["board"][0]) == 6)
