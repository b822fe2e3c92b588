# SPDX-License-Identifier: MIT
"""Native threads after a fork, and the callable that long native calls call."""

import gc
import os
import signal
import time
from collections.abc import Callable

import pytest

from regretless import _native
from regretless.games import load_game


def solver(threads: int) -> _native.VectorSolver:
    return _native.VectorSolver(load_game("leduc"), _native.Discounts("dcfr"), threads=threads)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_goes_on_with_threads() -> None:
    shared, alone = solver(threads=2), solver(threads=1)
    shared.step(10)
    alone.step(20)
    child = os.fork()
    if child == 0:
        shared.step(10)
        os._exit(0 if (shared.state() == alone.state()).all() else 1)
    end = time.monotonic() + 60
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done or time.monotonic() > end:
            break
        time.sleep(0.01)
    if not done:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert done and os.waitstatus_to_exitcode(status) == 0
    shared.step(10)
    assert (shared.state() == alone.state()).all()


def test_listen_keeps_its_callable() -> None:
    class Stop(Exception):
        pass

    def stop() -> None:
        raise Stop

    _native.listen(lambda: stop())
    gc.collect()
    try:
        time.sleep(0.11)  # the callable is due
        with pytest.raises(Stop):
            solver(threads=1)
    finally:
        _native.listen(None)


@pytest.mark.parametrize("count", [_native.class_wins, _native.class_orders])
def test_signals_end_the_counting_of_classes(count: Callable[[int, int], object]) -> None:
    """A count over all boards takes minutes."""

    def stop(*_: object) -> None:
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    begun = time.process_time()
    try:
        with pytest.raises(InterruptedError):
            count(0, _native.num_canonical_boards())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.process_time() - begun < 5
