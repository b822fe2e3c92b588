# SPDX-License-Identifier: MIT
"""Damaged and strange inputs for everything that reads: it reads them, or raises InputError.

`make fuzz SECONDS=60` runs it. Input `number` of a reader
depends on the seed and on the number alone; what is found is printed and saved.
"""

import argparse
import copy
import functools
import hashlib
import json
import os
import random
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from regretless import _native
from regretless.bundles.bundle import open_bundle
from regretless.bundles.bundle_manifest import parse_manifest
from regretless.cluster.large_results import result_of
from regretless.cluster.wire import pack
from regretless.errors import InputError
from regretless.explorer.hand_filter import HandFilter
from regretless.explorer.node_view import NodeView
from regretless.games import load_game
from regretless.games.face import rules_record
from regretless.games.game_definition import parse_game_definition
from regretless.games.menus import MENUS, make_menu
from regretless.games.poker_rules import make_poker
from regretless.games.rules_record import recorded_game
from regretless.games.spots import make_spot
from regretless.games.variants import VARIANTS, make_variant
from regretless.histories.acpc import format_match_state, parse_match_state
from regretless.histories.choices import read_choice
from regretless.histories.phh import format_fields, read_phh, read_phhs, write_phh, write_phhs
from regretless.histories.recorded_hand import RecordedHand
from regretless.histories.sites import pacific, pokerstars
from regretless.histories.sites.pokerstars_text import write_pokerstars
from regretless.histories.sites.site_hand import split_hands
from regretless.notation.cards import parse_cards
from regretless.notation.ranges import Range
from regretless.notation.text_file import format_yaml, parse_yaml
from regretless.preflop.push_fold import PushFoldSpot, parse_amounts
from regretless.recipes.config import make_config
from regretless.runs.checkpoint import Record, read_facts, write_checkpoint
from regretless.runs.run_record import AXES, read_run
from regretless.solving.flop_report import FlopReport, mean_row, read_flops
from regretless.solving.solution import solve
from regretless.solving.spot_options import SpotOptions
from regretless.storage.columns import map_columns
from regretless.storage.manifest import sealed_json
from regretless.training.sweep import plan_sweep

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 5  # of one input

FLOP_OPTIONS = SpotOptions("", 100, 60, "QQ", "99", "a", "a")

Read = Callable[[Any], object]


@dataclass(frozen=True)
class Reader:
    """A reader, valid inputs, and the random changes to them."""

    read: Read
    seeds: list[Any]
    change: Callable[[random.Random, Any], Any]

    def input(self, name: str, seed: int, number: int) -> Any:
        generator = random.Random(f"{seed}/{name}/{number}")
        return self.change(generator, generator.choice(self.seeds))


@dataclass(frozen=True)
class Finding:
    reader: str
    seed: int
    number: int
    problem: str
    input: Any

    def __str__(self) -> str:
        return f"{self.reader} {self.seed}/{self.number}: {self.problem}\n    {self.input!r:.2000}"


# Changing inputs

ODD_NUMBERS: tuple[Any, ...] = (
    *(0, -1, 1, 2, 3, 7, 255, 256, 65536, 1 << 31, 1 << 32, 1 << 63, 1 << 64, 10**30, -(1 << 63)),
    *(0.5, -0.5, 1e-9, 1e9, 1e300, -1e300, 5e-324),
)
ODD_VALUES: tuple[Any, ...] = (
    *ODD_NUMBERS,
    *(None, True, False, "", "x", "nan", "1", [], {}, [[]], [None], {"": None}, "\x00", "a\nb"),
    *("é", "\ud800", "..", "/", "x" * 2000, [0] * 100, {"name": "kuhn"}, ["a", 1], 10**400, "10%"),
)
NOISE = (
    *(str(each) for each in ODD_NUMBERS),
    *("", " ", "\n", "\t", "\x00", ",", ":", ";", "=", "-", "+", "/", "|", "#", "?", "*", "%", "."),
    *(
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        '"',
        "'",
        "\\",
        "<",
        ">",
        "&a ",
        "*a",
        "!!int ",
        "!!bool ",
        "~",
    ),
    *(
        "nan",
        "inf",
        "1e400",
        "0x10",
        "010",
        "1:30",
        "null",
        "true",
        "é",
        "\u0663",
        "\U0001f0a1",
        "²",
    ),
    *(
        "As",
        "Kd",
        "2c",
        "AKs",
        "AKo+",
        "22+",
        "QQ-88",
        "random",
        "min",
        "a",
        "e",
        "33%",
        "2.5x",
        "3u",
    ),
)
DEEP = ("[" * 300, "{a: " * 50, "(" * 100, "- " * 60, '{"a":' * 1500)


