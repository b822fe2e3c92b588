# SPDX-License-Identifier: MIT
"""/api/solves: solving a small game or a hold'em spot, as a job."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from regretless.equities import RULES as DECKS
from regretless.errors import InputError
from regretless.explorer.locks import Lock, parse_lock
from regretless.notation.cards import deck_ranks
from regretless.seats.descriptions import describe
from regretless.solvers.cuda.device import has_device
from regretless.solvers.problem import NAMES
from regretless.solving.forecast import SolveForecast
from regretless.solving.presets import CHIPS, presets
from regretless.solving.solution import default_algorithm
from regretless.solving.spot_options import RULES, SpotOptions
from regretless.web.api.jobs import JobId, JobModel
from regretless.web.api.library import EntryModel
from regretless.web.api.shared import Answer, Line, Number, Shared, Whole, example, make_router
from regretless.web.errors import ConflictError
from regretless.web.jobs import ENDED
from regretless.web.play.seating import known_games, named_game
from regretless.web.services import Services
from regretless.web.solves import (
    SMALL,
    SPOTS,
    SolveJob,
    Wish,
    again,
    allowed_bytes,
    forecast_wish,
    save_solution,
    start_solve,
)
from regretless.web.trees import solved_place, wish_of

router = make_router("/solves", "solves")
preset_router = make_router("/presets", "solves")

Chips = Annotated[Whole, Field(ge=1, le=1_000_000_000)]
Sizes = Annotated[str, Field(max_length=200)]
RangeText = Annotated[str, Field(max_length=20_000)]
Share = Annotated[Number, Field(ge=0, le=1000)]


class SpotRequest(BaseModel):
    """A hold'em spot; docs/notation.md has the notation."""

    board: str = Field(min_length=1, max_length=20)  # 3, 4 or 5 cards
    pot: Chips
    stack: Chips  # chips behind, for each player
    stack_ip: Chips | None = None
    range_oop: RangeText = "random"
    range_ip: RangeText = "random"
    bets: Sizes | None = None  # default: 50%,100%,a; of a flop 33%,75% and later 75%
    raises: Sizes | None = None  # default: 2.5x,a; of a flop 3x
    add_all_in: Share = SpotOptions.add_all_in
    force_all_in: Share = SpotOptions.force_all_in
    merge: Share = SpotOptions.merge
    rake: Number = Field(0.0, ge=0, lt=100)  # percent
    rake_cap: Chips | None = None
    bets_flop: Sizes | None = None
    bets_turn: Sizes | None = None
    bets_river: Sizes | None = None
    bets_oop: Sizes | None = None
    raises_flop: Sizes | None = None
    raises_turn: Sizes | None = None
    raises_river: Sizes | None = None
    raises_oop: Sizes | None = None
    donks: Sizes | None = None
    aggressor: Literal["oop", "ip", "none"] = "ip"  # who bet last before the board


class LockModel(BaseModel):
    """A fixed strategy at a node."""

    line: Line = ""  # the line to the node
    shares: dict[str, Annotated[Number, Field(ge=0, le=1)]] = Field(min_length=1, max_length=40)
    """Shares by action, as a line writes it; the sum is 1."""
    hands: RangeText = "random"  # the locked hands; other hands at this node play uniformly


class SolveRequest(BaseModel):
    model_config = example(game="kuhn", iterations=100)

    game: str = Field("nlhe", max_length=80)  # a small game for two; nlhe or short-deck for a spot
    spot: SpotRequest | None = None
    id: str | None = Field(None, max_length=80)
    """A solved spot to solve again, instead of `spot`: an id of the library, or solve/JOB."""
    locks: list[LockModel | Annotated[str, Field(max_length=2000)]] = Field([], max_length=1500)
    """Locks of a spot; as objects, or as for `solve --lock`: `x b50% = f 0.6, c 0.4`."""
    algorithm: str | None = Field(None, max_length=40)
    """A member of the CFR family; default: dcfr for a spot, else cfr+."""
    iterations: Whole | None = Field(None, ge=1, le=10_000_000)
    target: Number | None = Field(None, gt=0, le=1e9)
    """Exploitability in units, for a spot in percent of the pot."""
    seconds: Number | None = Field(None, gt=0, le=1e6)
    """The first limit reached ends the solve; default: a target of 0.001, for a spot 0.5."""
    threads: Whole | None = Field(None, ge=1, le=1024)
    """Default: 1, for a spot whose iterations take long all processors."""
    precision: Literal[16, 32] | None = None
    """Bits of a number for spots; default: 16 beyond 2 GiB or if memory is short."""
    device: Literal["cpu", "cuda", "auto"] = "cpu"  # auto: CUDA if there is a device

    def wish(self, services: Services) -> Wish:
        """The solve that was asked for; InputError if it is not valid."""
        if self.spot is not None and self.id is not None:
            raise InputError("id: a bundle is solved again, or a spot, not both")
        spot = SpotOptions() if self.spot is None else SpotOptions(**self.spot.model_dump())
        is_spot = self.spot is not None or self.id is not None
        name = self.algorithm or default_algorithm(is_spot)
        budget = (self.iterations, self.target, self.seconds)
        locks = tuple(
            parse_lock(each) if isinstance(each, str) else Lock(**each.model_dump())
            for each in self.locks
        )
        if self.id is None:
            wish = Wish(self.game, spot, name, *budget, locks)
        else:
            tree, before = solved_place(services, self.id), wish_of(services, self.id)
            wish = again(tree, name, budget, locks, before)
        return replace(wish, threads=self.threads, precision=self.precision, device=self.device)


