# SPDX-License-Identifier: MIT
"""A whole episode printed step by step, to learn a game or to see that it has not changed."""

import hashlib
from collections.abc import Iterator

from regretless import _native
from regretless.games.episodes import Episode
from regretless.games.loading import Game
from regretless.games.positions import street_name
from regretless.histories.views import view
from regretless.notation.cards import format_cards


def playthrough(game: Game, seed: int = 0) -> str:
    """Deal with `seed` and choose by a fixed rule: the same text every time, on every machine."""
    episode = game.episode(seed)
    lines = [
        f"game: {game.name}",
        f"players: {game.num_players}",
        f"slots: {', '.join(game.action_names)}",
        f"seed: {seed}",
        *_deal_lines(episode),
    ]
    step = 0
    while not episode.is_terminal:
        slots = [slot for slot, is_legal in enumerate(episode.legal) if is_legal]
        chosen = slots[_draw(seed, step) % len(slots)]
        lines += ["", f"step {step}", *_state_lines(episode), f"  actor: seat {episode.actor}"]
        lines += [
            f"  {'>' if slot == chosen else ' '} {slot} {episode.slot_text(slot)}" for slot in slots
        ]
        episode.choose(chosen)
        step += 1
    payoffs = " ".join(f"{payoff:+d}" for payoff in episode.payoffs)
    return "\n".join([*lines, "", "end", *_state_lines(episode), f"  payoffs: {payoffs}"]) + "\n"


def _draw(seed: int, step: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}:{step}".encode()).digest()[:4], "big")


def _deal_lines(episode: Episode) -> Iterator[str]:
    if isinstance(episode, _native.ExplicitEpisode):
        return  # what was dealt, only its infosets say
    for seat in range(episode.game.num_players):
        yield f"seat {seat}: {view(episode).hand_text(seat)}, hand {episode.hand(seat)}"


def _state_lines(episode: Episode) -> Iterator[str]:
    if isinstance(episode, _native.ExplicitEpisode):
        yield f"  knows: {episode.infoset_name}" if not episode.is_terminal else "  over"
        return
    if not isinstance(episode, _native.PokerEpisode):
        bids = [episode.game.action_names[slot] for _, slot in episode.steps]
        yield f"  bids: {', '.join(bids) or 'none'}"
        return
    rules = episode.game.rules
    board = format_cards(episode.board, rules.deck)
    yield f"  {street_name(rules, episode.street)}: {board or 'no board'}, pot {episode.pot}"
    yield f"  bets {_list(episode.bets)}, stacks {_list(episode.stacks)}"


def _list(chips: list[int]) -> str:
    return " ".join(map(str, chips))
