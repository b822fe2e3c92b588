# SPDX-License-Identifier: MIT
"""ONNX files do as their networks do in PyTorch, play as their bundles, and are not believed."""

import io
import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from onnx.reference import ReferenceEvaluator

from command_line import without_progress
from network_shapes import make_shape
from regretless import _native
from regretless.bundles import onnx_file
from regretless.bundles.bundle import BundleFacts, open_bundle
from regretless.bundles.bundle_manifest import AlgorithmFacts, EncoderFacts, Strength
from regretless.bundles.network_bundle import write_network_bundle
from regretless.bundles.onnx_file import OnnxFile, make_onnx, open_onnx, parse_onnx, write_onnx
from regretless.bundles.shipped import strategy_directory
from regretless.cli import main
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.games.encoders import ENCODERS, load_encoder
from regretless.inference.network_policy import NetworkPolicy
from regretless.inference.onnx_policy import most_rows
from regretless.networks.history import Attention, HistoryShape
from regretless.networks.network import Network, make_networks, network_weights, shares
from regretless.networks.onnx_graph import IR_VERSION, OPSET, network_graph, read_networks
from regretless.networks.shape import NetworkShape, NetworkWeights
from regretless.policies.policy import Policy
from regretless.recipes.config import make_config
from regretless.runs import Run
from regretless.seats.contestants import BOT_VARIABLE, find_contestants
from regretless.seats.matches import match
from regretless.seats.strategies import find_strategy, open_policy
from regretless.solving.solution import solve
from regretless.training import onnx_export
from regretless.training.loop import train
from regretless.training.onnx_export import export_onnx

ROOT = Path(__file__).parents[2]
SHIPPED = "hunl-deep-cfr"
HEADS = ("advantages", "probabilities", "values")
STRENGTH = Strength(measure="a match", value=5.0, unit="mbb", how="played")


def networks_of(shape: NetworkShape, seats: int | None = None) -> NetworkWeights:
    """Drawn at random, norms too."""
    made = [Network(shape, torch.Generator().manual_seed(n)) for n in range(seats or 1)]
    for number, network in enumerate(made):
        generator = torch.Generator().manual_seed(100 + number)
        for norm in network.modules():
            if isinstance(norm, torch.nn.LayerNorm):
                with torch.no_grad():
                    norm.weight.uniform_(0.5, 2.0, generator=generator)
                    norm.bias.uniform_(-1.0, 1.0, generator=generator)
    return network_weights(made, seats=None if seats is None else range(seats))


def model_of(networks: NetworkWeights) -> onnx.ModelProto:
    opsets = [onnx.helper.make_opsetid("", OPSET)]
    return onnx.helper.make_model(
        network_graph(networks), ir_version=IR_VERSION, opset_imports=opsets
    )


def asked(shape: NetworkShape, seats: int | None, count: int = 64) -> dict[str, Any]:
    random = np.random.default_rng(7)
    legal = random.random((count, shape.outputs)) < 0.5
    legal[np.arange(count), random.integers(0, shape.outputs, count)] = True
    features = random.normal(size=(count, shape.inputs)).astype(np.float32)
    if isinstance(shape, HistoryShape):
        features[:, -shape.attention.inputs :] = histories(shape.attention, count)
    found: dict[str, Any] = {"features": features, "legal": legal}
    return found if seats is None else found | {"seat": random.integers(0, seats, count)}


def histories(shape: Attention, count: int) -> Any:
    """Histories of every length, the last rows with gaps: actor, action, size."""
    random = np.random.default_rng(8)
    found = np.zeros((count, shape.records, shape.record), np.float32)
    for number, row in enumerate(found):
        length = number % (shape.records + 1)
        row[:length, 0] = random.random(length)
        row[np.arange(length), random.integers(1, shape.record - 1, length)] = 1
        row[:length, -1] = 3 * random.random(length)
        if number > count // 2:
            random.shuffle(row)
    return found.reshape(count, -1)


def expected(networks: NetworkWeights, inputs: dict[str, Any]) -> tuple[Any, Any]:
    """Outputs and probabilities, by PyTorch, row by row."""
    made = make_networks(networks)
    seats = inputs.get("seat", np.zeros(len(inputs["legal"]), np.int64))
    rows = zip(inputs["features"], seats, strict=True)
    outputs = torch.cat([made[seat](torch.tensor(features[None])) for features, seat in rows])
    played = shares(networks.shape.head, outputs, torch.tensor(inputs["legal"]))
    return outputs.numpy(), played.numpy()


