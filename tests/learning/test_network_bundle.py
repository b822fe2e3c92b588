# SPDX-License-Identifier: MIT
"""Bundles of networks play as their networks do, and trust nobody."""

import copy
import dataclasses
import hashlib
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import TypeAdapter

from network_shapes import make_shape
from regretless.bundles import network_bundle
from regretless.bundles.bundle import BundleFacts, open_bundle
from regretless.bundles.bundle_manifest import AlgorithmFacts, EncoderFacts
from regretless.bundles.network_bundle import write_network_bundle
from regretless.bundles.solution import write_policy
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.encoders import load_encoder
from regretless.inference.network_policy import NetworkPolicy
from regretless.networks.history import Attention
from regretless.networks.network import Network, make_networks, network_weights, shares
from regretless.networks.shape import NetworkShape, NetworkWeights
from regretless.policies.policy import Policy
from regretless.storage.columns import from_bfloat16, map_columns, to_bfloat16, write_columns

FACTS = BundleFacts(AlgorithmFacts(name="deep"))
KUHN = load_game("kuhn")
ENCODER = load_encoder("slots12", KUHN)
INPUTS, SLOTS = ENCODER.num_features, KUHN.num_actions


@dataclass(frozen=True)
class Asked:
    """Returns the rows that networks read of questions."""

    seen: NDArray[np.uint8]
    legal: NDArray[np.bool_]
    seeds: NDArray[np.uint64]
    actors: NDArray[np.int32]

    def part(self, rows: NDArray[np.bool_]) -> "Asked":
        return Asked(self.seen[rows], self.legal[rows], self.seeds[rows], self.actors[rows])

    def rows(self, encoder: str) -> NDArray[np.uint8]:
        assert encoder == ENCODER.name
        return self.seen


def open_policy(path: Path) -> Policy:
    return open_bundle(path).policy()


