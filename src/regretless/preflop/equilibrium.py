# SPDX-License-Identifier: MIT
"""Push or fold of 2 to 9 players, solved by predictive regret matching (PCFR+).

Each seat acts once, so its best response takes the better action of each class after each line,
and its gain is exact. With more than two players no theorem says that the average converges; the
largest gain of a player is the measure, an epsilon of the Nash equilibrium.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regretless.errors import InputError
from regretless.preflop.matchups import COMBOS, NUM_CLASSES, Floats
from regretless.preflop.multiway import PRIOR, Jams, Multiway
from regretless.preflop.push_fold import PushFoldSpot
from regretless.preflop.tree import Decision
from regretless.watch import UNWATCHED, Watch

TARGET = 1e-5  # big blinds, or their share of the prizes
DEFAULT_ITERATIONS = 20_000
_ROUGH = 0.02  # big blinds: above it, all-ins of four or more are valued roughly
_MEASURE_EVERY = 25  # iterations
_MOST_ROUNDS = 40
_SLOPE = 0.75  # the largest gain falls with this power of the iterations
_LEAST_SHARE = 1 / 8  # of the time to the default target: before the first rounds are over
_MOST_ITERATIONS = 1_000  # of a round


@dataclass(frozen=True)
class PushFoldSolution:
    """Strategies of all seats with their values, in big blinds or, with ICM, in prizes."""

    spot: PushFoldSpot
    decisions: tuple[Decision, ...]
    iterations: int
    strategy: Floats  # [decisions, 2 actions, classes]
    values: Floats  # [seats]
    gains: Floats  # [seats]: what a best response adds
    action_values: Floats  # [decisions, 2 actions, classes]: nan if unreached
    frequencies: Floats  # [decisions]: share of all deals that reach the decision
    class_values: Floats  # [seats, classes]
    is_exact: bool
    seconds: float

    @property
    def epsilon(self) -> float:
        """The most that a player gains by another strategy."""
        return float(self.gains.max())

    @property
    def ranges(self) -> Floats:
        """[decisions, classes]: the actor's reach, which is 1: nobody acts twice."""
        return np.ones((len(self.decisions), NUM_CLASSES))

    @property
    def unit(self) -> str:
        return "prize" if self.spot.prizes else "bb"

    @property
    def names(self) -> tuple[str, ...]:
        """The position of each seat."""
        return self.spot.names

    def line_text(self, decision: int) -> str:
        """`BTN fold, SB all-in`; empty before anything was done."""
        line = self.decisions[decision].line
        return ", ".join(f"{self.spot.names[i]} {action}" for i, action in enumerate(line))

    def totals(self, decision: int) -> Floats:
        """The share of the actor's hands at a decision that choose each action: [actions]."""
        shares: Floats = self.strategy[decision] @ COMBOS / COMBOS.sum()
        return shares

    def find(self, text: str) -> int:
        """The number of the decision after a line such as `f,j`."""
        seat, line = self.spot.parse_line(text)
        wanted = tuple(bool(line >> each & 1) for each in range(seat))
        lines = [tuple(action != "fold" for action in each.line) for each in self.decisions]
        return lines.index(wanted)


Progress = Callable[[int, float], None]  # iterations, epsilon


def solve_push_fold(
    spot: PushFoldSpot,
    *,
    target: float | None = None,
    iterations: int = DEFAULT_ITERATIONS,
    progress: Progress | None = None,
    watch: Watch = UNWATCHED,
) -> PushFoldSolution:
    """Finds an equilibrium of players who jam or fold.

    Ends when no player gains more than `target` by another strategy (default 1e-5 big blinds,
    with ICM the prizes that these are worth on average), or after the iterations.
    """
    if target is not None and not target >= 0:
        raise InputError(f"target: must not be negative, not {target!r}")
    if not 1 <= iterations <= 10**9:
        raise InputError(f"iterations: must be 1 to a billion, not {iterations!r}")
    begun = time.perf_counter()
    if target is None:
        target = usual_target(spot)
    model, learner = Multiway(spot), _Learner(spot)
    done, epsilon, is_rough = 0, np.inf, True
    for _ in range(_MOST_ROUNDS):
        average = learner.average()
        is_rough = is_rough and epsilon > _ROUGH * _unit_of(spot) and done < iterations
        model.refresh(average, roughly=is_rough)
        values = model.values(average)
        epsilon = float(_gains(spot, average, values).max())
        if progress is not None:
            progress(done, epsilon)
        if (not is_rough and epsilon <= target) or done >= iterations:
            break
        done += _round(model, learner, max(target, epsilon / 20) / 2, iterations - done, watch)
    return _solution(model, average, values, done, time.perf_counter() - begun)


def usual_target(spot: PushFoldSpot) -> float:
    """The gain of a best response at which a solve ends, in the unit of the values."""
    return TARGET * _unit_of(spot)


def _unit_of(spot: PushFoldSpot) -> float:
    """The average worth of a big blind."""
    if not spot.prizes:
        return 1.0
    paid = sum(spot.prizes[: len(spot.stacks) + len(spot.others)])
    return paid * spot.big_blind / sum((*spot.stacks, *spot.others))


def _round(
    model: Multiway, learner: "_Learner", target: float, most: int, watch: Watch = UNWATCHED
) -> int:
    """Learns with all-ins of three or more valued as they are; returns the iterations made."""
    learner.forget_average()
    most = min(most, _MOST_ITERATIONS)
    for number in range(1, most + 1):
        learner.learn(model.values(learner.jams))
        watch.look("solving")
        if number % _MEASURE_EVERY == 0 or number == most:
            average = learner.average()
            if _gains(model.spot, average, model.values(average)).max() <= target:
                return number
    return most