def agree(networks: NetworkWeights, inputs: dict[str, Any]) -> None:
    """Outputs to 1e-5, and where no rounding can make what is played jump, probabilities, too."""
    model = model_of(networks)
    onnx.checker.check_model(model, full_check=True)
    made = {each.name for each in model.graph.initializer}
    used = {name for node in model.graph.node for name in node.input}
    assert made | {each.name for each in model.graph.input} <= used
    extra = model.graph.output.add()
    extra.CopyFrom(model.graph.output[0])
    extra.name = "outputs"
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    probabilities, outputs = session.run(["probabilities", "outputs"], inputs)
    known, played = expected(networks, inputs)
    np.testing.assert_allclose(outputs, known, atol=1e-5, rtol=1e-5)
    same = shares(networks.shape.head, torch.tensor(outputs), torch.tensor(inputs["legal"]))
    np.testing.assert_allclose(probabilities, same.numpy(), atol=1e-6)
    positive = np.where(inputs["legal"], np.maximum(known, 0), 0).sum(axis=1)
    is_firm = (positive > 0.1) | (networks.shape.head == "probabilities")
    assert is_firm.any() or networks.shape.outputs == 1
    if networks.shape.head != "values":
        np.testing.assert_allclose(probabilities[is_firm], played[is_firm], atol=1e-5)
    assert np.allclose(probabilities.sum(axis=1), 1, atol=1e-5)
    assert (probabilities[~inputs["legal"]] == 0).all()


@pytest.mark.parametrize("seats", [None, 1, 3])
@pytest.mark.parametrize("head", HEADS)
def test_a_graph_does_as_pytorch_does(head: Any, seats: int | None) -> None:
    for activation, layer_norm, residual in itertools.product(
        ("relu", "gelu", "silu", "tanh"), (False, True), (False, True)
    ):
        shape = make_shape(
            inputs=11,
            widths=(16, 16, 9, 9),
            outputs=5,
            head=head,
            activation=activation,
            layer_norm=layer_norm,
            residual=residual,
        )
        agree(networks_of(shape, seats), asked(shape, seats))


HISTORY = Attention(records=6, record=5, width=8, heads=2, layers=2, feedforward=12, outputs=7)
PARTS: dict[str, dict[str, Any]] = {
    "history": {"history": HISTORY},
    "one head and layer": {"history": HISTORY.model_copy(update={"heads": 1, "layers": 1})},
    "one record": {"history": HISTORY.model_copy(update={"records": 1})},
    "nothing else": {"history": HISTORY, "inputs": HISTORY.inputs},
    "stream": {"stream": 6},
    "all": {"history": HISTORY, "stream": 6, "layer_norm": True, "residual": True},
    "dueling": {"dueling": True, "head": "values"},
    "dueling streams": {"dueling": True, "stream": 6, "head": "values", "history": HISTORY},
    "no layers": {"history": HISTORY, "widths": ()},
    "usual size": {"inputs": 400, "widths": (64,), "history": Attention(), "head": "advantages"},
}


@pytest.mark.parametrize("seats", [None, 2])
@pytest.mark.parametrize("part", PARTS)
def test_the_newer_parts_do_as_pytorch_does(part: str, seats: int | None) -> None:
    base = {"inputs": 40, "widths": (16, 16), "outputs": 4, "head": "probabilities"}
    shape = make_shape(**base | PARTS[part])
    networks = networks_of(shape, seats)
    agree(networks, asked(shape, seats))
    again = read_networks(network_graph(networks), shape, seats, "here")
    assert network_graph(again) == network_graph(networks)


def test_an_empty_history_says_nothing() -> None:
    """Whatever stands where who acted and how much would be."""
    shape = make_shape(inputs=30, widths=(), outputs=4, head="probabilities", history=HISTORY)
    networks = networks_of(shape)
    features = np.zeros((2, 6, 5), np.float32)
    features[1, :, [0, 4]] = 9.0
    inputs = {"features": features.reshape(2, 30), "legal": np.ones((2, 4), np.bool_)}
    model = model_of(networks).SerializeToString()
    (found,) = onnxruntime.InferenceSession(model).run(None, inputs)
    bias = torch.tensor(networks.parameters["trunk.output.bias"])
    np.testing.assert_allclose(found, torch.softmax(bias, 1).expand(2, 4).numpy(), atol=1e-6)


shapes = st.builds(
    make_shape,
    inputs=st.integers(1, 9),
    widths=st.lists(st.integers(1, 9), max_size=4),
    outputs=st.integers(1, 5),
    head=st.sampled_from(HEADS),
    activation=st.sampled_from(["relu", "gelu", "silu", "tanh"]),
    layer_norm=st.booleans(),
    residual=st.booleans(),
)


@settings(max_examples=40, deadline=None)
@given(shapes, st.sampled_from([None, 1, 2, 4]))
def test_numbers_come_out_of_a_graph_again(shape: NetworkShape, seats: int | None) -> None:
    networks = networks_of(shape, seats)
    graph = network_graph(networks)
    assert graph == network_graph(networks)
    again = read_networks(graph, shape, seats, "here")
    assert again.shape == shape and again.num_seats == seats
    for name, each in networks.parameters.items():
        assert (again.parameters[name] == each).all()


