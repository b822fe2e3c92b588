# SPDX-License-Identifier: MIT
"""CUDA kernels: a plain reference against the native solver, and the kernels against both.

Without a GPU the kernels run on a CPU (drivers/cuda_on_cpu.h).
"""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cuda_on_cpu import CpuDevice
from regretless.errors import InputError
from regretless.games.spots import Spot, make_spot
from regretless.solvers.cuda.device import CupyDevice, Device
from regretless.solvers.cuda.engine import Tuning
from regretless.solvers.cuda.memory import device_bytes
from regretless.solvers.cuda.solver import CudaCFR
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig, make_discounts
from vector_reference import Reference

POT = 100
MOST = 1e-5
"""The greatest difference of tables after an iteration in float32."""
MENU = {"all": {"open": "50%", "raise": "a"}}
RICH = {"all": {"open": "33%,75%,150%,a", "raise": "2.5x,a"}}
DONK = {"all": "60%,a", "donk": "30%"}
NARROW = ("QQ+,AKs,76s", "99-88,AKo,KQs")
SPOTS: dict[str, tuple[str, tuple[str, str], Any, dict[str, Any]]] = {
    "river": ("Ks7d4c2h9s", ("22+,A2s+,KTs+", "22+,A5s+,KTo+"), MENU, {}),
    "river raked": ("Ks7d4c2h9s", NARROW, RICH, {"rake": 0.05, "rake_cap": 3}),
    "river unequal": ("Ks7d4c2h2s", ("random", NARROW[1]), MENU, {"stack_ip": 90}),
    "turn": ("Ks7s4s2d", NARROW, MENU, {}),  # three suits, two alike
    "turn donk": ("Ks7d4c2h", ("QQ+", "99,AKo"), DONK, {"rake": 0.04}),
    "flop": ("Ks9s4s", ("AA,QQ", "TT,88"), {"all": {"open": "a"}}, {}),
}
ALGORITHMS = ["cfr", "cfr+", "linear", "dcfr", "pcfr+", "pdcfr+"]
Tables = dict[str, dict[int, NDArray[np.float64]]]


@cache
def spot_of(name: str) -> Spot:
    board, ranges, menu, options = SPOTS[name]
    return make_spot(board, POT, 200, *ranges, menu, **options)


def make_native(name: str, algorithm: str = "dcfr", **options: Any) -> CFR:
    return CFR(spot_of(name).game, CFRConfig(algorithm, **options))


def make_kernels(
    name: str,
    algorithm: str = "dcfr",
    device: Device | None = None,
    tuning: Tuning | None = None,
    **options: Any,
) -> CudaCFR:
    config = CFRConfig(algorithm, **options)
    if name == "flop" and device is None:
        tuning = Tuning(1, 1, 32)  # the quickest for a CPU
    return CudaCFR(spot_of(name).game, config, device=device or CpuDevice(), tuning=tuning)


def make_reference(native: CFR) -> Reference:
    return Reference(native.problem, make_discounts(native.config))


def restore(native: CFR, tables: Tables, iteration: int) -> None:
    """Gives the native solver tables by node: [actions, hands]."""
    actors = native.problem.actors
    parts = [
        numbers[node].ravel()
        for numbers in tables.values()
        for player in range(2)
        for node in np.flatnonzero(actors == player).tolist()
    ]
    native.solver.restore(iteration, np.concatenate(parts))


def native_tables(native: CFR, names: list[str]) -> Tables:
    problem, state, at = native.problem, native.state()["tables"], 0
    tables: Tables = {}
    for name in names:
        tables[name] = {}
        for player in range(2):
            for node in np.flatnonzero(problem.actors == player).tolist():
                shape = int(problem.num_children[node]), len(problem.hands(player))
                size = shape[0] * shape[1]
                tables[name][node] = state[at : at + size].reshape(shape)
                at += size
    return tables


def kernel_tables(solver: CudaCFR) -> Tables:
    state, layout = solver.state(), solver.engine.layout
    tables: Tables = {}
    for name in [key for key in state if key in ("regrets", "sums", "predictions")]:
        tables[name] = {}
        for node in np.flatnonzero(layout.decision_of >= 0).tolist():
            decision = int(layout.decision_of[node])
            _, actions, units, places = solver._at(decision)
            first = int(layout.arrays["decisions"][decision, 3]) * 32
            rows = state[name][first : first + actions * units * 32].reshape(actions, -1)
            numbers = np.where(places >= 0, rows[:, places].astype(float), 0.0)
            tables[name][node] = numbers
    return tables


