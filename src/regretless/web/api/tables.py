# SPDX-License-Identifier: MIT
"""/api/tables: tables of outside players, bots and strategies."""

import asyncio
from dataclasses import asdict
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Header, Path, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass

from regretless.errors import InputError
from regretless.tables.review import ReviewedChoice
from regretless.web.api.shared import Shared, Whole, example, make_router, status_of
from regretless.web.play.finished_hands import Session
from regretless.web.play.open_table import Action, OpenTable, SessionResult, TableState
from regretless.web.play.opponents import Opponent, opponents
from regretless.web.play.seating import ReviewedDecision, Wanted
from regretless.web.play.tables import Tables

router = make_router("/tables", "tables")
opponents_router = make_router("/opponents", "tables")

HandNumber = Annotated[int, Path(ge=0, lt=1 << 62, description="Of a hand, from 0.")]
TableId = Annotated[str, Path(max_length=64, description="Of a table.")]
SeatToken = Annotated[
    str | None, Header(alias="X-Seat-Token", max_length=200, description="Of a player.")
]


class Seated(NamedTuple):
    """The player of a request, at an open table."""

    table: OpenTable
    player: int

    def state(self) -> TableState:
        return self.table.state(self.player)


async def _seated(services: Shared, table: TableId, token: SeatToken = None) -> Seated:
    found = services.tables.find(table)
    return Seated(found, services.tables.player(found, token))


async def _session(services: Shared, table: TableId, token: SeatToken = None) -> Session:
    """The session of an open or closed table: from memory if complete, else from the file."""
    found = services.tables.open.get(table)
    if found is not None:
        player = services.tables.player(found, token)
        await services.tables.settle(found)
        if found.has_all:
            return found.session(player)
    return await services.work(services.tables.filed, table, token)


AtTable = Annotated[Seated, Depends(_seated)]
AnySession = Annotated[Session, Depends(_session)]

_PROTOCOL = "regretless"  # of a socket that names its token as a second protocol
_CLOSE_CODES = {403: 4403, 404: 4404}  # of a socket


class TableRequest(BaseModel):
    """A table to open."""

    model_config = example(
        players=[{"kind": "outside"}, {"kind": "bot", "name": "caller"}], game="leduc"
    )

    players: list[Wanted] = Field(min_length=2, max_length=10)
    """In the order of seats of the first hand; players move by one seat from hand to hand."""
    game: str | None = Field(None, max_length=80)
    """A name of /api/games; default: the game of the strategies, else no-limit hold'em."""
    auto: bool = False  # deals the next hand without a request
    hands: Whole | None = Field(None, ge=1, le=1_000_000)  # the most hands that are played
    stacks: list[Annotated[Whole, Field(ge=1, le=1 << 40)]] | None = Field(None, max_length=10)
    """Chips by seat, or one number for all, in a game that is named; default: its rules."""
    seed: Whole | None = Field(None, ge=0, lt=1 << 64)
    """Equal seeds deal equal cards; allowed with one outside player only."""


class OpenedTable(BaseModel):
    table: str
    tokens: list[str | None]
    """One token per outside player; a request with a token acts and sees for that player."""


@dataclass(frozen=True)
class ActionRequest(Action):
    """One of slot, amount and text."""

    version: Whole | None = None
    """The version that the client has seen; an action on an older version is refused."""


class DealRequest(BaseModel):
    hand: Whole = Field(
        ge=0, lt=1 << 62
    )  # the number of the finished hand; asking twice deals once


class HandPlayer(BaseModel):
    """A player in a finished hand."""

    name: str
    seat: int
    position: str  # such as `BTN`
    cards: str | None  # None where you did not see them
    won: int  # chips; negative if lost


class HandAction(BaseModel):
    """An action of a finished hand."""

    seat: int
    street: str  # such as `flop`
    action: str  # the action in words: `raise to 300`
    chips: int | None  # chips that the seat put in; None in games without chips


