# SPDX-License-Identifier: MIT
"""Random calls of the native module, made from its stub: no crash, no hang, no strange error.

Arguments are right by type, most of them, or wrong: other types, shapes, orders and numbers.
Objects live in a pool that random calls fill, so that they are used in any order, by several
threads, after what they came from is gone.
"""

import ast
import contextlib
import gc
import os
import random
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import regretless
from regretless import _native, load_game
from regretless.explicit.explicit_tree import enumerate_tree
from regretless.explicit.native_adapter import NativeGame
from test_bad_arguments import CALLS
from turn import Turn

STUB = Path(regretless.__file__).with_name("_native.pyi")
BATCH = 250  # calls in one child
CALL_SECONDS = 0.3  # after which a call is interrupted, as by Ctrl-C
DEAF_SECONDS = 45.0  # after which it counts as a hang
MORE_BYTES = 3 << 30  # what a child may take beyond what it has at its start
KEPT = 8  # objects of a type in the pool
NUMBERS = (0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 10, 12, 51, 52, 100, 1000, -1, -1, -2, 255, 256)
HUGE = (65_536, 2**31 - 1, 2**31, -(2**31), 2**32, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30)
FLOATS = (0.0, 1.0, 0.5, 1e-9, -1.0, 2.0, float("nan"), float("inf"), -float("inf"), 1e300)
WORDS = ("kuhn", "slots12", "cards1", "33%", "min", "2.5x", "a", "bets", "cfr", "dcfr", "x", "")
WORDS += ("\x00", "é" * 3, "x" * 3000, "fold", "call", "e", "keys", "bet-history", "state")
STRANGE: tuple[Any, ...] = (None, True, 1.5, "x", b"x", [], {}, (), [None], {"a": 1}, object(), int)
FRIENDLY = (ValueError, TypeError, IndexError, KeyError, RuntimeError, MemoryError, OverflowError)
FRIENDLY += (AttributeError, BufferError, StopIteration)


@dataclass(frozen=True)
class Call:
    """A function, a method, a property or a constructor of the stub."""

    owner: str
    name: str
    parameters: tuple[tuple[str, str, bool], ...] = ()
    """Name, type, and whether it goes by its name only."""
    optional: frozenset[str] = frozenset()
    is_property: bool = False
    is_static: bool = False

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}" if self.owner else self.name


def read_stub() -> tuple[list[Call], set[str]]:
    """Returns the calls and the names of the classes."""
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    calls = list[Call]()
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            calls.append(_call("", node))
        elif isinstance(node, ast.ClassDef) and not _is_enum(node):
            calls += [_call(node.name, each) for each in node.body if _is_public(each)]
    return calls, classes


def _is_enum(node: ast.ClassDef) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "Enum" for each in node.bases)


def _is_public(node: ast.stmt) -> bool:
    kept = ("__init__", "__len__", "__eq__", "__hash__", "__repr__")
    return isinstance(node, ast.FunctionDef) and (node.name[0] != "_" or node.name in kept)


def _call(owner: str, node: Any) -> Call:
    marks = {ast.unparse(each) for each in node.decorator_list}
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    if owner and "staticmethod" not in marks:
        plain = plain[1:]
    parameters = [(each.arg, ast.unparse(each.annotation), False) for each in plain]
    parameters += [(each.arg, ast.unparse(each.annotation), True) for each in given.kwonlyargs]
    optional = [each.arg for each in plain[len(plain) - len(given.defaults) :] if given.defaults]
    optional += [
        each.arg
        for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        if default is not None
    ]
    is_property = "property" in marks or any(each.endswith(".setter") for each in marks)
    return Call(
        owner,
        node.name,
        tuple(parameters),
        frozenset(optional),
        is_property,
        "staticmethod" in marks,
    )


