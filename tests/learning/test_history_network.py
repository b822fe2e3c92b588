# SPDX-License-Identifier: MIT
"""Networks that read histories by attention, and their heads: against torch's own and NumPy."""

import copy
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

import regretless
from network_shapes import make_shape
from regretless.bundles import network_bundle
from regretless.bundles.bundle import BundleFacts, copy_bundle, open_bundle
from regretless.bundles.bundle_manifest import AlgorithmFacts, parse_manifest
from regretless.bundles.solution import write_policy
from regretless.cli import main
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.encoders import load_encoder
from regretless.inference.average_policy import AveragePolicy
from regretless.inference.network_policy import NetworkPolicy
from regretless.networks import attention
from regretless.networks.history import Attention, HistoryShape
from regretless.networks.mlp import MlpShape
from regretless.networks.network import (
    Network,
    add_layers,
    draw_linear,
    network_weights,
    shares,
)
from regretless.networks.shape import NetworkShape, NetworkWeights
from regretless.policies.asking import policy_table
from regretless.seats.strategies import open_policy

torch.set_num_threads(1)  # small networks are not worth more

SMALL = Attention(records=6, record=5, width=8, heads=2, layers=2, feedforward=12, outputs=7)
LARGE = Attention()
FACTS = BundleFacts(AlgorithmFacts(name="reader"))


class HistoryNetwork(nn.Module):
    """The attention of a network alone."""

    record: nn.Linear
    positions: nn.Parameter
    output: nn.Linear
    output_norm: nn.LayerNorm

    def __init__(self, shape: Attention) -> None:
        super().__init__()
        self.shape = shape
        add_layers(self, shape.layer_table())

    def forward(self, histories: Tensor) -> Tensor:
        return attention.read_history(self.shape, self, histories)

    def packed(self, records: Tensor, there: Tensor) -> Tensor:
        return attention.packed(self.shape, self, records, there)

    def padded(self, records: Tensor, there: Tensor) -> Tensor:
        return attention.padded(self.shape, self, records, there)


def history_of(network: Network) -> HistoryNetwork:
    """The attention of a network, with the same parameters."""
    assert isinstance(network.shape, HistoryShape)
    found = HistoryNetwork(network.shape.attention)
    found.load_state_dict(network.get_submodule("history").state_dict())
    return found.to(next(network.parameters()).dtype)


def drawn(shape: Attention, seed: int = 1) -> HistoryNetwork:
    """With a last norm of full size, so that nothing hides."""
    network = HistoryNetwork(shape)
    generator = torch.Generator().manual_seed(seed)
    for module in network.modules():
        if isinstance(module, nn.Linear):
            draw_linear(module, generator)
    attention.draw_positions(network, generator)
    nn.init.ones_(network.output_norm.weight)
    return network


def histories(shape: Attention, lengths: list[int], seed: int = 2) -> Tensor:
    """[batch, records, record]: so many records, then zeros."""
    random = np.random.default_rng(seed)
    found = np.zeros((len(lengths), shape.records, shape.record), np.float32)
    for row, length in zip(found, lengths, strict=True):
        row[:length, 0] = random.random(length)
        row[np.arange(length), random.integers(1, shape.record - 1, length)] = 1
        row[:length, -1] = random.random(length) * 3
    return torch.from_numpy(found)


def ways(network: HistoryNetwork, records: Tensor) -> list[Tensor]:
    """Returns the outputs of the CPU path and of the path of other devices."""
    there = records[:, :, 1:-1].sum(dim=2) > 0
    return [network(records.flatten(1)), network.padded(records, there)]


def assert_near(found: Tensor | None, expected: Tensor | None, error: float = 1e-5) -> None:
    assert found is not None and expected is not None
    np.testing.assert_allclose(
        found.detach().numpy(), expected.detach().numpy(), rtol=1e-7, atol=error
    )


# Against torch's own.