def changed_text(tokens: tuple[str, ...] = ()) -> Callable[[random.Random, str], str]:
    """One to four changes of a text: parts left out, doubled, moved, or noise put in."""
    words = (*tokens, *tokens, *NOISE)

    def change(generator: random.Random, text: str) -> str:
        for _ in range(generator.choice((1, 1, 2, 3, 4))):
            at = generator.randint(0, len(text))
            end = min(len(text), at + generator.choice((0, 1, 1, 2, 3, 8, 40)))
            match generator.randrange(8):
                case 0:
                    text = text[:at] + text[end:]
                case 1:
                    text = text[:end] + text[at:]
                case 2:
                    text = text[:at] + generator.choice(words) + text[end:]
                case 3 | 4:
                    text = text[:at] + generator.choice(words) + text[at:]
                case 5:
                    text = text[:at] + chr(generator.randrange(256)) + text[at + 1 :]
                case 6:
                    lines = text.split("\n")
                    generator.shuffle(lines)
                    text = "\n".join(lines)
                case _:
                    text = text[:at] if generator.random() < 0.5 else text[at:]
        if generator.random() < 0.002:
            text += generator.choice(DEEP)
        return text

    return change


def changed_bytes(generator: random.Random, data: bytes) -> bytes:
    """As a text, of bytes, with numbers of one, four and eight bytes."""
    for _ in range(generator.choice((1, 1, 2, 4))):
        at = generator.randint(0, len(data))
        end = min(len(data), at + generator.choice((1, 1, 2, 4, 8, 64)))
        match generator.randrange(6):
            case 0:
                data = data[:at] + data[end:]
            case 1:
                data = data[:end] + data[at:]
            case 2:
                data = data[:at] + bytes([generator.randrange(256)]) + data[at + 1 :]
            case 3:
                odd = struct.pack("<Q", generator.choice((0, 1, 255, 1 << 31, (1 << 64) - 1)))
                data = data[:at] + odd[: generator.choice((1, 4, 8))] + data[end:]
            case 4:
                data = data[:at] + generator.randbytes(end - at) + data[end:]
            case _:
                data = data[:at]
    return data


def changed_tree(generator: random.Random, tree: Any) -> Any:
    """One to three values or keys of a nested mapping replaced, left out or added."""
    tree = copy.deepcopy(tree)
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        places = list(_places(tree))
        if not places:
            return tree
        holder, key = generator.choice(places)
        odd = copy.deepcopy(generator.choice(ODD_VALUES))
        match generator.randrange(6):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.append(holder[key])
            case 1:
                holder[generator.choice(("", "x", "name", "a\nb", "0"))] = odd
            case 2 if isinstance(holder, dict):
                _, other = generator.choice(places)
                holder[str(other)] = holder.pop(key)
            case 3:
                source, other = generator.choice(places)
                if other in source if isinstance(source, dict) else other < len(source):
                    holder[key] = copy.deepcopy(source[other])
            case _:
                holder[key] = odd
    return tree


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in list(items):
        yield tree, key
        if isinstance(value, dict | list):
            yield from _places(value)


def json_text(tree: Any) -> str:
    return json.dumps(tree, indent=2, sort_keys=True)


def sealed_text(tree: Any) -> str:
    """The text with a right seal, so that what is behind the seal is read."""
    if not isinstance(tree, dict):
        return json_text(tree)
    try:
        return sealed_json({key: tree[key] for key in tree if key != "seal"}, sort=False)
    except (ValueError, TypeError):
        return json_text(tree)


def tree_as(write: Callable[[Any], Any], change: Any) -> Callable[[random.Random, Any], Any]:
    """Most often a changed tree that is written then, else a changed text of the tree."""

    def changed(generator: random.Random, tree: Any) -> Any:
        if generator.random() < 0.7:
            return write(changed_tree(generator, tree))
        return change(generator, write(tree))

    return changed


# Readers