@dataclass
class Player:
    """Draws calls and their arguments; keeps what they return."""

    draw: random.Random
    calls: list[Call]
    classes: set[str]
    pool: dict[str, list[Any]] = field(default_factory=dict)

    def begin(self) -> None:
        """Fills the pool with games and what stands on them."""
        for name in ("kuhn", "leduc", "liars-dice-1x3f", "nlhe"):
            game = load_game(name)
            self.keep(game)
            self.keep(game.episode(1))
            self.keep(_native.Encoder(game, "slots12"))
            if name != "nlhe":
                self.keep(_native.PublicStates(game))
                self.keep(_native.SelfPlay(game, 5, tables=3, seeds=True))
                self.keep(_native.VectorSolver(game, _native.Discounts("dcfr")))
                self.keep(_native.Traversals(game, "slots12", in_flight=4))
        for each in self.pool["Poker"]:
            self.keep(each.rules)
            self.keep(each.menu)
            self.keep(each.deck)
            self.keep(_native.LbrPlay(each, 4, tables=2))
        self.begin_rare()

    def begin_rare(self) -> None:
        """Adds what random calls seldom make: their arguments must fit each other."""
        explicit = enumerate_tree(NativeGame(load_game("kuhn")))
        self.keep(explicit.sequence_form)
        self.keep(_native.ExplicitCfr(explicit.sequence_form, "dcfr"))
        self.keep(_native.FictitiousPlay(explicit.sequence_form))
        self.keep(_native.Ring([4, 8], 10, "", 1 << 20, 1))
        self.keep(_native.Reservoir([4, 8], 10, 1, "", 1 << 20, 1))
        self.keep(_native.KMeans(np.eye(6, 3, dtype=np.float32), np.ones(6), 2, 1, 1))
        deck = _native.Deck()
        hands = _native.hand_cards(deck, 2)[:50], np.ones(50)
        matchup = _native.Matchup.of(
            _native.Showdown.HOLDEM, deck, [hands, hands], [20, 30, 40], []
        )
        for made in (
            matchup,
            _native.ExactEquity(matchup),
            _native.SampledEquity(matchup, 1000, 0),
        ):
            self.keep(made)
        search, whole = self.subgames(1), self.subgames(0)
        self.keep(search)
        discounts = _native.Discounts("cfr")
        self.keep(_native.SearchProfile(search, whole, discounts, playthroughs=1, batch=5))

    def subgames(self, depth: int) -> Any:
        states = _native.PublicStates(load_game("leduc"))
        discounts = _native.Discounts("cfr")
        return _native.Subgames(states, discounts, iterations=3, max_decisions=depth)

    def keep(self, value: Any) -> None:
        kind = type(value).__name__
        kept = self.pool.setdefault("array" if kind == "ndarray" else kind, [])
        if len(kept) >= KEPT:
            kept[self.draw.randrange(KEPT)] = value
        else:
            kept.append(value)

    def value(self, kind: str) -> Any:
        """A value of a type of the stub, now and then of another."""
        draw = self.draw
        if draw.random() < 0.04:
            return draw.choice((*STRANGE, *HUGE))
        if kind.startswith("Annotated["):
            return self.array(kind)
        if " | " in kind and "[" not in kind.split(" | ")[0]:
            return self.value(draw.choice([*kind.split(" | ")[:1] * 3, *kind.split(" | ")]))
        if kind.startswith(("numpy.typing.NDArray", "NDArray")):
            return self.array(kind)
        if kind.startswith("Sequence["):
            inner = kind.removeprefix("Sequence[")[:-1]
            return [self.value(inner) for _ in range(draw.choice((0, 1, 2, 2, 3, 4, 5, 13)))]
        if kind.startswith("tuple["):
            return (self.value("Annotated[NDArray[numpy.uint8]]"), self.value("float"))
        if kind.startswith("dict["):
            return draw.choice(self.pool.get("dict", [{}]))
        return self.plain(kind)

    def plain(self, kind: str) -> Any:
        draw = self.draw
        if kind == "int":
            return draw.choice(NUMBERS) if draw.random() < 0.9 else draw.choice(HUGE)
        if kind == "float":
            return draw.choice(FLOATS)
        if kind == "bool":
            return draw.random() < 0.5
        if kind == "str":
            return draw.choice(WORDS)
        if kind == "None":
            return None
        if kind in ("object", "Any"):
            every = [each for kept in self.pool.values() for each in kept]
            return draw.choice([*STRANGE, *every])
        if self.pool.get(kind):
            return draw.choice(self.pool[kind])
        members = list(getattr(_native, kind, ()) or ()) if _is_listed(kind) else []
        return draw.choice(members) if members else draw.choice(STRANGE)

    def array(self, kind: str) -> Any:
        """An array with the type and the dimensions of the stub, or with others."""
        draw = self.draw
        if self.pool.get("array") and draw.random() < 0.35:
            return draw.choice(self.pool["array"])
        name = kind.partition("NDArray[numpy.")[2].partition("]")[0] or "float64"
        dimensions = kind.partition("shape=(")[2].partition(")")[0].count("None") or 1
        if draw.random() < 0.05:
            name = draw.choice(("int64", "float32", "uint8", "bool_"))
            dimensions = draw.randrange(4)
        shape = [draw.choice((0, 1, 1, 2, 2, 3, 5, 6, 7, 12, 52)) for _ in range(dimensions)]
        values = np.array([draw.choice(NUMBERS) for _ in range(int(np.prod(shape)))])
        with np.errstate(all="ignore"):
            made = values.reshape(shape).astype(np.dtype(getattr(np, name, np.float64)))
        if made.dtype.kind == "f" and made.size and draw.random() < 0.3:
            made.flat[draw.randrange(made.size)] = draw.choice(FLOATS)
        if draw.random() < 0.08:
            others = (made.T, made[::2] if made.ndim else made, made[..., None])
            made = draw.choice((*others, np.asfortranarray(made)))
        return made

    def bound(self, call: Call) -> tuple[Callable[..., Any], list[Any], dict[str, Any]] | None:
        """The function of a call with its arguments; None if there is no object to call."""
        arguments, named = list[Any](), dict[str, Any]()
        for name, kind, is_named in call.parameters:
            if name in call.optional and self.draw.random() < 0.6:
                is_named = True
                if self.draw.random() < 0.6:
                    continue
            if is_named or named:
                named[name] = self.value(kind)
            else:
                arguments.append(self.value(kind))
        if self.draw.random() < 0.02:
            arguments.append(None)
        if not call.owner:
            return getattr(_native, call.name), arguments, named
        if call.name == "__init__":
            return getattr(_native, call.owner), arguments, named
        if call.is_static:
            return getattr(getattr(_native, call.owner), call.name), arguments, named
        if not (kept := self.pool.get(call.owner)):
            return None
        target, name = self.draw.choice(kept), call.name
        if call.is_property and arguments:
            return lambda: setattr(target, name, arguments[0]), [], {}
        if call.is_property:
            return lambda: getattr(target, name), [], {}
        return lambda *a, **n: getattr(target, name)(*a, **n), arguments, named

    def plan(self) -> Iterator[Call]:
        """Yields calls; those whose objects are there already come more often."""
        by_owner: dict[str, list[Call]] = {}
        for call in self.calls:
            by_owner.setdefault(call.owner, []).append(call)
        makers = [call for call in self.calls if call.name == "__init__" or not call.owner]
        while True:
            owners = [each for each in self.pool if each in by_owner]
            if self.draw.random() < 0.25 or not owners:
                yield self.draw.choice(makers)
            else:
                yield self.draw.choice(by_owner[self.draw.choice(owners)])


