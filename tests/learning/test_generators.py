# SPDX-License-Identifier: MIT
"""Every generator gives the same bytes in another process, for a shard and for its parts."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from regretless.algorithm import Shard
from regretless.games import load_game
from regretless.games.encoders import load_encoder
from regretless.generation.generator import Columns, Generator, Weights, joined
from regretless.generation.self_play import SelfPlayGenerator
from regretless.generation.traversals import TraversalGenerator, seats_encoder
from regretless.learning.advantage_config import AdvantageConfig
from regretless.learning.nfsp_config import NFSPConfig
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig, play_deals
from regretless.networks.mlp import MlpShape
from regretless.networks.network import Network, network_weights
from regretless.networks.shape import NetworkWeights

OTHER_PROCESS = """
import json, sys
from pathlib import Path
import numpy as np, torch
from regretless.algorithm import Shard
from regretless.generation.self_play import SelfPlayGenerator
from regretless.generation.traversals import TraversalGenerator
from regretless.networks.mlp import MlpShape
from regretless.networks.shape import NetworkWeights

torch.set_num_threads(1)
kinds = {"TraversalGenerator": TraversalGenerator, "SelfPlayGenerator": SelfPlayGenerator}
for folder in map(Path, sys.argv[1:]):
    task = json.loads((folder / "task.json").read_text())
    weights = {}
    for name, shape in task["shapes"].items():
        arrays = dict(np.load(folder / f"{name}.npz"))
        counts, seats = arrays.pop("/weights"), arrays.pop("/seats", None)
        weights[name] = NetworkWeights(MlpShape(**shape), arrays, counts, seats)
    generator = kinds[task["kind"]].from_spec(task["spec"])
    for number, shard in enumerate(task["shards"]):
        np.savez(folder / f"columns-{number}.npz", **generator.make(weights, Shard(**shard)))
