# SPDX-License-Identifier: MIT
"""Examples on disk: they come back to the byte, and nothing that was altered is learned from."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from regretless.errors import InputError
from regretless.runs.example_log import cut_examples, read_examples, write_examples


def make(path: Path, steps: int = 3) -> dict[str, np.ndarray]:
    """Returns all examples that were written."""
    generator = np.random.default_rng(1)
    parts = [
        {"ranges": generator.random((5, 4), np.float32), "states": np.arange(5, dtype=np.int32)}
        for _ in range(steps)
    ]
    for step, part in enumerate(parts, 9):
        write_examples(path, step, part)
    return {name: np.concatenate([each[name] for each in parts]) for name in parts[0]}


def test_examples_come_back_in_their_order(tmp_path: Path) -> None:
    wanted = make(tmp_path / "run" / "examples")
    for place in (tmp_path / "run", tmp_path / "run" / "examples"):
        found = read_examples(place)
        assert found.keys() == wanted.keys()
        for name, array in wanted.items():
            assert found[name].dtype == array.dtype and (found[name] == array).all()
    with pytest.raises(InputError, match="record_examples=true"):
        read_examples(tmp_path)


def test_no_altered_byte_is_learned_from(tmp_path: Path) -> None:
    make(tmp_path)
    for file in sorted(tmp_path.rglob("*.*")):
        whole = file.read_bytes()
        for place in range(0, len(whole), 3):
            flipped = bytes([whole[place] ^ (1 << place % 8)])
            file.write_bytes(whole[:place] + flipped + whole[place + 1 :])
            with pytest.raises(InputError, match="altered") as caught:
                read_examples(tmp_path)
            assert str(file) in str(caught.value) and "\n" not in str(caught.value)
        for content in (b"", whole[:-1], whole + b" "):
            file.write_bytes(content)
            with pytest.raises(InputError, match="altered"):
                read_examples(tmp_path)
        file.write_bytes(whole)
    read_examples(tmp_path)


def test_a_step_in_the_place_of_another_is_refused(tmp_path: Path) -> None:
    make(tmp_path)
    shutil.rmtree(tmp_path / "step_000000010")
    shutil.copytree(tmp_path / "step_000000009", tmp_path / "step_000000010")
    with pytest.raises(InputError, match="of another step"):
        read_examples(tmp_path)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(number: float, tmp_path: Path) -> None:
    make(tmp_path)
    write_examples(
        tmp_path, 12, {"ranges": np.full((1, 4), number, np.float32), "states": np.zeros(1, "i4")}
    )
    with pytest.raises(InputError, match=r"step_000000012: column 'ranges'.*not finite"):
        read_examples(tmp_path)


def test_later_steps_are_taken_back(tmp_path: Path) -> None:
    make(tmp_path)
    cut_examples(tmp_path, 10)
    cut_examples(tmp_path / "none", 10)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["step_000000009", "step_000000010"]
