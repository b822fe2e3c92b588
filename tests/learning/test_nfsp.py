# SPDX-License-Identifier: MIT
"""NFSP: transitions and losses by brute force, bytes that repeat, starts with and without rows."""

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from buffer_copies import assert_same_buffers, contents, copy_buffers
from regretless import _native
from regretless.algorithm import Shard
from regretless.algorithms.nfsp import NFSP, NFSPConfig
from regretless.cli import main
from regretless.errors import InputError
from regretless.evaluation.measures import exact_values
from regretless.games import load_game
from regretless.games.encoders import load_encoder
from regretless.generation.self_play import AVERAGE, RANDOM, RESPONSE, Roles, transitions
from regretless.learning.minibatches import SuitRenaming
from regretless.learning.nfsp_config import Schedule
from regretless.recipes.config import make_config, read_config
from regretless.runs import Run
from regretless.training.loop import train
from regretless.watch import Watch

TINY: dict[str, Any] = {
    "episodes": 64,
    "tables": 16,
    "widths": (8,),
    "capacity": 300,
    "average_capacity": 200,
    "batch": 32,
    "best_response_steps": 2,
    "average_steps": 2,
    "best_response": 0.3,
    "min_transitions": 50,
}


def make(game: str = "leduc", *, seed: int = 3, **options: Any) -> NFSP:
    return NFSP(load_game(game), NFSPConfig(**{**TINY, **options}), seed=seed)


def played(learner: NFSP) -> Any:
    """The columns of the first round, which the learner keeps."""
    columns = learner.generator.make(learner.weights(), Shard(0, learner.config.episodes))
    learner._keep(columns)
    return columns


def assert_same(left: NFSP, right: NFSP) -> None:
    states = left.state(), right.state()
    assert states[0].keys() == states[1].keys()
    for name, array in states[0].items():
        assert array.tobytes() == states[1][name].tobytes(), name
    assert_same_buffers(left, right)


# What is learned from.


@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc3"])
def test_transitions_by_hand(name: str) -> None:
    game = load_game(name)
    job = _native.SelfPlay(game, 200, first_episode=7, encoders=["slots12"], record_rows=True)
    while (questions := job.ask()) is not None:
        job.answer(questions.legal.astype(np.float32))
    steps = job.take_steps()
    columns = {name: getattr(steps, name) for name in ("legal", "slots", "stakes", "next")}
    columns["rows"] = steps.rows("slots12")
    columns["won"] = steps.payoffs[steps.episodes - 7, steps.actors]
    found = transitions(columns, 2.0)
    by_pot = transitions(columns, 2.0, 1.0)
    pots = steps.stakes  # of Leduc, by the encoder: a share of 13 antes
    if name == "leduc":
        encoder = load_encoder("slots12", game)
        np.testing.assert_allclose(pots, 13 * encoder.expand(steps.rows("slots12"))[:, 22], 1e-5)
    rows, endings = steps.rows("slots12"), 0
    for i in range(len(steps)):
        same = (steps.episodes == steps.episodes[i]) & (steps.actors == steps.actors[i])
        later = [j for j in np.flatnonzero(same) if j > i]
        assert (found["row"][i] == rows[i]).all() and found["slot"][i] == steps.slots[i]
        if later:
            assert found["reward"][i] == 0 and found["growth"][i] == 1
            assert by_pot["growth"][i] == pytest.approx(pots[later[0]] / pots[i])
            assert (found["next_row"][i] == rows[later[0]]).all()
            assert (found["next_legal"][i] == steps.legal[later[0]]).all()
        else:
            endings += 1
            assert not found["next_legal"][i].any() and found["growth"][i] == 0
            won = steps.payoffs[steps.episodes[i] - 7, steps.actors[i]]
            assert found["reward"][i] == np.float32(won / 2)
            assert by_pot["reward"][i] == pytest.approx(won / 2 / pots[i])
    acted = {(e, a) for e, a in zip(steps.episodes, steps.actors, strict=True)}
    assert endings == len(acted) > 200  # every seat that had a decision has an ending


