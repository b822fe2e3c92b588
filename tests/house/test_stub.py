# SPDX-License-Identifier: MIT
"""The checked-in stub of the native module says what the module says (`make stub` renews it)."""

import subprocess
import sys
from pathlib import Path

STUB = Path(__file__).parents[2] / "src" / "regretless" / "_native.pyi"


def test_stub_is_up_to_date(tmp_path: Path) -> None:
    made = tmp_path / "_native.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "regretless._native"]
    subprocess.run([*command, "-o", str(made)], check=True)
    assert made.read_text() == STUB.read_text(), "run `make stub`"
