# SPDX-License-Identifier: MIT
"""The ACPC protocol over TCP: a policy at an outside dealer, and a dealer for policies and clients.

A client sends `VERSION:2.0.0` when it has connected. The dealer sends every player each state of
each hand as this player sees it, `MATCHSTATE:position:hand:betting:cards`. The player to act sends
the line back with `:f`, `:c` or `:r` and an amount at its end. Lines end with CR LF.
"""

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.histories.acpc import (
    MatchState,
    exact_payoffs,
    format_action,
    format_match_state,
    parse_action,
    parse_match_state,
)
from regretless.histories.recorded_hand import RecordedHand
from regretless.matches.intervals import Estimate, Moments
from regretless.matches.match import distinct
from regretless.matches.off_menu import OffMenuPlayer
from regretless.matches.seatings import by_player, seated
from regretless.seats.program_bots import end_program, program_words, started
from regretless.watch import UNWATCHED, Watch

VERSION = "VERSION:2.0.0"
PREFIX = "acpc:"
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
    chips: float
    """Shared pots are divided exactly."""
    won: Estimate
    """Units won per hand."""


def play_as_client(
    host: str,
    port: int,
    player: OffMenuPlayer,
    seconds: float | None = None,
    on_hand: Callable[[MatchState], object] = lambda _: None,
) -> ClientResult:
    """Plays at an ACPC dealer until it closes the connection.

    InputError if it sends no valid state of the game, or nothing for `seconds`. `on_hand` is called
    with the end of each hand.
    """
    place = f"{host}:{port}"
    try:
        connection = socket.create_connection((host, port), timeout=seconds)
    except (OSError, UnicodeError) as error:
        problem = getattr(error, "strerror", None) or error
        raise InputError(f"{place}: {problem}") from None
    chips, moments = 0.0, Moments(1)
    line_socket = LineSocket(connection, place)
    with contextlib.closing(line_socket):
        line_socket.send(VERSION, seconds)
        while (line := line_socket.receive(seconds)) is not None:
            if not line or line.startswith(("#", ";")):
                continue
            try:
                state = parse_match_state(line, player.real)
            except InputError as error:
                said = rules_text(player.real)
                raise InputError(f"{place}: {error} (the client plays {said})") from None
            episode = state.episode
            if episode.is_terminal:
                won = exact_payoffs(episode)[state.position]
                chips += won
                moments.add(np.array([[won]]))
                on_hand(state)
            elif episode.actor == state.position:
                action = player.act(episode, state.hand_number)
                line_socket.send(f"{line}:{format_action(episode, action)}", seconds)
    return ClientResult(moments.count, chips, moments.estimate(0, 1 / player.real.unit))


def rules_text(game: _native.Poker) -> str:
    """The chips of a game in words."""
    rules = game.rules
    amounts = {"blinds": rules.blinds, "antes": rules.antes, "stacks": rules.stacks}
    shown = {name: sorted(set(chips) - {0}) for name, chips in amounts.items()}
    texts = [f"{name} of {'/'.join(map(str, chips))}" for name, chips in shown.items() if chips]
    return f"{rules.name} with {', '.join(texts)}"


@dataclass(frozen=True)
class Clock:
    """The time that a client has for all answers of a hand, and of the match; None: no limit."""

    hand_seconds: float | None = None
    match_seconds: float | None = None
    on_answer: Callable[[str, float, float], object] = lambda line, sent, received: None
    """Called with each answer and the times (seconds since 1970) of the question and the answer."""


class ClientSeat:
    """A client that is awaited at a port of its own for `seconds`, the time of each answer too.

    `program` is started with the host and the port as its last two arguments, and ended after the
    match. `clock` limits the time of a hand and of the match.
    """

    def __init__(
        self,
        name: str,
        host: str,
        port: int,
        seconds: float,
        program: Sequence[str] = (),
        clock: Clock = Clock(),  # noqa: B008 (frozen)
    ) -> None:
        self.name, self._seconds, self._clock = name, seconds, clock
        self._hand, self._hand_seconds, self._match_seconds = -1, 0.0, 0.0
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
        sent = time.time()
        answer = self._receive(f"answered in hand {number}")
        while answer.startswith(("#", ";")):
            answer = self._receive(f"answered in hand {number}")
        received = time.time()
        self._clock.on_answer(answer, sent, received)
        self._take_time(number, received - sent)
        state, _, text = answer.rpartition(":")
        if state != line:
            raise InputError(
                f"{self.name}: hand {number}: answers {answer[:200]!r}, and {line!r} was asked"
            )
        try:
            return parse_action(text, episode)
        except InputError as error:
            raise InputError(f"{self.name}: hand {number}: {error}") from None

    def _take_time(self, number: int, seconds: float) -> None:
        """Counts the time of an answer; InputError beyond a limit."""
        if number != self._hand:
            self._hand, self._hand_seconds = number, 0.0
        self._hand_seconds += seconds
        self._match_seconds += seconds
        clock = self._clock
        for taken, most, what in (
            (self._hand_seconds, clock.hand_seconds, f"hand {number}"),
            (self._match_seconds, clock.match_seconds, "the match"),
        ):
            if most is not None and taken > most:
                raise InputError(f"{self.name}: took {taken:.3g} s for {what}, and has {most:g} s")

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


