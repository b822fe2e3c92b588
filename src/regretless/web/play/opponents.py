# SPDX-License-Identifier: MIT
"""Everybody who can sit at a table, in words: bots, and strategies of the library."""

from dataclasses import dataclass

from regretless.bundles.bundle_manifest import Strength
from regretless.bundles.model_card import strength_words
from regretless.errors import InputError
from regretless.games import Game
from regretless.matches.bots import CHARACTERS
from regretless.recipes.config import configured_game
from regretless.runs.run import Run
from regretless.web.library import Entry, Library
from regretless.web.play.seating import SeatKind

_MOST = 200  # strategies that are described


@dataclass(frozen=True)
class Opponent:
    """A bot or a strategy."""

    kind: SeatKind
    name: str  # as a request for a table names it
    title: str
    style: str  # one sentence
    strength: str  # one sentence
    level: str  # near-optimal, strong, practice or unknown
    is_shipped: bool
    game: str | None = None  # its game; None for a bot, which plays any
    seats: int | None = None
    is_flexible: bool = False  # whether it also plays games that are like its own


_SEARCHER = Opponent(
    "bot",
    "search",
    "Searcher",
    "Solves the turn and the river when they come, heads-up no-limit hold'em only; a strategy that "
    "ships plays before.",
    "Better than the strategy alone in few measured hands; it thinks for about 2 seconds.",
    "unknown",
    is_shipped=True,
)


def opponents(library: Library) -> list[Opponent]:
    """Strategies, what ships first and of these the strongest first; then bots."""
    found = [_described(library, entry) for entry in library.entries()[:_MOST]]
    bots = [
        Opponent("bot", name, each.title, each.style, each.strength, "practice", is_shipped=True)
        for name, each in CHARACTERS.items()
    ]
    return [*(each for each in found if each is not None), _SEARCHER, *reversed(bots)]


def _described(library: Library, entry: Entry) -> Opponent | None:
    """The strategy of an entry; None if it is damaged or cannot be opened here."""
    try:
        game, algorithm, strength = _facts(library, entry)
    except InputError:
        return None
    level, line = strength_words(strength, game)
    what = "A model" if entry.kind == "onnx" else "A strategy"
    style = f"{what} of {algorithm} for {game.name}, {game.num_players} players."
    return Opponent(
        "strategy",
        entry.id,
        entry.name,
        style,
        line,
        level,
        entry.is_shipped,
        game.name,
        game.num_players,
        entry.kind == "onnx",
    )


def _facts(library: Library, entry: Entry) -> tuple[Game, str, list[Strength]]:
    """The game, the algorithm and the measures of an entry."""
    file, bundle = library.onnx(entry.id), library.bundle(entry.id)
    if file is not None:
        return file.game, file.facts.algorithm.name, file.facts.strength
    if bundle is not None:
        return bundle.game, bundle.manifest.algorithm.name, bundle.manifest.strength
    library.check_names(entry)
    config = Run.existing(entry.path).config
    return configured_game(config), config.algorithm.name, []
