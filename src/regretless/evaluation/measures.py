# SPDX-License-Identifier: MIT
"""Measures of the strength of a strategy: exact where the game allows it, else labelled bounds."""

import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Protocol

from pydantic import Field

from regretless.algorithm import Algorithm, EvaluatesProfile, ExactMeasures, Metrics, SearchesLess
from regretless.errors import InputError, TooLargeError
from regretless.games import Game
from regretless.games.face import unit_name
from regretless.matches.bots import BOTS, bots_of
from regretless.matches.match import MatchConfig, Plays, play_match
from regretless.options import Count, Options, read_options
from regretless.pictures.result_table import ResultTable, Tabular
from regretless.policies.asking import WholeGame
from regretless.policies.policy import Policy, explicit
from regretless.policies.strategy_table import (
    Probabilities,
    ProfileValues,
    TableEvaluator,
    no_listing,
)
from regretless.watch import UNWATCHED, Watch, trial_seconds

EXACT = "exact exploitability"
MOST_HANDS = 1 << 48

# Measures by name: dataclasses that are a `Measurer`, whose fields are the options.
MEASURES = {
    "exact": "regretless.evaluation.measures:Exact",
    "lbr": "regretless.evaluation.lbr:LowerBounds",
    "baselines": "regretless.evaluation.measures:Baselines",
}


@dataclass(frozen=True)
class Measure:
    """One figure, with its method."""

    key: str
    """The name of its curve, such as `lbr_bets`."""
    measure: str
    value: float
    unit: str
    how: str
    low: float | None = None
    """The lower end of the 95 % interval of an estimate."""
    high: float | None = None
    """The upper end."""

    def finite(self) -> "Measure":
        """The measure without an interval of infinite ends."""
        ends = (self.low, self.high)
        has_ends = all(end is None or math.isfinite(end) for end in ends)
        return self if has_ends else replace(self, low=None, high=None)

    def metrics(self) -> Metrics:
        """Points of the curves `KEY` and, for an interval, `KEY/low` and `KEY/high`."""
        ends = {f"{self.key}/low": self.low, f"{self.key}/high": self.high}
        return {self.key: self.value} | {k: end for k, end in ends.items() if end is not None}


@dataclass(frozen=True)
class Subject:
    """A policy and its game, and the exact measures of the solver behind it, if there are any."""

    game: Any
    policy: Callable[[], Policy]
    """Makes the policy, which may take long, so only where it is needed."""
    no_policy: str | None = None
    """Why there is none, in one line."""
    exact: ExactMeasures | None = None
    plays: Plays | None = None
    """Plays matches and local best response in place of this process, if there is one."""
    forecast: Callable[[float], None] | None = None
    """Receives the seconds of play before it begins."""

    @cached_property
    def evaluator(self) -> "ExactEvaluator":
        """The exact evaluator of the game, kept for all measures of a run."""
        return ExactEvaluator(self.game)

    @classmethod
    def of(cls, algorithm: Algorithm, game: Any) -> "Subject":
        """The strategy of an algorithm on a game as `load_game` gives it."""
        exact = algorithm if isinstance(algorithm, ExactMeasures) else None
        return cls(game, algorithm.policy, algorithm.no_policy(), exact)


class Measurer(Protocol):
    """A way to measure, with its options as fields."""

    def figures(self) -> list[str]:
        """The keys of its figures."""

    def why_not(self, subject: Subject) -> str | None:
        """Why the subject cannot be measured, in one line, if that is known beforehand."""

    def __call__(self, subject: Subject, watch: Watch = UNWATCHED) -> list[Measure]:
        """The figures. TooLargeError where the game is, `Stopped` if `watch` says so."""


@dataclass(frozen=True)
class Exact:
    """The exploitability over the whole game, for games that are small enough."""

    def figures(self) -> list[str]:
        return ["exploitability"]

    def why_not(self, subject: Subject) -> str | None:
        return subject.no_policy if subject.exact is None else subject.exact.no_exact()

    def __call__(self, subject: Subject, watch: Watch = UNWATCHED) -> list[Measure]:
        if subject.exact is not None:
            value = subject.exact.exploitability(watch)
        else:
            with watch.over("measuring"):
                value = subject.evaluator.values(subject.policy()).exploitability
        found = exact_measure(subject.game, value)
        short = subject.exact.short_search() if isinstance(subject.exact, SearchesLess) else None
        return [found if short is None else replace(found, how=f"{found.how}; {short}")]