def encoder_of(network: HistoryNetwork) -> nn.TransformerEncoder:
    """torch's layers with the same numbers."""
    shape, state = network.shape, network.state_dict()
    layer = nn.TransformerEncoderLayer(
        shape.width, shape.heads, shape.feedforward, dropout=0.0, batch_first=True
    )
    encoder = nn.TransformerEncoder(layer, shape.layers, enable_nested_tensor=False)
    names = {
        "self_attn.in_proj_": "attention.",
        "self_attn.out_proj.": "mixing.",
        "norm1.": "mixing_norm.",
        "linear1.": "widening.",
        "linear2.": "narrowing.",
        "norm2.": "narrowing_norm.",
    }
    encoder.load_state_dict(
        {
            f"layers.{number}.{theirs}{kind}": state[f"layers.{number}.{ours}{kind}"]
            for number in range(shape.layers)
            for theirs, ours in names.items()
            for kind in ("weight", "bias")
        }
    )
    return encoder.to(network.positions.dtype)


def expected_of(network: HistoryNetwork, encoder: nn.Module, records: Tensor) -> Tensor:
    """Compares histories that are not empty."""
    is_missing = records[:, :, 1:-1].sum(dim=2) == 0
    embedded = records @ network.record.weight.T + network.record.bias + network.positions
    hidden = encoder(embedded, src_key_padding_mask=is_missing)
    kept = hidden.masked_fill(is_missing[:, :, None], 0)
    means = kept.sum(dim=1) / (~is_missing).sum(dim=1, keepdim=True)
    return torch.relu(network.output_norm(network.output(means)))


@pytest.mark.parametrize("shape", [SMALL, LARGE])
def test_attention_is_that_of_torch(shape: Attention) -> None:
    """Numbers and gradients, with each way that it is computed."""
    network = drawn(shape).double()
    lengths = [1, 3, 6, 2, 3, 5, 1, 6, shape.records, shape.records - 1]
    records = histories(shape, lengths).double()
    encoder = encoder_of(network)
    expected = expected_of(network, encoder, records)
    weights = torch.rand(expected.shape, generator=torch.Generator().manual_seed(3)).double()
    (expected * weights).sum().backward()
    theirs = {
        "layers.1.attention.weight": encoder.get_parameter("layers.1.self_attn.in_proj_weight"),
        "layers.0.mixing.weight": encoder.get_parameter("layers.0.self_attn.out_proj.weight"),
        "layers.0.narrowing_norm.bias": encoder.get_parameter("layers.0.norm2.bias"),
    }
    wanted = {name: parameter.grad for name, parameter in theirs.items()}
    for name in ("positions", "record.weight", "record.bias", "output.weight"):
        wanted[name] = copy.deepcopy(network.get_parameter(name).grad)
    for way in (0, 1):
        network.zero_grad()
        found = ways(network, records)[way]
        assert_near(found, expected, 1e-12)
        (found * weights).sum().backward()
        for name, gradient in wanted.items():
            assert_near(network.get_parameter(name).grad, gradient, 1e-10)
    assert expected.std() > 0.1


# Histories without records.


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("lengths", [[0] * 4, [0, 4, 0, 6], [], [0]])
def test_an_empty_history_says_nothing(precision: torch.dtype, lengths: list[int]) -> None:
    network = drawn(SMALL).to(precision)
    for found in ways(network, histories(SMALL, lengths).to(precision)):
        assert found.shape == (len(lengths), SMALL.outputs) and found.dtype == precision
        assert torch.isfinite(found).all()
        for row, length in zip(found, lengths, strict=True):
            assert (row == 0).all() == (length == 0)


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("way", [0, 1])
def test_gradients_of_empty_histories_are_zero(precision: torch.dtype, way: int) -> None:
    network = drawn(SMALL).to(precision)
    ways(network, histories(SMALL, [0, 0, 0]).to(precision))[way].sum().backward()
    for parameter in network.parameters():
        assert parameter.grad is not None and (parameter.grad == 0).all()
    ways(network, histories(SMALL, [0, 3, 0]).to(precision))[way].sum().backward()
    for parameter in network.parameters():
        assert parameter.grad is not None and torch.isfinite(parameter.grad).all()


