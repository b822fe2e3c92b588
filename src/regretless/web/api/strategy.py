# SPDX-License-Identifier: MIT
"""/api/strategy and /api/node: what a strategy does at a place that a line of play leads to."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from regretless.games.loading import with_hands
from regretless.players.asking import ask_every_hand
from regretless.telling.lines import format_line, read_line, slot_word
from regretless.telling.views import view
from regretless.web.api.shared import Line, Shared
from regretless.web.library import Library

router = APIRouter(tags=["strategies"])


class StrategyRequest(BaseModel):
    id: str = Field(max_length=80)
    """Of an entry in the library."""
    line: Line = ""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "leduc", "line": "x r"}]})


class StrategyAnswer(BaseModel):
    """What is done with every hand that the board leaves."""

    line: str
    """In short."""
    seat: int
    """Whose turn it is."""
    seats: list[str]
    """Names of all."""
    public: dict[str, Any]
    """Board and pot, of poker."""
    slots: list[int]
    """Those that are legal."""
    words: list[str]
    """How a line writes each of them."""
    texts: list[str]
    """What each of them means here."""
    hands: list[list[int]]
    """Cards, or faces of dice."""
    names: list[str]
    """Of the hands; those of hold'em by class: `AKs`."""
    probabilities: list[list[float]]
    """[hands][slots], each row of sum 1."""
    weights: list[float]
    """[hands], sum 1: how likely the seat holds it, by how it has played."""


@router.post("/strategy")
async def ask_strategy(services: Shared, request: StrategyRequest) -> StrategyAnswer:
    """What a bundle, a run or a file does at a decision, with every hand."""
    return await services.work(lambda: _answer(services.library, request))


@router.post("/node")
async def ask_node(services: Shared, request: StrategyRequest) -> dict[str, Any]:
    """Any node of a solved spot or of a small game: ranges, mixes, equities and values."""

    return await services.work(
        lambda: services.library.solved(request.id).node(request.line).to_json()
    )


def _answer(library: Library, request: StrategyRequest) -> StrategyAnswer:
    opened = library.opened(request.id)
    episode = with_hands(opened.strategy.game, "a line of play").episode_of()
    line = format_line(read_line(request.line, episode))
    with opened.lock:
        answers = ask_every_hand(episode, opened.strategy.policy)
    shown = view(episode)
    return StrategyAnswer(
        line=line,
        seats=shown.seat_names(),
        public=shown.public_json(),
        words=[slot_word(episode, slot) for slot in answers.slots],
        **answers.to_json(),
    )