def test_weights_in_bfloat16_take_half_the_room() -> None:
    shape = make_shape(inputs=40, widths=(64,), outputs=5, head="probabilities")
    networks = networks_of(shape, None)
    rounded = networks_of(shape, None)
    for each in rounded.parameters.values():
        each.view(np.uint32)[...] &= 0xFFFF0000
    graph = network_graph(rounded)
    assert graph.ByteSize() < 0.6 * network_graph(networks).ByteSize()
    again = read_networks(graph, shape, None, "here")
    for name, each in rounded.parameters.items():
        assert (again.parameters[name] == each).all()
    agree(rounded, asked(shape, None))


def test_another_program_finds_the_same() -> None:
    """The evaluator of the standard itself, in plain numpy."""
    for head in HEADS:
        options = {"widths": (7, 7), "outputs": 4, "activation": "gelu", "layer_norm": True}
        plain = make_shape(inputs=6, head=head, **options)
        both = plain, make_shape(HISTORY, inputs=36, head=head, stream=5, **options)
        for each in both:
            networks, inputs = networks_of(each, 2), asked(each, 2, 16)
            (found,) = ReferenceEvaluator(model_of(networks)).run(None, inputs)
            session = onnxruntime.InferenceSession(model_of(networks).SerializeToString())
            np.testing.assert_allclose(found, session.run(None, inputs)[0], atol=1e-5)


@pytest.mark.parametrize("head", HEADS)
def test_outputs_that_overflow_stay_probabilities(head: Any) -> None:
    shape = make_shape(inputs=2, widths=(), outputs=3, head=head)
    networks = networks_of(shape)
    networks.parameters["output.weight"][0] = [[1e38, 1e38], [-1e38, -1e38], [0, 0]]
    features = np.array([[9, 9], [-9, -9], [0, 0], [9, 9], [np.nan, 0]], np.float32)
    legal = np.array([[1, 1, 1], [1, 1, 1], [0, 1, 1], [0, 1, 1], [1, 0, 1]], np.bool_)
    inputs = {"features": features, "legal": legal}
    model = model_of(networks).SerializeToString()
    (found,) = onnxruntime.InferenceSession(model).run(None, inputs)
    outputs, played = expected(networks, inputs)
    assert np.isinf(outputs[0, 0]) and np.isnan(outputs[4]).all()
    np.testing.assert_allclose(found, played, atol=1e-6)
    assert np.allclose(found.sum(axis=1), 1) and (found[~legal] == 0).all()


def file_of(
    game: Game,
    encoder: str = "slots12",
    seats: int | None = None,
    place: str = "here",
    **parts: Any,
) -> OnnxFile:
    made = load_encoder(encoder, game)
    base = {"inputs": made.num_features, "widths": (8,), "outputs": game.num_actions}
    shape = make_shape(**base | {"head": "advantages", "layer_norm": True} | parts)
    facts = AlgorithmFacts(name="toy", config={"widths": [8]}, iterations=3, seed=1)
    return make_onnx(place, game, networks_of(shape, seats), made, facts, [STRENGTH])


@cache
def kuhn() -> OnnxFile:
    return file_of(load_game("kuhn"), seats=2)


def test_a_file_tells_what_it_is(tmp_path: Path) -> None:
    game = load_game("leduc")
    write_onnx(tmp_path / "deep" / "m.onnx", file_of(game, seats=2))
    write_onnx(tmp_path / "again.onnx", file_of(game, seats=2))
    data = (tmp_path / "deep" / "m.onnx").read_bytes()
    assert data == (tmp_path / "again.onnx").read_bytes()
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["again.onnx"]
    model = onnx.load(tmp_path / "again.onnx")
    onnx.checker.check_model(model, full_check=True)
    told = {each.key: json.loads(each.value) for each in model.metadata_props}
    assert told["format"] == "regretless-onnx" and told["version"] == 1
    assert told["encoder"] == {"name": "slots12", "version": 1, "features": 64}
    assert told["slots"] == ["fold", "call", "raise"] and told["seats"] == 2
    assert told["game"]["rules"]["poker"]["name"] == "leduc"
    assert told["algorithm"]["name"] == "toy" and told["algorithm"]["config"] == {"widths": [8]}
    assert "seat int64 [batch]: the actor's seat, 0 to 1." in model.doc_string
    inputs = {each.name: each.type.tensor_type for each in model.graph.input}
    assert list(inputs) == ["features", "legal", "seat"]
    assert [d.dim_param or d.dim_value for d in inputs["features"].shape.dim] == ["batch", 64]
    found = open_onnx(tmp_path / "again.onnx")
    assert found.facts == file_of(game, seats=2).facts and found.model == data
    strategy = find_strategy(tmp_path / "again.onnx")
    assert strategy.game.name == "leduc" and strategy.algorithm == strategy.policy.name == "toy"
    assert strategy.origin == "ONNX file" and strategy.claimed == [STRENGTH]


def actions(game: Game, policy: Policy, seed: int) -> list[int]:
    """Returns the answers of a policy in self-play."""
    job = _native.SelfPlay(game, 300, tables=64, seed=seed, **policy.needs.options())
    while (questions := job.ask()) is not None:
        job.answer(np.asarray(policy(questions), np.float32))
    steps = job.take_steps()
    return [*steps.slots.tolist(), *steps.payoffs.ravel().tolist()]