@dataclass(frozen=True)
class Baselines:
    """Winnings against each bot, which takes all other seats; a `Measurer`."""

    hands: int = 20_000
    """Episodes of the match against each bot."""
    bots: tuple[str, ...] = tuple(BOTS)
    seed: int = 0
    """A fixed seed, so that the figures of one run differ by its strategies alone."""
    threads: int = 1

    def __post_init__(self) -> None:
        MatchConfig(self.hands, self.seed, self.threads)
        for bot in self.bots:
            if bot not in BOTS:
                raise InputError.unknown(f"baselines: bots: unknown bot {bot!r}", bot, BOTS)

    def figures(self) -> list[str]:
        return [bot_key(bot) for bot in self.bots]

    def why_not(self, subject: Subject) -> str | None:
        return subject.no_policy

    def parts(self, game: Game) -> list["Baselines"]:
        """The matches one by one."""
        return [replace(self, bots=(bot,)) for bot in self.bots if bot in bots_of(game)]

    def __call__(self, subject: Subject, watch: Watch = UNWATCHED) -> list[Measure]:
        policy = subject.policy()
        parts = self.parts(subject.game)
        return [self._measure(part.bots[0], subject, policy, watch) for part in parts]

    def _measure(self, name: str, subject: Subject, policy: Policy, watch: Watch) -> Measure:
        game = subject.game
        bots = [BOTS[name](game)] * (game.num_players - 1)
        config = MatchConfig(self.hands, self.seed, self.threads)
        result = play_match(game, [policy, *bots], config, watch=watch, plays=subject.plays)
        won = result.players[0].won
        low, high = (1000 * (won.mean + sign * won.half_width) for sign in (-1, 1))
        how = (
            f"baseline, no bound: {result.hands:,} hands over duplicate deals, "
            f"95 % interval {low:.0f} to {high:.0f}"
        )
        what = f"match against {name}"
        return Measure(bot_key(name), what, 1000 * won.mean, "mbb a hand", how, low, high)


def bot_key(bot: str) -> str:
    """The key of the winnings against a bot."""
    return f"match_{bot.replace('-', '_')}"


def measure_words(metric: str) -> str:
    """The name of a metric for a reader: `eval/lbr_fold_call` is "local best response, fold-call".

    The unit of what is won is not in it.
    """
    key = metric.removeprefix("eval/")
    for begin, words in (("lbr_", "local best response, "), ("match_", "won from ")):
        if key.startswith(begin):
            return words + key.removeprefix(begin).replace("_", "-")
    return key.replace("_", " ").replace("/", ": ")


def is_better(key: str, value: float, than: float) -> bool:
    """Compares two values of a figure: winnings in matches should be large, others small."""
    return value > than if key.startswith("match_") else value < than


def make_measurer(name: str, options: Mapping[str, Any], place: str = "measures") -> Measurer:
    """Makes the measurer of that name; InputError for unknown names and options."""
    if name not in MEASURES:
        raise InputError.unknown(f"{place}: unknown measure {name!r}", name, MEASURES)
    module, kind = MEASURES[name].split(":")
    found: Any = vars(importlib.import_module(module))[kind]
    made: Measurer = read_options(found, f"{place}: {name}", options)
    return made


@dataclass(frozen=True)
class Effort(Options):
    """Numbers of episodes where there is no exact measure."""

    hands: Annotated[int, Field(ge=1, le=MOST_HANDS)] = 20_000
    """Hands of the match against each bot, in large games."""
    lbr_hands: Annotated[int, Field(ge=3, le=MOST_HANDS)] = 2_000
    """Hands of each local best response, in large games."""
    networks: Count | None = None
    """Networks per seat to ask in local best response (fewer is faster)."""
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] = 0
    """Seed of the deals and of mixed strategies, in large games."""
    threads: Annotated[int, Field(ge=1, le=1024)] = 1
    """Threads of play, in large games; they do not change the figures."""


@dataclass(frozen=True, repr=False)
class Evaluation(Tabular):
    """All measures of a policy."""

    measures: list[Measure]
    exact: ProfileValues | None
    """Values and best-response gains of each player, in units, if the game is small enough."""
    note: str | None = None
    """Why there is nothing exact, if there is not."""

    def __repr__(self) -> str:
        shown = (f"{each.measure} {each.value:.6g} {each.unit}" for each in self.measures)
        return f"<Evaluation {'; '.join(shown)}>"

    def table(self) -> ResultTable:
        """A row for each measure."""
        names = ("measure", "value", "low", "high", "unit", "how")
        rows = ({name: getattr(each, name) for name in names} for each in self.measures)
        return ResultTable.of_rows(rows)


