# SPDX-License-Identifier: MIT
"""/api/practice and the facts of /api/library: what they tell is what the package computes."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from regretless import find_strategy, solve
from regretless.bundles.bundle import open_bundle
from regretless.explorer.nodes import SolvedTree
from regretless.histories.lines import read_line
from regretless.notation.cards import parse_cards
from regretless.policies.asking import mixes
from regretless.policies.policy import explicit
from regretless.solving.spot_options import SpotOptions
from regretless.web import library
from regretless.web.library import Library
from regretless.web.settings import Settings
from web_client import running


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    solve("leduc", iterations=50).write_bundle(path / "leduc")
    spot = SpotOptions("QsJh2h8d", 100, 200, "AA,KQs,76s", "99,AQs,KJs").spot()
    assert spot is not None
    solve(spot, iterations=50).write_bundle(path / "turn")
    return path


def _asked(directory: Path, data: Path, *requests: dict[str, Any]) -> list[httpx.Response]:
    async def go() -> list[httpx.Response]:
        async with running(Settings((directory,), data=data)) as client:
            return [await client.post("/api/practice", json=each) for each in requests]

    return asyncio.run(go())


def test_an_exercise_of_a_spot(directory: Path, tmp_path: Path) -> None:
    tree = SolvedTree.open(directory / "turn")
    found = _asked(directory, tmp_path, *({"id": "turn", "seed": n} for n in range(12)))
    lines = set()
    for each in (answer.json() for answer in found):
        lines.add(each["line"])
        node = tree.node(each["line"])
        place = node.acting.hands.index(each["hand"])
        values = [float(choice.values[place]) for choice in node.choices]
        assert [one["ev"] for one in each["choices"]] == pytest.approx(values)
        lost = [max(values) - value for value in values]
        assert [one["lost"] for one in each["choices"]] == pytest.approx(lost)
        assert [one["word"] for one in each["choices"]] == [one.word for one in node.choices]
        assert (each["pot"], each["board"]) == (node.pot, node.board)
        assert (each["to_call"], each["position"]) == (node.to_call, node.acting.name)
        assert each["is_valued"] and each["unit"] == "chips"
        told = [(seat["stack"], seat["bet"]) for seat in each["seats"]]
        assert sum(200 - stack for stack, _ in told) == each["pot"] - 100
    assert len(lines) > 3
    assert found[0].json()["offers"]["street"] == ["turn", "river"]


def test_the_same_request_draws_the_same(directory: Path, tmp_path: Path) -> None:
    asked = {"id": "turn", "seed": 5, "street": "river", "position": "IP"}
    first, second = _asked(directory, tmp_path, asked, asked)
    assert first.json() == second.json()
    assert (first.json()["street"], first.json()["position"]) == ("river", "IP")
    again = {"id": "turn", "line": first.json()["line"], "hand": first.json()["hand"]}
    (third,) = _asked(directory, tmp_path, again)
    assert third.json()["choices"] == first.json()["choices"]


def test_a_network_is_graded_by_its_mix_in_the_unit(directory: Path, tmp_path: Path) -> None:
    asked = {"id": "hunl-deep-cfr", "seed": 3, "street": "flop"}
    bb, chips = _asked(directory, tmp_path, asked | {"unit": "bb"}, asked | {"unit": "chips"})
    one, other = bb.json(), chips.json()
    assert not one["is_valued"] and {each["lost"] for each in one["choices"]} == {None}
    strategy = find_strategy("hunl-deep-cfr")
    assert one["pot"] == pytest.approx(other["pot"] / strategy.game.unit) and one["unit"] == "bb"
    episode = strategy.game.episode_of()
    read_line(one["line"], episode)
    cards = np.sort(parse_cards(one["hand"]))
    hands = [strategy.game.hand_parts(n) for n in range(strategy.game.num_hands)]
    (rows,) = mixes(explicit(strategy.policy), [episode], np.array([hands.index(cards.tolist())]))
    mix = [row for row, is_legal in zip(rows[0], episode.legal, strict=True) if is_legal]
    assert [each["mix"] for each in one["choices"]] == pytest.approx(mix, abs=1e-6)


@pytest.mark.parametrize(
    ("asked", "status", "line"),
    [
        ({"id": "nothing"}, 404, "nothing in the library"),
        ({"id": "turn", "street": "flop"}, 422, "street: no 'flop' here"),
        ({"id": "turn", "pot": "3-bet"}, 422, "pot: no '3-bet' here"),
        ({"id": "turn", "line": "x zz"}, 422, "zz"),
        ({"id": "turn", "line": "x x"}, 422, "nobody decides there"),
        ({"id": "turn", "line": "x", "hand": "QsAs"}, 422, "card of the board"),
        ({"id": "turn", "seed": -1}, 422, "seed"),
    ],
)
def test_what_is_wrong_is_one_line(
    directory: Path, tmp_path: Path, asked: dict[str, Any], status: int, line: str
) -> None:
    (answer,) = _asked(directory, tmp_path, asked)
    assert answer.status_code == status
    assert line in answer.json()["error"] and "\n" not in answer.json()["error"]


def test_the_library_tells_what_is_there(directory: Path, tmp_path: Path) -> None:
    async def go() -> list[dict[str, Any]]:
        async with running(Settings((directory,), data=tmp_path)) as client:
            rows: list[dict[str, Any]] = (await client.get("/api/library")).json()["entries"]
            return rows

    found = {each["id"]: each for each in asyncio.run(go())}
    for name in ("leduc", "turn"):
        manifest = open_bundle(directory / name).manifest
        each = found[name]
        assert each["size"] == sum(file.size for file in manifest.files.values())
        assert (each["created"], each["algorithm"]) == (manifest.created, manifest.algorithm.name)
    turn, shipped = found["turn"], found["nlhe6-nfsp"]
    assert (turn["game"], turn["form"], turn["players"]) == ("nlhe", "spot", 2)
    assert turn["about"] == "turn QsJh2h8d, pot 100, 200 behind"
    share = open_bundle(directory / "turn").manifest.strength[0].value  # % of a pot of 100
    assert f"{share:.3g} % of the pot" in turn["strength"]
    assert shipped["about"] == "neural networks, 6 players, 100 bb deep"
    assert shipped["level"] == "practice" and "954 ± 348 mbb a hand" in shipped["strength"]


def test_facts_are_read_once_until_they_change(
    directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(directory / "leduc", tmp_path / "leduc")
    shutil.copytree(directory / "leduc", tmp_path / "damaged")
    (tmp_path / "damaged" / "manifest.json").write_text("{}")
    run = tmp_path / "run"
    run.mkdir()
    (run / "config.yaml").write_text("game: {name: leduc}\nalgorithm: {name: cfr+}\n")
    real, read = library.entry_facts, list[str]()

    def counted(path: Path, kind: str) -> Any:
        read.append(path.name)
        return real(path, kind)

    monkeypatch.setattr(library, "entry_facts", counted)
    found = Library((tmp_path,))
    for _ in range(2):
        facts = {each.id: found.facts(each) for each in found.entries()}
    assert len(read) == len(facts)
    assert facts["damaged"].error is not None and not facts["damaged"].has_nodes
    assert str(tmp_path) not in facts["damaged"].error
    told = facts["run"]
    assert (told.game, told.algorithm, told.about) == ("leduc", "cfr+", "run without a bundle yet")
    solve("leduc", iterations=60).write_bundle(tmp_path / "leduc")
    again = {each.id: found.facts(each) for each in found.entries()}
    assert read[-1] == "leduc" and again["leduc"] != facts["leduc"]