@pytest.mark.parametrize(
    ("name", "encoder", "seats", "parts"),
    [
        ("leduc", "slots12", 2, {"head": "probabilities"}),
        ("kuhn", "canonical24", None, {}),
        ("leduc3", "canonical24", 3, {"head": "values", "dueling": True}),
        ("liars-dice-1x4f", "slots12", 2, {}),
        ("nlhe", "composition", None, {"head": "probabilities"}),
        ("leduc", "canonical24", 2, {"history": HISTORY, "stream": 6}),
    ],
)
def test_it_plays_as_its_networks_do(
    name: str, encoder: str, seats: int | None, parts: dict[str, Any]
) -> None:
    game = load_game(name)
    file = file_of(game, encoder, seats, **parts)
    networks = NetworkPolicy(file.networks, load_encoder(encoder, game), "toy")
    for seed in range(3):
        assert actions(game, file.policy(), seed) == actions(game, networks, seed)


def test_batches_are_bounded_and_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    file = kuhn()
    questions = _native.SelfPlay(file.game, 100, tables=100, encoders=["slots12"]).ask()
    assert questions is not None
    whole = file.policy()(questions)
    monkeypatch.setattr("regretless.inference.onnx_policy._ROWS", 7)
    np.testing.assert_allclose(file.policy()(questions), whole, atol=1e-6)
    large = Attention(records=1024, heads=64)
    for history, rows in ((HISTORY, 7), (large, 1)):
        shape = make_shape(inputs=1 << 20, widths=(), outputs=3, head="values", history=history)
        assert most_rows(shape) == rows
    none = questions.part(np.zeros(0, np.int64))
    assert file.policy()(none).shape == (0, 3)


def test_games_with_other_chips(tmp_path: Path) -> None:
    """The game is the one named, as long as features and slots are as many."""
    menu = {"menu": "100%,a"}
    game, deeper = load_game("nlhe", **menu), load_game("nlhe", stacks=30_000, **menu)
    path = tmp_path / "m.onnx"
    write_onnx(path, file_of(game, "canonical24", 2))
    assert find_contestants([path, "caller"])[0].game.rules.stacks == game.rules.stacks
    found = find_contestants([str(path), "caller"], deeper)
    assert [each.game for each in found] == [deeper, deeper] and not found[0].claimed
    assert find_contestants([path], deeper)[0].policy.name == "toy"
    assert match(path, path, game=deeper, hands=20).game == "nlhe"
    with pytest.raises(InputError, match=r"m.onnx: its network has 4 slots, and leduc has 3$"):
        find_contestants([path], load_game("leduc"))
    with pytest.raises(InputError, match="networks for 2 seats, and nlhe has 3"):
        find_contestants([path], load_game("nlhe", players=3, **menu))
    write_onnx(path, file_of(game, "canonical24"))
    with pytest.raises(InputError, match="see 462 features, and encoder canonical24 gives 490"):
        find_contestants([path], load_game("nlhe", players=3, **menu))


def bundle_of(path: Path, file: OnnxFile, count: int = 1) -> Path:
    """A bundle of the networks of a file, or of each of them several times."""
    parts = {
        name: np.repeat(each, count, axis=0) for name, each in file.networks.parameters.items()
    }
    seats = None if file.networks.seats is None else np.repeat(file.networks.seats, count)
    networks = NetworkWeights(
        file.networks.shape,
        parameters=parts,
        weights=np.ones(len(file.networks) * count),
        seats=seats,
    )
    encoder = EncoderFacts(name=file.facts.encoder.name, version=1)
    facts = BundleFacts(file.facts.algorithm, [STRENGTH])
    return write_network_bundle(path, file.game, networks, encoder, facts).path


def test_export_of_a_bundle(tmp_path: Path) -> None:
    path = bundle_of(tmp_path / "bundle", kuhn())
    made = export_onnx(path, tmp_path / "m.onnx", verify=True)
    assert made.file.model == kuhn().model == (tmp_path / "m.onnx").read_bytes()
    assert made.comparison is not None and made.comparison.decisions > 500
    assert 0 <= made.comparison.largest < 1e-5
    assert made.to_json()["comparison"]["decisions"] == made.comparison.decisions
    with pytest.raises(InputError, match=r"m\.txt: the name of an ONNX file must end in \.onnx"):
        export_onnx(path, tmp_path / "m.txt")
    (tmp_path / "dir.onnx").mkdir()
    with pytest.raises(InputError, match="is a directory"):
        export_onnx(path, tmp_path / "dir.onnx")
    with pytest.raises(InputError, match=r"m\.onnx"):
        export_onnx(path, tmp_path / "m.onnx" / "m.onnx")


