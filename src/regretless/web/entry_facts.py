# SPDX-License-Identifier: MIT
"""An entry of the library in words: its game, what it is, how strong, how large and from when.

Only manifests and configs are read, so that a library of hundreds of entries is listed at once.
"""

import datetime
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regretless.bundles.bundle import MANIFEST, Bundle
from regretless.bundles.bundle_manifest import Manifest
from regretless.bundles.model_card import strength_words
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.amounts import number_text
from regretless.games.face import face
from regretless.notation.cards import BOARD_CARDS, STREETS, format_cards
from regretless.notation.text_file import read_yaml
from regretless.runs.run_record import CONFIG, find_bundle

_BIG_BLINDS = "big blinds"


@dataclass(frozen=True)
class EntryFacts:
    """The facts of a card in the library."""

    game: str = ""  # empty where it is not known without opening a large file
    players: int | None = None
    form: str = ""  # spot, table, networks, values or onnx; empty for a run without a bundle
    about: str = ""  # what it is, in a few words
    algorithm: str = ""
    strength: str = "Nobody has measured its strength."  # one sentence
    level: str = "unknown"  # as `strength_words` has it
    size: int | None = None  # bytes of the strategy
    created: str = ""  # date and time, UTC
    has_nodes: bool = True  # whether its nodes can be studied and practised
    error: str | None = None  # why it cannot be used, in one line


def entry_facts(path: Path, kind: str) -> EntryFacts:
    """The facts of a bundle, a run or a .onnx file; a damaged one has its error."""
    changed = path / CONFIG if kind == "run" else path
    known = EntryFacts(created=_time_of(changed))
    if kind == "onnx":
        about = "ONNX model, read when it is opened"
        return replace(known, form=kind, about=about, size=path.stat().st_size)
    try:
        bundle = find_bundle(path, verify=False)
        return _of_run(path, known) if bundle is None else _of_bundle(bundle, known)
    except InputError as error:
        return replace(known, error=str(error).replace(f"{path}/", ""), has_nodes=False)


def _of_run(path: Path, known: EntryFacts) -> EntryFacts:
    config = read_yaml(path / CONFIG)
    names = [_name(config, section) for section in ("game", "algorithm")]
    return replace(known, game=names[0], algorithm=names[1], about="run without a bundle yet")


def _name(config: Any, section: str) -> str:
    row = config.get(section) if isinstance(config, dict) else None
    return str(row.get("name", "") if isinstance(row, dict) else row or "")[:80]


def _of_bundle(bundle: Bundle, known: EntryFacts) -> EntryFacts:
    manifest = bundle.manifest
    game = None if "explicit" in manifest.game.rules else bundle.game
    level, strength = strength_words(manifest.strength, game)
    return EntryFacts(
        game=manifest.game.name if game is None else _game_name(game),
        players=None if game is None else game.num_players,
        form="spot" if manifest.kind == "tree" else manifest.kind,
        about=_about(manifest, game),
        algorithm=manifest.algorithm.name,
        strength=strength,
        level=level,
        size=sum(each.size for each in manifest.files.values()),
        created=manifest.created or _time_of(bundle.path / MANIFEST),
        has_nodes=game is not None,
    )


def _game_name(game: Game) -> str:
    """The name of a game; a spot has that of its rules and its street."""
    poker = face(game).poker
    if poker is None or not poker.board:
        return game.name
    rules = {"holdem": "nlhe", "short_deck": "short-deck"}
    name = poker.rules.showdown.name.lower()
    return rules.get(name, name)


def _about(manifest: Manifest, game: Game | None) -> str:
    poker = None if game is None else face(game).poker
    if poker is not None and poker.board:
        start = poker.episode_of()
        street = STREETS[BOARD_CARDS.index(len(poker.board))]
        board = format_cards(poker.board, poker.rules.deck)
        pot, behind = number_text(start.pot), number_text(min(start.stacks))
        return f"{street} {board}, pot {pot}, {behind} behind"
    what = {
        "table": "whole strategy as a table",
        "networks": "neural networks",
        "tree": "solved tree",
        "values": "value network that searches",
    }[manifest.kind]
    if manifest.abstraction is not None:
        what = "table over buckets of hands"
    seats = "" if game is None else f", {game.num_players} players"
    return what + seats + _depth(poker)


def _depth(poker: Any) -> str:
    """The stacks of a game with blinds, in big blinds."""
    if poker is None or face(poker).unit_name != _BIG_BLINDS:
        return ""
    return f", {number_text(min(poker.rules.stacks) / poker.unit)} bb deep"


def _time_of(path: Path) -> str:
    try:
        seconds = path.stat().st_mtime
    except OSError:
        return ""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")
