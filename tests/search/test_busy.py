# SPDX-License-Identifier: MIT
"""One job in several threads: it works, or says in one line that it is busy; it never crashes."""

import subprocess
import sys

import pytest

_HEAD = """
import threading
import numpy as np
from regretless import _native
from regretless.games import load_game

leduc, dcfr = load_game("leduc"), _native.Discounts("dcfr")
none = np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.uint64)
busy = 0

def race(*works, count=4):
    # Every work in threads of its own, at once.
    global busy
    problems, lock, start = [], threading.Lock(), threading.Barrier(count * len(works))
    def run(work):
        global busy
        start.wait()
        try:
            work()
        except RuntimeError as error:
            with lock:
                if "is busy in another thread" in str(error) and len(str(error).splitlines()) == 1:
                    busy += 1
                else:
                    problems.append(error)
        except Exception as error:
            problems.append(error)
    threads = [threading.Thread(target=run, args=[work]) for work in works for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems

def until_busy(make):
    # Threads may miss each other: again, until two met.
    for _ in range(50):
        problems = [p for p in make() if not isinstance(p, ValueError) and "answer" not in str(p)]
        assert not problems, problems
        if busy:
            return
    raise SystemExit("never busy")
"""

CASES = {
    "SelfPlay": """
def play():
    job = _native.SelfPlay(load_game("nlhe", menu="50%,a"), 20_000, tables=4096, threads=2)
    def answer():
        while (questions := job.ask()) is not None:
            job.answer(np.ones((len(questions), job.num_actions), np.float32))
    problems = race(answer)
    while (questions := job.ask()) is not None:
        job.answer(np.ones((len(questions), job.num_actions), np.float32))
    assert job.num_finished == 20_000 and len(job.take_steps().payoffs) == 20_000
    return problems
until_busy(play)
""",
    "Subgames": """
job = _native.Subgames(_native.PublicStates(leduc), dcfr, iterations=30, max_decisions=2, threads=2)
def begin():
    for _ in range(5):
        job.begin(np.zeros(300, np.int32), np.ones((300, 2, 6)), *none)
        if (questions := job.ask()) is not None:
            job.answer(np.zeros_like(questions[1]))
def read():
    for state in range(100):
        job.outline(0), job.states.features(), len(job.states)
until_busy(lambda: race(begin, read))
""",
    "LbrPlay": """
game = load_game("nlhe", stacks=[2_000, 2_000], menu="a")
job = _native.LbrPlay(game, 1000, threads=2, rollouts=20)
def answer():
    for _ in range(20):
        questions = job.ask()
        job.answer(np.ones((len(questions), job.num_actions), np.float32))
def read():
    for _ in range(20):
        job.ranges(), job.num_finished
until_busy(lambda: race(answer, read, count=2))
""",
    "VectorSolver": """
job = _native.VectorSolver(leduc, dcfr, threads=2)
until_busy(lambda: race(lambda: job.step(200), job.state, lambda: job.best_value(0)))
""",
    "Mccfr": """
options = _native.MccfrOptions()
options.storage, options.batch = _native.Storage.STATES, 64
job = _native.Mccfr(leduc, options)
until_busy(lambda: race(lambda: job.run(200), job.state, job.average_strategy))
""",
    "ExplicitCfr": """
from regretless.explicit.explicit_tree import enumerate_tree

class Pennies:
    num_players = 2
    root = lambda self: ()
    actor = lambda self, state: len(state) if len(state) < 2 else -2
    actions = lambda self, state: [0, 1]
    next = lambda self, state, action: (*state, action)
    payoffs = lambda self, state: [1, -1] if state[0] == state[1] else [-1, 1]
    infoset = lambda self, state: len(state)
    chance = lambda self, state: []

form = enumerate_tree(Pennies()).sequence_form
job = _native.ExplicitCfr(form, "dcfr")
until_busy(lambda: race(lambda: job.step(100_000), job.state, job.average_strategy))
job = _native.FictitiousPlay(form)
busy = 0
until_busy(lambda: race(lambda: job.step(100_000), job.average_plans))
""",
    "ExactEquity": """
every = _native.hand_cards(_native.Deck(), 2)
hands = every, np.ones(len(every))
matchup = _native.Matchup.of(_native.Showdown.HOLDEM, _native.Deck(), [hands, hands], [], [])
job = _native.ExactEquity(matchup)
until_busy(lambda: race(lambda: job.run(20, 2)))
job = _native.SampledEquity(matchup, 10**7, 0)
busy = 0
until_busy(lambda: race(lambda: job.run(20, 2), job.result, count=2))
""",
    "SearchProfile": """
whole = _native.Subgames(_native.PublicStates(leduc), dcfr, iterations=1)
search = lambda: _native.Subgames(_native.PublicStates(leduc), dcfr, iterations=4, max_decisions=1)
def follow():  # the outline is made by whoever comes first
    job = _native.SearchProfile(search(), whole, dcfr, playthroughs=20, batch=64)
    while (questions := job.ask()) is not None:
        job.answer(np.zeros_like(questions[1]))
    sums.append(job.sums())
sums = []
assert not race(follow, count=8) and len(sums) == 8
assert all(np.array_equal(each, sums[0]) for each in sums)

shared = search()
def answer():
    job = _native.SearchProfile(shared, whole, dcfr, playthroughs=2000, batch=4096)
    for _ in range(10):
        if (questions := job.ask()) is not None:
            job.answer(np.zeros_like(questions[1]))
def elsewhere():
    return [p for p in race(answer) if "begun anew elsewhere" not in str(p)]
until_busy(elsewhere)
""",
}


@pytest.mark.parametrize("job", CASES)
def test_a_job_in_several_threads_never_crashes(job):
    done = subprocess.run(
        [sys.executable, "-c", _HEAD + CASES[job]], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
