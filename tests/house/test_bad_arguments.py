# SPDX-License-Identifier: MIT
"""Every native function of arrays and counts refuses what makes no sense, in one line.

A row of `CALLS` is a call that is right. Each of its arguments is spoilt in turn.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from regretless import _native
from regretless.environments.vector_env import VectorEnv
from regretless.errors import InputError
from regretless.explicit.explicit_tree import enumerate_tree
from regretless.games import load_game
from regretless.histories.phh import read_phh
from regretless.histories.seat_view import playthrough
from regretless.policies.strategy_table import StrategyTable

NONE = np.zeros(0, np.int32)
SEEDS = np.zeros(0, np.uint64)
FAR = 2**31 - 1


@dataclass(frozen=True)
class Call:
    """A function with arguments that are right, and what may be in its arrays of numbers."""

    make: Callable[[], Callable[..., Any]]
    arguments: dict[str, Any]
    signed: tuple[str, ...] = ()  # arrays whose numbers may be negative
    whole: tuple[str, ...] = ()  # counts and numbers from 0, refused below and far above
    counts: tuple[str, ...] = ()  # refused below 0 only
    far: tuple[str, ...] = ()  # refused far above only
    free: tuple[str, ...] = ()  # arrays whose length or contents are anyone's choice


def game(name: str = "leduc") -> Any:
    return load_game(name)


def states(name: str = "leduc") -> _native.PublicStates:
    return _native.PublicStates(game(name))


def discounts(**changes: float) -> _native.Discounts:
    made = _native.Discounts("cfr")
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def subgames(**options: Any) -> _native.Subgames:
    return _native.Subgames(
        states(), discounts(), **{"iterations": 3, "max_decisions": 1} | options
    )


def begun(**options: Any) -> _native.Subgames:
    job = subgames(**options)
    job.begin(np.zeros(2, np.int32), np.ones((2, 2, 6)), NONE, NONE, SEEDS)
    return job


def solver() -> _native.VectorSolver:
    made = _native.VectorSolver(game(), discounts())
    made.step(2)
    return made


@cache
def form() -> _native.SequenceForm:
    return enumerate_tree(Pennies()).sequence_form


class Pennies:
    num_players = 2

    def root(self) -> tuple[int, ...]:
        return ()

    def actor(self, state: tuple[int, ...]) -> int:
        return len(state) if len(state) < 2 else -2

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1]

    def next(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def chance(self, state: tuple[int, ...]) -> list[tuple[int, float]]:
        return []

    def infoset(self, state: tuple[int, ...]) -> int:
        return len(state)

    def payoffs(self, state: tuple[int, ...]) -> list[float]:
        return [1, -1] if state[0] == state[1] else [-1, 1]


@cache
def played() -> dict[str, Any]:
    job = _native.SelfPlay(load_game("nlhe"), 20, tables=20)
    while (questions := job.ask()) is not None:
        job.answer(np.ones((len(questions), job.num_actions), np.float32))
    steps = job.take_steps()
    return {
        "hands": steps.hands,
        "boards": steps.boards,
        "offsets": steps.offsets,
        "slots": steps.slots,
    }


def luck() -> dict[str, Any]:
    values = np.ones((1, 4, 2, _native.NUM_CELLS), np.float32)
    return played() | {"pot_limits": np.array([20], np.int32), "bases": values, "slopes": values}


def equity(kind: type) -> Any:
    hands = _native.hand_cards(_native.Deck(), 2)[:50], np.ones(50)
    matchup = _native.Matchup.of(
        _native.Showdown.HOLDEM, _native.Deck(), [hands, hands], [20, 30, 40], []
    )
    return kind(matchup) if kind is _native.ExactEquity else kind(matchup, 1000, 0)


def self_play(**options: Any) -> _native.SelfPlay:
    return _native.SelfPlay(game(), 20, **options)


def mccfr() -> _native.Mccfr:
    options = _native.MccfrOptions()
    options.storage = _native.Storage.STATES
    made = _native.Mccfr(game(), options)
    made.run(50)
    return made


def evaluation() -> _native.TableEvaluation:
    return _native.TableEvaluation(load_game("kuhn"))


TABLE = np.ones((12, 3))  # of Kuhn, [infosets, actions]
ROWS = np.full((2, 2), 0.5)  # of matching pennies
ANSWERS = np.ones((20, 3), np.float32)

CALLS = {
    "Subgames": Call(
        lambda: lambda **a: _native.Subgames(states(), discounts(), **a),
        {"iterations": 3, "max_decisions": 1, "warm_start": 1, "threads": 1, "max_bytes": 1 << 30},
        whole=("threads",),
        counts=("iterations", "max_decisions", "warm_start", "max_bytes"),
    ),
    "Subgames.begin": Call(
        lambda: subgames().begin,
        {
            "states": np.zeros(2, np.int32),
            "ranges": np.ones((2, 2, 6)),
            "stop_subgames": np.zeros(1, np.int32),
            "stop_iterations": np.ones(1, np.int32),
            "stop_seeds": np.ones(1, np.uint64),
        },
    ),
    "Subgames.answer": Call(
        lambda: begun().answer,
        {"values": np.ones((len(begun().ask()[0]), 2, 6), np.float32)},
        signed=("values",),
    ),
    "Subgames.answer_strategies": Call(
        lambda: begun(warm_start=1).answer_strategies,
        {"probabilities": np.ones((2, 3, 6), np.float32)},
        signed=("probabilities",),
    ),
    "Subgames.outline": Call(lambda: subgames().outline, {"state": 0}, whole=("state",)),
    "Subgames.subgame_bytes": Call(
        lambda: subgames().subgame_bytes, {"state": 0}, whole=("state",)
    ),
    "SearchProfile": Call(
        lambda: (
            lambda **a: _native.SearchProfile(
                subgames(), subgames(max_decisions=0), discounts(), **a
            )
        ),
        {"warm_start": 0, "playthroughs": 1, "part": 0, "parts": 1, "batch": 10},
        whole=("part",),
        counts=("warm_start", "playthroughs", "parts", "batch"),
    ),
    "SelfPlay": Call(
        lambda: lambda **a: _native.SelfPlay(game(), **a),
        {"episodes": 5, "tables": 5, "threads": 1, "first_episode": 0, "copies": 1},
        whole=("tables", "threads"),
        counts=("episodes", "first_episode", "copies"),
    ),
    "SelfPlay.answer": Call(lambda: self_play().answer, {"probabilities": ANSWERS}),
    "SelfPlay.answer_slots": Call(
        lambda: self_play().answer_slots, {"slots": np.ones(20, np.int32)}
    ),
    "Questions.part": Call(
        lambda: self_play().ask().part, {"rows": np.zeros(3, np.int64)}, free=("rows",)
    ),
    "LbrPlay": Call(
        lambda: lambda **a: _native.LbrPlay(game(), **a),
        {"episodes": 4, "tables": 2, "threads": 1, "rollouts": 5},
        whole=("threads",),
        counts=("episodes", "tables", "rollouts"),
    ),
    "LbrPlay.answer": Call(
        lambda: _native.LbrPlay(game(), 4).answer,
        {"probabilities": np.ones((len(_native.LbrPlay(game(), 4).ask() or []), 3), np.float32)},
    ),
    "follow_runouts": Call(
        lambda: lambda **a: _native.follow_runouts(load_game("nlhe"), **a),
        played() | {"copies": 1, "first_deal": 0, "samples": 5, "threads": 1},
        whole=("samples", "threads", "copies"),
        counts=("first_deal",),
    ),
    "follow_luck": Call(
        lambda: lambda **a: _native.follow_luck(load_game("nlhe"), **a),
        luck() | {"copies": 1, "first_deal": 0, "samples": 5, "threads": 1},
        signed=("bases", "slopes"),
        whole=("samples", "threads", "copies"),
        counts=("first_deal",),
        free=("pot_limits",),
    ),
    "play_random": Call(
        lambda: lambda **a: _native.play_random(game(), **a),
        {"episodes": 3, "threads": 1},
        whole=("threads",),
        counts=("episodes",),
    ),
    "play_bots": Call(
        lambda: lambda **a: _native.play_bots(game(), [_native.BotRule()] * 2, **a),
        {"first_deal": 4, "deals": 3, "threads": 1},
        whole=("deals", "threads"),
        counts=("first_deal",),
    ),
    "VectorSolver": Call(
        lambda: lambda **a: _native.VectorSolver(game(), discounts(), **a),
        {"threads": 1, "max_bytes": 1 << 30, "precision": 0},
        whole=("threads", "precision"),
        counts=("max_bytes",),
    ),
    "VectorSolver.weights": Call(
        lambda: lambda **a: _native.VectorSolver(game(), discounts(), weights=list(a.values())),
        {"first": np.ones(6), "second": np.ones(6)},
    ),
    "VectorSolver.step": Call(lambda: solver().step, {"count": 1}, whole=("count",)),
    "VectorSolver.value": Call(lambda: solver().value, {"player": 1}, whole=("player",)),
    "VectorSolver.best_value": Call(lambda: solver().best_value, {"player": 1}, whole=("player",)),
    "VectorSolver.hand_values": Call(
        lambda: solver().hand_values, {"player": 1}, whole=("player",)
    ),
    "VectorSolver.strategy": Call(lambda: solver().strategy, {"node": 0}, whole=("node",)),
    "VectorProblem.hands_possible": Call(
        lambda: solver().problem.hands_possible, {"node": 0, "player": 0}, whole=("node", "player")
    ),
    "VectorProblem.matchups": Call(
        lambda: solver().problem.matchups,
        {"table": int(solver().problem.arrays()["tables"].max())},
        far=("table",),
    ),
    "VectorProblem.values_of": Call(
        lambda: solver().problem.values_of, {"profile": np.ones(solver().size.entries)}
    ),
    "VectorProblem.best_values_against": Call(
        lambda: solver().problem.best_values_against, {"profile": np.ones(solver().size.entries)}
    ),
    "VectorSolver.restore": Call(
        lambda: solver().restore,
        {"iteration": 2, "state": solver().state()},
        signed=("state",),
        counts=("iteration",),
    ),
    "Mccfr.run": Call(lambda: mccfr().run, {"batches": 1}, counts=("batches",)),
    "TableEvaluation.evaluate": Call(lambda: evaluation().evaluate, {"probabilities": TABLE}),
    "explicit_values": Call(
        lambda: lambda **a: _native.explicit_values(form(), **a), {"strategy": ROWS}
    ),
    "explicit_best_response": Call(
        lambda: lambda **a: _native.explicit_best_response(form(), **a), {"strategy": ROWS}
    ),
    "ExplicitCfr.step": Call(
        lambda: _native.ExplicitCfr(form(), "dcfr").step, {"count": 1}, counts=("count",)
    ),
    "ExplicitCfr.restore": Call(
        lambda: _native.ExplicitCfr(form(), "pcfr+").restore,
        {"iteration": 3, "regrets": ROWS, "sums": ROWS, "predictions": ROWS},
        signed=("regrets", "predictions"),
        counts=("iteration",),
    ),
    "FictitiousPlay.restore": Call(
        lambda: _native.FictitiousPlay(form()).restore,
        {"iteration": 3, "average_plans": ROWS},
        counts=("iteration",),
    ),
    "SequenceForm.sequences": Call(lambda: form().sequences, {"player": 0}, whole=("player",)),
    "SequenceForm.infosets": Call(lambda: form().infosets, {"player": 0}, whole=("player",)),
    "SequenceForm.payoffs": Call(lambda: form().payoffs, {"player": 0}, whole=("player",)),
    "ExactEquity.run": Call(
        lambda: equity(_native.ExactEquity).run, {"chunks": 1, "threads": 1}, counts=("chunks",)
    ),
    "SampledEquity.run": Call(
        lambda: equity(_native.SampledEquity).run, {"chunks": 1, "threads": 1}, counts=("chunks",)
    ),
    "Matchup.of": Call(
        lambda: (
            lambda cards, weights: _native.Matchup.of(
                _native.Showdown.HOLDEM, _native.Deck(), [(cards, weights)] * 2, [20, 30, 40], []
            )
        ),
        {"cards": _native.hand_cards(_native.Deck(), 2)[:50], "weights": np.ones(50)},
    ),
    "strengths": Call(
        lambda: lambda **a: _native.strengths(_native.Showdown.HOLDEM, _native.Deck(), **a),
        {"cards": np.arange(14, dtype=np.uint8).reshape(2, 7), "num_hole": 2},
        whole=("num_hole",),
    ),
    "hand_index": Call(
        lambda: lambda **a: _native.hand_index(_native.Deck(), **a),
        {"cards": np.array([[1, 2], [3, 4]], np.uint8)},
    ),
    "CanonicalIndex.index": Call(
        lambda: _native.CanonicalIndex([2, 3]).index,
        {"cards": np.arange(10, dtype=np.uint8).reshape(2, 5)},
    ),
    "CanonicalIndex.cards": Call(
        lambda: _native.CanonicalIndex([2, 3]).cards,
        {"street": 0, "indices": np.zeros(3, np.uint64)},
        whole=("street",),
        free=("indices",),
    ),
}


def spoilt(name: str, call: Call) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every way in which one argument is wrong."""
    for argument, value in call.arguments.items():
        others = call.arguments
        if not isinstance(value, np.ndarray):
            if argument in call.whole + call.counts:
                yield f"{argument}=-1", others | {argument: -1}
                yield f"{argument}=-2^31", others | {argument: -FAR - 1}
            if argument in call.whole + call.far:
                yield f"{argument}=2^31-1", others | {argument: FAR}
            continue
        yield f"{argument}: more dimensions", others | {argument: value[..., None, None]}
        if value.dtype.kind == "f":
            bad = [np.nan, np.inf, -np.inf] + ([] if argument in call.signed else [-1.0])
        else:
            least = 0 if value.dtype.kind == "u" else -1
            bad = [] if least == 0 and argument == "stop_seeds" else [np.iinfo(value.dtype).max]
            bad += [least] if least else []
        if argument not in call.free:
            yield f"{argument}: a row less", others | {argument: value[:-1]}
            yield f"{argument}: a row more", others | {argument: np.concatenate([value, value[:1]])}
        if argument == "pot_limits":
            continue
        for number in bad:
            for at in (0, -1):
                changed = np.array(value)
                changed[at] = number
                yield f"{argument}[{at}]={number}", others | {argument: changed}


