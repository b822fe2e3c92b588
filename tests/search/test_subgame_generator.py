# SPDX-License-Identifier: MIT
"""ReBeL's self-play: columns depend on spec, weights and shard alone, in any process."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
torch.set_num_threads(1)

from regretless.algorithm import Arrays  # noqa: E402
from regretless.games import load_game  # noqa: E402
from regretless.generation.subgames import (  # noqa: E402
    GameShard,
    SubgameConfig,
    SubgameGenerator,
)

ELSEWHERE = """
import json, sys, numpy as np, torch
from pathlib import Path
from regretless.generation.subgames import GameShard, SubgameGenerator
torch.set_num_threads(1)
for folder in map(Path, sys.argv[1:]):
    generator = SubgameGenerator.from_spec(json.loads((folder / "spec.json").read_text()))
    weights = {}
    for key, array in np.load(folder / "weights.npz").items():
        place, name = key.split("|")
        weights.setdefault(place, {})[name] = array
    for path in sorted(folder.glob("games-*.npz"), reverse=True):  # in any order
        number, games = int(path.stem.split("-")[1]), np.load(path)
        shard = GameShard(number, int(games["iteration"]), games["states"], games["ranges"])
        np.savez(folder / f"made-{number}.npz", **generator.make(weights, shard))
"""


def generator_of(name: str, depth: int | str, warm_start: int) -> SubgameGenerator:
    config = SubgameConfig(iterations=12, depth=depth, warm_start=warm_start, width=16, layers=2)
    return SubgameGenerator(load_game(name), config, seed=7)


def weights_of(generator: SubgameGenerator) -> dict[str, Arrays]:
    networks: dict[str, Any] = {"values": generator.make_value_network}
    if generator.config.warm_start:
        networks["strategies"] = generator.make_policy_network
    return {
        name: {
            key: each.numpy()
            for key, each in make(torch.Generator().manual_seed(1)).state_dict().items()
        }
        for name, make in networks.items()
    }


CASES = [("kuhn", 1, 4, 1), ("leduc", "round", 0, 4), ("liars-dice-1x3f", 2, 0, 1)]


def write_task(
    folder: Path, name: str, depth: int | str, warm_start: int, shards: int
) -> list[Arrays]:
    """Writes everything that another process needs, and returns what this one makes."""
    folder.mkdir()
    generator = generator_of(name, depth, warm_start)
    weights = weights_of(generator)
    here: list[Arrays] = []
    for number in range(shards):
        first = GameShard(number, 0, *generator.first_games(24))
        columns = generator.make(weights, first)
        states, ranges = columns["games/states"], columns["games/ranges"]
        assert (states > 0).any()
        np.savez(folder / f"games-{number}.npz", iteration=1, states=states, ranges=ranges)
        here.append(generator.make(weights, GameShard(number, 1, states, ranges)))
    (folder / "spec.json").write_text(json.dumps(generator.spec()))
    flat = {f"{place}|{key}": each for place, part in weights.items() for key, each in part.items()}
    np.savez(folder / "weights.npz", **flat)
    return here


def test_another_process_gives_the_same_bytes(tmp_path: Path) -> None:
    """One process for all cases: most of its time is the import of torch."""
    folders = [tmp_path / str(number) for number in range(len(CASES))]
    tasks = zip(folders, CASES, strict=True)
    expected = [write_task(folder, *case) for folder, case in tasks]
    subprocess.run([sys.executable, "-c", ELSEWHERE, *folders], check=True)
    for folder, here in zip(folders, expected, strict=True):
        for number, columns in enumerate(here):
            found = np.load(folder / f"made-{number}.npz")
            assert set(found) == set(columns)
            for key, array in columns.items():
                assert (found[key].dtype, found[key].shape) == (array.dtype, array.shape)
                assert found[key].tobytes() == array.tobytes(), key


def test_games_go_on_from_leaf_to_leaf_and_begin_again() -> None:
    generator = generator_of("leduc", "round", 0)
    weights, games = weights_of(generator), generator.first_games(50)
    roots = 0
    for iteration in range(4):
        columns = generator.make(weights, GameShard(0, iteration, *games))
        at_root = int((games[0] == 0).sum())
        assert len(columns["values/features"]) == min(at_root, 1) + 50 - at_root
        assert columns["nodes"][0] > 0
        games = columns["games/states"], columns["games/ranges"]
        going = games[0] > 0
        np.testing.assert_allclose(games[1][going].sum(axis=2), 1)
        roots += int((~going).sum())
    assert 0 < roots < 200