def asked(count: int = 200, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    legal = random.random((count, SLOTS)) < 0.6
    legal[:, 1] = True
    seen = random.integers(0, 255, (count, ENCODER.row_bytes), np.uint8)  # 255 marks nothing
    seeds = random.integers(0, 1 << 64, count, np.uint64)
    return Asked(seen, legal, seeds, random.integers(0, 2, count, np.int32))


def networks_of(
    count: int = 1, seats: Sequence[int] | None = None, **options: Any
) -> NetworkWeights:
    given = {"inputs": INPUTS, "widths": (8, 8), "outputs": SLOTS, "head": "advantages"} | options
    shape = make_shape(**given)
    made = [Network(shape, torch.Generator().manual_seed(seed)) for seed in range(count)]
    return network_weights(made, [1.0 + number for number in range(count)], seats)


def alone(networks: NetworkWeights, number: int) -> NetworkPolicy:
    """One of several networks."""
    parameters = {name: each[number : number + 1] for name, each in networks.parameters.items()}
    return NetworkPolicy(NetworkWeights(networks.shape, parameters, np.ones(1)), ENCODER)


def written(path: Path, networks: NetworkWeights, **options: Any) -> Path:
    encoder = EncoderFacts(name=ENCODER.name, version=ENCODER.version)
    write_network_bundle(path, load_game("kuhn"), networks, encoder, FACTS, **options).verify()
    return path


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("head", ["advantages", "probabilities", "values"])
def test_a_bundle_plays_as_its_networks(tmp_path: Path, count: int, head: str) -> None:
    networks = networks_of(count, head=head, layer_norm=True, residual=True)
    policy = open_policy(written(tmp_path / "b", networks))
    expected = NetworkPolicy(networks, ENCODER)(asked())
    assert policy.name == "deep"
    assert (policy(asked()) == expected).all()
    assert np.allclose(expected.sum(axis=1), 1) and (expected[~asked().legal] == 0).all()


def test_a_policy_of_networks_is_written_as_one_of_tables_is(tmp_path: Path) -> None:
    policy = NetworkPolicy(networks_of(2), ENCODER)
    bundle = write_policy(tmp_path / "b", load_game("kuhn"), policy, FACTS)
    assert bundle.manifest.kind == "networks" and bundle.manifest.networks is not None
    assert bundle.manifest.networks.count == 2
    with pytest.raises(InputError, match="networks, not a table"):
        bundle.table()
    assert "2 networks" in (tmp_path / "b" / "README.md").read_text()


def test_half_precision_rounds_as_torch_does(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    numbers = (random.standard_normal(10_000) * 10.0 ** random.integers(-30, 30, 10_000)).astype(
        np.float32
    )
    expected = torch.tensor(numbers).bfloat16().float().numpy()
    assert (from_bfloat16(to_bfloat16(numbers)) == expected).all()
    networks = networks_of(2)
    path = written(tmp_path / "b", networks, precision="bfloat16")
    for name, parameter in open_bundle(path).networks().parameters.items():
        halved = torch.tensor(networks.parameters[name]).bfloat16().float().numpy()
        assert (parameter == halved).all()
    whole = written(tmp_path / "w", networks)
    sizes = [(each / "networks.safetensors").stat().st_size for each in (path, whole)]
    assert sizes[0] < sizes[1]


history_strategy = st.builds(
    Attention,
    records=st.integers(1, 3),
    record=st.integers(3, 5),
    width=st.sampled_from([4, 8]),
    heads=st.sampled_from([1, 2, 4]),
    layers=st.integers(1, 2),
    feedforward=st.integers(1, 5),
    outputs=st.integers(1, 5),
)


@st.composite
def shapes(draw: st.DrawFn) -> NetworkShape:
    history = draw(st.none() | history_strategy)
    head = draw(st.sampled_from(["advantages", "probabilities", "values"]))
    return make_shape(
        inputs=draw(st.integers(1, 9)) + (0 if history is None else history.inputs - 1),
        widths=tuple(draw(st.lists(st.integers(1, 9), max_size=4))),
        outputs=draw(st.integers(1, 5)),
        head=head,
        activation=draw(st.sampled_from(["relu", "gelu", "silu", "tanh"])),
        layer_norm=draw(st.booleans()),
        residual=draw(st.booleans()),
        history=history,
        stream=draw(st.integers(0, 3)),
        dueling=head == "values" and draw(st.booleans()),
    )


@settings(max_examples=60, deadline=None)
@given(shapes())
def test_a_shape_knows_the_parameters_of_its_network(shape: NetworkShape) -> None:
    network = Network(shape)
    found = {name: tuple(each.shape) for name, each in network.state_dict().items()}
    assert found == shape.parameters()
    assert shape.num_parameters() == sum(each.numel() for each in network.parameters())
    assert TypeAdapter(NetworkShape).validate_json(shape.model_dump_json()) == shape
    (again,) = make_networks(network_weights([network]))
    features = torch.rand(5, shape.inputs)
    assert torch.equal(again(features), network.eval()(features))
    assert again(features).shape == (5, shape.outputs)


def share_row(head: str, outputs: list[float], legal: list[bool]) -> list[float]:
    """Asks one row at a time."""
    slots = [slot for slot, is_legal in enumerate(legal) if is_legal]
    row = [0.0] * len(outputs)
    if head == "probabilities":
        powers = {slot: np.exp(outputs[slot] - max(outputs[s] for s in slots)) for slot in slots}
    elif head == "advantages" and any(outputs[slot] > 0 for slot in slots):
        powers = {slot: max(outputs[slot], 0.0) for slot in slots}
    else:
        best = max(outputs[slot] for slot in slots)
        powers = {slot: float(outputs[slot] == best) for slot in slots}
    for slot, power in powers.items():
        row[slot] = power / sum(powers.values())
    return row


@pytest.mark.parametrize("head", ["advantages", "probabilities", "values"])
@settings(max_examples=100, deadline=None)
@given(
    outputs=st.lists(st.sampled_from([-3.0, -1.0, -1.0, 0.0, 0.5, 2.0]), min_size=3, max_size=3),
    legal=st.lists(st.booleans(), min_size=3, max_size=3).filter(any),
)
def test_heads_say_what_is_played(head: str, outputs: list[float], legal: list[bool]) -> None:
    found = shares(head, torch.tensor([outputs]), torch.tensor([legal]))[0].tolist()
    assert found == pytest.approx(share_row(head, outputs, legal), abs=1e-6)


@pytest.mark.parametrize("head", ["advantages", "probabilities", "values"])
@pytest.mark.parametrize("output", [float("inf"), float("-inf"), float("nan"), 3e38])
def test_what_overflows_is_still_a_distribution(head: str, output: float) -> None:
    outputs = torch.tensor([[output, output, 1.0], [output, -1.0, -2.0]])
    rows = shares(head, outputs, torch.ones(2, 3, dtype=torch.bool))
    assert torch.isfinite(rows).all() and torch.allclose(rows.sum(1), torch.ones(2))


def test_a_seat_draws_one_network_for_an_episode() -> None:
    """By its seed, as often as the weights 1, 2 and 3 say, and then plays as that one does."""
    networks = networks_of(3)
    policy = NetworkPolicy(networks, ENCODER)
    questions = asked(60_000)
    drawn = policy.drawn(questions.seeds, questions.actors)
    counts = np.bincount(drawn, minlength=3) / len(drawn)
    assert counts == pytest.approx([1 / 6, 2 / 6, 3 / 6], abs=0.01)
    rows = policy(questions)
    for number in range(3):
        mine = drawn == number
        part = questions.part(mine)
        assert np.abs(alone(networks, number)(part) - rows[mine]).max() < 1e-6
    ends = np.array([0, (1 << 64) - 1], np.uint64)
    assert policy.drawn(ends, np.zeros(2, np.int32)).tolist() == [0, 2]


def test_seats_with_networks_of_their_own_draw_among_those(tmp_path: Path) -> None:
    networks = networks_of(4, [1, 0, 1, 1])  # weights 1, 3 and 4 at seat 1
    policy = open_policy(written(tmp_path / "b", networks))
    questions = asked(60_000)
    assert isinstance(policy, NetworkPolicy) and policy.needs.seeds
    drawn, rows = policy.drawn(questions.seeds, questions.actors), policy(questions)
    assert (drawn[questions.actors == 0] == 1).all()
    counts = np.bincount(drawn[questions.actors == 1], minlength=4)
    assert counts / counts.sum() == pytest.approx([1 / 8, 0, 3 / 8, 4 / 8], abs=0.01)
    for number in range(4):
        mine = drawn == number
        assert np.abs(alone(networks, number)(questions.part(mine)) - rows[mine]).max() < 1e-6
    with pytest.raises(InputError, match="no network for seat 2"):
        policy(dataclasses.replace(questions, actors=questions.actors + 1))


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        (None, "3 networks, of which each seat draws one for an episode,"),
        ([0, 1], "A network for each seat,"),
        ([0, 1, 1], "3 networks, of which each seat draws one of its own for an episode,"),
    ],
)
def test_the_card_says_who_plays_which(seats: list[int] | None, words: str, tmp_path: Path) -> None:
    path = written(tmp_path / "b", networks_of(len(seats or [0, 0, 0]), seats))
    manifest = open_bundle(path).manifest
    assert manifest.networks is not None
    assert manifest.networks.seats == (None if seats is None else 2)
    assert f"\n{words} of " in (path / "README.md").read_text()