CARDS = ("As", "Kd", "Tc", "2h", "AA", "AKs", "72o+", "A2s-A9s", ":0.5", "random", ",", "J", "Q")
KEYS = ("players: ", "menu: ", "stacks: ", "- ", "  ", "base: nlhe", "all: ", "raise: ", "seats: ")
PHH = ("d dh p1 ", "d db ", "p1 ", "p2 ", "f", "cc", "cbr ", "sm ", "????", "'", "antes = ", "-")


def episodes() -> list[_native.PokerEpisode]:
    found = []
    for name, players in (("nlhe", 2), ("limit-holdem", 3), ("plo4", 2), ("short-deck", 4)):
        for index in range(4):
            episode = _native.PokerEpisode(load_game(name, players=players), seed=1, index=index)
            generator = random.Random(index)
            while not episode.is_terminal and generator.random() < 0.97:
                limits = episode.raise_range
                raises = limits is not None and generator.random() < 0.3
                episode.act(limits[0] if raises and limits is not None else 0)
            found.append(episode)
    return found


def yaml_tree(tree: Any) -> str:
    try:
        return format_yaml(tree)
    except (UnicodeError, ValueError):
        return repr(tree)


def written(folder: Path, name: str, read: Callable[[Path], object]) -> Read:
    """Turns a reader of a file into a reader of its content."""
    path = folder / name

    def read_content(content: str | bytes) -> object:
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        path.write_bytes(data)
        return read(path)

    return read_content


def sealed(fields: Any) -> str:
    """A checkpoint's manifest with a seal that fits, as nobody damages one by chance."""
    rest = {key: value for key, value in fields.items() if key != "seal"}
    body = json_text(rest)
    return json_text({**rest, "seal": hashlib.sha256(body.encode()).hexdigest()}) + "\n"


def columns_file(tree: Any) -> bytes:
    header = json.dumps(tree.get("header", tree)).encode("utf-8", "surrogatepass")
    size = tree.get("bytes", 64)
    body = bytes(size if isinstance(size, int) and 0 <= size < 10_000 else 0)
    return struct.pack("<Q", len(header)) + header + body


@functools.cache
def config_trees() -> list[Any]:
    names = ("kuhn_cfr", "leduc_mccfr", "leduc_deep_cfr", "leduc_rebel", "leduc_nfsp")
    paths = [ROOT / "configs" / f"{name}.yaml" for name in names]
    return [parse_yaml(path.read_text(encoding="utf-8"), str(path)) for path in paths]


def overridden(text: str) -> object:
    return make_config(config_trees()[0], "config", text.split("\x1f"))


def menu_of(tree: Any) -> object:
    if not isinstance(tree, str | dict):
        raise InputError("a menu is a line or a mapping")
    return make_menu(tree, 4)


def variant_of(text: str) -> object:
    row = parse_yaml(text, "variant")
    if not isinstance(row, dict):
        raise InputError("a variant is a mapping")
    base = row.pop("base", None)
    row = {**VARIANTS.get(base, {}), **row} if isinstance(base, str) else row
    return make_poker(make_variant({"name": "fuzzed", **row}, "variant"), "variant")


def spot_of(text: str) -> object:
    menu = parse_yaml(text, "menu")
    return make_spot("Ts9d6h4c", 100, 900, "AA,KQs", "JJ-99", menu)


def range_of(text: str) -> object:
    found = Range.parse(text)
    return str(found)


def _river() -> NodeView:
    spot = make_spot("QsJh2h8d3c", 100, 100, "AA,KQs", "99,AQs", {"all": {"open": "50%"}})
    return solve(spot, iterations=1).problem.tree().node()


def filtered(node: NodeView, text: str) -> object:
    """The hands that four conditions between semicolons keep."""
    return HandFilter(*[*text.split(";"), "", "", "", ""][:4]).apply(node, 0).to_json()


def flops_of(path: Path) -> object:
    """The rows of a report over flops; those that are missing are not solved."""
    report = FlopReport(FLOP_OPTIONS, read_flops("Td9d6h"), path, {"iterations": 1})
    return mean_row([{"weight": 1.0, **row} for row in report.read().values()])


def make_readers(folder: Path) -> dict[str, Reader]:
    """Returns all readers; files are written below `folder`."""
    readers = _notation_readers() | _config_readers() | _history_readers()
    return readers | _bundle_readers(folder) | _run_readers(folder)


