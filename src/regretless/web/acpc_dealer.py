# SPDX-License-Identifier: MIT
"""The ACPC dealer beside a server: clients on one TCP port of this machine, match after match.

A client that has told its version gets the next free outside seat of the oldest match that waits;
where none does, the match of the settings is opened for it. The thread of the client that comes
last deals the match (`tables/acpc.py`).
"""

import contextlib
import logging
import secrets
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.rules_record import rules_record
from regretless.matches.bots import BOTS
from regretless.matches.intervals import Estimate, Moments
from regretless.matches.match import distinct
from regretless.seats.contestants import find_game
from regretless.tables.acpc import DealtHand, LineSocket, PolicySeat, Seat, SocketSeat, deal_match
from regretless.tables.off_menu import OffMenuPlayer
from regretless.web.errors import BusyError, ConflictError, NotFoundError
from regretless.web.play.hand_record import hand_row
from regretless.web.play.seating import Seating, Wanted
from regretless.web.play.tables import TablePlayer
from regretless.web.settings import AcpcSettings, Limits

HOST = "127.0.0.1"
_GREET_SECONDS = 10.0  # for the version
_LOOK_SECONDS = 0.5  # between looks at matches that wait for too long
_KEPT = 64  # matches that have ended and can be asked about

Status = Literal["waiting", "playing", "done", "failed", "cancelled"]
_LIVING = ("waiting", "playing")


@dataclass(eq=False)
class AcpcMatch:
    """A match that waits for clients, is played, or has ended."""

    id: str
    game: _native.Poker
    players: list[TablePlayer]
    hands: int
    seed: int
    seconds: float
    status: Status = "waiting"
    error: str | None = None
    """Why it failed, in one line."""
    num_finished: int = 0
    chips: list[int] = field(default_factory=list)
    """By player; replaced as a whole, never changed."""
    won: list[Estimate] = field(default_factory=list)
    """In units for each hand."""
    seats: dict[int, SocketSeat] = field(default_factory=dict)
    """Clients, by player."""
    since: float = field(default_factory=time.monotonic)
    """When it came to its status."""

    @property
    def free(self) -> list[int]:
        """Outside players who have not connected."""
        return [
            number
            for number, each in enumerate(self.players)
            if each.policy is None and number not in self.seats
        ]

    def to_json(self) -> dict[str, Any]:
        names = distinct([each.name for each in self.players])
        return {
            "id": self.id,
            "game": self.game.name,
            "status": self.status,
            "error": self.error,
            "hands": self.hands,
            "num_finished": self.num_finished,
            "seed": None if self.status in _LIVING else self.seed,
            "players": [
                {
                    "name": name,
                    "is_outside": each.policy is None,
                    "is_connected": each.policy is not None or number in self.seats,
                    "chips": self.chips[number] if self.chips else 0,
                    "mbb_per_game": 1000 * self.won[number].mean if self.won else None,
                    "half_width": 1000 * self.won[number].half_width
                    if self.num_finished > 1
                    else None,
                }
                for number, (name, each) in enumerate(zip(names, self.players, strict=True))
            ],
        }


