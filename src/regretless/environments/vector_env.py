# SPDX-License-Identifier: MIT
"""`VectorEnv` and `Env`: Gymnasium environments with the learner on one seat of each table.

Observations and rewards are those of `SelfPlayEnv`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.environments.self_play_env import Info, Observations, SelfPlayEnv
from regretless.environments.spaces import Base, VectorBase, batched, same_step
from regretless.errors import InputError
from regretless.games import Game
from regretless.matches.seatings import player_on, seat_of
from regretless.policies.policy import Needs, Policy, normalize
from regretless.seats.contestants import Player, find_contestants, find_game


class VectorEnv(VectorBase):  # type: ignore[misc]
    """Many tables with the learner on one seat of each and policies on the others.

    A Gymnasium vector environment with autoreset in the same step.
    """

    metadata = same_step()
    render_mode = None
    spec = None

    def __init__(
        self,
        game: str | Game,
        opponents: Player | Sequence[Player] = "random",
        num_envs: int = 256,
        *,
        seat: int | None = None,
        encoder: str = "slots12",
        seed: int = 0,
        threads: int = 1,
        illegal: str = "refuse",
    ) -> None:
        """`opponents` is one player for all other seats, or one for each, from the learner on.

        Players are named as in `match`. Without a `seat` the learner moves by one seat from episode
        to episode. `illegal` says how illegal slots are treated: `refuse`, or `call` instead.
        """
        self._policies = _opponents(opponents, find_game(game))
        needs = Needs.of(self._policies)
        self._tables = SelfPlayEnv(
            game, num_envs, encoder=encoder, threads=threads, illegal=illegal, needs=needs
        )
        self.game, self.num_envs = self._tables.game, num_envs
        if seat is not None and not 0 <= seat < self.game.num_players:
            raise InputError(f"seat: must be 0 to {self.game.num_players - 1}, not {seat}")
        self._seat, self._seed, self.closed = seat, seed, False
        self.single_observation_space = self._tables.single_observation_space
        self.single_action_space = self._tables.single_action_space
        self.observation_space = batched(self.single_observation_space, num_envs)
        self.action_space = batched(self.single_action_space, num_envs)

    def __repr__(self) -> str:
        return f"<VectorEnv {self.game.name}: {self.num_envs:,} tables, {self.against}>"

    @property
    def against(self) -> str:
        """The opponents in words."""
        return "against " + ", ".join(each.name for each in self._policies)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """New tables, each at the learner's first decision.

        `info` has `action_mask` [tables, actions], `actors` [tables] (the learner's seat),
        `episodes`, and `unasked` [tables]: the learner's winnings in episodes that ended before
        its first decision, which belong to no step.
        """
        self._seed = self._seed if seed is None else seed
        return self.begin(0)

    def begin(self, first_episode: int) -> tuple[Observations, Info]:
        """Resets the tables to begin with an episode."""
        self._tables.start(self._seed, first_episode)
        self._random = np.random.default_rng([self._seed, first_episode])
        self._clear(over=True)
        self._play_others()
        return self._tables.observations(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Plays a slot for the learner at every table, and the others up to its next decision.

        Observations, rewards [tables], terminated [tables], truncated (never), and `info` as from
        `reset`. The observation after the end of an episode is that of the next one.
        """
        slots = self._tables.slots(actions)
        self._clear(over=False)
        self._play(slots)
        self._play_others()
        never = np.zeros_like(self._over)
        return self._tables.observations(), self._rewards, self._over, never, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [tables, actions]: the slots that are legal."""
        return self._tables.questions.legal

    def close(self, **_: Any) -> None:
        """Does nothing: there is nothing to release."""
        self.closed = True

    def close_extras(self, **_: Any) -> None:
        """Does nothing: there is nothing to release."""

    def _info(self) -> Info:
        return {**self._tables.info(), "unasked": self._unasked}

    def _clear(self, over: bool) -> None:
        """Begins a step; with `over` before the learner's first decision."""
        self._rewards, self._unasked = (np.zeros(self.num_envs, np.float32) for _ in range(2))
        self._over = np.full(self.num_envs, over)

    def _seats(self, episodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The learner's seat in each episode."""
        if self._seat is not None:
            return np.full(len(episodes), self._seat)
        rounds, tables = np.divmod(episodes, self.num_envs)
        return seat_of(tables, rounds, self.game.num_players)

    def _play_others(self) -> None:
        """Plays the other seats until every table waits for the learner."""
        while True:
            questions = self._tables.questions
            players = self.game.num_players
            behind = player_on(questions.actors, self._seats(questions.episodes), players)
            if not behind.any():
                return
            slots = np.full(self.num_envs, _native.WAIT, np.int32)
            for number, policy in enumerate(self._policies, 1):
                asked = np.flatnonzero(behind == number)
                if len(asked):
                    part = questions.part(asked)
                    slots[asked] = _drawn(policy(part), part.legal, self._random)
            self._play(slots)

    def _play(self, slots: NDArray[np.int32]) -> None:
        seats = self._seats(self._tables.questions.episodes)
        self._tables.play(slots)
        ended = self._tables.job.ended()
        won = self._tables.job.end_payoffs()[np.arange(self.num_envs), seats] / self.game.unit
        first, again = ended & ~self._over, ended & self._over
        self._rewards[first] = won[first]
        self._unasked[again] += won[again]
        self._over |= ended


class Env(Base):  # type: ignore[misc]
    """One table with the learner on one seat: a Gymnasium environment."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012
    render_mode = None
    spec = None

    def __init__(
        self,
        game: str | Game,
        opponents: Player | Sequence[Player] = "random",
        *,
        seat: int | None = None,
        encoder: str = "slots12",
        seed: int = 0,
        illegal: str = "refuse",
    ) -> None:
        """Makes a `VectorEnv` of one table."""
        self._vector = VectorEnv(
            game, opponents, 1, seat=seat, encoder=encoder, seed=seed, illegal=illegal
        )
        self.game = self._vector.game
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space
        self._waiting: tuple[Observations, Info] | None = None  # the start of the next episode
        self._episodes = 0

    def __repr__(self) -> str:
        return f"<Env {self.game.name} {self._vector.against}>"

    __str__ = __repr__  # of Gymnasium it is the bare class

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """The next episode, or the first one of a seed: observation [features] and `info`."""
        super().reset(seed=seed)
        if seed is not None:
            self._waiting = self._vector.reset(seed=seed)
        elif self._waiting is None:  # in the middle of an episode, or before the first
            self._waiting = self._vector.begin(self._episodes)
        (observation,), info = self._waiting
        self._waiting = None
        self._episodes = int(info["episodes"][0]) + 1
        return observation, _first(info)

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, Info]:
        """Plays a slot: observation, reward, terminated, truncated (never), and `info`.

        At the end of an episode the observation is all zeros.
        """
        if self._waiting is not None:
            raise InputError("the episode is over; reset the environment")
        observations, rewards, over, _, info = self._vector.step(np.array([int(action)]))
        if over[0]:
            self._waiting = observations, info
            nothing = np.zeros_like(observations[0])
            masks = np.zeros_like(info["action_mask"][0])
            return nothing, float(rewards[0]), True, False, {"action_mask": masks}
        return observations[0], float(rewards[0]), False, False, _first(info)

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [actions]: the slots that are legal, as sb3-contrib expects them."""
        masks: NDArray[np.bool_] = self._vector.action_masks()[0]
        return masks

    def close(self) -> None:
        """Does nothing: there is nothing to release."""


def _opponents(given: Player | Sequence[Player], game: Game) -> list[Policy]:
    """A policy for each other seat, from the learner on."""
    others = game.num_players - 1
    several = isinstance(given, Sequence) and not isinstance(given, str)
    players: list[Any] = list(given) if several else [given]  # type: ignore[arg-type]
    if several and len(players) != others:
        raise InputError(f"opponents: {game.name} has {others} other seats, not {len(players)}")
    found = [each.policy for each in find_contestants(players, game, game.num_players)]
    return found if several else found * others


def _drawn(
    rows: NDArray[Any], legal: NDArray[np.bool_], random: np.random.Generator
) -> NDArray[np.int32]:
    """Draws a slot for each row of probabilities."""
    sums = normalize(rows, legal).cumsum(axis=1)
    drawn = random.random(len(sums))[:, None] * sums[:, -1:]
    slots = (sums <= drawn).sum(axis=1)
    last = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
    chosen: NDArray[np.int32] = np.minimum(slots, last).astype(np.int32)
    return chosen


def _first(info: Info) -> Info:
    return {name: column[0] for name, column in info.items()}