def test_what_cannot_be_exported(tmp_path: Path) -> None:
    table = solve("kuhn", iterations=10).write_bundle(tmp_path / "table")
    many = bundle_of(tmp_path / "many", kuhn(), 3)
    for source, words in (
        (table.path, "holds a table, and only networks"),
        (many, "6 networks, of which each seat draws one for an episode"),
        (tmp_path / "none", "no such directory"),
    ):
        with pytest.raises(InputError, match=words) as told:
            export_onnx(source, tmp_path / "m.onnx")
        assert str(source) in str(told.value) and "\n" not in str(told.value)
    assert not (tmp_path / "m.onnx").exists()


def test_verify_notices_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bundle_of(tmp_path / "bundle", kuhn())
    right = make_onnx

    def wrong(*arguments: Any) -> OnnxFile:
        """A graph of other numbers than those that are compared."""
        file = right(*arguments)
        bias = file.networks.parameters["output.bias"]
        bias[1, 0] += 1e-4
        return file

    monkeypatch.setattr(onnx_export, "make_onnx", wrong)
    with pytest.raises(InputError, match=r"differ by .*, more than 1e-05: nothing was written"):
        export_onnx(path, tmp_path / "m.onnx", verify=True)
    assert not (tmp_path / "m.onnx").exists()


def trained(path: Path, name: str, steps: int) -> Run:
    tiny = {"traversals": 20, "block": 20, "widths": [8], "steps": 2, "batch": 16, "capacity": 200}
    more = {"strategy_steps": 2, "strategy_batch": 16, "strategy_capacity": 200}
    options = tiny | (more if name == "deep-cfr" else {"networks": 3})
    tree = {
        "game": "kuhn",
        "algorithm": {"name": name, **options},
        "budget": {"steps": steps},
        "output": str(path),
    }
    run = Run.new(make_config(tree, "here"), "kuhn")
    train(run)
    return run


def test_export_of_a_run(tmp_path: Path) -> None:
    """By its bundle, else by its newest checkpoint: the same but for the time."""
    run = trained(tmp_path / "run", "deep-cfr", 2)
    by_bundle = export_onnx(run.path, tmp_path / "a.onnx").file
    for each in (run.path / "bundle").iterdir():
        each.unlink()
    (run.path / "bundle").rmdir()
    by_checkpoint = export_onnx(run.path, tmp_path / "b.onnx", verify=True).file
    mine, others = (each.facts.model_dump() for each in (by_checkpoint, by_bundle))
    assert mine["algorithm"].pop("seconds") <= others["algorithm"].pop("seconds")
    assert mine == others and mine["strength"] and mine["algorithm"]["iterations"] == 2
    for name, each in by_bundle.networks.parameters.items():
        assert (by_checkpoint.networks.parameters[name] == each).all()
    many = trained(tmp_path / "many", "sd-cfr", 3)
    with pytest.raises(InputError, match="6 networks, of which each seat draws one"):
        export_onnx(many.path, tmp_path / "c.onnx")


# What a stranger may do to a file: each is one line.


def changed(change: Callable[[onnx.ModelProto], None]) -> bytes:
    model = onnx.ModelProto.FromString(kuhn().model)
    change(model)
    return model.SerializeToString()


def retold(key: str, value: Any) -> Callable[[onnx.ModelProto], None]:
    def change(model: onnx.ModelProto) -> None:
        (entry,) = (each for each in model.metadata_props if each.key == key)
        told = json.loads(entry.value)
        entry.value = json.dumps(value(told) if callable(value) else value)

    return change


def renumbered(name: str, values: Callable[[Any], Any]) -> Callable[[onnx.ModelProto], None]:
    def change(model: onnx.ModelProto) -> None:
        (tensor,) = (each for each in model.graph.initializer if each.name == name)
        tensor.CopyFrom(onnx.numpy_helper.from_array(values(_array(tensor)), name))

    return change


def _array(tensor: onnx.TensorProto) -> Any:
    return onnx.numpy_helper.to_array(tensor).copy()


def external(model: onnx.ModelProto) -> None:
    tensor = model.graph.initializer[0]
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "/etc/passwd"
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.ClearField("raw_data")


def looping(model: onnx.ModelProto) -> None:
    node = onnx.helper.make_node("Identity", ["never"], ["other"])
    body = onnx.helper.make_graph([node], "body", [], [])
    model.graph.node.append(onnx.helper.make_node("Loop", ["", ""], ["x"], body=body))


