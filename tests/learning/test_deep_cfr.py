# SPDX-License-Identifier: MIT
"""Deep CFR and Single Deep CFR: losses by brute force, bytes that repeat, games that get solved."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from buffer_copies import assert_same_buffers, contents, copy_buffers
from regretless.algorithm import Arrays
from regretless.algorithms import make_algorithm, make_solver
from regretless.algorithms.deep_cfr import DeepCFR, DeepCFRConfig
from regretless.algorithms.sd_cfr import SDCFR
from regretless.buffers import Column, Reservoir
from regretless.cli import main
from regretless.errors import DivergedError, InputError
from regretless.evaluation.measures import exact_values
from regretless.games import load_game
from regretless.learning import fit as fits
from regretless.learning.advantage_config import RULES, AdvantageRule
from regretless.learning.fit import Fit
from regretless.learning.losses import AdvantageLoss, imitation_loss
from regretless.learning.minibatches import distinct_rows
from regretless.networks.expansion import Features
from regretless.networks.network import Network
from regretless.recipes.config import make_config
from regretless.runs import Run
from regretless.seats.strategies import find_strategy
from regretless.training.loop import train
from regretless.watch import UNWATCHED, Watch

TINY: dict[str, Any] = {
    "traversals": 30,
    "block": 20,
    "widths": (8,),
    "steps": 3,
    "batch": 32,
    "capacity": 400,
}
STRATEGIES: dict[str, Any] = {"strategy_steps": 3, "strategy_batch": 32, "strategy_capacity": 300}
OPTIONS = {"deep-cfr": {**TINY, **STRATEGIES, "snapshots": 2}, "sd-cfr": {**TINY, "networks": 3}}
NAMES = tuple(OPTIONS)
_BASELINE = {"baseline_steps": 3, "baseline_capacity": 100}
VARIANTS: dict[str, dict[str, Any]] = {
    "linear": {},
    "dcfr+": {"rule": "dcfr+"},
    "pdcfr+": {"rule": "pdcfr+"},
    "values": {"value_steps": 3, "value_batch": 32, "value_capacity": 100},
    "baseline": {"sampling": "outcome", "baselines": "control", **_BASELINE},
    "pdcfr+ and baseline": {"rule": "pdcfr+", "baselines": "control", **_BASELINE},
    "targets": {"sampling": "outcome", "baselines": "targets", **_BASELINE},
    "deals": {"deals": 50},
    "stakes": {"stake_power": 1.0},
}
Learner = DeepCFR | SDCFR
CASES = [(name, rule) for name in NAMES for rule in RULES if rule != "uniform"]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread, and fits that look at their watch although they are short."""
    torch.set_num_threads(1)
    monkeypatch.setattr(fits, "_LOOK_EVERY", 2)


def make(name: str, game: Any = None, **options: Any) -> Learner:
    made = make_algorithm(
        name, game or load_game("kuhn"), **{"seed": 3, **OPTIONS[name], **options}
    )
    assert isinstance(made, DeepCFR | SDCFR)
    return made


def samples(learner: Learner) -> Reservoir:
    """The advantages of seat 0."""
    return learner.advantages.fits.rows[0]


def player(learner: Learner) -> Fit[Network]:
    """The fit of the network of advantages of seat 0."""
    return learner.advantages.fits.players[0]


def assert_same(left: Learner, right: Learner) -> None:
    mine, other = left.state(), right.state()
    assert mine.keys() == other.keys()
    for key, array in mine.items():
        assert array.tobytes() == other[key].tobytes(), key
    assert_same_buffers(left, right)
    weights = [learner.policy().weights.parameters for learner in (left, right)]
    for key, array in weights[0].items():
        assert array.tobytes() == weights[1][key].tobytes(), key


# The same bytes.


@pytest.mark.parametrize(("name", "rule"), CASES)
def test_same_seed_same_bytes(name: str, rule: str) -> None:
    first, second, other = (make(name, rule=rule, seed=seed) for seed in (3, 3, 4))
    assert first.step(2) == second.step(2) != other.step(2)
    assert_same(first, second)
    assert contents(samples(first)) != contents(samples(other))


