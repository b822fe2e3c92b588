# SPDX-License-Identifier: MIT
"""/api/practice: one decision of a strategy to practise, with the grade of every choice.

The strategy is public, so the grades travel with the exercise: a client sends no figures back.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from regretless.errors import InputError
from regretless.explorer.node_view import known
from regretless.games.face import view
from regretless.notation.cards import format_cards
from regretless.tables.drill import DecisionKind, Drill, Exercise
from regretless.web.api.shared import Line, Shared, Whole, example, make_router
from regretless.web.trees import OpenedNodes, open_place

router = make_router("/practice", "practice")

_MOST_HANDS = 200  # played to find a decision of a rare kind

Wish = Annotated[str, Field(max_length=40)]


class PracticeRequest(BaseModel):
    model_config = example(id="leduc", position="seat 1", seed=7)

    id: str = Field(max_length=80)  # the id of an entry of the library, or solve/JOB
    unit: Literal["bb", "chips"] | None = None
    seed: Whole = Field(0, ge=0, le=1 << 53)  # the same seed draws the same exercise
    street: Wish = ""  # only decisions on this street; `offers` of an answer has all values
    position: Wish = ""  # only of this seat
    pot: Wish = ""  # only in pots of this kind: limped, single-raised, 3-bet, 4-bet
    facing: Wish = ""  # only against nothing (`none`), a bet or a raise
    line: Line | None = None  # always at the end of this line; the fields above do not count
    hand: str = Field("", max_length=20)  # with a `line`: always with this hand


class SeatModel(BaseModel):
    name: str
    is_live: bool
    stack: float | None  # chips behind, in the unit; null outside poker
    bet: float | None  # on this street


class MoveModel(BaseModel):
    seat: int  # -1 where cards came
    text: str  # the action; `flop Jc9d7c` where cards came


class ChoiceModel(BaseModel):
    """A choice with its grade; figures that are not known are null."""

    word: str
    text: str
    mix: float  # how often the strategy makes it with this hand
    ev: float | None
    lost: float | None  # EV lost against the best choice
    lost_share: float | None  # the same as a share of the pot
    is_good: bool


class ExerciseModel(BaseModel):
    """A decision to practise."""

    id: str
    name: str
    game: str
    strength: str  # in one line
    is_valued: bool  # whether choices are graded by EV, else by the mix
    unit: str
    line: str
    hand: str
    seat: int  # the actor
    street: str
    position: str
    pot_kind: str
    facing: str
    board: str
    pot: float
    to_call: float
    seats: list[SeatModel]
    moves: list[MoveModel]
    choices: list[ChoiceModel]
    best: int  # the number of the best choice
    offers: dict[str, list[str]]  # values of street, position, pot and facing in this game


@router.post("")
def draw_exercise(services: Shared, request: PracticeRequest) -> ExerciseModel:
    """Draws a decision as often as it occurs in self-play, or one at a `line`, and grades it."""
    opened = open_place(services, request.id)
    drill = Drill(opened.nodes, request.unit)
    return _model(request.id, opened, drill, _exercise(opened, drill, request))


def _exercise(opened: OpenedNodes, drill: Drill, request: PracticeRequest) -> Exercise:
    if request.line is not None:
        with opened.lock:
            if request.hand:
                return drill.of(request.line, request.hand)
            return drill.at(request.line, request.seed)
    wanted = DecisionKind(request.street, request.position, request.pot, request.facing)
    drill.check(wanted)
    for number in range(_MOST_HANDS):
        with opened.lock:
            found = drill.draw(wanted, request.seed, number)
        if found is not None:
            return found
    raise InputError(f"no such decision in {_MOST_HANDS} hands: choose fewer filters, or go on")


def _model(id: str, opened: OpenedNodes, drill: Drill, found: Exercise) -> ExerciseModel:
    shown, episode, kind = view(found.episode), found.episode, found.kind
    in_unit, deck = drill.amounts.of_chips, drill.game.deck
    poker = shown.poker
    seats = [
        SeatModel(
            name=name,
            is_live=episode.live[seat],
            stack=None if poker is None else in_unit(poker.stacks[seat]),
            bet=None if poker is None else in_unit(poker.bets[seat]),
        )
        for seat, name in enumerate(drill.names)
    ]
    choices = [
        ChoiceModel(
            word=each.word,
            text=each.text,
            mix=each.mix,
            ev=known(each.value),
            lost=known(each.lost),
            lost_share=known(each.lost_share),
            is_good=each.is_good,
        )
        for each in found.choices
    ]
    return ExerciseModel(
        id=id,
        name=opened.name,
        game=opened.game.name,
        strength=opened.strength,
        is_valued=all(each.lost is not None for each in choices),
        unit=drill.amounts.name,
        line=found.line,
        hand=found.hand,
        seat=episode.actor,
        street=kind.street,
        position=kind.position,
        pot_kind=kind.pot,
        facing=kind.facing,
        board="" if deck is None else format_cards(list(episode.board), deck),
        pot=in_unit(shown.pot),
        to_call=in_unit(shown.to_call),
        seats=seats,
        moves=[MoveModel(seat=seat, text=text) for seat, text in drill.moves(found)],
        choices=choices,
        best=found.best,
        offers=drill.offers(),
    )
