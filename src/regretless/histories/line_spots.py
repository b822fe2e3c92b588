# SPDX-License-Identifier: MIT
"""The spots along a line of play: the actor, the choices, and the choice that was made."""

from collections.abc import Sequence
from dataclasses import dataclass

from regretless.games import Game
from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import view
from regretless.histories.lines import Step, format_line, read_line


@dataclass(frozen=True)
class SpotChoice:
    """A legal choice."""

    word: str
    """The word in a line of play."""
    text: str
    line: str
    """The line that leads to the next spot."""


@dataclass(frozen=True)
class LineSpot:
    """One spot along a line."""

    line: str
    """The line that leads here."""
    actor: int
    """The seat to act; negative where cards are due and at the end."""
    street: str
    """`flop Jc9d7c`, in poker."""
    pot: int
    stack: int
    """Chips behind of the seat to act."""
    choices: tuple[SpotChoice, ...]
    """Empty where cards are due."""
    cards_due: int
    chosen: str
    """The next step of the line; empty at its end."""


def line_spots(game: Game, line: str) -> list[LineSpot]:
    """The places from the start to the end of a line; InputError points at an impossible step."""
    return spots_of(game, read_line(line, game.episode_of()))


def spots_of(game: Game, steps: Sequence[Step]) -> list[LineSpot]:
    """The places that a line comes through, by its steps."""
    now = game.episode_of()
    spots = []
    for number, step in enumerate([*steps, None]):
        spots.append(_spot(now, list(steps[:number]), step.text if step else ""))
        if step is not None:
            go(now, step)
    return spots


def go(episode: Episode, step: Step) -> None:
    """Plays one step of a line."""
    if step.slot is not None:
        episode.choose(step.slot)
    else:
        episode.deal_board(list(step.cards))


def _spot(now: Episode, before: list[Step], chosen: str) -> LineSpot:
    is_turn = not now.is_terminal and now.actor >= 0
    shown = view(now)
    choices = []
    for slot in legal_slots(now) if is_turn else []:
        word = shown.slot_word(slot)
        line = format_line([*before, Step(slot, (), word)])
        choices.append(SpotChoice(word, now.slot_text(slot), line))
    return LineSpot(
        line=format_line(before),
        actor=now.actor if is_turn else -1,
        street=shown.street(),
        pot=shown.pot,
        stack=shown.stack(now.actor) if is_turn else 0,
        choices=tuple(choices),
        cards_due=shown.cards_due(),
        chosen=chosen,
    )