def _is_listed(kind: str) -> bool:
    return hasattr(getattr(_native, kind, None), "__members__")


class _TooLongError(Exception):
    pass


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _TooLongError


def use(value: Any) -> None:
    """Reads what a call returned: memory that is gone would show."""
    if isinstance(value, np.ndarray) and value.size:
        value.tobytes()
    elif isinstance(value, tuple | list):
        for each in value[:20]:
            use(each)
    elif isinstance(value, dict):
        for each in value.values():
            use(each)


Bound = tuple[Callable[..., Any], list[Any], dict[str, Any]]


def spoilt(player: Player) -> tuple[str, Bound]:
    """A call that is right, with one or two arguments changed (test_bad_arguments.py)."""
    draw = player.draw
    which = draw.choice(list(CALLS))
    right = CALLS[which]
    named = dict(right.arguments)
    for name in draw.sample(list(named), min(len(named), draw.choice((0, 1, 1, 2)))):
        value = named[name]
        if not isinstance(value, np.ndarray):
            named[name] = player.value("int")
            continue
        changed = np.array(value)
        if changed.size:
            changed.flat[draw.randrange(changed.size)] = draw.choice((0, 1, 2, 3, 5, 100))
        others = (changed, changed[::2], changed[:0], changed.T, np.asfortranarray(changed))
        named[name] = draw.choice((*others, player.array(f"NDArray[numpy.{value.dtype}]")))
    return which, (right.make(), [], named)


