# SPDX-License-Identifier: MIT
"""The protocol of solver backends, on each of them."""

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cuda_on_cpu import CpuDevice
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.spots import Spot, make_spot
from regretless.policies.strategy_tree import StrategyTree
from regretless.solvers import cuda_backend
from regretless.solvers.backend import BACKENDS, TreeSolver, find_backend, has_public_tree
from regretless.solvers.cuda.device import CupyDevice, has_device
from regretless.solvers.cuda.solver import CudaCFR
from regretless.solvers.native_cfr import CFR
from regretless.solving import forecast
from regretless.solving.forecast import forecast_solve

OPTIONS: dict[str, dict[str, Any]] = {
    "native": {},
    "cuda": {"device": "cuda"},
    "torch": {"device": "cpu"},
}
RANGES = ("22+,A2s+,KTo+", "55+,A8s+,KQo")


def spot(board: str = "Td9d6hQc", **options: Any) -> Spot:
    menu = {"all": {"open": "50%", "raise": "a"}}
    return make_spot(board, 100, 200, *RANGES, menu, **options)


@pytest.fixture(autouse=True)
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels run on a CPU."""
    monkeypatch.setattr(cuda_backend, "CupyDevice", lambda name: CpuDevice())


def made(name: str, game: Any, algorithm: str = "dcfr") -> tuple[Any, TreeSolver]:
    if name == "torch":
        pytest.importorskip("torch")
    backend = find_backend(OPTIONS[name])
    config = backend.read_config(algorithm, OPTIONS[name])
    return backend.plan(game, config), backend.make(game, config)


def test_every_backend_is_tested() -> None:
    assert OPTIONS.keys() == BACKENDS.keys()


@pytest.mark.parametrize("name", BACKENDS)
def test_a_backend_plans_what_it_makes(name: str) -> None:
    cases = [
        (spot().game, "dcfr"),
        (spot(rake=0.05).game, "pcfr+"),
        (load_game("leduc"), "cfr+"),
        (load_game("liars-dice-1x3f"), "dcfr"),
    ]
    for game, algorithm in cases[: 2 if name == "cuda" else 4]:
        planned, solver = made(name, game, algorithm)
        assert isinstance(solver, TreeSolver) and planned.bits == solver.bits
        problem_bytes = solver.problem.size.problem_bytes if name != "native" else 0
        on_host = problem_bytes if name == "cuda" else planned.bytes
        assert planned.bytes == solver.memory_bytes + (problem_bytes if name == "torch" else 0)
        assert planned.host_bytes == on_host
        assert planned.entries == solver.problem.size.entries > planned.decisions > 0


@pytest.mark.parametrize("name", BACKENDS)
def test_a_solver_packs_its_strategy(name: str) -> None:
    _, solver = made(name, spot("Td9d6hQc2s").game)
    solver.step(20)
    tree = solver.packed()
    assert isinstance(tree, StrategyTree)
    assert tree.strategy_at(0) == pytest.approx(solver.node_strategy(0), abs=4e-5)
    assert solver.exploitability() > 0 and sum(solver.values()) == pytest.approx(0, abs=1e-3)


def test_locks_are_kept_or_refused() -> None:
    game = spot("Td9d6hQc2s").game
    _, native = made("native", game)
    strategy = np.zeros_like(native.node_strategy(0))
    strategy[0] = 1
    native.lock(0, strategy)
    native.step(5)
    assert (native.node_strategy(0) == strategy).all()
    _, torch = made("torch", game)
    with pytest.raises(InputError, match="only the native solver keeps locks"):
        torch.lock(0, strategy)


def test_cuda_serves_holdem_and_leaves_the_rest_to_torch() -> None:
    config = cuda_backend.read_config("dcfr", {"device": "cuda", "precision": 16})
    assert cuda_backend.make(spot("Td9d6hQc2s").game, config).bits == 16
    for options in ({"device": "cuda", "precision": "float64"}, {"device": "cuda"}):
        config = cuda_backend.read_config("dcfr", options)
        game = load_game("leduc") if "precision" not in options else spot().game
        with pytest.raises(InputError, match="PyTorch finds no such CUDA device"):
            cuda_backend.make(game, config)


def test_auto_is_a_device_or_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    game, options = spot("Td9d6hQc2s").game, {"device": "auto"}
    config = find_backend(options).read_config("dcfr", options)
    for is_there, kind in ((False, CFR), (True, CudaCFR)):
        monkeypatch.setattr(cuda_backend, "has_device", lambda found=is_there: found)
        solver = cuda_backend.make(game, config)
        assert isinstance(solver, kind)
        assert cuda_backend.plan(game, config).bytes == solver.memory_bytes


class _Runtime:
    """CUDA's runtime as CuPy has it, of a machine with so many devices, or without a driver."""

    def __init__(self, count: int | None) -> None:
        self.count = count

    def getDeviceCount(self) -> int:
        if self.count is None:
            raise RuntimeError("cudaErrorInsufficientDriver: the driver is too old\nmore")
        return self.count


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ("nothing", r"^device 'cuda:3' needs cupy: pip install 'regretless\[cuda\]'$"),
        (None, r"^device 'cuda:3': cudaErrorInsufficientDriver: the driver is too old$"),
        (2, r"^device 'cuda:3': CuPy finds 2 CUDA devices here$"),
    ],
)
def test_one_line_where_cuda_is_missing(
    monkeypatch: pytest.MonkeyPatch, found: Any, words: str
) -> None:
    cuda = SimpleNamespace(runtime=_Runtime(found))
    module = None if found == "nothing" else SimpleNamespace(cuda=cuda)
    monkeypatch.setitem(sys.modules, "cupy", module)
    with pytest.raises(InputError, match=words):
        CupyDevice("cuda:3")
    assert has_device() == (found == 2)


def test_games_with_a_public_tree() -> None:
    assert has_public_tree(load_game("leduc")) and has_public_tree(load_game("liars-dice-1x3f"))
    assert not has_public_tree(load_game("kuhn", players=3)) and not has_public_tree("kuhn")


def test_a_forecast_needs_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    game = spot().game
    host = forecast_solve("dcfr", game, {"device": "cpu"})
    there = forecast_solve("dcfr", game, {"device": "cuda:7", "precision": "float64"})
    assert there.bits == 64 and there.memory_bytes > host.memory_bytes and host.bits == 32
    with pytest.raises(InputError, match="are allowed; fewer sizes"):
        forecast_solve("dcfr", game, {"device": "cuda", "max_bytes": 1 << 20})
    monkeypatch.setattr(forecast, "free_memory", lambda: 1 << 16)  # the tree itself is on the host
    with pytest.raises(InputError, match="are free; fewer sizes"):
        forecast_solve("dcfr", game, {"device": "cuda"})


def test_a_forecast_imports_no_torch() -> None:
    code = (
        "import sys; from regretless.games import load_game\n"
        "from regretless.solving.forecast import forecast_solve\n"
        "forecast_solve('dcfr', load_game('leduc'), {'device': 'cuda'})\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