def greatest_difference(native: CFR, found: Tables) -> float:
    """Compares tables where hands are possible, in units of a table's greatest number."""
    worst = 0.0
    expected = native_tables(native, list(found))
    for name, numbers in expected.items():
        greatest = max(np.abs(rows).max() for rows in numbers.values())
        for node, rows in numbers.items():
            actor = int(native.problem.actors[node])
            possible = np.array(native.problem.hands_possible(node, actor))
            worst = max(worst, np.abs(rows - found[name][node])[:, possible].max() / greatest)
    return worst


def reference_tables(reference: Reference) -> Tables:
    names = ["regrets", "sums"] + ["predictions"] * reference.discounts.predicts
    return {name: getattr(reference, name) for name in names}


def first_lock(native: CFR) -> NDArray[np.float64]:
    strategy = np.zeros_like(native.node_strategy(0))
    strategy[0], strategy[1] = 0.75, 0.25
    return strategy


# -- The reference


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_reference_has_the_native_iterations(algorithm: str, alternating: bool) -> None:
    """One iteration from the same tables: in a longer run, ties that rounding breaks tell."""
    native = make_native("river", algorithm, alternating=alternating)
    reference = make_reference(native)
    for _ in range(3):
        reference.step()
    restore(native, reference_tables(reference), 3)
    native.step(1)
    reference.step()
    assert greatest_difference(native, reference_tables(reference)) < MOST


@pytest.mark.parametrize("name", SPOTS)
def test_reference_has_the_native_values(name: str) -> None:
    native = make_native(name)
    reference = make_reference(native)
    reference.step()
    restore(native, reference_tables(reference), 1)
    native.step(1)
    reference.step()
    assert greatest_difference(native, reference_tables(reference)) < MOST
    restore(native, reference_tables(reference), 2)
    for player in range(2):
        value, best = native.solver.value(player), native.solver.best_value(player)
        assert reference.expectation(player) == pytest.approx(value, abs=1e-5 * POT)
        assert reference.expectation(player, True) == pytest.approx(best, abs=1e-5 * POT)


def test_the_same_exploitability_at_the_same_iteration() -> None:
    native, solver = make_native("river", "cfr+"), make_kernels("river", "cfr+")
    reference = make_reference(native)
    for _ in range(20):
        reference.step()
    native.step(20)
    solver.step(20)
    exact = np.mean([reference.expectation(p, True) - reference.expectation(p) for p in range(2)])
    assert native.exploitability() == pytest.approx(exact, abs=1e-4 * POT)
    assert solver.exploitability() == pytest.approx(exact, abs=1e-4 * POT)
    for node in np.flatnonzero(native.problem.actors >= 0).tolist():
        assert solver.node_strategy(node) == pytest.approx(reference.average(node), abs=1e-3)


def test_reference_keeps_locks() -> None:
    native = make_native("river")
    reference = make_reference(native)
    reference.locks[0] = first_lock(native)
    native.lock(0, reference.locks[0])
    native.step(5)
    for _ in range(5):
        reference.step()
    for player in range(2):
        best = native.solver.best_value(player)
        assert reference.expectation(player, True) == pytest.approx(best, abs=1e-4 * POT)


# -- The kernels, on a CPU


def check_iteration(native: CFR, solver: CudaCFR, count: int = 3) -> None:
    """One iteration from the same tables, then the measures."""
    solver.step(count)
    restore(native, kernel_tables(solver), count)
    native.step(1)
    solver.step(1)
    assert greatest_difference(native, kernel_tables(solver)) < MOST
    restore(native, kernel_tables(solver), count + 1)
    assert solver.values() == pytest.approx(native.values(), abs=1e-4 * POT)
    assert solver.exploitability() == pytest.approx(native.exploitability(), abs=1e-4 * POT)
    for player in range(2):
        values = native.solver.hand_values(player)
        assert solver.hand_values(player) == pytest.approx(values, abs=1e-3 * POT)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_iteration_of_the_kernels(algorithm: str) -> None:
    check_iteration(make_native("river", algorithm), make_kernels("river", algorithm))


@pytest.mark.parametrize("algorithm", ["dcfr", "pdcfr+"])
def test_simultaneous_updates(algorithm: str) -> None:
    options = {"algorithm": algorithm, "alternating": False}
    check_iteration(make_native("river", **options), make_kernels("river", **options))


