# SPDX-License-Identifier: MIT
"""/api/equity: what hands and ranges are worth against each other."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from regretless.equities import equity
from regretless.seats.descriptions import equity_json
from regretless.web.api.shared import Shared, example, make_router

router = make_router("/equity", "equity")


class EquityRequest(BaseModel):
    model_config = example(hands=["JsTs", "22"])

    hands: list[Annotated[str, Field(max_length=4000)]] = Field(min_length=2, max_length=9)
    """A hand or a range for each player: `JsTs`, `TT+,AKs:0.5`."""
    board: str = Field("", max_length=40)
    dead: str = Field("", max_length=200)
    rule: Literal["holdem", "short-deck", "omaha"] = "holdem"
    method: Literal["auto", "monte-carlo"] = "auto"
    """Auto counts all deals where that is quick, else draws `samples`."""
    samples: int = Field(200_000, ge=1, le=5_000_000)
    seed: int = Field(0, ge=0, lt=1 << 64)


class EquityAnswer(BaseModel):
    """By player, in the order given."""

    hands: list[str]
    rule: str
    board: str
    ranges: list[str]  # as understood
    combos: list[int]
    weights: list[float]
    method: str
    samples: int  # 0 if exact
    equities: list[float]  # shares of the pot, sum 1
    wins: list[float]
    ties: list[float]
    standard_errors: list[float]


@router.post("")
def find_equity(services: Shared, request: EquityRequest) -> EquityAnswer:
    """The share of the pot that each hand or range wins on average."""
    result = equity(**request.model_dump(), threads=1)
    return EquityAnswer(**equity_json(request.hands, result, request.rule))