def test_roles_stay_for_an_episode_and_are_as_frequent_as_said() -> None:
    episodes = np.repeat(np.arange(50_000), 6)
    actors = np.tile([0, 1, 2, 0, 1, 2], 50_000)
    roles = Roles(5, Schedule(0.3, 0.3, 0), 0.2).of(episodes, actors)
    for role, share in ((RESPONSE, 0.3), (AVERAGE, 0.5), (RANDOM, 0.2)):
        assert abs((roles == role).mean() - share) < 0.005
    found = (roles == RESPONSE).reshape(-1, 2, 3)
    assert (found[:, 0] == found[:, 1]).all()
    both = (found[:, 0, 0] & found[:, 0, 1]).mean()
    assert abs(both - 0.09) < 0.005  # seats draw independently
    ramp = (Roles(5, Schedule(0.0, 1.0, 50_000)).of(episodes, actors) == RESPONSE).reshape(5, -1)
    np.testing.assert_allclose(ramp.mean(axis=1), [0.1, 0.3, 0.5, 0.7, 0.9], atol=0.02)
    assert (Roles(6, Schedule(0.3, 0.3, 0), 0.2).of(episodes, actors) != roles).any()


def test_exploring_is_no_part_of_the_average() -> None:
    learner = make(best_response=1.0, epsilon_decay=0, epsilon_end=0.9, average_capacity=10_000)
    steps = played(learner)
    with torch.no_grad():
        rows = learner.encoder.expand(steps["rows"])
        told = learner.values.network(torch.from_numpy(rows)).numpy()
    greedy = np.where(steps["legal"], told, -np.inf).argmax(axis=1)
    assert (steps["slots"] != greedy).mean() > 0.3
    kept = learner.actions.get(np.arange(learner.actions.size))[:, -7:-4]  # the targets
    assert learner.actions.num_added == len(steps["slots"])
    assert (kept.argmax(axis=1) == greedy).all() and (kept.sum(axis=1) == 255).all()


def test_by_temperature_the_average_is_of_what_was_likely() -> None:
    options = {"best_response": 1.0, "temperature": 0.05, "epsilon_decay": 0, "epsilon_end": 0.4}
    learner = make(**options, average_capacity=10_000)
    steps = played(learner)
    with torch.no_grad():
        rows = learner.encoder.expand(steps["rows"])
        told = learner.values.network(torch.from_numpy(rows)).numpy().astype(np.float64) / 0.05
    likely = np.where(steps["legal"], np.exp(told - told.max(axis=1, keepdims=True)), 0)
    likely /= likely.sum(axis=1, keepdims=True)
    kept = learner.actions.get(np.arange(learner.actions.size))[:, -7:-4] / 255
    np.testing.assert_allclose(kept, likely, atol=0.51 / 255 + 1e-5)
    assert 0.1 < likely.max(axis=1).min() < 0.7  # and not only the largest


@pytest.mark.parametrize(
    ("record", "learn_from"), [("all", "all"), ("best-response", "best-response")]
)
def test_what_is_recorded(record: Any, learn_from: Any) -> None:
    learner = make(record=record, learn_from=learn_from)
    steps = played(learner)
    responds = steps["roles"] == RESPONSE
    count = len(steps["slots"]) if record == "all" else int(responds.sum())
    assert learner.actions.num_added == count
    assert learner.newest.num_added == (len(steps["slots"]) if learn_from == "all" else count)


def test_random_opponents_play_anything_and_are_no_part_of_the_average() -> None:
    learner = make(random_opponents=0.4, record="all", episodes=256, average_capacity=10_000)
    steps = played(learner)
    is_random = steps["roles"] == RANDOM
    uniform = steps["legal"] / steps["legal"].sum(axis=1, keepdims=True, dtype=np.float32)
    np.testing.assert_array_equal(steps["policies"][is_random], uniform[is_random])
    assert (steps["policies"][~is_random] != uniform[~is_random]).any(axis=1).mean() > 0.9
    assert 0.3 < is_random.mean() < 0.5
    assert learner.actions.num_added == (~is_random).sum()
    assert learner.newest.num_added == len(steps["slots"])
    with pytest.raises(InputError, match="random_opponents: with best_response at most 1"):
        make(best_response=0.5, random_opponents=0.6)


def test_value_loss_by_hand() -> None:
    learner = make(huber=1.5, tau=0.5, stake_power=1.0)
    learner.step(6)
    rows = learner.newest.sample(1, 1, 40)
    tensors = {name: torch.from_numpy(array) for name, array in rows.items()}
    tensors = learner._features.added(tensors)
    features = tensors["features"]
    with torch.no_grad():
        loss = learner._value_loss(learner.values.network, tensors)
        later = learner._features(tensors["next_row"])
        online = learner.values.network(later).numpy()
        target = learner.values.target(later).numpy()
        told = learner.values.network(features).numpy()
    assert not np.allclose(online, target)
    total = 0.0
    for i in range(40):
        goal = float(rows["reward"][i])
        if rows["next_legal"][i].any():
            best = max(np.flatnonzero(rows["next_legal"][i]), key=lambda a, i=i: online[i, a])
            goal += float(rows["growth"][i]) * float(target[i, best])
        error = abs(float(told[i, rows["slot"][i]]) - goal)
        total += error**2 / 2 if error < 1.5 else 1.5 * (error - 0.75)
    assert float(loss) == pytest.approx(total / 40, rel=1e-5)


