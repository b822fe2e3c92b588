# SPDX-License-Identifier: MIT
"""The explorer by the API: nodes and curves, trees, infosets, steps, locks, solves."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from regretless import solve, train
from regretless.explorer.hand_filter import HandFilter
from regretless.explorer.locks import Lock, lock_as_played
from regretless.explorer.nodes import SolvedTree
from regretless.explorer.runouts import find_runouts
from regretless.games.spots import Spot
from regretless.solving.spot_options import SpotOptions
from regretless.web.settings import Settings
from web_client import running

Visit = Callable[[httpx.AsyncClient], Awaitable[None]]


@pytest.fixture(scope="module")
def spot() -> Spot:
    found = SpotOptions("QsJh2h8d3c", 100, 200, "AA,KQs,76s,T9s", "99,AQs,KJs,22").spot()
    assert found is not None
    return found


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory, spot: Spot) -> Path:
    path = tmp_path_factory.mktemp("library")
    solve(spot, target=0.1).write_bundle(path / "river")
    solve("leduc", iterations=20).write_bundle(path / "leduc")
    config = path / "run.yaml"
    config.write_text(
        "game: kuhn\nalgorithm: {name: cfr}\nbudget: {steps: 30}\n"
        "evaluate: {every_steps: 10}\ncheckpoint: {every_steps: 10, keep: 9}\n"
    )
    train(config, f"output={path / 'run'}")
    own = path / "own"
    own.mkdir()
    (own / "metrics.jsonl").touch()
    (own / "config.yaml").write_text("game: kuhn\nalgorithm: {name: 'evil.py:Cfr'}\n")
    return path


def _visit(directory: Path, data: Path, visit: Visit) -> None:
    async def go() -> None:
        async with running(Settings((directory,), data=data)) as client:
            await visit(client)

    asyncio.run(go())


async def _result(client: httpx.AsyncClient, wish: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    id = (await client.post("/api/solves", json=wish)).json()["id"]
    for _ in range(600):
        job = (await client.get(f"/api/jobs/{id}")).json()
        if job["status"] not in ("waiting", "running"):
            break
        await asyncio.sleep(0.05)
    assert job["status"] == "done", job
    return id, (await client.get(f"/api/jobs/{id}/result")).json()["result"]


def test_nodes_trees_infosets_and_steps(directory: Path, tmp_path: Path) -> None:
    tree = SolvedTree.open(directory / "leduc")

    async def visit(client: httpx.AsyncClient) -> None:
        asked = {"id": "leduc", "line": "x"}
        node = (await client.post("/api/node", json=asked)).json()
        assert node["ranges"][0]["ev"] == pytest.approx(tree.node("x").seats[0].value)
        assert set(node["equity_curves"]) == {"seat 0", "seat 1"}
        told = (await client.post("/api/tree", json={**asked, "depth": 1})).json()
        assert [each["word"] for each in told["children"]] == ["x", "b2"]
        rows = (await client.post("/api/infosets", json={**asked, "hand": "K"})).json()
        assert rows["total"] > len(rows["rows"]) == 100
        steps = (await client.get("/api/library/run/steps")).json()
        assert [each["step"] for each in steps] == [10, 20]  # the bundle has the last
        mixes = []
        for step in (10, 20, None):
            wanted = {"id": "run", "line": "x", "step": step}
            mixes.append((await client.post("/api/node", json=wanted)).json()["choices"])
        assert mixes[0] != mixes[1] != mixes[2]
        assert (await client.get("/api/library/leduc/steps")).json() == []
        for wrong in ({"id": "run", "step": 15}, {"id": "leduc", "step": 10}, {"id": "own"}):
            answer = await client.post("/api/node", json=wrong)
            assert answer.status_code in (400, 422), answer.text
        bad = await client.post("/api/node", json={"id": "own", "step": 1})
        assert "an algorithm that is no known name" in bad.json()["error"]

    _visit(directory, tmp_path, visit)


def test_filters_runouts_and_comparison(directory: Path, tmp_path: Path) -> None:
    river, leduc = (SolvedTree.open(directory / name) for name in ("river", "leduc"))

    async def visit(client: httpx.AsyncClient) -> None:
        asked = {"id": "river", "line": "x", "made": "set,overpair", "seat": 1}
        node = (await client.post("/api/node", json=asked)).json()
        expected = HandFilter(made="set,overpair").apply(river.node("x"), 1).to_json()
        assert node["hands"] == expected["hands"] and node["classes"] == expected["classes"]
        assert {row["made"] for row in node["hands"] if row["seat"] == "IP"} == {"set"}
        table = (await client.post("/api/runouts", json={"id": "leduc", "line": "x x"})).json()
        assert table["cards"] == [each.row() for each in find_runouts(leduc, "x x")]
        asked = {"first": "leduc", "second": "leduc", "by": "nodes"}
        same = (await client.post("/api/comparison", json=asked)).json()
        assert same["settings"] == {} and all(row["distance"] == 0 for row in same["rows"])
        for path, wrong in (
            ("node", {"id": "river", "made": "no"}),
            ("node", {"id": "river", "seat": 2}),
            ("node", {"id": "leduc", "draw": "gutshot"}),
            ("runouts", {"id": "river"}),
            ("runouts", {"id": "own"}),
            ("comparison", {"first": "leduc", "second": "river"}),
        ):
            answer = await client.post(f"/api/{path}", json=wrong)
            assert answer.status_code == 422 and len(answer.json()["error"].splitlines()) == 1

    _visit(directory, tmp_path, visit)


def test_locks_and_what_they_cost(directory: Path, tmp_path: Path, spot: Spot) -> None:
    tree = SolvedTree.open(directory / "river")
    free = solve(spot, target=0.1).to_json()["ev_ip"]
    locked = solve(spot, target=0.1, locks=[Lock("x", {"x": 1.0})]).to_json()["ev_ip"]
    played = [
        {"line": each.line, "shares": dict(each.shares), "hands": each.hands}
        for each in lock_as_played(tree.node("x"))
    ]

    async def visit(client: httpx.AsyncClient) -> None:
        wish: dict[str, Any] = {"id": "river", "target": 0.1}
        for locks in (["x = x 1"], [{"line": "x", "shares": {"x": 1}}]):
            id, result = await _result(client, {**wish, "locks": locks})
            assert result["lock_cost"]["ip"] == pytest.approx(free - locked, abs=0.2)
            node = (await client.post(f"/api/solves/{id}/node", json={"line": "x"})).json()
            assert node["iterations"] == result["iterations"]
            assert node["choices"][0]["share"] == pytest.approx(1)
        _, result = await _result(client, {**wish, "locks": played})
        assert abs(result["lock_cost"]["ip"]) < 0.3
        options = {"board": "QsJh2h8d3c", "pot": 100, "stack": 200}
        options |= {"range_oop": "AA,KQs,76s,T9s", "range_ip": "99,AQs,KJs,22"}
        _, result = await _result(client, {"spot": options, "target": 0.1, "locks": ["x = x 1"]})
        assert result["lock_cost"]["ip"] == pytest.approx(free - locked, abs=0.2)
        for wrong in (
            {"id": "leduc"},
            {"id": "river", "spot": options},
            {"game": "kuhn", "locks": ["x = x 1"]},
            {"id": "river", "locks": ["x = x"]},
        ):
            answer = await client.post("/api/solves", json=wrong)
            assert answer.status_code in (400, 422), answer.text
            assert len(answer.json()["error"].splitlines()) == 1

    _visit(directory, tmp_path, visit)
