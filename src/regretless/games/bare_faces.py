# SPDX-License-Identifier: MIT
"""Games without chips and streets for the rest of the package: Liar's Dice, explicit games."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from regretless import _native
from regretless.explicit.explicit_game import ExplicitGame
from regretless.games.episodes import EpisodeView
from regretless.games.poker_face import probe_key


@dataclass(frozen=True)
class DiceFace:
    """Dice and bids."""

    game: _native.LiarsDice

    poker = None
    explicit = None
    unit_name = "points"

    def record(self) -> dict[str, Any]:
        game = self.game
        dice = {"dice": game.num_dice, "faces": game.num_faces, "players": game.num_players}
        return {"liars_dice": dice}

    def infoset_probe(self) -> int:
        game = self.game
        dice = [[1] * game.num_dice for _ in range(game.num_players)]
        return probe_key(_native.LiarsDiceEpisode(game, dice=dice))


@dataclass(frozen=True)
class ExplicitFace:
    """An explicit tree: a custom game, or one of OpenSpiel."""

    game: ExplicitGame

    poker = None
    unit_name = "points"

    @property
    def explicit(self) -> ExplicitGame:
        return self.game

    def record(self) -> dict[str, Any]:
        game = self.game
        size = {"players": game.num_players, **game.count_tree()}
        return {"explicit": {"name": game.name, **size, "sha256": game.digest}}

    def infoset_probe(self) -> int:
        return int(self.game.infoset_keys[0])


class DiceView(EpisodeView):
    """Dice and bids; all hands are shown at the end."""

    episode: _native.LiarsDiceEpisode

    def hand_text(self, seat: int) -> str:
        return " ".join(map(str, self.episode.hand_parts(seat)))

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        actions = self.episode.game.action_names
        bids = ", ".join(f"{names[seat]} {actions[slot]}" for seat, slot in self.episode.steps)
        yield f"bids: {bids or 'none'}"
        yield f"  {names[viewer]}: {self.hand_text(viewer)}"

    def state_lines(self) -> Iterator[str]:
        bids = [self.episode.game.action_names[slot] for _, slot in self.episode.steps]
        yield f"  bids: {', '.join(bids) or 'none'}"

    def log_lines(self) -> Iterator[str]:
        episode, game = self.episode, self.episode.game
        yield f"{game.name}, {game.num_players} players, {game.num_faces} is wild"
        for seat in self.live_seats():
            yield f"  seat {seat}: {self.hand_text(seat)}"
        liar, bid = game.num_actions - 1, 0
        for seat, slot in episode.steps:
            if slot == liar:
                yield f"  seat {seat} calls it a lie"
            else:
                yield f"  seat {seat} bids {game.action_names[slot]}"
                bid = slot
        if not episode.is_terminal:
            yield f"seat {episode.actor} is to act"
            return
        face = bid % game.num_faces + 1
        dice = [die for seat in self.live_seats() for die in episode.hand_parts(seat)]
        yield f"Result: {sum(die in (face, game.num_faces) for die in dice)} x {face}"
        for seat, payoff in enumerate(episode.payoffs):
            yield f"  seat {seat}: {payoff:+d}"


class ExplicitView(EpisodeView):
    """An explicit game, which names what the actor knows and has no public state."""

    episode: _native.ExplicitEpisode

    def action_text(self, action: int) -> str:
        return "moves"  # the action may be hidden from the others

    def table_lines(self, viewer: int, names: list[str]) -> Iterator[str]:
        if self.episode.actor == viewer:
            yield f"{names[viewer]} know: {self.episode.infoset_name}"

    def deal_lines(self) -> Iterator[str]:
        return iter(())  # only infosets describe the deal

    def state_lines(self) -> Iterator[str]:
        is_over = self.episode.is_terminal
        yield "  over" if is_over else f"  knows: {self.episode.infoset_name}"

    def end_lines(self, names: list[str]) -> Iterator[str]:
        actions, steps = self.episode.game.action_names, self.episode.steps
        done = ", ".join(f"{names[seat]} {actions[slot]}" for seat, slot in steps)
        yield f"the end: {done}" if done else "the end"

    def log_lines(self) -> Iterator[str]:
        episode, game = self.episode, self.episode.game
        yield f"{game.name}, {game.num_players} players"
        for seat, slot in episode.steps:
            yield f"  seat {seat}: {game.action_names[slot]}"
        if not episode.is_terminal:
            yield f"seat {episode.actor} is to act, knowing {episode.infoset_name}"
            return
        yield "Result"
        for seat, payoff in enumerate(episode.payoffs):
            yield f"  seat {seat}: {payoff / game.unit:+g}"