def test_the_target_follows() -> None:
    learner = make(tau=0.25, best_response_steps=1)
    learner.step(1)
    before = [each.clone() for each in learner.values.target.parameters()]
    learner.step(1)
    for old, new, online in zip(
        before,
        learner.values.target.parameters(),
        learner.values.network.parameters(),
        strict=True,
    ):
        torch.testing.assert_close(new, old + 0.25 * (online - old))


@given(
    st.floats(0, 1), st.floats(0, 1), st.integers(0, 1000), st.sampled_from(["linear", "cosine"])
)
def test_ramps_keep_their_bounds(start: float, end: float, episodes: int, shape: Any) -> None:
    numbers = Schedule(start, end, episodes, shape).at(np.arange(0, 2000, 7))
    assert numbers.min() >= min(start, end) - 1e-12 and numbers.max() <= max(start, end) + 1e-12
    assert numbers[-1] == pytest.approx(end)


def test_root_falls_as_one_over_a_square_root() -> None:
    schedule = Schedule(0.06, 0.001, 100, "root")
    assert float(schedule.at(0)) == 0.06
    assert float(schedule.at(300)) == pytest.approx(0.03)
    assert float(schedule.at(10**9)) == 0.001


# The same bytes.


@pytest.mark.parametrize("other", [{"threads": 2}, {"tables": 5}, {}])
def test_same_bytes_whatever_the_threads_and_tables(other: dict[str, Any]) -> None:
    """On one thread of torch: its sums are what may differ, not play."""
    one, two = make(), make(**other)
    assert one.step(4) == two.step(4)
    assert_same(one, two)
    assert contents(one.newest) != contents(make(seed=4).newest)


def test_stopped_anywhere_goes_on_to_the_same_bytes() -> None:
    looks = itertools.count()
    steady = make("leduc3")
    metrics = steady.step(6, Watch(lambda: next(looks) < 0))
    done = set()
    for stop in np.linspace(0, next(looks) - 1, 7, dtype=int):
        asked = itertools.count()
        stopped = make("leduc3")
        assert stopped.step(6, Watch(lambda asked=asked, stop=stop: next(asked) == stop)) == {}  # type: ignore[misc]
        resumed = make("leduc3")
        copy_buffers(stopped, resumed)
        resumed.restore(stopped.state())
        done.add(resumed.steps_done)
        assert resumed.step(6 - resumed.steps_done) == metrics
        assert_same(steady, resumed)
    assert len(done) >= 4 and max(done) < 6


# Starts with networks and without rows.


def test_without_rows_the_average_waits_and_forgets_its_moments() -> None:
    options: dict[str, Any] = {"freeze_average": 128, "average_warmup": 128}
    learner = make(**options)
    learner.step(4)
    resumed = make(**options)
    resumed.restore(learner.state())  # and not the buffers
    before = {name: each.clone() for name, each in resumed.average.network.state_dict().items()}
    assert resumed.step(1).get("loss/average") is None
    for name, each in resumed.average.network.state_dict().items():
        assert (each == before[name]).all()
    assert "loss/values" in resumed.step(1) and "loss/average" in resumed.step(1)
    assert resumed._average_share() < 1
    assert learner._average_share() == 1.0


@pytest.mark.slow
def test_without_rows_the_average_does_not_collapse() -> None:
    """Its network stands for the rows that are lost; else it follows the newest best responses."""
    config = read_config(Path(__file__).parents[2] / "configs" / "kuhn_nfsp.yaml").algorithm
    quick = {"average_tau": 1.0, "average_rate": 5e-3, "batch": 128, "episodes": 256}
    options = {**config.options, "widths": (32,), "rate_episodes": 0, **quick}
    learner, resumed, again = (make("kuhn", **options) for _ in range(3))
    learner.step(150)
    before = exact_values(learner.game, learner.policy()).exploitability
    resumed.restore(learner.state())  # and not the buffers
    for _ in range(4):
        resumed.step(5)
        assert exact_values(resumed.game, resumed.policy()).exploitability < 1.1 * before
    copy_buffers(resumed, again)
    again.restore(resumed.state())  # with all there is: what is remembered, too
    resumed.step(2)
    again.step(2)
    assert_same(resumed, again)


