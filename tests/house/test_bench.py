# SPDX-License-Identifier: MIT
"""The benchmark frame: its table of measures, ratios against peers, and peers that misbehave."""

import io
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import typer
from rich.console import Console
from typer.testing import CliRunner

from benchmarks import playing, traversing
from benchmarks import report as command
from benchmarks.comparison import Comparison, Effort, PeerComparison, compare, reaches
from benchmarks.machine import (
    arithmetic,
    available_cores,
    bandwidth,
    describe_machine,
    pinned_to,
    share_of_limit,
)
from benchmarks.measure import Work, rate
from benchmarks.measures import MEASURES, Measure, Peer
from benchmarks.peers import (
    ADVICE,
    PYTHON_VARIABLE,
    PeersEnvironment,
    Reading,
    find_peers,
)
from regretless import _native
from regretless.cli.train.bench import bench
from regretless.errors import InputError

ROOT = Path(__file__).parents[2]
BRIEF = Effort(rounds=2, seconds=0.01)

STEADY_PEER = """
import json, sys
print("a banner of native code")
print(json.dumps({"peer": "fake", "measure": sys.argv[1], "rate": 50.0, "version": "1.2"}))
"""


def fake_measure(*peers: Peer, rate: float = 200.0) -> Measure:
    return Measure("fake", "A fake", "things/s", run=lambda seconds: rate, peers=peers, floor=100)


def environment_with(folder: Path, script: str) -> PeersEnvironment:
    (folder / "measure_fake.py").write_text(script)
    return PeersEnvironment(Path(sys.executable), folder)


@pytest.fixture
def bench_app(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> typer.Typer:
    """The command alone, over one fake measure with one fake peer."""
    environment = environment_with(tmp_path, STEADY_PEER)
    monkeypatch.setattr(command, "find_peers", lambda: environment)
    monkeypatch.setattr(command, "QUICK", BRIEF)
    monkeypatch.setattr(command, "MEASURES", {"fake": fake_measure(Peer("fake", "any", target=5))})
    app = typer.Typer()
    app.command()(bench)
    return app


@pytest.mark.parametrize("name", MEASURES)
def test_measures_are_well_formed(name: str) -> None:
    measure = MEASURES[name]
    assert measure.name == name
    assert measure.description and measure.unit
    assert measure.cores is None or measure.cores >= 1
    assert measure.floor is None or measure.goal is None or measure.floor <= measure.goal
    for peer in measure.peers:
        assert peer.target is None or peer.target > 1
        script = ROOT / "benchmarks" / "peers" / f"measure_{peer.name}.py"
        assert f'"{peer.measure}": Timing(' in script.read_text()


def test_a_share_is_of_the_limit_that_is_nearer() -> None:
    memory = 1 << 16
    copied = share_of_limit(bandwidth(memory) / 2, Work(bytes=1, memory=memory))
    assert copied.limit == "bandwidth"
    assert copied.share == pytest.approx(0.5)
    multiplied = share_of_limit(arithmetic() / 4, Work(1e-9, memory, operations=1))
    assert multiplied.limit == "arithmetic"
    assert multiplied.share == pytest.approx(0.25)


def test_work_is_counted_for_spots() -> None:
    counted = {name for name, measure in MEASURES.items() if measure.work}
    assert counted == {"evaluate7", "leduc_cfr", "dice_cfr", "river", "turn", "flop"}
    assert (work := MEASURES["river"].work)
    assert work().bytes == 5 * 4 * work().operations / 20


def test_traversals_one_by_one_are_the_same_as_in_batches() -> None:
    """The two sides that `traversal_batching` compares do the same work."""
    torch.set_num_threads(1)
    networks = traversing._networks()
    batched, single = traversing._in_batches(networks), traversing._one_by_one(networks)
    largest = []

    def both(questions: _native.Questions) -> np.ndarray:
        mine, other = batched(questions), single(questions)
        largest.append(np.abs(mine - other).max())
        return mine

    asked = traversing._traversing(both, count=1, in_flight=1)()
    assert asked > 10 and max(largest) < 1e-3
    uniform = traversing._traversing(traversing._uniform, count=3, in_flight=2)
    assert uniform() > 10


def test_every_peer_is_pinned() -> None:
    requirements = (ROOT / "benchmarks" / "peers" / "requirements.txt").read_text()
    for measure in MEASURES.values():
        for peer in measure.peers:
            assert f"\n{peer.name}==" in requirements


def test_ratio_to_a_peer(tmp_path: Path) -> None:
    peers = (Peer("fake", "any", target=4), Peer("fake", "other", target=5), Peer("fake", "third"))
    environment = environment_with(tmp_path, STEADY_PEER)
    lines: list[str] = []
    comparison = compare(fake_measure(*peers), environment, BRIEF, lines.append)
    assert comparison.rate == 200.0
    assert [item.ratio for item in comparison.peers] == [4.0, 4.0, 4.0]
    assert [item.reached for item in comparison.peers] == [True, False, None]
    assert {item.reading.version for item in comparison.peers} == {"1.2"}
    assert lines[:2] == ["fake: round 1 of 2: ours", "fake: round 1 of 2: fake"]
    assert len(lines) == BRIEF.rounds * 4


def test_the_best_of_all_rounds_counts(tmp_path: Path) -> None:
    rates = iter([10.0, 30.0, 20.0, 60.0, 50.0, 40.0])
    measure = Measure("fake", "A fake", "things/s", lambda seconds: next(rates))
    environment = PeersEnvironment(tmp_path / "python", tmp_path)
    assert compare(measure, environment, BRIEF, lambda line: None).rate == 60.0


def test_missing_peers_are_a_note(tmp_path: Path) -> None:
    environment = PeersEnvironment(tmp_path / "bin" / "python", tmp_path)
    lines: list[str] = []
    comparison = compare(fake_measure(Peer("fake", "any", 4)), environment, BRIEF, lines.append)
    (item,) = comparison.peers
    assert item.reading.note == ADVICE and "make bench" in ADVICE
    assert item.ratio is None and item.reached is None
    assert sum(line.endswith(": fake") for line in lines) == 1


@pytest.mark.parametrize(
    ("script", "note"),
    [
        ("raise RuntimeError('no cards [left]')", "failed: RuntimeError: no cards [left]"),
        ("import no_such_package_at_all", "failed: ModuleNotFoundError"),
        ("print('who knows')", "printed no result: 'who knows'"),
        ("pass", "printed no result: 'no output'"),
        ("print('[1, 2]')", "printed no result"),
        ('print(\'{"rate": null, "version": "1"}\')', "printed no result"),
        ('print(\'{"rate": 0, "version": "1"}\')', "printed a rate of 0.0"),
        ('print(\'{"rate": NaN, "version": "1"}\')', "printed a rate of nan"),
        ("import sys; sys.stdout.buffer.write(bytes([255, 254]))", "printed no result"),
        ("import os; os.abort()", "failed: no output"),
    ],
)
def test_a_peer_that_misbehaves_is_a_note(tmp_path: Path, script: str, note: str) -> None:
    reading = environment_with(tmp_path, script).measure(Peer("fake", "any"), 0.01)
    assert reading.rate is None
    assert reading.note is not None and reading.note.startswith("measure_fake.py")
    assert note in reading.note


def test_a_python_that_cannot_start_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "measure_fake.py").write_text(STEADY_PEER)
    not_a_program = tmp_path / "python"
    not_a_program.write_text("")
    reading = PeersEnvironment(not_a_program, tmp_path).measure(Peer("fake", "any"), 0.01)
    assert reading.note is not None and "could not be started" in reading.note