@pytest.mark.parametrize(("name", "variant"), [*itertools.product(NAMES, VARIANTS)])
def test_stopped_anywhere_goes_on_to_the_same_bytes(name: str, variant: str) -> None:
    """Stopped once in two iterations, within traversals and fits, and resumed every other time."""
    options = VARIANTS[variant]
    steady, looks = make(name, **options), itertools.count(1)
    metrics = steady.step(2, Watch(tell=lambda *_: next(looks) and None))
    most = next(looks)
    assert most > 20
    for number, stop in enumerate(range(2, most, 5)):
        asked = itertools.count(1)
        stopped = make(name, **options)
        watch = Watch(lambda asked=asked, stop=stop: next(asked) == stop)  # type: ignore[misc]
        assert stopped.step(2, watch) == {} and stopped.steps_done < 2
        if number % 2 == 0:
            resumed = make(name, **options)
            copy_buffers(stopped, resumed)
            resumed.restore(stopped.state())
            stopped = resumed
        assert stopped.step(2 - stopped.steps_done) == metrics, stop
        assert_same(steady, stopped)


@pytest.mark.parametrize("name", NAMES)
def test_threads_give_the_same_samples(name: str) -> None:
    one, two = make(name, threads=1), make(name, threads=2)
    assert one.step(2) == two.step(2)
    assert_same(one, two)


@pytest.mark.parametrize("name", NAMES)
def test_states_of_other_shapes_are_refused(name: str) -> None:
    learner = make(name)
    with pytest.raises((RuntimeError, InputError, KeyError)):
        learner.restore(make(name, widths=(9,)).state())


def test_sd_cfr_needs_its_networks() -> None:
    learner = make("sd-cfr")
    learner.step(1)
    with pytest.raises(InputError, match="networks of earlier iterations"):
        make("sd-cfr").restore(learner.state())


# Losses.


def rows(learner: Learner, count: int, seed: int = 0) -> dict[str, torch.Tensor]:
    """Random columns of a minibatch, with targets that are distributions."""
    random = np.random.default_rng(seed)
    slots = learner.game.num_actions
    legal = random.random((count, slots)) < 0.6
    legal[:, 1] = True
    targets = random.random((count, slots)) * legal
    return {
        "legal": torch.from_numpy(legal),
        "target": torch.from_numpy((targets / targets.sum(1, keepdims=True)).astype(np.float32)),
        "weight": torch.from_numpy(random.random(count).astype(np.float32)),
    }


def losses(learner: DeepCFR) -> list[Any]:
    return [
        (player(learner).network, AdvantageLoss()),
        (learner.strategies.fits[0].network, imitation_loss),
    ]


def deep_cfr(**options: Any) -> DeepCFR:
    made = make("deep-cfr", **options)
    assert isinstance(made, DeepCFR)
    return made


def gradients(network: Network, loss: torch.Tensor) -> list[torch.Tensor]:
    return list(torch.autograd.grad(loss, list(network.parameters())))


def test_advantage_loss_by_hand() -> None:
    learner = deep_cfr()
    fresh = Network(player(learner).network.shape, torch.Generator().manual_seed(1))
    player(learner).reset(fresh)
    network, columns = player(learner).network, rows(learner, 5)
    features = torch.rand(5, learner.advantages.encoder.num_features)
    outputs, total = network(features).tolist(), 0.0
    for row, weight in enumerate(columns["weight"].tolist()):
        for slot, output in enumerate(outputs[row]):
            if columns["legal"][row, slot]:
                total += weight * (output - float(columns["target"][row, slot])) ** 2
    found = AdvantageLoss()(network, {**columns, "features": features})
    assert float(found.detach()) == pytest.approx(total / 5, rel=1e-5)


def test_strategy_loss_by_hand() -> None:
    learner = deep_cfr()
    network, columns = learner.strategies.fits[0].network, rows(learner, 5)
    features = torch.rand(5, learner.advantages.encoder.num_features)
    outputs, total = network(features).detach().double(), 0.0
    for row, weight in enumerate(columns["weight"].tolist()):
        legal = columns["legal"][row]
        logs = torch.log_softmax(outputs[row][legal], 0)
        total -= weight * float((columns["target"][row][legal].double() * logs).sum())
    found = imitation_loss(network, {**columns, "features": features})
    assert float(found.detach()) == pytest.approx(total / 5, rel=1e-5)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), noise=st.floats(-1e6, 1e6))