def test_a_run_begins_with_the_networks_of_another(tmp_path: Path) -> None:
    tree = {
        "game": "leduc",
        "algorithm": {"name": "nfsp", **TINY, "widths": [8]},
        "budget": {"steps": 3},
        "evaluate": {"every_steps": 3},
        "output": str(tmp_path / "first"),
    }
    train(Run.new(make_config(tree, "config"), "first"))
    notes: list[str] = []
    later = make_config(
        {**tree, "output": str(tmp_path / "second"), "start_from": str(tmp_path / "first")}, "x"
    )
    source = make()
    checkpoint = Run.existing(tmp_path / "first").latest()
    assert checkpoint is not None
    source.start_from(checkpoint.state)
    first = exact_values(source.game, source.policy()).exploitability
    again = json.loads((tmp_path / "first" / "metrics.jsonl").read_text().splitlines()[-1])
    assert first == pytest.approx(again["eval/exploitability"])
    train(Run.new(later, "second"), tell=notes.append)
    assert any("begins with the networks" in note for note in notes)
    other = {**later.model_dump(), "output": str(tmp_path / "third")}
    other["algorithm"]["widths"] = [9]
    with pytest.raises(InputError, match="its networks are others than these"):
        train(Run.new(make_config(other, "x"), "third"))
    other["algorithm"] = {"name": "mccfr"}
    with pytest.raises(InputError, match="start_from: 'mccfr' cannot begin with a run of 'nfsp'"):
        train(Run.new(make_config(other, "x"), "third"))


def test_the_best_strategy_is_kept_beside_the_newest(tmp_path: Path) -> None:
    tree = {
        "game": "leduc",
        "algorithm": {"name": "nfsp", **TINY, "widths": [8]},
        "budget": {"steps": 6},
        "evaluate": {
            "every_steps": 1,
            "measures": [{"name": "baselines", "hands": 200, "bots": ["random"]}],
        },
        "bundle": {"best": "match_random"},
        "output": str(tmp_path / "run"),
    }
    train(Run.new(make_config(tree, "config"), "run"))
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    figures = [json.loads(line)["eval/match_random"] for line in lines]
    card = json.loads((tmp_path / "run" / "best" / "manifest.json").read_text())
    assert card["algorithm"]["iterations"] == 1 + int(np.argmax(figures))


@pytest.mark.parametrize("best", ["match_caller", "exploitability", "match_randm"])
def test_a_best_figure_that_is_not_measured_is_refused(tmp_path: Path, best: str) -> None:
    tree = {
        "game": "kuhn",
        "algorithm": "cfr+",
        "budget": {"steps": 2},
        "evaluate": {"measures": [{"name": "baselines", "hands": 200, "bots": ["random"]}]},
        "bundle": {"best": best},
        "output": str(tmp_path / "run"),
    }
    with pytest.raises(InputError, match=f"bundle.best: '{best}' is not measured"):
        train(Run.new(make_config(tree, "config"), "run"))


def test_the_best_exploitability_is_the_least(tmp_path: Path) -> None:
    tree = {
        "game": "leduc",
        "algorithm": "cfr",
        "budget": {"steps": 12},
        "evaluate": {"every_steps": 1, "measures": ["exact"]},
        "bundle": {"best": "exploitability"},
        "output": str(tmp_path / "run"),
    }
    train(Run.new(make_config(tree, "config"), "run"))
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    figures = [json.loads(line)["eval/exploitability"] for line in lines]
    card = json.loads((tmp_path / "run" / "best" / "manifest.json").read_text())
    assert figures[0] > min(figures)
    assert card["algorithm"]["iterations"] == 1 + int(np.argmin(figures))


# Asynchronous.


def test_asynchronous_play_learns_and_can_be_resumed() -> None:
    learner = make("kuhn", asynchronous=True, train_ahead=2, hand_over_every=2)
    metrics = learner.step(40)
    assert metrics["episodes"] >= 64 * 40 / 4 - 64
    assert metrics["episodes"] % 64 == 0
    resumed = make("kuhn", asynchronous=True, train_ahead=2, hand_over_every=2)
    copy_buffers(learner, resumed)
    resumed.restore(learner.state())
    assert resumed.step(5)["episodes"] > metrics["episodes"]


