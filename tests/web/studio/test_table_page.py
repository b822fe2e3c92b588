# SPDX-License-Identifier: MIT
"""The table in a browser: what it shows is what the API and the package say, and no more."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regretless import export_onnx, open_bundle, solve
from regretless.matches.slot_values import SlotValues
from regretless.tables.review import ReviewedChoice, review
from regretless.web.play.finished_hands import filed_session, read_hands
from web_browser import check_access

SEAT = "regretless.seat"
NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "9": "nine", "8": "eight"}
RANKS |= {"7": "seven", "6": "six", "5": "five", "4": "four", "3": "three", "2": "two"}
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
SETTLED = ".play:not([data-moving]) .controls:not(.waiting)"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    export_onnx("nlhe6-nfsp", path / "nlhe6-nfsp.onnx")
    solve("leduc", iterations=100).write_bundle(path / "leduc")
    return path


def _keep(page: Any, name: str, value: object) -> None:
    """Has the browser keep a value for the page that is opened next."""
    page.goto("/api/games")
    page.evaluate("([name, value]) => localStorage.setItem(name, value)", [name, value])


def _seat(page: Any) -> dict[str, str]:
    found: dict[str, str] = json.loads(page.evaluate(f"localStorage.getItem('{SEAT}')") or "{}")
    return found


@pytest.fixture(autouse=True)
def _still(page: Any) -> None:
    """Nothing moves, unless a test asks for it."""
    page.emulate_media(reduced_motion="reduce")


def _settle(page: Any) -> None:
    page.locator(SETTLED).wait_for()


def _sit(page: Any, title: str) -> None:
    page.goto("/play")
    page.locator(".quick-table", has=page.get_by_text(title, exact=True)).click()
    _settle(page)


def _choose(page: Any, label: str, option: str) -> None:
    page.get_by_label(label, exact=True).select_option(option)


def _after(page: Any, act: Callable[[], None]) -> None:
    """Acts, and waits until the table shows what happened."""
    before = page.locator(".play").get_attribute("data-version")
    act()
    page.locator(f'.play:not([data-version="{before}"])').wait_for()
    _settle(page)


def _press(page: Any, key: str) -> None:
    _after(page, lambda: page.keyboard.press(key))


def _is_over(page: Any) -> bool:
    return bool(page.locator(".controls.over").count())


def _play_out(page: Any, key: str = "c") -> None:
    while not _is_over(page):
        _press(page, key)


def _state(page: Any, path: str = "") -> dict[str, Any]:
    """The answer of the API to the seat of the browser."""
    seat = _seat(page)
    answer = page.request.get(
        f"/api/tables/{seat['table']}{path}", headers={"X-Seat-Token": seat["token"]}
    )
    assert answer.ok, answer.text()
    found: dict[str, Any] = answer.json()
    return found


_DRAWN = """() => {
  const all = (selector, ...names) => [...document.querySelectorAll(selector)].map((each) =>
    names.map((name) => name.startsWith("aria") ? each.getAttribute(name)
      : Number((each.dataset[name] ?? each.querySelector(`[data-${name}]`)?.dataset[name]))));
  return { pots: all(".pots", "pot"), side: all(".side-pot", "chips"),
    bets: all("[data-bet]", "bet", "chips"), stacks: all(".seat", "seat", "stack"),
    board: all(".board .card", "aria-label") };
}"""


def _check_chips(page: Any) -> None:
    """Compares pot, pots, bets, stacks and board of the page with the state of the API."""
    seen, drawn = _state(page)["seen"], page.evaluate(_DRAWN)
    is_over, seats = seen["is_over"], list(enumerate(seen["seats"]))
    pots = [[each["chips"]] for each in seen["pots"]]
    won = [each["paid"] + each["payoff"] if is_over else 0 for _, each in seats]
    assert drawn["pots"] == [[seen["pot"]]]
    assert drawn["side"] == (pots if len(pots) > 1 else [])
    assert sorted(drawn["stacks"]) == [[seat, each["stack"] + won[seat]] for seat, each in seats]
    bets = [[seat, each["bet"]] for seat, each in seats if each["bet"] and not is_over]
    assert sorted(drawn["bets"]) == bets
    assert drawn["board"] == [[_name(each)] for each in seen["board"]]


def _name(card: str) -> str:
    return f"{RANKS[card[0]]} of {NAMES[card[1]]}"


def _others_cards(data: Path, table: str, hand: int, *, only_hidden: bool) -> list[str]:
    """Cards of the other players: all, or those that were not shown at the end."""
    rows = read_hands(data, table)
    row = next(each for each in rows if each["kind"] == "hand" and each["hand"] == hand)
    others = [
        text
        for seat, text in enumerate(row["hands"])
        if row["seats"][seat] != 0 and not (only_hidden and seat in row["shown"])
    ]
    return [text[at : at + 2] for text in others for at in range(0, len(text), 2)]


def _has(html: str, card: str) -> bool:
    return f"{card[0]}{SUITS[card[1]]}" in html or _name(card) in html


@pytest.mark.parametrize(
    ("title", "seats"),
    [("Heads-up", 2), pytest.param("Six-handed", 6, marks=pytest.mark.slow)],  # a walk has six, too
)
def test_ten_hands_by_clicks(page: Any, data: Path, title: str, seats: int) -> None:
    """Chips and cards are those of the API all the way; hidden cards are nowhere in the page."""
    page.emulate_media(reduced_motion="no-preference")
    _sit(page, title)
    assert page.locator(".seat").count() == seats
    table = _seat(page)["table"]
    for hand in range(10):
        pages = []
        while not _is_over(page):
            pages.append(page.locator("#app").inner_html() if hand == 0 else _shown(page))
            if hand < 3:
                _check_chips(page)
            act = "raise" if hand % 3 == 1 and len(pages) == 1 else "call"
            buttons = page.locator(f'[data-act="{act}"]')
            if not buttons.count():
                buttons = page.locator('[data-act="check"], [data-act="call"]')
            _after(page, buttons.first.click)
        others = _others_cards(data, table, hand, only_hidden=False)
        assert len(others) == 2 * (seats - 1)
        assert not [card for card in others for each in pages if _has(each, card)]
        hidden = _others_cards(data, table, hand, only_hidden=True)
        assert [card for card in others if _has(_shown(page), card)] == [
            card for card in others if card not in hidden
        ]
        _check_chips(page)
        labels = "cards => cards.map(each => each.getAttribute('aria-label'))"
        own = page.locator(".seat.own .held .card").evaluate_all(labels)
        ranks = [each.split()[0] for each in own]
        assert ranks == sorted(ranks, key=list(RANKS.values()).index)  # the highest first
        if hand == 1:
            page.emulate_media(reduced_motion="reduce")  # the rest in short
        if hand < 9:
            _after(page, page.get_by_role("button", name="Next hand").click)
    session = _state(page, "/hands")["session"]
    told = page.locator("[data-session]")
    assert told.get_attribute("data-session") == "10"
    mean, half = (
        float(each.replace(",", "").replace("−", "-"))
        for each in re.findall(r"[−+]?[0-9,.]+", told.inner_text())[:2]
    )
    assert mean == pytest.approx(session["per_100"], abs=0.5)
    assert half == pytest.approx(session["half_width"], abs=0.5)
    assert page.locator(".hand-row").count() == 10


def _shown(page: Any) -> str:
    """The table and the log as HTML; the list of hands has cards of other hands."""
    return str(page.locator(".play-table").inner_html() + page.locator(".log-panel").inner_html())


def test_side_pots_are_shown_as_they_are(page: Any) -> None:
    """A short stack is all-in, the two others go on: a main pot and a side pot."""
    players = [{"kind": "outside", "name": "you"}, {"kind": "bot", "name": "caller"}]
    request = {"players": [*players, {"kind": "bot", "name": "raiser"}], "game": "nlhe"}
    opened = page.request.post("/api/tables", data={**request, "stacks": [10000, 10000, 1500]})
    made = opened.json()
    _keep(page, SEAT, json.dumps({"table": made["table"], "token": made["tokens"][0]}))
    page.goto("/play")
    _settle(page)
    _check_chips(page)
    _press(page, "c")
    page.get_by_label("amount in bb").fill("10")
    _after(page, page.get_by_role("button", name="Bet 10 bb").click)
    _check_chips(page)
    assert page.locator(".side-pot").all_inner_texts() == ["main 45 bb", "side 1 20 bb"]
    assert page.locator('[data-seat="2"] .seat-stack').inner_text().endswith("all-in")
    _play_out(page)
    _check_chips(page)
    won = [each["payoff"] + each["paid"] for each in _state(page)["seen"]["seats"]]
    taken = page.locator("[data-won]").all_inner_texts()
    assert sorted(taken) == sorted(f"{each / 100:g} bb" for each in won if each)


def test_whoever_reloads_finds_hand_and_session(page: Any, data: Path) -> None:
    _sit(page, "Heads-up")
    _play_out(page)
    hands = 0
    while _is_over(page):  # also where everybody folds before us
        _press(page, "n")
        hands += 1
    seats = page.locator(".seat:not(.own)").all_inner_texts()
    log, cards = page.get_by_role("log").inner_text(), page.locator(".seat.own .held").inner_html()
    page.reload()
    _settle(page)
    page.get_by_role("heading", name=f"Hand {hands + 1}", exact=True).wait_for()
    assert page.locator(".seat:not(.own)").all_inner_texts() == seats
    assert page.get_by_role("log").inner_text() == log
    assert page.locator(".seat.own .held").inner_html() == cards
    page.locator(f'[data-session="{hands}"]').wait_for()
    # Another window of the same browser is at the same table, and both hear of what happens.
    other = page.context.new_page()
    other.goto("/play")
    _settle(other)
    _play_out(other)
    page.get_by_role("button", name="Next hand").wait_for()
    page.locator(f'[data-session="{hands + 1}"]').wait_for()
    # The token is in no address and in no log.
    token = _seat(page)["token"]
    assert token not in page.url + (data / "server.log").read_text()
    assert token not in (data / "hands.jsonl").read_text()
    # With somebody in mind one is asked; whoever has left is asked to choose a table.
    other.goto("/play?with=leduc")
    other.get_by_role("button", name="Go back to your table").wait_for()
    assert other.get_by_label("Seat 2").input_value() == "leduc"
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Sit down").wait_for()
    assert _seat(page) == {}
    # The session of a table that is closed can be read, replayed and downloaded.
    page.locator(f'[data-past="{hands + 1}"]').wait_for()
    with page.expect_download() as started:
        page.get_by_role("button", name="Download PHH").click()
    assert Path(started.value.path()).read_text().count("variant = 'NT'") == hands + 1
    page.get_by_role("button", name="Replay and review").click()
    page.locator(".controls.replaying").wait_for()
    assert page.locator(".hand-row").count() == hands + 1


def test_a_server_that_forgot_the_table_leaves_its_hands(page: Any) -> None:
    """A seat whose table is closed elsewhere becomes the last session."""
    _sit(page, "Leduc")
    _play_out(page)
    seat = _seat(page)
    page.request.delete(f"/api/tables/{seat['table']}", headers={"X-Seat-Token": seat["token"]})
    page.get_by_text("The table is closed: a player closed it.").wait_for()
    _keep(page, SEAT, json.dumps(seat))
    page.goto("/play")
    page.locator('[data-past="1"]').wait_for()
    assert _seat(page) == {}


@pytest.mark.parametrize("bad", ["{", "7", '{"table": 1}', '{"table": "x", "token": "y"}'])
def test_a_bad_seat_does_no_harm(loose: Any, bad: str) -> None:
    _keep(loose, SEAT, bad)
    loose.goto("/play")
    loose.get_by_role("button", name="Sit down").wait_for()
    assert _seat(loose) == {}


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_replay_step_by_step_on_a_phone(page: Any, look: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    _keep(page, "regretless", json.dumps({"look": look}))
    page.goto("/play")
    page.get_by_role("button", name="Sit down").wait_for()
    check_access(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    _sit(page, "Six-handed")
    while _is_over(page):
        _press(page, "n")
    check_access(page)
    for each in page.locator(".controls button").all():
        box = each.bounding_box()
        assert box["height"] >= 36
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    _play_out(page)
    end = page.locator(".room").inner_text()
    page.locator('.hand-row[data-hand="0"]').click()
    page.locator('[data-step="0"]').wait_for()
    steps = int(re.findall(r"0 of ([0-9]+): the deal", page.locator("[data-step]").inner_text())[0])
    check_access(page)
    for step in range(1, steps + 1):
        page.keyboard.press("ArrowRight")
        page.locator(f'[data-step="{step}"]').wait_for()
    _settle(page)
    first = _state(page, "/hands/0")["steps"]
    assert len(first) == steps + 1
    if _state(page)["hand"] == 0:
        assert page.locator(".room").inner_text() == end
    page.get_by_role("button", name="back", exact=True).click()
    page.locator(f'[data-step="{steps - 1}"]').wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Escape")
    page.locator(".controls.over").wait_for()


def test_a_network_and_bots_at_one_table(page: Any) -> None:
    """A model brings its game; bets off its menu are reviewed as it sees them."""
    _keep(page, "regretless", json.dumps({"unit": "chips"}))
    page.goto("/play")
    _choose(page, "Game", "leduc")
    _choose(page, "Seat 2", "nlhe6-nfsp.onnx")
    _choose(page, "Seat 4", "caller")
    _choose(page, "Seat 5", "random")
    page.get_by_role("button", name="Sit down").click()
    _settle(page)
    assert page.locator(".seat").count() == 6
    is_reviewed = False
    for _ in range(20):
        has_bet = False
        while not _is_over(page):
            bet = page.get_by_role("button", name=re.compile("^(Bet|Raise to) [0-9,]+$"))
            if not has_bet and bet.count() and page.get_by_role("slider").count():
                least = int(page.get_by_label("amount in chips").input_value())
                page.get_by_label("amount in chips").fill(str(least + 7))
                _after(page, page.get_by_role("button", name=f" {least + 7:,}").click)
                has_bet = True
            else:
                _press(page, "c")
        if has_bet:  # all others may have folded before
            page.get_by_role("button", name="Review", exact=True).click()
            page.locator(".decision-row").first.wait_for()
            is_reviewed = page.get_by_text(re.compile("seen as ")).count() > 0
        if is_reviewed:
            break
        _press(page, "n")
    assert is_reviewed
    check_access(page)
    names = page.locator(".seat-name").all_inner_texts()
    assert {"You", "Caller", "Dice"} <= set(names)
    assert any(each.startswith("nlhe6-nfsp.onnx") for each in names)


def test_mistakes_are_reviewed_worst_first(page: Any, data: Path, directory: Path) -> None:
    """The EV lost is that of the package; a click replays the hand at that decision."""
    _sit(page, "Leduc")
    for _ in range(4):
        while not _is_over(page):
            _press(page, "r" if page.locator('[data-act="raise"]').count() else "c")
        _press(page, "n")
    _play_out(page)
    seat = _seat(page)
    found = _reviewed(directory, filed_session(data, seat["table"], seat["token"]))
    page.get_by_role("button", name="Review mistakes").click()
    page.locator(".decision-row").first.wait_for()
    shown = page.locator(".decision-row").all()
    assert len(shown) == len(found)
    wanted = sorted(found.values(), key=lambda each: -(each.lost or 0))
    for row, each in zip(shown, wanted, strict=True):
        hand, step = map(int, row.get_attribute("data-decision").split())
        here = found[hand, step]
        assert here.lost == pytest.approx(each.lost)
        assert f"You: {here.chosen}" in row.inner_text()
        lost = re.findall(r"−([0-9.]+)\n", row.inner_text())
        if here.lost is not None and here.lost > 0.005:
            assert float(lost[0]) == pytest.approx(here.lost, abs=0.006)
    hand, step = shown[0].get_attribute("data-decision").split()
    shown[0].click()
    page.locator(f'[data-step="{step}"]').wait_for()
    page.get_by_role("heading", name=f"Replay of hand {int(hand) + 1}").wait_for()
    check_access(page)


def _reviewed(directory: Path, session: Any) -> dict[tuple[int, int], ReviewedChoice]:
    """All decisions of the player, by hand and step, from the bundle itself."""
    bundle = open_bundle(directory / "leduc")
    values = SlotValues(session.game, bundle.policy())
    found = {}
    for row in session.rows:
        seat = row["seats"].index(session.player)
        for each in review(session.episode(row["hand"]), seat, bundle.policy(), values):
            found[row["hand"], each.step] = each
    return found


@pytest.mark.parametrize(
    ("game", "has_slider", "has_all_in"),
    [
        ("plo4", True, False),
        ("limit-holdem", False, False),
        pytest.param("nlhe", True, True, marks=pytest.mark.slow),
    ],
)
def test_controls_of_the_game(page: Any, game: str, has_slider: bool, has_all_in: bool) -> None:
    """By keyboard alone: the form, the sizes, the number, the slider."""
    _keep(page, "regretless", json.dumps({"unit": "chips"}))
    page.goto("/play")
    _choose(page, "Game", game)
    _choose(page, "Seat 2", "caller")
    page.get_by_role("button", name="Sit down").focus()
    page.keyboard.press("Enter")
    _settle(page)
    while _is_over(page):
        _press(page, "n")
    slider = page.get_by_role("slider")
    assert bool(slider.count()) == has_slider
    assert bool(page.get_by_role("button", name="all-in").count()) == has_all_in
    if has_slider:
        sizes = page.locator(".mark").all_inner_texts()
        page.keyboard.press(str(sizes.index("pot") + 1))
        page.get_by_role("button", name=re.compile("^(Bet|Raise to) 300$")).wait_for()
        assert slider.input_value() == "300"
        assert slider.get_attribute("min") == "200"
        assert (slider.get_attribute("max") == "300") == (game == "plo4")
        slider.focus()
        page.keyboard.press("ArrowLeft")
        page.get_by_role("button", name=re.compile("^(Bet|Raise to) 250$")).wait_for()
        page.get_by_label("amount in chips").fill("230")
        _press(page, "Enter")
        assert re.search(r"(bet|raise to) 230", page.get_by_role("log").inner_text())
    else:
        assert page.locator('[data-act="raise"]').count() == 1
    page.keyboard.press("Tab")
    _play_out(page)
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Sit down").wait_for()


def test_dice_are_played_with_keys(page: Any) -> None:
    """A game without chips has its choices as buttons and its state as text."""
    _sit(page, "Liar's Dice")
    assert "bids: " in page.locator(".state-words").inner_text()
    _play_out(page, "1")
    assert page.locator("[data-session]").inner_text().endswith("points/100 hands")
    assert page.get_by_role("button", name="Download PHH").count() == 0
    page.locator(".hand-row").click()
    page.locator('[data-step="0"]').wait_for()
    check_access(page)


def test_the_next_hand_comes_by_itself(page: Any) -> None:
    _sit(page, "Kuhn")
    _play_out(page)
    page.get_by_label("Deal by itself").check()
    page.get_by_role("heading", name="Hand 2", exact=True).wait_for()
    assert _state(page)["hand"] == 1


_HOLD = """() => {
  const { fetch } = window;
  const held = new Promise((release) => { window.release = release; });
  window.fetch = async (...asked) => {
    if (String(asked[0]).endsWith("/actions")) await held;
    return fetch(...asked);
  };
}"""


def test_whoever_takes_long_is_shown_to_think(page: Any) -> None:
    _sit(page, "Leduc")
    while _is_over(page):
        _press(page, "n")
    page.evaluate(_HOLD)
    page.keyboard.press("c")
    page.locator(".seat:not(.own) .thinking").wait_for()
    page.get_by_text(re.compile("^Thinking, [0-9]+ s$")).wait_for()
    assert page.locator(".controls button").count() == 0
    _after(page, lambda: page.evaluate("release()"))
    page.locator(".thinking").wait_for(state="detached")


def test_stacks_and_hands_of_a_table_of_ones_own(page: Any) -> None:
    page.goto("/play")
    _choose(page, "Game", "limit-holdem")
    _choose(page, "Seats", "3")
    _choose(page, "Seat 2", "raiser")
    page.get_by_label("Stacks (bb)").fill("20")
    page.get_by_label("Hands").fill("1")
    page.get_by_role("button", name="Sit down").click()
    _settle(page)
    seats = _state(page)["seen"]["seats"]
    assert [each["stack"] + each["paid"] for each in seats] == [2000] * 3
    _play_out(page)
    page.get_by_text("All hands of this table have been played.").wait_for()


def test_a_game_with_fewer_seats_is_refused_in_one_line(loose: Any) -> None:
    loose.goto("/play")
    _choose(loose, "Game", "leduc")
    _choose(loose, "Seats", "4")
    loose.get_by_role("button", name="Sit down").click()
    loose.get_by_role("alert").get_by_text("leduc: players: at most 2").wait_for()