def _notation_readers() -> dict[str, Reader]:
    leduc = load_game("leduc").rules.deck
    asked = [_native.PokerEpisode(load_game("nlhe"), seed=3, index=0)]
    asked.append(_native.LiarsDiceEpisode(load_game("liars-dice-1x6f"), 3, 0))
    text = changed_text
    return {
        "cards": Reader(parse_cards, ["AsKd", "As Kd, 2c", "TdTc9h8h2s"], text(CARDS)),
        "stacks": Reader(
            lambda t: PushFoldSpot(parse_amounts(t, "stacks"), prizes=(3, 2)).names,
            ["10,8,12", "2.5, 4,1e1,7"],
            text("0123456789.,e- inf"),
        ),
        "cards of Leduc": Reader(lambda t: parse_cards(t, leduc), ["JcQd", "Kc"], text(CARDS)),
        "ranges": Reader(
            range_of, ["AA,KQs+,72o:0.5", "QQ-88,A2s-A9s", "AsKd,random:0.1"], text(CARDS)
        ),
        "flops": Reader(read_flops, ["25", "Td9d6h,AsKd2c", "1755"], text(CARDS)),
        "hand filters": Reader(
            functools.partial(filtered, _river()),
            ["set,top-pair;flush-draw;h,hs,suited;x,b50:50%", ";;;", "nothing;;offsuit;"],
            text((";", ",", "top-pair", "h")),
        ),
        "choices": Reader(
            lambda t: [read_choice(t, each) for each in asked],
            ["call", "r250", "all-in", "2"],
            text(),
        ),
        "menu lines": Reader(
            menu_of, ["33%,75%,150%,a", "min,2.5x,3u,100c", "e,2e,3e200%,-"], text((",", "e", "a"))
        ),
        "menus": Reader(
            menu_of, [each for each in MENUS.values() if isinstance(each, dict)], changed_tree
        ),
    }


def _config_readers() -> dict[str, Reader]:
    text = changed_text
    variants = [{"name": name, **row} for name, row in VARIANTS.items()]
    overrides = ["budget.steps=5", "algorithm=mccfr\x1fseed=3", "game.options={players: 3}"]
    spot_menus = [{"turn": "50%,a", "river": {"open": "33%", "raise": "2.5x"}, "merge": 0.1}]
    return {
        "variants": Reader(variant_of, variants, tree_as(yaml_tree, text(KEYS))),
        "configs": Reader(
            lambda t: make_config(parse_yaml(t, "config"), "config"),
            config_trees(),
            tree_as(yaml_tree, text(KEYS)),
        ),
        "overrides": Reader(
            overridden,
            [*overrides, "a.b=[1, 2]"],
            text(("\x1f", "game", "algorithm.", "evaluate.measures=", "=", "budget.", "seed=")),
        ),
        "game definitions": Reader(
            parse_game_definition,
            GAME_DEFINITIONS,
            text(("blind = ", "stack ", "END", "0000000005")),
        ),
        "sweeps": Reader(
            lambda t: plan_sweep("kuhn_cfr", t.split("\x1f"), seeds=2),
            ["algorithm.name=cfr,mccfr\x1fbudget.steps=5,6", "evaluate.measures=[exact],[]"],
            text(("\x1f", "=", ",", "[", "'", "budget.steps=", "seed=")),
        ),
        "spot menus": Reader(spot_of, [*spot_menus, {"all": "a"}], tree_as(yaml_tree, text(KEYS))),
    }


def _read_phhs(text: str) -> None:
    for _ in read_phhs(text.splitlines(keepends=True)):
        pass