@pytest.mark.parametrize(("every", "ahead"), [(1, 0), (3, 0), (4, 2)])
def test_networks_are_handed_over_as_often_as_said(every: int, ahead: int) -> None:
    """However many rounds of learning play takes: as soon as it is over and so many are done."""
    learner = make("kuhn", asynchronous=True, train_ahead=ahead, hand_over_every=every)
    play: Any = learner._play
    rounds: list[int] = []
    original = learner.weights
    learner.weights = lambda: (rounds.append(play._learned), original())[1]  # type: ignore[method-assign]
    learner.step(24)
    gaps = np.diff(rounds)
    assert rounds[0] == 0 and len(rounds) > 24 // (every + ahead + 1) - 1
    assert gaps.min() >= every and gaps.max() <= every + ahead


def test_no_training_ahead_is_a_round_each() -> None:
    learner = make("kuhn", asynchronous=True, train_ahead=0)
    assert learner.step(5)["episodes"] == 5 * 64


# The rest.


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("episodes", 0, "episodes: must be at least 1, not 0"),
        ("best_response", 1.5, "best_response: must be at most 1, not 1.5"),
        ("huber", 0.0, "huber: must be above 0"),
        ("encoder", "none", "no encoder is called 'none'"),
    ],
)
def test_config_errors_are_one_line(key: str, value: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        make(**{key: value})
    assert "\n" not in str(caught.value)


def test_more_players_play() -> None:
    learner = make("leduc3")
    learner.step(3)
    values = exact_values(learner.game, learner.policy())
    assert len(values.gains) == 3 and min(values.gains) >= 0


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "tiny.yaml"
    options = "\n".join(f"  {k}: {list(v) if k == 'widths' else v}" for k, v in TINY.items())
    config.write_text(f"game: kuhn\nalgorithm:\n  name: nfsp\n{options}\nbudget: {{steps: 2}}\n")
    for arguments in ((), ("--from", str(tmp_path / "one"))):
        name = "two" if arguments else "one"
        with pytest.raises(SystemExit) as ended:
            main(["train", str(config), f"output={tmp_path / name}", *arguments, "--json"])
        assert ended.value.code == 0
    assert "begins with the networks" in capsys.readouterr().err


# Names of suits.


def test_renamed_rows_are_those_of_the_renamed_deal() -> None:
    """By the cards themselves: hole cards and board of a row, renamed as text."""
    game = load_game("nlhe")
    encoder = load_encoder("table30", game)
    job = _native.SelfPlay(game, 50, encoders=["table30"], record_rows=True)
    while (questions := job.ask()) is not None:
        job.answer(questions.legal.astype(np.float32))
    rows = torch.from_numpy(job.take_steps().rows("table30").copy())
    renaming = SuitRenaming(game, encoder, torch.device("cpu"))
    assert renaming.count == 48
    assert (renaming.rename(rows, torch.zeros(len(rows), dtype=torch.int64)) == rows).all()
    orders = list(itertools.permutations("cdhs"))
    for number in range(48):
        renamed = renaming.rename(rows, torch.full((len(rows),), number))
        names = dict(zip("cdhs", orders[number % 24], strict=True))
        before, after = (_cards(each.numpy()) for each in (rows, renamed))
        for old, new in zip(before, after, strict=True):
            expected = [card[0] + names[card[1]] for card in old]
            expected[:2] = expected[:2][::-1] if number >= 24 else expected[:2]
            assert new == expected
        assert (renamed[:, 7:] == rows[:, 7:]).all()


def _cards(rows: np.ndarray[Any, Any]) -> list[list[str]]:
    names = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    return [[names[card] for card in row[:7] if card != 255] for row in rows]


def test_a_row_and_the_next_are_renamed_alike() -> None:
    options: dict[str, Any] = {"encoder": "table30", "rename_suits": True, "batch": 64}
    learner = make("nlhe", **options)
    learner.step(2)
    seen: list[dict[str, torch.Tensor]] = []
    prepare = learner.values._prepare
    learner.values._prepare = lambda rows: seen.append(rows) or prepare(rows)  # type: ignore[func-returns-value]
    learner.step(1)
    for rows in seen:
        going_on = rows["next_legal"].any(dim=1)
        now, later = (_cards(rows[key][going_on].numpy()) for key in ("row", "next_row"))
        for one, two in zip(now, later, strict=True):
            assert one == two[: len(one)]
    assert len(seen) == 2
    again = make("nlhe", **options)
    again.step(3)
    assert_same(learner, again)


def test_encoders_without_suits_cannot_rename_them() -> None:
    with pytest.raises(InputError, match="rename_suits: encoder 'canonical24' shows no suits"):
        make("nlhe", encoder="canonical24", rename_suits=True)
