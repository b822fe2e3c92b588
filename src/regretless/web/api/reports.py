# SPDX-License-Identifier: MIT
"""/api/runouts and /api/comparison: tables over next cards, and of two solutions."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from regretless.explorer.comparison import Comparison
from regretless.explorer.runouts import find_runouts, mean_runout
from regretless.web.api.shared import Line, Shared, Whole, example, make_router
from regretless.web.trees import solved_place

router = make_router("", "reports")


class RunoutsRequest(BaseModel):
    model_config = example(id="leduc", line="x x")

    id: str = Field(max_length=80)  # the id of a solved entry of the library, or solve/JOB
    line: Line = ""  # ends where a card is due
    then: Line = ""  # actions after the card


class RunoutsAnswer(BaseModel):
    """Rows of figures by card, and their mean."""

    cards: list[dict[str, Any]]  # card, cards, weight, actions, `ev SEAT`, `equity SEAT`
    mean: dict[str, Any]


class ComparisonRequest(BaseModel):
    model_config = example(first="leduc", second="leduc", by="nodes")

    first: str = Field(max_length=80)  # a solved entry of the library, or solve/JOB: A
    second: str = Field(max_length=80)  # another: B
    line: Line = ""
    by: Literal["actions", "ranges", "hands", "made", "draw", "classes", "runouts", "nodes"] = (
        "actions"
    )
    seat: Whole | None = Field(None, ge=0, le=1)  # of hands and classes; default: the seat to act


class ComparisonAnswer(BaseModel):
    """Rows of figures of both, the largest difference first."""

    settings: dict[str, list[Any]]  # rules and options that differ: A, B
    rows: list[dict[str, Any]]  # `NAME A`, `NAME B`, `distance`, differences as B minus A


@router.post("/runouts")
def list_runouts(services: Shared, request: RunoutsRequest) -> RunoutsAnswer:
    """Every next card after a line: frequencies of actions, EV and equity of both players."""
    tree = solved_place(services, request.id)
    rows = [each.row() for each in find_runouts(tree, request.line, request.then)]
    return RunoutsAnswer(cards=rows, mean=mean_runout(rows))


@router.post("/comparison")
def compare(services: Shared, request: ComparisonRequest) -> ComparisonAnswer:
    """Compares two solutions at a line, as `regretless compare-spots`."""
    one, two = (solved_place(services, id) for id in (request.first, request.second))
    found = Comparison.at(one, two, request.line)
    settings = {name: list(pair) for name, pair in found.settings.items()}
    return ComparisonAnswer(settings=settings, rows=found.table(request.by, request.seat))
