# SPDX-License-Identifier: MIT
"""`solve` as a run: it stops with what it has, ends where it ended before, and fits into memory."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from regretless import _native, cli
from regretless.algorithm import Shard
from regretless.algorithms import ALGORITHMS, make_solver
from regretless.bundles.bundle import open_bundle
from regretless.cli.progress import Telling
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.matches import runout_values
from regretless.matches.aivat import match_luck
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig, play_deals
from regretless.runs import room
from regretless.solvers import stopping
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig, planned_size
from regretless.solvers.stopping import Budget, run
from regretless.solving import forecast
from regretless.solving.solution import Problem, solve
from regretless.solving.spot_options import SpotOptions
from regretless.watch import Stopped, Watch, trial_seconds

CURVE = [(1, 64.0), (4, 16.0), (9, 7.1), (16, 4.0)]  # falls like 1 / iterations
MENU = {"all": {"open": "50%,a", "raise": "2.5x"}}
WIDE = {"all": {"open": "33%,66%,a", "raise": "2.5x"}}
SPOT = ("Td9d6hQc2s", 200, 900, "random", "random", MENU)
FLOP = ["nlhe", "--board", "Td9d6h", "--pot", "100", "--stack", "1000"]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "regretless", *arguments]


def signalled(number: int, *arguments: str, after: float = 0.5) -> subprocess.CompletedProcess[str]:
    """Run a command and send a signal once its first line is there, and so long after it."""
    child = subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    time.sleep(after)
    child.send_signal(number)
    rest, errors = child.communicate(timeout=60)
    return subprocess.CompletedProcess(child.args, child.returncode, first + rest, errors)


# 1: memory.


def test_what_is_planned_is_what_it_takes() -> None:
    spot = make_spot(*SPOT)
    for name, precision in (("dcfr", 32), ("dcfr", 16), ("pcfr+", None)):
        config = CFRConfig(name, precision=precision)
        planned, made = planned_size(spot.game, config), CFR(spot.game, config)
        for key in ("nodes", "decisions", "entries", "bytes", "precision"):
            assert getattr(planned, key) == getattr(made.solver.size, key), key
    small = planned_size(load_game("leduc"), CFRConfig())
    assert small.bytes == CFR(load_game("leduc")).memory_bytes and small.precision == 64


def test_a_spot_larger_than_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    spot = make_spot(*SPOT)
    both = [planned_size(spot.game, CFRConfig("dcfr", precision=bits)).bytes for bits in (32, 16)]
    monkeypatch.setattr(forecast, "free_memory", lambda: both[0])  # 32 bits need a little more
    with pytest.raises(InputError, match=r"32 bits, of which .* are free; --precision 16, fewer"):
        Problem.make(spot, precision=32)
    assert Problem.make(spot).solver.bits == 16  # type: ignore[attr-defined]
    monkeypatch.setattr(forecast, "free_memory", lambda: both[1])
    with pytest.raises(InputError, match=r"16 bits, of which .* are free; fewer sizes") as refused:
        Problem.make(spot)
    assert "\n" not in str(refused.value)


def test_what_a_spot_takes_is_told_before_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(forecast, "_LEAST_SECONDS", 0.0)
    monkeypatch.setattr("regretless.solving.solution.make_solver", lambda *_, **__: told.append(""))
    Problem.make(make_spot(*SPOT), tell=told.append)
    assert "in 32 bits (" in told[0] and "free), about" in told[0] and told[1:] == [""]


def test_limits_of_a_group_and_of_a_process_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert room._free_of_group(tmp_path) is None
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("300\n")
    (tmp_path / "memory.stat").write_text("anon 200\ninactive_file 50\n")
    assert room._free_of_group(tmp_path) is None
    (tmp_path / "memory.max").write_text("1000\n")
    assert room._free_of_group(tmp_path) == 750
    monkeypatch.setattr("resource.getrlimit", lambda _: (1 << 45, 1 << 45))
    left = room._free_of_process()
    assert left is not None and 0 < left < 1 << 45


def test_too_little_memory_is_one_line() -> None:
    """A limit on the address space, which is where `std::bad_alloc` came from."""
    limit = 'ulimit -v 3000000; exec "$@"'
    found = subprocess.run(
        ["bash", "-c", limit, "limited", *command("solve", *FLOP)], capture_output=True, text=True
    )
    assert found.returncode == 2 and found.stdout == ""
    lines = found.stderr.splitlines()
    assert len(lines) == 1 and "of memory in 16 bits" in lines[0] and "are free" in lines[0]


def test_a_failed_allocation_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError("std::bad_alloc")

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(cli, "register", lambda *names: None)
    with pytest.raises(SystemExit) as ended:
        cli.main(["games"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("error: there is not enough memory")


# 2: a signal keeps what was reached.


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_was_reached(number: int, tmp_path: Path) -> None:
    endless = ("solve", "leduc", "--algorithm", "cfr", "--target", "1e-12")
    found = signalled(number, *endless, "--bundle", str(tmp_path / "b"))
    assert found.returncode == 128 + number, found.stderr
    assert "exploitability" in found.stdout and "stopped after" in found.stderr
    assert open_bundle(tmp_path / "b").manifest.algorithm.iterations > 100


def test_told_to_stop_it_measures_what_it_has() -> None:
    begun = time.perf_counter()
    watch = Watch(lambda: time.perf_counter() - begun > 0.3)
    solved = run(make_solver("cfr", load_game("leduc")), Budget(target=1e-12), watch=watch)
    assert solved.measured_at == solved.iterations > 0
    assert 0 < solved.exploitability < 1
    assert time.perf_counter() - begun < 5


# 3: seconds are kept.


class Slow(CFR):
    """Whose measure takes for ever, unless it is told to stop."""

    def __init__(self, seconds: float) -> None:
        super().__init__(load_game("kuhn"))
        self.seconds, self.cut = seconds, 0

    def exploitability(self, watch: Watch = Watch()) -> float:  # noqa: B008
        end = time.perf_counter() + self.seconds
        try:
            while time.perf_counter() < end:
                watch.look("measuring")
                time.sleep(0.01)
        except Stopped:
            self.cut += 1
            raise
        return super().exploitability()


def test_a_long_measure_does_not_eat_the_time() -> None:
    slow = Slow(0.7)
    solved = run(slow, Budget(seconds=1.0))
    assert slow.cut >= 1  # those on the way
    assert solved.measured_at == solved.iterations > 1000
    assert solved.seconds < 1.0 + 1.0 + 0.5  # a second more at most, and some for a busy machine


def test_time_is_kept_for_the_last_measure() -> None:
    """Iterations end before the time is over, by as long as a measure takes."""
    ends: list[float] = []

    class Noting(Slow):
        def exploitability(self, watch: Watch = Watch()) -> float:  # noqa: B008
            ends.append(time.perf_counter())
            return super().exploitability(watch)

    slow, begun = Noting(0.15), time.perf_counter()
    solved = run(slow, Budget(seconds=1.5))
    assert solved.measured_at == solved.iterations and len(ends) >= 2
    assert ends[-1] - begun < 1.5


def test_the_last_measure_hears_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "_LAST_SECONDS", 0.3)
    slow = Slow(20.0)
    begun = time.perf_counter()
    problem = Problem(slow.game, None, "cfr", slow, 0)
    solution = problem.solve(Budget(seconds=0.3))
    assert time.perf_counter() - begun < 10
    assert solution.progress.is_cut and solution.exploitability is None
    told = solution.to_json()
    assert "was not measured" in told["note"] and told["values"] is None
    # Without `seconds` there is no clock.
    whole = run(Slow(0.6), Budget(iterations=2))
    assert whole.measured_at == 2 and not whole.is_cut


@pytest.mark.parametrize("name", ["cfr", "mccfr", "q-learning", "fictitious-play"])
def test_every_algorithm_looks_at_the_clock(name: str) -> None:
    solver = make_solver(name, load_game("leduc"))
    end = time.perf_counter() + 0.2
    solver.step(1 << 30, Watch(lambda: time.perf_counter() > end))
    assert time.perf_counter() < end + 2 and solver.steps_done > 0


def test_rebel_looks_at_the_clock_within_a_round() -> None:
    pytest.importorskip("torch")
    solver = make_solver("rebel", load_game("kuhn"), iterations=1 << 20, games=8)
    end = time.perf_counter() + 0.2
    assert solver.step(1, Watch(lambda: time.perf_counter() > end)) == {}
    assert time.perf_counter() < end + 2
    assert solver.steps_done == 0 and solver.num_infosets() == 12


# 4: every algorithm ends.

LEARNERS = ("deep-cfr", "sd-cfr", "nfsp", "street-values")  # these do not solve


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_has_an_end(name: str) -> None:
    assert ALGORITHMS[name].iterations > 0
    if name in LEARNERS:
        return
    if ALGORITHMS[name].needs_torch:
        pytest.importorskip("torch")
    problem = Problem.make("kuhn", algorithm=name)
    budget = problem.budget(None, None, None)
    assert budget.iterations == ALGORITHMS[name].iterations and budget.target == 1e-3
    assert f"{budget.iterations:,} iteration" in problem.budget_text(budget)


def test_the_page_says_when_each_ends() -> None:
    page = (Path(__file__).parents[2] / "docs" / "solving.md").read_text(encoding="utf-8")
    lines = page.partition("## ")[0].splitlines()  # later tables are of other things
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    said = {
        name: int(number.replace(",", ""))
        for names, number in rows[1:]
        for name in names.split(" (")[0].split(", ")
    }
    known = {name: row.iterations for name, row in ALGORITHMS.items() if name not in LEARNERS}
    assert said == known


def test_q_learning_comes_to_its_end() -> None:
    assert solve("kuhn", algorithm="q-learning").iterations == 500


# 5: the linear program.


def test_the_linear_program_is_an_algorithm() -> None:
    found = solve("leduc", algorithm="sequence-form")
    assert found.iterations == 1 and found.exploitability == pytest.approx(0, abs=1e-9)
    assert found.value == pytest.approx(-0.0856064, abs=1e-6)
    better = solve("leduc", algorithm="cfr+", target=1e-5)  # shares no code with it
    assert better.value == pytest.approx(found.value, abs=2e-5)


def test_the_linear_program_has_a_limit() -> None:
    with pytest.raises(InputError, match="max_nodes = 100 histories"):
        solve("leduc", algorithm="sequence-form", max_nodes=100)
    with pytest.raises(InputError, match="two-player zero-sum"):
        solve("kuhn", algorithm="sequence-form", players=3)


# 6: the same command does the same.


@pytest.mark.parametrize("options", [{}, {"algorithm": "mccfr", "target": 0.05}])
def test_the_clock_changes_nothing(
    options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = []
    for scale in (1, 1000):  # of the clock
        monkeypatch.setattr(
            "regretless.solvers.stopping.time.perf_counter", lambda s=scale: s * time.monotonic()
        )
        row = solve("kuhn", **options).to_json()  # type: ignore[arg-type]
        del row["seconds"]
        rows.append(json.dumps(row))
        monkeypatch.undo()
    assert rows[0] == rows[1]


def test_a_target_is_looked_for_at_squares() -> None:
    seen = [found.iterations for found in _measured(Budget(target=1e-3))]
    assert seen and all(round(each**0.5) ** 2 == each for each in seen)


def _measured(budget: Budget) -> list:  # type: ignore[type-arg]
    reports: list = []  # type: ignore[type-arg]
    run(make_solver("cfr+", load_game("kuhn")), budget, reports.append)
    return [each for each in reports if each.measured_at == each.iterations]


# 7: progress, and native calls that hear.


def test_long_work_is_told_after_two_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("regretless.cli.progress._PATIENCE", 0.05)
    with Telling() as telling:
        time.sleep(0.4)  # nothing was said yet
        assert capsys.readouterr().err.startswith("working")
        telling.tell("counting", 0.5)
        time.sleep(0.5)
    assert "counting 50%" in capsys.readouterr().err
    with Telling(for_programs=True) as telling:
        telling.say("solving")
        time.sleep(0.3)
    assert capsys.readouterr().err == ""


def test_long_work_is_forecast_once_and_short_work_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moments = iter([0.0, 0.0, 0.2, 2.0, 3.0, 3.1, 5.0, 6.0, 7.0])
    monkeypatch.setattr("regretless.cli.progress.time.perf_counter", lambda: next(moments))
    telling = Telling(forecasts=True)
    for share in (0.0, 0.05, 0.1, 0.15):  # 20 s in all: said at the third
        telling.tell("match against caller", share)
    for share in (0.0, 0.5, 0.7):  # other work, of 3.8 s
        telling.tell("match against random", share)
    (note,) = capsys.readouterr().err.splitlines()
    assert note.startswith("note: match against caller: time about 20 s; memory about ")
    assert "match against random 70%   1 s left" in telling._line().plain


def test_a_forecast_of_all_work_is_the_only_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moments = iter([0.0, 0.0, 0.2, 2.0, 3.0])
    monkeypatch.setattr("regretless.cli.progress.time.perf_counter", lambda: next(moments))
    telling = Telling(forecasts=True)
    telling.forecast("match", 9.0)  # too short
    telling.forecast("match", 70.0, hands=1 << 40)
    for share in (0.0, 0.05, 0.1):
        telling.tell("match against caller", share)
    (note,) = capsys.readouterr().err.splitlines()
    assert note.startswith("note: match: time about 70 s; memory about ")


def test_trials_forecast_work_by_what_more_of_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first trial loads what is needed, and each has a fixed cost."""
    now, asked = [0.0], []

    def work(count: int) -> None:
        now[0] += (0.2 if asked else 5.0) + count * 0.001
        asked.append(count)

    monkeypatch.setattr("regretless.watch.time.perf_counter", lambda: now[0])
    assert trial_seconds(work, 100_000) == pytest.approx(100.2)
    assert asked == [4, 4, 16, 64, 256, 1024]
    asked[:] = [0]
    assert trial_seconds(work, 100_000, 1000) == pytest.approx(100.2)
    assert asked == [0, 4, 1000, 4000]  # two at least
    asked[:] = [0]
    assert trial_seconds(work, 80) == pytest.approx(0.204 * 20)  # by one trial
    assert asked == [0, 4, 4]


