# SPDX-License-Identifier: MIT
"""Kinds of bad input, each with its HTTP status; other kinds have status 422."""

from regretless.errors import InputError


class NotFoundError(InputError):
    """The id is unknown."""

    status = 404


class ForbiddenError(InputError):
    """The token does not allow the request."""

    status = 403


class ConflictError(InputError):
    """The current state does not allow the request."""

    status = 409


class BusyError(InputError):
    """The server has reached a limit."""

    status = 429
