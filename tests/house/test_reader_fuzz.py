# SPDX-License-Identifier: MIT
"""A few strange inputs for every reader (`make fuzz` makes millions), and what they found."""

import json
import re
from pathlib import Path

import pytest

from reader_fuzz import fuzz, make_readers
from regretless import _native, read_phh, write_phh
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.face import rules_record
from regretless.games.game_definition import parse_game_definition
from regretless.games.rules_record import recorded_game
from regretless.runs.run_record import read_run


def test_readers_read_or_refuse(tmp_path: Path) -> None:
    readers = make_readers(tmp_path)
    found, done = fuzz(readers, seed=20, count=30)
    assert not found, str(found[0])
    assert all(count == 30 for count, _ in done.values())


def test_inputs_depend_on_seed_and_number_alone(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first, second = make_readers(tmp_path), make_readers(tmp_path / "other")
    for name in ("cards", "PHH", "configs", "checkpoints"):
        assert first[name].input(name, 3, 5) == second[name].input(name, 3, 5)
        assert first[name].input(name, 3, 5) != first[name].input(name, 4, 5)


def test_a_recorded_name_that_the_core_cannot_hold() -> None:
    record = rules_record(load_game("kuhn"))
    record["poker"]["name"] = "\ud800"
    with pytest.raises(InputError, match="printable"):
        recorded_game(record, "rules")


def test_figures_too_large_for_a_float_are_no_points(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("game: kuhn\nalgorithm: cfr\n", encoding="utf-8")
    rows = [{"step": n, "eval/exploitability": e} for n, e in ((1, 0.5), (2, 10**400))]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "metrics.jsonl").write_text(text, encoding="utf-8")
    assert len(read_run(tmp_path).curve("eval/exploitability", "iterations")) == 1


@pytest.mark.parametrize(
    ("reader", "number"), [("checkpoints", 1315), ("checkpoints", 2861), ("checkpoints", 4617)]
)
def test_numbers_of_a_checkpoint_too_large_for_a_float(
    tmp_path: Path, reader: str, number: int
) -> None:
    each = make_readers(tmp_path)[reader]
    with pytest.raises(InputError):
        each.read(each.input(reader, 1, number))


def test_a_comma_between_cards_of_a_hand_history() -> None:
    text = re.sub(r"(d dh p1 ..)", r"\1,", write_phh(load_game("nlhe").episode(1)))
    with pytest.raises(InputError, match="one after the other"):
        read_phh(text)


def test_leading_zeros_of_a_game_definition() -> None:
    text = (
        "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nblind = 0000000000005 50\n"
        "stack = 00020000 20000\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
        "numBoardCards = 0 3 1 1\nEND GAMEDEF\n"
    )
    assert parse_game_definition(text).blinds == [5, 50]
    with pytest.raises(InputError, match="line 5: blind: must be at most"):
        parse_game_definition(text.replace("0000000000005", "0" * 5 + "9" * 12))


@pytest.mark.parametrize("menu", ["33%,33%", "min,min", "33%,33.0%", "a,a"])
def test_equal_slots_of_a_menu(menu: str) -> None:
    with pytest.raises(InputError, match="given twice"):
        load_game("nlhe", menu=menu)


def test_a_number_before_e_is_of_streets() -> None:
    """`1e400%` is no number: all-in over one street, by at most 400 % of the pot."""
    assert _native.normalize_bet_size("1e400%") == "1e400%"
    with pytest.raises(InputError, match="at most 100 million"):
        load_game("nlhe", menu="9" * 20 + "%")


def test_a_deck_beyond_the_ace() -> None:
    with pytest.raises(ValueError, match="ranks of a deck"):
        _native.Deck(13, 4, 5)
