# SPDX-License-Identifier: MIT
"""The training loop measures what is due, within its budget, and loses nothing meanwhile."""

import itertools
import json
import math
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from regretless.bundles.bundle import open_bundle
from regretless.errors import DivergedError, InputError, TooLargeError
from regretless.evaluation.measures import MEASURES, Measure, Subject, make_measurer
from regretless.games import load_game
from regretless.policies.policy import UniformPolicy
from regretless.recipes.config import BudgetConfig, make_config, read_config, sealed
from regretless.runs import Run, read_checkpoint
from regretless.runs.metrics import read_metrics
from regretless.runs.run import run_status
from regretless.training import loop, preparation, run_saver
from regretless.training.loop import train
from regretless.watch import UNWATCHED, Stopped, Watch

TREE: dict[str, Any] = {
    "game": "kuhn",
    "algorithm": {"name": "mccfr", "iterations_per_step": 10},
    "budget": {"steps": 12},
    "evaluate": {"every_steps": 4, "measures": ["exact", {"name": "slow", "every_steps": 6}]},
    "checkpoint": {"every_steps": 3},
}


class Killed(BaseException):
    """As if the process ended here."""


@dataclass(frozen=True)
class Slow:
    """A measure of four pieces; what happens at which piece the test says."""

    pieces: int = 4
    taken: ClassVar[int] = 0
    at: ClassVar[dict[int, Any]] = {}

    def figures(self) -> list[str]:
        return ["slow"]

    def why_not(self, subject: Subject) -> str | None:
        return None

    def __call__(self, subject: Subject, watch: Watch = UNWATCHED) -> list[Measure]:
        for piece in range(self.pieces):
            Slow.taken += 1
            if Slow.taken in Slow.at:
                Slow.at[Slow.taken]()
            watch.look("slow", piece / self.pieces)
        assert subject.exact is not None
        value = subject.exact.exploitability()
        return [Measure("slow", "slow", value, "antes", "slowly", value - 1, value + 1)]


@pytest.fixture(autouse=True)
def _slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MEASURES, "slow", f"{__name__}:Slow")
    monkeypatch.setattr(Slow, "taken", 0)
    monkeypatch.setattr(Slow, "at", {})


def make(path: Path, *overrides: str) -> Run:
    return Run(path, make_config(TREE, "test", overrides))


def rows(run: Run) -> list[dict[str, Any]]:
    kept = list(read_metrics(run.metrics_path))
    return [{k: v for k, v in r.items() if k.split("/")[0] not in ("time", "sys")} for r in kept]


def states(run: Run) -> dict[str, bytes]:
    return {path.name: (path / "state.safetensors").read_bytes() for path in run.checkpoints()}


def steps_with(run: Run, key: str) -> list[int]:
    return [row["step"] for row in read_metrics(run.metrics_path) if key in row]


def test_every_measure_has_its_schedule(tmp_path: Path) -> None:
    run = make(tmp_path / "run", "log.every_steps=5")
    done = train(run)
    assert steps_with(run, "eval/exploitability") == [4, 8, 12]
    assert steps_with(run, "eval/slow") == steps_with(run, "eval/slow/low") == [6, 12]
    assert steps_with(run, "time/step_seconds") == [3, 4, 5, 6, 8, 9, 10, 12]
    assert steps_with(run, "time/measure_seconds") == [4, 6, 8, 12]
    (last,) = (row for row in rows(run) if row["step"] == 12)
    assert last["eval/slow/high"] == pytest.approx(last["eval/slow"] + 1)
    assert set(done.record.measures) == {"exploitability", "slow", "slow/low", "slow/high"}