# One row more or less is as right as before.
ANY_ROWS = {"strengths", "hand_index", "CanonicalIndex.index"}
CASES = [
    pytest.param(name, arguments, id=f"{name}({what})")
    for name, call in CALLS.items()
    for what, arguments in spoilt(name, call)
    if not (name in ANY_ROWS and "cards: a row" in what)
]


@pytest.mark.parametrize("name", CALLS)
def test_the_calls_are_right(name: str) -> None:
    CALLS[name].make()(**CALLS[name].arguments)


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_what_makes_no_sense_is_refused_in_one_line(name: str, arguments: dict[str, Any]) -> None:
    function = CALLS[name].make()
    with pytest.raises((ValueError, IndexError, TypeError)) as caught:
        function(**arguments)
    if caught.type is not TypeError:  # nanobind's own, on arguments of another type
        assert str(caught.value) and len(str(caught.value).splitlines()) == 1
        assert "vector::" not in str(caught.value)
    function(**CALLS[name].arguments)


@pytest.mark.parametrize("field", ["alpha", "beta", "gamma"])
def test_discounts_that_are_no_numbers_are_refused(field: str) -> None:
    bad = discounts(**{field: np.nan})
    with pytest.raises(ValueError, match="alpha and beta"):
        _native.VectorSolver(game(), bad)
    with pytest.raises(ValueError, match="alpha and beta"):
        _native.Subgames(states(), bad, iterations=3)


