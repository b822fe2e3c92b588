# SPDX-License-Identifier: MIT
"""Kinds of bad input that a server tells apart; each has a status of its own (api/errors.py)."""

from regretless.errors import InputError


class NotFoundError(InputError):
    """There is nothing of that id."""


class ForbiddenError(InputError):
    """Whoever asks may not."""


class ConflictError(InputError):
    """It cannot be done now."""


class BusyError(InputError):
    """The server has as much to do as it takes on."""
