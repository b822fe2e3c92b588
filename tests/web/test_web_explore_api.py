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
from regretless.explorer.locks import Lock
from regretless.explorer.node_text import range_of
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


def test_a_node_as_columns(directory: Path, tmp_path: Path) -> None:
    tree = SolvedTree.open(directory / "river")
    node = tree.node("x")

    async def visit(client: httpx.AsyncClient) -> None:
        asked = {"id": "river", "line": "x"}
        found = (await client.post("/api/study", json=asked)).json()
        assert (found["line"], found["board"], found["actor"]) == ("x", node.board, 1)
        assert found["is_solved"] and found["is_spot"] and found["kind"] == "bundle"
        assert [spot["chosen"] for spot in found["spots"]] == ["x", ""]
        words = [each.word for each in node.choices]
        assert [word for word, _, _ in found["spots"][-1]["choices"]] == words
        for seat, expected in zip(found["seats"], node.seats, strict=True):
            assert seat["hands"] == expected.hands
            assert seat["weights"] == pytest.approx(expected.weights, abs=1e-4)
            assert seat["shares"] == pytest.approx(expected.shares, abs=1e-6)
            assert seat["values"] == pytest.approx(expected.values, abs=1e-4)
            classes = node.made_hands(expected.seat)
            assert classes is not None and seat["made"] == classes.made.tolist()
            for name, flags in zip(found["draw_names"], classes.draws.T, strict=True):
                bit = 1 << found["draw_names"].index(name)
                assert [bool(each & bit) for each in seat["draws"]] == flags.tolist()
        for choice, wanted in zip(found["choices"], node.choices, strict=True):
            assert choice["share"] == pytest.approx(wanted.share)
            assert choice["mix"] == pytest.approx(wanted.mix, abs=1e-4)
        equities = (await client.post("/api/study/equities", json=asked)).json()["equities"]
        for column, expected in zip(equities, node.seats, strict=True):
            assert column == pytest.approx(expected.equities, abs=1e-4)
        rows = (await client.post("/api/study/tree", json=asked)).json()["rows"]
        assert [row["word"] for row in rows if row["depth"] == 0] == words
        below = tree.node("x b50")
        answers = [row for row in rows if row["depth"] == 1 and row["line"].startswith("x b50 ")]
        assert [row["share"] for row in answers] == pytest.approx([c.share for c in below.choices])
        for seat in node.seats:
            text = (await client.post("/api/study/range", json={**asked, "seat": seat.seat})).json()
            assert text == {"text": str(range_of(tree.game, seat))}
        for path, wrong in (
            ("/api/study", {"id": "river", "line": "x zz"}),
            ("/api/study", {"id": "solve/none"}),
            ("/api/study", {"id": "river", "unit": "euros"}),
            ("/api/study/range", {**asked, "seat": 2}),
            ("/api/study/range", {"id": "nothing"}),
        ):
            answer = await client.post(path, json=wrong)
            assert answer.status_code in (404, 422), answer.text
            assert len(answer.json()["error"].splitlines()) == 1

    _visit(directory, tmp_path, visit)


def test_units_and_solves_of_nodes_and_trees(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        for unit, text in (("chips", "raise to 4"), ("bb", "raise to 2 bb")):
            asked = {"id": "hunl-deep-cfr", "unit": unit}
            for path in ("study", "node"):
                found = (await client.post(f"/api/{path}", json=asked)).json()
                assert found["unit"] == unit and text in [each["text"] for each in found["choices"]]
            tree = {**asked, "depth": 1, "most_hands": 3}
            found = (await client.post("/api/tree", json=tree)).json()
            assert text in [each["text"] for each in found["children"]]
            assert [len(each) for each in found["beliefs"].values()] == [3, 3]
        id, _ = await _result(client, {"id": "river", "target": 0.1})
        for path in ("study", "study/equities", "study/tree", "study/range", "node", "comparison"):
            asked = {"id": f"solve/{id}", "first": f"solve/{id}", "second": "river", "line": "x"}
            answer = await client.post(f"/api/{path}", json=asked)
            assert answer.status_code == 200, answer.text

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
    node = tree.node("x")
    played = [
        {
            "line": "x",
            "shares": {each.word: float(each.mix[hand]) for each in node.choices},
            "hands": name,
        }
        for hand, name in enumerate(node.acting.hands)
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
