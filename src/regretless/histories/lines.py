# SPDX-License-Identifier: MIT
"""Lines of play, `x b75% c | 7h | x`: the actions and public cards from the start on.

docs/notation.md describes them. The episode knows at each place whether an action or cards are due,
so the notation need not distinguish the two.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.amounts import CHIPS, Amounts
from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import view
from regretless.games.translation import pot_percent
from regretless.histories.choices import read_choice
from regretless.notation.cards import format_cards, parse_card_token
from regretless.notation.tokens import Token

_SHARE = re.compile(r"[br]([0-9]+(?:\.[0-9]+)?)%")
_MOST_SHARE_OFF = 0.5  # a size on the menu is meant if it rounds to the share that is written


@dataclass(frozen=True)
class Step:
    """One piece of a line: a slot that was chosen, or public cards."""

    slot: int | None
    cards: tuple[int, ...]
    text: str
    """The text in a line."""


def read_line(text: str, episode: Episode, amounts: Amounts = CHIPS) -> list[Step]:
    """Reads the steps of a line and plays them; InputError points at an impossible step.

    The texts of the steps are in the unit of `amounts`. Bets are read in chips, `r250`, or in big
    blinds, `r2.5bb`.
    """
    steps = []
    for word in _words(text):
        if episode.is_terminal:
            raise word.error("the hand is over before this")
        if episode.actor == _native.CHANCE:
            steps.append(_deal(word, episode))
        else:
            steps.append(_choose(word, episode, amounts))
    return steps


def format_line(steps: list[Step]) -> str:
    """The line in short, with cards between bars: `x b50 c | 7h | x`."""
    words: list[str] = []
    for step in steps:
        if step.cards:
            words += ([] if words[-1:] == ["|"] else ["|"]) + [step.text, "|"]
        else:
            words.append(step.text)
    return " ".join(words[:-1] if words[-1:] == ["|"] else words)


def _words(text: str) -> Iterator[Token]:
    for word in Token.whole(text).split(r"[\s|]+"):
        if word.text:
            yield word


def _choose(word: Token, episode: Episode, amounts: Amounts) -> Step:
    slot = _slot(word, episode)
    step = Step(slot, (), amounts.word(view(episode).slot_word(slot)))
    episode.choose(slot)
    return step


def _slot(word: Token, episode: Episode) -> int:
    share = _SHARE.fullmatch(word.text.lower())
    poker = view(episode).poker
    if share is None or poker is None:
        try:
            return read_choice(word.text, episode)
        except InputError:
            raise word.error(f"not a choice here, where there are {_choices(episode)}") from None
    offer = poker.offer
    off = {
        slot: abs(pot_percent(poker, amount) - float(share[1]))
        for slot in legal_slots(poker)
        if (amount := offer[slot] or 0) > 0
    }
    nearest = min(off, key=lambda slot: off[slot], default=None)
    if nearest is None or off[nearest] > max(_MOST_SHARE_OFF, 100 / poker.pot):
        raise word.error(f"no such size here, where there are {_choices(episode)}")
    return nearest


def _choices(episode: Episode) -> str:
    slots = legal_slots(episode)
    return ", ".join(
        f"{view(episode).slot_word(slot)} ({episode.slot_text(slot)})" for slot in slots
    )


def _deal(word: Token, episode: Episode) -> Step:
    deck = episode.game.deck
    assert deck is not None  # only games with a deck deal in public
    try:
        cards = parse_card_token(word, deck)
    except InputError:
        raise word.error("a public card comes here, such as 7h") from None
    try:
        episode.deal_board(list(cards))
    except ValueError as error:
        raise word.error(str(error)) from None
    return Step(None, cards, format_cards(cards, deck))


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
    pot: str
    stack: str
    """The amount behind of the seat to act; empty where there is none."""
    choices: tuple[SpotChoice, ...]
    """Empty where cards are due."""
    cards_due: int
    chosen: str
    """The next step of the line; empty at its end."""


def spots_of(game: Game, steps: Sequence[Step], amounts: Amounts = CHIPS) -> list[LineSpot]:
    """The places that a line comes through, by its steps."""
    now = game.episode_of()
    spots = []
    for number, step in enumerate([*steps, None]):
        spots.append(_spot(now, list(steps[:number]), step.text if step else "", amounts))
        if step is not None:
            go(now, step)
    return spots


def go(episode: Episode, step: Step) -> None:
    """Plays one step of a line."""
    if step.slot is not None:
        episode.choose(step.slot)
    else:
        episode.deal_board(list(step.cards))


def _spot(now: Episode, before: list[Step], chosen: str, amounts: Amounts) -> LineSpot:
    is_turn = not now.is_terminal and now.actor >= 0
    shown = view(now)
    choices = []
    for slot in legal_slots(now) if is_turn else []:
        word = amounts.word(shown.slot_word(slot))
        line = format_line([*before, Step(slot, (), word)])
        choices.append(SpotChoice(word, amounts.in_text(now.slot_text(slot)), line))
    return LineSpot(
        line=format_line(before),
        actor=now.actor if is_turn else -1,
        street=shown.street(),
        pot=amounts.text(shown.pot),
        stack=amounts.text(shown.stack(now.actor)) if is_turn and shown.poker else "",
        choices=tuple(choices),
        cards_due=shown.cards_due(),
        chosen=chosen,
    )
