# SPDX-License-Identifier: MIT
"""/api/preflop: charts before the flop, of two players or of several who jam or fold."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from regretless.preflop.description import solution_columns
from regretless.preflop.push_fold import several_players
from regretless.preflop.tree import PreflopSpot
from regretless.web.api.jobs import JobModel
from regretless.web.api.shared import Number, Shared, Whole, example, make_router
from regretless.web.charts import AnySpot, ChartJob, find_charts

router = make_router("/preflop", "preflop")

Amount = Annotated[Number, Field(ge=0, lt=1e6)]


class PreflopRequest(BaseModel):
    """Amounts are in one unit, that of the blinds; docs/preflop.md says more."""

    model_config = example(stack=12, ante=0.1)

    players: Whole = Field(2, ge=2, le=9)  # more than two jam or fold
    stack: Amount = 10.0  # of each player, before antes and blinds
    stacks: list[Amount] = Field([], max_length=9)
    """By seat instead, from the first to act to the big blind; players then jam or fold."""
    small_blind: Amount = 0.5
    big_blind: Amount = 1.0
    ante: Amount = 0.0  # of each player
    big_blind_ante: Amount = 0.0
    sizes: str = Field("a", max_length=200)  # of two: first raise / second / others, 2.5u,a/3x,a/a
    limp: bool = False  # of two: the small blind may call
    max_raises: Whole | None = Field(None, ge=1, le=20)
    prizes: list[Amount] = Field([], max_length=200)  # of a tournament: values are expected prizes
    others: list[Amount] = Field([], max_length=198)  # with prizes: stacks at other tables

    def spot(self) -> AnySpot:
        """The spot; InputError if it is not valid."""
        fields = ("stack", "small_blind", "big_blind", "ante", "big_blind_ante")
        menu = ("sizes", "limp", "max_raises")
        two = PreflopSpot(**{key: getattr(self, key) for key in (*fields, *menu)})
        if self.players == 2 and not (self.stacks or self.prizes or self.others):
            return two
        rest = {key: tuple(getattr(self, key)) for key in ("stacks", "prizes", "others")}
        return several_players(two, self.players, **rest)


class PreflopAnswer(BaseModel):
    """The solution, or the job that is to find it: ask again when it is done."""

    job: JobModel | None = None
    solution: dict[str, Any] | None = None


@router.post("")
def find_preflop(services: Shared, request: PreflopRequest) -> PreflopAnswer:
    """Returns charts of all decisions; those that take longer are solved by a job first."""
    found = find_charts(services.jobs, services.settings.limits, request.spot())
    if isinstance(found, ChartJob):
        return PreflopAnswer(job=JobModel.of(found))
    return PreflopAnswer(solution=solution_columns(found))