class HandModel(BaseModel):
    """A finished hand as you saw it; all amounts are chips."""

    hand: int
    table: str
    board: str
    street: str  # the last one that was played
    seat: int  # your seat
    players: list[HandPlayer]  # by seat
    actions: list[HandAction]
    unit: str = "chips"


class HandsModel(BaseModel):
    hands: list[HandModel]
    chips_per_unit: float  # chips of a big blind, or of an ante
    session: SessionResult  # the result over all hands, not only over those that are listed


class ReplayModel(BaseModel):
    hand: HandModel
    steps: list[dict[str, Any]]  # the visible state after the deal and after every action


class ReviewRequest(BaseModel):
    model_config = example(name="pot-odds")

    name: str = Field(max_length=80)  # a bot, or the id of a strategy for the game of the table


class ReviewModel(BaseModel):
    choices: list[ReviewedChoice]


class SessionReviewRequest(ReviewRequest):
    most: Whole = Field(50, ge=1, le=200)  # hands, the last ones


class SessionReviewModel(BaseModel):
    decisions: list[ReviewedDecision]  # the worst first


class OpponentsModel(BaseModel):
    opponents: list[Opponent]  # strategies, then bots


@router.post("", status_code=201)
async def open_table(services: Shared, request: TableRequest, asked: Request) -> OpenedTable:
    """Opens a table and deals the first hand."""
    seat = services.seating.seat
    game, seated = await services.work(seat, request.players, request.game, request.stacks)
    made = await services.tables.create(
        game,
        seated,
        seed=request.seed,
        is_auto=request.auto,
        most_hands=request.hands,
        client=asked.client.host if asked.client else None,
    )
    return OpenedTable(table=made.id, tokens=[each.token for each in made.players])


@router.get("/{table}")
async def see_table(services: Shared, seated: AtTable) -> TableState:
    """Returns the table as the player sees it, once an outside player is to act."""
    await services.tables.settle(seated.table)
    return seated.state()


@router.post("/{table}/actions")
async def act(services: Shared, seated: AtTable, request: ActionRequest) -> TableState:
    """Acts, and returns the table once an outside player is to act again."""
    await services.tables.act(seated.table, seated.player, request, request.version)
    return seated.state()


@router.post("/{table}/deal")
async def deal(services: Shared, seated: AtTable, request: DealRequest) -> TableState:
    """Deals the next hand."""
    await services.tables.deal(seated.table, request.hand)
    return seated.state()


@router.delete("/{table}")
async def close_table(services: Shared, seated: AtTable) -> TableState:
    """Closes the table; an unfinished hand does not count."""
    await services.tables.close(seated.table)
    return seated.state()