STARS = """\
PokerStars Hand #9: Tournament #7, Hold'em No Limit - Level I (10/20) - 2013/10/04 13:53:27 ET
Table '7 15' 9-max Seat #3 is the button
Seat 1: Ann (1500 in chips)
Seat 2: Bob (90 in chips)
Seat 3: Cy (3000 in chips)
Seat 4: Dee (700 in chips)
Ann: posts the ante 5
Bob: posts the ante 5
Cy: posts the ante 5
Dee: posts the ante 5
Dee: posts small blind 10
Ann: posts big blind 20
Bob: posts small & big blinds 30
*** HOLE CARDS ***
Dealt to Ann [Ac Jh]
Bob: raises 55 to 75 and is all-in
Cy: calls 75
Dee: folds [2c 2d]
Ann: calls 55
*** FLOP *** [2s 6d 6h]
Ann: bets 80
Cy: folds
Uncalled bet (80) returned to Ann
*** TURN *** [2s 6d 6h] [7c]
*** RIVER *** [2s 6d 6h 7c] [8c]
*** SHOW DOWN ***
Ann: shows [Ac Jh] (a pair)
Bob: mucks hand
Ann collected 265 from pot
*** SUMMARY ***
Total pot 265 | Rake 0
Seat 2: Bob mucked [4s 3c]
"""
PACIFIC = """\
***** 888poker Hand History for Game 510750902 *****
$0,50/$1 Blinds No Limit Holdem - *** 19 09 2016 23:58:16
Table Henderson 10 Max (Real Money)
Seat 4 is the button
Total number of players : 3
Seat 1: Ann ( $129,70 )
Seat 2: Bob ( $200 )
Seat 4: Cy ( $26,50 )
Ann posts small blind [$0,50]
Bob posts big blind [$1]
Cy posts dead blind [$0,50 + $1]
** Dealing down cards **
Dealt to Cy [ 3h, 7d ]
Cy checks
Ann calls [$0,50]
Bob checks
** Dealing flop ** [ Tc, Qc, Jd ]
Ann bets [$2]
Bob raises [$4]
Cy folds
Ann calls [$2]
** Dealing turn ** [ 4d ]
Ann checks
Bob checks
** Dealing river ** [ 8d ]
Ann checks
Bob checks
** Summary **
Ann shows [ 2d, Js ]
Bob mucks [ Ah, 7h ]
Ann collected [ $11 ]
"""
SITE_WORDS = (
    ": folds",
    ": calls $5",
    ": raises $2 to $9",
    " collected $5 from pot",
    "*** FLOP ***",
)
SITE_WORDS += (
    "Seat 1: ",
    " and is all-in",
    "posts the ante 5",
    " posts dead blind [1 + 2]",
    "[As Kd]",
)
SITE_WORDS += (
    "6+ Hold'em No Limit (Button Blind $2 - Ante $2 USD)",
    "5 Card Omaha Pot Limit ($1/$2)",
    "Pot Limit Holdem",
    ": posts button blind 2",
    ": posts missed blind 5",
    "pot not awarded",
    "[ Knh, Âc, XX, 7Pik ]",
)


def _read_site(text: str, head: Any, read: Callable[[Any, str], Any]) -> None:
    for lines in split_hands(text.splitlines(), head):
        format_fields(read(lines, "hands").fields or {})


def _history_readers() -> dict[str, Reader]:
    played, text = episodes(), changed_text
    states = [e for e in played if e.game.rules.showdown == _native.Showdown.HOLDEM]
    readers = {
        "PHH": Reader(read_phh, [write_phh(each, None) for each in played], text(PHH)),
        "PHHS": Reader(_read_phhs, [write_phhs(played[:2]), write_phhs(played[-2:])], text(PHH)),
    }
    stars = [write_pokerstars(RecordedHand(each)) for each in played if each.is_terminal]
    sites = {"PokerStars": (pokerstars.HEAD, pokerstars.read_pokerstars, [STARS, *stars])}
    sites["888"] = (pacific.HEAD, pacific.read_pacific, [PACIFIC])
    for site, (head, read, seeds) in sites.items():
        reading = functools.partial(_read_site, head=head, read=read)
        reading(seeds[0])
        readers[f"hands of {site}"] = Reader(reading, seeds, text(SITE_WORDS))
    for game, each in (("nlhe", states[0]), ("limit-holdem", states[4])):
        of_game = [e for e in states if e.game.name == each.game.name]
        lines = [format_match_state(e, 0, 7, show_all=True) for e in of_game]
        readers[f"match states of {game}"] = Reader(
            functools.partial(parse_match_state, game=each.game),
            lines,
            text(("/", "r300", "c", "|")),
        )
    return readers


GAME_DEFINITIONS = [
    "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 20000 20000\nblind = 100 50\n"
    "firstPlayer = 2 1 1 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
    "numBoardCards = 0 3 1 1\nEND GAMEDEF\n",
    "GAMEDEF\nlimit\nnumPlayers = 3\nnumRounds = 1\nblind = 1 1 1\nraiseSize = 1\n"
    "firstPlayer = 1\nmaxRaises = 1\nnumSuits = 1\nnumRanks = 4\nnumHoleCards = 1\n"
    "numBoardCards = 0\nEND GAMEDEF\n",
]