class AcpcDealer:
    """All ACPC matches of a server. Any thread may use it."""

    def __init__(
        self,
        settings: AcpcSettings | None,
        limits: Limits,
        seating: Seating,
        append: Callable[[list[dict[str, Any]]], None],
    ) -> None:
        """`append` has rows on disk when it returns."""
        self.settings, self.limits, self.seating = settings, limits, seating
        self.port: int | None = None
        self._append = append
        self._lock = threading.Lock()
        self._matches: OrderedDict[str, AcpcMatch] = OrderedDict()
        self._sockets: set[LineSocket] = set()
        self._listener: socket.socket | None = None
        self._threads: set[threading.Thread] = set()
        self._is_stopped = False
        self._game: Game | None = None

    def listen(self) -> None:
        """Take the port; InputError if it is taken, or the match of the settings makes no sense."""
        if self.settings is None or self._listener is not None:
            return
        wanted = _wanted(self.settings.players)
        self.seating.check(wanted)
        if self.settings.game is not None:
            self._game = _poker(find_game(self.settings.game, len(wanted)))
        try:
            self._listener = socket.create_server((HOST, self.settings.port))
        except OSError as error:
            place = f"--acpc-port {self.settings.port}"
            raise InputError(f"{place}: {error.strerror or error}") from None
        self.port = self._listener.getsockname()[1]

    def start(self) -> None:
        self.listen()
        if self._listener is not None:
            self._begin(self._accept, self._listener)

    def stop(self) -> None:
        """Nothing new is begun, and matches that are played are ended."""
        self._is_stopped = True
        if self._listener is not None:
            self._listener.close()
        with self._lock:
            matches, sockets = list(self._matches.values()), list(self._sockets)
        for match in matches:
            self._end(match, "failed", "the server ends")
        for each in sockets:
            each.interrupt()
        for thread in list(self._threads):
            thread.join(5)

    def open(
        self,
        game: Game,
        players: Sequence[TablePlayer],
        *,
        hands: int,
        seed: int | None = None,
        seconds: float = 60.0,
    ) -> AcpcMatch:
        """A match that waits for its clients; BusyError if there are too many."""
        if self.port is None:
            raise ConflictError("this server has no ACPC port: start it with --acpc-port")
        if len(players) != game.num_players:
            raise InputError(f"{game.name} has {game.num_players} seats, not {len(players)}")
        if all(each.policy is not None for each in players):
            raise InputError("players: nobody is from outside; policies alone play a match")
        seed = secrets.randbits(62) if seed is None else seed
        made = AcpcMatch(secrets.token_hex(6), _poker(game), list(players), hands, seed, seconds)
        with self._lock:
            living = [each for each in self._matches.values() if each.status in _LIVING]
            if len(living) >= self.limits.acpc_matches:
                raise BusyError(f"there are {len(living)} ACPC matches, as many as are allowed")
            ended = [id for id, each in self._matches.items() if each.status not in _LIVING]
            for id in ended[: max(len(ended) - _KEPT + 1, 0)]:
                del self._matches[id]
            self._matches[made.id] = made
        return made

    def all(self) -> list[AcpcMatch]:
        """The newest first."""
        with self._lock:
            return list(self._matches.values())[::-1]

    def find(self, id: str) -> AcpcMatch:
        with self._lock:
            if id not in self._matches:
                raise NotFoundError(f"no ACPC match has the id {id[:80]!r}")
            return self._matches[id]

    def cancel(self, id: str) -> AcpcMatch:
        """End it, if it has not ended yet."""
        match = self.find(id)
        self._end(match, "cancelled", "the match was cancelled")
        return match

    def _begin(self, function: Callable[..., None], *arguments: Any) -> None:
        def work() -> None:
            try:
                function(*arguments)
            except Exception:
                logging.getLogger("regretless.web").exception("ACPC dealer")
            finally:
                self._threads.discard(threading.current_thread())

        thread = threading.Thread(target=work, name="acpc", daemon=True)
        self._threads.add(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        listener.settimeout(_LOOK_SECONDS)
        while not self._is_stopped:
            self._sweep()
            try:
                connection, (host, port, *_) = listener.accept()
            except TimeoutError:
                continue
            except OSError:
                if self._is_stopped:
                    return
                time.sleep(_LOOK_SECONDS)  # too many files, or a client that has left already
                continue
            line_socket = LineSocket(connection, f"{host}:{port}")
            with self._lock:
                is_full = len(self._sockets) >= self.limits.acpc_sockets
                if not is_full:
                    self._sockets.add(line_socket)
            if is_full:
                with contextlib.suppress(InputError):
                    line_socket.send("# too many clients are connected", _LOOK_SECONDS)
                line_socket.close()
            else:
                self._begin(self._welcome, line_socket)

    def _sweep(self) -> None:
        """End matches whose clients do not come."""
        for match in self.all():
            late = time.monotonic() - match.since > match.seconds
            if match.status == "waiting" and late:
                self._end(match, "failed", f"not all clients came in {match.seconds:g} seconds")

    def _welcome(self, line_socket: LineSocket) -> None:
        """In a thread of its own: seat a client; the last one's thread deals."""
        try:
            SocketSeat("client", line_socket, _GREET_SECONDS).greet()
            match = self._join(line_socket)
        except InputError as error:
            self._dismiss(line_socket, str(error))
            return
        if match is not None:
            self._play(match)

    def _join(self, line_socket: LineSocket) -> AcpcMatch | None:
        """Take a seat; the match if that was the last one."""
        seated = self._seat(line_socket)
        if seated is None:
            if self.settings is None:
                raise InputError("no match is waiting")
            game, players = self._standing(self.settings)
            self.open(
                game,
                players,
                hands=self.settings.hands,
                seed=self.settings.seed,
                seconds=self.settings.seconds,
            )
            seated = self._seat(line_socket)
        if seated is None:
            raise InputError("no match is waiting")
        match, is_last = seated
        return match if is_last else None

    def _seat(self, line_socket: LineSocket) -> tuple[AcpcMatch, bool] | None:
        """The oldest match that has a place, and whether it was the last."""
        with self._lock:
            for match in self._matches.values():
                if match.status != "waiting":
                    continue
                for number, seat in list(match.seats.items()):
                    if not seat.line_socket.is_open:  # left while it waited for the others
                        del match.seats[number]
                        self._sockets.discard(seat.line_socket)
                        seat.close()
                number, *others = match.free
                name = match.players[number].name
                match.seats[number] = SocketSeat(name, line_socket, match.seconds)
                line_socket.place = name
                if not others:
                    match.status, match.since = "playing", time.monotonic()
                return match, not others
        return None

    def _standing(self, settings: AcpcSettings) -> tuple[Game, list[TablePlayer]]:
        wanted = _wanted(settings.players)
        has_strategies = any(each.kind == "strategy" for each in wanted)
        players = None if has_strategies else len(wanted)
        return self.seating.seat(wanted, self._game, players)

    def _play(self, match: AcpcMatch) -> None:
        moments, chips = Moments(len(match.players)), np.zeros(len(match.players), np.int64)
        names = [each.name for each in match.players]

        def keep(hand: DealtHand) -> None:
            if time.monotonic() - match.since > self.limits.acpc_seconds:
                raise InputError(f"the match took {self.limits.acpc_seconds:g} seconds")
            number = len(names)
            seats = [(position - hand.number) % number for position in range(number)]
            self._append([hand_row(match.id, hand.number, seats, names, hand.episode)])
            payoffs = np.array(hand.episode.payoffs, np.int64)[np.argsort(seats)]
            moments.add(payoffs[None] / match.game.unit)
            chips[:] += payoffs
            match.chips = chips.tolist()
            match.won = [moments.estimate(each) for each in range(number)]
            match.num_finished += 1

        try:
            self._append([_opening(match)])
            deal_match(match.game, _seats(match), match.hands, match.seed, keep)
        except InputError as error:
            self._end(match, "failed", str(error))
        except Exception:
            logging.getLogger("regretless.web").exception("ACPC match %s", match.id)
            self._end(match, "failed", "an error in the server")
        else:
            self._end(match, "done", None)
        finally:
            for seat in match.seats.values():
                self._dismiss(seat.line_socket, match.error)

    def _end(self, match: AcpcMatch, status: Status, why: str | None) -> None:
        """Once; a match that is played is left to its thread, which finds that nothing comes."""
        with self._lock:
            if match.status not in _LIVING:
                return
            was, match.status, match.error = match.status, status, why
        for seat in match.seats.values():
            if was == "playing":
                seat.line_socket.interrupt()
            else:
                self._dismiss(seat.line_socket, why)

    def _dismiss(self, line_socket: LineSocket, why: str | None) -> None:
        """Close a connection; after a match that was dealt to its end without a word."""
        with self._lock:
            self._sockets.discard(line_socket)
        if why is None:
            line_socket.close()
        else:
            line_socket.end(" ".join(why.split())[:400])


def _wanted(names: Sequence[str]) -> list[Wanted]:
    return [
        Wanted("outside" if each == "outside" else "bot" if each in BOTS else "strategy", each)
        for each in names
    ]


def _poker(game: Game) -> _native.Poker:
    if not isinstance(game, _native.Poker):
        raise InputError(f"{game.name}: the ACPC protocol is for poker only")
    return game


def _opening(match: AcpcMatch) -> dict[str, Any]:
    return {
        "kind": "table",
        "table": match.id,
        "game": match.game.name,
        "rules": rules_record(match.game),
        "seed": match.seed,
        "players": [each.name for each in match.players],
    }


def _seats(match: AcpcMatch) -> list[Seat]:
    seats: list[Seat] = []
    for number, each in enumerate(match.players):
        if each.policy is None:
            seats.append(match.seats[number])
        else:
            seed = (match.seed + number) % (1 << 64)
            seats.append(PolicySeat(OffMenuPlayer(each.policy, match.game, seed)))
            seats[-1].name = each.name
    return seats
