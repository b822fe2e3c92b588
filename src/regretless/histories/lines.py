# SPDX-License-Identifier: MIT
"""Lines of play, `x b75% c | 7h | x`: what was done and which public cards came, from the start on.

docs/notation.md describes them. An episode knows at each place whether an action or cards are due,
so nothing else has to tell the two apart.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import Episode
from regretless.histories.choices import legal_slots, read_choice
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
    """As it is written."""


def read_line(text: str, episode: Episode) -> list[Step]:
    """The steps of a line; the episode goes along. InputError points at what cannot be there."""
    steps = []
    for word in _words(text):
        if episode.is_terminal:
            raise word.error("the hand is over before this")
        if episode.actor == _native.CHANCE:
            steps.append(_deal(word, episode))
        else:
            steps.append(_choose(word, episode))
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


def slot_word(episode: Episode, slot: int) -> str:
    """How a line writes a slot here."""
    if not isinstance(episode, _native.PokerEpisode):
        return "".join(episode.slot_text(slot).split())
    action = episode.offer[slot]
    assert action is not None  # it is legal
    if action < 0:
        return "f"
    if action == 0:
        return "c" if episode.to_call > 0 else "x"
    if action == episode.bets[episode.actor] + episode.stacks[episode.actor]:
        return "a"
    return f"{'r' if max(episode.bets) > 0 else 'b'}{action}"


def pot_share(episode: "_native.PokerEpisode", amount: int) -> float:
    """Of a raise to an amount: its share of the pot after a call, in percent."""
    after_call = episode.bets[episode.actor] + episode.to_call
    return 100 * (amount - after_call) / (episode.pot + episode.to_call)


def _words(text: str) -> Iterator[Token]:
    for word in Token.whole(text).split(r"[\s|]+"):
        if word.text:
            yield word


def _choose(word: Token, episode: Episode) -> Step:
    slot = _slot(word, episode)
    step = Step(slot, (), slot_word(episode, slot))
    episode.choose(slot)
    return step


def _slot(word: Token, episode: Episode) -> int:
    share = _SHARE.fullmatch(word.text.lower())
    if share is None or not isinstance(episode, _native.PokerEpisode):
        try:
            return read_choice(word.text, episode)
        except InputError:
            raise word.error(f"not a choice here, where there are {_choices(episode)}") from None
    offer = episode.offer
    off = {
        slot: abs(pot_share(episode, amount) - float(share[1]))
        for slot in legal_slots(episode)
        if (amount := offer[slot] or 0) > 0
    }
    nearest = min(off, key=lambda slot: off[slot], default=None)
    if nearest is None or off[nearest] > max(_MOST_SHARE_OFF, 100 / episode.pot):
        raise word.error(f"no such size here, where there are {_choices(episode)}")
    return nearest


def _choices(episode: Episode) -> str:
    slots = legal_slots(episode)
    return ", ".join(f"{slot_word(episode, slot)} ({episode.slot_text(slot)})" for slot in slots)


def _deal(word: Token, episode: Episode) -> Step:
    assert isinstance(episode, _native.PokerEpisode)  # nothing else deals in public
    deck = episode.game.rules.deck
    try:
        cards = parse_card_token(word, deck)
    except InputError:
        raise word.error("a public card comes here, such as 7h") from None
    try:
        episode.deal_board(list(cards))
    except ValueError as error:
        raise word.error(str(error)) from None
    return Step(None, cards, format_cards(cards, deck))
