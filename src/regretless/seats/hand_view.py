# SPDX-License-Identifier: MIT
"""One hand at a time, for bots that would rather not think in batches: `act(view)`, and slower.

Their bets in chips, and those of other bots, are mapped to the slots of the menu.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.menus import CALL_SLOT, FOLD_SLOT
from regretless.games.translation import FOLD
from regretless.notation.cards import card_names
from regretless.policies.policy import Needs, Probabilities

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


def bet_probabilities(
    questions: _native.Questions, amounts: NDArray[np.number]
) -> NDArray[np.float32]:
    """Maps bets in chips to the menu: probabilities of the slots, [batch, actions].

    An amount is the actor's total bet on this street (a raise *to*); 0 checks or calls; -1 folds,
    or checks where nothing is to call. An amount outside the rules becomes the nearest legal one,
    or a call where no raise is legal. An amount between two slots is mapped pseudo-harmonically by
    shares of the pot (Ganzfried and Sandholm 2013). Questions need `Needs(table=True)`.
    """
    wanted = np.asarray(amounts, np.float64)
    if wanted.shape != (len(questions),):
        raise InputError(f"amounts: must be [{len(questions)}], not {list(wanted.shape)}")
    if not (np.isfinite(wanted).all() and ((wanted >= 0) | (wanted == FOLD)).all()):
        raise InputError("amounts: must be -1 (fold), 0 (check or call) or chips to raise to")
    rows = np.arange(len(wanted))
    legal, most = questions.legal, questions.most_raises
    answer = np.zeros(legal.shape, np.float32)
    folds = (wanted == FOLD) & legal[:, FOLD_SLOT]
    raises = (wanted > 0) & (most > 0)
    answer[rows, np.where(folds, FOLD_SLOT, CALL_SLOT)] = ~raises
    if raises.any():
        low, high, chance = _between(questions, np.clip(wanted, questions.least_raises, most))
        answer[rows[raises], low[raises]] += chance[raises]
        answer[rows[raises], high[raises]] += (1 - chance)[raises]
    return answer


def _between(
    questions: _native.Questions, wanted: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The slots below and above each amount, and the probability of the one below.

    A check or call counts as a bet of 0; above the highest slot there is only that one.
    """
    rows = np.arange(len(wanted))
    faced = questions.seat_bets.max(axis=1).astype(np.float64)
    to = questions.offers.astype(np.float64)
    to[:, FOLD_SLOT], to[:, CALL_SLOT] = np.nan, faced
    to[~questions.legal] = np.nan
    below = np.where(to <= wanted[:, None], to, -np.inf)
    above = np.where(to >= wanted[:, None], to, np.inf)
    below[:, CALL_SLOT] = faced  # also where the least raise is no more than a call
    above[:, CALL_SLOT] = np.inf
    low, high = below.argmax(axis=1), above.argmin(axis=1)
    high = np.where(np.isinf(above[rows, high]), low, high)
    pots = np.maximum(questions.pots + questions.to_calls, 1)
    share_low, share_high, share = (
        (each - faced) / pots for each in (below[rows, low], to[rows, high], wanted)
    )
    gap = np.where(high == low, 1, share_high - share_low)
    chance = (share_high - share) * (1 + share_low) / (gap * (1 + share))
    return low, high, np.where(high == low, 1.0, np.clip(chance, 0, 1))
