# SPDX-License-Identifier: MIT
"""Settings that hold for all tests."""

import pytest
from hypothesis import settings

# An example may take long because the machine is busy.
settings.register_profile("regretless", deadline=None)
settings.load_profile("regretless")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test marked `gpu` on a machine without a CUDA device."""
    if item.get_closest_marker("gpu") is not None:
        torch = pytest.importorskip("torch")
        if not torch.cuda.is_available():
            pytest.skip("needs a CUDA device")