def test_one_network_for_each_seat_needs_no_seeds() -> None:
    networks = NetworkWeights.by_seat([networks_of(1), networks_of(1, head="advantages")])
    policy = NetworkPolicy(networks, ENCODER)
    assert not policy.needs.seeds and networks.num_seats == 2
    assert networks.at(1).tolist() == [1] and networks_of(2).at(1).tolist() == [0, 1]
    with pytest.raises(InputError, match="must have one shape"):
        NetworkWeights.by_seat([networks_of(1), networks_of(1, head="values")])


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        ([0, 0], "has networks for 1 seats, and kuhn has 2 players"),
        ([0, 1, 2], "has networks for 3 seats"),
        ([1, 1], "with a network for each"),
        ([0, -1], "with a network for each"),
    ],
)
def test_seats_that_are_not_the_game_s_are_refused(
    tmp_path: Path, seats: list[int], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        written(tmp_path / "b", networks_of(len(seats), seats))


# Opening believes nothing.


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("networks") / "sound", networks_of(2))


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With all parts that a network may have."""
    sizes = {"records": 1, "record": 3, "width": 4, "heads": 2, "layers": 1}
    history = Attention(**sizes, feedforward=4, outputs=3)
    networks = networks_of(2, head="values", history=history, stream=4, dueling=True)
    return written(tmp_path_factory.mktemp("networks") / "reading", networks)


@pytest.fixture
def copied(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "copy"))


def seal(path: Path) -> None:
    """Make sizes and sums right again, as a stranger would who changes a bundle on purpose."""
    row = json.loads((path / "manifest.json").read_text())
    for name in row["files"]:
        content = (path / name).read_bytes()
        row["files"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (path / "manifest.json").write_text(json.dumps(row))
    names = sorted([*row["files"], "manifest.json"])
    sums = [f"{hashlib.sha256((path / n).read_bytes()).hexdigest()}  {n}\n" for n in names]
    (path / "SHA256SUMS").write_text("".join(sums))


def change_columns(path: Path, edit: Callable[[dict[str, Any]], Any]) -> None:
    mapped = map_columns(path / "networks.safetensors")
    columns = {name: np.array(column) for name, column in mapped.items()}
    edit(columns)
    write_columns(path / "networks.safetensors", columns)
    seal(path)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda c: c.pop("network.output.bias"), "output.bias is missing"),
        (lambda c: c.update({"network.more": c["weights"].astype("f4")}), "no parameter|has a par"),
        (lambda c: c.update({"code": c["weights"].astype("f4")}), "'code' is no parameter"),
        (lambda c: c["network.output.bias"].fill(np.nan), "output.bias must be finite"),
        (lambda c: c["network.layers.1.weight"].fill(np.inf), "layers.1.weight must be finite"),
        (lambda c: c["weights"].fill(0), "weights of networks must be positive"),
        (lambda c: c["weights"].fill(-1), "weights of networks must be positive"),
        (lambda c: c.update(weights=c["weights"][:1]), r"weights must be float64 \[2\]"),
        (lambda c: c.pop("weights"), r"weights must be float64 \[2\]"),
        (lambda c: c.update(seats=c["weights"]), r"seats must be whole numbers \[2\]"),
        (lambda c: c.update(seats=np.zeros(3, np.uint64)), r"seats must be whole numbers \[2\]"),
        (lambda c: c.update(seats=np.array([0, 2**63], np.uint64)), "a network for each"),
        (lambda c: c.update(seats=np.zeros(2, np.uint64)), "for 1 seats, and kuhn has 2"),
        (
            lambda c: c.update({"network.output.bias": c["network.output.bias"].astype("f8")}),
            "no parameter in float32",
        ),
        (
            lambda c: c.update({"network.layers.0.weight": c["network.layers.0.weight"].mT.copy()}),
            r"layers.0.weight must be \[2, 8, 27\], not \[2, 27, 8\]",
        ),
    ],
)
def test_columns_that_are_no_networks_are_refused(
    copied: Path, edit: Callable[[dict[str, Any]], Any], message: str
) -> None:
    change_columns(copied, edit)
    with pytest.raises(InputError, match=message):
        open_policy(copied)


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (("networks", "encoder", "version"), 2, "version 2 was recorded, and this is 1"),
        (("networks", "shape", "inputs"), 7, f"see 7 features, and encoder slots12 gives {INPUTS}"),
        (("networks", "shape", "widths"), [8, 1 << 40], "networks.shape.mlp.widths.1"),
        (("networks", "shape", "widths"), [8] * 65, "networks.shape.mlp.widths"),
        (("networks", "shape", "kind"), "os.system", "networks.shape: Input tag"),
        (("networks", "shape", "activation"), "eval", "networks.shape.mlp.activation"),
        (("networks", "shape", "head"), "x", "networks.shape.mlp.head"),
        (("networks", "shape", "outputs"), 4, "are not of kuhn"),
        (("networks", "count"), 3, r"weights must be float64 \[3\]"),
        (("networks", "precision"), "bfloat16", "no parameter in bfloat16"),
        (("networks", "file"), "../networks.safetensors", "networks.file"),
        (("networks", "actions"), ["a", "b", "c"], "slots are not those"),
        (("kind",), "table", "table: for bundles of kind table"),
        (("kind",), "pickle", "kind"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(
    copied: Path, keys: tuple[str, ...], value: Any, message: str
) -> None:
    row = json.loads((copied / "manifest.json").read_text())
    place = row
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    (copied / "manifest.json").write_text(json.dumps(row))
    seal(copied)
    with pytest.raises(InputError, match=message):
        open_policy(copied)


def test_the_largest_network_of_many_parts_fits_into_a_header() -> None:
    """In networks.safetensors, where it may have 64 KiB."""
    history = Attention(width=4096, layers=16, feedforward=4096, outputs=4096)
    shape = make_shape(
        inputs=1 << 20,
        widths=(16_384,) * 64,
        outputs=64,
        head="values",
        layer_norm=True,
        history=history,
        stream=16_384,
        dueling=True,
    )
    offsets = [10**14, 10**14]
    header = {
        f"network.{name}": {"dtype": "BF16", "shape": [100_000, *size], "data_offsets": offsets}
        for name, size in shape.parameters().items()
    }
    assert len(json.dumps(header, separators=(",", ":"))) < 1 << 16


def test_the_encoder_must_give_as_many_features(
    sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = load_encoder("slots12", load_game("leduc"))
    monkeypatch.setattr(network_bundle, "load_encoder", lambda *_: other)
    with pytest.raises(InputError, match=f"see {INPUTS} features, and .* {other.num_features}"):
        open_policy(sound)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_flipped_bit_is_noticed_before_it_is_played(
    sound: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = Path(shutil.copytree(sound, tmp_path_factory.mktemp("flip") / "b"))
    content = bytearray((path / "networks.safetensors").read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    (path / "networks.safetensors").write_bytes(content)
    with pytest.raises(InputError, match="SHA-256"):
        open_policy(path)
    shutil.rmtree(path.parent)


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(1 << 70), 1 << 70), st.floats(), st.text(max_size=8)
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_manifest_opens_or_is_refused_in_one_line(
    sound: Path, reading: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    sound = data.draw(st.sampled_from([sound, reading]))
    path = Path(shutil.copytree(sound, tmp_path_factory.mktemp("fuzz") / "b"))
    row = json.loads((path / "manifest.json").read_text())
    place: Any = copy.copy(row)
    row, keys = place, []
    while isinstance(place, dict | list) and place and (not keys or data.draw(st.booleans())):
        options = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(options))
        keys.append((place, key))
        place = place[key]
    holder, key = keys[-1]
    holder[key] = data.draw(values)
    (path / "manifest.json").write_text(json.dumps(row))
    try:
        seal(path)
        open_policy(path)(asked(3))
    except InputError as error:
        assert "\n" not in str(error)
    except (OSError, TypeError, AttributeError, KeyError, ValueError):
        if isinstance(row.get("files"), dict) and set(row["files"]) == set(_names(sound)):
            raise  # not the stranger's own trouble with sealing
    finally:
        shutil.rmtree(path.parent)


def _names(path: Path) -> list[str]:
    return list(json.loads((path / "manifest.json").read_text())["files"])


# Without torch, and while one bundle replaces another.


def test_without_torch_rectifiers_play_and_others_have_one_line(
    sound: Path, tmp_path: Path
) -> None:
    other = written(tmp_path / "b", networks_of(1, activation="gelu"))
    script = f"""
