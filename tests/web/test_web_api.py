# SPDX-License-Identifier: MIT
"""The JSON API of `regretless web`: answers like the package's own, one line for what is wrong."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from regretless import _native, find_strategy, load_game, solve
from regretless.policies.asking import mixes
from regretless.solving.spot_options import SpotOptions
from regretless.web.guard import COOKIE
from regretless.web.settings import Limits, Settings
from web_client import running

Visit = Callable[[httpx.AsyncClient], Awaitable[None]]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a bundle of Leduc and one of Kuhn."""
    path = tmp_path_factory.mktemp("library")
    for name in ("kuhn", "leduc"):
        solve(name, iterations=50).write_bundle(path / "solved" / name)
    (path / "solved" / "notes.txt").write_text("nothing to open")
    return path


@contextlib.asynccontextmanager
async def _server(directory: Path, data: Path, **more: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with running(Settings((directory,), data=data, **more)) as client:
        yield client


def _visit(directory: Path, data: Path, visit: Visit, **more: Any) -> None:
    async def go() -> None:
        async with _server(directory, data, **more) as client:
            await visit(client)

    asyncio.run(go())


async def _ended(client: httpx.AsyncClient, id: str) -> dict[str, Any]:
    for _ in range(600):
        job = (await client.get(f"/api/jobs/{id}")).json()
        if job["status"] not in ("waiting", "running"):
            return dict(job)
        await asyncio.sleep(0.05)
    raise AssertionError(job)


def test_games(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        listed = (await client.get("/api/games")).json()
        assert {"kuhn", "leduc", "nlhe"} <= {each["name"] for each in listed["games"]}
        assert "pot-odds" in listed["bots"]
        leduc = (await client.get("/api/games/leduc", params={"count": True})).json()
        assert leduc["sizes"]["infosets"] == load_game("leduc").count_tree()["infosets"]
        assert (await client.get("/api/games/nlhe?players=6")).json()["players"] == 6
        for name in (
            "nlhe?count=true",
            "nonsense",
            "x.yaml",
            "%2Fetc%2Fpasswd.game",
            "liars-dice-os:x",
        ):
            assert (await client.get(f"/api/games/{name}")).status_code in (404, 422), name

    _visit(directory, tmp_path, visit)


def test_library(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        listed = (await client.get("/api/library")).json()["entries"]
        assert {"kuhn", "leduc", "hunl-deep-cfr"} <= {each["id"] for each in listed}
        assert not [each for each in listed if "/" in each["id"] or "path" in each]
        detail = (await client.get("/api/library/leduc")).json()
        assert (detail["game"], detail["algorithm"]) == ("leduc", "cfr+")
        assert detail["manifest"]["game"]["name"] == "leduc"
        assert detail["strengths"][0]["value"] > 0
        assert len((await client.post("/api/library/leduc/verify")).json()["sha256"]) == 64
        assert (await client.get("/api/library/nothing")).status_code == 404
        assert (await client.get("/api/library/..%2Fsolved%2Fleduc")).status_code == 404
        assert (await client.get("/api/library/leduc/metrics?measure=x")).status_code == 422

    _visit(directory, tmp_path, visit)


def test_runs(directory: Path, tmp_path: Path) -> None:
    run = tmp_path / "runs" / "a"
    run.mkdir(parents=True)
    (run / "config.yaml").write_text("game: {name: leduc}\nalgorithm: {name: cfr+}\nseed: 1\n")
    rows = [{"step": n, "time/seconds": n / 9, "eval/exploitability": 1 / n} for n in (1, 10)]
    (run / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    async def visit(client: httpx.AsyncClient) -> None:
        detail = (await client.get("/api/library/a")).json()
        assert (detail["kind"], detail["game"], detail["manifest"]) == ("run", "leduc", None)
        assert detail["measures"] == ["eval/exploitability"]
        asked = {"measure": "eval/exploitability", "axis": "iterations"}
        curve = (await client.get("/api/library/a/metrics", params=asked)).json()
        assert [(each["where"], each["value"]) for each in curve["points"]] == [(1, 1), (10, 0.1)]
        told = await client.post("/api/strategy", json={"id": "a"})  # no checkpoint yet
        assert (told.status_code, "error" in told.json()) == (422, True)

    _visit(tmp_path / "runs", tmp_path, visit)


def test_strategy_is_what_the_policy_answers(directory: Path, tmp_path: Path) -> None:
    found = find_strategy(directory / "solved" / "leduc")

    async def visit(client: httpx.AsyncClient) -> None:
        asked = {"id": "leduc", "line": "x r c | Kd |"}
        told = (await client.post("/api/strategy", json=asked)).json()
        episode = found.game.episode_of()
        for word in (1, 2, 1):  # call, raise, call
            episode.choose(word)
        assert isinstance(episode, _native.PokerEpisode)
        deck = episode.game.rules.deck
        episode.deal_board([next(c for c in range(deck.num_cards) if _named(deck, c) == "Kd")])
        (mix,) = mixes(found.policy, [episode])
        assert np.allclose(told["probabilities"], mix[:, told["slots"]])
        assert np.isclose(sum(told["weights"]), 1)
        assert told["words"][0] == "x"
        assert told["public"]["board"] == ["Kd"]
        node = (await client.post("/api/node", json=asked)).json()
        assert [each["word"] for each in node["choices"]] == told["words"]
        for line in ("z", "x x x x", "| Kd |"):
            bad = await client.post("/api/strategy", json={"id": "leduc", "line": line})
            assert bad.status_code == 422
            assert "\n" not in bad.json()["error"]

    _visit(directory, tmp_path, visit)


def _named(deck: _native.Deck, card: int) -> str:
    from regretless import format_cards

    return format_cards([card], deck)


def test_bundles_of_own_games(tmp_path: Path) -> None:
    """Such a bundle holds its tree, and plays where the code of the game is not at hand."""
    own = f"{Path(__file__).parents[2] / 'examples' / 'python_game.py'}:KuhnPoker"
    solve(own, iterations=20).write_bundle(tmp_path / "own" / "mine")

    async def visit(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/library/mine")).status_code == 200
        for noun in ("strategy", "node"):
            told = await client.post(f"/api/{noun}", json={"id": "mine"})
            assert (told.status_code, "error" in told.json()) == (422, True), noun
        players = [{"kind": "strategy", "name": "mine"}, {"kind": "outside"}]
        opened = (await client.post("/api/tables", json={"players": players, "hands": 1})).json()
        table, mine = f"/api/tables/{opened['table']}", {"X-Seat-Token": opened["tokens"][1]}
        state = (await client.get(table, headers=mine)).json()
        while not state["is_done"]:
            act = {"slot": state["seen"]["choices"][0]["slot"]}
            state = (await client.post(f"{table}/actions", headers=mine, json=act)).json()
        assert sum(each["total"] for each in state["players"]) == 0
        for name in (own, "openspiel:kuhn_poker"):
            wish = {"players": [{"kind": "outside"}] * 2, "game": name[:80]}
            assert (await client.post("/api/tables", json=wish)).status_code == 422
            assert (await client.post("/api/solves", json={"game": name[:80]})).status_code == 422

    _visit(tmp_path / "own", tmp_path, visit)


def test_equity(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        told = (await client.post("/api/equity", json={"hands": ["JsTs", "2h2d"]})).json()
        assert told["method"] == "exact"
        assert told["equities"][0] == pytest.approx(0.5398, abs=1e-4)
        bad = await client.post("/api/equity", json={"hands": ["JsTs", "Js2d"]})
        assert bad.status_code == 422

    _visit(directory, tmp_path, visit)


def test_solve_and_save(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        wish = {"game": "kuhn", "iterations": 200}
        forecast = (await client.post("/api/solves/forecast", json=wish)).json()
        assert forecast["memory_bytes"] < 1 << 20
        begun = await client.post("/api/solves", json=wish)
        assert begun.status_code == 202
        id = begun.json()["id"]
        assert (await _ended(client, id))["status"] == "done"
        result = (await client.get(f"/api/jobs/{id}/result")).json()["result"]
        assert result["value"] == pytest.approx(-1 / 18, abs=1e-2)
        saved = await client.post(f"/api/solves/{id}/save", json={"name": "my-kuhn"})
        assert saved.status_code == 201
        asked = {"id": saved.json()["id"], "line": ""}
        assert (await client.post("/api/strategy", json=asked)).status_code == 200
        again = await client.post(f"/api/solves/{id}/save", json={"name": "my-kuhn"})
        assert again.status_code == 422
        for name in ("../x", ".x", "a/b"):
            bad = await client.post(f"/api/solves/{id}/save", json={"name": name})
            assert bad.status_code == 422

    _visit(directory, tmp_path, visit)
    assert (tmp_path / "bundles" / "my-kuhn" / "manifest.json").exists()


@pytest.mark.parametrize("wrong", [True, "5"])
def test_what_is_no_number_is_refused(directory: Path, tmp_path: Path, wrong: object) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        wishes = [("solves", {"game": "kuhn", name: wrong}) for name in ("seconds", "iterations")]
        wishes.append(("solves", {"spot": {"board": "Td9d6h", "pot": wrong, "stack": 100}}))
        wishes.append(("preflop", {"stack": wrong}))
        for path, wish in wishes:
            told = await client.post(f"/api/{path}", json=wish)
            assert told.status_code == 422, (path, wish)

    _visit(directory, tmp_path, visit)


def test_spots_are_forecast_and_cancelled(directory: Path, tmp_path: Path) -> None:
    river = {"board": "Td9d6hQc2c", "pot": 200, "stack": 900}

    async def visit(client: httpx.AsyncClient) -> None:
        wish: dict[str, Any] = {"spot": river, "target": 1e-9}
        forecast = (await client.post("/api/solves/forecast", json=wish)).json()
        assert forecast["decisions"] == 20  # all-ins are forced and close sizes merged
        id = (await client.post("/api/solves", json={**wish, "iterations": 1})).json()["id"]
        await _ended(client, id)
        taken = (await client.get(f"/api/jobs/{id}/result")).json()["result"]["memory_bytes"]
        assert taken == forecast["memory_bytes"]
        id = (await client.post("/api/solves", json=wish)).json()["id"]
        while (await client.get(f"/api/jobs/{id}")).json()["progress"].get("iterations", 0) < 2:
            await asyncio.sleep(0.02)
        assert (await client.get(f"/api/jobs/{id}/result")).status_code == 409
        await client.post(f"/api/jobs/{id}/cancel")
        assert (await _ended(client, id))["status"] == "cancelled"
        assert (await client.post(f"/api/jobs/{id}/cancel")).status_code == 409
        too_large = {"spot": {**river, "board": "Td9d6h"}}
        told = await client.post("/api/solves/forecast", json=too_large)
        assert told.status_code == 422
        assert "memory" in told.json()["error"] or "MiB" in told.json()["error"]
        assert (await client.post("/api/solves", json={"game": "x.yaml"})).status_code == 422

    _visit(directory, tmp_path, visit, limits=Limits(job_bytes=1 << 28))


def test_too_many_jobs_are_refused(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        wish = {"spot": {"board": "Td9d6hQc2c", "pot": 200, "stack": 900}, "target": 1e-9}
        statuses = [(await client.post("/api/solves", json=wish)).status_code for _ in range(5)]
        assert statuses[0] == 202
        assert statuses[-1] == 429

    _visit(directory, tmp_path, visit, limits=Limits(job_threads=1, jobs_waiting=2))


def test_match(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        players = [{"kind": "strategy", "name": "leduc"}, {"kind": "bot", "name": "caller"}]
        begun = await client.post("/api/matches", json={"players": players, "hands": 2000})
        id = begun.json()["id"]
        assert (await _ended(client, id))["status"] == "done"
        result = (await client.get(f"/api/jobs/{id}/result")).json()["result"]
        assert result["hands"] == 2000
        assert result["players"][0]["bb_per_100"] == -result["players"][1]["bb_per_100"]
        own = [{"kind": "bot", "name": "os:system"}, {"kind": "bot", "name": "caller"}]
        assert (await client.post("/api/matches", json={"players": own})).status_code == 422
        outside = [{"kind": "outside"}, {"kind": "bot", "name": "caller"}]
        assert (await client.post("/api/matches", json={"players": outside})).status_code == 422
        wrong = {"players": [*players, players[1]]}  # three at a game of two
        id = (await client.post("/api/matches", json=wrong)).json()["id"]
        assert (await _ended(client, id))["status"] == "failed"
        assert "2 players" in (await client.get(f"/api/jobs/{id}")).json()["error"]

    _visit(directory, tmp_path, visit)


def test_hosts_origins_and_sizes(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        for host, status in (("localhost:1", 200), ("127.0.0.1", 200), ("evil.example", 421)):
            told = await client.get("/api/games", headers={"host": host})
            assert told.status_code == status, host
        for origin, status in (("http://localhost:8600", 200), ("https://evil.example", 403)):
            told = await client.get("/api/games", headers={"origin": origin})
            assert told.status_code == status, origin
        assert (await client.get("/api/games", headers={"origin": "null"})).status_code == 403
        for name, value in (("host", "localhost"), ("origin", "http://localhost:8600")):
            twice = [("host", "localhost:8600")] * (name != "host") + [
                (name, "evil"),
                (name, value),
            ]
            told = await client.get("/api/games", headers=twice)
            assert (told.status_code, told.json()["error"]) == (400, f"{name}: is given twice")
        other = {"sec-fetch-site": "cross-site"}
        assert (await client.post("/api/equity", headers=other, json={})).status_code == 403
        assert (await client.get("/api/games", headers=other)).status_code == 200  # a link
        long = {"hands": ["AA" * 600_000, "KK"]}
        assert (await client.post("/api/equity", json=long)).status_code == 413

        async def pieces() -> AsyncIterator[bytes]:
            for _ in range(20):
                yield b"x" * 100_000

        told = await client.post("/api/equity", content=pieces())
        assert (told.status_code, "error" in told.json()) == (413, True)
        broken = await client.post("/api/equity", content=b"{", headers={"content-type": "a/json"})
        assert broken.status_code in (400, 422)
        assert (await client.get("/api/nothing")).json()["error"]

    _visit(directory, tmp_path, visit)


def test_token(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/games")).status_code == 401
        assert (await client.get("/api/games?token=wrong")).status_code == 401
        bearer = {"authorization": "Bearer secret/token+1=="}
        assert (await client.get("/api/games", headers=bearer)).status_code == 200
        assert (await client.get("/api/games?token=secret%2Ftoken%2B1%3D%3D")).status_code == 200
        assert client.cookies.get(COOKIE)  # from then on that is enough
        assert (await client.get("/api/games")).status_code == 200

    _visit(directory, tmp_path, visit, token="secret/token+1==")


def test_others_need_a_token() -> None:
    with pytest.raises(ValueError, match="token"):
        Settings(host="0.0.0.0")
    assert Settings(host="0.0.0.0", token="secret/token+1==").host_names is None
    assert Settings(host="::1").is_local


def test_docs_are_a_page(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        page = await client.get("/api/docs")
        assert "text/html" in page.headers["content-type"] and "/studio/app.js" in page.text
        assert (await client.get("/api/openapi.json")).json()["paths"]["/api/strategy"]

    _visit(directory, tmp_path, visit)


def test_unknown_paths_and_methods_are_json(directory: Path, tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        for path in ("/api/nothing", "/api/library//etc/passwd", "/api/"):
            for method in ("GET", "POST", "DELETE"):
                told = await client.request(method, path)
                assert told.status_code == 404 and "error" in told.json()
        told = await client.request("DELETE", "/api/games")
        assert told.status_code == 405 and told.headers["allow"] == "GET" and "error" in told.json()

    _visit(directory, tmp_path, visit)


def test_a_damaged_spot_is_reported(tmp_path: Path) -> None:
    spot = SpotOptions("QsJh2h8d3c", 100, 200, "AA,KQs", "99,AQs").spot()
    assert spot is not None
    solve(spot, iterations=5).write_bundle(tmp_path / "river")
    tree = tmp_path / "river" / "tree.safetensors"
    tree.write_bytes(tree.read_bytes()[:-8])

    async def visit(client: httpx.AsyncClient) -> None:
        told = await client.post("/api/node", json={"id": "river"})
        assert told.status_code == 422 and tree.name in told.json()["error"]

    _visit(tmp_path, tmp_path / "data", visit)