@pytest.mark.parametrize("name", [name for name in SPOTS if name != "river"])
def test_spots_of_the_kernels(name: str) -> None:
    alternating = name != "flop"  # where ties that rounding breaks tell within an iteration
    options = {"alternating": alternating}
    check_iteration(make_native(name, **options), make_kernels(name, **options), 2)


def test_a_turn_without_merged_suits() -> None:
    options = {"merge_suits": False}
    check_iteration(make_native("turn", **options), make_kernels("turn", **options), 2)


@pytest.mark.parametrize("tuning", [Tuning(4, 1, 64), Tuning(1, 8, 256), Tuning(4, 3, 32)])
def test_shapes_of_blocks_change_nothing(tuning: Tuning) -> None:
    plain, other = make_kernels("turn"), make_kernels("turn", tuning=tuning)
    plain.step(2)
    other.step(2)
    for name, table in plain.state().items():
        assert table == pytest.approx(other.state()[name], rel=1e-4, abs=1e-3), name


@pytest.mark.parametrize("order", [1, 7])
@pytest.mark.parametrize("bits", [32, 16])
def test_the_order_of_threads_changes_nothing(bits: int, order: int) -> None:
    """A race would show."""
    results = []
    for device in (CpuDevice(), CpuDevice(order)):
        solver = make_kernels("turn", "pdcfr+", device, Tuning(1, 3, 96), precision=bits)
        solver.step(2)
        packed = solver.packed()
        state = solver.state()
        results.append([*state.values(), packed.strategy, packed.values, packed.scales])
    for first, second in zip(*results, strict=True):
        assert np.array_equal(first, second)


@pytest.mark.parametrize("name", ["river", "river raked", "turn"])
@pytest.mark.parametrize("algorithm", ["dcfr", "pdcfr+"])
def test_16_bits(name: str, algorithm: str) -> None:
    """As near to an equilibrium as 32 bits; where hands tie, on another way."""
    native = make_native(name, algorithm, precision=32)
    solver = make_kernels(name, algorithm, precision=16)
    count = 60 if name.startswith("river") else 12
    native.step(count)
    solver.step(count)
    assert solver.bits == 16 and solver.state()["regrets"].dtype == np.int16
    most = 1e-4 if name == "river" else 5e-3
    assert solver.values() == pytest.approx(native.values(), abs=most * POT)
    assert solver.exploitability() == pytest.approx(native.exploitability(), rel=0.2)


@pytest.mark.parametrize("bits", [32, 16])
def test_locks_of_the_kernels(bits: int) -> None:
    native = make_native("river", "cfr+", precision=32)
    solver = make_kernels("river", "cfr+", precision=bits)
    strategy = first_lock(native)
    native.lock(0, strategy)
    solver.lock(0, strategy)
    native.step(20)
    solver.step(20)
    assert solver.node_strategy(0) == pytest.approx(strategy, abs=1e-4)
    assert solver.exploitability() == pytest.approx(native.exploitability(), abs=1e-3 * POT)
    for node, wrong in ((0, strategy[:1]), (0, -strategy), (0, 2 * strategy), (-1, strategy)):
        with pytest.raises(InputError, match=r"lock|decision"):
            solver.lock(node, wrong)