def make_call(player: Player, call: Call, note: Callable[[str], None]) -> str | None:
    """One call, sometimes by two threads at once; returns a problem."""
    name, made = str(call), player.bound(call)
    if player.draw.random() < 0.15:
        name, made = spoilt(player)
    if made is None:
        return ""
    function, arguments, named = made
    note(f"{name}({_shown(arguments)}, {_shown(named)})")
    if player.draw.random() < 0.03:
        second = threading.Thread(target=_quietly, args=(function, arguments, named))
        second.start()
        _quietly(function, arguments, named)
        second.join()
        return None
    try:
        result = function(*arguments, **named)
        use(result)
    except _TooLongError:
        return None
    except FRIENDLY as error:
        said = str(error)
        if isinstance(error, TypeError | AttributeError | MemoryError):
            return None
        is_clear = "std::" not in said and "vector" not in said.split("::")[0][-6:]
        return None if is_clear and "\n" not in said else f"{name}: not clear: {said[:200]}"
    except BaseException as error:
        return f"{name}: {type(error).__name__}: {str(error)[:200]}"
    for each in result if isinstance(result, tuple) else (result,):
        if isinstance(each, np.ndarray | dict) or type(each).__name__ in player.classes:
            player.keep(each)
    if player.draw.random() < 0.01:
        for kept in player.pool.values():
            del kept[2:]
        gc.collect()
    return None


def _quietly(function: Callable[..., Any], arguments: list[Any], named: dict[str, Any]) -> None:
    """Calls for a moment in this thread, which may be one that gets no signals."""
    end = time.monotonic() + CALL_SECONDS

    def look() -> None:
        if time.monotonic() > end:
            raise _TooLongError

    with contextlib.suppress(BaseException):
        _native.listen(look)
        try:
            use(function(*arguments, **named))
        finally:
            _native.listen(None)


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}{value.ravel()[:12].tolist()}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_shown, value[:20])) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(each)}" for key, each in value.items()) + "}"
    return repr(value)[:80]


def play(key: str, folder: Path, last: Path, problems: Path) -> int:
    """Makes a batch of calls; the last one begun is always on file."""
    os.chdir(folder)
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MORE_BYTES, now + MORE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    calls, classes = read_stub()
    player = Player(random.Random(key), calls, classes)
    player.begin()
    signal.signal(signal.SIGALRM, _interrupt)
    handle = os.open(last, os.O_WRONLY | os.O_CREAT)
    made = 0

    def note(text: str) -> None:
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{made} {text}".encode(errors="replace"), 0)

    for call in player.plan():
        if made >= BATCH:
            break
        problem: str | None = None
        with contextlib.suppress(_TooLongError):  # it may come when the call is over
            try:
                signal.setitimer(signal.ITIMER_REAL, CALL_SECONDS)
                problem = make_call(player, call, note)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        if problem == "":
            continue
        made += 1
        if problem:
            with problems.open("a") as file:
                file.write(problem.replace("\n", " ") + "\n")
    note("the end")
    return made


def run(turn: Turn) -> None:
    batch = 0
    last, problems = turn.folder / "last", turn.folder / "problems"
    work = turn.folder / "work"
    work.mkdir()
    while turn.left() > 0:
        key = f"{turn.seed} {turn.number} {batch}"
        batch += 1
        last.write_text("0 nothing yet")
        child = os.fork()
        if child == 0:
            status = 1
            try:
                play(key, work, last, problems)
                status = 0
            except BaseException as error:
                last.write_text(f"0 {type(error).__name__}: {error} after {last.read_text()}")
            finally:
                os._exit(status)
        status = wait(child, last)
        made, _, text = last.read_text(errors="replace").partition(" ")
        turn.count("calls", int(made or 0))
        name = text.partition("(")[0]
        if status is None:
            turn.find(f"no end: {name}", "deaf to signals", (key, text))
        elif status < 0:
            turn.find(f"signal {-status}: {name}", "the process ended", (key, text))
        elif status > 0:
            turn.find(f"the driver failed: {name}", f"status {status}", (key, text))
    for line in problems.read_text().splitlines() if problems.exists() else ():
        turn.find(line.partition(": ")[0], line[:300], line)


def wait(child: int, last: Path) -> int | None:
    """The status of a child; None if one call took much too long, and it was killed."""
    text, since = "", time.monotonic()
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        now = last.read_text(errors="replace")
        if now != text:
            text, since = now, time.monotonic()
        if time.monotonic() - since > DEAF_SECONDS:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.02)
