# SPDX-License-Identifier: MIT
"""The places that a line of play comes through: who is to act, what may be done, what was done."""

from dataclasses import dataclass

from regretless import _native
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.histories.choices import legal_slots
from regretless.histories.lines import Step, format_line, read_line, slot_word
from regretless.histories.views import view


@dataclass(frozen=True)
class SpotChoice:
    """Something that may be done."""

    word: str
    """As a line writes it."""
    text: str
    line: str
    """That leads to what follows."""


@dataclass(frozen=True)
class LineSpot:
    """One place along a line."""

    line: str
    """That leads here."""
    actor: int
    """Whose turn it is; below 0 where cards are due and at the end."""
    street: str
    """`flop Jc9d7c`, in poker."""
    pot: int
    stack: int
    """Chips behind, of the seat to act."""
    choices: tuple[SpotChoice, ...]
    """None where cards are due."""
    cards_due: int
    chosen: str
    """What the line goes on with; empty at its end."""


def line_spots(game: Game, line: str) -> list[LineSpot]:
    """From the start to the end of the line; InputError points at what cannot be there."""
    steps = read_line(line, game.episode_of())
    now = game.episode_of()
    spots = []
    for number, step in enumerate([*steps, None]):
        spots.append(_spot(now, steps[:number], step.text if step else ""))
        if step is not None:
            go(now, step)
    return spots


def go(episode: Episode, step: Step) -> None:
    """Do one step of a line."""
    if step.slot is not None:
        episode.choose(step.slot)
    else:
        assert isinstance(episode, _native.PokerEpisode)  # nothing else deals in public
        episode.deal_board(list(step.cards))


def cards_due(episode: Episode) -> int:
    """How many public cards come next; 0 where none do."""
    if not isinstance(episode, _native.PokerEpisode) or episode.is_terminal:
        return 0
    if episode.actor != _native.CHANCE:
        return 0
    total = 0
    for count in episode.game.rules.board_cards:
        total += count
        if total > len(episode.board):
            return total - len(episode.board)
    return 0


def _spot(now: Episode, before: list[Step], chosen: str) -> LineSpot:
    is_turn = not now.is_terminal and now.actor >= 0
    poker = now if isinstance(now, _native.PokerEpisode) else None
    choices = []
    for slot in legal_slots(now) if is_turn else []:
        word = slot_word(now, slot)
        line = format_line([*before, Step(slot, (), word)])
        choices.append(SpotChoice(word, now.slot_text(slot), line))
    return LineSpot(
        line=format_line(before),
        actor=now.actor if is_turn else -1,
        street=view(now).street(),
        pot=poker.pot if poker else 0,
        stack=poker.stacks[now.actor] if poker and is_turn else 0,
        choices=tuple(choices),
        cards_due=cards_due(now),
        chosen=chosen,
    )