def test_what_is_not_legal_counts_for_nothing(seed: int, noise: float) -> None:
    learner = deep_cfr()
    fresh = Network(player(learner).network.shape, torch.Generator().manual_seed(seed))
    player(learner).reset(fresh)
    features = torch.rand(6, learner.advantages.encoder.num_features)
    columns = {**rows(learner, 6, seed), "features": features}
    spoiled = {**columns, "target": columns["target"] + noise * ~columns["legal"]}
    for network, loss in losses(learner):
        mine = gradients(network, loss(network, columns))
        assert all(torch.isfinite(each).all() for each in mine)
        if loss != imitation_loss:  # its targets are distributions over legal slots
            other = gradients(network, loss(network, spoiled))
            assert all(map(torch.equal, mine, other))
        outputs = network(features).detach().requires_grad_()
        told = loss(lambda _, outputs=outputs: outputs, columns)
        (by_slot,) = torch.autograd.grad(told, [outputs])
        assert not by_slot[~columns["legal"]].any() and by_slot[columns["legal"]].any()


def filled(learner: Learner, count: int, distinct: int, seed: int) -> Reservoir:
    """A buffer with few distinct rows, whose features are those of a real encoder."""
    learner.step(1)
    seen = np.unique(samples(learner).sample(0, 0, 64)["row"], axis=0)
    random = np.random.default_rng(seed)
    which = random.integers(min(distinct, len(seen)), size=count)
    columns = {name: each.numpy() for name, each in rows(learner, count, seed).items()}
    legal = rows(learner, len(seen), seed)["legal"].numpy()
    columns["legal"] = legal[which]  # of equal rows the same slots are legal
    columns["target"] = random.normal(size=columns["target"].shape).astype(np.float32)
    buffer = learner.advantages.maker.reservoir(count, 0, 0)
    buffer.add({"row": seen[which], **columns})
    return buffer


@pytest.mark.parametrize("count", [1, 7, 300])
def test_all_distinct_rows_have_the_gradient_of_the_buffer(count: int) -> None:
    learner = deep_cfr()
    buffer = filled(learner, count, 5, seed=count)
    found = distinct_rows(buffer, 8)
    assert found is not None and len(found["row"]) <= 5
    network = player(learner).network
    whole: Arrays = {}
    raw, begin = buffer.get(np.arange(count)), 0
    for column in buffer.columns:
        part = raw[:, begin : begin + column.num_bytes].copy()
        whole[column.name] = part.view(column.type).reshape(count, *column.shape)
        begin += column.num_bytes
    features = Features(learner.advantages.encoder, torch.device("cpu"))
    brute, quick = (
        gradients(
            network,
            AdvantageLoss()(
                network,
                features.added({name: torch.from_numpy(array) for name, array in arrays.items()}),
            ),
        )
        for arrays in (whole, found)
    )
    for mine, other in zip(quick, brute, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-6)


def test_too_many_distinct_rows_are_none() -> None:
    learner = deep_cfr()
    buffer = filled(learner, 300, 5, seed=0)
    assert distinct_rows(buffer, 4) is None


@settings(max_examples=30, deadline=None)
@given(
    cells=st.lists(
        st.tuples(st.integers(0, 3), st.floats(-50, 50, width=32), st.floats(0.125, 9, width=32)),
        min_size=1,
        max_size=60,
    )
)
def test_distinct_rows_are_weighted_means(cells: list[tuple[int, float, float]]) -> None:
    columns = [
        Column("row", "uint8", (3,)),
        Column("legal", "bool", (1,)),
        Column("target", "float32", (1,)),
        Column("weight", "float32"),
    ]
    buffer = Reservoir(columns, len(cells), seed=0)
    keys = np.array([[0, key, 255 - key] for key, _, _ in cells], np.uint8)
    buffer.add(
        {
            "row": keys,
            "legal": np.ones((len(cells), 1), bool),
            "target": np.array([[target] for _, target, _ in cells], np.float32),
            "weight": np.array([weight for _, _, weight in cells], np.float32),
        }
    )
    found = distinct_rows(buffer, 4)
    assert found is not None and len(found["row"]) == len({key for key, _, _ in cells})
    for row, target, weight in zip(found["row"], found["target"], found["weight"], strict=True):
        mine = [(t, w) for key, t, w in cells if key == row[1]]
        total = sum(w for _, w in mine)
        assert target[0] == pytest.approx(sum(t * w for t, w in mine) / total, abs=1e-3)
        expected = total / len(cells) * len(found["row"])
        assert weight == pytest.approx(expected, rel=1e-4)


# How iterations count.