DAMAGE: dict[str, tuple[Callable[[onnx.ModelProto], None], str]] = {
    "no metadata": (lambda m: m.ClearField("metadata_props"), "not written by regretless"),
    "key twice": (lambda m: m.metadata_props.append(m.metadata_props[0]), "twice"),
    "other key": (lambda m: _add(m, "evil", "1"), "evil: Extra inputs"),
    "no JSON": (lambda m: _add(m, "evil", "{"), "metadata 'evil': not JSON"),
    "key that moves the cursor": (lambda m: _add(m, "\x1b[2J", "1"), "cannot be printed"),
    "not a number": (lambda m: _add(m, "evil", "NaN"), "not JSON"),
    "other format": (retold("format", "other"), "not written by regretless"),
    "newer version": (retold("version", 2), "version 2; this reads version 1"),
    "unknown encoder": (retold("encoder", lambda e: e | {"name": "slots13"}), "slots12"),
    "other encoder": (retold("encoder", lambda e: e | {"name": "canonical24"}), "features"),
    "encoder version": (retold("encoder", lambda e: e | {"version": 9}), "version 9 was recorded"),
    "encoder features": (retold("encoder", lambda e: e | {"features": 9}), "as many features"),
    "no features": (retold("encoder", lambda e: {"name": "slots12", "version": 1}), "features"),
    "slots": (retold("slots", ["a", "b", "c"]), "slots are not those of kuhn"),
    "fewer slots": (retold("slots", ["a", "b"]), "not as many as the network has outputs"),
    "texts": (retold("software", "\x1b[2J"), "cannot be printed"),
    "rules": (retold("game", lambda g: g | {"rules": {}}), "game.rules"),
    "other rules": (
        retold("game", lambda g: g | {"rules": {"liars_dice": {"dice": 1, "faces": 3}}}),
        "players",
    ),
    "seats": (retold("seats", 3), "seat2.layers.0.weight is missing"),
    "no seats": (retold("seats", None), "its inputs must be features float32"),
    "head": (retold("network", lambda n: n | {"head": "values"}), "its graph is not the one"),
    "shape": (retold("network", lambda n: n | {"widths": [9]}), r"must be float32 \[9, "),
    "huge": (retold("network", lambda n: n | {"widths": [16384] * 64}), "must be float32"),
    "NaN": (
        renumbered("seat1.layers.0.bias", lambda a: np.full_like(a, np.nan)),
        "layers.0.bias must be finite",
    ),
    "infinite": (
        renumbered("seat0.output.weight", lambda a: np.full_like(a, np.inf)),
        "output.weight must be finite",
    ),
    "doubles": (renumbered("seat0.output.bias", lambda a: a.astype(np.float64)), "float32"),
    "truncated numbers": (renumbered("seat0.output.bias", lambda a: a[:-1]), r"float32 \[3\]"),
    "constants": (renumbered("number_0.0", lambda a: a + 1), "its graph is not the one"),
    "other weights": (renumbered("seat0.output.weight", lambda a: a + 1), "its SHA-256 is another"),
    "other claim": (retold("strength", []), "its SHA-256 is another"),
    "other hash": (retold("sha256", "0" * 64), "its SHA-256 is another"),
    "external data": (external, "is in another file, which is not opened"),
    "no parameter": (lambda m: m.graph.initializer.pop(0) and None, "is missing"),
    "no node": (lambda m: m.graph.node.pop(0) and None, "its graph is not the one"),
    "operation": (lambda m: setattr(m.graph.node[0], "op_type", "Loop"), "its graph"),
    "loop": (looping, "its graph is not the one"),
    "domain": (lambda m: setattr(m.graph.node[0], "domain", "com.evil"), "its graph"),
    "opset": (lambda m: setattr(m.opset_import[0], "version", 12), "opset 17"),
    "IR version": (lambda m: setattr(m, "ir_version", 3), "IR version 8"),
    "input name": (lambda m: setattr(m.graph.input[0], "name", "x"), "its inputs must be features"),
    "inputs": (lambda m: m.graph.input.pop() and None, "its inputs must be features"),
    "batch": (
        lambda m: setattr(m.graph.input[0].type.tensor_type.shape.dim[0], "dim_value", 1),
        r"features float32 \[batch, ",
    ),
    "outputs": (
        lambda m: m.graph.output.append(m.graph.output[0]),
        r"its outputs must be probabilities float32 \[batch, 3\]",
    ),
}


def _add(model: onnx.ModelProto, key: str, value: str) -> None:
    entry = model.metadata_props.add()
    entry.key, entry.value = key, value


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_one_line(name: str) -> None:
    change, words = DAMAGE[name]
    with pytest.raises(InputError, match=words) as told:
        parse_onnx(changed(change), "some/m.onnx")
    assert str(told.value).startswith("some/m.onnx: ") and str(told.value).isprintable()
    assert len(str(told.value)) < 300


def test_what_is_not_a_file_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.onnx"
    with pytest.raises(InputError, match=r"m\.onnx: No such file"):
        find_strategy(path)
    broken = kuhn().model.replace(b"software", b"\x80oftware")
    for data in (
        broken,
        b"",
        b"\0" * 100,
        b"not ONNX at all",
        kuhn().model[:-1],
        kuhn().model[:200],
    ):
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"m\.onnx: ") as told:
            open_policy(path)
        assert str(told.value).isprintable()
    (tmp_path / "link.onnx").symlink_to(path)
    with pytest.raises(InputError, match="a link"):
        open_onnx(tmp_path / "link.onnx")
    path.write_bytes(kuhn().model)
    monkeypatch.setattr(onnx_file, "_MOST_BYTES", 1000)
    with pytest.raises(InputError, match="more than the 1,000 allowed"):
        open_onnx(path)
    with pytest.raises(InputError, match="networks of more than 500 bytes"):
        file_of(load_game("kuhn"))