@pytest.mark.parametrize(
    ("precision", "error"), [(torch.float32, 1e-5), (torch.bfloat16, 0.15), (torch.float16, 0.02)]
)
def test_all_ways_and_precisions_agree(precision: torch.dtype, error: float) -> None:
    lengths = [number % (LARGE.records + 1) for number in range(100)]
    network, records = drawn(LARGE), histories(LARGE, lengths)
    exact = ways(copy.deepcopy(network).double(), records.double())[0]
    for found in ways(network.to(precision), records.to(precision)):
        assert_near(found.double(), exact, error)
    with torch.autocast("cpu", torch.bfloat16):
        for found in ways(network.float(), records):
            assert_near(found.double(), exact, 0.15)


class Recorded(TorchFunctionMode):
    """Lists what is computed: the function, and the shape of what comes out."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Any] = []

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        found = func(*args, **kwargs or {})
        self.steps.append((func.__name__, getattr(found, "shape", None)))
        return found


def test_what_a_device_computes_depends_on_the_batch_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps and shapes are the same whatever the histories, so a graph can be captured."""
    monkeypatch.setattr(attention, "_PADDED_ROWS", 3)
    network, expected = drawn(SMALL), None
    for lengths in ([0] * 8, [6] * 8, [0, 1, 2, 3, 4, 5, 6, 0]):
        records = histories(SMALL, lengths)
        there = records[:, :, 1:-1].sum(dim=2) > 0
        with Recorded() as recorded:
            found = network.padded(records, there)
        assert_near(found, network.packed(records, there))
        assert expected in (None, recorded.steps)
        expected = recorded.steps
        names = {name for name, _ in expected}
        assert "scaled_dot_product_attention" in names
        assert not names & {"nonzero", "item", "tolist", "bincount", "__bool__", "__int__"}


@pytest.mark.gpu
@pytest.mark.parametrize(("precision", "error"), [(torch.float32, 1e-4), (torch.bfloat16, 0.15)])
def test_a_captured_graph_reads_other_histories(precision: torch.dtype, error: float) -> None:
    """More of them than one kernel takes; forwards and backwards."""
    count = 70_000
    network = drawn(LARGE)
    other = copy.deepcopy(network).to("cuda", precision)
    seen = torch.zeros(count, LARGE.inputs, device="cuda", dtype=precision)
    stream: Any = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    with torch.cuda.stream(stream):
        for _ in range(2):
            other.zero_grad()
            other(seen).sum().backward()
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = other(seen)
        other.zero_grad(set_to_none=False)
        found.sum().backward()
    for first in (0, 7):
        records = histories(LARGE, [(first + n * n) % (LARGE.records + 1) for n in range(count)])
        seen.copy_(records.flatten(1))
        graph.replay()
        assert_near(found[::100].float().cpu(), network(records[::100].flatten(1)), error)
        assert all(torch.isfinite(each.grad).all() for each in other.parameters())  # type: ignore[arg-type]


# Properties.

some_lengths = st.lists(st.integers(0, SMALL.records), max_size=8)


@settings(max_examples=40, deadline=None)
@given(lengths=some_lengths, data=st.data())
def test_rows_of_a_batch_do_not_see_each_other(lengths: list[int], data: st.DataObject) -> None:
    network, records = drawn(SMALL), histories(SMALL, lengths)
    order = data.draw(st.permutations(range(len(lengths))))
    cut = data.draw(st.integers(0, len(lengths)))
    expected = ways(network, records)[0]
    for way in (0, 1):
        assert_near(ways(network, records[order])[way], expected[order])
        halves = [ways(network, each)[way] for each in (records[:cut], records[cut:])]
        assert_near(torch.cat(halves), expected)