def test_a_measure_is_cut_when_the_budget_of_seconds_is_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_LEAST_OVERTIME", 0.3)
    monkeypatch.setattr(Slow, "at", {n: lambda: time.sleep(0.05) for n in range(1_000)})
    limits = ("budget.steps=null", "budget.seconds=0.2", "evaluate.every_steps=1000000")
    run = make(tmp_path / "run", *limits, "evaluate.measures=[{name: slow, pieces: 1000}]")
    notes: list[str] = []
    begun = time.perf_counter()
    done = train(run, tell=notes.append)
    assert time.perf_counter() - begun < 10  # the whole measure takes 50 s
    assert done.is_finished and done.record.measures == {}
    assert "slow was cut after" in notes[-1] and "budget of seconds" in notes[-1]
    last = list(read_metrics(run.metrics_path))[-1]
    assert last["step"] == done.record.step and last["time/slow_cut_seconds"] > 0
    assert "eval/slow" not in last and (run.path / "bundle").is_dir()


def test_a_budget_of_seconds_keeps_time_for_the_measure_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Slow, "at", {n: lambda: time.sleep(0.1) for n in range(1_000)})
    limits = ("budget.steps=null", "budget.seconds=2", "evaluate.every_steps=1000000")
    run = make(tmp_path / "run", *limits, "evaluate.measures=[{name: slow}]")
    begun = time.perf_counter()
    done = train(run)  # the measure takes 0.4 s, of which 0.2 s are kept before it is known
    assert time.perf_counter() - begun < 2 + 0.5
    assert done.is_finished and done.record.measured_at == done.record.step
    assert Run.existing(run.path).config.budget.seconds <= done.record.seconds


def test_a_run_that_ends_by_its_steps_has_the_seconds_that_it_took(tmp_path: Path) -> None:
    done = train(make(tmp_path / "run", "budget.steps=2", "budget.seconds=600"))
    assert done.is_finished and done.record.step == 2 and done.record.seconds < 60


def test_a_budget_of_seconds_ends_between_the_rows_of_the_log(tmp_path: Path) -> None:
    limits = ("budget.steps=null", "budget.seconds=0.3", "evaluate.every_steps=null")
    quiet = ("log.every_steps=100000000", "evaluate.measures=[]", "checkpoint.every_steps=null")
    run = make(tmp_path / "run", *limits, *quiet)
    begun = time.perf_counter()
    done = train(run)
    assert done.is_finished and time.perf_counter() - begun < 10
    assert steps_with(run, "time/step_seconds") == [done.record.step]
    more = Run(run.path, run.config.model_copy(update={"budget": BudgetConfig(seconds=0.6)}))
    assert train(more).record.step > done.record.step