def test_extra_fields_do_not_travel() -> None:
    """The graph that runs is written anew: only checked facts and numbers of the file are used."""

    def change(model: onnx.ModelProto) -> None:
        model.doc_string, model.producer_name = "other words", "x"
        model.functions.append(onnx.helper.make_function("evil", "f", [], [], [], []))

    assert parse_onnx(changed(change), "here").model == kuhn().model


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    places=st.lists(st.tuples(st.integers(0, 1 << 30), st.integers(0, 255)), max_size=4),
    cut=st.none() | st.tuples(st.integers(0, 1 << 30), st.integers(0, 1 << 30)),
)
def test_any_bytes_are_a_file_or_one_line(
    places: Sequence[tuple[int, int]], cut: tuple[int, int] | None
) -> None:
    data = bytearray(kuhn().model)
    for place, byte in places:
        data[place % len(data)] = byte
    if cut is not None:
        begin, end = (each % len(data) for each in cut)
        del data[begin:end]
    try:
        found = parse_onnx(bytes(data), "m.onnx")
    except InputError as error:
        assert str(error).startswith("m.onnx: ") and str(error).isprintable()
        assert len(str(error)) < 1000
        return
    same_as_kuhn(found)


def same_as_kuhn(found: OnnxFile) -> None:
    """It plays what was written, and claims it."""
    assert found.facts == kuhn().facts and found.model == kuhn().model
    for name, parameter in kuhn().networks.parameters.items():
        assert found.networks.parameters[name].tobytes() == parameter.tobytes()


def test_every_flipped_byte_is_refused_or_harmless() -> None:
    """One bit of every seventh byte, of the whole file."""
    good, refused = kuhn().model, 0
    for place in range(0, len(good), 7):
        data = bytearray(good)
        data[place] ^= 1 << place % 8
        try:
            same_as_kuhn(parse_onnx(bytes(data), "m.onnx"))
        except InputError as error:
            assert str(error).startswith("m.onnx: ") and "\n" not in str(error)
            refused += 1
    assert refused > len(good) / 14  # weights and metadata are most of the file


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200))
def test_any_other_bytes_are_one_line(data: bytes) -> None:
    with pytest.raises(InputError, match=r"^m\.onnx: "):
        parse_onnx(data, "m.onnx")


def test_encoders_with_buckets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("kuhn")

    class Bucketed:
        """An encoder that needs what a file does not carry."""

        name, version, num_features = "buckets", 1, 4
        buckets = ("some",)

    shape = make_shape(inputs=4, widths=(), outputs=3, head="values")
    made: Any = Bucketed()
    with pytest.raises(InputError, match="encoder buckets needs buckets"):
        make_onnx("here", game, networks_of(shape), made, AlgorithmFacts(name="toy"), [])
    monkeypatch.setitem(ENCODERS, "slots12", 2)
    with pytest.raises(InputError, match="version 1 was recorded, and this is 2"):
        parse_onnx(kuhn().model, "here")