class NodeRequest(BaseModel):
    line: Line = ""


class SaveRequest(BaseModel):
    name: str = Field(min_length=1, max_length=60)
    """The name of the bundle: letters, digits and . _ - only."""


class SolvableGame(BaseModel):
    name: str
    description: str
    is_spot: bool  # whether a board, a pot and ranges are needed
    ranks: str  # of the cards, from high to low, if hands have two; else empty


class SolveOptions(BaseModel):
    """Choices of a solve on this server."""

    games: list[SolvableGame]
    algorithms: list[str]
    threads: int  # at most
    devices: list[Literal["cpu", "cuda"]]
    memory_bytes: int  # of one solve, at most, by forecast


class PresetModel(Answer):
    """A pot of two positions with ranges made by hand; amounts are chips."""

    name: str
    title: str
    pot_type: str
    stacks: int  # big blinds at the beginning of the hand
    play: str  # before the flop
    oop: str
    ip: str
    hands: list[float]  # percent of all hands in each range
    spot: dict[str, int | str]
    """Fields of a spot, besides the board; sizes that are not there are the usual ones."""


class PresetsModel(BaseModel):
    presets: list[PresetModel]
    chips: int  # in a big blind


@preset_router.get("")
async def list_presets() -> PresetsModel:
    """Returns the spots to begin with. Their ranges were made by hand, not by a solver."""
    return PresetsModel(presets=[PresetModel.of(each) for each in presets().values()], chips=CHIPS)


@router.get("/options")
def list_options(services: Shared) -> SolveOptions:
    """Returns the games, algorithms and devices of a solve."""
    limits = services.settings.limits
    names = [*SPOTS, *filter(SMALL.fullmatch, known_games())]
    return SolveOptions(
        games=[_game(each) for each in names],
        algorithms=list(NAMES),
        threads=limits.solve_threads,
        devices=["cpu", "cuda"] if has_device() else ["cpu"],
        memory_bytes=allowed_bytes(limits),
    )


def _game(name: str) -> SolvableGame:
    is_spot, ranks = name in SPOTS, ""
    if is_spot and (rule := DECKS[RULES[name]]).hole_cards[0] == 2:
        ranks = deck_ranks(rule.deck)[::-1]
    text = describe(named_game(name))["description"]
    return SolvableGame(name=name, description=text, is_spot=is_spot, ranks=ranks)


@router.post("/forecast")
def forecast_solve(services: Shared, request: SolveRequest) -> SolveForecast:
    """Estimates memory and time; nothing is started."""
    return forecast_wish(request.wish(services), services.settings.limits)


@router.post("", status_code=202)
def begin_solve(services: Shared, request: SolveRequest) -> JobModel:
    """Starts a solve; /api/jobs has its progress and result."""
    wish = request.wish(services)
    wish.to_solve()  # errors are reported at once
    return JobModel.of(start_solve(services.jobs, services.settings.limits, wish))


@router.post("/{id}/node")
def ask_solve(services: Shared, id: JobId, request: NodeRequest) -> dict[str, Any]:
    """Returns a node of a solve, running or finished, and its `iterations`."""
    tree, iterations = services.jobs.find(id, SolveJob).tree()
    return {**tree.node(request.line).to_json(), "iterations": iterations}


@router.get("/{id}/locks")
async def list_locks(services: Shared, id: JobId) -> list[LockModel]:
    """Returns the locks that a solve was asked for."""
    job = services.jobs.find(id, SolveJob)
    return [LockModel(**vars(each)) for each in job.wish.locks]


@router.post("/{id}/finish")
async def finish_solve(services: Shared, id: JobId) -> JobModel:
    """Ends a solve with the strategy that it has reached; /api/jobs/{id}/cancel discards it."""
    job = services.jobs.find(id, SolveJob)
    if job.status in ENDED:
        raise ConflictError(f"the job has ended, it is {job.status}")
    job.finish()
    return JobModel.of(job)


@router.post("/{id}/save", status_code=201)
def save_solve(services: Shared, id: JobId, request: SaveRequest) -> EntryModel:
    """Saves the solution as a bundle of the library."""
    job = services.jobs.find(id, SolveJob)
    solution = job.made
    if solution is None:
        raise ConflictError(f"there is no solution to save: the job is {job.status}, or long ago")
    path = save_solution(solution, services.settings.bundles, request.name)
    return EntryModel.of(services.library.entry(services.library.id_of(path)))