def test_a_measure_says_that_its_strategy_is_not_fitted_yet(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    options = {"name": "deep-cfr", "traversals": 4, "steps": 1, "strategy_steps": 1}
    tree = {**TREE, "algorithm": {**options, "strategy_every": 3}, "budget": {"steps": 3}}
    tree |= {"evaluate": {"every_steps": 1}}
    notes: list[str] = []
    train(Run(tmp_path / "run", make_config(tree, "test")), tell=notes.append)
    (note,) = (each for each in notes if "fitted" in each)
    assert note.endswith("has not been fitted yet: strategy_every is 3 iterations")


def test_tensorboard_has_the_intervals(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = make(tmp_path / "run")
    train(run)
    events = EventAccumulator(str(run.events_path))
    events.Reload()
    for key in ("eval/slow", "eval/slow/low", "eval/slow/high"):
        assert [each.step for each in events.Scalars(key)] == [6, 12]


@pytest.mark.parametrize("piece", range(1, 9))
def test_stopped_inside_a_measure(piece: int, tmp_path: Path) -> None:
    steady, stopped = make(tmp_path / "steady"), make(tmp_path / "stopped")
    train(steady)
    Slow.taken, flags = 0, [False]
    Slow.at = {piece: lambda: flags.append(True)}
    first = train(stopped, watch=Watch(lambda: flags[-1]))
    step = 6 if piece <= 4 else 12
    assert not first.is_finished and first.record.step == step
    left = first.record.unmeasured
    assert left is not None and left.measures == (("slow",) if step == 6 else ("exact", "slow"))
    assert steps_with(stopped, "step")[-1] < step  # it is not logged in part
    assert not (stopped.path / "bundle").exists()
    assert train(stopped).is_finished
    assert rows(stopped) == rows(steady) and states(stopped) == states(steady)
    assert (stopped.path / "bundle").exists()


@pytest.mark.parametrize("piece", [1, 4, 5, 8])
def test_killed_inside_a_measure(piece: int, tmp_path: Path) -> None:
    steady, killed = make(tmp_path / "steady"), make(tmp_path / "killed")
    train(steady)

    def kill() -> None:
        raise Killed

    Slow.taken, Slow.at = 0, {piece: kill}
    with pytest.raises(Killed):
        train(killed)
    latest = killed.latest()
    assert latest is not None and latest.record.unmeasured is not None
    assert latest.record.step == (6 if piece <= 4 else 12)  # the step is saved all the same
    before = latest.state
    assert train(killed).is_finished
    assert rows(killed) == rows(steady) and states(killed) == states(steady)
    if piece > 4:  # nothing but the measure was left to do
        state = read_checkpoint(killed.checkpoints()[-1]).state
        assert all(state[name].tobytes() == array.tobytes() for name, array in before.items())


def test_killed_before_the_checkpoint_knows_the_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steady, killed = make(tmp_path / "steady"), make(tmp_path / "killed")
    train(steady)

    def kill(*_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Run, "amend", kill)
        train(killed)
    assert steps_with(killed, "step")[-1] == 6  # its row was written, and is written again
    assert train(killed).is_finished
    assert rows(killed) == rows(steady) and states(killed) == states(steady)


def test_the_measures_of_a_saved_step_may_be_given_up(tmp_path: Path) -> None:
    run = make(tmp_path / "run")
    Slow.at = {1: lambda: flags.append(True)}
    flags = [False]
    train(run, watch=Watch(lambda: flags[-1]))
    resumed = Run.existing(run.path, ("evaluate.measures=[exact]",))
    assert train(resumed).is_finished
    assert steps_with(run, "eval/slow") == [] and 6 in steps_with(run, "step")
    assert all(read_checkpoint(path).record.unmeasured is None for path in run.checkpoints())


def test_a_target_reached_takes_the_other_measures_too(tmp_path: Path) -> None:
    run = make(tmp_path / "run", "budget.target=10")
    done = train(run)
    assert done.is_finished and done.record.step == 4
    assert steps_with(run, "eval/slow") == steps_with(run, "eval/exploitability") == [4]


def test_a_measure_that_is_too_large_is_told_once(tmp_path: Path) -> None:
    def refuse() -> None:
        raise TooLargeError("too large")

    Slow.at = {1: refuse}
    told: list[str] = []
    run = make(tmp_path / "run")
    assert train(run, tell=told.append).is_finished
    assert told == ["slow is not measured: too large"] and Slow.taken == 1
    assert steps_with(run, "eval/exploitability") == [4, 8, 12]


def test_what_cannot_be_measured_is_told_before_the_first_step(tmp_path: Path) -> None:
    tree = {**TREE, "game": "liars-dice-1x3f", "evaluate": {"measures": ["lbr", "baselines"]}}
    told: list[str] = []
    run = Run(tmp_path / "run", make_config(tree, "test", ["budget.steps=2"]))
    train(run, tell=told.append, report=lambda _: told.append("step"))
    assert "lbr is not measured" in told[0] and told[1] == "step"
    with pytest.raises(InputError, match="needs exact"):
        make_config(tree, "test", ["budget.target=1"])


@pytest.mark.parametrize(
    ("measures", "words"),
    [
        ("[exacct]", ["evaluate.measures", "exact"]),
        ("[{name: lbr, hands: 2}]", ["lbr", "hands"]),
        ("[{name: lbr, handz: 20}]", ["evaluate.measures", "lbr", "'hands'"]),
        ("[{name: lbr, menus: [bet]}]", ["menus", "bets"]),
        ("[{name: baselines, bots: [callr]}]", ["bots", "caller"]),
        ("[exact, exact]", ["exact", "twice"]),
        ("[{every_steps: 3}]", ["evaluate.measures.0.name"]),
        ("[{name: exact, every_steps: 0}]", ["evaluate.measures.0.every_steps"]),
        ("7", ["evaluate.measures"]),
    ],
)
def test_bad_measures_are_one_line(measures: str, words: list[str], tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        train(make(tmp_path / "run", f"evaluate.measures={measures}"))
    assert "\n" not in str(caught.value)
    for word in words:
        assert word in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_a_config_changed_under_a_run_is_refused(tmp_path: Path) -> None:
    run = make(tmp_path / "run", "algorithm=dcfr", "evaluate.measures=[exact]")
    train(run)
    file = run.path / "config.yaml"
    text = file.read_text()
    for old, new, what in (
        ("name: dcfr", "name: linear", "algorithm.name is 'linear', was 'dcfr'"),
        ("name: kuhn", "name: leduc", "game.name is 'leduc', was 'kuhn'"),
        ("seed: 0", "seed: 1", "seed is 1, was 0"),
        ("steps: 12", "steps: 14", "budget.steps is 14, was 12"),
        ("record_examples: false", "", "record_examples"),
    ):
        assert old in text
        file.write_text(text.replace(old, new))
        if not new:  # a default: the config is the same
            assert Run.existing(run.path).config == run.config
            continue
        with pytest.raises(InputError) as caught:
            Run.existing(run.path)
        assert what in str(caught.value) and "\n" not in str(caught.value)
        file.write_text(sealed(text[: text.index("# seal")].replace(old, new)))  # knowingly
        if "budget" not in what:
            with pytest.raises(InputError, match=what):
                train(Run.existing(run.path))
    file.write_text(text)
    assert train(Run.existing(run.path, ("budget.steps=14",))).record.step == 14
    assert train(Run.existing(run.path)).record.step == 14


def test_checkpoints_of_another_game_are_one_line(tmp_path: Path) -> None:
    """Even where the checkpoint does not say of which game it is."""
    kuhn, leduc = (
        make(tmp_path / name, f"game={name}", "algorithm=cfr+") for name in ("kuhn", "leduc")
    )
    for run in (kuhn, leduc):
        train(
            Run(
                run.path,
                run.config.model_copy(
                    update={"evaluate": make_config({**TREE, "evaluate": {}}, "test").evaluate}
                ),
            )
        )
    for path in leduc.checkpoints():
        shutil.rmtree(path)
    shutil.copytree(kuhn.checkpoints()[-1], leduc.checkpoints_path / "step_00000012")
    with pytest.raises(InputError, match="another game") as caught:
        train(Run.existing(leduc.path))
    assert "\n" not in str(caught.value)


def test_the_best_figure_outlives_a_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_saver, "is_better", lambda _, value, than: value > than)
    run = make(tmp_path / "run", "bundle.best=exploitability", "budget.steps=4")
    train(run)
    first = read_checkpoint(run.checkpoints()[-1]).record
    assert first.best == first.measures["exploitability"]
    train(Run.existing(run.path, ("budget.steps=12",)))  # it only gets smaller
    assert rows(run)[-1]["eval/exploitability"] < first.measures["exploitability"]
    assert open_bundle(run.path / "best").manifest.algorithm.iterations == 4


def test_a_damaged_row_is_told(tmp_path: Path) -> None:
    run = make(tmp_path / "run")
    train(run)
    lines = run.metrics_path.read_bytes().splitlines(keepends=True)
    run.metrics_path.write_bytes(b"".join([lines[0], b"\x00" + lines[1][1:], *lines[2:]]))
    told: list[str] = []
    train(Run.existing(run.path, ("budget.steps=13",)), tell=told.append)
    assert len(told) == 1 and "line 2 is damaged" in told[0]
    kept = [json.loads(line)["step"] for line in lines[:1] + lines[2:]]
    assert steps_with(run, "step") == [*kept, 13]


def test_a_bundle_that_cannot_be_written_fails_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise InputError("No space left on device")

    monkeypatch.setattr(run_saver, "write_solution", full)
    run = make(tmp_path / "run")
    with pytest.raises(InputError, match="No space left"):
        train(run)
    monkeypatch.undo()
    monkeypatch.setitem(MEASURES, "slow", f"{__name__}:Slow")
    assert train(run).is_finished and (run.path / "bundle").is_dir()


def test_a_long_measure_stops_between_its_pieces() -> None:
    game = load_game("leduc")
    for name in ("lbr", "baselines"):
        looks: list[tuple[str, float | None]] = []
        watch = Watch(
            lambda looks=looks: len(looks) > 2, lambda *look, looks=looks: looks.append(look)
        )  # type: ignore[misc]
        with pytest.raises(Stopped):
            make_measurer(name, {"hands": 1000})(Subject(game, UniformPolicy), watch)
        assert len(looks) == 3


def test_figures_have_intervals_as_numbers() -> None:
    game = load_game("leduc")
    taken = [
        figure
        for name, options in (
            ("lbr", {"hands": 200, "menus": ["bets"]}),
            ("baselines", {"hands": 200}),
        )
        for figure in make_measurer(name, options)(Subject(game, UniformPolicy))
    ]
    keys = [figure.key for figure in taken]
    assert keys[:2] == ["lbr_bets", "match_random"] and "match_tight_aggressive" in keys
    for figure in taken:
        assert figure.low is not None and figure.high is not None
        assert figure.low <= figure.value <= figure.high and figure.unit == "mbb a hand"
        assert f"{figure.low:.0f} to {figure.high:.0f}" in figure.how


def test_the_recipe_with_lbr_and_baselines(tmp_path: Path) -> None:
    config = read_config(
        Path(__file__).parents[2] / "configs" / "leduc_mccfr.yaml",
        ["budget.steps=2", "algorithm.iterations_per_step=100", f"output={tmp_path / 'run'}"],
    )
    run = Run.new(config, "leduc_mccfr")
    train(run)
    last = rows(run)[-1]
    for key in ("lbr_bets", "match_caller"):
        assert last[f"eval/{key}/low"] <= last[f"eval/{key}"] <= last[f"eval/{key}/high"]
    assert last["eval/exploitability"] * 1000 >= last["eval/lbr_bets/low"]  # it is a lower bound


@pytest.mark.parametrize("looks", [1, 2, 3, 7, 11])
def test_stopped_between_two_rows(looks: int, tmp_path: Path) -> None:
    """The steps so far are saved, and the row that they began is that of a run never stopped."""
    overrides = ("log.every_steps=6", "algorithm.iterations_per_step=1000")
    schedules = ("evaluate.every_steps=6", "checkpoint.every_steps=6")
    steady, stopped = (make(tmp_path / each, *overrides, *schedules) for each in "ab")
    train(steady)
    asked = itertools.count(1)
    first = train(stopped, watch=Watch(lambda: next(asked) > looks))
    assert not first.is_finished
    latest = stopped.latest()
    assert latest is not None and latest.record.step == first.record.step
    assert steps_with(stopped, "step") == [s for s in (6, 12) if s <= first.record.logged_step]
    assert train(stopped).is_finished
    assert rows(stopped) == rows(steady)
    assert states(stopped)["step_00000012"] == states(steady)["step_00000012"]


def test_bundles_are_written_by_their_schedule(tmp_path: Path) -> None:
    run = make(tmp_path / "run", "bundle.every_steps=5")
    seen: list[tuple[int, int, int]] = []

    def look(progress: loop.Progress) -> None:
        if (run.path / "bundle").is_dir():
            manifest = open_bundle(run.path / "bundle").manifest
            made_at = manifest.algorithm.iterations or 0
            seen.append((progress.record.step, made_at, len(manifest.strength)))

    train(run, report=look)
    # At step 5 one measure had been taken, later both.
    assert [each for each in seen if each[0] == each[1]] == [(5, 5, 1), (10, 10, 2)]
    assert [each[1] for each in seen] == [5] * 5 + [10] * 3
    last = open_bundle(run.path / "bundle").manifest
    assert last.algorithm.iterations == 12 and len(last.strength) == 2


@pytest.mark.parametrize("kills", [False, True])
def test_a_bundle_claims_the_newest_figures_and_where_they_were_taken(
    kills: bool, tmp_path: Path
) -> None:
    run = make(tmp_path / "run", "bundle.every_steps=7")
    train(Run(run.path, run.config.model_copy(update={"budget": BudgetConfig(steps=7)})))
    claimed = {each.measure: each for each in open_bundle(run.path / "bundle").manifest.strength}
    assert all("at step" not in each.how for each in claimed.values())  # an end measures all
    if kills:
        shutil.rmtree(run.path / "bundle")
        train(Run(run.path, run.config.model_copy(update={"budget": BudgetConfig(steps=7)})))
    else:
        train(run)
        shutil.rmtree(run.path / "bundle")
        train(run)
    manifest = open_bundle(run.path / "bundle").manifest
    exact, slow = manifest.strength
    assert exact.measure == "exact exploitability" and exact.low is None
    assert slow.low == slow.value - 1 and slow.high == slow.value + 1 and slow.how == "slowly"


def test_a_bundle_on_the_way_does_not_mean_done(tmp_path: Path) -> None:
    run, steps = make(tmp_path / "run", "bundle.every_steps=5"), [0]
    train(
        run,
        report=lambda progress: steps.append(progress.record.step),
        watch=Watch(lambda: steps[-1] >= 7),
    )
    assert (run.path / "bundle").is_dir() and run.is_finished() is False
    assert run_status(run.path) == "stopped"
    train(run)
    assert run_status(run.path) == "done"
    train(Run.existing(run.path, ("budget.steps=13",)), watch=Watch(lambda: True))
    assert run_status(run.path) == "stopped"  # it has more to do now
    shutil.rmtree(run.checkpoints_path)
    assert run.is_finished() is None and run_status(run.path) == "done"


def test_figures_of_an_earlier_step_say_so(tmp_path: Path) -> None:
    run = make(tmp_path / "run", "bundle.every_steps=5", "budget.steps=11")
    hows: list[list[str]] = []

    def look(progress: loop.Progress) -> None:
        if progress.record.step == 10:
            manifest = open_bundle(run.path / "bundle").manifest
            hows.append([each.how.split(", ")[-1] for each in manifest.strength])

    train(run, report=look)
    assert hows == [["at step 8", "at step 6"]]


class Diverging:
    """MCCFR whose metric, or whose own check, finds something that is not finite at a step."""

    def __init__(self, inner: Any, step: int, value: float | None) -> None:
        self.inner, self.at, self.value = inner, step, value

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> dict[str, float]:
        if self.value is None and self.inner.steps_done + count >= self.at:
            raise DivergedError("loss/values is nan")
        metrics = self.inner.step(count, watch)
        is_bad = self.inner.steps_done >= self.at and self.value is not None
        return {**metrics, "loss/values": self.value if is_bad else 0.5}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, None])
