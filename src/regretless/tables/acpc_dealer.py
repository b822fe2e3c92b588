# SPDX-License-Identifier: MIT
"""A dealer of the ACPC protocol (`acpc_client.py`), for our policies and clients over TCP."""

import contextlib
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.histories.acpc import format_match_state, parse_action
from regretless.histories.hand_log import RecordedHand
from regretless.matches.intervals import Estimate, Moments
from regretless.matches.match import distinct
from regretless.matches.seatings import by_player, seated
from regretless.seats.program_bots import end_program, program_words, started
from regretless.tables.acpc_client import VERSION, LineSocket
from regretless.tables.off_menu import OffMenuPlayer

PREFIX = "acpc:"


class ClientSeat:
    """A client that is awaited at a port of its own for `seconds`, the time of each answer too.

    `program` is started with the host and the port as its last two arguments, and ended after the
    match.
    """

    def __init__(
        self, name: str, host: str, port: int, seconds: float, program: Sequence[str] = ()
    ) -> None:
        self.name, self._seconds = name, seconds
        self._lines: LineSocket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._server = socket.create_server((host, port))
            self.host, self.port = self._server.getsockname()[:2]
        except (OSError, OverflowError, UnicodeError) as error:
            problem = getattr(error, "strerror", None) or error
            raise InputError(f"{name}: cannot wait at {host}:{port}: {problem}") from None
        if program:
            words = [*program, str(self.host), str(self.port)]
            try:
                self._process = started(words, name, stdin=subprocess.DEVNULL)
            except InputError:
                self._server.close()
                raise

    def connect(self) -> None:
        """Waits until a client has connected and sent its version."""
        self._server.settimeout(self._seconds)
        try:
            connection, _ = self._server.accept()
        except TimeoutError:
            raise InputError(
                f"{self.name}: nobody connected to port {self.port} in {self._seconds:g} seconds"
            ) from None
        self._server.close()
        self._lines = LineSocket(connection, self.name)
        version = self._receive("sent its version")
        if not version.startswith("VERSION:2."):
            raise InputError(f"{self.name}: must begin with {VERSION}, not {version[:40]!r}")

    def see(self, line: str) -> None:
        assert self._lines is not None  # `connect` came first
        self._lines.send(line, self._seconds)

    def act(self, episode: _native.PokerEpisode, number: int, line: str) -> int:
        answer = self._receive(f"answered in hand {number}")
        while answer.startswith(("#", ";")):
            answer = self._receive(f"answered in hand {number}")
        state, _, text = answer.rpartition(":")
        if state != line:
            raise InputError(
                f"{self.name}: hand {number}: answers {answer[:200]!r}, and {line!r} was asked"
            )
        try:
            return parse_action(text, episode)
        except InputError as error:
            raise InputError(f"{self.name}: hand {number}: {error}") from None

    def close(self) -> None:
        self._server.close()
        if self._lines is not None:
            self._lines.close()
        if self._process is not None:
            end_program(self._process, 2)

    def _receive(self, what: str) -> str:
        assert self._lines is not None
        line = self._lines.receive(self._seconds)
        if line is None:
            raise InputError(f"{self.name}: left before it {what}")
        return line


Seat = OffMenuPlayer | ClientSeat
"""A policy in this process, or a client."""


def client_seat(text: str, host: str, seconds: float) -> ClientSeat:
    """`acpc:PORT` awaits a client there, 0 at any port; `acpc:PROGRAM` starts one."""
    rest = text.removeprefix(PREFIX)
    if rest.isdecimal():
        if int(rest[:9]) > 65535:
            raise InputError(f"{text}: ports are 0 to 65535")
        return ClientSeat(text, host, int(rest), seconds)
    wanted = "a port or a program, as in acpc:18791 or acpc:./bot"
    words = program_words(text, PREFIX, wanted)
    return ClientSeat(Path(words[0]).name, host, 0, seconds, words)


@dataclass(frozen=True)
class DealerResult:
    """The result of a match."""

    hands: int
    players: list[str]
    chips: list[int]
    """Total chips won, by player."""
    won: list[Estimate]
    """Units won per hand, by player."""


def deal_match(
    game: _native.Poker,
    seats: Sequence[Seat],
    hands: int,
    seed: int = 0,
    on_hand: Callable[[RecordedHand], object] = lambda _: None,
) -> DealerResult:
    """Deals a match by the ACPC protocol: hand n has the cards of episode n of a job of that seed.

    Player p has position (p + n) mod players in hand n (`seatings.py`), so the same players in
    another order play the same cards from other positions. `on_hand` is called with each hand
    before the clients receive its end.
    """
    if len(seats) != game.num_players:
        raise InputError(f"{game.name} is for {game.num_players} players, not {len(seats)}")
    names = distinct([seat.name for seat in seats])
    chips, moments = np.zeros(len(seats), np.int64), Moments(len(seats))
    for number in range(hands):
        by_position = seated(seats, number)
        episode = _deal(game, by_position, seed, number)
        payoffs = np.array(by_player(episode.payoffs, number))
        chips += payoffs
        moments.add(payoffs[None].astype(np.float64))
        on_hand(RecordedHand(episode, seated(names, number), number))
        _send(by_position, episode, number)
    won = [moments.estimate(player, 1 / game.unit) for player in range(len(seats))]
    return DealerResult(hands, names, chips.tolist(), won)


def _deal(
    game: _native.Poker, seats: Sequence[Seat], seed: int, number: int
) -> _native.PokerEpisode:
    """Plays one hand up to its end, which is not sent yet; seats are by position."""
    episode = _native.PokerEpisode(game, seed, number)
    while not episode.is_terminal:
        lines, seat = _send(seats, episode, number), seats[episode.actor]
        if isinstance(seat, ClientSeat):
            episode.act(seat.act(episode, number, lines[episode.actor]))
        else:
            episode.act(seat.act(episode, number))
    return episode


def _send(seats: Sequence[Seat], episode: _native.PokerEpisode, number: int) -> dict[int, str]:
    """Sends every client the state as it sees it; returns the lines by position."""
    lines = {}
    for position, seat in enumerate(seats):
        if isinstance(seat, ClientSeat):
            lines[position] = format_match_state(episode, position, number)
            seat.see(lines[position])
    return lines


@contextlib.contextmanager
def connected(seats: Sequence[Seat]) -> Iterator[None]:
    """Waits until all clients have connected; closes them at the end."""
    clients = [seat for seat in seats if isinstance(seat, ClientSeat)]
    try:
        for client in clients:
            client.connect()
        yield
    finally:
        for client in clients:
            client.close()