@settings(max_examples=40, deadline=None)
@given(lengths=some_lengths, data=st.data())
def test_records_that_are_not_there_do_not_matter(lengths: list[int], data: st.DataObject) -> None:
    """Wherever they stand, and whatever they say of who acted and how much was bet."""
    network, records = drawn(SMALL), histories(SMALL, lengths)
    expected = ways(network, records)[0]
    moved = torch.zeros_like(records)
    moved[:, :, 0] = torch.rand(moved.shape[:2])
    moved[:, :, -1] = torch.rand(moved.shape[:2])
    for row, before, length in zip(moved, records, lengths, strict=True):
        places = st.permutations(range(SMALL.records)).map(lambda all_: all_[:length])  # noqa: B023
        row[sorted(data.draw(places))] = before[:length]
    for found in ways(network, moved):
        assert_near(found, expected)


def test_the_order_of_records_matters_and_so_does_each() -> None:
    network, records = drawn(SMALL).double(), histories(SMALL, [5]).double()
    expected = ways(network, records)[0]
    for other in (records[:, [1, 0, 2, 3, 4, 5]], records * (torch.arange(6) < 4)[:, None]):
        for found in ways(network, other):
            assert (found - expected).abs().max() > 1e-4


# Heads and the rest of the network.


def with_history(history: Attention | None, **options: Any) -> NetworkShape:
    return make_shape(
        **{"inputs": 40, "widths": (8, 8), "outputs": 3, "head": "values", "history": history}
        | options
    )


def through(parameters: dict[str, NDArray[np.float64]], shape: MlpShape, features: Any) -> Any:
    """A network without a history, in NumPy."""
    hidden = features
    for number in range(len(shape.widths)):
        after = _linear(parameters, f"layers.{number}", hidden)
        if shape.layer_norm:
            centred = after - after.mean(axis=1, keepdims=True)
            after = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
            after = after * parameters[f"norms.{number}.weight"]
            after = after + parameters[f"norms.{number}.bias"]
        after = np.maximum(after, 0)
        hidden = hidden + after if shape.residual and after.shape == hidden.shape else after
    streams = {"stream": hidden, "value_stream": hidden}
    if shape.stream:
        streams = {
            name: np.maximum(_linear(parameters, name, hidden), 0)
            for name in streams
            if f"{name}.weight" in parameters
        }
    outputs = _linear(parameters, "output", streams["stream"])
    if not shape.dueling:
        return outputs
    value = _linear(parameters, "value_output", streams["value_stream"])
    return value + outputs - outputs.mean(axis=1, keepdims=True)


def _linear(parameters: dict[str, NDArray[np.float64]], name: str, inputs: Any) -> Any:
    return inputs @ parameters[f"{name}.weight"].T + parameters[f"{name}.bias"]


@pytest.mark.parametrize("stream", [0, 5])
@pytest.mark.parametrize("dueling", [False, True])
@pytest.mark.parametrize("history", [None, SMALL])
def test_heads_are_what_numpy_says(stream: int, dueling: bool, history: Attention | None) -> None:
    shape = with_history(history, stream=stream, dueling=dueling, layer_norm=True, residual=True)
    network = Network(shape, torch.Generator().manual_seed(4)).double()
    records = histories(SMALL, [0, 1, 6, 3]).double()
    others = torch.rand(4, shape.inputs - SMALL.inputs).double()
    features = torch.cat([others, records.flatten(1)], dim=1)
    seen, trunk = features, shape
    body: nn.Module = network
    if isinstance(shape, HistoryShape):
        seen = torch.cat([others, ways(history_of(network), records)[1]], dim=1).detach()
        trunk, body = shape.trunk, network.get_submodule("trunk")
    parameters = {name: each.detach().numpy() for name, each in body.named_parameters()}
    assert isinstance(trunk, MlpShape)
    expected = through(parameters, trunk, seen.numpy())
    np.testing.assert_allclose(network(features).detach().numpy(), expected, atol=1e-12)
    if dueling:
        value: Any = body.get_submodule("value_output")
        advantages = expected - expected.mean(axis=1, keepdims=True)
        nn.init.constant_(value.weight, 0)
        nn.init.constant_(value.bias, 7)
        found = network(features).detach().numpy()
        np.testing.assert_allclose(found, advantages + 7, atol=1e-12)


