# SPDX-License-Identifier: MIT
"""Donk bets: sizes for bets into the one who bet last on the street before."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.face import rules_record
from regretless.games.menus import make_menu
from regretless.games.rules_record import recorded_game
from regretless.games.spots import make_spot
from regretless.solving.solution import solve
from regretless.solving.spot_options import SpotOptions
from test_spots import PROBLEMS, as_strategy, of_pot
from test_spots import solve as solver_of

BOARD = [0, 5, 10, 15, 20]
MENU = {"all": "50%", "donk": "-,100%"}  # a slot of its own, so that legal slots tell the row
SPOT = ("Td9d6hQc", 100, 1_000, "AA,KQs", "99,QJs")


def offered(episode: _native.PokerEpisode) -> dict[str, int]:
    names = zip(episode.game.action_names, episode.offer, strict=True)
    return {name: amount for name, amount in list(names)[2:] if amount is not None}


def begin(menu: Any, **options: Any) -> _native.PokerEpisode:
    return _native.PokerEpisode(load_game("nlhe", menu=menu, **options), [], BOARD)


def test_donk_sizes_hold_before_the_aggressor_speaks() -> None:
    episode = begin({"all": "50%,a", "donk": "25%"})
    for action in (300, 0):  # the button raises, the big blind calls
        episode.raise_to(action) if action else episode.call()
    assert offered(episode) == {"raise 1": 150}
    episode.call()
    assert offered(episode) == {"raise 1": 300, "all-in": 9_700}
    episode.call()  # a street without a bet has no aggressor
    assert offered(episode) == {"raise 1": 300, "all-in": 9_700}


def test_no_donk_bets_at_all_even_where_all_in_is_added() -> None:
    for none in ("none", "", []):
        menu = {"all": "50%", "turn": {"open": "50%", "donk": none}, "add_all_in": 1_000}
        episode = begin(menu)
        episode.raise_to(300)
        episode.call()
        assert len(offered(episode)) == 2  # the flop has no entry
        episode.call()
        episode.raise_to(300)
        episode.call()
        assert offered(episode) == {}
        episode.call()
        assert len(offered(episode)) == 2


@pytest.mark.parametrize("players", [2, 3, 5])
def test_rows_are_those_of_the_history(players: int) -> None:
    """Against the aggressor as it follows from the list of actions."""
    game = load_game("nlhe", players=players, menu=MENU, stacks=3_000)
    random, met = Random(players), set()
    for deal in range(300):
        episode = game.episode(7, deal)
        while not episode.is_terminal:
            raises = [(street, seat) for seat, street, action, _ in episode.events if action > 0]
            here = [seat for street, seat in raises if street == episode.street]
            before = [seat for street, seat in raises if street == episode.street - 1]
            spoke = [seat for seat, street, *_ in episode.events if street == episode.street]
            if not here and episode.street > 0:
                leads = bool(before) and before[-1] not in (episode.actor, *spoke)
                leads = leads and episode.stacks[before[-1]] > 0
                assert episode.legal[2:] in ([not leads, leads], [False, False])
                met.add((leads, any(episode.legal[2:])))
            slots = [slot for slot, is_legal in enumerate(episode.legal) if is_legal and slot > 0]
            episode.choose(random.choice(slots))
    assert met >= {(True, True), (False, True)}


def test_menus_without_donks_are_written_as_before() -> None:
    plain = make_menu({"all": "50%,a"}, 4)
    assert not plain.has_donks
    assert {len(street) for street in plain.rows(4)[0]} == {3}
    some = make_menu({"all": "50%,a", "turn": {"open": "50%", "donk": "25%"}}, 4)
    assert [len(street) for street in some.rows(4)[0]] == [3, 3, 4, 3]
    assert [len(street) for street in make_menu(MENU, 4).rows(4)[0]] == [3, 4, 4, 4]
    assert "aggressor" not in rules_record(make_spot(*SPOT, "50%,a").game)["start"]


def test_records_keep_donks_and_the_aggressor() -> None:
    for aggressor, seat in {"oop": 0, "ip": 1, "none": -1}.items():
        game = make_spot(*SPOT, MENU, aggressor=aggressor).game
        record = rules_record(game)
        assert record["start"].get("aggressor", -1) == game.aggressor == seat
        again = recorded_game(record, "test")
        assert isinstance(again, _native.Poker)
        assert rules_record(again) == record
        assert offered(again.episode_of()) == offered(game.episode_of())
        leads = {"raise 2": 100} if aggressor == "ip" else {"raise 1": 50}
        assert offered(game.episode_of()) == leads


@pytest.mark.parametrize("donks", [(), (0.25,)])
@pytest.mark.parametrize("aggressor", ["ip", "none"])
def test_brute_force_finds_the_same(donks: tuple[float, ...], aggressor: str) -> None:
    turn = PROBLEMS["turn"]
    seat = {"ip": 1, "none": None}[aggressor]
    betting = replace(turn.betting, bets=(0.75,), has_all_in=False, donks=donks, aggressor=seat)
    sizes = ",".join(f"{100 * size:g}%" for size in donks) or "none"
    menu = {"all": {"open": "75%", "raise": ""}, "donk": sizes}
    spot = make_spot(turn.board, 100, 250, *turn.ranges, menu, aggressor=aggressor)
    solver, oracle = solver_of(spot, 1_000), replace(turn, betting=betting).oracle()
    values, exploitability = of_pot(solver, 100)
    assert exploitability < 1e-3
    found, found_exploitability = oracle.evaluate(as_strategy(solver))
    assert found == pytest.approx(values, abs=1e-5)
    assert found_exploitability == pytest.approx(exploitability, abs=1e-5)
    assert values == pytest.approx(oracle.values(), abs=1e-3)


def test_the_options_of_solve(tmp_path: Path) -> None:
    lead = SpotOptions(*SPOT, bets="50%", donks="33%").spot()
    none = SpotOptions(*SPOT, bets="50%", donks="none").spot()
    other = SpotOptions(*SPOT, bets="50%", donks="33%", aggressor="oop").spot()
    assert lead is not None and none is not None and other is not None
    assert list(offered(lead.game.episode_of()).values()) == [33]
    assert list(offered(other.game.episode_of()).values()) == [50]
    assert set(solve(none, iterations=5).to_json()["root_mix"]) == {"check"}
    path = tmp_path / "menu.yaml"
    path.write_text("all: 50%\ndonk: none\n")
    from_file = SpotOptions(*SPOT, menu=path).spot()
    assert from_file is not None and offered(from_file.game.episode_of()) == {}
    with pytest.raises(InputError, match="--donks: write it into"):
        SpotOptions(*SPOT, menu=path, donks="33%").spot()


def test_what_is_wrong_is_named() -> None:
    wrong: dict[str, Any] = {
        "menu.preflop.donk": {"all": "50%", "preflop": {"open": "2u", "donk": "50%"}},
        "menu.flop.donk": {"all": "50%", "donk": "33"},
        "has no bet to multiply": {"all": "50%", "donk": "2x"},
        "put it into each seat": {"seats": [{"all": "50%"}] * 2, "donk": "50%"},
    }
    for place, menu in wrong.items():
        with pytest.raises(InputError, match=place):
            load_game("nlhe", menu=menu)
    with pytest.raises(InputError, match="aggressor: no 'button'"):
        make_spot(*SPOT, MENU, aggressor="button")
    with pytest.raises(InputError, match="aggressor: only donk sizes"):
        make_spot(*SPOT, "50%", aggressor="oop")
    with pytest.raises(ValueError, match=r"start.aggressor: no seat 2"):
        _native.Poker(load_game("nlhe").rules, load_game("nlhe").menu, aggressor=2)  # type: ignore[union-attr]
    record = rules_record(make_spot(*SPOT, MENU).game)
    record["start"]["aggressor"] = 5
    with pytest.raises(InputError, match="aggressor"):
        recorded_game(record, "file")
