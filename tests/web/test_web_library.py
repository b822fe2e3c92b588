# SPDX-License-Identifier: MIT
"""The library of a server: ids that stay, what is opened once, what is never opened."""

import shutil
from pathlib import Path

import pytest

from regretless import InputError, solve
from regretless.web.errors import NotFoundError
from regretless.web.library import Library


def test_ids_stay_while_others_come(tmp_path: Path) -> None:
    bundle = solve("kuhn", iterations=5)
    bundle.write_bundle(tmp_path / "b" / "kuhn")
    library = Library((tmp_path,))
    (first,) = [each for each in library.entries() if not each.is_shipped]
    assert first.id == "kuhn"
    bundle.write_bundle(tmp_path / "a" / "kuhn")  # comes before it in the order of names
    found = {each.path.parent.name: each.id for each in library.entries() if not each.is_shipped}
    assert found == {"a": "kuhn-2", "b": "kuhn"}
    bundle.write_bundle(tmp_path / "hunl-deep-cfr")  # the one that ships keeps its name
    assert library.entry("hunl-deep-cfr").is_shipped
    assert library.entry("hunl-deep-cfr-2").path == tmp_path / "hunl-deep-cfr"


def test_opened_once_until_it_changes(tmp_path: Path) -> None:
    solve("kuhn", iterations=5).write_bundle(tmp_path / "kuhn")
    library = Library((tmp_path,), opened=2)
    first = library.opened("kuhn")
    assert library.opened("kuhn") is first
    assert library.opened("kuhn", "table") is not first
    assert library.solved("kuhn") is library.solved("kuhn")
    assert library.opened("kuhn") is not first  # two others came since
    again = library.opened("kuhn")
    solve("kuhn", iterations=6).write_bundle(tmp_path / "kuhn")
    assert library.opened("kuhn") is not again


def test_what_is_gone_is_not_found(tmp_path: Path) -> None:
    solve("kuhn", iterations=5).write_bundle(tmp_path / "kuhn")
    library = Library((tmp_path,))
    assert library.entry("kuhn")
    shutil.rmtree(tmp_path / "kuhn")
    with pytest.raises(NotFoundError):
        library.entry("kuhn")


def test_links_and_hidden_names_are_left_out(tmp_path: Path) -> None:
    solve("kuhn", iterations=5).write_bundle(tmp_path / "elsewhere" / "kuhn")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(tmp_path / "elsewhere" / "kuhn")
    (tmp_path / "elsewhere").rename(inside / ".hidden")
    assert all(each.is_shipped for each in Library((inside,)).entries())


def test_runs_of_custom_code_are_not_opened(tmp_path: Path) -> None:
    """A run without a bundle whose config names a module: nothing is imported."""
    run = tmp_path / "run"
    run.mkdir()
    (run / "config.yaml").write_text("game: {name: 'bad_module:Game'}\nalgorithm: {name: cfr+}\n")
    (run / "metrics.jsonl").write_text("")
    library = Library((tmp_path,))
    with pytest.raises(InputError, match="no known name"):
        library.opened("run")


def test_damaged_bundles_are_one_line(tmp_path: Path) -> None:
    solve("kuhn", iterations=5).write_bundle(tmp_path / "kuhn")
    table = tmp_path / "kuhn" / "strategy.safetensors"
    table.write_bytes(table.read_bytes()[:-1] + b"x")
    with pytest.raises(InputError):
        Library((tmp_path,)).opened("kuhn")