@router.get("/{table}/hands")
async def list_hands(
    services: Shared,
    session: AnySession,
    after: Annotated[int, Query(ge=-1, lt=1 << 62)] = -1,
    most: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> HandsModel:
    """Returns the last finished hands as the player saw them; also of a closed table."""
    won = await services.work(lambda: session.won)
    result = SessionResult.of(won, session.game)
    hands = await services.work(session.hands, after, most)
    shown = [HandModel(**each) for each in hands]
    return HandsModel(hands=shown, chips_per_unit=session.game.unit, session=result)


@router.get("/{table}/phhs", responses={200: {"content": {"text/plain": {}}}})
async def download_hands(services: Shared, session: AnySession) -> PlainTextResponse:
    """Returns all hands, as the player saw them, as a PHH file; also of a closed table."""
    named = {"content-disposition": 'attachment; filename="hands.phhs"'}
    return PlainTextResponse(await services.work(session.phhs), headers=named)


@router.get("/{table}/hands/{hand}")
async def replay_hand(services: Shared, session: AnySession, hand: HandNumber) -> ReplayModel:
    """Returns a hand step by step; also of a closed table."""
    steps = await services.work(session.steps, hand)
    return ReplayModel(hand=HandModel(**session.shown(session.row(hand))), steps=steps)


@router.post("/{table}/hands/{hand}/review")
async def review_hand(
    services: Shared, session: AnySession, hand: HandNumber, request: ReviewRequest
) -> ReviewModel:
    """Compares the player's decisions with a bot or a strategy."""
    review = services.seating.review
    return ReviewModel(choices=await services.work(review, session, hand, request.name))


@router.post("/{table}/review")
async def review_session(
    services: Shared, session: AnySession, request: SessionReviewRequest
) -> SessionReviewModel:
    """Compares all decisions of the last hands with a bot or a strategy; the worst first."""
    review = services.seating.review_all
    found = await services.work(review, session, request.name, request.most)
    return SessionReviewModel(decisions=found)


@opponents_router.get("")
def list_opponents(services: Shared) -> OpponentsModel:
    """Everybody who can sit at a table: style and strength in words."""
    return OpponentsModel(opponents=opponents(services.library))


class SocketRequest(BaseModel):
    """A message of a client: an action, or a request for the next hand."""

    model_config = ConfigDict(extra="forbid")

    act: ActionRequest | None = None
    deal: DealRequest | None = None


@router.websocket("/{table}/events")
async def watch_table(
    services: Shared, socket: WebSocket, table: str, seat_token: str = ""
) -> None:
    """Sends the state now and after every change; a slow reader gets the newest only.

    Messages act as the HTTP requests do; only errors are answered.
    """
    named = socket.scope.get("subprotocols", [])  # browsers can send no header, but these
    token = socket.headers.get("x-seat-token") or seat_token or "".join(named[1:2])
    await socket.accept(_PROTOCOL if _PROTOCOL in named else None)
    try:
        found = services.tables.find(table)
        player = services.tables.player(found, token)
    except InputError as error:
        await socket.close(_CLOSE_CODES.get(status_of(error), 4400), str(error)[:120])
        return
    if found.num_watchers >= services.settings.limits.sockets:
        await socket.close(4429, "this table has as many sockets as the server allows")
        return
    found.num_watchers += 1
    client = _Client(socket, services.tables, found, player)
    listening = asyncio.create_task(client.listen())
    try:
        await client.tell(listening)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the client has left, and may come back with the same token
    finally:
        found.num_watchers -= 1
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


class _Client:
    """A player who is connected by a socket."""

    def __init__(self, socket: WebSocket, tables: Tables, table: OpenTable, player: int) -> None:
        self.socket, self.tables, self.table, self.player = socket, tables, table, player
        self._sending = asyncio.Lock()

    async def tell(self, listening: "asyncio.Task[None]") -> None:
        """Sends the state after every change, until the client leaves or the table is closed."""
        sent, table = -1, self.table
        while not listening.done():
            changed = table.changed
            await table.settled.wait()
            if table.version != sent:
                sent = table.version
                await self._send(asdict(table.state(self.player)))
                if table.is_closed:
                    await self.socket.close(1000, table.why_closed)
                    return
                continue
            waiting = asyncio.create_task(changed.wait())
            await asyncio.wait({waiting, listening}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()

    async def listen(self) -> None:
        """Handles messages in order, until the client leaves."""
        while (message := await self.socket.receive())["type"] != "websocket.disconnect":
            text = message.get("text") or message.get("bytes") or ""
            try:
                await self._do(SocketRequest.model_validate_json(text))
            except ValidationError as error:
                first = error.errors()[0]
                place = ".".join(str(each) for each in first["loc"])
                await self._send({"error": f"{place}: {first['msg']}"[:400], "status": 422})
            except InputError as error:
                await self._send({"error": str(error)[:400], "status": status_of(error)})

    async def _do(self, request: SocketRequest) -> None:
        if (request.act is None) == (request.deal is None):
            raise InputError("send one of act and deal")
        if request.deal is not None:
            await self.tables.deal(self.table, request.deal.hand)
        elif request.act is not None:
            await self.tables.act(self.table, self.player, request.act, request.act.version)

    async def _send(self, row: dict[str, Any]) -> None:
        async with self._sending:
            await self.socket.send_json(row)
