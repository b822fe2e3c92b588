# SPDX-License-Identifier: MIT
"""Locks of the explorer: fix the strategy at a node, solve again, and see the cost."""

from functools import partial
from urllib.parse import quote

from nicegui import ui

from regretless.explorer.locks import Lock, lock_as_played
from regretless.explorer.node_view import NodeView
from regretless.explorer.nodes import SolvedTree
from regretless.web.jobs import ENDED, Job
from regretless.web.parts.elements import note, plain_link, small_button, tells_errors
from regretless.web.parts.job_panel import check_free, lock_cost_text, status_text
from regretless.web.services import Services
from regretless.web.solves import Wish, again, start_solve
from regretless.web.trees import OpenedNodes

_AS_IT_IS, _MIX = "the current strategy", "a mix"
_TARGET, _SECONDS = 0.5, 60.0  # end the solve, as on the solve page


class LockPanel:
    """The locks of one visitor in a solved spot."""

    def __init__(self, services: Services, wish: Wish | None = None) -> None:
        """`wish` is the solve that is shown; its locks stay."""
        self.services, self.wish = services, wish
        self.opened: OpenedNodes
        self.node: NodeView
        self.locks: dict[str, tuple[str, list[Lock]]] = {}  # by line: a description, and the locks
        for each in wish.locks if wish else ():
            self.locks.setdefault(each.line, ("as before", []))[1].append(each)
        self.how = _AS_IT_IS
        self.shares: dict[str, float | None] = {}  # of a mix, in percent
        self.is_open = False
        self.job: Job | None = None

    def show(self) -> None:
        self.place = ui.expansion("Lock this decision and solve again").props("dense")
        self.place.classes("w-full max-w-2xl").on_value_change(self._turn)
        with self.place:
            self.parts()
        self.timer = ui.timer(0.3, self._look, active=False)

    def fill(self, opened: OpenedNodes, node: NodeView) -> None:
        self.opened, self.node = opened, node
        self.how, self.shares = _AS_IT_IS, {each.text: None for each in node.choices}
        self.place.visible = opened.is_spot
        if self.is_open:
            self.parts.refresh()

    def _turn(self) -> None:
        self.is_open = bool(self.place.value)
        self.parts.refresh()

    @ui.refreshable_method
    def parts(self) -> None:
        if not self.is_open:
            return
        if self.node.choices:
            self._choice()
        else:
            note("No player acts here.")
        for line, (told, _) in self.locks.items():
            with ui.row().classes("items-center gap-2"):
                ui.label(f"{line or 'the start'}: {told}").mark("locked")
                ui.button("Remove", on_click=partial(self._remove, line)).props("flat dense")
        if self.locks:
            ui.button("Solve again", on_click=self._begin).props("dense")
        self.told = ui.label().mark("lock-cost")
        self.link = plain_link("Open the solution", "/")
        self._tell()

    def _choice(self) -> None:
        who = self.node.seats[self.node.actor].name
        ways = [_AS_IT_IS, *(f"always {each.text}" for each in self.node.choices), _MIX]
        with ui.row().classes("items-end gap-3"):
            select = ui.select(ways, label=f"strategy of {who}").bind_value(self, "how")
            select.classes("min-w-48").on_value_change(self.parts.refresh)
            if self.how == _MIX:
                for text, share in self.shares.items():
                    field = ui.number(f"{text}, %", value=share, min=0, max=100)
                    field.classes("w-28").bind_value_to(self.shares, text)
            small_button("Lock", self._lock)

    def _lock(self) -> None:
        node, told = self.node, self.how
        texts = [each.text for each in node.choices]
        if self.how == _AS_IT_IS:
            locks = lock_as_played(node)
        elif self.how == _MIX:
            shares = [(each or 0) / 100 for each in self.shares.values()]
            if abs(sum(shares) - 1) > 1e-6:
                ui.notify(f"The shares sum to {100 * sum(shares):g} %, not to 100 %.")
                return
            words = [each.word for each in node.choices]
            locks = [Lock(node.line, dict(zip(words, shares, strict=True)))]
            told = ", ".join(f"{text} {p:g} %" for text, p in self.shares.items() if p)
        else:
            word = node.choices[texts.index(self.how.removeprefix("always "))].word
            locks = [Lock(node.line, {word: 1.0})]
        self.locks[node.line] = (f"{node.acting.name}, {told}", locks)
        self.parts.refresh()

    def _remove(self, line: str) -> None:
        del self.locks[line]
        self.parts.refresh()

    @tells_errors
    async def _begin(self) -> None:
        check_free(self.job)
        tree = self.opened.nodes
        assert isinstance(tree, SolvedTree)  # only spots that are solved have locks
        locks = tuple(each for _, row in self.locks.values() for each in row)
        budget = (None, _TARGET, _SECONDS)
        wish = await self.services.work(again, tree, "dcfr", budget, locks, self.wish)
        self.job = start_solve(self.services.jobs, self.services.settings.limits, wish)
        self.timer.activate()
        self._tell()

    def _look(self) -> None:
        if self.job is None or self.job.status in ENDED:
            self.timer.deactivate()
        if self.is_open and self.job is not None:
            self._tell()

    def _tell(self) -> None:
        job = self.job
        self.link.visible = job is not None and job.status == "done"
        if job is None:
            return
        self.link.props["href"] = f"/explore/solve/{job.id}?line={quote(self.node.line)}"
        if job.result is not None:
            self.told.text = lock_cost_text(job.result.get("lock_cost", {}))
        else:
            self.told.text = status_text(job)