def test_a_peer_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.peers.STARTUP_SECONDS", 0.2)
    environment = environment_with(tmp_path, "import time; time.sleep(60)")
    reading = environment.measure(Peer("fake", "any"), 0.01)
    assert reading.note is not None and "was stopped" in reading.note


def test_the_environment_variable_names_the_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PYTHON_VARIABLE, raising=False)
    assert find_peers().python.parts[-3:] == (".venv-peers", "bin", "python")
    monkeypatch.setenv(PYTHON_VARIABLE, "elsewhere/python")
    assert find_peers().python == Path("elsewhere/python")


def test_pinning_is_undone() -> None:
    before = available_cores()
    with pinned_to(1):
        assert not hasattr(os, "sched_setaffinity") or len(available_cores()) == 1
    assert available_cores() == before
    assert describe_machine()["cores"] == len(before)


def test_reaches() -> None:
    assert reaches(2.0, 2.0) is True
    assert reaches(1.9, 2.0) is False
    assert reaches(None, 2.0) is None and reaches(2.0, None) is None


def test_rate_counts_only_the_timed_work() -> None:
    ticks = iter([0.0, 0.0, 1.0, 2.0])
    assert rate(lambda: 5, 2.0, clock=lambda: next(ticks)) == 5.0


def test_random_hands_have_seven_different_cards() -> None:
    hands = playing._random_hands()
    assert hands.shape == (playing.NUM_HANDS, 7) and hands.flags.c_contiguous
    assert hands.max() < 52
    assert all(len(set(hand)) == 7 for hand in hands[:1000].tolist())


def test_command_prints_a_table(bench_app: typer.Typer) -> None:
    result = CliRunner().invoke(bench_app, ["--quick"])
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["fake", "200", "floor", "100", "yes"] in rows
    assert ["things/s", "fake", "1.2", "50", "4x", "5x", "no"] in rows
    assert "round 1 of 2" in result.stderr


@pytest.mark.parametrize("width", [72, 80, 120])
def test_figures_are_never_cut(width: int) -> None:
    peer = Peer("open_spiel", "any", target=1000)
    measure = MEASURES["leduc_exploitability"]
    beside = PeerComparison(peer, Reading(rate=123_456.0, version="1.10.12"), 13_194.2)
    output = io.StringIO()
    Console(width=width, file=output).print(
        command._table([Comparison(measure, 1.87e8, (beside,))])
    )
    text = output.getvalue()
    assert "…" not in text
    assert all(figure in text for figure in ("187 M", "123 k", "13.2 kx", "1,000x", "yes"))


def test_command_prints_json(bench_app: typer.Typer) -> None:
    result = CliRunner().invoke(bench_app, ["fake", "--quick", "--json"])
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    (measure,) = printed["measures"]
    assert measure["name"] == "fake" and measure["rate"] == 200.0
    assert measure["floor"] == 100 and measure["goal"] is None
    (peer,) = measure["peers"]
    assert (peer["peer"], peer["rate"], peer["ratio"], peer["target"]) == ("fake", 50.0, 4.0, 5)
    assert printed["machine"]["cpu"]
    assert printed["machine"]["level"] == _native.level()


def test_unknown_name_lists_the_names(bench_app: typer.Typer) -> None:
    result = CliRunner().invoke(bench_app, ["nonsense"])
    assert isinstance(result.exception, InputError)
    assert "'nonsense'; there are fake" in str(result.exception)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.5"), (1.834, "1.83"), (9_999, "9,999"), (999_999, "1,000 k"), (3.127e8, "313 M")],
)
def test_figures_have_about_three_digits(value: float, text: str) -> None:
    assert command._figure(value) == text