def client_seat(
    text: str,
    host: str,
    seconds: float,
    clock: Clock = Clock(),  # noqa: B008 (frozen)
) -> ClientSeat:
    """`acpc:PORT` awaits a client there, 0 at any port; `acpc:PROGRAM` starts one."""
    rest = text.removeprefix(PREFIX)
    if rest.isdecimal():
        if int(rest[:9]) > 65535:
            raise InputError(f"{text}: ports are 0 to 65535")
        return ClientSeat(text, host, int(rest), seconds, clock=clock)
    wanted = "a port or a program, as in acpc:18791 or acpc:./bot"
    words = program_words(text, PREFIX, wanted)
    return ClientSeat(Path(words[0]).name, host, 0, seconds, words, clock)


@dataclass(frozen=True)
class DealerResult:
    """The result of a match."""

    hands: int
    players: list[str]
    chips: list[float]
    """Total chips won, by player; shared pots are divided exactly."""
    won: list[Estimate]
    """Units won per hand, by player; in a duplicate match a deal is one block."""


@dataclass(frozen=True)
class Dealing:
    """The length, the cards and the seats of a match."""

    hands: int = 1000
    """Number of hands, with --duplicate for each order of the players."""
    seed: int = 0
    """Seed of cards and choices."""
    duplicate: bool = False
    """Play all hands again in every other order of the players."""
    fixed_button: bool = False
    """Players keep their positions; else everybody moves on by one after each hand."""

    def __post_init__(self) -> None:
        if not 1 <= self.hands <= 1 << 32:
            raise InputError(f"hands: must be 1 to {1 << 32:,}, not {self.hands}")
        if not 0 <= self.seed < 1 << 64:
            raise InputError(f"seed: must be a number from 0 below 2^64, not {self.seed}")
        if self.duplicate and self.fixed_button:
            raise InputError("--duplicate: changes positions, which --fixed-button keeps")

    def turn(self, hand: int, order: int) -> int:
        """The number of positions that everybody has moved on by."""
        return 0 if self.fixed_button else hand + order


def deal_match(
    game: _native.Poker,
    seats: Sequence[Seat],
    dealing: Dealing,
    on_hand: Callable[[RecordedHand], object] = lambda _: None,
    watch: Watch = UNWATCHED,
) -> DealerResult:
    """Deals a match by the ACPC protocol: hand n has the cards of episode n of a job of that seed.

    Player p has position (p + n) mod players in hand n (`seatings.py`), so the same players in
    another order play the same cards from other positions; a duplicate match does that. `on_hand`
    is called with each hand before the clients receive its end.
    """
    if len(seats) != game.num_players:
        raise InputError(f"{game.name} is for {game.num_players} players, not {len(seats)}")
    names = distinct([seat.name for seat in seats])
    orders = len(seats) if dealing.duplicate else 1
    won = np.zeros((dealing.hands, len(seats)))
    for number in range(orders * dealing.hands):
        order, hand = divmod(number, dealing.hands)
        watch.look("dealing", number / (orders * dealing.hands))
        turn = dealing.turn(hand, order)
        by_position = seated(seats, turn)
        episode = _native.PokerEpisode(game, dealing.seed, hand)
        _play(episode, by_position, number)
        won[hand] += by_player(exact_payoffs(episode), turn)
        on_hand(RecordedHand(episode, seated(names, turn), number))
        _send(by_position, episode, number)
    moments = Moments(len(seats))
    moments.add(won)
    scale = 1 / (orders * game.unit)
    estimates = [moments.estimate(player, scale) for player in range(len(seats))]
    return DealerResult(orders * dealing.hands, names, won.sum(axis=0).tolist(), estimates)


def _play(episode: _native.PokerEpisode, seats: Sequence[Seat], number: int) -> None:
    """Plays one hand up to its end, which is not sent yet; seats are by position."""
    while not episode.is_terminal:
        lines, seat = _send(seats, episode, number), seats[episode.actor]
        if isinstance(seat, ClientSeat):
            episode.act(seat.act(episode, number, lines[episode.actor]))
        else:
            episode.act(seat.act(episode, number))


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
