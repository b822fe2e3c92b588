# SPDX-License-Identifier: MIT
"""Options of advantage learners: pools of deals, value networks, baselines."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from buffer_copies import assert_same_buffers
from regretless import _native
from regretless.algorithms.deep_cfr import DeepCFR, DeepCFRConfig
from regretless.algorithms.sd_cfr import SDCFR, SDCFRConfig
from regretless.buffers import buffers_of
from regretless.errors import InputError
from regretless.games import load_game
from regretless.generation.traversals import Baselines
from regretless.runs import Record, read_checkpoint, write_checkpoint
from regretless.storage.segments import SegmentStore
from regretless.watch import Watch

torch.set_num_threads(1)

SMALL: dict[str, Any] = {
    "encoder": "slots12",
    "traversals": 60,
    "block": 25,
    "widths": (16,),
    "capacity": 500,
    "steps": 20,
    "batch": 64,
}
VALUES: dict[str, Any] = {"value_steps": 30, "value_batch": 64, "value_capacity": 300}
BASELINES: dict[str, Any] = {
    "baselines": "control",
    "baseline_steps": 30,
    "baseline_capacity": 400,
}
DEALS = {"deals": 40, "deals_min_per_class": 5, "deals_seed": 3}
CASES: list[dict[str, Any]] = [
    VALUES | DEALS,
    BASELINES | {"sampling": "outcome"},
    BASELINES | {"rule": "dcfr+"},
    BASELINES | VALUES | DEALS | {"sampling": "outcome", "baselines": "targets"},
]


def deep_cfr(game="leduc", seed=1, **options) -> DeepCFR:
    sizes = {"strategy_steps": 10, "strategy_batch": 64, "strategy_capacity": 300}
    config = DeepCFRConfig(**{**SMALL, **sizes, **options})
    return DeepCFR(load_game(game), config, seed=seed)


def sd_cfr(game="leduc", seed=1, **options) -> SDCFR:
    return SDCFR(load_game(game), SDCFRConfig(**{**SMALL, **options}), seed=seed)


def assert_same(left, right) -> None:
    assert left.state().keys() == right.state().keys()
    for name, array in left.state().items():
        assert array.tobytes() == right.state()[name].tobytes(), name
    assert_same_buffers(left, right)


@pytest.mark.parametrize(
    ("make", "options"), [*((deep_cfr, each) for each in CASES), (sd_cfr, CASES[-1])]
)
def test_resumes_to_the_byte(make, options, tmp_path: Path):
    steady, stopped, resumed = make(**options), make(**options), make(**options)
    stopped.step(2)
    store = SegmentStore(tmp_path / "segments")
    saved = store.write(buffers_of(stopped))
    write_checkpoint(tmp_path / "step", stopped.state(), Record(2), saved)
    checkpoint = read_checkpoint(tmp_path / "step")
    store.restore(checkpoint.buffers, buffers_of(resumed))
    resumed.restore(checkpoint.state)
    steady.step(2)
    assert steady.step(2) == resumed.step(2)
    assert_same(steady, resumed)


def test_stopped_within_a_step_goes_on_to_the_same_bytes():
    options = BASELINES | VALUES | {"sampling": "outcome", "steps": 120, "baseline_steps": 120}
    steady, stopped = deep_cfr(**options), deep_cfr(**options)
    metrics = steady.step(2)
    calls = 0
    found: dict[str, float] = {}
    while stopped.steps_done < 2:
        looks = iter([False] * 14)
        found = stopped.step(1, Watch(lambda looks=looks: next(looks, True)))
        calls += 1
        assert calls < 500
    assert calls > 5 and found == metrics
    assert_same(steady, stopped)


@pytest.mark.parametrize("threads", [1, 2])
def test_samples_do_not_depend_on_threads_or_blocks(threads):
    """Compares an iteration: answers of a network may differ in the last digit with the batch."""
    options = BASELINES | DEALS | {"sampling": "outcome", "baseline_capacity": 5_000}
    one = deep_cfr(**options)
    other = deep_cfr(**options, threads=threads, in_flight=7)
    for learner in (one, other):
        next(learner._iteration())(Watch())
    mine, theirs = (each.advantages.sides["baselines"].rows[0] for each in (one, other))
    assert mine.size == theirs.size > 100
    for name, array in mine.sample(1, 0, 200).items():
        np.testing.assert_allclose(array, theirs.sample(1, 0, 200)[name], atol=1e-4)


def test_networks_of_values_learn_what_was_sampled():
    learner = sd_cfr("kuhn", **VALUES | {"value_steps": 400, "value_capacity": 5_000})
    metrics = learner.step(4)
    assert metrics["loss/values_0"] < 1 and metrics["buffer/values"] > 100
    values = learner.advantages.sides["values"]
    fit, rows = values.fits[0], values.rows[0].sample(1, 0, 2_000)
    features = torch.from_numpy(learner.advantages.encoder.expand(rows["row"]))
    found = fit.network(features).detach().numpy()[:, 0]
    for row in np.unique(rows["row"], axis=0):
        mine = (rows["row"] == row).all(axis=1)
        expected = np.average(rows["target"][mine, 0], weights=rows["weight"][mine])
        assert abs(found[mine][0] - expected) < 0.25


def sample(learner: DeepCFR, seat: int, baselines: str, number: int) -> _native.TraversalSamples:
    """Traversals of Leduc in which all play at random."""
    job = _native.Traversals(learner.game, "slots12", sampling="outcome", baselines=baselines)
    networks = Baselines(learner.game, learner.advantages.generator.config)
    networks.load(learner.advantages.weights(), seat)
    job.begin(number, seat, 0, 1_500)
    while (questions := job.ask()) is not None:
        said = None
        if baselines != "none":
            said = networks.values(questions)
        job.answer(questions.legal.astype(np.float32), 0, said)
    return job.take_samples()


def test_baselines_are_learned_and_take_variance_away():
    options = {"widths": (64, 64), "baseline_steps": 150, "batch": 512}
    learner = deep_cfr(**BASELINES | options | {"baseline_capacity": 20_000})
    baselines = learner.advantages.sides["baselines"]
    for number in range(8):
        found = sample(learner, 1, "control", number)
        learner.advantages.add(1, found.columns())
        baselines.fits[1].fit(baselines.loss, baselines.rows[1], number)
    with_, without = (sample(learner, 1, kind, 99) for kind in ("control", "none"))
    assert len(with_.rows) == len(without.rows)  # the same deals and the same slots
    power = [float(np.square(each.advantages).mean()) for each in (with_, without)]
    assert power[0] < power[1] / 2
    means = [each.advantages.mean(axis=0) for each in (with_, without)]
    np.testing.assert_allclose(means[0], means[1], atol=0.6)


def test_a_learner_with_a_pool_plays_its_deals_and_weighs_them():
    learner = deep_cfr(**DEALS)
    learner.step()
    pool = _native.DealPool(learner.game, count=40, min_per_class=5, max_rejections=500_000, seed=3)
    for seat in range(2):
        assert set(learner.advantages.fits.rows[seat].sample(1, 0, 400)["weight"]) <= set(
            pool.weights
        )
        rows = learner.strategies.rows[seat].sample(1, 0, 400)
        assert set(rows["weight"]) <= set(pool.weights)
    assert len(set(learner.advantages.fits.rows[0].sample(1, 0, 400)["weight"])) > 1
    again = deep_cfr(**DEALS | {"deals_seed": 4})
    again.step()
    assert again.advantages.fits.rows[0].sample(1, 0, 9)["row"].tobytes() != (
        learner.advantages.fits.rows[0].sample(1, 0, 9)["row"].tobytes()
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"deals": -1}, "deals: must be at least 0"),
        ({"deals": 5, "deals_min_per_class": 2}, "deals: count: must be at least 12"),
        ({"value_steps": -1}, "value_steps: must be at least 0"),
        ({"baselines": "control", "baseline_steps": 0}, "baseline_steps: must be at least 1"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, words):
    with pytest.raises(InputError, match=words) as caught:
        sd_cfr(**options)
    assert "\n" not in str(caught.value)


def test_no_policy_may_see_all_hands():
    with pytest.raises(InputError, match="no encoder is called 'slots12/seats'"):
        sd_cfr(encoder="slots12/seats")


def test_the_encoder_of_all_seats_puts_their_rows_side_by_side():
    game = load_game("leduc3")
    one, all_ = _native.Encoder(game, "canonical24"), _native.Encoder(game, "canonical24/seats")
    assert all_.row_bytes == 3 * one.row_bytes and all_.num_features == 3 * one.num_features
    job = _native.SelfPlay(
        game, episodes=50, tables=8, encoders=["canonical24", "canonical24/seats"]
    )
    while (questions := job.ask()) is not None:
        rows = questions.rows("canonical24/seats").reshape(-1, 3, one.row_bytes)
        mine = rows[np.arange(len(rows)), questions.actors]
        np.testing.assert_array_equal(mine, questions.rows("canonical24"))
        features = all_.expand(questions.rows("canonical24/seats"))
        parts = one.expand(rows.reshape(-1, one.row_bytes)).reshape(len(rows), -1)
        np.testing.assert_array_equal(features, parts)
        job.answer(questions.legal.astype(np.float32))
