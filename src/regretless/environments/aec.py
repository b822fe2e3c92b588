# SPDX-License-Identifier: MIT
"""One table in the manner of PettingZoo's AEC environments: the seats take turns.

PettingZoo is not needed; where it is installed this is one of its environments.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from regretless.environments.self_play_env import SelfPlayEnv
from regretless.environments.spaces import AecBase, spaces
from regretless.errors import InputError
from regretless.games import Game

Observation = dict[str, np.ndarray[Any, Any]]


class AecEnv(AecBase):  # type: ignore[misc]
    """A table whose agents are its seats, `seat_0` and so on.

    An observation is `observation`, the features of the encoder, and `action_mask`, the legal
    slots; agents that are not to act see zeros. Rewards are units won, paid at the end.
    """

    metadata = {"name": "regretless", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012
    render_mode = None

    def __init__(self, game: str | Game, *, encoder: str = "slots12", seed: int = 0) -> None:
        """A table of the game; each `reset` without a seed goes on to the next episode."""
        self._table = SelfPlayEnv(game, 1, encoder=encoder)
        self.game = self._table.game
        self._seed, self._episode = seed, 0
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.num_players)]
        self.agents: list[str] = []
        box, slots = self._table.single_observation_space, self._table.single_action_space
        masks = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        seen = spaces.Dict({"observation": box, "action_mask": masks})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, slots)

    def __repr__(self) -> str:
        return f"<AecEnv {self}>"

    def observation_space(self, agent: str) -> Any:
        """The observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The action space of an agent: slots."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The next episode, or the first one of a seed."""
        if seed is not None:
            self._seed, self._episode = seed, 0
        self._table.start(self._seed, self._episode)
        self._episode += 1
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_act()

    def _to_act(self) -> str:
        agent: str = self.possible_agents[self._table.questions.actors[0]]
        return agent

    def observe(self, agent: str) -> Observation:
        """The observation of an agent: zeros unless it is to act."""
        features, masks = self._table.observations()[0], self._table.info()["action_mask"][0]
        if self.terminations.get(agent, True) or agent != self._to_act():
            features, masks = np.zeros_like(features), np.zeros_like(masks)
        return {"observation": features, "action_mask": masks}

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, rewards, terminated, truncated and info of the agent to act."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: int | None) -> None:
        """Plays a slot for the agent to act; after the end, None."""
        if not self.agents:
            raise InputError("the episode is over; reset the environment")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._leave(agent, action)
            return
        if action is None:
            raise InputError(f"{agent}: None is no slot")
        try:
            self._table.play(self._table.slots([int(action)]))
        except ValueError as error:
            raise InputError(f"{agent}: {error}") from None
        self._cumulative_rewards[agent] = 0.0
        if not self._table.job.ended()[0]:
            self.agent_selection = self._to_act()
            return
        won = (self._table.job.end_payoffs()[0] / self.game.unit).tolist()
        self.rewards = dict(zip(self.possible_agents, won, strict=True))
        for each in self.agents:
            self._cumulative_rewards[each] += self.rewards[each]
            self.terminations[each] = True
        self.agent_selection = self.agents[0]

    def _leave(self, agent: str, action: int | None) -> None:
        """Removes an agent whose episode is over."""
        if action is not None:
            raise InputError(f"{agent}: the episode is over, and only None may be played")
        self.agents.remove(agent)
        for column in (self.terminations, self.truncations, self.rewards, self.infos):
            del column[agent]
        del self._cumulative_rewards[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def agent_iter(self, max_iter: int = 1 << 63) -> Iterator[str]:
        """The agent to act, until the episode is over and all have left."""
        for _ in range(max_iter):
            if not self.agents:
                return
            yield self.agent_selection

    def close(self) -> None:
        """Nothing is held that needs it."""

    def __str__(self) -> str:
        return f"{self.game.name}, {self.game.num_players} seats"
