# SPDX-License-Identifier: MIT
"""The strategy at a node of a line of play, or at all nodes of a small game."""

from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, Field

from regretless.errors import InputError
from regretless.explorer.asked_nodes import ask_every_hand
from regretless.explorer.game_tree import InfosetPage, game_tree, infosets
from regretless.explorer.hand_filter import HandFilter
from regretless.explorer.node_text import equity_curves
from regretless.explorer.node_view import NodeView
from regretless.games.face import view, with_hands
from regretless.histories.lines import format_line, read_line
from regretless.seats.strategies import KeptStep
from regretless.web.api.shared import EntryId, Line, Shared, Unit, Whole, example, make_router
from regretless.web.trees import open_nodes, open_place, steps_of

router = make_router("", "strategies")

Names = Annotated[str, Field(max_length=400)]


class StrategyRequest(BaseModel):
    model_config = example(id="leduc", line="x r")

    id: str = Field(max_length=80)  # the id of an entry of the library
    line: Line = ""


class StrategyAnswer(BaseModel):
    """The strategy of every possible hand."""

    line: str  # in short
    seat: int  # whose turn it is
    seats: list[str]  # names of all
    public: dict[str, Any]  # board and pot, of poker
    slots: list[int]  # those that are legal
    words: list[str]  # the words of the actions in a line
    texts: list[str]  # the texts of the actions
    hands: list[list[int]]  # cards, or faces of dice
    names: list[str]  # the names of the hands; in hold'em by class: `AKs`
    probabilities: list[list[float]]  # [hands][slots], each row of sum 1
    weights: list[float]  # [hands], sum 1: how likely the seat holds it, by how it has played


class NodeRequest(StrategyRequest):
    step: Whole | None = Field(None, ge=0, le=1 << 53)  # the step of a kept checkpoint, for a run
    unit: Unit = None


class HandsRequest(NodeRequest):
    """A node, perhaps with some hands of one seat alone; docs/reports.md has the names."""

    seat: Whole | None = Field(None, ge=0, le=9)  # default: the seat to act
    made: Names = ""  # made hands between commas, `set,top-pair`
    draw: Names = ""  # draws between commas, `flush-draw,gutshot`
    suits: Names = ""  # `h`, `hh`, `hs`, `suited`, `offsuit`, `pair`
    action: Names = ""  # `b33` chosen at all, `b33:50%` at least half of the time

    def filtered(self, node: NodeView) -> NodeView:
        seat = max(node.actor, 0) if self.seat is None else self.seat
        if seat >= len(node.seats):
            raise InputError(f"seat: there are {len(node.seats)} here, from 0")
        return HandFilter(self.made, self.draw, self.suits, self.action).apply(node, seat)


class TreeRequest(NodeRequest):
    depth: Whole | None = Field(None, ge=1, le=100)  # steps; without it as many as fit
    most_hands: Whole | None = Field(None, ge=1, le=10_000)  # of each range, the likeliest


class InfosetsRequest(NodeRequest):
    hand: str = Field("", max_length=20)  # only hands with this in their names
    begin: Whole = Field(0, ge=0, le=1 << 40)
    count: Whole = Field(100, ge=1, le=200)


@router.post("/strategy")
def ask_strategy(services: Shared, request: StrategyRequest) -> StrategyAnswer:
    """Returns the strategy of every hand at a decision."""
    opened = services.library.opened(request.id)
    episode = with_hands(opened.strategy.game, "a line of play").episode_of()
    line = format_line(read_line(request.line, episode))
    with opened.lock:
        answers = ask_every_hand(episode, opened.strategy.policy)
    shown = view(episode)
    return StrategyAnswer(
        line=line,
        seats=shown.seat_names(),
        public=shown.public_json(),
        words=[shown.slot_word(slot) for slot in answers.slots],
        **answers.to_json(),
    )


@router.post("/node")
def ask_node(services: Shared, request: HandsRequest) -> dict[str, Any]:
    """Any node: ranges, grids, classes of hands, equity curves, and values where known."""
    opened = open_place(services, request.id, request.step)
    node = request.filtered(opened.node(request.line, unit=request.unit))
    return {**node.to_json(), "equity_curves": equity_curves(node)}


@router.post("/tree")
def ask_tree(services: Shared, request: TreeRequest) -> dict[str, Any]:
    """Returns the tree below a line: shares of actions, ranges and values, nested."""
    opened = open_nodes(services.library, request.id, request.step)
    ask = partial(opened.node, equities=False, unit=request.unit)
    most, depth, unit = opened.most_nodes, request.depth, request.unit
    tree = game_tree(opened.game, ask, request.line, most=most, depth=depth, unit=unit)
    return tree.to_json(request.most_hands)


@router.post("/infosets")
def list_infosets(services: Shared, request: InfosetsRequest) -> InfosetPage:
    """The infosets of a small game, those at and below a line, some at a time."""
    opened = open_nodes(services.library, request.id, request.step)
    asked = request.model_dump(include={"line", "hand", "begin", "count"})
    ask = partial(opened.node, equities=False, unit=request.unit)
    return infosets(opened.game, ask, **asked)


@router.get("/library/{id}/steps")
def list_steps(services: Shared, id: EntryId) -> tuple[KeptStep, ...]:
    """Checkpoints that a run has kept besides its newest strategy; none of anything else."""
    return steps_of(services.library, id)
