# SPDX-License-Identifier: MIT
"""The ACPC protocol: our policies as clients of a dealer, and a dealer of our own.

A client sends `VERSION:2.0.0` when it has connected. The dealer sends every player each state of
each hand as he sees it, `MATCHSTATE:position:hand:betting:cards`, and he whose turn it is sends
the line back with `:f`, `:c` or `:r` and an amount at its end. Lines end with CR LF. Players move
on by one position from hand to hand.
"""

import contextlib
import shlex
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.histories.acpc import format_match_state, parse_match_state
from regretless.matches.intervals import Estimate, Moments
from regretless.matches.match import distinct
from regretless.tables.off_menu import OffMenuPlayer

VERSION = "VERSION:2.0.0"
PREFIX = "acpc:"
_MOST_BYTES = 1 << 16  # of a line
_END_SECONDS = 0.5  # for the last line to arrive


class LineSocket:
    """Lines over TCP, each of which must come in time."""

    def __init__(self, connection: socket.socket, place: str) -> None:
        self.place = place
        self._socket, self._read = connection, bytearray()
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, line: str, seconds: float | None = None) -> None:
        """InputError if the other side has left, or takes nothing for so many seconds."""
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(f"{line}\r\n".encode())
        except TimeoutError:
            raise InputError(f"{self.place}: read nothing in {seconds:g} seconds") from None
        except OSError as error:
            raise InputError(f"{self.place}: {error.strerror or error}") from None

    def receive(self, seconds: float | None) -> str | None:
        """The next line; None when the other side has left. InputError after so many seconds."""
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

    @property
    def is_open(self) -> bool:
        """Whether the other side is still there, as far as it can be known without waiting."""
        try:
            self._socket.settimeout(0)
            return self._socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def end(self, line: str) -> None:
        """Say why, as a remark that clients pass over, and close; what they sent is read off, so
        that the line arrives."""
        with contextlib.suppress(InputError, OSError):
            self.send(f"# {line}", _END_SECONDS)
            self._socket.shutdown(socket.SHUT_WR)
            until = time.monotonic() + _END_SECONDS
            while (left := until - time.monotonic()) > 0:
                self._socket.settimeout(left)
                if not self._socket.recv(1 << 16):
                    break
        self.close()

    def interrupt(self) -> None:
        """From another thread: whoever waits here finds that nothing more comes."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        self._socket.close()


@dataclass(frozen=True)
class ClientResult:
    """What a client won, as far as it saw."""

    hands: int
    chips: int


def play_as_client(
    host: str,
    port: int,
    player: OffMenuPlayer,
    seconds: float | None = None,
    on_hand: Callable[[ClientResult], None] = lambda _: None,
) -> ClientResult:
    """Play at an ACPC dealer until it closes the connection.

    InputError if it sends what is no state of the game, or nothing for so many `seconds`.
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
                on_hand(result)
            elif episode.actor == state.position:
                action = player.act(episode, state.hand_number)
                line_socket.send(f"{line}:{format_action(episode, action)}", seconds)
    return result


class Seat(Protocol):
    """Somebody who plays at a dealer of ours."""

    name: str

    def see(self, line: str) -> None:
        """Be told a state."""

    def act(self, episode: _native.PokerEpisode, number: int, line: str) -> int:
        """What to do at that state, which was told as this line."""

    def close(self) -> None:
        """The match is over."""


class PolicySeat:
    """A policy of ours."""

    def __init__(self, player: OffMenuPlayer) -> None:
        self.name, self._player = player.policy.name, player

    def see(self, line: str) -> None:
        pass

    def act(self, episode: _native.PokerEpisode, number: int, line: str) -> int:
        return self._player.act(episode, number)

    def close(self) -> None:
        pass


class SocketSeat:
    """A client that has connected; it may think for so many `seconds`."""

    def __init__(self, name: str, line_socket: LineSocket, seconds: float) -> None:
        self.name, self.line_socket, self._seconds = name, line_socket, seconds

    def greet(self) -> None:
        """Hear its version; InputError if it tells none."""
        version = self._receive("told its version")
        if not version.startswith("VERSION:2."):
            raise InputError(f"{self.name}: must begin with {VERSION}, not {version[:40]!r}")

    def see(self, line: str) -> None:
        self.line_socket.send(line, self._seconds)

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

    def _receive(self, what: str) -> str:
        line = self.line_socket.receive(self._seconds)
        if line is None:
            raise InputError(f"{self.name}: left before it {what}")
        return line

    def close(self) -> None:
        self.line_socket.close()