@pytest.mark.parametrize(
    "work",
    [
        lambda: load_game("nlhe", players=6).count_tree(),
        lambda: make_solver("mccfr", load_game("liars-dice-2x3f-3p")).exploitability(),
        lambda: CFR(make_spot("Td9d6h", 100, 3000, "AA,KK", "AA,KK", WIDE).game),
        lambda: _native.play_random(load_game("nlhe"), 1 << 40, threads=2),
    ],
    ids=["counting", "measuring", "building", "playing"],
)
def test_native_calls_look_at_the_watch(work) -> None:  # type: ignore[no-untyped-def]
    told: list[str] = []
    end = time.perf_counter() + 0.3
    watch = Watch(lambda: time.perf_counter() > end, lambda what, share: told.append(what))
    begun = time.perf_counter()
    with pytest.raises(Stopped), watch.over("work"):
        work()
    assert time.perf_counter() - begun < 10 and len(told) >= 2
    _native.listen(None)


def test_counting_hears_a_signal() -> None:
    """The default handler, as Ctrl-C in `games --count`."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        load_game("nlhe", players=6).count_tree()
    timer.join()
    signal.signal(signal.SIGINT, before)


@pytest.mark.filterwarnings("ignore")  # newer versions of Python warn of threads that are lost
def test_a_forked_process_goes_on_with_a_solver() -> None:
    """Its threads are gone after the fork; `multiprocessing` forks by default on Linux."""
    one, two = (
        _native.VectorSolver(load_game("leduc"), _native.Discounts("dcfr"), threads=2)
        for _ in range(2)
    )
    one.step(10)
    child = os.fork()
    if child == 0:
        one.step(10)
        two.step(20)
        os._exit(7 if one.value(0) == two.value(0) else 8)
    end = time.perf_counter() + 30
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.perf_counter() > end:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.02)
    assert os.waitstatus_to_exitcode(ended[1]) == 7


def test_luck_is_the_same_in_any_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("nlhe")
    policies = [BOTS[name](game) for name in ("pot-odds", "caller")]
    config = MatchConfig(60, seed=3)
    monkeypatch.setattr(runout_values.RunoutValues, "pilot_deals", 200)
    found = []
    for size in (7, 1 << 20):
        monkeypatch.setattr(runout_values, "_DEALS_AT_ONCE", size)
        told: list[str] = []
        watch = Watch(tell=lambda what, share, told=told: told.append(what))  # type: ignore[misc]
        luck = match_luck(game, policies, config, watch=watch)
        found.append(
            luck(play_deals(game, policies, config, Shard(0, 30), with_probabilities=True))
        )
        assert "taking luck off the cards" in told
    assert np.array_equal(*found)


# 8: options that an algorithm does not know.


@pytest.mark.parametrize("name", ["mccfr", "rebel", "sequence-form", "deep-cfr"])
def test_which_algorithms_solve_spots_is_said(name: str) -> None:
    with pytest.raises(InputError, match=r"solves no spots; cfr, cfr\+, .*dcfr"):
        Problem.make(make_spot(*SPOT), algorithm=name)


def test_which_algorithms_know_devices_is_said() -> None:
    with pytest.raises(InputError, match="device: algorithm 'mccfr' knows none; cfr, "):
        Problem.make("kuhn", algorithm="mccfr", device="cpu")


@pytest.mark.parametrize(
    ("budget", "curve", "seconds"),
    [
        (Budget(target=1.0), CURVE, 24.0),
        (Budget(target=1.0, iterations=40), CURVE, 12.0),
        (Budget(target=1.0, seconds=10.0), CURVE, 2.0),
        (Budget(target=4.0), CURVE, 0.0),
        (Budget(target=1.0), CURVE[:2], None),
        (Budget(iterations=40), [], 12.0),
    ],
)
def test_the_time_left_follows_the_fall_of_exploitability(
    budget: Budget, curve: list[tuple[int, float]], seconds: float | None
) -> None:
    left = stopping._seconds_left(budget, curve, 16, 8.0)
    assert left == (None if seconds is None else pytest.approx(seconds))


def test_a_flop_has_sizes_that_fit_a_laptop() -> None:
    ranges = ("22+,A2s+,A9o+,K9s+,KTo+,QTs+", "22+,A2s+,A8o+,K5s+,KTo+,Q8s+")
    flop = SpotOptions("Ks7d2c", 55, 975, *ranges)
    spot = flop.spot()
    assert spot is not None
    root = spot.game.episode_of()
    names = [root.slot_text(slot) for slot, is_legal in enumerate(root.legal) if is_legal]
    assert names == ["check", "bet 18", "bet 41"]
    menu = spot.game.menu
    assert (menu.add_all_in, menu.force_all_in, menu.merge) == (1.5, 0.2, 0.1)
    most = {"max_bytes": 1 << 40}
    planned = forecast.forecast_solve("dcfr", spot.game, most)
    assert planned.bits == 16
    assert planned.memory_bytes < 3 << 30
    free = replace(flop, add_all_in=0.0, force_all_in=0.0, merge=0.0).spot()
    assert free is not None
    wide = forecast.forecast_solve("dcfr", free.game, {**most, "precision": 32})
    assert wide.decisions > planned.decisions
    assert wide.memory_bytes > 2 * planned.memory_bytes
