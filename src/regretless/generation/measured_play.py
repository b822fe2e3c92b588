# SPDX-License-Identifier: MIT
"""Shards of matches and of local best response, played by policies that travel as data."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any, Self

from regretless.algorithm import Arrays, Shard
from regretless.errors import InputError
from regretless.evaluation.lbr import LbrConfig, play_lbr
from regretless.games import Game
from regretless.games.rules_record import portable_record, ported_game
from regretless.generation.generator import Spec
from regretless.generation.makers import MakeMakers
from regretless.inference.policy_data import policy_data, policy_from_data
from regretless.matches.match import MatchConfig, match_columns
from regretless.policies.policy import Policy
from regretless.watch import UNWATCHED, Watch

_EPISODE_BYTES = 4096  # of a match or of local best response, at most
_DEVICE = "cpu"


@dataclass(frozen=True)
class PlayConfig:
    """The policies as data, and the options of a match or of local best response."""

    policies: list[dict[str, str]]
    match: MatchConfig | None = None
    lbr: LbrConfig | None = None
    device: str = _DEVICE
    threads: int = 1


class PlayGenerator:
    """Implements `Generator`: `weights["0"]`, `weights["1"]` ... are the policies' arrays.

    A policy that several seats share travels once.
    """

    def __init__(self, game: Game, config: PlayConfig) -> None:
        self.game, self.config = game, config
        self._loaded: tuple[Any, list[Policy]] = (None, [])

    def make(self, weights: Mapping[str, Any], shard: Shard, watch: Watch = UNWATCHED) -> Arrays:
        return self.play(self._load(weights), shard, watch)

    def play(self, policies: Sequence[Policy], shard: Shard, watch: Watch) -> Arrays:
        """Returns the columns of `play_lbr`, or those of `piece_columns`."""
        config = self.config
        if config.lbr is not None:
            return play_lbr(self.game, policies[0], shard, config.lbr, watch)
        assert config.match is not None
        return match_columns(self.game, policies, config.match, shard, watch)

    def spec(self) -> Spec:
        return {"game": portable_record(self.game), "config": asdict(self.config)}

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        made = dict(spec["config"])
        for name, kind in (("match", MatchConfig), ("lbr", LbrConfig)):
            if made[name] is not None:
                made[name] = kind(**made[name])
        return cls(ported_game(spec["game"], "spec"), PlayConfig(**made))

    def forecast_bytes(self, count: int) -> int:
        return count * _EPISODE_BYTES

    def _load(self, weights: Mapping[str, Any]) -> list[Policy]:
        if self._loaded[0] is not weights:
            made = []
            for number, facts in enumerate(self.config.policies):
                arrays = {"policy": weights[str(number)]} if str(number) in weights else {}
                made.append(policy_from_data(facts, arrays, self.game))
            self._loaded = weights, made
        return self._loaded[1]


@dataclass(frozen=True)
class PlayedElsewhere:
    """Implements `Plays` by makers, such as those of a cluster."""

    make_makers: MakeMakers
    plays_here: bool = False
    """Whether this process plays policies that cannot travel, such as searches."""

    def lbr(
        self, game: Game, policy: Policy, config: LbrConfig, shards: Sequence[Shard], watch: Watch
    ) -> Iterator[Arrays]:
        return self._played(game, [policy], shards, watch, lbr=config, threads=config.threads)

    def match(
        self,
        game: Game,
        policies: Sequence[Policy],
        config: MatchConfig,
        shards: Sequence[Shard],
        watch: Watch,
    ) -> Iterator[Arrays]:
        return self._played(game, policies, shards, watch, match=config, threads=config.threads)

    def _played(
        self,
        game: Game,
        policies: Sequence[Policy],
        shards: Sequence[Shard],
        watch: Watch,
        **options: Any,
    ) -> Iterator[Arrays]:
        try:
            found = [policy_data(policy, game) for policy in policies]
        except InputError:
            if not self.plays_here:
                raise
            here = PlayGenerator(game, PlayConfig([], **options))
            for shard in shards:
                yield here.play(policies, shard, watch)
            return
        weights = {str(i): data["policy"] for i, (_, data) in enumerate(found) if data}
        generator = PlayGenerator(game, PlayConfig([facts for facts, _ in found], **options))
        with (
            closing(self.make_makers(generator, max(shard.count for shard in shards))) as makers,
            closing(makers.begin(weights, shards)) as making,
        ):
            for _ in shards:
                yield making.take(watch)
