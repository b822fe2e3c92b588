# SPDX-License-Identifier: MIT
"""The study page in a browser: its values are the package's, and keys alone suffice."""

import csv
import json
import re
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from regretless import solve, train
from regretless.explorer.comparison import Comparison
from regretless.explorer.hand_filter import HandFilter
from regretless.explorer.node_text import equity_curves, range_of
from regretless.explorer.node_view import NodeView
from regretless.explorer.nodes import SolvedTree
from regretless.explorer.runouts import find_runouts
from regretless.games.episodes import legal_slots
from regretless.policies.asking import mixes
from regretless.seats.strategies import find_strategy
from regretless.solving.spot_options import SpotOptions
from web_browser import check_access

TINY = "steps: 5, batch: 64, capacity: 5000, strategy_capacity: 5000, strategy_steps: 5"
NETWORK = f"traversals: 20, widths: [16], {TINY}, strategy_batch: 64"
RANGES = ("AA,KQs,76s,T9s,AK", "99,AQs,KJs,22,AJs:0.5")
SPOTS = {
    "river": SpotOptions("QsJh2h8d3c", 100, 200, *RANGES),
    "other": SpotOptions("QsJh2h8d3c", 100, 200, *RANGES, bets="75%,a"),
    "turn": SpotOptions("QsJh2h8d", 100, 200, *RANGES, bets="50%", raises="a"),
    "flop": SpotOptions("QsJh2h", 60, 60, "AA,KQs,Th9h", "99,AhQh,KJs", bets="100%", raises="a"),
}
RUNS = {
    "run": "game: leduc\nalgorithm: {name: dcfr}\nbudget: {steps: 60}\n"
    "evaluate: {every_steps: 20}\ncheckpoint: {every_steps: 20, keep: 9}\n",
    "one": "game: kuhn\nalgorithm: {name: cfr}\nbudget: {steps: 20}\n"
    "checkpoint: {every_steps: 5, keep: 1}\n",
    "omaha": f"game: plo5\nalgorithm: {{name: deep-cfr, encoder: composition, in_flight: 64, "
    f"kept_answers: 0, runouts: 1, {NETWORK}}}\nbudget: {{steps: 1}}\nevaluate: {{measures: []}}\n",
}
SCREEN = {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    for name, options in SPOTS.items():
        spot = options.spot()
        assert spot is not None
        solve(spot, target=0.5).write_bundle(path / name)
    for game in ("leduc", "kuhn", "liars-dice-1x6f"):
        solve(game, iterations=50).write_bundle(path / game)
    for name, text in RUNS.items():
        (path / f"{name}.yaml").write_text(text)
        train(path / f"{name}.yaml", f"output={path / name}")
    return path


@pytest.fixture(autouse=True)
def screen(page: Any) -> None:
    page.set_viewport_size(SCREEN)


def _numbers(text: str) -> list[float]:
    found = re.findall(r"[-−]?[\d,]*\.?\d+", text)
    return [float(each.replace("−", "-").replace(",", "")) for each in found]


def _near(text: str, value: float, slack: float = 0.06) -> bool:
    """Whether a number of a text is the value, as far as digits are shown."""
    return any(abs(each - value) <= slack for each in _numbers(text))


def _open(page: Any, address: str) -> None:
    """Opens a node and waits for its equities, which come later."""
    with page.expect_response("**/api/study/equities"):
        page.goto(address)
    page.locator(".study").wait_for()


def _line(page: Any, line: str) -> None:
    page.locator(f'.study[data-line="{line}"]' if line else ".study:not([data-line])").wait_for()


def _query(page: Any) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def _post(server: str, path: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(
        f"{server}/api{path}", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def _check_choices(page: Any, node: NodeView) -> None:
    for each in node.choices:
        text = page.locator(f'.choice[data-word="{each.word}"]').inner_text()
        assert each.text in text
        assert _near(text, 100 * each.share)
        if each.value == each.value:
            assert _near(text, each.value, 0.006)


@pytest.mark.parametrize(
    ("name", "line"), [("river", "x"), ("turn", "x b50 c | Ah | x"), ("flop", "x x | 2c")]
)
def test_a_node_is_the_node_of_the_package(
    page: Any, directory: Path, name: str, line: str
) -> None:
    node = SolvedTree.open(directory / name).node(line)
    _open(page, f"/study/{name}?line={line}")
    _check_choices(page, node)
    for seat in node.seats:
        row = page.locator(f'tr[data-seat="{seat.name}"]')
        row.filter(has_text=f"{100 * seat.equity:.1f} %").wait_for()
        assert _near(row.inner_text(), seat.combos) and _near(row.inner_text(), seat.value, 0.006)
    for view in ("ev", "equity", "weight", "regret"):
        button = {"ev": "EV"}.get(view, view.capitalize())
        page.get_by_role("button", name=button, exact=True).click()
        for cell in (each for row in node.grid(node.actor) for each in row if each.weight > 0):
            scale = 1 if view in ("ev", "regret") else 100
            shown = page.locator(f'.range-panel [data-cell="{cell.name}"] .figure').inner_text()
            assert _near(shown, scale * cell.of_view(view), 0.51), (view, cell)
    rows = node.class_rows(node.actor, "made")
    for row in rows:
        shown = page.locator(f'tr[data-class="{row["class"]}"]').inner_text()
        assert _near(shown, 100 * row["share"]) and _near(shown, 100 * row["equity"])
        assert _near(shown, row["ev"], 0.006)
    assert page.locator("tr[data-class]").count() == len(rows)
    page.get_by_role("button", name="Draws", exact=True).click()
    rows = node.class_rows(node.actor, "draw")
    page.locator(f'tr[data-class="{rows[0]["class"]}"]').wait_for()
    for row in rows:
        shown = page.locator(f'tr[data-class="{row["class"]}"]').inner_text()
        assert _near(shown, 100 * row["share"]) and _near(shown, row["ev"], 0.006)


def test_a_click_pins_and_the_pointer_only_previews(page: Any, directory: Path) -> None:
    node = SolvedTree.open(directory / "river").node("x")
    _open(page, "/study/river?line=x")
    page.locator(".range-panel [data-cell=AQs]").hover()
    combos = page.get_by_role("region", name="combos of AQs")
    combos.locator("tr[data-hand]").first.wait_for()
    assert "pin" not in _query(page)
    page.locator(".range-panel [data-cell=KJs]").click()
    page.get_by_text("pinned, 3 combos").wait_for()
    page.locator(".range-panel [data-cell=AQs]").hover()
    page.locator(".range-panel [data-cell='99']").hover()
    hands = [row for row in node.rows(1) if row["hand"][0] == "K"]
    for row in hands:
        shown = page.locator(f'tr[data-hand="{row["hand"]}"]')
        assert _near(shown.inner_text(), row["ev"], 0.006)
        assert _near(shown.inner_text(), 100 * row["equity"], 0.6)
        for each in node.choices:
            assert _near(shown.inner_text(), 100 * row[each.word], 0.6)
            assert _near(shown.inner_text(), row[f"ev {each.word}"], 0.006)
    assert page.locator("tr[data-hand]").count() == len(hands)
    seen, needed = page.get_by_role("region", name="combos of KJs").evaluate(
        "each => [each.clientWidth, each.scrollWidth]"
    )
    assert needed <= seen  # the table is seen whole
    page.get_by_role("button", name="Unpin").click()
    page.locator(".range-panel [data-cell=AQs]").hover()
    combos.locator("tr[data-hand]").first.wait_for()


@pytest.mark.parametrize(
    ("query", "chosen"),
    [
        ("made=set,underpair", HandFilter(made="set,underpair")),
        ("draw=flush-draw", HandFilter(draw="flush-draw")),
        ("suits=hh,offsuit", HandFilter(suits="hh,offsuit")),
        ("action=b50", HandFilter(action="b50")),
        ("made=ace-high&suits=s", HandFilter(made="ace-high", suits="s")),
    ],
)
def test_filters_are_those_of_the_package(
    page: Any, directory: Path, query: str, chosen: HandFilter
) -> None:
    node = chosen.apply(SolvedTree.open(directory / "turn").node("x"), 1)
    _open(page, f"/study/turn?line=x&{query}")
    count = page.locator(".filters").get_by_text(re.compile(r"^[\d.]+ combos$"))
    count.wait_for()
    assert _near(count.inner_text(), node.seats[1].combos)
    if node.seats[1].combos:
        _check_choices(page, node)
    shown = {cell.name for row in node.grid(1) for cell in row if cell.weight > 0}
    cells = page.locator(".range-panel .cell:not(.empty)")
    assert {each.get_attribute("data-cell") for each in cells.all()} == shown
    page.get_by_role("button", name="All hands").click()
    page.get_by_role("button", name="All hands").wait_for(state="detached")
    assert _query(page) == {"line": "x"}
    whole = SolvedTree.open(directory / "turn").node("x").seats[1].combos
    assert _near(count.inner_text(), whole)


def test_the_keyboard_alone_studies_a_spot(page: Any, directory: Path) -> None:
    tree = SolvedTree.open(directory / "turn")
    _open(page, "/study/turn")
    press = page.keyboard.press
    press("1")
    _line(page, "x")
    press("g")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        press(key)
    page.get_by_role("region", name="combos of AQs").wait_for()
    assert _query(page)["pin"] == "AQs"
    press("v")
    page.locator(".range-panel [data-cell=AQs] .figure").wait_for()
    assert _query(page)["view"] == "ev"
    press("s")
    page.get_by_role("group", name="hands of OOP").wait_for()
    press("s")
    press("/")
    press("Space")
    page.get_by_role("button", name="All hands").wait_for()
    made = _query(page)["made"]
    kept = HandFilter(made=made).apply(tree.node("x"), 1)
    _check_choices(page, kept)
    press("f")
    page.get_by_role("button", name="All hands").wait_for(state="detached")
    press("l")
    page.get_by_label("IP plays").focus()
    press("a")  # always check: the first that begins with it
    press("Tab")
    press("Tab")
    press("Enter")
    page.get_by_role("button", name="remove the lock at x").wait_for()
    page.locator("body").press("1")
    _line(page, "x x")
    press("K")
    press("h")
    _line(page, "x x | Kh")
    _check_choices(page, tree.node("x x | Kh"))
    press("Backspace")
    _line(page, "x x")
    press("Home")
    _line(page, "")
    press("b")
    page.get_by_label("range of IP").wait_for()
    press("]")
    page.get_by_label("Second solution").wait_for()
    press("Escape")
    press("?")
    page.get_by_role("dialog", name="Keys").get_by_text("one step back").wait_for()


def test_the_address_has_every_state(page: Any) -> None:
    _open(page, "/study/river")
    page.locator(".choice", has_text="check").click()
    _line(page, "x")
    page.locator(".range-panel [data-cell=AJs]").click()
    page.locator("tr[data-hand] .link").first.click()
    page.get_by_role("button", name="Regret", exact=True).click()
    page.get_by_role("button", name="Suits", exact=True).click()
    page.locator('[data-filter="suits:suited"]').click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_label("Second solution").select_option("other")
    page.get_by_role("button", name="Nodes", exact=True).click()
    page.locator(".choice-other").first.wait_for()
    page.get_by_role("button", name="Both", exact=True).click()
    page.get_by_label("range of IP").wait_for()
    differences = page.get_by_role("region", name="differences")
    differences.get_by_role("columnheader", name="distance").wait_for()
    before = page.get_by_role("main").inner_text()
    wanted = {"line", "pin", "hand", "view", "filter", "suits", "side", "with", "by", "ranges"}
    assert set(_query(page)) == wanted
    page.reload()
    differences.get_by_role("columnheader", name="distance").wait_for()
    page.locator(".graph svg").wait_for()
    page.locator(".tree-row, .choice-other").first.wait_for()
    assert page.get_by_role("main").inner_text() == before
    page.go_back()
    _line(page, "")
    page.go_forward()
    _line(page, "x")


def test_an_equity_graph_shows_both_ranges(page: Any, directory: Path) -> None:
    _open(page, "/study/river?line=x")
    picture = page.get_by_role("img", name=re.compile("^Equity graph"))
    curves = equity_curves(SolvedTree.open(directory / "river").node("x"))
    told = picture.get_attribute("aria-label")
    for name, curve in curves.items():
        ends = (round(100 * curve[place]) for place in (0, 50, -1))
        texts = "weakest {} %, middle {} %, best {} %".format(*ends)
        assert re.search(rf"{name} [\d.]+ %: {texts}", told)
    assert picture.locator(".curve").count() == 2


def test_a_card_is_chosen_by_what_it_does(page: Any, directory: Path) -> None:
    tree = SolvedTree.open(directory / "turn")
    node = tree.node("x x")
    _open(page, "/study/turn?line=x x")
    page.get_by_role("heading", name="Choose 1 card for the river").wait_for()
    for each in node.cards:
        shown = page.locator(f'[data-card="{each.card}"] small').inner_text()
        assert _near(shown, each.values[0]) if each.values[0] == each.values[0] else not shown
    assert page.locator("[data-card]:disabled").count() == 4
    page.get_by_role("button", name="Report of all cards").click()
    rows = [each.row() for each in find_runouts(tree, "x x")]
    page.locator('tr[data-runout="all"]').wait_for()
    assert page.locator("tr[data-runout]").count() == len(rows) + 1
    for row in rows[:6]:
        shown = page.locator(f'tr[data-runout="{row["card"]}"]').inner_text()
        assert _near(shown, 100 * row["x"]) and _near(shown, row["ev OOP"], 0.006)
    page.get_by_role("group", name="figure of the cards").get_by_text("check").click()
    shown = page.locator(f'[data-card="{rows[0]["card"]}"] small')
    assert _near(shown.inner_text(), 100 * rows[0]["x"], 0.51)
    page.locator('[data-card="As"]').click()
    _line(page, "x x | As")


def test_locks_by_class_and_by_hand_and_their_cost(page: Any, directory: Path) -> None:
    _open(page, "/study/river?line=x&side=lock&pin=KJs")
    page.get_by_label("IP plays").select_option("x")
    page.get_by_label("with", exact=True).select_option("class")
    page.get_by_role("button", name="Lock this decision").click()
    page.get_by_text("KJs: check 100 %").wait_for()
    page.locator("tr[data-hand] .link").first.click()
    hand = _query(page)["hand"]
    page.get_by_label("IP plays").select_option("b50")
    page.get_by_label("with", exact=True).select_option("hand")
    page.get_by_role("button", name="Lock this decision").click()
    page.get_by_text(f"KJs: check 100 %; {hand}: bet 50 100 %").wait_for()
    check_access(page)
    page.reload()  # what is locked stays
    page.get_by_text(f"KJs: check 100 %; {hand}: bet 50 100 %").wait_for()
    page.get_by_role("button", name="Solve again").click()
    told = page.get_by_text(re.compile(r"^The locks cost IP [−0-9.]+ chips"))
    told.wait_for()
    (cost,) = _numbers(told.inner_text())
    free = SolvedTree.open(directory / "river").node().seats[1].value
    page.get_by_role("link", name="Open the solution").click()
    page.get_by_role("heading", name="1 locked").wait_for()
    _line(page, "x")
    for row in page.locator("tr[data-hand]").all():
        shares = _numbers(row.locator("td div").first.inner_text())
        assert shares[0] == (0 if row.get_attribute("data-hand") == hand else 100)
    page.keyboard.press("Backspace")
    _line(page, "")
    value = _numbers(page.locator('tr[data-seat="IP"]').inner_text())[-1]
    assert value == pytest.approx(free - cost, abs=0.02)
    page.get_by_role("button", name="Export", exact=True).click()
    page.get_by_label("Name in the library").fill("locked")
    page.get_by_role("button", name="Save the solution").click()
    page.wait_for_url("**/study/locked*")
    _line(page, "")
    assert _numbers(page.locator('tr[data-seat="IP"]').inner_text())[-1] == value


def test_a_whole_decision_is_locked(page: Any) -> None:
    _open(page, "/study/river?line=x&side=lock")
    page.get_by_label("IP plays").select_option("mix")
    page.get_by_label("check, %").fill("50")
    assert page.get_by_role("button", name="Lock this decision").is_disabled()
    page.get_by_label("bet 50, %").fill("50")
    page.get_by_role("button", name="Lock this decision").click()
    with page.expect_request("**/api/solves") as asked:
        page.get_by_role("button", name="Solve again").click()
    assert asked.value.post_data_json["locks"] == [{"line": "x", "shares": {"x": 0.5, "b50": 0.5}}]
    page.get_by_text("The locks cost").wait_for()
    page.get_by_role("button", name="remove the lock at x").click()
    page.get_by_role("button", name="Solve again").wait_for(state="detached")


def test_two_solutions_are_compared(page: Any, directory: Path) -> None:
    one, two = (SolvedTree.open(directory / name) for name in ("river", "other"))
    _open(page, "/study/river?line=x&with=other&side=compare")
    there = {each.word: each for each in two.node("x").choices}
    for each in one.node("x").choices:
        shown = page.locator(f'.choice[data-word="{each.word}"] .choice-other')
        shown.wait_for()
        if each.word in there:
            assert _near(shown.inner_text(), 100 * there[each.word].share)
        else:
            assert shown.inner_text() == "not offered there"
    rows = Comparison.at(one, two, "x").table("hands", None)
    page.get_by_role("button", name="Hands", exact=True).click()
    table = page.get_by_role("region", name="differences")
    table.get_by_role("columnheader", name="hand", exact=True).wait_for()
    assert table.locator("tbody tr").count() == min(len(rows), 100)
    listed = page.get_by_label("Second solution").locator("option").all_inner_texts()
    assert {"none", "other", "turn"} <= set(listed) and "leduc" not in listed
    page.get_by_label("Second solution").select_option("")
    page.locator(".choice-other").first.wait_for(state="detached")


def test_a_solve_that_runs_is_studied(browser: Any, server: str) -> None:
    page = browser.new_page(base_url=server, viewport=SCREEN)  # at the end its console has a 409
    spot = {"board": "QsJh2h8d", "pot": 100, "stack": 200, "range_ip": "22+,A2s+"}
    wish = {"spot": {**spot, "range_oop": "22+,KQs,76s"}, "target": 1e-9, "seconds": 60}
    job = _post(server, "/solves", wish)["id"]
    page.goto(f"/study/solve/{job}")
    still = page.get_by_text(re.compile("after .* iterations, still being solved"))
    still.wait_for()
    before = still.inner_text()
    page.wait_for_function("before => !document.body.innerText.includes(before)", arg=before)
    assert page.locator(".range-panel .cell").count() == 169
    assert page.locator(".graph svg").count() == 1  # it stays while new figures come
    _post(server, f"/jobs/{job}/cancel", {})
    page.get_by_text("there is no solution yet").wait_for()
    page.close()


def test_exports(page: Any, directory: Path) -> None:
    tree = SolvedTree.open(directory / "river")
    node = tree.node("x")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _open(page, "/study/river?line=x&side=export")
    page.get_by_role("button", name="Copy the range").click()
    page.get_by_text("Copied:").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == str(range_of(tree.game, node.seats[1]))
    with page.expect_download() as started:
        page.get_by_role("button", name="download JSON").click()
    found = json.loads(Path(started.value.path()).read_text())
    assert found["hands"] == json.loads(json.dumps(node.to_json()["hands"]))
    with page.expect_download() as started:
        page.get_by_role("button", name="download CSV").click()
    with Path(started.value.path()).open() as file:
        rows = list(csv.DictReader(file))
    for row, expected in zip(rows, node.rows(1), strict=True):
        assert set(row) == set(expected)
        assert float(row["ev"]) == pytest.approx(expected["ev"])
        assert row["hand"] == expected["hand"] and row["made"] == expected["made"]
    practise = page.get_by_role("link", name="Practise this spot")
    assert practise.get_attribute("href") == "/practice/river?line=x"


@pytest.mark.parametrize("name", ["leduc", "kuhn", "liars-dice-1x6f"])
def test_small_games_show_all_hands(page: Any, directory: Path, name: str) -> None:
    found, tree = find_strategy(directory / name), SolvedTree.open(directory / name)
    _open(page, f"/study/{name}")
    for line in ("", tree.node().choices[0].word):
        _line(page, line)
        node, episode = tree.node(line), found.game.episode_of()
        if line:
            episode.choose(legal_slots(episode)[0])
        (mix,) = mixes(found.policy, [episode])
        table = page.get_by_role("region", name=f"hands of {node.acting.name}")
        for hand, row in zip(node.acting.hands, mix, strict=True):
            shown = table.locator(f'tr[data-hand="{hand}"]').inner_text()
            for probability in row[row > 0.005]:
                assert _near(shown, 100 * probability, 0.51)
        _check_choices(page, node)
        other = page.get_by_role("region", name=f"hands of {node.seats[1 - node.actor].name}")
        assert other.locator("tr[data-hand]").count() == len(node.seats[0].hands)
        if not line:
            page.keyboard.press("1")


def test_a_card_of_leduc_is_drawn(page: Any, directory: Path) -> None:
    node = SolvedTree.open(directory / "leduc").node("x x")
    _open(page, "/study/leduc?line=x x")
    for each in node.cards:
        shown = page.locator(f'.few-card[data-card="{each.card}"]').inner_text()
        assert _near(shown, each.values[0], 0.051)
    page.get_by_role("button", name="Report of all cards").click()
    page.locator('tr[data-runout="all"]').wait_for()
    page.locator('[data-card="Kd"]').click()
    _line(page, "x x | Kd")
    page.get_by_role("link", name="Show the tree below").click()
    page.wait_for_url("**/tree/leduc?line=x*")


def test_hold_em_from_preflop_to_the_river(page: Any) -> None:
    _open(page, "/study/hunl-deep-cfr")
    assert page.locator(".range-panel .cell").count() == 169
    assert page.get_by_role("button", name="Regret", exact=True).count() == 0  # no EVs, no regrets
    line = ""
    for call, cards in (("c x", "7h 8h 2c"), ("x x", "2d"), ("x x", "As")):
        for word in call.split():
            page.locator(f'.choice[data-word="{word}"]').click()
            line = f"{line} {word}".strip()
            _line(page, line)
        for card in cards.split():
            page.locator(f'[data-card="{card}"]').click()
        line = f"{line} | {cards.replace(' ', '')} |".removesuffix(" |")
        _line(page, line)
        line += " |"
    page.locator('.range-panel [data-cell="AA"]').click()
    page.locator('tr[data-hand="AhAc"]').wait_for()
    assert page.locator('tr[data-hand="AsAc"]').count() == 0  # the ace of spades is on the board
    page.locator('.crumb [data-line="r2bb"]').click()  # another way
    _line(page, "r2bb")
    page.get_by_role("button", name="amounts in bb").click()
    page.locator('.choice[data-word="c"]', has_text="call 2").wait_for()
    assert " bb" not in page.locator(".decision").inner_text()


def test_omaha_has_a_table_of_classes(page: Any, directory: Path) -> None:
    _open(page, "/study/omaha")
    page.get_by_text("A sample of 4,000 of 2,598,960 hands.").wait_for()
    page.get_by_role("button", name="AA, double suited").click()
    row = page.locator(".combos tr[data-hand]").first
    row.wait_for()
    assert row.get_attribute("data-hand").count("A") == 2
    page.keyboard.press("2")
    _line(page, "c")
    page.locator('tr[data-hand="AA, single-suited"]').wait_for()
    check_access(page)


def test_a_spot_as_training_went_on(page: Any, directory: Path) -> None:
    _open(page, "/study/run?line=x")
    page.get_by_text("the newest", exact=True).wait_for()
    slider = page.get_by_label("Checkpoint")
    for step in (40, 20):
        slider.focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_url(f"**step={step}")
        page.get_by_text(f"checkpoint of step {step}").wait_for()
        found = find_strategy(directory / "run", step=step)
        episode = found.game.episode_of()
        episode.choose(1)
        (mix,) = mixes(found.policy, [episode])
        table = page.get_by_role("region", name="hands of seat 1")
        assert _near(table.locator('tr[data-hand="Kd"]').inner_text(), 100 * mix[-1][1])
    page.reload()
    page.get_by_text("checkpoint of step 20").wait_for()
    page.goto("/study/one")
    page.get_by_text("The run kept only its newest strategy").wait_for()
    assert page.get_by_role("slider").count() == 0


def test_a_phone_shows_the_current_node_and_a_grid_to_zoom(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    _open(page, "/study/leduc?line=x x | Kd | x b4 r8")
    page.wait_for_function("document.querySelector('.crumbs').scrollLeft > 0")
    box = page.locator(".crumb.here").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    _open(page, "/study/river?line=x")
    page.get_by_role("button", name="Zoom").click()
    page.wait_for_function("document.querySelector('.cell').clientWidth > 50")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow  # test_layout.py has axe on other states of the page
@pytest.mark.parametrize(
    ("look", "width", "paths"),
    [
        ("light", 1440, ("river?line=x&ranges=both&view=ev", "turn?line=x x&report=1")),
        ("dark", 390, ("river?line=x&with=other&side=compare&pin=KJs", "liars-dice-1x6f")),
    ],
)
def test_everybody_can_use_the_page(
    page: Any, look: str, width: int, paths: tuple[str, ...]
) -> None:
    page.emulate_media(color_scheme=look)
    page.set_viewport_size({"width": width, "height": 900})
    for path in paths:
        _open(page, f"/study/{path}")
        page.wait_for_load_state("networkidle")
        check_access(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


@pytest.mark.parametrize(
    ("address", "line"),
    [("/study/nothing", "nothing in the library"), ("/study/leduc?line=x%20zz", "zz")],
)
def test_what_is_not_there_is_one_line(browser: Any, server: str, address: str, line: str) -> None:
    page = browser.new_page(base_url=server)  # the console has the answer's status
    page.goto(address)
    page.get_by_role("link", name="Go home").wait_for()
    assert line in page.get_by_role("main").inner_text()
    page.close()
