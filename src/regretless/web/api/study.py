# SPDX-License-Identifier: MIT
"""/api/study: a node as compact columns, for a page that shows it at once and filters by itself."""

import json
from typing import Any

import numpy as np
from fastapi.responses import Response
from pydantic import BaseModel, Field

from regretless.errors import InputError
from regretless.explorer.node_text import class_places, has_classes, range_of
from regretless.explorer.node_view import Choice, NodeView, Numbers, SeatRange, known
from regretless.games.amounts import Amounts
from regretless.games.face import view
from regretless.histories.lines import LineSpot, go, spots_of
from regretless.notation.made_hands import DRAWS, MADE
from regretless.notation.omaha_classes import CLASS_NAMES
from regretless.web.api.shared import Line, Shared, Unit, Whole, example, make_router
from regretless.web.trees import OpenedNodes, open_place

router = make_router("/study", "study")

_DIGITS = 4


class StudyRequest(BaseModel):
    model_config = example(id="leduc", line="x r")

    id: str = Field(max_length=80)  # the id of an entry of the library, or solve/JOB
    line: Line = ""
    step: Whole | None = Field(None, ge=0, le=1 << 53)  # the step of a kept checkpoint, for a run
    unit: Unit = None
    newest: bool = False  # whether a solve that runs is asked for its present strategy


@router.post("")
def study(services: Shared, request: StudyRequest) -> Response:
    """Returns a node: the line with its choices, and columns of all hands of every seat.

    Classes of hands are numbers of `made_names`, `draw_names` and `group_names`; `draws` has a
    bit for each draw. Equities take longer: /api/study/equities has them.
    """
    opened = open_place(services, request.id, request.step, newest=request.newest)
    node = opened.node(request.line, equities=False, unit=request.unit)
    amounts = Amounts.of(opened.game, request.unit)
    spots = spots_of(opened.game, node.steps, amounts)
    return _answer(
        {
            **_origin(opened),
            **_state(opened, node, amounts),
            "spots": [_spot(each) for each in spots],
            "seats": [_seat(node, each) for each in node.seats],
            "choices": [_choice(each) for each in node.choices],
            "cards": [[each.card, [known(value) for value in each.values]] for each in node.cards],
            "made_names": MADE,
            "draw_names": DRAWS,
            "group_names": CLASS_NAMES if has_classes(node) else [],
        }
    )


@router.post("/equities")
def find_equities(services: Shared, request: StudyRequest) -> Response:
    """Returns the equities of all hands of every seat; null where they are not known."""
    opened = open_place(services, request.id, request.step)
    found = opened.node(request.line, equities=False, unit=request.unit).find_equities()
    return _answer({"equities": None if found is None else [_column(each) for each in found]})


class RangeRequest(StudyRequest):
    seat: Whole = Field(0, ge=0, le=9)


class RangeAnswer(BaseModel):
    """A range."""

    text: str  # as docs/notation.md has it, `QQ+,AKs:0.5`


@router.post("/range")
def write_range(services: Shared, request: RangeRequest) -> RangeAnswer:
    """Returns the range of a seat as text."""
    opened = open_place(services, request.id, request.step)
    node = opened.node(request.line, equities=False)
    if request.seat >= len(node.seats):
        raise InputError(f"seat: there are {len(node.seats)} here, from 0")
    return RangeAnswer(text=str(range_of(opened.game, node.seats[request.seat])))


@router.post("/tree")
def next_actions(services: Shared, request: StudyRequest) -> Response:
    """Returns the actions at a node and the answers to each: rows with depth, share and EV."""
    opened = open_place(services, request.id, request.step)

    def asked(line: str) -> tuple[NodeView, LineSpot]:
        node = opened.node(line, equities=False, unit=request.unit)
        amounts = Amounts.of(opened.game, request.unit)
        return node, spots_of(opened.game, node.steps, amounts)[-1]

    rows: list[dict[str, Any]] = []
    here, spot = asked(request.line)
    for choice, to in zip(here.choices, spot.choices, strict=True):
        rows.append(_row(here, choice, to.line, 0))
        below, next_spot = asked(to.line)
        pairs = zip(below.choices, next_spot.choices, strict=True)
        rows += [_row(below, each, there.line, 1) for each, there in pairs]
    return _answer({"rows": rows})


def _row(node: NodeView, choice: Choice, line: str, depth: int) -> dict[str, Any]:
    share, value = known(choice.share), known(choice.value)
    names = {"line": line, "depth": depth, "seat": node.acting.name, "text": choice.text}
    return {**names, "word": choice.word, "share": share, "ev": value}


def _origin(opened: OpenedNodes) -> dict[str, Any]:
    entry = opened.entry
    return {
        "name": opened.name,
        "game": opened.game.name,
        "strength": opened.strength,
        "kind": entry.kind if entry is not None else "solve",
        "is_solved": opened.is_solved,
        "is_spot": opened.is_spot,
    }


def _state(opened: OpenedNodes, node: NodeView, amounts: Amounts) -> dict[str, Any]:
    episode = opened.game.episode_of()
    for step in node.steps:
        go(episode, step)
    shown = view(episode)
    players = range(opened.game.num_players) if shown.poker is not None else ()
    return {
        "line": node.line,
        "board": node.board,
        "street": node.street,
        "actor": node.actor,
        "pot": node.pot,
        "to_call": node.to_call,
        "unit": node.unit,
        "ranks": node.ranks,
        "cards_due": node.cards_due,
        "hands_in_all": node.hands_in_all,
        "behind": [amounts.of_chips(shown.stack(each)) for each in players],
    }


def _spot(spot: LineSpot) -> dict[str, Any]:
    choices = [[each.word, each.text, each.line] for each in spot.choices]
    return {**vars(spot), "choices": choices}


def _seat(node: NodeView, seat: SeatRange) -> dict[str, Any]:
    classes = node.made_hands(seat.seat)
    found: dict[str, Any] = {
        "name": seat.name,
        "combos": seat.combos,
        "ev": known(seat.value),
        "hands": seat.hands,
        "weights": _column(seat.weights),
        "shares": _column(seat.shares, _DIGITS + 2),
        "values": _column(seat.values),
    }
    if classes is not None:
        bits = classes.draws @ (1 << np.arange(len(DRAWS)))
        found |= {"made": classes.made.tolist(), "draws": bits.tolist()}
    if has_classes(node):
        found["groups"] = class_places(node, seat.seat).tolist()
    return found


def _choice(choice: Choice) -> dict[str, Any]:
    names = {"word": choice.word, "text": choice.text}
    figures = {"share": known(choice.share), "ev": known(choice.value)}
    return {**names, **figures, "mix": _column(choice.mix), "values": _column(choice.values)}


def _column(numbers: Numbers, digits: int = _DIGITS) -> list[float | None]:
    """The numbers, rounded; None for those that are unknown."""
    rounded = np.round(numbers, digits).astype(object)
    rounded[~np.isfinite(numbers)] = None
    found: list[float | None] = rounded.tolist()
    return found


def _answer(content: dict[str, Any]) -> Response:
    """Writes plain values, which need no check, at once."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return Response(text, media_type="application/json")
