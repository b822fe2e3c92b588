# SPDX-License-Identifier: MIT
"""A bot in any language: `cmd:./bot --flag` starts the program and asks it in lines of JSON.

Each line that it reads on its standard input asks about a whole batch of hands, and it writes one
line for each on its standard output. docs/bots.md has the schema. A program that ends, is too slow
or answers nonsense is one line that names it, with the last line that it wrote to standard error.
"""

import contextlib
import json
import os
import select
import shlex
import subprocess
import tempfile
import time
import weakref
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.games import Game
from regretless.games.face import rules_record
from regretless.notation.cards import card_names
from regretless.policies.policy import Needs, Probabilities
from regretless.seats.custom_bots import CustomBot

PREFIX = "cmd:"
PROTOCOL = 1
SECONDS_VARIABLE = "REGRETLESS_ANSWER_SECONDS"
"""The variable of the environment that says how long a program may take for one answer."""

_SECONDS = 60.0
_MOST_BYTES = 1 << 28  # of an answer
_KINDS = ("slots", "amounts", "probabilities")
_NEEDS = {"history": {"history": True}, "strengths": {"chips": True}}
_COLUMNS = (
    *("streets", "pots", "to_calls", "stacks", "seat_stacks", "seat_bets", "offers"),
    *("least_raises", "most_raises"),
)
_STEPS = ("step_offsets", "step_actors", "step_streets", "step_slots", "step_actions")


def is_program(text: str) -> bool:
    """Whether the text names a program that plays."""
    return text.startswith(PREFIX)


def start_program(source: str, game: Game, seconds: float | None = None) -> CustomBot:
    """Starts the bot `cmd:PROGRAM ARGUMENTS` and sends it the game.

    It has `seconds` for each answer, else as many as REGRETLESS_ANSWER_SECONDS says, or 60.
    """
    program = _Program(source, _seconds_given() if seconds is None else seconds)
    hello = program.exchange({"hello": PROTOCOL, "game": describe_game(game)})
    name, needs = hello.get("name"), hello.get("needs", [])
    if not isinstance(name, str) or not name.isprintable() or not 1 <= len(name) <= 80:
        raise program.fails('must answer the first line with its name: {"name": "my-bot"}')
    if not isinstance(needs, list) or not all(each in _NEEDS for each in needs):
        raise program.fails(f"needs {needs!r}; there are {', '.join(_NEEDS)}")
    options: dict[str, Any] = {"table": True}
    for each in needs:
        options |= _NEEDS[each]
    return CustomBot(ProgramBot(name, Needs(**options), program, game), source)


def describe_game(game: Game) -> dict[str, Any]:
    """The description of the game that a program receives."""
    return {
        "name": game.name,
        "players": game.num_players,
        "unit": game.unit,
        "slots": list(game.action_names),
        "rules": rules_record(game),
    }


class ProgramBot:
    """The policy of a program: questions out, answers in."""

    def __init__(self, name: str, needs: Needs, program: "_Program", game: Game) -> None:
        self.name, self.needs, self._program, self._game = name, needs, program, game
        names = card_names(game.deck)
        self._cards = np.zeros(256, f"S{max(map(len, names))}")  # no text where no card is dealt
        self._cards[: len(names)] = names
        self._asked = 0

    def __call__(self, questions: _native.Questions) -> Probabilities:
        self._asked += 1
        answer = self._program.exchange({"ask": self._asked, **self._columns(questions)})
        if answer.get("ask") != self._asked:
            got = answer.get("ask")
            raise self._program.fails(f"answers question {got!r}, and {self._asked} was asked")
        kinds = [kind for kind in _KINDS if kind in answer]
        if len(kinds) != 1:
            raise self._program.fails(f"must answer with one of {', '.join(_KINDS)}")
        return self._rows(kinds[0], answer[kinds[0]], questions)

    def _columns(self, questions: _native.Questions) -> dict[str, Any]:
        columns: dict[str, Any] = {
            "hands": len(questions),
            "actors": questions.actors.tolist(),
            "legal": questions.legal.astype(np.uint8).tolist(),
            "live": questions.live.astype(np.uint8).tolist(),
            "hole_cards": self._texts(questions.hole_cards),
            "boards": self._texts(questions.boards),
        }
        names = [*_COLUMNS, *(_STEPS if self.needs.history else ())]
        columns |= {name: getattr(questions, name).tolist() for name in names}
        if self.needs.chips:
            columns["hand_strengths"] = questions.hand_strengths.tolist()
        return columns

    def _texts(self, cards: NDArray[np.uint8]) -> list[str]:
        """The cards of each row in one text, `AsKd`."""
        rows, count = cards.shape
        if count == 0:
            return [""] * rows
        names = np.ascontiguousarray(self._cards[cards])
        texts = names.view(f"S{names.itemsize * count}")[:, 0].astype(str)
        return [str(text) for text in texts.tolist()]

    def _rows(self, kind: str, answer: Any, questions: _native.Questions) -> Probabilities:
        legal = questions.legal
        try:
            values = np.asarray(answer, np.float64)
        except (TypeError, ValueError, OverflowError):
            raise self._program.fails(f"{kind} must be lists of numbers") from None
        wanted = legal.shape if kind == "probabilities" else legal.shape[:1]
        if values.shape != wanted:
            raise self._program.fails(f"answers {list(values.shape)} {kind}, not {list(wanted)}")
        if kind != "slots":
            return values
        rows = np.zeros(legal.shape, np.float32)
        slots = np.where(np.isfinite(values), values, -1).astype(np.int64)
        within = (slots == values) & (slots >= 0) & (slots < legal.shape[1])
        good = within & legal[np.arange(len(legal)), np.where(within, slots, 0)]
        if not good.all():
            bad = int(np.flatnonzero(~good)[0])
            slot = answer[bad]
            raise self._program.fails(f"chooses slot {slot!r} for hand {bad}, which is not legal")
        rows[np.arange(len(legal)), slots] = 1
        return rows