class ClientSeat:
    """A client that is awaited at a port of its own, for so many `seconds`, and may think as long.

    `program` is started, with the host and the port as its last two arguments, and ended after
    the match.
    """

    def __init__(
        self, name: str, host: str, port: int, seconds: float, program: Sequence[str] = ()
    ) -> None:
        self.name, self._seconds = name, seconds
        self._seat: SocketSeat | None = None
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._server = socket.create_server((host, port))
            self.host, self.port = self._server.getsockname()[:2]
        except (OSError, OverflowError, UnicodeError) as error:
            problem = getattr(error, "strerror", None) or error
            raise InputError(f"{name}: cannot wait at {host}:{port}: {problem}") from None
        if program:
            self._start([*program, str(self.host), str(self.port)])

    def _start(self, words: list[str]) -> None:
        try:
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        except OSError as error:
            self._server.close()
            raise InputError(f"{self.name}: {words[0]}: {error.strerror or error}") from None

    def connect(self) -> None:
        """Wait until somebody has connected and has told his version."""
        self._server.settimeout(self._seconds)
        try:
            connection, _ = self._server.accept()
        except TimeoutError:
            raise InputError(
                f"{self.name}: nobody connected to port {self.port} in {self._seconds:g} seconds"
            ) from None
        self._server.close()
        self._seat = SocketSeat(self.name, LineSocket(connection, self.name), self._seconds)
        self._seat.greet()

    @property
    def _connected(self) -> SocketSeat:
        if self._seat is None:
            raise InputError(f"{self.name}: nobody has connected")
        return self._seat

    def see(self, line: str) -> None:
        self._connected.see(line)

    def act(self, episode: _native.PokerEpisode, number: int, line: str) -> int:
        return self._connected.act(episode, number, line)

    def close(self) -> None:
        self._server.close()
        if self._seat is not None:
            self._seat.close()
        if self._process is None:
            return
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def client_seat(text: str, host: str, seconds: float) -> ClientSeat:
    """`acpc:PORT` awaits a client there, 0 at any port; `acpc:PROGRAM` starts one."""
    rest = text.removeprefix(PREFIX)
    if rest.isdecimal():
        if int(rest[:9]) > 65535:
            raise InputError(f"{text}: ports are 0 to 65535")
        return ClientSeat(text, host, int(rest), seconds)
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise InputError(f"{text}: {error}") from None
    if not words:
        raise InputError(f"{text!r}: name a port or a program, as in acpc:18791 or acpc:./bot")
    return ClientSeat(Path(words[0]).name, host, 0, seconds, words)


@dataclass(frozen=True)
class DealtHand:
    """A hand that is over."""

    number: int
    episode: _native.PokerEpisode
    players: list[str]
    """By position."""


@dataclass(frozen=True)
class DealerResult:
    """What came of a match."""

    hands: int
    players: list[str]
    chips: list[int]
    """Won in all, by player."""
    won: list[Estimate]
    """In units for each hand."""


def deal_match(
    game: _native.Poker,
    seats: Sequence[Seat],
    hands: int,
    seed: int = 0,
    on_hand: Callable[[DealtHand], None] = lambda _: None,
) -> DealerResult:
    """Deal a match by the ACPC protocol: hand n has the cards of episode n of a job of that seed.

    Player p sits at position (p + n) mod players in hand n, so the same players in another order
    play the same cards from other positions. `on_hand` hears of a hand before the clients are told
    how it ended.
    """
    if len(seats) != game.num_players:
        raise InputError(f"{game.name} is for {game.num_players} players, not {len(seats)}")
    if hands < 1:
        raise InputError(f"hands: must be 1 or more, not {hands}")
    if not 0 <= seed < 1 << 64:
        raise InputError(f"seed: must be a number from 0 below 2^64, not {seed}")
    names, players = distinct([seat.name for seat in seats]), len(seats)
    chips, moments = np.zeros(players, np.int64), Moments(players)
    for number in range(hands):
        order = [(position - number) % players for position in range(players)]
        by_position = [seats[player] for player in order]
        episode = _deal(game, by_position, seed, number)
        payoffs = np.array(episode.payoffs, np.int64)[np.argsort(order)]
        chips += payoffs
        moments.add(payoffs[None].astype(np.float64))
        on_hand(DealtHand(number, episode, [names[player] for player in order]))
        _tell(by_position, episode, number)
    won = [moments.estimate(player, 1 / game.unit) for player in range(players)]
    return DealerResult(hands, names, chips.tolist(), won)


def _deal(
    game: _native.Poker, seats: Sequence[Seat], seed: int, number: int
) -> _native.PokerEpisode:
    """Play one hand, up to the state that ends it, which is not told yet; seats by position."""
    episode = _native.PokerEpisode(game, seed, number)
    while not episode.is_terminal:
        lines, actor = _tell(seats, episode, number), episode.actor
        episode.act(seats[actor].act(episode, number, lines[actor]))
    return episode


def _tell(seats: Sequence[Seat], episode: _native.PokerEpisode, number: int) -> list[str]:
    """Every seat the state as it sees it; the lines that were told."""
    lines = [format_match_state(episode, position, number) for position in range(len(seats))]
    for seat, line in zip(seats, lines, strict=True):
        seat.see(line)
    return lines


@contextlib.contextmanager
def connected(seats: Sequence[Seat]) -> Iterator[None]:
    """Wait for those who connect; all are closed at the end."""
    try:
        for seat in seats:
            if isinstance(seat, ClientSeat):
                seat.connect()
        yield
    finally:
        for seat in seats:
            seat.close()


def format_action(episode: _native.PokerEpisode, action: int) -> str:
    """An action of the actor as the protocol writes it: `f`, `c`, `r`, `r300`."""
    if action <= 0:
        return "f" if action < 0 else "c"
    if episode.game.rules.limit == _native.Limit.FIXED:
        return "r"
    return f"r{action + _earlier(episode)}"


def parse_action(text: str, episode: _native.PokerEpisode) -> int:
    """The action that the actor has written; InputError if it is none or not legal."""
    if text == "f":
        if not episode.can_fold:
            raise InputError("folds, and there is no bet to fold to")
        return -1
    if text == "c":
        return 0
    amount = text.removeprefix("r")
    if not text.startswith("r") or not (amount.isdecimal() or amount == "") or len(amount) > 9:
        raise InputError(f"an action is f, c or r with an amount, not {text[:40]!r}")
    if episode.raise_range is None:
        raise InputError("raises, and no raise is allowed there")
    least, most = episode.raise_range
    if episode.game.rules.limit == _native.Limit.FIXED:
        return least
    earlier = _earlier(episode)
    if not amount or not least <= int(amount) - earlier <= most:
        raise InputError(f"raises {text!r}; it must be r{least + earlier} to r{most + earlier}")
    return int(amount) - earlier


def _earlier(episode: _native.PokerEpisode) -> int:
    """What the actor put in before this street's bets."""
    return episode.paid[episode.actor] - episode.bets[episode.actor]