class _Learner:
    """Predictive regret matching+ of every seat at once, with the average of its strategies."""

    def __init__(self, spot: PushFoldSpot) -> None:
        self.spot = spot
        lines = [1 << seat for seat in range(spot.num_players)]
        self._free = [
            np.array([spot.decides(seat, line) for line in range(count)])[:, None]
            for seat, count in enumerate(lines)
        ]
        # Who has no choice is in.
        self.jams: Jams = [
            np.where(free, 0.5, np.ones((len(free), NUM_CLASSES))) for free in self._free
        ]
        self._regrets = [np.zeros((2, len(free), NUM_CLASSES)) for free in self._free]
        self.forget_average()

    def forget_average(self) -> None:
        self._sums = [np.zeros_like(each) for each in self.jams]
        self._weight, self._number = 0.0, 0

    def average(self) -> Jams:
        if not self._weight:
            return self.jams
        return [each / self._weight for each in self._sums]

    def learn(self, values: Floats) -> None:
        self._number += 1
        weight = float(self._number) ** 2
        self._weight += weight
        for seat, jam in enumerate(self.jams):
            self._sums[seat] += weight * jam
            fold, push = _actions(values[seat], seat)
            mean = fold + jam * (push - fold)
            regrets = np.stack([fold - mean, push - mean])
            total = np.maximum(self._regrets[seat] + regrets, 0)
            self._regrets[seat] = total
            hoped = np.maximum(total + regrets, 0)
            every = hoped.sum(axis=0)
            shares = np.divide(hoped[1], every, out=np.full_like(every, 0.5), where=every > 0)
            self.jams[seat] = np.where(self._free[seat], shares, 1)


def _actions(values: Floats, seat: int) -> Floats:
    """[2 actions, lines before the seat, classes] of a seat's values [lines, classes]."""
    summed: Floats = values.reshape(-1, 2, 1 << seat, NUM_CLASSES).sum(axis=0)
    return summed


def _gains(spot: PushFoldSpot, jams: Jams, values: Floats) -> Floats:
    """[seats]: what a best response adds."""
    gains = np.zeros(spot.num_players)
    for seat, jam in enumerate(jams):
        fold, push = _actions(values[seat], seat)
        free = np.array([spot.decides(seat, line) for line in range(1 << seat)])
        more = np.maximum(fold, push) - fold - jam * (push - fold)
        gains[seat] = PRIOR @ more[free].sum(axis=0)
    return np.maximum(gains, 0)


def _solution(
    model: Multiway, jams: Jams, values: Floats, iterations: int, seconds: float
) -> PushFoldSolution:
    spot = model.spot
    places = [
        (seat, line)
        for seat in range(spot.num_players)
        for line in range(1 << seat)
        if spot.can_decide(seat, line)
    ]
    # Earlier seats first, and folds before jams, the first to act most significant.
    places.sort(key=lambda at: (at[0], [at[1] >> seat & 1 for seat in range(at[0])]))
    reaches = model.reaches(jams)
    decisions, strategy, action_values, frequencies = [], [], [], []
    for number, (seat, line) in enumerate(places):
        words = ["all-in" if line & ((1 << i) - 1) == 0 else "call" for i in range(seat + 1)]
        taken = tuple(words[i] if line >> i & 1 else "fold" for i in range(seat))
        decisions.append(Decision(number, taken, seat, ("fold", words[seat]), range(0)))
        jam = jams[seat][line]
        strategy.append(np.stack([1 - jam, jam]))
        chance = reaches[seat][line]  # [classes]
        after = _actions(values[seat], seat)[:, line]
        action_values.append(
            np.divide(after, chance, out=np.full_like(after, np.nan), where=chance > 1e-12)
        )
        frequencies.append(float(chance @ PRIOR))
    by_class = np.stack(
        [
            (fold + jam * (push - fold)).sum(axis=0)
            for jam, (fold, push) in zip(
                jams, (_actions(each, seat) for seat, each in enumerate(values)), strict=True
            )
        ]
    )
    return PushFoldSolution(
        spot=spot,
        decisions=tuple(decisions),
        iterations=iterations,
        strategy=np.stack(strategy),
        values=by_class @ PRIOR,
        gains=_gains(spot, jams, values),
        action_values=np.stack(action_values),
        frequencies=np.array(frequencies),
        class_values=by_class,
        is_exact=model.is_exact,
        seconds=seconds,
    )


def forecast_seconds(spot: PushFoldSpot, target: float | None = None) -> int:
    """Time on one core to a target.

    An iteration was measured for each number of players. Some 500 of them, or 3,000 from four
    players on, reach the default; stacks change that by a factor of two.
    """
    seconds = {2: 1, 3: 10, 4: 70, 5: 180, 6: 240, 7: 450, 8: 550, 9: 650}[spot.num_players]
    share = (usual_target(spot) / target) ** (1 / _SLOPE) if target else 1.0
    return max(1, round(seconds * max(share, _LEAST_SHARE)))


def forecast_push_fold(spot: PushFoldSpot, target: float | None = None) -> str:
    """Memory and time of a solve on one core to a target, as a text."""
    memory = {2: 80, 3: 240}.get(spot.num_players, 320)
    return f"{memory} MB and {forecast_seconds(spot, target)} s"