class _Program:
    """A running program that answers each line with a line; it ends with this object."""

    def __init__(self, source: str, seconds: float) -> None:
        self.source, self._seconds = source, seconds
        words = program_words(source, PREFIX, "a program, as in cmd:./bot")
        with contextlib.ExitStack() as opened:
            self._errors: IO[bytes] = opened.enter_context(tempfile.TemporaryFile())
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._errors}
            self._process = started(words, source, **pipes)
            opened.pop_all()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self._read = bytearray()
        self._end = weakref.finalize(self, _end, self._process, self._errors)

    def exchange(self, message: dict[str, Any]) -> dict[str, Any]:
        """Sends a message and returns the answer."""
        line = self._exchange(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise self.fails(f"answers what is no JSON: {_quoted(line)}") from None
        if not isinstance(answer, dict):
            raise self.fails(f"must answer a JSON object, not {_quoted(line)}")
        return answer

    def fails(self, problem: str) -> InputError:
        """The program is ended; the error says why."""
        self._end()
        return InputError(f"{self.source}: {problem}")

    def _exchange(self, message: bytes) -> bytes:
        """Writes and reads in turn, so that neither side waits for the other for ever."""
        if not self._end.alive:
            raise InputError(f"{self.source}: has been ended")
        rest, until = memoryview(message), time.monotonic() + self._seconds
        while (at := self._read.find(b"\n")) < 0:
            left = until - time.monotonic()
            to_write = [self._input] if rest else []
            ready = select.select([self._output], to_write, [], max(left, 0))
            if left <= 0 or not (ready[0] or ready[1]):
                raise self.fails(f"gave no answer in {self._seconds:g} seconds")
            if ready[1]:
                rest = self._write(rest)
            if ready[0]:
                self._read_some()
        line = bytes(self._read[:at])
        del self._read[: at + 1]
        return line

    def _write(self, rest: memoryview) -> memoryview:
        try:
            return rest[os.write(self._input, rest) :]
        except BlockingIOError:
            return rest
        except BrokenPipeError:
            return rest[:0]  # its end will be read

    def _read_some(self) -> None:
        piece = os.read(self._output, 1 << 20)
        if not piece:
            raise self._ended()
        self._read += piece
        if len(self._read) > _MOST_BYTES:
            raise self.fails(f"answers a line of more than {_MOST_BYTES >> 20} MiB")

    def _ended(self) -> InputError:
        try:
            status = self._process.wait(1)
            how = f"ended with status {status}" if status >= 0 else f"ended by signal {-status}"
        except subprocess.TimeoutExpired:
            how = "closed its output"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return self.fails(f"{how} before it answered{': ' if last else ''}{last[:200]}")


def _end(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> None:
    """A program whose input is closed should end; else it is ended."""
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    end_program(process, 0.5)
    if process.stdout is not None:
        process.stdout.close()
    errors.close()


def program_words(source: str, prefix: str, wanted: str) -> list[str]:
    """The words of a command line behind a prefix; InputError asks for what is `wanted`."""
    with refusing(source):
        words = shlex.split(source.removeprefix(prefix))
    if not words:
        raise InputError(f"{source!r}: name {wanted}")
    return words


def started(words: list[str], source: str, **streams: Any) -> "subprocess.Popen[bytes]":
    """Starts a program; InputError names the source if that fails."""
    try:
        return subprocess.Popen(words, **streams)
    except OSError as error:
        raise InputError(f"{source}: {words[0]}: {error.strerror or error}") from None


def end_program(process: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Waits until a program has ended, or ends it."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _seconds_given() -> float:
    text = os.environ.get(SECONDS_VARIABLE, "")
    try:
        seconds = float(text) if text else _SECONDS
    except ValueError:
        seconds = -1
    if not 0 < seconds < 1e6:
        raise InputError(f"{SECONDS_VARIABLE}: must be a number of seconds above 0, not {text!r}")
    return seconds


def _quoted(line: bytes) -> str:
    return repr(line[:60].decode(errors="replace"))
