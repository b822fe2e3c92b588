# SPDX-License-Identifier: MIT
"""Local best response: the winnings of a simple exploiter who knows a strategy.

Lisý and Bowling, *Equilibrium Approximation Quality of Current No-Limit Poker Bots* (2017). The
responder tracks the range of the other and takes the action that would be worth most if both only
checked and called afterwards. Any policy of a heads-up poker game can be measured, however large
the game. The result is a lower bound on exploitability, never an estimate of it.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from regretless import _native
from regretless.algorithm import Arrays, Shard
from regretless.errors import InputError
from regretless.evaluation.measures import Measure, Subject
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.matches.match import Plays
from regretless.policies.policy import Policy, UniformPolicy, explicit
from regretless.watch import UNWATCHED, Watch

MENUS = ("fold-call", "all-in", "bets")
MOST_ROWS = 1 << 15  # of one batch of questions, roughly
NORMAL_95 = 1.959964
_SHARD = 512  # episodes: deals in both seats


@dataclass(frozen=True)
class LbrConfig:
    """Options of the responder and of the computation."""

    menu: str = "bets"
    """His actions: fold-call, all-in (fold, call, the largest bet) or bets (all of the game's)."""
    rollouts: int = 100
    """Boards that a chance to win is estimated from, where there are too many to go through."""
    seed: int = 0
    """Seed of deals, of the opponent's actions and of rollouts."""
    threads: int = 1
    """The number does not change the result."""
    tables: int | None = None
    """Episodes in flight, which do not change the result; None: by the size of a batch."""


@dataclass(frozen=True)
class LbrResult:
    """The mean winnings of the responder over both seats: a lower bound of exploitability.

    Figures are in units of the game (big blinds, antes); those named mbb in thousandths of it.
    """

    value: float
    standard_error: float  # over duplicate deals: each is played once in each seat
    payoff: float  # the mean of the chips really won: the same expectation with more noise
    hands: int  # episodes played
    menu: str

    @property
    def interval(self) -> tuple[float, float]:
        """The half width of the 95 % interval."""
        half = NORMAL_95 * self.standard_error
        return self.value - half, self.value + half

    @property
    def value_mbb(self) -> float:
        return 1000 * self.value

    @property
    def interval_mbb(self) -> tuple[float, float]:
        low, high = self.interval
        return 1000 * low, 1000 * high


def local_best_response(
    game: Game,
    policy: Policy,
    hands: int,
    config: LbrConfig | None = None,
    *,
    watch: Watch = UNWATCHED,
    plays: Plays | None = None,
) -> LbrResult:
    """Play `hands` episodes of the responder against `policy`, rounded up to duplicate deals.

    Of a policy that plays by a seed the average is measured: the responder knows the strategy, not
    the draws. With `plays` somebody else plays. InputError unless the game is heads-up poker with
    one or two hole cards.
    """
    config = config if config is not None else LbrConfig()
    if hands < 3:
        raise InputError("local best response needs at least two deals, so more than two hands")
    policy = explicit(policy)
    shards = Shard(0, hands + hands % 2).split(_SHARD)
    parts = (
        plays.lbr(game, policy, config, shards, watch)
        if plays is not None
        else (play_lbr(game, policy, shard, config, watch, hands) for shard in shards)
    )
    found = list(parts)
    columns = {name: np.concatenate([part[name] for part in found]) for name in found[0]}
    return lbr_result(game, columns, config)


def play_lbr(
    game: Game,
    policy: Policy,
    shard: Shard,
    config: LbrConfig,
    watch: Watch = UNWATCHED,
    of: int | None = None,
) -> Arrays:
    """Plays the episodes of a shard and returns columns `values` and `payoffs`, in chips.

    The columns of consecutive shards, one after the other, are those of the whole. `watch` receives
    the share of all `of` episodes.
    """
    policy = explicit(policy)
    job = _make_job(game, policy, shard, config)
    while (questions := job.ask()) is not None:
        job.answer(np.ascontiguousarray(policy(questions), np.float32))
        done = (shard.first + job.num_finished) / (of or shard.end)
        watch.look(f"local best response, {config.menu}", min(done, 1.0))
    return {"values": job.values(), "payoffs": job.payoffs()}


def lbr_result(game: Game, columns: Arrays, config: LbrConfig) -> LbrResult:
    """Returns the result of whole deals, from the columns of `play_lbr`."""
    deals = columns["values"].reshape(-1, 2).mean(axis=1) / game.unit
    return LbrResult(
        value=float(deals.mean()),
        standard_error=float(deals.std(ddof=1)) / math.sqrt(len(deals)),
        payoff=float(columns["payoffs"].mean()) / game.unit,
        hands=2 * len(deals),
        menu=config.menu,
    )


def _make_job(game: Game, policy: Policy, shard: Shard, config: LbrConfig) -> _native.LbrPlay:
    game = require_poker(game, "local best response is for heads-up poker")
    if config.menu not in MENUS:
        raise InputError(f"menu: must be one of {', '.join(MENUS)}, not {config.menu!r}")
    rows = game.num_hands * (game.num_actions - 1 if config.menu == "bets" else 1)
    try:
        return _native.LbrPlay(
            game,
            shard.count,
            first_episode=shard.first,
            menu=config.menu,
            tables=config.tables if config.tables is not None else max(1, MOST_ROWS // rows),
            threads=config.threads,
            seed=config.seed,
            rollouts=config.rollouts,
            **policy.needs.options(),
        )
    except ValueError as error:
        raise InputError(f"{game.name}: {error}") from None


@dataclass(frozen=True)
class LowerBounds:
    """Winnings of local best response with each menu, as lower bounds; a `Measurer`."""

    hands: int = 2_000
    """Episodes with each menu."""
    menus: tuple[str, ...] = MENUS
    """Menus of the responder's actions (see `LbrConfig`)."""
    rollouts: int = 100
    """See `LbrConfig`."""
    seed: int = 0
    """A fixed seed, so that the figures of one run differ by its strategies alone."""
    threads: int = 1
    networks: int | None = None
    """Networks in the average of a policy that draws one per episode (default: all). With fewer,
    the bound is faster and belongs to an approximation of the policy."""

    def __post_init__(self) -> None:
        if self.hands < 3:
            raise InputError(f"lbr: hands: must be at least 3, not {self.hands}")
        for menu in self.menus:
            if menu not in MENUS:
                raise InputError.unknown(f"lbr: menus: unknown menu {menu!r}", menu, MENUS)
        if self.networks is not None and self.networks < 1:
            raise InputError(f"lbr: networks: must be at least 1, not {self.networks}")

    def figures(self) -> list[str]:
        return [_key(menu) for menu in self.menus]

    def why_not(self, subject: Subject) -> str | None:
        if subject.no_policy is not None:
            return subject.no_policy
        try:
            _make_job(subject.game, UniformPolicy(), Shard(0, 4), LbrConfig(tables=1))
        except InputError as error:
            return str(error)
        return None

    def parts(self, game: Game) -> list["LowerBounds"]:
        """The menus one by one."""
        return [replace(self, menus=(menu,)) for menu in self.menus]

    def __call__(self, subject: Subject, watch: Watch = UNWATCHED) -> list[Measure]:
        policy = explicit(subject.policy(), self.networks)
        return [
            self._measure(menu, subject.game, policy, watch, subject.plays) for menu in self.menus
        ]

    def _measure(
        self, menu: str, game: Game, policy: Policy, watch: Watch, plays: Plays | None
    ) -> Measure:
        config = LbrConfig(menu, self.rollouts, self.seed, self.threads)
        found = local_best_response(game, policy, self.hands, config, watch=watch, plays=plays)
        low, high = found.interval_mbb
        how = f"lower bound, {menu}, {found.hands:,} hands, 95 % interval {low:.0f} to {high:.0f}"
        how += f", against {policy.name}" if self.networks is not None else ""
        name = "local best response"
        return Measure(_key(menu), name, found.value_mbb, "mbb a hand", how, low, high)


def _key(menu: str) -> str:
    return f"lbr_{menu.replace('-', '_')}"
