# SPDX-License-Identifier: MIT
"""Native threads after a fork, and the callable that long native calls call."""

import gc
import os
import signal
import time
from collections.abc import Callable

import numpy as np
import pytest

from regretless import _native
from regretless.explicit.explicit_tree import enumerate_tree
from regretless.explicit.native_adapter import NativeGame
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


def sampled_equity() -> _native.SampledEquity:
    deck = _native.Deck()
    hands = _native.hand_cards(deck, 2)[:50], np.ones(50)
    players = [hands, hands]
    matchup = _native.Matchup.of(_native.Showdown.HOLDEM, deck, players, [20, 30, 40], [])
    return _native.SampledEquity(matchup, 1 << 44, 0)


def changed_rows() -> None:
    reservoir = _native.Reservoir([8], 10, 1, "", 1 << 20, 1)
    reservoir.resume(1 << 61)
    reservoir.changed(0)


BOARDS = _native.num_canonical_boards()
LONG_CALLS: dict[str, Callable[[], object]] = {
    "class_wins": lambda: _native.class_wins(0, BOARDS),
    "RowBuffer.changed": changed_rows,
    "class_orders": lambda: _native.class_orders(0, BOARDS),
    "Mccfr.run": lambda: _native.Mccfr(load_game("kuhn"), _native.MccfrOptions()).run(1 << 40),
    "SampledEquity.run": lambda: sampled_equity().run(1 << 40, 2),
    "VectorSolver.step": lambda: solver(threads=2).step((1 << 31) - 1),
    "ExplicitCfr.step": lambda: _native.ExplicitCfr(
        enumerate_tree(NativeGame(load_game("kuhn"))).sequence_form, "dcfr"
    ).step((1 << 31) - 1),
}


@pytest.mark.parametrize("name", LONG_CALLS)
def test_signals_end_long_calls(name: str) -> None:
    def stop(*_: object) -> None:
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, stop)
    begun = time.process_time()
    try:
        with pytest.raises(InterruptedError):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            LONG_CALLS[name]()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.process_time() - begun < 10


def test_an_interrupted_count_is_continued() -> None:
    """The chunks that were counted before a signal count, and no others."""
    whole = sampled_equity()
    whole.run(256, 1)
    cut = sampled_equity()

    class Stop(Exception):
        pass

    calls = [0]

    def look() -> None:
        calls[0] += 1
        if calls[0] == 1:
            raise Stop

    time.sleep(0.11)  # the callable is due
    _native.listen(look)
    try:
        with pytest.raises(Stop):
            cut.run(256, 1)
    finally:
        _native.listen(None)
    cut.run(256, 1)
    assert cut.result().equities == whole.result().equities


@pytest.mark.parametrize("listener", [52, b"x"])
def test_a_listener_is_callable(listener: object) -> None:
    with pytest.raises(TypeError, match="must be callable"):
        _native.listen(listener)
