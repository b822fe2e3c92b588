# SPDX-License-Identifier: MIT
"""`SelfPlayEnv`: thousands of tables at once for learners that play all seats.

Observations are the features of an encoder (docs/encoders.md); rewards are in units of the game and
come when an episode is over (docs/environment.md). Gymnasium is optional: its spaces are used where
it is installed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.environments.spaces import spaces, unit_box
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.encoders import load_encoder
from regretless.policies.policy import Needs
from regretless.seats.contestants import find_game

Observations = NDArray[np.float32]
"""Features, [tables, features]."""
Info = dict[str, Any]

_ILLEGAL = ("refuse", "call")


class SelfPlayEnv:
    """Many tables; the learner plays every seat."""

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1024,
        *,
        encoder: str = "slots12",
        seed: int = 0,
        threads: int = 1,
        illegal: str = "refuse",
        needs: Needs | None = None,
    ) -> None:
        """`illegal` says how illegal slots are treated: `refuse`, or `call` instead.

        `needs` are columns of the questions for policies that play some of the seats.
        """
        self.game = find_game(game)
        self.encoder = load_encoder(encoder, self.game)
        self.num_envs, self._seed = num_envs, seed
        self.num_seats, self.num_actions = self.game.num_players, self.game.num_actions
        if not 1 <= num_envs <= 1 << 22:
            raise InputError(f"num_envs: must be 1 to {1 << 22:,}, not {num_envs}")
        if illegal not in _ILLEGAL:
            raise InputError.unknown(f"illegal: no way {illegal!r}", illegal, _ILLEGAL)
        self._threads, self._illegal = threads, illegal
        options = (needs or Needs()).options()
        self._options = options | {"encoders": tuple({*options["encoders"], encoder})}
        self.single_observation_space = unit_box(self.encoder)
        self.single_action_space = spaces.Discrete(self.num_actions)

    def __repr__(self) -> str:
        tables = f"{self.num_envs:,} tables, {self.num_seats} seats"
        return f"<SelfPlayEnv {self.game.name}: {tables}, {self.encoder.name}>"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """New tables: observations of the seats to act [tables, features], and `info`.

        `info` has `action_mask` [tables, actions], `actors` [tables] (the seats) and `episodes`.
        """
        self._seed = self._seed if seed is None else seed
        self.start(self._seed)
        return self.observations(), self.info()

    def step(
        self, actions: Any
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Plays a slot at every table.

        Observations, rewards [tables, seats], terminated [tables], truncated (never), and `info`.
        Where an episode has ended, the rewards are the winnings of each seat, and the observation
        is already that of the next episode.
        """
        self.play(self.slots(actions))
        rewards = (self.job.end_payoffs() / self.game.unit).astype(np.float32)
        over = self.job.ended()
        return self.observations(), rewards, over, np.zeros_like(over), self.info()

    def close(self) -> None:
        """Does nothing: there is nothing to release."""

    def start(self, seed: int, first_episode: int = 0) -> None:
        """Deals at all tables, from an episode of a seed on."""
        if not 0 <= seed < 1 << 64:
            raise InputError(f"seed: must be a number from 0 below 2^64, not {seed}")
        self.job = _native.SelfPlay(
            self.game,
            tables=self.num_envs,
            threads=self._threads,
            seed=seed,
            first_episode=first_episode,
            record=False,
            record_ends=True,
            **self._options,
        )
        self._look()

    def _look(self) -> None:
        questions = self.job.ask()
        assert questions is not None
        self.questions = questions

    def play(self, slots: NDArray[np.int32]) -> None:
        """Answers the tables, or lets them wait."""
        try:
            self.job.answer_slots(slots)
        except ValueError as error:
            raise InputError(str(error)) from None
        self._look()

    def slots(self, actions: Any) -> NDArray[np.int32]:
        """Actions as slots; an illegal one is refused when it is played, or becomes a call."""
        if not hasattr(self, "job"):
            raise InputError("reset the environment before the first step")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise InputError(f"actions: must be whole numbers [{self.num_envs}]")
        most = self.game.num_actions
        slots: NDArray[np.int32] = np.clip(given, -1, most).astype(np.int32)  # none means to wait
        if self._illegal == "call":
            legal = self.questions.legal
            inside = np.clip(slots, 0, most - 1)
            is_legal = (inside == slots) & legal[np.arange(len(slots)), inside]
            instead = np.where(legal[:, 1], 1, legal.argmax(axis=1))
            slots = np.where(is_legal, slots, instead).astype(np.int32)
        return slots

    def observations(self) -> Observations:
        """The features of the seats to act, [tables, features]."""
        return self.encoder.expand(self.questions.rows(self.encoder.name), self._threads)

    def info(self) -> Info:
        """The legal slots, the seats to act and the numbers of the episodes."""
        return {
            "action_mask": self.questions.legal.astype(np.int8),
            "actors": self.questions.actors,
            "episodes": self.questions.episodes,
        }