def test_advantages_by_the_pot_are_the_same_but_for_it() -> None:
    game = load_game("leduc")
    options = {**TINY, "encoder": "slots12", "capacity": 10_000}
    parts = []
    for power in (0.0, 0.5, 1.0):
        learner = make_algorithm("sd-cfr", game, stake_power=power, **options)
        assert isinstance(learner, SDCFR)
        for shard in learner.advantages.shards(0):
            learner.advantages.sample(shard, UNWATCHED)
        buffer = samples(learner)
        parts.append(buffer.sample(1, 1, 500))
    pots = (
        13 * learner.advantages.encoder.expand(parts[0]["row"])[:, 22:23]
    )  # in antes, by the encoder
    assert {2.0, 4.0, 6.0} <= set(np.unique(pots.round(4)).tolist())
    for power, part in zip((0.0, 0.5, 1.0), parts, strict=True):
        assert (part["row"] == parts[0]["row"]).all()
        np.testing.assert_allclose(part["target"] * pots**power, parts[0]["target"], atol=1e-5)


def test_linear_weights() -> None:
    learner = make("sd-cfr", capacity=10_000, networks=10)
    for iteration in range(1, 5):
        before = samples(learner).size
        learner.step(1)
        added = samples(learner).get(np.arange(before, samples(learner).size))
        weights = added[:, -4:].copy().view(np.float32)
        assert (weights == iteration).all() and len(weights)
        for earlier in range(1, iteration + 1):
            scaled = RULES["linear"].weight(earlier) * RULES["linear"].scale(iteration)
            assert scaled == pytest.approx(2 * earlier / iteration)
    counts = learner.policy().weights.weights.reshape(2, -1)
    assert (counts / counts[0, 0] == np.arange(1, 5)).all()


@given(
    power=st.floats(0, 5),
    iteration=st.integers(1, 200),
    discount=st.floats(0, 4),
    offset=st.floats(0.1, 3),
)
def test_rules_keep_their_bounds(
    power: float, iteration: int, discount: float, offset: float
) -> None:
    rule = AdvantageRule(power, power, True, discount, offset)
    weights = [rule.weight(each) * rule.scale(iteration) for each in range(1, iteration + 1)]
    assert 1 - 1e-9 <= np.mean(weights) <= 1 + (power + 1) / iteration + 1e-9
    assert rule.discount(1) == 0
    assert 0 <= rule.discount(iteration) <= rule.discount(iteration + 1) < 1


@pytest.mark.parametrize(("name", "rule"), CASES)
@pytest.mark.parametrize("game", ["kuhn", "kuhn3", "leduc3"])
def test_every_rule_on_more_players(name: str, rule: str, game: str) -> None:
    options = {"players": 3} if game == "kuhn3" else {}
    played = load_game(game.removesuffix("3") if options else game, **options)
    learner = make(name, played, rule=rule, steps=5, traversals=10)
    metrics = learner.step(2)
    assert all(map(np.isfinite, metrics.values()))
    assert metrics["nodes"] > metrics["questions"] > 0
    for seat in range(played.num_players):
        assert metrics[f"loss/advantages_{seat}"] >= 0
    weights = learner.policy().weights
    assert weights.num_seats == played.num_players


@pytest.mark.parametrize("name", NAMES)
def test_outcome_sampling_runs(name: str) -> None:
    assert all(map(np.isfinite, make(name, sampling="outcome").step(2).values()))


@pytest.mark.parametrize("name", NAMES)
def test_a_policy_before_the_first_step(name: str) -> None:
    game = load_game("kuhn")
    found = exact_values(game, make(name).policy())
    assert 0 <= found.exploitability < 1


# What it learns.


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_the_recipe_of_kuhn(name: str, seed: int, tmp_path: Path) -> None:
    path = Path(__file__).parents[2] / "configs" / f"kuhn_{name.replace('-', '_')}.yaml"
    with pytest.raises(SystemExit) as ended:
        main(["train", str(path), f"seed={seed}", f"output={tmp_path / 'run'}", "--json"])
    assert not ended.value.code
    found = find_strategy(tmp_path / "run")
    assert exact_values(found.game, found.policy).exploitability < 0.02


def test_a_fit_that_diverges_says_which() -> None:
    with pytest.raises(DivergedError, match=r"loss/advantages_0 is (nan|inf)"):
        make("sd-cfr", learning_rate=1e30).step(3)


# Runs, bundles and configs.


