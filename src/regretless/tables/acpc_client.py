# SPDX-License-Identifier: MIT
"""A client of the ACPC protocol: a policy at an outside dealer.

A client sends `VERSION:2.0.0` when it has connected. The dealer sends every player each state of
each hand as this player sees it, `MATCHSTATE:position:hand:betting:cards`. The player to act sends
the line back with `:f`, `:c` or `:r` and an amount at its end. Lines end with CR LF.
"""

import contextlib
import socket
import time
from dataclasses import dataclass

from regretless.errors import InputError
from regretless.histories.acpc import format_action, parse_match_state
from regretless.tables.off_menu import OffMenuPlayer

VERSION = "VERSION:2.0.0"
_MOST_BYTES = 1 << 16  # of a line


class LineSocket:
    """Lines over TCP, each of which must come in time."""

    def __init__(self, connection: socket.socket, place: str) -> None:
        self.place = place
        self._socket, self._read = connection, bytearray()
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, line: str, seconds: float | None = None) -> None:
        """Sends a line; InputError if the other side has left or reads nothing for `seconds`."""
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(f"{line}\r\n".encode())
        except TimeoutError:
            raise InputError(f"{self.place}: read nothing in {seconds:g} seconds") from None
        except OSError as error:
            raise InputError(f"{self.place}: {error.strerror or error}") from None

    def receive(self, seconds: float | None) -> str | None:
        """Returns the next line, None when the other side has left; InputError after `seconds`."""
        until = None if seconds is None else time.monotonic() + seconds
        while (at := self._read.find(b"\n")) < 0:
            if len(self._read) > _MOST_BYTES:
                raise InputError(f"{self.place}: sends a line of more than {_MOST_BYTES:,} bytes")
            left = None if until is None else max(until - time.monotonic(), 1e-3)
            self._socket.settimeout(left)
            try:
                piece = self._socket.recv(1 << 16)
            except TimeoutError:
                raise InputError(f"{self.place}: sent nothing in {seconds:g} seconds") from None
            except ConnectionError:
                return None
            except OSError as error:
                raise InputError(f"{self.place}: {error.strerror or error}") from None
            if not piece:
                return None
            self._read += piece
        line = self._read[:at].decode(errors="replace").rstrip("\r")
        del self._read[: at + 1]
        return line

    def close(self) -> None:
        self._socket.close()


@dataclass(frozen=True)
class ClientResult:
    """The chips that a client won in the hands that it saw end."""

    hands: int
    chips: int


def play_as_client(
    host: str,
    port: int,
    player: OffMenuPlayer,
    seconds: float | None = None,
) -> ClientResult:
    """Plays at an ACPC dealer until it closes the connection.

    InputError if it sends no valid state of the game, or nothing for `seconds`.
    """
    place = f"{host}:{port}"
    try:
        connection = socket.create_connection((host, port), timeout=seconds)
    except (OSError, UnicodeError) as error:
        problem = getattr(error, "strerror", None) or error
        raise InputError(f"{place}: {problem}") from None
    result = ClientResult(0, 0)
    line_socket = LineSocket(connection, place)
    with contextlib.closing(line_socket):
        line_socket.send(VERSION, seconds)
        while (line := line_socket.receive(seconds)) is not None:
            if not line or line.startswith(("#", ";")):
                continue
            try:
                state = parse_match_state(line, player.game)
            except InputError as error:
                raise InputError(f"{place}: {error}") from None
            episode = state.episode
            if episode.is_terminal:
                won = episode.payoffs[state.position]
                result = ClientResult(result.hands + 1, result.chips + won)
            elif episode.actor == state.position:
                action = player.act(episode, state.hand_number)
                line_socket.send(f"{line}:{format_action(episode, action)}", seconds)
    return result
