# SPDX-License-Identifier: MIT
"""/api/tables: seats for outside players at tables with bots, strategies and each other."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field

from regretless.errors import InputError
from regretless.web.api.errors import status_of
from regretless.web.api.shared import Shared
from regretless.web.seating import SeatKind, Wanted
from regretless.web.services import services_of_socket
from regretless.web.tables import Action, OpenTable

router = APIRouter(prefix="/tables", tags=["tables"])

TableId = Annotated[str, Path(max_length=64, description="Of a table.")]
SeatToken = Annotated[
    str | None, Header(alias="X-Seat-Token", max_length=200, description="Of a player.")
]

_CLOSE_CODES = {403: 4403, 404: 4404}  # of a socket


class PlayerRequest(BaseModel):
    """Who sits down."""

    kind: SeatKind = "outside"
    name: str = Field("", max_length=80)
    """Of somebody from outside what he is called, of a bot its name, of a strategy its id."""

    def wanted(self) -> Wanted:
        return Wanted(self.kind, self.name)


class TableRequest(BaseModel):
    """A table to open."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "players": [{"kind": "outside"}, {"kind": "bot", "name": "caller"}],
                    "game": "leduc",
                }
            ]
        }
    )

    players: list[PlayerRequest] = Field(min_length=2, max_length=10)
    """In the order of seats of the first hand; they move on by one from hand to hand."""
    game: str | None = Field(None, max_length=80)
    """A name of /api/games; that of the strategies if there are any, else no-limit hold'em."""
    auto: bool = False
    """Deal the next hand as soon as one has ended, without being asked."""
    hands: int | None = Field(None, ge=1, le=1_000_000)
    """So many at most."""
    seed: int | None = Field(None, ge=0, lt=1 << 64)
    """The same seed deals the same cards; only with one player from outside."""


class OpenedTable(BaseModel):
    table: str
    tokens: list[str | None]
    """Of the players from outside: whoever has one acts and sees for that player."""


class TablePlayerModel(BaseModel):
    name: str
    is_outside: bool
    seat: int
    """In the hand at hand."""
    total: int
    """Chips won so far."""


class TableState(BaseModel):
    """A table as one player sees it."""

    table: str
    hand: int
    version: int
    """Grows with every change."""
    num_finished: int
    is_done: bool
    is_closed: bool
    why_closed: str
    player: int | None
    is_turn: bool
    players: list[TablePlayerModel]
    unit: float
    """Chips of a big blind, or of an ante."""
    seen: dict[str, Any]
    """Cards, chips, choices and the log (docs/web.md)."""
    last: dict[str, Any] | None
    """The hand that ended last."""


class ActionRequest(BaseModel):
    """One of slot, amount and text."""

    slot: int | None = Field(None, ge=0, lt=1 << 31)
    amount: int | None = Field(None, ge=0, lt=1 << 62)
    """To bet or raise to, in all on this street; need not be on the menu."""
    text: str | None = Field(None, max_length=80)
    """As a person types it: `call`, `r250`, `75%`."""
    version: int | None = None
    """Of the state that was looked at: the action is refused if the table has gone on since."""


class DealRequest(BaseModel):
    hand: int = Field(ge=0, lt=1 << 62)
    """The hand that has ended; asking twice deals once."""


class HandsModel(BaseModel):
    hands: list[dict[str, Any]]


@router.post("", status_code=201)
async def open_table(services: Shared, request: TableRequest) -> OpenedTable:
    """Open a table and deal the first hand."""
    wanted = [each.wanted() for each in request.players]
    players = len(wanted) if not any(each.kind == "strategy" for each in wanted) else None
    game, seated = await services.work(lambda: services.seating.seat(wanted, request.game, players))
    made = await services.tables.create(
        game, seated, seed=request.seed, is_auto=request.auto, most_hands=request.hands
    )
    return OpenedTable(table=made.id, tokens=[each.token for each in made.players])


@router.get("/{table}")
async def see_table(services: Shared, table: TableId, token: SeatToken = None) -> TableState:
    """The table from the player's own seat, as soon as it waits for somebody from outside."""
    found = services.tables.find(table)
    player = services.tables.player(found, token)
    await services.tables.settle(found)
    return _state(found, player)


@router.post("/{table}/actions")
async def act(
    services: Shared, table: TableId, request: ActionRequest, token: SeatToken = None
) -> TableState:
    """Act. The answer is the table when it waits for somebody from outside again."""
    found = services.tables.find(table)
    player = services.tables.player(found, token)
    action = Action(request.slot, request.amount, request.text)
    await services.tables.act(found, player, action, request.version)
    return _state(found, player)


@router.post("/{table}/deal")
async def deal(
    services: Shared, table: TableId, request: DealRequest, token: SeatToken = None
) -> TableState:
    """Deal the next hand."""
    found = services.tables.find(table)
    player = services.tables.player(found, token)
    await services.tables.deal(found, request.hand)
    return _state(found, player)


@router.get("/{table}/hands")
async def list_hands(
    services: Shared,
    table: TableId,
    token: SeatToken = None,
    after: Annotated[int, Query(ge=-1, lt=1 << 62)] = -1,
) -> HandsModel:
    """The last hands that ended, with the cards that the player saw."""
    found = services.tables.find(table)
    player = services.tables.player(found, token)
    await services.tables.settle(found)
    return HandsModel(hands=[each for each in found.seen_hands(player) if each["hand"] > after])


@router.delete("/{table}")
async def close_table(services: Shared, table: TableId, token: SeatToken = None) -> TableState:
    """Leave and close the table; a hand that is not over counts for nothing."""
    found = services.tables.find(table)
    player = services.tables.player(found, token)
    await services.tables.close(found)
    return _state(found, player)


@router.websocket("/{table}/events")
async def watch_table(socket: WebSocket, table: str, seat_token: str = "") -> None:
    """The state now, and again after every change; a slow reader gets the newest only."""
    services = services_of_socket(socket)
    token = socket.headers.get("x-seat-token") or seat_token
    await socket.accept()
    try:
        found = services.tables.find(table)
        player = services.tables.player(found, token)
    except InputError as error:
        status = status_of(error)
        await socket.close(_CLOSE_CODES.get(status, 4400), str(error)[:120])
        return
    if found.num_watchers >= services.settings.limits.sockets:
        await socket.close(4429, "this table has as many sockets as the server allows")
        return
    found.num_watchers += 1
    listening = asyncio.create_task(_until_left(socket))
    try:
        await _tell(socket, found, player, listening)
    except (WebSocketDisconnect, RuntimeError):
        pass  # whoever listened has left, and comes back with the same token
    finally:
        found.num_watchers -= 1
        listening.cancel()


async def _tell(
    socket: WebSocket,
    found: OpenTable,
    player: int,
    listening: "asyncio.Task[None]",
) -> None:
    told = -1
    while not listening.done():
        changed = found.changed
        await found.settled.wait()
        if found.version != told:
            told = found.version
            await socket.send_json(found.state(player))
            if found.is_closed:
                await socket.close(1000, found.why_closed)
                return
            continue
        waiting = asyncio.create_task(changed.wait())
        await asyncio.wait({waiting, listening}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()


async def _until_left(socket: WebSocket) -> None:
    """What a client sends is not read."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


def _state(table: OpenTable, player: int) -> TableState:
    return TableState.model_validate(table.state(player))
