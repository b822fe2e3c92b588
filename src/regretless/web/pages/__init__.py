# SPDX-License-Identifier: MIT
"""The pages, one file each, registered by `add_pages` with the services that they share."""

from nicegui import ui

from regretless.web.pages import cross, explore, home, leaderboard, runs, solve, table, tree
from regretless.web.services import Services

PAGES = (home, explore, tree, table, solve, runs, leaderboard, cross)
"""Modules with a function `add(services)`, which registers pages with `ui.page`."""


def add_pages(services: Services) -> None:
    for kind in (ui.button, ui.toggle):
        kind.default_props("no-caps")
    for each in PAGES:
        each.add(services)
