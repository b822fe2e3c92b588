# SPDX-License-Identifier: MIT
"""A whole episode printed step by step, to learn a game or to see that it has not changed."""

import hashlib

from regretless.games.episodes import legal_slots
from regretless.games.face import Game, view


def playthrough(game: Game, seed: int = 0) -> str:
    """Deals with `seed` and chooses by a fixed rule: the text is the same on every machine."""
    episode = game.episode(seed)
    lines = [
        f"game: {game.name}",
        f"players: {game.num_players}",
        f"slots: {', '.join(game.action_names)}",
        f"seed: {seed}",
        *view(episode).deal_lines(),
    ]
    step = 0
    while not episode.is_terminal:
        slots = legal_slots(episode)
        chosen = slots[_draw(seed, step) % len(slots)]
        lines += [
            "",
            f"step {step}",
            *view(episode).state_lines(),
            f"  actor: seat {episode.actor}",
        ]
        lines += [
            f"  {'>' if slot == chosen else ' '} {slot} {episode.slot_text(slot)}" for slot in slots
        ]
        episode.choose(chosen)
        step += 1
    payoffs = " ".join(f"{payoff:+d}" for payoff in episode.payoffs)
    return (
        "\n".join([*lines, "", "end", *view(episode).state_lines(), f"  payoffs: {payoffs}"]) + "\n"
    )


def _draw(seed: int, step: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}:{step}".encode()).digest()[:4], "big")
