# SPDX-License-Identifier: MIT
"""Tables of rows as CSV and Parquet."""

import csv
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from regretless.errors import InputError
from regretless.storage import row_files
from regretless.storage.row_files import write_rows


def many(count: int) -> Iterator[dict[str, Any]]:
    for n in range(count):
        yield {"hand": f"h{n}", "ev": n / 7, "odd": None if n % 2 else 1.0}


def test_both_files_have_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(row_files, "_PART", 7)
    write_rows(lambda: many(23), tmp_path / "a.csv", tmp_path / "a.parquet")
    told = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.to_pylist() == list(many(23))
    assert [(row["hand"], float(row["ev"]), row["odd"]) for row in told] == [
        (row["hand"], row["ev"], str(row["odd"] or "")) for row in many(23)
    ]
    write_rows(list, tmp_path / "none.csv", tmp_path / "none.parquet", names=["a", "b"])
    assert (tmp_path / "none.csv").read_text() == "a,b\n"
    assert parquet.read_table(tmp_path / "none.parquet").column_names == ["a", "b"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.csv",
        "a.parquet",
        "none.csv",
        "none.parquet",
    ]


@pytest.mark.parametrize("kind", ["csv_file", "parquet"])
def test_memory_does_not_grow_with_the_rows(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(row_files, "_PART", 500)
    peaks = []
    for count in (2_000, 2_000, 20_000):  # the first warms up
        tracemalloc.start()
        write_rows(lambda n=count: many(n), **{kind: tmp_path / f"rows.{kind}"})
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 1.5 * peaks[1]


def test_a_failure_leaves_nothing_half_written(tmp_path: Path) -> None:
    def broken() -> Iterator[dict[str, Any]]:
        yield {"a": 1.0}
        raise InputError("no more")

    with pytest.raises(InputError, match="no more"):
        write_rows(broken, tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="missing"):
        write_rows(lambda: many(1), tmp_path / "missing" / "a.csv")


def test_names_choose_columns_and_gaps_are_empty(tmp_path: Path) -> None:
    write_rows(lambda: [{"a": 1, "b": 2}, {"b": 3}], tmp_path / "a.csv", names=["b", "a"])
    assert (tmp_path / "a.csv").read_text() == "b,a\n2,1\n3,\n"