def _bundle_readers(folder: Path) -> dict[str, Reader]:
    bundle = solve("kuhn", iterations=5).write_bundle(folder / "bundle")
    manifest = json.loads((bundle.path / "manifest.json").read_bytes())
    header = {
        name: {"dtype": kind, "shape": [4], "data_offsets": [32 * i, 32 * i + 32]}
        for i, (name, kind) in enumerate((("keys", "U64"), ("values", "F64")))
    }
    rules = [rules_record(load_game(name)) for name in ("kuhn", "nlhe", "liars-dice-1x6f")]
    path = Path("manifest.json")
    return {
        "recorded rules": Reader(lambda r: recorded_game(r, "rules"), rules, changed_tree),
        "bundle manifests": Reader(
            lambda t: parse_manifest(t.encode("utf-8", "surrogatepass"), path),
            [manifest],
            tree_as(json_text, changed_text()),
        ),
        "bundles": Reader(
            written(
                bundle.path, "manifest.json", lambda p: open_bundle(p.parent, verify=False).game
            ),
            [manifest],
            tree_as(json_text, changed_text()),
        ),
        "safetensors": Reader(
            written(folder, "table.safetensors", map_columns),
            [{"header": header, "bytes": 64}],
            tree_as(columns_file, changed_bytes),
        ),
        "ONNX": Reader(_read_onnx, [_small_onnx()], changed_bytes),
    }


def _run_readers(folder: Path) -> dict[str, Reader]:
    record = Record(
        step=5,
        seconds=1.5,
        measures={"exploitability": 0.1},
        measured_at=5,
        taken={},
        unmeasured=None,
        work={"game": "x"},
    )
    write_checkpoint(folder / "checkpoint", {}, record, {})
    facts = json.loads((folder / "checkpoint" / "manifest.json").read_bytes())
    row = {"step": 1, "seconds": 0.5, "eval/exploitability": 0.25, "nodes": 100}
    (folder / "run").mkdir()
    FlopReport(FLOP_OPTIONS, read_flops("Td9d6h"), folder / "flops.json", {"iterations": 1}).rows()
    (folder / "run" / "config.yaml").write_text("game: kuhn\nalgorithm: cfr\n", encoding="utf-8")
    return {
        "reports over flops": Reader(
            written(folder, "flops.json", flops_of),
            [json.loads((folder / "flops.json").read_bytes())],
            tree_as(sealed_text, changed_text()),
        ),
        "sweep files": Reader(
            written(folder, "settings.yaml", lambda p: plan_sweep("kuhn_cfr", settings_file=p)),
            [[{"algorithm.name": "dcfr", "budget.steps": 9}, {"seed": 3}]],
            tree_as(yaml_tree, changed_text(KEYS)),
        ),
        "checkpoints": Reader(
            written(folder / "checkpoint", "manifest.json", lambda p: read_facts(p.parent)),
            [facts],
            tree_as(sealed, changed_text()),
        ),
        "metrics": Reader(
            written(
                folder / "run",
                "metrics.jsonl",
                lambda p: [read_run(p.parent).curve("eval/exploitability", axis) for axis in AXES],
            ),
            [{"a": row, "b": {**row, "step": 2}}],
            tree_as(
                lambda t: "".join(json.dumps(each) + "\n" for each in t.values()), changed_text()
            ),
        ),
        "results of shards": Reader(
            lambda data: result_of(np.frombuffer(data, np.uint8)),
            [
                pack(0.5, {"rows": np.arange(6, dtype=np.int32)}).tobytes(),
                pack({"file": str(folder / "x.block"), "bytes": 9, "sha256": ""}, {}).tobytes(),
            ],
            changed_bytes,
        ),
        "runs": Reader(
            written(folder / "run", "config.yaml", lambda p: read_run(p.parent)),
            config_trees(),
            tree_as(yaml_tree, changed_text()),
        ),
    }


def _read_onnx(data: bytes) -> object:
    from regretless.bundles.onnx_file import parse_onnx

    return parse_onnx(data, "network.onnx")


