# SPDX-License-Identifier: MIT
"""An episode as text: as one seat may see it, or all of it step by step."""

import hashlib
from collections.abc import Iterator

from regretless.games.amounts import CHIPS, Amounts
from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import Game, face, view


def seat_names(episode: Episode, viewer: int) -> list[str]:
    """The names of the seats; the viewer's own is `you (BB)`."""
    names = view(episode).seat_names()
    names[viewer] = f"you ({names[viewer]})"
    return names


def shown_seats(episode: Episode) -> list[int]:
    """The seats that show their hands: at the end those still in, if there are several."""
    live = view(episode).live_seats()
    return live if episode.is_terminal and len(live) > 1 else []


def decision_lines(episode: Episode, viewer: int, amounts: Amounts = CHIPS) -> Iterator[str]:
    """The table when `viewer` is to act, and the slots to choose from."""
    shown = view(episode)
    yield from map(amounts.in_text, shown.table_lines(viewer, seat_names(episode, viewer)))
    for slot in legal_slots(episode):
        text = amounts.in_text(episode.slot_text(slot))
        yield f"  {slot:2d}  {text}{shown.slot_note(slot)}"


def result_text(chips: float, amounts: Amounts = CHIPS) -> str:
    """`you win 3`, `you lose 3`, `you break even`."""
    if chips == 0:
        return "you break even"
    return f"you {'win' if chips > 0 else 'lose'} {amounts.text(abs(chips))}"


def playthrough(game: Game, seed: int = 0) -> str:
    """Deals with `seed` and chooses by a fixed rule: the text is the same on every machine."""
    face(game)  # TypeError for what is no game
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
