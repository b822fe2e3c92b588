# SPDX-License-Identifier: MIT
"""A task for the tests of clusters, which imports little."""

from regretless.errors import InputError


def double(number: int) -> int:
    """Doubles a number that is not negative."""
    if number < 0:
        raise InputError(f"{number} is negative")
    return 2 * number