@pytest.mark.parametrize("package", ["onnx", "onnxruntime", "torch"])
def test_what_is_not_installed_is_told(
    tmp_path: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, bundle = tmp_path / "m.onnx", bundle_of(tmp_path / "bundle", kuhn())
    write_onnx(path, kuhn())
    for name in ("networks.onnx_graph", "inference.onnx_policy", "inference.onnx_comparison"):
        monkeypatch.delitem(sys.modules, f"regretless.{name}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    words = f"this needs {package}: pip install .regretless.onnx"
    with pytest.raises(InputError, match=words):
        if package == "torch":
            export_onnx(bundle, path, verify=True)
        else:
            open_policy(path)


def test_it_plays_without_torch(tmp_path: Path) -> None:
    write_onnx(tmp_path / "m.onnx", kuhn())
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "from regretless.cli import main; main(['match', sys.argv[1], 'caller', '--hands', '20'])"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "m.onnx")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0 and "20 hands" in result.stdout, result.stderr
    assert without_progress(result.stderr) == ""


# The commands.


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """A command in this process: all that it printed."""

    def call(*arguments: object, typed: str = "", code: int = 0, bot: object = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        monkeypatch.setenv(BOT_VARIABLE, str(bot))
        with pytest.raises(SystemExit) as ended:
            main(list(map(str, arguments)))
        found = capsys.readouterr()
        assert ended.value.code == code, found.err
        return found.out + found.err

    return call


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shipped") / "model.onnx"
    export_onnx(SHIPPED, path)
    return path


def test_export_of_the_shipped_bundle(
    tmp_path: Path, shipped: Path, run: Callable[..., str]
) -> None:
    text = run("export", SHIPPED, "--onnx", tmp_path / "m.onnx", "--verify")
    assert "deep-cfr on hunl-100bb" in text and "a network for each of 2 seats" in text
    assert "largest difference from PyTorch" in text
    assert (tmp_path / "m.onnx").read_bytes() == shipped.read_bytes()
    told = json.loads(run("export", SHIPPED, "--onnx", tmp_path / "m.onnx", "--json"))
    assert told["encoder"] == {"name": "composition", "version": 1, "features": 750}
    assert told["seats"] == 2 and told["comparison"] is None
    assert told["bytes"] == shipped.stat().st_size
    directory = strategy_directory(SHIPPED)
    assert directory is not None
    assert open_onnx(shipped).facts.strength == open_bundle(directory).manifest.strength


def test_it_plays_as_the_bundle_that_it_came_from(shipped: Path, run: Callable[..., str]) -> None:
    options = ("--hands", 100, "--seed", 5, "--json")
    mine, others = (
        json.loads(run("match", who, "tight-aggressive", *options)) for who in (shipped, SHIPPED)
    )
    assert mine["players"] == others["players"] and mine["game"] == "hunl-100bb"
    both = json.loads(run("match", shipped, SHIPPED, *options))
    assert [each["name"].split()[0] for each in both["players"]] == ["deep-cfr", "deep-cfr"]
    game, policies = load_game("hunl-100bb"), (open_policy(shipped), open_policy(SHIPPED))
    assert actions(game, policies[0], 1) == actions(game, policies[1], 1)


def test_the_commands_take_a_file(tmp_path: Path, run: Callable[..., str]) -> None:
    path, bundle = tmp_path / "m.onnx", bundle_of(tmp_path / "bundle", kuhn())
    write_onnx(path, kuhn())
    exact = [json.loads(run("evaluate", who, "--json")) for who in (path, bundle)]
    assert exact[0]["origin"] == "ONNX file" and exact[0]["coverage"] is None
    for mine, other in zip(exact[0]["measures"], exact[1]["measures"], strict=True):
        assert mine["value"] == pytest.approx(other["value"], abs=1e-5)
    text = run("play", path, "--seed", 1, typed="?\nc\nc\nc\n")
    assert "m.onnx: a match 5 mbb\nkuhn, 2 players, against toy, seed 1" in text
    assert "seat 1's answer" in text and "after 1 hand:" in text
    assert "against toy" in run("play", "kuhn", "--against", path, typed="q\n")
    assert "kuhn, 2 players, against caller" in run("play", path, "--against", "caller")
    assert "--players" in run("play", path, "--players", 3, code=2)
    assert "m.onnx is no bundle" in run("evaluate", path, "--record", code=2)
    assert run("match", path, "x.onnx", code=2) == "error: x.onnx: No such file or directory\n"
    other = tmp_path / "leduc.onnx"
    write_onnx(other, file_of(load_game("leduc"), place=str(other)))
    assert "not one game" in run("match", path, other, code=2)
    assert "m.onnx: its network" in run("match", path, "caller", "--game", "leduc", code=2)


def test_the_variable_names_the_opponent(
    tmp_path: Path, shipped: Path, run: Callable[..., str]
) -> None:
    path, bundle = tmp_path / "m.onnx", bundle_of(tmp_path / "bundle", kuhn())
    write_onnx(path, kuhn())
    assert "against random" in run("play", "kuhn")
    for bot in (path, bundle):
        text = run("play", "kuhn", bot=bot)
        assert text.startswith(f"{bot}: a match 5 mbb\nkuhn, 2 players, against toy")
    assert run("play", "leduc", bot="caller").startswith("leduc, 2 players, against caller")
    assert "against caller" in run("play", "kuhn", "--against", "caller", bot=path)
    assert "against toy" in run("play", bundle, bot="caller")
    assert "nlhe, 3 players, against caller" in run("play", "nlhe", "--players", 3, bot="caller")
    # nlhe leaves chips and bets to a strategy of no-limit hold'em for two.
    for bot in (shipped, SHIPPED):
        assert "hunl-100bb, 2 players, against deep-cfr" in run("play", "nlhe", bot=bot)
        assert "hunl-100bb, 2 players, against deep-cfr" in run("play", "hunl-100bb", bot=bot)
    assert "nlhe, 2 players, against caller" in run("play", "nlhe", bot="caller")
    assert "m.onnx: its network" in run("play", "nlhe", bot=path, code=2)
    assert "is for kuhn, and the game" in run("play", "nlhe", bot=bundle, code=2)
    assert "unknown policy 'nobody'" in run("play", "kuhn", bot="nobody", code=2)


def test_the_example_of_the_page(
    shipped: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shipped.parent)
    text = (ROOT / "docs" / "onnx.md").read_text(encoding="utf-8")
    (example,) = (part.split("```")[0] for part in text.split("```python\n")[1:])
    scope: dict[str, Any] = {}
    exec(example, scope)
    assert "'all-in'] [[" in capsys.readouterr().out
    (found,) = scope["session"].run(None, scope["inputs"])
    np.testing.assert_allclose(found, open_policy(SHIPPED)(scope["questions"]), atol=1e-5)
