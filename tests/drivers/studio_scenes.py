# SPDX-License-Identifier: MIT
"""A small library and the states of every page of the studio: for pictures and for measures."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from regretless import solve, train
from regretless.solving.spot_options import SpotOptions
from web_browser import settle

LOOKS = ("dark", "light")
SIZES = ((1440, 900), (1920, 1080), (390, 844))
_RANGES = (
    "99-22,ATs-A2s,K9s+,Q9s+,J8s+,T8s+,97s+,86s+,75s+,65s,54s,AJo-A8o,KTo+,QTo+,JTo",
    "22+,A2s+,K8s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,A9o+,KTo+,QTo+,JTo",
)
_FLOP_RANGES = ("TT-66,AQs-A9s,KTs+,QTs+,JTs,AQo", "77+,ATs+,KTs+,QJs,JTs,AJo+,KQo")


def fill(directory: Path) -> None:
    """Solves a river, a turn, a flop and Leduc, and trains two recipes with two seeds each."""
    for name, board, stack, ranges in (
        ("river", "QsJh2h8d3c", 250, _RANGES),
        ("turn", "QsJh2h8d", 250, _RANGES),
        ("flop", "QsJh2h", 120, _FLOP_RANGES),
    ):
        bets = "50%,100%" if name != "flop" else "60%"
        spot = SpotOptions(board, 60, stack, *ranges, bets=bets).spot()
        assert spot is not None
        solve(spot, target=0.5).write_bundle(directory / f"btn-bb-{name}")
    solve("leduc", iterations=300).write_bundle(directory / "leduc")
    _train(directory, "kuhn_cfr", 1, "budget.steps=2000")
    for name in ("cfr", "dcfr"):
        often = ("evaluate.every_steps=20", "log.every_steps=20", "budget={steps: 600}")
        _train(directory, "leduc_cfr", 0, f"algorithm.name={name}", *often, name=f"leduc_{name}")
    for seed in (1, 2):
        measured = "evaluate={every_steps: 5, measures: [exact]}"
        few = ("budget.steps=150", "algorithm.iterations_per_step=1000", "checkpoint.keep=20")
        _train(directory, "leduc_mccfr", seed, *few, measured, "checkpoint.every_steps=10")


def _train(directory: Path, recipe: str, seed: int, *overrides: str, name: str = "") -> None:
    place = directory / f"{name or recipe}-{max(seed, 1):03}"
    train(recipe, f"seed={seed}", f"output={place}", *overrides)


def views(page: Any) -> Iterator[tuple[str, tuple[int, int]]]:
    """Shows a page in every size and look."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for look in LOOKS:
            page.emulate_media(color_scheme=look)
            page.mouse.move(0, 0)
            settle(page)
            yield look, (width, height)


def _home(page: Any) -> None:
    for address in ("/study/leduc", "/study/btn-bb-turn"):
        page.goto(address)
        page.get_by_text("to act").first.wait_for()
    page.goto("/")
    page.get_by_text("btn-bb-turn").first.wait_for()


def _study_turn(page: Any) -> None:
    page.goto("/study/btn-bb-turn?line=x&pin=QTs")
    page.get_by_text("pinned").wait_for()


def _study_card(page: Any) -> None:
    page.goto("/study/btn-bb-turn?line=x%20b60%20c")
    page.locator(".deck-card").first.wait_for()


def _study_leduc(page: Any) -> None:
    page.goto("/study/leduc?line=x%20r")
    page.get_by_text("to act").first.wait_for()


def _study_network(page: Any) -> None:
    page.goto("/study/hunl-deep-cfr")
    page.locator(".hand-grid").first.wait_for()


def _solve(page: Any) -> None:
    page.goto("/solve?board=QsJh2h8d")
    page.get_by_text("per iteration").wait_for()


def _solved(page: Any) -> None:
    _solve(page)
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_text("done: ").wait_for()
    page.get_by_text("EV OOP").first.wait_for()


def _tree(page: Any) -> None:
    page.goto("/tree/leduc")
    page.get_by_text("infosets").first.wait_for()


def _preflop(page: Any) -> None:
    page.goto("/preflop?stack=12")
    page.locator(".hand-grid").first.wait_for()


def _preflop_six(page: Any) -> None:
    page.goto("/preflop?players=6&stack=12")
    page.locator(".hand-grid").first.wait_for(timeout=300_000)
    page.get_by_role("button", name="BTN", exact=True).click()
    page.get_by_text("BTN after").first.wait_for()


def _lobby(page: Any) -> None:
    page.goto("/play")
    page.get_by_role("heading", name="Your own table").wait_for()