def test_iterations_are_counted_before_they_are_prepared() -> None:
    with pytest.raises(ValueError, match="need more than the 1 MiB allowed"):
        subgames(iterations=2 * 10**8, max_bytes=1 << 20)


@pytest.mark.parametrize("options", [{"max_decisions": 2}, {"max_decisions": 1}])
def test_the_outline_of_another_depth_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="game: must be the subgames of the whole game"):
        _native.SearchProfile(subgames(), subgames(**options), discounts(), playthroughs=1, batch=5)


@pytest.mark.parametrize("other", ["kuhn", "liars-dice-1x3f"])
def test_the_outline_of_another_game_is_refused(other: str) -> None:
    whole = _native.Subgames(_native.PublicStates(load_game(other)), discounts(), iterations=1)
    with pytest.raises(ValueError, match="game: must be the subgames of the whole game"):
        _native.SearchProfile(subgames(), whole, discounts(), playthroughs=1, batch=5)


@pytest.mark.parametrize("shape", [(13, 4, 5), (5, 4, 9), (13, 1, 1), (0, 4, 0), (13, 5, 0)])
def test_decks_beyond_the_ace_are_refused(shape: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="deck"):
        _native.Deck(*shape)


MCCFR = {
    "epsilon": (np.nan, -0.1, 2.0),
    "final_epsilon": (np.nan, -0.1, 2.0),
    "epsilon_decay": (np.nan, np.inf, 0.0, -1.0),
    "value_rate": (np.nan, -0.1, 2.0),
    "weight_power": (np.nan, -1.0, 11.0),
    "replay_capacity": (-1, 2**62),
    "replay_draws": (-1,),
    "batch": (0, -1, 2**62),
    "threads": (0, -1, 10**6),
    "max_nodes": (-1,),
}