def evaluate(
    game: Game,
    policy: Policy,
    effort: Effort | None = None,
    watch: Watch = UNWATCHED,
    plays: Plays | None = None,
    forecast: Callable[[float], None] | None = None,
) -> Evaluation:
    """Measures a policy: exactly if possible, else by playing against it, maybe elsewhere.

    `forecast` is called with the seconds of play before it begins, found by short trials.
    """
    subject = Subject(game, lambda: policy, plays=plays, forecast=forecast)
    if explicit(policy).needs.seeds:
        return _play(subject, effort, _no_table(policy), watch)
    try:
        with watch.over("measuring"):
            exact = exact_values(game, policy)
    except TooLargeError as error:
        return _play(subject, effort, str(error), watch)
    return Evaluation([exact_measure(game, exact.exploitability)], exact)


class ExactEvaluator:
    """Exact values of policies in one game, whose tree is built once; TooLargeError where it is."""

    def __init__(self, game: Game) -> None:
        self.tables = TableEvaluator(game)
        self.questions = WholeGame(game)

    def values(self, policy: Policy) -> ProfileValues:
        """Expected payoffs of the policy and of the best responses to it."""
        if explicit(policy).needs.seeds:
            raise InputError(_no_table(policy))
        return self.tables.evaluate(self.questions.table(policy))


def exact_values(game: Game, policy: Policy) -> ProfileValues:
    """Expected payoffs of a policy and of the best responses to it; TooLargeError as above."""
    return ExactEvaluator(game).values(policy)


class PolicySolver(EvaluatesProfile):
    """Adds the exact measures of a `Solver` to an algorithm, by asking its policy at every infoset.

    All other members are those of the algorithm.
    """

    def __init__(self, algorithm: Algorithm) -> None:
        self.algorithm = algorithm

    def __getattr__(self, name: str) -> Any:
        return getattr(self.algorithm, name)

    def no_exact(self) -> str | None:
        return no_listing(self.algorithm.game)

    @cached_property
    def _evaluator(self) -> ExactEvaluator:
        return ExactEvaluator(self.algorithm.game)

    def evaluate(self) -> ProfileValues:
        return self._evaluator.values(self.algorithm.policy())

    def num_infosets(self) -> int:
        return len(self._evaluator.tables.keys)

    def strategy(self) -> dict[str, Probabilities]:
        evaluator = self._evaluator
        return evaluator.tables.strategy(evaluator.questions.table(self.algorithm.policy()))


def _no_table(policy: Policy) -> str:
    return f"{policy.name}: plays by a seed and has no average, so it has no table"


def exact_measure(game: Any, exploitability: float) -> Measure:
    """An exploitability over the whole game, as a measure."""
    how = f"NashConv / {game.num_players}: mean gain of a best response, over the whole game"
    unit = f"{unit_name(game)} an episode"
    return Measure("exploitability", EXACT, exploitability, unit, how)


def _part_seconds(part: Any, subject: Subject) -> float:
    def trial(hands: int) -> object:
        return replace(part, hands=hands)(subject)

    return trial_seconds(trial, part.hands, 256 if isinstance(part, Baselines) else 4)


def _play(subject: Subject, effort: Effort | None, why: str, watch: Watch) -> Evaluation:
    effort = effort or Effort()
    common = {"seed": effort.seed, "threads": effort.threads}
    options: dict[str, dict[str, Any]] = {
        "lbr": {"hands": effort.lbr_hands, "networks": effort.networks, **common},
        "baselines": {"hands": effort.hands, **common},
    }
    measurers: list[Any] = [make_measurer(name, each) for name, each in options.items()]
    measurers = [each for each in measurers if each.why_not(subject) is None]
    if subject.forecast is not None:
        parts = [part for each in measurers for part in each.parts(subject.game)]
        watch.look("estimating the time")
        subject.forecast(sum(_part_seconds(part, subject) for part in parts))
    taken = [each(subject, watch) for each in measurers]
    note = f"{why}; only lower bounds and match results are possible"
    return Evaluation([measure for figures in taken for measure in figures], None, note)
