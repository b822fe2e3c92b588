# SPDX-License-Identifier: MIT
"""YAML means what it looks like, or is refused in one line."""

import time
from pathlib import Path

import pytest

from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.variants import make_variant
from regretless.notation.text_file import format_yaml, parse_yaml, read_text
from regretless.recipes.config import apply_overrides, config_text, make_config, read_config
from regretless.solving.spot_options import SpotOptions

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{below}'] * 9)}]\n"
    for below, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("!!bool x", "tags such as 'tag:yaml.org,2002:bool'"),
        ("!!timestamp x", "tags"),
        ('!!int ""', "tags"),
        ("!!python/object:os.system x", "tags"),
        ("! x", "tags"),
        ("010", "line 1, column 1: '010' is not written as numbers are here"),
        ("08", "'08'"),
        ("-010", "'-010'"),
        ("1:30", "'1:30'"),
        ("190:20:30.15", "'190:20:30.15'"),
        ("a: 1\nb: 2\na: 3", "line 3, column 1: the key 'a' is given twice"),
        ('"a\\nb": 1', r"a key must be on one line, not 'a\nb'"),
        ("1: 2", "a key must be a word, and '1' is none"),
        ("[a]: 2", "a key must be a word"),
        ("yes: 2", "a key must be a word, and 'yes' is none"),
        (BOMB, "aliases counted"),
        ("&a [*a]", "an alias stands inside of what it stands for"),
        ("[" * 5000, "nested too deeply"),
        ("- a\n" * 100_000, "more than 10,000 values"),
        ("a" * 1_000_001, "more than 1,000,000 characters"),
        ("9" * 5000, "digits"),
        ("\x00", "character"),
    ],
)
def test_what_misleads_is_refused(text: str, problem: str) -> None:
    start = time.perf_counter()
    with pytest.raises(InputError) as error:
        parse_yaml(text, "here")
    message = str(error.value)
    assert message.startswith("here: ") and problem in message
    assert message.isprintable() and len(message) < 300
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("0", 0), ("-5", -5), ("1_000", 1000), ("1e-4", 1e-4), ("1e6", 1e6), ("0.5", 0.5)),
        *(("null", None), ("", None), ("yes", True), ("x", "x"), ("33%", "33%"), ("=", "=")),
        *(("2001-01-01", "2001-01-01"), ("'010'", "010"), ("[1, a]", [1, "a"])),
        ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
    ],
)
def test_what_is_read(text: str, value: object) -> None:
    assert parse_yaml(text, "here") == value


def test_what_is_written_is_read_back() -> None:
    words = ["010", "08", "1e-4", "1:30", "2001-01-01", "null", "yes", "=", "a: b", "é", "0x10", ""]
    tree = {"words": words, "numbers": [1, -2, 0.5, 1e-9, 1e300], "nothing": None}
    assert parse_yaml(format_yaml(tree), "here") == tree
    given = {"game": "kuhn", "algorithm": "cfr", "budget": {"steps": 5}, "output": "08"}
    config = make_config(given, "here")
    assert make_config(parse_yaml(config_text(config), "there"), "there") == config


def test_all_readers_are_strict(tmp_path: Path) -> None:
    """Configs, overrides, variants and menus."""
    twice = tmp_path / "twice.yaml"
    twice.write_text("all: 50%\nall: 75%\n", encoding="utf-8")
    with pytest.raises(InputError, match="given twice"):
        read_config(twice)
    with pytest.raises(InputError, match="given twice"):
        load_game(str(twice))
    with pytest.raises(InputError, match="given twice"):
        SpotOptions("Ts9d6h", 100, 900, menu=twice).spot()
    for value in ("!!bool x", "010", "1:30", "{a: 1, a: 2}"):
        with pytest.raises(InputError, match="seed=") as error:
            apply_overrides({}, [f"seed={value}"])
        assert str(error.value).isprintable()


def test_a_file_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="/dev/zero: more than"):
        read_text("/dev/zero")


def test_a_message_is_one_line_and_not_too_long() -> None:
    message = str(InputError("a\nb\x1b[31m\ud800" + "x" * 10_000))
    assert message.startswith(r"a\nb\x1b[31m\ud800xxx") and " ... " in message
    assert message.isprintable() and len(message) < 2100


def test_a_name_that_the_core_cannot_hold() -> None:
    with pytest.raises(InputError, match="printable"):
        make_variant({"name": "\ud800"}, "here")