def _small_onnx() -> bytes:
    import torch

    from regretless.bundles.bundle_manifest import AlgorithmFacts
    from regretless.bundles.onnx_file import make_onnx
    from regretless.games.encoders import load_encoder
    from regretless.networks.mlp import MlpShape
    from regretless.networks.network import Network, network_weights

    game = load_game("kuhn")
    encoder = load_encoder("slots12", game)
    shape = MlpShape(
        inputs=encoder.num_features, outputs=game.num_actions, widths=(2,), head="advantages"
    )
    weights = network_weights([Network(shape, torch.Generator().manual_seed(1))])
    return make_onnx("small", game, weights, encoder, AlgorithmFacts(name="none"), []).model


# Running


class _TooLongError(Exception):
    pass


def _give_up(number: int, frame: FrameType | None) -> None:
    raise _TooLongError


def attempt(read: Read, content: Any) -> str | None:
    """Returns a finding: another exception than InputError, more than one line, too long."""
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        read(content)
    except InputError as error:
        message = str(error)
        return None if message and message.isprintable() else f"not one line: {message!r}"
    except _TooLongError:
        return f"took more than {MOST_SECONDS} s"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:200]} ({last.filename}:{last.lineno})"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def fuzz(
    readers: dict[str, Reader],
    seed: int,
    *,
    seconds: float | None = None,
    count: int | None = None,
    job: int = 0,
    jobs: int = 1,
) -> tuple[list[Finding], dict[str, tuple[int, float]]]:
    """Inputs for each reader in turn until the time or the count is used up; inputs and seconds."""
    before = signal.signal(signal.SIGALRM, _give_up)
    found, done = list[Finding](), dict.fromkeys(readers, (0, 0.0))
    share = None if seconds is None else seconds / len(readers)
    try:
        for name, reader in readers.items():
            number, start, spent = job, time.perf_counter(), 0.0
            busy = time.process_time()
            while (count is None or number < count) and (share is None or spent < share):
                content = reader.input(name, seed, number)
                problem = attempt(reader.read, content)
                if problem is not None:
                    found.append(Finding(name, seed, number, problem, content))
                number += jobs
                spent = time.perf_counter() - start
            done[name] = (number // jobs, time.process_time() - busy)
    finally:
        signal.signal(signal.SIGALRM, before)
    return found, done


def _work(options: argparse.Namespace, job: int, result: int) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as made:
        readers = make_readers(Path(made))
        if options.readers:
            readers = {name: readers[name] for name in options.readers}
        found, done = fuzz(
            readers, options.seed, seconds=options.seconds, job=job, jobs=options.jobs
        )
    kinds = dict[tuple[str, str], Finding]()
    for each in found:  # one of each kind is enough to mend it
        kinds.setdefault((each.reader, each.problem.rpartition("(")[2] or each.problem), each)
    row = {
        "done": done,
        "found": [[e.reader, e.number, e.problem, repr(e.input)] for e in kinds.values()],
    }
    os.write(result, (json.dumps(row) + "\n").encode())


def main() -> None:
    parser = argparse.ArgumentParser(description="Strange inputs for everything that reads.")
    parser.add_argument("readers", nargs="*", help="Only these.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("fuzz-findings"))
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryFile() as results:
        children = []
        for job in range(options.jobs):
            children.append(os.fork())
            if children[-1] == 0:
                try:
                    _work(options, job, results.fileno())
                except BaseException:
                    traceback.print_exc()
                    os._exit(1)
                os._exit(0)
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        results.seek(0)
        rows = [json.loads(line) for line in results]
    if any(codes):
        sys.exit(f"a job ended with {codes}: the core crashed, or a reader could not be made")
    total, busy = 0, 0.0
    for name in rows[0]["done"]:
        inputs = sum(row["done"][name][0] for row in rows)
        seconds = sum(row["done"][name][1] for row in rows)
        total, busy = total + inputs, busy + seconds
        print(f"{name:30}{inputs:>10,} inputs{inputs / max(seconds, 1e-9):>10,.0f} a second")
    print(f"{total:,} inputs, {total / max(busy, 1e-9):,.0f} a second of one core")
    found = [each for row in rows for each in row["found"]]
    for reader, number, problem, content in found:
        options.output.mkdir(parents=True, exist_ok=True)
        path = options.output / f"{reader.replace(' ', '-')}-{options.seed}-{number}.txt"
        path.write_text(f"{problem}\n{content}\n", encoding="utf-8")
        print(f"{reader} {options.seed}/{number}: {problem}\n    {content[:400]}")
    print(f"{len(found)} kinds of findings" + (f", in {options.output}" if found else ""))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