import sys
sys.modules["torch"] = None
from pathlib import Path
from regretless.errors import InputError
from regretless.bundles.bundle import open_bundle
print(open_bundle(Path({str(sound)!r})).policy().name)
bundle = open_bundle(Path({str(other)!r}))
bundle.verify()
try:
    bundle.policy()
except InputError as error:
    print(error)
"""
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout.startswith("deep\n")
    assert "a bundle of such networks needs torch: pip install" in found.stdout


def test_networks_are_opened_without_torch_or_at_least_without_sympy() -> None:
    """Parts of PyTorch import sympy, which takes two seconds before the first hand."""
    script = """
import sys
from regretless.seats.strategies import find_strategy
weights = find_strategy("hunl-deep-cfr").policy.weights
print("torch" in sys.modules)
from regretless.networks.network import make_networks
make_networks(weights, "cpu")
print("torch" in sys.modules, "sympy" in sys.modules)
"""
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout == "False\nTrue False\n"


def test_there_is_always_a_bundle_while_one_replaces_another(tmp_path: Path) -> None:
    path = written(tmp_path / "b", networks_of(1))
    missing, is_over = [], threading.Event()

    def watch() -> None:
        while not is_over.is_set():
            if not (path / "manifest.json").exists():
                missing.append(1)

    watcher = threading.Thread(target=watch)
    watcher.start()
    for count in (2, 1, 3, 1, 2, 1):
        written(path, networks_of(count))
    is_over.set()
    watcher.join()
    assert not missing and open_bundle(path).manifest.networks is not None
    assert [each.name for each in tmp_path.iterdir()] == ["b"]