def test_a_network_of_nfsp_is_data() -> None:
    """462 features and 30 records; the figures are those of the parts."""
    shape = make_shape(
        inputs=462 + 330,
        widths=(1024, 1024, 512, 512),
        outputs=9,
        head="values",
        layer_norm=True,
        residual=True,
        history=LARGE,
        stream=512,
        dueling=True,
    )
    assert isinstance(shape, HistoryShape) and shape.trunk.inputs == 718
    layer = 4 * (64 * 64 + 64) + (64 * 128 + 128) + (128 * 64 + 64) + 4 * 64
    history = (11 * 64 + 64) + 30 * 64 + 2 * layer + (64 * 256 + 256) + 2 * 256
    pairs = [(718, 1024), (1024, 1024), (1024, 512), (512, 512)]
    trunk = sum(before * width + 3 * width for before, width in pairs)
    heads = 2 * (512 * 512 + 512) + (512 * 9 + 9) + (512 + 1)
    assert shape.num_parameters() == history + trunk + heads
    network = Network(shape, torch.Generator().manual_seed(1))
    assert {name: tuple(each.shape) for name, each in network.state_dict().items()} == (
        shape.parameters()
    )
    records = histories(LARGE, [0, 5, 30])
    said = history_of(network)(records.flatten(1))
    assert 0 < said.abs().max() < 0.1 and (said[0] == 0).all()  # next to nothing at first


# Drawing.


def test_networks_without_a_history_are_drawn_as_ever() -> None:
    shape = make_shape(inputs=5, widths=(4, 3), outputs=2, head="advantages", layer_norm=True)
    names = ["layers.0", "layers.1", "output"]
    generator = torch.Generator().manual_seed(9)
    state = Network(shape, torch.Generator().manual_seed(9)).state_dict()
    assert set(state) == {
        f"{name}.{kind}" for name in [*names, "norms.0", "norms.1"] for kind in ("weight", "bias")
    }
    for name, inputs in zip(names, (5, 4, 3), strict=True):
        for kind in ("weight", "bias"):
            tensor = state[f"{name}.{kind}"]
            drawn_again = torch.empty_like(tensor).uniform_(
                -(inputs**-0.5), inputs**-0.5, generator=generator
            )
            assert torch.equal(tensor, drawn_again)


@pytest.mark.parametrize("options", [{}, {"stream": 6}, {"stream": 6, "dueling": True}])
def test_a_seed_gives_the_same_numbers_and_touches_no_other_generator(options: Any) -> None:
    shape = with_history(SMALL, **options)
    before = torch.get_rng_state()
    first, again, other = (
        Network(shape, torch.Generator().manual_seed(seed)).state_dict() for seed in (5, 5, 6)
    )
    assert torch.equal(torch.get_rng_state(), before)
    for name, tensor in first.items():
        assert torch.equal(tensor, again[name])
        if "norm" not in name:
            assert tensor.any() and not torch.equal(tensor, other[name])
    empty = Network(shape).state_dict()
    assert all((empty[name] == 0).all() for name in empty if "norm" not in name)


def test_attention_learns_what_the_order_says() -> None:
    """Which of two records came first, which no sum over records tells."""
    generator = torch.Generator().manual_seed(3)
    shape = with_history(SMALL, inputs=SMALL.inputs, outputs=2, head="probabilities", widths=(16,))
    network = Network(shape, generator)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    records = torch.zeros(64, SMALL.records, SMALL.record)
    which = torch.randint(0, 2, (64,), generator=generator)
    for row in range(64):
        records[row, 0, 1 + which[row]] = records[row, 1, 2 - which[row]] = 1
    for _ in range(150):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(network(records.flatten(1)), which)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    assert loss < 0.05