@pytest.mark.parametrize(("field", "value"), [(f, v) for f, all_ in MCCFR.items() for v in all_])
def test_options_of_sampling_are_checked(field: str, value: float) -> None:
    options = _native.MccfrOptions()
    setattr(options, field, value)
    with pytest.raises(ValueError, match=r"must|needs"):
        _native.Mccfr(game(), options)


@pytest.mark.parametrize("name", ["regrets", "sums", "legals", "keys", "iteration", "nodes"])
def test_states_of_sampling_that_make_no_sense_are_refused(name: str) -> None:
    job = mccfr()
    state = job.state()
    before = {key: np.array(value) for key, value in state.items()}
    bad = (
        [-1] if name in ("iteration", "nodes") else [np.nan] if name in ("regrets", "sums") else []
    )
    for number in bad:
        wrong = dict(state, **{name: np.full_like(state[name], number)})
        with pytest.raises(ValueError, match=r".") as caught:
            job.restore(wrong)
        assert len(str(caught.value).splitlines()) == 1
    with pytest.raises(ValueError, match="state"):
        job.restore(dict(state, **{name: state[name][:0]}))
    for key, value in job.state().items():
        np.testing.assert_array_equal(value, before[key])


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: VectorEnv(object()), TypeError, "object is no game of load_game"),
        (lambda: read_phh(None), TypeError, "must be a text, not NoneType"),
        (lambda: playthrough("leduc", 0), TypeError, "str is no game of load_game"),
        (
            lambda: StrategyTable(np.array([1], np.uint64), np.array([[np.nan, 1.0]])),
            InputError,
            "probabilities: must be finite",
        ),
    ],
)
def test_foreign_objects_are_named_in_one_line(call: Any, kind: type, message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 1


def test_more_episodes_than_an_array_can_have_are_refused() -> None:
    with pytest.raises(ValueError, match="episodes: must be 0 to"):
        _native.LbrPlay(game(), 2**62)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "nlhe"])
def test_a_row_without_its_first_mark_is_refused(name: str) -> None:
    """Its features would be written beyond their end."""
    encoder = _native.Encoder(load_game(name), "slots12")
    rows = np.zeros((3, encoder.row_bytes), np.uint8)
    rows[1, encoder.fields[0].byte] = 255
    layer = np.zeros((2, encoder.num_features), np.float32), np.zeros(2, np.float32), None, None
    network = _native.Perceptron([], False, [layer], [], "advantages")
    for read in (encoder.expand, partial(network.outputs, encoder)):
        with pytest.raises(ValueError, match="rows: row 1 has no first mark"):
            read(rows)


def test_a_network_has_no_more_outputs_than_a_game_has_slots() -> None:
    for outputs, fits in ((64, True), (65, False)):
        layer = np.zeros((outputs, 3), np.float32), np.zeros(outputs, np.float32), None, None
        with contextlib.nullcontext() if fits else pytest.raises(ValueError, match="do not fit"):
            _native.Perceptron([], False, [layer], [], "values")
