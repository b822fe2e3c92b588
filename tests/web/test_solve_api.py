# SPDX-License-Identifier: MIT
"""Solves, ranges, presets and charts before the flop by the API."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from regretless import PreflopSpot, PushFoldSpot, solve_preflop, solve_push_fold
from regretless.notation.ranges import Range
from regretless.solvers.cuda.device import has_device
from regretless.solving.forecast import forecast_solve
from regretless.solving.presets import presets
from regretless.solving.spot_options import SpotOptions
from regretless.web.settings import Limits, Settings
from web_client import running

OOP, IP = "AA,KQs,JTs,99,AQ:0.5,76s", "22+,A9s+,KTs+"
LOCK = "x b50 = f 1"
Visit = Callable[[httpx.AsyncClient], Awaitable[None]]


def _visit(data: Path, visit: Visit) -> None:
    async def go() -> None:
        settings = Settings((), data=data, limits=Limits(job_bytes=1 << 28))
        async with running(settings) as client:
            await visit(client)

    asyncio.run(go())


async def _ended(client: httpx.AsyncClient, id: str) -> dict[str, Any]:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        job = (await client.get(f"/api/jobs/{id}")).json()
        if job["status"] not in ("waiting", "running"):
            return dict(job)
        await asyncio.sleep(0.02)
    raise AssertionError(job)


def test_ranges_by_the_api(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        async def asked(**given: Any) -> Any:
            return await client.post("/api/ranges", json=given)

        found = (await asked(text="22+,AKs:0.5", paint=["72o"], weight=0.3)).json()
        range_ = Range.parse("22+,AKs:0.5,72o:0.3")
        assert Range.parse(found["text"]) == range_
        assert found["combos"] == range_.num_combos == 94
        assert found["share"] == pytest.approx(range_.total_weight / 1326)
        assert found["weights"]["AKs"] == 0.5 and len(found["weights"]) == 169
        short = (await asked(text="66+", game="short-deck")).json()
        assert short["combos"] == 54 and len(short["weights"]) == 81
        omaha = (await asked(text="AsKsQhJd", game="plo4")).json()
        assert omaha["combos"] == 1 and omaha["weights"] == {}
        for wrong in ({"text": "ZZ"}, {"text": "AA", "paint": ["AKx"]}, {"text": "", "weight": 2}):
            assert (await asked(**wrong)).status_code == 422

    _visit(tmp_path, visit)


def test_a_solve_is_finished_early(tmp_path: Path) -> None:
    spot = {"board": "QsJh2h8d3c", "pot": 100, "stack": 200, "range_oop": OOP, "range_ip": IP}

    async def visit(client: httpx.AsyncClient) -> None:
        wish = {"spot": spot, "target": 1e-9, "locks": [LOCK]}
        id = (await client.post("/api/solves", json=wish)).json()["id"]
        while (await client.get(f"/api/jobs/{id}")).json()["progress"].get("iterations", 0) < 2:
            await asyncio.sleep(0.02)
        assert (await client.post(f"/api/solves/{id}/finish")).status_code == 200
        assert (await _ended(client, id))["status"] == "done"
        result = (await client.get(f"/api/jobs/{id}/result")).json()["result"]
        assert result["ev_oop"] + result["ev_ip"] == pytest.approx(100, abs=0.01)
        assert "lock_cost" not in result  # the solve without locks was left out
        assert (await client.post(f"/api/solves/{id}/finish")).status_code == 409
        small = {"game": "kuhn", "precision": 16}
        told = await client.post("/api/solves/forecast", json=small)
        assert told.json() == {"error": "precision: belongs to a spot"}

    _visit(tmp_path, visit)


def test_presets_and_options_by_the_api(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        listed = (await client.get("/api/presets")).json()
        assert [each["name"] for each in listed["presets"]] == list(presets())
        first = listed["presets"][-1]
        wish = {"spot": {**first["spot"], "board": "AsKd4h2c"}, "iterations": 10}
        forecast = (await client.post("/api/solves/forecast", json=wish)).json()
        spot = SpotOptions(board="AsKd4h2c", preset=first["name"]).spot()
        assert spot is not None
        expected = forecast_solve("dcfr", spot.game, {})
        assert forecast["decisions"] == expected.decisions
        assert forecast["seconds"] == pytest.approx(10 * forecast["iteration_seconds"])
        options = (await client.get("/api/solves/options")).json()
        names = {each["name"] for each in options["games"]}
        assert {"nlhe", "short-deck", "plo4", "kuhn", "leduc"} <= names
        assert options["devices"] == (["cpu", "cuda"] if has_device() else ["cpu"])

    _visit(tmp_path, visit)


def test_charts_of_two_players_are_there_at_once(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        answer = (await client.post("/api/preflop", json={"stack": 12, "ante": 0.1})).json()
        assert answer["job"] is None
        found, expected = answer["solution"], solve_preflop(PreflopSpot(stack=12, ante=0.1))
        assert found["exact"] and len(found["decisions"]) == 2
        assert [each["seat"] for each in found["players"]] == ["SB", "BB"]
        assert found["players"][0]["value"] == pytest.approx(expected.value)
        for i, each in enumerate(found["decisions"]):
            assert each["totals"] == pytest.approx(expected.totals(i).tolist(), abs=1e-6)
            assert each["strategy"][1] == pytest.approx(expected.strategy[i, 1].tolist(), abs=1e-4)
            assert each["evs"][1] == pytest.approx(expected.action_values[i, 1].tolist(), abs=1e-4)
        prizes = {"stacks": [12, 8], "prizes": [50, 30], "others": [20]}
        icm = (await client.post("/api/preflop", json=prizes)).json()["solution"]
        spot = PushFoldSpot(stacks=(12, 8), prizes=(50, 30), others=(20,))
        values = solve_push_fold(spot).values.tolist()
        assert [each["value"] for each in icm["players"]] == pytest.approx(values)
        assert icm["unit"] == "prize"
        for wrong in (
            {"stack": 1},
            {"players": 10},
            {"players": 3, "limp": True},
            {"stacks": [1, 2, 3], "players": 4},
            {"others": [5]},
            {"sizes": "zz"},
        ):
            told = await client.post("/api/preflop", json=wrong)
            assert told.status_code == 422, wrong

    _visit(tmp_path, visit)


def test_charts_of_a_tree_are_a_job(tmp_path: Path) -> None:
    tree = {"stack": 8, "sizes": "2u,a/a", "limp": True}

    async def visit(client: httpx.AsyncClient) -> None:
        job = (await client.post("/api/preflop", json=tree)).json()["job"]
        again = (await client.post("/api/preflop", json=tree)).json()
        assert again["job"] is None or again["job"]["id"] == job["id"]  # one job of a spot
        assert (await _ended(client, job["id"]))["status"] == "done"
        found = (await client.post("/api/preflop", json=tree)).json()["solution"]
        spot = PreflopSpot(stack=8, sizes="2u,a/a", limp=True)
        expected = solve_preflop(spot)
        assert found["players"][0]["value"] == pytest.approx(expected.value)
        assert not found["exact"] and "see a flop" in found["note"]
        lines = [tuple(each["line"]) for each in found["decisions"]]
        assert lines == [each.line for each in expected.decisions]

    _visit(tmp_path, visit)


def test_charts_of_many_are_cancelled(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        job = (await client.post("/api/preflop", json={"players": 6})).json()["job"]
        while not (await client.get(f"/api/jobs/{job['id']}")).json()["progress"]:
            await asyncio.sleep(0.02)
        await client.post(f"/api/jobs/{job['id']}/cancel")
        assert (await _ended(client, job["id"]))["status"] == "cancelled"

    _visit(tmp_path, visit)
