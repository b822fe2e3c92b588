# SPDX-License-Identifier: MIT
"""Properties that are checked with some examples in make test and with more in make test-slow."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings


def holds(quick: int, full: int, *strategies: Any) -> Callable[[Callable[..., None]], Any]:
    """A test of what holds for all that the strategies draw, with so many examples."""

    def decorate(check: Callable[..., None]) -> Any:
        @pytest.mark.parametrize("examples", [quick, pytest.param(full, marks=pytest.mark.slow)])
        def test(examples: int) -> None:
            settings(max_examples=examples)(given(*strategies)(check))()

        test.__doc__ = check.__doc__
        return test

    return decorate