@pytest.mark.parametrize("name", NAMES)
def test_runs_leave_bundles_that_play(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = {
        "game": "kuhn",
        "algorithm": {"name": name, **OPTIONS[name], "widths": [8]},
        "budget": {"steps": 4},
        "evaluate": {"measures": ["exact", {"name": "lbr", "hands": 20}]},
        "checkpoint": {"every_steps": 2},
    }
    run = Run(tmp_path / "run", make_config(tree, "test"))
    done = train(run)
    found = find_strategy(run.path)
    assert found.algorithm == name and found.coverage is None
    claims = ["exact exploitability", *["local best response"] * 3]
    assert [each.measure for each in found.claimed] == claims
    measured = exact_values(found.game, found.policy).exploitability
    assert measured == pytest.approx(done.record.measures["exploitability"])
    for arguments in (["evaluate"], ["match", "random", "--hands", "100"]):
        command, *others = arguments
        with pytest.raises(SystemExit) as ended:
            main([command, str(run.path), *others, "--json"])
        assert not ended.value.code
        assert json.loads(capsys.readouterr().out)["game"] == "kuhn"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("rule", "best", "rule"),
        ("encoder", "none", "none"),
        ("traversals", 0, "traversals: must be at least 1, not 0"),
        ("batch", -1, "batch: must be at least 1"),
        ("widths", "64", "widths"),
        ("learning_rate", 0.0, "learning_rate: must be above 0"),
        ("clip", 0.0, "clip: must be above 0"),
        ("sampling", "all", "sampling"),
        ("device", "nowhere", "nowhere"),
        ("threads", 0, "threads"),
        ("in_flight", 0, "in_flight"),
        ("epsilon", -1.0, "epsilon"),
        ("value_steps", -1, "value_steps: must be at least 0"),
        ("baseline_steps", 0, "baseline_steps: must be at least 1"),
        ("runouts", -1, "runouts"),
        ("deals", -1, "deals: must be at least 0"),
        ("capacity", 1 << 40, "max_bytes"),
        ("learning_rates", 1, "learning_rate"),
    ],
)
def test_config_errors_are_one_line(name: str, key: str, value: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        make(name, **{key: value}).step(1)
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "key"),
    [*(("deep-cfr", key) for key in ("strategy_every", "snapshots")), ("sd-cfr", "networks")],
)
def test_their_own_options_are_checked(name: str, key: str) -> None:
    with pytest.raises(InputError, match=f"{key}: must be at least 1, not 0"):
        make(name, **{key: 0})


def test_they_are_no_solvers() -> None:
    with pytest.raises(InputError, match="learns and does not solve"):
        make_solver("deep-cfr", load_game("kuhn"))
    with pytest.raises(InputError, match="object: is no game: it has no num_players, root"):
        make_algorithm("sd-cfr", object())
    assert DeepCFRConfig().rule == "linear"
    assert make("deep-cfr").step(1, UNWATCHED)


def test_a_fit_is_undone_whatever_the_order_its_state_was_read_in() -> None:
    options = {**OPTIONS["deep-cfr"], "widths": (8,) * 6, "layer_norm": True}
    learner: Any = make_algorithm("deep-cfr", load_game("kuhn"), seed=1, **options)
    learner.step(1)
    fit = learner.strategies.fits[0]  # 26 parameters: numbers of one digit and of two
    before = fit.state()
    fit.restore(dict(sorted(before.items())))  # "10" comes before "2"
    fit.fit(imitation_loss, learner.strategies.rows[0], seed=3)
    assert any((fit.state()[key] != array).any() for key, array in before.items())
    fit.undo(before)
    for key, array in before.items():
        assert (fit.state()[key] == array).all(), key


@pytest.fixture
def one_thread() -> Iterator[None]:
    """More threads only wait for each other at small sizes."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.gpu
@pytest.mark.usefixtures("one_thread")
# Minibatches, and all distinct rows at once.
@pytest.mark.parametrize(("rule", "batch"), [("linear", 32), ("pdcfr+", 4096)])
def test_a_cuda_device_learns_as_the_cpu_does_and_resumes(rule: str, batch: int) -> None:
    game = load_game("leduc")
    options = {"traversals": 300, "batch": batch, "steps": 100, "rule": rule}
    options |= {"widths": (32,) * 6, "layer_norm": True, "value_steps": 20, "learning_rate": 1e-2}
    on_cpu, learner, again = (
        make_algorithm("deep-cfr", game, seed=1, device=device, **options)
        for device in ("cpu", "cuda", "cuda")
    )
    on_cpu.step(16)
    expected = exact_values(game, on_cpu.policy()).exploitability
    learner.step(8)
    copy_buffers(learner, again)
    again.restore(learner.state())
    for each in (learner, again):
        each.step(8)
        found = exact_values(game, each.policy()).exploitability
        assert found < 2.2  # 2.37 at the beginning
        # A device draws other minibatches, which matters most for small ones.
        assert found == pytest.approx(expected, abs=0.6)