# Bad shapes.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"inputs": 29}, "a history of 6 records of 5 is more than 29 inputs"),
        (
            {"trunk": {"head": "advantages", "dueling": True}},
            "for a head of values, not of adv",
        ),
        (
            {"trunk": {"head": "probabilities", "dueling": True}},
            "for a head of values, not of prob",
        ),
        ({"attention": {"width": 64, "heads": 5}}, "5 heads cannot share a width of 64"),
        ({"attention": {"record": 2}}, "greater than or equal to 3"),
        ({"attention": {"records": 0}}, "greater than or equal to 1"),
        ({"attention": {"layers": True}}, "valid integer"),
        ({"attention": {"dropout": 0.1}}, "not permitted"),
        ({"trunk": {"inputs": 18}}, "trunk: must have 17 inputs, not 18"),
        ({"trunk": {"stream": -1}}, "greater than or equal to 0"),
        ({"trunk": {"stream": 1 << 15}}, "less than or equal to 16384"),
    ],
)
def test_shapes_that_make_no_sense_get_one_line(
    options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    shape = with_history(SMALL).model_dump(mode="json")
    for key, value in options.items():
        shape[key] = shape[key] | value if isinstance(value, dict) else value
    with pytest.raises(ValidationError, match=message) as caught:
        TypeAdapter(NetworkShape).validate_python(shape)
    assert "\n" not in caught.value.errors()[0]["msg"]
    path = write_policy(tmp_path / "b", load_game("kuhn"), reader("kuhn"), FACTS).path
    row = json.loads((path / "manifest.json").read_text())
    row["networks"]["shape"] = shape
    with pytest.raises(InputError, match=message) as refused:
        parse_manifest(json.dumps(row).encode(), path)
    assert "\n" not in str(refused.value) and "networks.shape" in str(refused.value)


def test_a_history_may_be_all_that_is_seen() -> None:
    shape = with_history(SMALL, inputs=SMALL.inputs)
    assert isinstance(shape, HistoryShape) and shape.trunk.inputs == SMALL.outputs
    assert Network(shape)(torch.zeros(3, 30)).shape == (3, 3)


# Half precision.


@pytest.mark.parametrize("precision", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("head", ["advantages", "probabilities", "values"])
@settings(max_examples=60, deadline=None)
@given(
    bits=st.lists(st.integers(-(1 << 15), (1 << 15) - 1), min_size=4, max_size=4),
    legal=st.lists(st.booleans(), min_size=4, max_size=4).filter(any),
)
def test_shares_of_any_half_numbers_are_distributions(
    precision: torch.dtype, head: str, bits: list[int], legal: list[bool]
) -> None:
    outputs = torch.tensor([bits], dtype=torch.int16).view(precision)
    mask = torch.tensor([legal])
    found = shares(head, outputs, mask)
    assert found.dtype == torch.float32 and torch.isfinite(found).all()
    assert (found[~mask] == 0).all() and (found >= 0).all()
    assert found.sum().item() == pytest.approx(1, abs=1e-5)
    assert torch.equal(found, shares(head, outputs.float(), mask))


# Bundles of them.


@dataclass(frozen=True)
class SlotReader:
    """`slots12`, of which the slots chosen are a history: with gaps where a street has ended."""

    game: str
    name: str = "slots12"
    version: int = 1
    buckets: tuple[()] = ()

    @property
    def num_features(self) -> int:
        return self._static + self.history.inputs

    @property
    def history(self) -> Attention:
        records = {"kuhn": 4, "leduc": 12}[self.game]
        sizes = {"width": 8, "heads": 2, "feedforward": 8, "outputs": 6}
        return Attention(records=records, record=5, **sizes)

    @property
    def _static(self) -> int:
        return self._inner.num_features - self.history.records * 3

    @property
    def _inner(self) -> Any:
        return load_encoder("slots12", load_game(self.game))

    def expand(self, rows: NDArray[np.uint8]) -> NDArray[np.float32]:
        features = self._inner.expand(rows)
        chosen = features[:, self._static :].reshape(len(rows), -1, 3)
        records = np.pad(chosen, ((0, 0), (0, 0), (1, 1)))
        return np.concatenate([features[:, : self._static], records.reshape(len(rows), -1)], axis=1)


def reader(game: str, count: int = 1, **options: Any) -> NetworkPolicy:
    encoder = SlotReader(game)
    given = {"inputs": encoder.num_features, "widths": (8,), "outputs": 3, "head": "values"}
    shape = make_shape(**given | {"history": encoder.history} | options)
    made = [Network(shape, torch.Generator().manual_seed(seed)) for seed in range(count)]
    for network in made:  # a history is to matter
        nn.init.ones_(network.get_parameter("history.output_norm.weight"))
    return NetworkPolicy(network_weights(made), encoder)


@pytest.fixture
def slot_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network_bundle, "load_encoder", lambda _, game: SlotReader(game.name))


@pytest.mark.usefixtures("slot_reader")
@pytest.mark.parametrize(
    "options",
    [{"dueling": True, "stream": 4}, {"head": "probabilities", "stream": 4}, {"dueling": True}],
)
def test_bundles_with_a_history_play_as_their_networks(
    options: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(torch, "save", None)
    monkeypatch.setattr(torch, "load", None)
    game, policy = load_game("leduc"), reader("leduc", **options)
    path = write_policy(tmp_path / "b", game, policy, FACTS).path
    opened = open_bundle(path)
    opened.verify()
    assert opened.manifest.networks is not None
    assert opened.manifest.networks.shape == policy.weights.shape
    expected = policy_table(game, policy).probabilities
    found = policy_table(game, open_policy(path)).probabilities
    np.testing.assert_array_equal(found, expected)
    half = copy_bundle(opened, tmp_path / "h", precision="bfloat16")
    if options.get("head") == "probabilities":
        halved = policy_table(game, half.policy()).probabilities
        np.testing.assert_allclose(halved, expected, atol=0.02)
    words = f"attention over 12 records{', dueling' if 'dueling' in options else ''}"
    assert f"(relu, {words}, float32)" in (path / "README.md").read_text()
    with pytest.raises(SystemExit):
        main(["bundle", "info", str(path)])
    assert f"relu, {words}, float32" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["bundle", "info", str(path), "--json"])
    shape = json.loads(capsys.readouterr().out)["networks"]["shape"]
    assert shape["attention"]["records"] == 12
    assert shape["trunk"]["dueling"] == ("dueling" in options)


def test_an_average_reads_histories_too() -> None:
    """The average is other than that of networks without their histories."""
    game = load_game("leduc")
    policy = reader("leduc", 3, head="advantages")
    told = policy_table(game, AveragePolicy(policy.weights, policy.encoder)).probabilities
    deaf = dict(policy.weights.parameters)
    deaf["history.output_norm.weight"] = np.zeros_like(deaf["history.output_norm.weight"])
    weights = NetworkWeights(policy.weights.shape, deaf, policy.weights.weights)
    without = policy_table(game, AveragePolicy(weights, policy.encoder)).probabilities
    assert np.abs(told - without).max() > 0.1


def test_shapes_are_written_and_read_by_their_kind() -> None:
    shape = make_shape(inputs=5, widths=(4,), outputs=2, head="values")
    assert TypeAdapter(NetworkShape).validate_json(shape.model_dump_json()) == shape
    assert shape.sizes == "5 x 4 x 2" and shape.traits == ["relu"]
    full = with_history(SMALL, stream=5, dueling=True)
    assert TypeAdapter(NetworkShape).validate_json(full.model_dump_json()) == full
    assert full.kind == "history" and full.model_dump()["attention"] == SMALL.model_dump()
    assert full.sizes == "40 x 8 x 8 x 5 x 3"


def test_nothing_is_pickled() -> None:
    source = Path(regretless.__file__).parent
    words = re.compile(r"torch\.(save|load)\b|^\s*(import|from) pickle", re.MULTILINE)
    for path in source.rglob("*.py"):
        assert not words.search(path.read_text(encoding="utf-8")), path
