# SPDX-License-Identifier: MIT
"""`/train/<id>?line=…`: practise decisions of a strategy, graded by the EV lost."""

import math
from functools import partial
from html import escape
from urllib.parse import quote

import numpy as np
from nicegui import ui

from regretless.tables.drill import Question, ask_anywhere, ask_at
from regretless.tables.table import fresh_seed
from regretless.web.pages.frame import WAIT, chosen_unit, frame
from regretless.web.parts.elements import html_place, note, on_keys, plain_link, tells_errors
from regretless.web.parts.html import cards_html, mix_bar, row, table, tag
from regretless.web.parts.node_html import state_html
from regretless.web.parts.palette import choice_colours
from regretless.web.parts.texts import number_text, share_text
from regretless.web.services import Services
from regretless.web.trees import OpenedNodes, open_nodes

_GOOD = 0.005  # share of the pot, or of a unit without a pot, that counts as no loss


def add(services: Services) -> None:
    @ui.page("/train/{id}", response_timeout=WAIT)
    async def train(id: str, line: str | None = None) -> None:
        with frame(f"Practice with {id}"):
            opened = await services.work(open_nodes, services.library, id)
            page = Trainer(services, opened, line)
            await page.draw()
            page.show()


class Trainer:
    """One visitor's practice."""

    def __init__(self, services: Services, opened: OpenedNodes, line: str | None) -> None:
        self.services, self.opened, self.line = services, opened, line
        self.node_of = partial(opened.node, unit=chosen_unit())
        self.rng = np.random.default_rng(fresh_seed())
        self.question: Question
        self.answer: int | None = None
        self.count, self.good, self.lost = 0, 0, 0.0

    async def draw(self) -> None:
        """Draws the next question; InputError if there is none."""
        work, node, rng = self.services.work, self.node_of, self.rng
        if self.line is None:
            self.question = await work(ask_anywhere, node, rng)
        else:
            self.question = await work(ask_at, node, self.line, rng)
        self.answer = None

    def show(self) -> None:
        spots = "All spots." if self.line is None else f"The spot {self.line!r}."
        is_valued = self.opened.is_solved
        how = "Graded by EV lost." if is_valued else "EVs are not known: graded by the mix."
        note(f"{spots} {how}")
        on_keys(self._press)
        self.spot()

    @ui.refreshable_method
    def spot(self) -> None:
        question, node = self.question, self.question.node
        html_place(tag("div", " · ".join(state_html(node)), class_="text-lg"))
        note(f"line: {node.line or 'the start'}")
        hand = cards_html(question.hand_name)
        you = f"You are {escape(node.acting.name)} with {hand}"
        html_place(tag("div", you, class_="text-2xl"))
        with ui.row().classes("gap-2"):
            for number, choice in enumerate(node.choices):
                button = ui.button(choice.text, on_click=lambda _, n=number: self._answer(n))
                button.props("outline" if self.answer not in (None, number) else "")
                button.set_enabled(self.answer is None)
        if self.answer is not None:
            self._graded(self.answer)
        self._score()

    def _graded(self, answer: int) -> None:
        question, node = self.question, self.question.node
        losses, mix = question.losses, question.mix
        given_away = losses[answer]
        if math.isnan(given_away):
            told = f"The strategy plays this {share_text(mix[answer])} of the time."
        elif self._is_good(given_away):
            told = "As good as the best."
        else:
            told = f"This loses {number_text(given_away)} {node.unit}."
        ui.label(told).classes("text-lg font-bold").mark("grade")
        html_place(mix_bar(mix, choice_colours(node.choices)), "w-full max-w-lg")
        rows = []
        for each, p, loss in zip(node.choices, mix, losses, strict=True):
            value = number_text(float(each.values[question.hand]))
            rows.append(row([escape(each.text), share_text(p), value, number_text(loss)]))
        head = ["choice", "mix", f"EV, {node.unit}", "lost"]
        html_place(table(head, rows), "w-full max-w-lg")
        assert self.opened.entry is not None  # practice is for entries of the library
        id = quote(self.opened.entry.id)
        with ui.row().classes("gap-3 items-center"):
            ui.button("Next", on_click=self._next)
            here = f"{id}?line={quote(node.line)}"
            plain_link("Explore this spot", f"/explore/{here}")
            if self.line is None:
                plain_link("Practise only this spot", f"/train/{here}")
            else:
                plain_link("Practise all spots", f"/train/{id}")

    def _is_good(self, loss: float) -> bool:
        return loss <= _GOOD * (self.question.node.pot or 1.0)

    def _score(self) -> None:
        if not self.count:
            note("Keys: 1 to 9 answer, n shows the next spot.")
            return
        told = f"{self.count} answered, {self.good} good"
        if self.opened.is_solved:
            lost = number_text(self.lost / self.count)
            told += f", {lost} {self.question.node.unit} lost per answer"
        ui.label(told).mark("score")

    def _answer(self, number: int) -> None:
        if self.answer is not None:
            return
        self.answer = number
        loss = self.question.losses[number]
        self.count += 1
        if math.isnan(loss):
            mix = self.question.mix
            self.good += mix[number] == max(mix)
        else:
            self.lost += loss
            self.good += self._is_good(loss)
        self.spot.refresh()

    @tells_errors
    async def _next(self) -> None:
        await self.draw()
        self.spot.refresh()

    async def _press(self, key: str) -> None:
        if self.answer is not None:
            if key == "n":
                await self._next()
        elif key.isdecimal() and 0 < int(key) <= len(self.question.node.choices):
            self._answer(int(key) - 1)