def _sit(page: Any, others: list[tuple[str, str]], calls: int, **given: Any) -> None:
    """Sits down at a table with a seed, and checks or calls a few times."""
    named = [{"kind": kind, "name": name} for kind, name in others]
    players = [{"kind": "outside", "name": "you"}, *named]
    opened = page.request.post("/api/tables", data={"players": players, **given}).json()
    seat = {"table": opened["table"], "token": opened["tokens"][0]}
    page.goto("/design")
    page.evaluate("(seat) => localStorage.setItem('regretless.seat', JSON.stringify(seat))", seat)
    page.goto("/play")
    for _ in range(calls):
        _act(page, ".act.call, .act.check")
    page.locator(".controls .act").first.wait_for()


def _act(page: Any, which: str) -> None:
    version = page.locator(".play").get_attribute("data-version")
    page.locator(".controls").locator(which).first.click()
    page.locator(f'.play:not([data-version="{version}"]):not([data-moving])').wait_for()


def _heads_up(page: Any) -> None:
    _sit(page, [("strategy", "hunl-deep-cfr")], 3, seed=4)


def _six(page: Any) -> None:
    _sit(page, [("strategy", "nlhe6-nfsp")] * 5, 2, seed=17)


def _nine(page: Any) -> None:
    names = ("raiser", "caller", "caller", "pot-odds", "caller", "raiser", "caller", "caller")
    stacks = [9000, 1200, 700, 9000, 1800, 9000, 900, 2600, 9000]
    _sit(page, [("bot", each) for each in names], 2, seed=6, game="nlhe", stacks=stacks)


def _replay(page: Any) -> None:
    _heads_up(page)
    _act(page, ".act.fold")
    page.locator(".hand-row").first.click()
    page.get_by_role("button", name="forward").click()
    page.locator(".replay-text").wait_for()


def _practice(page: Any) -> None:
    page.goto("/practice/btn-bb-turn")
    page.locator(".practice-answer").first.wait_for()


def _practised(page: Any) -> None:
    _practice(page)
    for place in (1, 2, 1, 1, 2, 1):
        page.keyboard.press(str(place))
        page.locator(".graded").wait_for()
        page.keyboard.press("Enter")
        page.get_by_text("Your action?").wait_for()
    page.keyboard.press("2")
    page.locator(".graded").wait_for()


def _chooser(page: Any) -> None:
    page.goto("/practice")
    page.get_by_text("btn-bb-turn").wait_for()


def _runs(page: Any) -> None:
    runs = "leduc_cfr-001,leduc_dcfr-001,leduc_mccfr-001,leduc_mccfr-002"
    page.goto(f"/runs?run=leduc_mccfr-001&runs={runs}&x=iterations")
    page.locator(".chart .curve").first.wait_for()


def _over_time(page: Any) -> None:
    page.goto("/runs?view=strategy&run=leduc_mccfr-001")
    page.locator(".chart .curve").first.wait_for()


def _new_run(page: Any) -> None:
    page.goto("/runs?new=1")
    page.get_by_label("Recipe").first.wait_for()


def _leaderboard(page: Any) -> None:
    page.goto("/leaderboard")
    page.get_by_text("leduc_dcfr-001").first.wait_for()


def _cross(page: Any) -> None:
    players = "leduc,leduc_cfr-001,bot:random,bot:caller,bot:pot-odds"
    page.goto(f"/cross?players={players}&hands=4000")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("td", has_text="±").first.wait_for()


def _design(page: Any) -> None:
    page.goto("/design")
    page.get_by_role("heading", name="Design").wait_for()


def _dialog(page: Any) -> None:
    _design(page)
    page.get_by_role("button", name="settings").click()
    page.get_by_role("dialog", name="Settings").wait_for()


def _api(page: Any) -> None:
    page.goto("/api/docs")
    page.locator("summary").first.click()


def _missing(page: Any) -> None:
    page.goto("/nothing/here")
    page.get_by_text("There is no page").wait_for()


SCENES: dict[str, Callable[[Any], None]] = {
    "home-recent": _home,
    "study-turn": _study_turn,
    "study-card": _study_card,
    "study-leduc": _study_leduc,
    "study-network": _study_network,
    "solve-form": _solve,
    "solve-done": _solved,
    "tree-leduc": _tree,
    "preflop-two": _preflop,
    "preflop-six": _preflop_six,
    "play-lobby": _lobby,
    "play-two": _heads_up,
    "play-six": _six,
    "play-nine": _nine,
    "play-replay": _replay,
    "practice-strategies": _chooser,
    "practice-question": _practice,
    "practice-answer": _practised,
    "runs-curves": _runs,
    "runs-strategy": _over_time,
    "runs-new": _new_run,
    "leaderboard-all": _leaderboard,
    "cross-result": _cross,
    "design-all": _design,
    "design-settings": _dialog,
    "api-docs": _api,
    "missing-page": _missing,
}
"""Functions that bring a page to a state, by the names of page and state."""
# Half a minute of work before it is shown; two whose parts other scenes show.
SLOW = {"preflop-six", "design-settings", "solve-form"}