def test_what_is_not_finite_ends_the_run(
    value: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_one = preparation.make_algorithm
    monkeypatch.setattr(
        preparation, "make_algorithm", lambda *a, **k: Diverging(make_one(*a, **k), 8, value)
    )
    run = make(tmp_path / "run", "bundle.every_steps=2")
    with pytest.raises(InputError) as caught:
        train(run)
    found = "nan" if value is None else str(value)
    good = run.checkpoints()[-1]
    assert str(caught.value) == (
        f"{run.path}: loss/values is {found} at step 8; the last good checkpoint is {good}"
    )
    assert good.name == "step_00000006" and read_checkpoint(good).record.step == 6
    assert steps_with(run, "step")[-1] == 7
    assert open_bundle(run.path / "bundle").manifest.algorithm.iterations == 6
    monkeypatch.setattr(preparation, "make_algorithm", make_one)
    steady = make(tmp_path / "steady")
    assert train(run).is_finished and train(steady).is_finished
    assert states(run)["step_00000012"] == states(steady)["step_00000012"]


def test_what_is_not_finite_before_anything_was_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_one = preparation.make_algorithm
    monkeypatch.setattr(
        preparation, "make_algorithm", lambda *a, **k: Diverging(make_one(*a, **k), 1, math.nan)
    )
    run = make(tmp_path / "run")
    with pytest.raises(InputError, match="at step 1; nothing was saved"):
        train(run)
    assert not run.checkpoints() and not (run.path / "bundle").exists()
