# SPDX-License-Identifier: MIT
"""/api/acpc: matches of the ACPC dealer beside the server."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from regretless.web.acpc_dealer import AcpcMatch, Status
from regretless.web.api.shared import Shared
from regretless.web.api.tables import PlayerRequest

router = APIRouter(prefix="/acpc", tags=["acpc"])

MatchId = Annotated[str, Path(max_length=64, description="Of an ACPC match.")]


class AcpcRequest(BaseModel):
    """A match to deal; clients take the outside seats in the order in which they connect."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "players": [
                        {"kind": "outside", "name": "them"},
                        {"kind": "bot", "name": "caller"},
                    ],
                    "game": "nlhe",
                    "hands": 1000,
                }
            ]
        }
    )

    players: list[PlayerRequest] = Field(min_length=2, max_length=10)
    """In the order of positions of the first hand; they move on by one from hand to hand."""
    game: str | None = Field(None, max_length=80)
    """A name of /api/games; that of the strategies if there are any, else no-limit hold'em."""
    hands: int = Field(1000, ge=1, le=1_000_000)
    seed: int | None = Field(None, ge=0, lt=1 << 64)
    """The same seed deals the same cards."""
    seconds: float = Field(60.0, gt=0, le=3600)
    """That a client may take for an answer, and until all have connected."""


class AcpcPlayerModel(BaseModel):
    name: str
    is_outside: bool
    is_connected: bool
    chips: int
    """Won so far."""
    mbb_per_game: float | None
    half_width: float | None
    """The 95 % interval is plus and minus this."""


class AcpcMatchModel(BaseModel):
    id: str
    game: str
    status: Status
    error: str | None
    """One line, of a match that did not come to its end."""
    hands: int
    num_finished: int
    seed: int | None
    """Told when the match has ended."""
    players: list[AcpcPlayerModel]

    @classmethod
    def of(cls, match: AcpcMatch) -> "AcpcMatchModel":
        return cls(**match.to_json())


class AcpcModel(BaseModel):
    port: int | None
    """Where clients connect, on the machine of the server; null: there is no dealer."""
    matches: list[AcpcMatchModel]


@router.get("")
async def list_matches(services: Shared) -> AcpcModel:
    """Those that wait, are played or ended not long ago, the newest first."""
    matches = [AcpcMatchModel.of(each) for each in services.acpc.all()]
    return AcpcModel(port=services.acpc.port, matches=matches)


@router.post("", status_code=201)
async def open_match(services: Shared, request: AcpcRequest) -> AcpcMatchModel:
    """A match that waits for its clients, before those that are opened after it."""
    wanted = [each.wanted() for each in request.players]
    has_strategies = any(each.kind == "strategy" for each in wanted)
    players = None if has_strategies and request.game is None else len(wanted)
    game, seated = await services.work(lambda: services.seating.seat(wanted, request.game, players))
    made = services.acpc.open(
        game, seated, hands=request.hands, seed=request.seed, seconds=request.seconds
    )
    return AcpcMatchModel.of(made)


@router.get("/{id}")
async def see_match(services: Shared, id: MatchId) -> AcpcMatchModel:
    """How it stands."""
    return AcpcMatchModel.of(services.acpc.find(id))


@router.post("/{id}/cancel")
async def cancel_match(services: Shared, id: MatchId) -> AcpcMatchModel:
    """End it; hands that are over stay on file."""
    return AcpcMatchModel.of(await services.work(lambda: services.acpc.cancel(id)))