@pytest.mark.parametrize("name", ["river", "turn", "flop"])
def test_packing(name: str) -> None:
    solver = make_kernels(name)
    solver.step(3)
    native = make_native(name)
    restore(native, kernel_tables(solver), 3)
    found, expected = solver.packed(), native.packed()
    assert np.abs(found.strategy.astype(int) - expected.strategy).max() <= 1
    nodes = np.flatnonzero((native.problem.actors >= 0) | (native.problem.actors == -1))
    for node in nodes[:: max(len(nodes) // 60, 1)].tolist():
        pairs = zip(found.values_at(node), expected.values_at(node), strict=True)
        for player, (ours, theirs) in enumerate(pairs):
            possible = np.array(native.problem.hands_possible(node, player))
            assert np.abs(ours - theirs)[possible].max() < 1e-3 * POT
    again = solver.exploitability()
    assert again == pytest.approx(native.exploitability(), abs=1e-4 * POT)


@pytest.mark.parametrize("bits", [32, 16])
def test_resumed_equals_never_stopped(bits: int) -> None:
    whole, first, second = (make_kernels("river", "pdcfr+", precision=bits) for _ in range(3))
    whole.step(6)
    first.step(4)
    first.exploitability()  # measuring changes nothing
    second.restore(first.state())
    second.step(2)
    for name, table in whole.state().items():
        assert np.array_equal(table, second.state()[name]), name
    with pytest.raises(InputError, match="another problem"):
        make_kernels("river raked", "pdcfr+", precision=bits).restore(whole.state())
    broken = whole.state()
    if bits == 32:
        broken["regrets"][0] = np.nan
        with pytest.raises(InputError, match="not finite"):
            second.restore(broken)


def test_a_table_of_the_average() -> None:
    native, solver = make_native("river raked", "cfr+"), make_kernels("river raked", "cfr+")
    native.step(4)
    solver.step(4)
    expected, found = native.strategy(), solver.strategy()
    assert expected.keys() == found.keys()
    assert all(np.allclose(expected[key], found[key], atol=1e-4) for key in expected)


def test_memory_is_known_before_it_is_taken() -> None:
    for name in SPOTS:
        for bits, algorithm in ((32, "dcfr"), (16, "pcfr+")):
            solver = make_kernels(name, algorithm, precision=bits)
            taken = sum(buffer.nbytes for buffer in solver.engine.buffers.values())
            assert taken <= solver.memory_bytes <= 2 * taken + (8 << 20)
            predicts = algorithm == "pcfr+"
            size = solver.problem.size
            assert solver.memory_bytes == device_bytes(size, bits=bits, predicts=predicts)
    with pytest.raises(InputError, match=r"takes .* MiB, and .* may be used"):
        make_kernels("turn", device=CpuDevice(free=1 << 20))
    small = make_kernels("river", max_bytes=make_kernels("river").memory_bytes - 1)
    assert small.bits == 16
    with pytest.raises(InputError, match="16 or 32"):
        make_kernels("river", precision=64)


@pytest.mark.slow
def test_kernels_under_sanitizers() -> None:
    """Bad addresses in any buffer, and undefined behaviour, end the run."""
    find = ["g++", "-print-file-name=libasan.so"]
    library = subprocess.run(find, check=True, capture_output=True, text=True).stdout.strip()
    flags = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
    environment = {
        **os.environ,
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0",
        "CUDA_ON_CPU_FLAGS": flags,
    }
    chosen = (
        "unequal and spots or packing and (river or turn) or raked and 16 or locks and kernels "
        "or an_iteration and pdcfr or order and 16 or batch"
    )
    tests = [__file__, str(Path(__file__).with_name("test_cuda_batch.py"))]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    command += ["-m", "not slow and not gpu"]
    subprocess.run([*command, "-k", chosen], check=True, env=environment)


# -- The kernels, on a GPU


@pytest.mark.gpu
@pytest.mark.parametrize("name", SPOTS)
def test_cuda_has_the_native_iterations(name: str) -> None:
    pytest.importorskip("cupy")
    check_iteration(make_native(name), make_kernels(name, device=CupyDevice()))


@pytest.mark.gpu
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_cuda_has_every_member(algorithm: str) -> None:
    pytest.importorskip("cupy")
    for name, alternating in (("river", True), ("turn", False)):
        native = make_native(name, algorithm, alternating=alternating)
        ours = make_kernels(name, algorithm, CupyDevice(), alternating=alternating)
        check_iteration(native, ours)


@pytest.mark.gpu
@pytest.mark.parametrize("bits", [32, 16])
@pytest.mark.parametrize("name", ["river raked", "turn", "flop"])
def test_cuda_is_the_cpu_and_itself(name: str, bits: int) -> None:
    """Two runs give the same bytes, and a CPU gives nearly the same numbers."""
    pytest.importorskip("cupy")
    first, second = (make_kernels(name, "cfr+", CupyDevice(), precision=bits) for _ in range(2))
    host = make_kernels(name, "cfr+", precision=bits)
    for solver in (first, second, host):
        solver.step(5)
    for key, table in first.state().items():
        assert np.array_equal(table, second.state()[key]), key
    packed = [solver.packed() for solver in (first, second)]
    assert np.array_equal(packed[0].strategy, packed[1].strategy)
    assert np.array_equal(packed[0].values, packed[1].values)
    assert first.values() == pytest.approx(host.values(), abs=1e-3 * POT)
    assert first.exploitability() == pytest.approx(host.exploitability(), abs=1e-3 * POT)


@pytest.mark.gpu
def test_cuda_keeps_locks() -> None:
    pytest.importorskip("cupy")
    native, solver = make_native("turn", "cfr+"), make_kernels("turn", "cfr+", CupyDevice())
    strategy = first_lock(native)
    native.lock(0, strategy)
    solver.lock(0, strategy)
    native.step(20)
    solver.step(20)
    assert solver.exploitability() == pytest.approx(native.exploitability(), abs=1e-3 * POT)
