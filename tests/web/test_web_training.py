# SPDX-License-Identifier: MIT
"""Recipes that a server starts, stops and resumes, and the leaderboard and matrix of its API."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from regretless import InputError, cross_play, forecast_run, leaderboard, recipe_names, solve, train
from regretless.cli import main
from regretless.recipes.config import sealed
from regretless.recipes.names import config_file
from regretless.runs.run_groups import group_curve
from regretless.runs.run_record import read_run
from regretless.web.runs.recipes import FILE_OPTIONS, Recipes, check_config
from regretless.web.settings import Limits, Settings
from web_client import running

Visit = Callable[[httpx.AsyncClient], Awaitable[None]]
LONG = ["budget={seconds: 600}", "log.every_steps=200", "evaluate.every_steps=200"]


def _visit(directory: Path, visit: Visit, **more: Any) -> None:
    async def go() -> None:
        settings = Settings((directory,), data=directory / "data", **more)
        async with running(settings) as client:
            await visit(client)

    asyncio.run(go())


async def _until(client: httpx.AsyncClient, id: str, *statuses: str) -> dict[str, Any]:
    for _ in range(600):
        run = (await client.get(f"/api/runs/{id}")).json()
        if run["status"] in statuses:
            return dict(run)
        await asyncio.sleep(0.05)
    raise AssertionError(run)


def test_recipes_go_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert {"kuhn_cfr", "leduc_cfr", "hunl_deep_cfr"} <= set(recipe_names())
    run = train("kuhn_cfr", "budget.steps=100")
    assert run.path == Path("runs/kuhn_cfr-001")
    found = forecast_run("kuhn_cfr")
    assert found.needed.memory and not Path("runs/kuhn_cfr-002").exists()
    with pytest.raises(SystemExit) as ended:
        main(["train", "kuhn_cfr", "--forecast", "--json"])
    assert not ended.value.code
    assert json.loads(capsys.readouterr().out)["disk_bytes"] == found.needed.disk
    with pytest.raises(InputError, match="did you mean 'kuhn_cfr'"):
        train("kuhn_crf")
    Path("kuhn_cfr").write_text("mine")  # a file at hand comes first
    assert config_file("kuhn_cfr") == Path("kuhn_cfr")


def test_start_stop_resume(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        asked = {"recipe": "kuhn_cfr", "seed": 3, "overrides": LONG}
        told = await client.post("/api/runs/forecast", json=asked)
        assert told.status_code == 200 and told.json()["memory_bytes"] > 0
        begun = await client.post("/api/runs", json=asked)
        assert begun.status_code == 202, begun.text
        id = begun.json()["id"]
        assert id == "kuhn_cfr-001"
        while "eval/exploitability" not in (await _until(client, id, "running"))["measures"]:
            await asyncio.sleep(0.05)
        assert (await client.post("/api/runs", json=asked)).status_code == 429  # one at a time
        assert (await client.post(f"/api/runs/{id}/resume", json={})).status_code == 409
        assert (await client.post(f"/api/runs/{id}/stop")).json()["status"] == "stopping"
        stopped = await _until(client, id, "stopped")
        assert (stopped["seed"], stopped["error"], stopped["is_ours"]) == (3, None, False)
        path = tmp_path / "data" / "runs" / id
        assert [*(path / "checkpoints").glob("step_*")]  # it was saved
        assert any(each.startswith("memory") for each in stopped["notes"])
        assert (await client.post(f"/api/runs/{id}/stop")).status_code == 409
        more = {"overrides": [f"budget={{steps: {stopped['step'] + 400}}}"]}
        for place in ("output=x", "examples_from=/etc", "start_from=x"):
            refused = await client.post(f"/api/runs/{id}/resume", json={"overrides": [place]})
            assert refused.status_code in (400, 422)
            assert "cannot change when a run is resumed" in refused.json()["error"], place
        assert (await client.post(f"/api/runs/{id}/resume", json=more)).status_code == 202
        done = await _until(client, id, "done", "failed")
        assert (done["status"], done["step"]) == ("done", stopped["step"] + 400)
        listed = (await client.get("/api/runs")).json()["runs"]
        assert [(each["id"], each["status"]) for each in listed] == [(id, "done")]

    _visit(tmp_path, visit, limits=Limits(trainings=1))


def test_a_server_that_stops_saves_its_runs(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        asked = {"recipe": "kuhn_cfr", "overrides": LONG}
        id = (await client.post("/api/runs", json=asked)).json()["id"]
        while not (await _until(client, id, "starting", "running"))["step"]:
            await asyncio.sleep(0.05)

    _visit(tmp_path, visit)
    path = tmp_path / "data" / "runs" / "kuhn_cfr-001"
    assert [*(path / "checkpoints").glob("step_*")] and not (path / "bundle").exists()

    async def again(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/runs/kuhn_cfr-001")).json()["status"] == "stopped"

    _visit(tmp_path, again)


def test_errors_of_the_process_are_one_line(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        asked = {"recipe": "kuhn_cfr", "overrides": ["algorithm.sped=2"]}
        told = await client.post("/api/runs/forecast", json=asked)
        assert told.status_code == 422 and "sped" in told.json()["error"]
        id = (await client.post("/api/runs", json=asked)).json()["id"]
        failed = await _until(client, id, "failed")
        assert "sped" in failed["error"] and str(tmp_path) not in failed["error"]

    _visit(tmp_path, visit)
    assert not (tmp_path / "data" / "runs" / "kuhn_cfr-001").exists()  # it never began


FORBIDDEN = [
    "output=/tmp/elsewhere",
    "start_from=runs/x",
    "examples_from=runs/x",
    "game=evil.py:Game",
    "game=openspiel:kuhn_poker",
    "game.name=my.yaml",
    "game.name=my.game",
    "algorithm=evil:Learner",
    "algorithm.name=evil.py:Learner",
    "algorithm.name=mccfr algorithm.abstraction=buckets",
    "algorithm.abstraction=buckets",
    "algorithm.networks_in=/tmp",
    "algorithm.device=../x",
    "nonsense=1",
    "budget.steps",
    "--json=1",
]


def test_what_clients_may_not_say(tmp_path: Path) -> None:
    """Neither a place, nor code: nothing is begun, and one line says why."""

    async def visit(client: httpx.AsyncClient) -> None:
        for override in FORBIDDEN:
            asked = {"recipe": "kuhn_cfr", "overrides": [override]}
            told = await client.post("/api/runs", json=asked)
            assert (told.status_code, "\n" in told.json()["error"]) == (422, False), override
        assert not (tmp_path / "data" / "runs").exists()
        bots = "evaluate.measures=[{name: baselines, bots: ['evil.py:Bot']}]"
        told = await client.post("/api/runs/forecast", json={**asked, "overrides": [bots]})
        assert told.status_code == 422 and "unknown bot 'evil.py:Bot'" in told.json()["error"]

    _visit(tmp_path, visit)


def test_options_that_name_directories_are_known() -> None:
    """Those of all algorithms whose words say so."""
    package = Path(check_config.__code__.co_filename).parents[2]
    option = re.compile(r'(\w+): (?:str|Path) \| None = None\n +"""([^"]*[Dd]irector[^"]*)"""')
    rooms = ("algorithms", "generation", "learning", "search", "solvers")
    files = [path for room in rooms for path in (package / room).glob("*.py")]
    named = {each[0] for path in files for each in option.findall(path.read_text("utf-8"))}
    assert named and named <= set(FILE_OPTIONS)


def test_recipes_of_served_directories(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    text = "# Mine.\ngame: kuhn\nalgorithm: cfr\nbudget: {steps: 10}\n"
    (tmp_path / "mine" / "first.yaml").write_text(text)
    (tmp_path / "kuhn_cfr.yaml").write_text(text)
    (tmp_path / "own.yaml").write_text(text.replace("kuhn\n", "bad.py:Game\n", 1))
    (tmp_path / "other.yaml").write_text("players: 3\n")
    (tmp_path / "link.yaml").symlink_to(tmp_path / "mine" / "first.yaml")
    recipes = Recipes((tmp_path,))
    mine = {each.id: each for each in recipes.all() if not each.is_shipped}
    assert set(mine) == {"first", "kuhn_cfr-2", "own"}
    assert mine["first"].about == "Mine."
    assert recipes.config("first", ["budget.steps=20"], 5).seed == 5
    with pytest.raises(InputError, match=r"game\.name: unknown game 'bad\.py:Game'"):
        recipes.config("own")
    # All that ship can be started, but those that need buckets or the network of another run.
    for name in recipe_names():
        if name not in ("hunl_blueprint", "hunl_flop_values", "hunl_preflop_values"):
            recipes.config(name)

    async def visit(client: httpx.AsyncClient) -> None:
        listed = (await client.get("/api/recipes")).json()["recipes"]
        found = {each["id"]: each for each in listed}
        assert found["first"] == {
            "id": "first",
            "about": "Mine.",
            "game": "kuhn",
            "algorithm": "cfr",
            "is_shipped": False,
            "why_not": None,
        }
        assert "bad.py" in found["own"]["why_not"]
        assert "abstraction" in found["hunl_blueprint"]["why_not"]
        told = await client.post("/api/runs", json={"recipe": "..%2Fown"})
        assert told.status_code == 404

    _visit(tmp_path, visit)


def test_runs_of_custom_code_are_not_resumed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    text = "game: {name: 'bad_module:Game'}\nalgorithm: {name: cfr+}\nbudget: {steps: 3}\n"
    (run / "config.yaml").write_text(sealed(text))
    (run / "metrics.jsonl").write_text("")

    async def visit(client: httpx.AsyncClient) -> None:
        told = await client.post("/api/runs/run/resume", json={})
        assert told.status_code == 422 and "bad_module:Game" in told.json()["error"]
        told = await client.post("/api/runs/nothing/resume", json={})
        assert told.status_code == 404

    _visit(tmp_path, visit)


def test_a_run_of_somebody_else_is_not_stopped(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "regretless", "train", "kuhn_cfr", *LONG]
    other = subprocess.Popen(
        [*command, f"output={tmp_path / 'other'}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    async def visit(client: httpx.AsyncClient) -> None:
        while not (tmp_path / "other" / "metrics.jsonl").exists():
            await asyncio.sleep(0.05)
        await _until(client, "other", "running")
        told = await client.post("/api/runs/other/stop")
        assert told.status_code == 409 and "did not start it" in told.json()["error"]
        assert (await client.post("/api/runs/other/resume", json={})).status_code == 409

    try:
        _visit(tmp_path, visit)
    finally:
        other.terminate()
        other.wait(60)


def test_leaderboard(tmp_path: Path) -> None:
    often = ("budget={steps: 200}", "log.every_steps=50", "evaluate.every_steps=50")
    for name, seed in (("cfr", 1), ("cfr", 2), ("cfr+", 1)):
        output = f"output={tmp_path / f'{name}-{seed}'}"
        train("kuhn_cfr", f"algorithm.name={name}", f"seed={seed}", output, *often)
    train("leduc_cfr", f"output={tmp_path / 'leduc'}", *often)
    young = tmp_path / "young"  # of the same setup; it hides nothing of the others
    young.mkdir()
    config = (tmp_path / "cfr-1" / "config.yaml").read_text().replace("seed: 1", "seed: 3")
    (young / "config.yaml").write_text(config)
    (young / "metrics.jsonl").write_text("")
    found = leaderboard([*sorted(tmp_path.iterdir())])
    assert [*found] == ["kuhn", "leduc"]
    assert [each.algorithm for each in found["kuhn"]] == ["cfr+", "cfr"]
    grouped = found["kuhn"][1]
    assert grouped.run == "cfr-1 and 1 equal run" and len(grouped.runs) == 2
    assert grouped.last == pytest.approx(grouped.best)

    async def visit(client: httpx.AsyncClient) -> None:
        told = (await client.get("/api/leaderboard")).json()
        assert [each["game"] for each in told["games"]] == ["kuhn", "leduc"]
        first, second = told["games"][0]["standings"]
        assert (first["run"], second["run"]) == ("cfr--1", "cfr-1 and 1 equal run")
        assert second["runs"] == ["cfr-1", "cfr-2"]
        assert first["best"] == found["kuhn"][0].best and first["nodes"] > 0
        assert (await client.get("/api/leaderboard?band=x")).status_code == 422

    _visit(tmp_path, visit)


def test_curves_are_those_of_compare(tmp_path: Path) -> None:
    few = ("budget.steps=20", "algorithm.iterations_per_step=50", "log.every_steps=5")
    measured = "evaluate={every_steps: 5, measures: [exact, {name: baselines, hands: 200}]}"
    for seed in (1, 2):
        train("leduc_mccfr", f"seed={seed}", f"output={tmp_path / f'run-{seed}'}", *few, measured)
    records = [read_run(tmp_path / f"run-{seed}") for seed in (1, 2)]

    async def visit(client: httpx.AsyncClient) -> None:
        asked: dict[str, Any] = {"runs": ["run-1", "run-2"], "axis": "iterations"}
        for band, together in (("range", True), ("95%", True), ("range", False)):
            wish = {**asked, "only": ["strength"], "band": band, "together": together}
            told = (await client.post("/api/runs/curves", json=wish)).json()
            assert {each["measure"]["group"] for each in told["charts"]} == {"strength"}
            assert len(told["charts"]) == 6
            for chart in told["charts"]:
                name, scale = chart["measure"]["name"], chart["measure"]["scale"]
                groups = [records] if together else [[each] for each in records]
                for curve, group in zip(chart["curves"], groups, strict=True):
                    expected = group_curve("", group, name, "iterations", band)
                    columns = [expected.values, *(expected.band or ())]
                    rows = zip(expected.places, *columns, strict=True)
                    for point, (where, *values) in zip(curve["points"], rows, strict=True):
                        assert point == pytest.approx([where, *(scale * each for each in values)])
        titles = {each["name"]: each for each in told["measures"]}
        assert titles["eval/match_caller"]["unit"] == "antes per 100 hands"
        assert titles["time/steps_per_second"]["title"] == "Throughput"
        alone = {**asked, "only": ["sys/peak_memory_bytes"]}
        (chart,) = (await client.post("/api/runs/curves", json=alone)).json()["charts"]
        assert chart["measure"]["unit"] == "MiB" and chart["curves"][0]["points"][-1][1] < 10_000
        for wrong, status in (({"runs": ["x"]}, 404), ({"axis": "x"}, 422), ({"band": "x"}, 422)):
            refused = await client.post("/api/runs/curves", json={**asked, **wrong})
            assert refused.status_code == status
        one = (await client.get("/api/runs/run-1")).json()
        assert "seed: 1" in one["config"] and str(tmp_path) not in one["config"]
        figures = {each["name"]: each for each in one["figures"]}
        last = records[0].metrics[-1]
        caller = figures["eval/match_caller"]
        assert caller["value"] == pytest.approx(0.1 * last["eval/match_caller"])
        assert caller["high"] == pytest.approx(0.1 * last["eval/match_caller/high"])
        assert (one["share"], one["activity"], figures["eval/exploitability"]["low"]) == (
            1,
            None,
            None,
        )

    _visit(tmp_path, visit)


def test_the_last_command_of_the_demo_opens_its_run(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "examples" / "demo.py").read_text(encoding="utf-8")
    assert re.search(r"regretless web \{FOLDER\}", text)
    run = tmp_path / "demo"
    train("leduc_cfr", "budget={steps: 100}", f"output={run}")

    async def visit() -> None:
        async with running(Settings((run,), data=tmp_path / "web")) as client:
            (found,) = (await client.get("/api/runs")).json()["runs"]
            assert (found["id"], found["status"]) == ("demo", "done")
            told = await client.post("/api/strategy", json={"id": "demo"})
            assert told.status_code == 200

    asyncio.run(visit())


def test_cross_play_is_that_of_the_package(tmp_path: Path) -> None:
    solve("leduc", iterations=50).write_bundle(tmp_path / "leduc")
    named = [("bot", "caller"), ("bot", "random"), ("strategy", "leduc")]
    asked = {"players": [{"kind": kind, "name": name} for kind, name in named], "hands": 2000}

    async def visit(client: httpx.AsyncClient) -> None:
        begun = await client.post("/api/matches/cross", json=asked)
        assert begun.status_code == 202
        id = begun.json()["id"]
        while (job := (await client.get(f"/api/jobs/{id}")).json())["status"] in (
            "waiting",
            "running",
        ):
            await asyncio.sleep(0.05)
        assert job["status"] == "done", job
        told = (await client.get(f"/api/jobs/{id}/result")).json()["result"]
        assert told["names"] == ["caller", "random", "leduc"] and told["unit"] == "antes"
        expected = cross_play("caller", "random", tmp_path / "leduc", hands=2000)
        for row, cells in zip(expected.won, told["matrix"], strict=True):
            for cell, number in zip(row, cells, strict=True):
                assert (cell is None) == (number is None)
                if cell is not None:
                    assert number["bb_per_100"] == 100 * cell.mean
        outside = {"players": [{"kind": "outside"}, {"kind": "bot", "name": "caller"}]}
        assert (await client.post("/api/matches/cross", json=outside)).status_code == 422

    _visit(tmp_path, visit)
