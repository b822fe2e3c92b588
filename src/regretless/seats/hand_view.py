# SPDX-License-Identifier: MIT
"""One hand at a time, for bots that would rather not think in batches: `act(view)`, and slower."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.notation.cards import card_names
from regretless.policies.policy import Needs, Probabilities
from regretless.seats.bets import bet_probabilities

_NOT_DEALT = 255


@dataclass(frozen=True)
class HandView:
    """The table as the seat to act sees it."""

    seat: int
    """The seat to act; seats are numbered in the order of play, the last is the button."""
    hole: list[str]
    """The cards of the seat, `["As", "Kd"]`, or its dice."""
    board: list[str]
    street: int
    """The street, from 0."""
    pot: int
    """All chips that were put in."""
    to_call: int
    stacks: list[int]
    """Chips behind, by seat."""
    bets: list[int]
    """Chips bet on this street, by seat."""
    live: list[bool]
    """Whether each seat has not folded."""
    choices: dict[str, int]
    """The legal slots by name: -1 folds, 0 checks or calls, else what it raises to."""
    least_raise: int
    """The smallest legal raise; 0 without one."""
    most_raise: int
    history: list[tuple[int, int, int]] = field(repr=False)
    """Seat, street and action of every step so far; actions as in `choices`."""
    strength: float
    """The share of hands that the seat's hand beats, by what it sees."""


class OneHandBot(Protocol):
    """A bot that is asked about one hand at a time."""

    def act(self, view: HandView) -> str | float | Mapping[str, float]:
        """The name of a slot, an amount to raise to, or a probability for names of slots."""


@dataclass(frozen=True)
class HandByHand:
    """The policy of a bot that answers hand by hand."""

    needs: ClassVar[Needs] = Needs(chips=True, table=True, history=True)

    bot: OneHandBot
    game: Game
    name: str

    def __call__(self, questions: _native.Questions) -> Probabilities:
        names = self.game.action_names
        rows = np.zeros(questions.legal.shape, np.float32)
        amounts = np.zeros(len(questions))
        are_amounts = np.zeros(len(questions), bool)
        for row, view in enumerate(hand_views(questions, self.game)):
            answer = self.bot.act(view)
            if isinstance(answer, Mapping):
                for name, chance in answer.items():
                    rows[row, _slot(name, names)] = chance
            elif isinstance(answer, str):
                rows[row, self._legal_slot(answer, view, names)] = 1
            elif self.game.deck is None:
                raise InputError(f"act(view) must answer the name of a slot, not {answer!r}")
            else:
                amounts[row], are_amounts[row] = _amount(answer), True
        if are_amounts.any():
            rows[are_amounts] = bet_probabilities(questions, amounts)[are_amounts]
        return rows

    def _legal_slot(self, name: str, view: HandView, names: list[str]) -> int:
        if name in ("check", "fold") and view.to_call == 0 and self.game.deck is not None:
            name = "call"  # as the menu has it; where there is no bet, folding is checking
        if name not in view.choices and name in names:
            raise InputError(f"act(view) answers {name!r}, which is not legal there")
        return _slot(name, names)


def hand_views(questions: _native.Questions, game: Game) -> Iterator[HandView]:
    """Each row as the seat to act sees it."""
    cards, strengths = card_names(game.deck), questions.hand_strengths
    steps = list(
        zip(
            questions.step_actors.tolist(),
            questions.step_streets.tolist(),
            questions.step_actions.tolist(),
            strict=True,
        )
    )
    offsets = questions.step_offsets.tolist()
    for row in range(len(questions)):
        offers = questions.offers[row].tolist()
        yield HandView(
            seat=int(questions.actors[row]),
            hole=[cards[card] for card in questions.hole_cards[row]],
            board=[cards[card] for card in questions.boards[row] if card != _NOT_DEALT],
            street=int(questions.streets[row]),
            pot=int(questions.pots[row]),
            to_call=int(questions.to_calls[row]),
            stacks=questions.seat_stacks[row].tolist(),
            bets=questions.seat_bets[row].tolist(),
            live=questions.live[row].tolist(),
            choices={
                name: action
                for name, action in zip(game.action_names, offers, strict=True)
                if action != -2
            },
            least_raise=int(questions.least_raises[row]),
            most_raise=int(questions.most_raises[row]),
            history=steps[offsets[row] : offsets[row + 1]],
            strength=float(strengths[row]),
        )


def _slot(name: str, names: list[str]) -> int:
    if name not in names:
        raise InputError.unknown(f"act(view) answers {name!r}, which is no slot", name, names)
    return names.index(name)


def _amount(answer: object) -> float:
    if isinstance(answer, bool) or not isinstance(answer, int | float | np.number):
        raise InputError(
            "act(view) must answer the name of a slot, an amount, or names with probabilities, "
            f"not {answer!r}"
        )
    return float(answer)
