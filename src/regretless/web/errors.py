# SPDX-License-Identifier: MIT
"""Kinds of bad input, each with an HTTP status (api/errors.py)."""

from regretless.errors import InputError


class NotFoundError(InputError):
    """The id is unknown."""


class ForbiddenError(InputError):
    """The token does not allow the request."""


class ConflictError(InputError):
    """The current state does not allow the request."""


class BusyError(InputError):
    """The server has reached a limit."""