"""
FLAT = {"best_response": 0.3, "epsilon": 0.3, "epsilon_end": 0.3, "temperature": 0.3}


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def networks(game: Any, encoder: Any, head: Any, count: int) -> NetworkWeights:
    shape = MlpShape(inputs=encoder.num_features, widths=(16,), outputs=game.num_actions, head=head)
    made = [Network(shape, torch.Generator().manual_seed(seed)) for seed in range(count)]
    return network_weights(made, seats=range(count) if count > 1 else None)


def traversals(game: str, **options: Any) -> tuple[Generator, Weights, Shard]:
    played, encoder = load_game(game), "composition" if game == "nlhe" else "slots12"
    seats, shown = played.num_players, load_encoder(encoder, played)
    weights = {"advantages": networks(played, shown, "advantages", seats)}
    if options.get("baselines", "none") != "none":
        everything = seats_encoder(played, encoder)
        weights["baselines"] = networks(played, everything, "values", seats)
    config = AdvantageConfig(encoder=encoder, in_flight=50, **options)
    return TraversalGenerator(played, config, seed=5), weights, Shard(10, 90, iteration=3, seat=1)


def self_play(game: str, **options: Any) -> tuple[Generator, Weights, Shard]:
    played, encoder = load_game(game), "table30" if game == "nlhe" else "slots12"
    shown = load_encoder(encoder, played)
    weights = {
        "values": networks(played, shown, "values", 1),
        "average": networks(played, shown, "probabilities", 1),
    }
    settings: dict[str, Any] = {"random_opponents": 0.1, "tables": 30, **FLAT, **options}
    config = NFSPConfig(encoder=encoder, episodes=200, **settings)
    return SelfPlayGenerator(played, config, seed=5), weights, Shard(40, 100)


CASES: dict[str, Any] = {
    "traversals of Leduc": lambda: traversals("leduc"),
    "traversals of three": lambda: traversals("leduc3", sampling="outcome"),
    "traversals with baselines": lambda: traversals("leduc", baselines="control"),
    "traversals of hold'em": lambda: traversals("nlhe", runouts=4, kept_answers=0),
    "traversals of a pool": lambda: traversals("leduc", deals=40, deals_seed=2),
    "self-play of Leduc": lambda: self_play("leduc"),
    "self-play of hold'em": lambda: self_play("nlhe", temperature=0.5, temperature_decay=90),
}


def write_task(generator: Generator, weights: Weights, shards: list[Shard], folder: Path) -> None:
    """Writes everything that another process needs, as plain data."""
    folder.mkdir()
    for name, each in weights.items():
        seats = {} if each.seats is None else {"/seats": each.seats}
        np.savez(folder / f"{name}.npz", **each.parameters, **{"/weights": each.weights}, **seats)
    task = {
        "kind": type(generator).__name__,
        "spec": generator.spec(),
        "shapes": {name: each.shape.model_dump(mode="json") for name, each in weights.items()},
        "shards": [vars(shard) for shard in shards],
    }
    (folder / "task.json").write_text(json.dumps(task))


def test_same_bytes_in_another_process(tmp_path: Path) -> None:
    """One process for all cases: most of its time is the import of torch."""
    here: dict[str, list[Columns]] = {}
    for number, (case, make) in enumerate(CASES.items()):
        generator, weights, whole = make()
        shards = [whole, *whole.split(-(-whole.count // 4))]
        assert len(shards) == 5
        here[case] = [generator.make(weights, shard) for shard in shards]
        write_task(generator, weights, shards, tmp_path / str(number))
    folders = [str(tmp_path / str(number)) for number in range(len(CASES))]
    subprocess.run([sys.executable, "-c", OTHER_PROCESS, *folders], check=True)
    for folder, (case, found) in zip(folders, here.items(), strict=True):
        there = [dict(np.load(Path(folder) / f"columns-{number}.npz")) for number in range(5)]
        compare(case, found, there)


def compare(case: str, here: list[Columns], there: list[Columns]) -> None:
    """Compares the bytes of two processes, and the whole with its four parts."""
    for mine, other in zip(here, there, strict=True):
        assert mine.keys() == other.keys() and len(mine["legal"]) > 10, case
        for name, array in mine.items():
            assert array.dtype == other[name].dtype and array.shape == other[name].shape, case
            assert array.tobytes() == other[name].tobytes(), (case, name)
    parts = joined(here[1:])
    assert parts["nodes"].sum() == here[0]["nodes"].sum() if "nodes" in parts else True
    for name in here[0].keys() - {"nodes", "questions", "next"}:
        if parts[name].dtype == np.float32:  # sums of another batch may differ in the last digit
            np.testing.assert_allclose(parts[name], here[0][name], atol=1e-4)
        else:
            assert (parts[name] == here[0][name]).all(), (case, name)


def test_new_weights_are_played_by() -> None:
    generator, weights, shard = self_play("leduc")
    first = generator.make(weights, shard)
    other = {**weights, "average": networks_of_another_seed(weights["average"])}
    second, again = generator.make(other, shard), generator.make(weights, shard)
    assert first["slots"].tobytes() == again["slots"].tobytes()
    assert first["slots"].tobytes() != second["slots"].tobytes()


def networks_of_another_seed(weights: NetworkWeights) -> NetworkWeights:
    return network_weights([Network(weights.shape, torch.Generator().manual_seed(99))])


def test_shards_cover_their_work() -> None:
    shard = Shard(7, 10, iteration=2, seat=1)
    parts = shard.split(4)
    assert [(each.first, each.count) for each in parts] == [(7, 4), (11, 4), (15, 2)]
    assert all((each.iteration, each.seat) == (2, 1) for each in parts) and parts[-1].end == 17
    assert Shard(0, 0).split(5) == []


def test_matches_add_up() -> None:
    game, config = load_game("nlhe"), MatchConfig(1, seed=4)
    policies = [BOTS[name](game) for name in ("caller", "tight-aggressive")]
    whole = play_deals(game, policies, config, Shard(20, 80)).steps
    shards = Shard(20, 80).split(20)
    parts = [play_deals(game, policies, config, shard).steps for shard in shards]
    assert (np.concatenate([part.payoffs for part in parts]) == whole.payoffs).all()
    assert (np.concatenate([part.slots for part in parts]) == whole.slots).all()
