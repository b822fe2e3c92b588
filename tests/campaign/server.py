# SPDX-License-Identifier: MIT
"""Nonsense for the server of `regretless web`, and hidden cards in every byte that leaves it."""

import asyncio
import contextlib
import json
import random
import re
import secrets
import struct
from pathlib import Path
from typing import Any

import httpx

from reader_fuzz import changed_bytes, changed_tree
from regretless import solve
from regretless.games.face import view
from regretless.notation.cards import format_cards
from regretless.web.settings import Limits, Settings
from turn import Turn
from web_client import running, started

OUTSIDE = {"kind": "outside", "name": "me"}
BOTS = [{"kind": "bot", "name": name} for name in ("caller", "pot-odds", "random")]
CARDS = re.compile(rb"(?<![\w-])((?:[2-9TJQKA][cdhs]){1,7})(?![\w-])")
MOST_MORE = 200 << 20  # bytes that the server may grow by in one turn


def run(turn: Turn) -> None:
    kinds = (cards_in_bytes, wrong_requests, raw_nonsense)
    asyncio.run(kinds[turn.number % len(kinds)](turn, turn.random()))


# Hidden cards


class Watcher:
    """Searches all that one player receives for cards that he must not see, and for seeds."""

    def __init__(self, turn: Turn, tables: Any) -> None:
        self.turn, self.tables = turn, tables
        self._hands: dict[tuple[str, int], tuple[list[str], str]] = {}

    def look(self, table: str, player: int, data: bytes) -> None:
        self.turn.count("bytes searched", len(data))
        opened = self.tables.open.get(table)
        if opened is None or not data.startswith(b"{"):
            return
        if str(opened.seed).encode() in data or f"{opened.seed:x}".encode() in data:
            self.turn.find("a seed leaves the server", "", data[:500])
        state = json.loads(data)
        if "seen" not in state or state["seen"].get("is_over"):
            return
        number, seats = state["hand"], [each["seat"] for each in state["players"]]
        cards, board = self.cards_of(opened, table, number)
        own = set(_split(cards[seats[player]]))
        shown = set(_split(_board_of(state["seen"])))
        if last := state.pop("last", None):  # the hand before, with what was shown at its end
            self.look_back(last, player, data)
        data = json.dumps(state).encode()
        hidden = {each for text in cards for each in _split(text)} | set(_split(board))
        hidden -= own | shown
        found = {
            each.decode()
            for run in CARDS.findall(data)
            for each in (run[at : at + 2] for at in range(0, len(run), 2))
        }
        self.turn.count("searches for hidden cards")
        if found & hidden:
            self.turn.find("a hidden card leaves the server", str(found & hidden), data[:4000])

    def look_back(self, row: dict[str, Any], player: int, data: bytes) -> None:
        """A finished hand: others' cards only where they were shown, nobody's after folds."""
        for seat, hand in enumerate(row["hands"]):
            is_own = row["seats"][seat] == player
            if hand is not None and not is_own and seat not in row["shown"]:
                self.turn.find("a hand that was not shown leaves the server", hand, data[:4000])
        folds = sum(action == -1 for _, action in row["actions"])
        if row["shown"] and folds == len(row["seats"]) - 1:
            self.turn.find("a hand without showdown is shown", str(row["shown"]), data[:4000])

    def cards_of(self, opened: Any, table: str, number: int) -> tuple[list[str], str]:
        """The cards of all seats, and the whole board."""
        if (table, number) not in self._hands:
            episode: Any = opened.game.episode(opened.seed, number)
            texts = [view(episode).hand_text(seat) for seat in range(opened.game.num_players)]
            while not episode.is_terminal:
                episode.act(0)
            board = format_cards(episode.board, opened.game.deck)
            self._hands[table, number] = texts, board
        return self._hands[table, number]


def _split(text: str) -> list[str]:
    plain = text.replace(" ", "")
    return [plain[at : at + 2] for at in range(0, len(plain), 2)]


def _board_of(seen: dict[str, Any]) -> str:
    board = seen.get("board") or ""
    return board if isinstance(board, str) else "".join(board)


async def cards_in_bytes(turn: Turn, draw: random.Random) -> None:
    """Several outside players at a table; everything that each of them receives is searched."""
    async with running(Settings(data=turn.folder, limits=Limits(tables=500))) as client:
        app: Any = client._transport
        watcher = Watcher(turn, app.app.state.services.tables)

        async def one() -> None:
            while turn.left() > 0:
                await _watched_table(turn, client, watcher, random.Random(draw.random()))

        await asyncio.gather(*(one() for _ in range(5)))


async def _watched_table(
    turn: Turn, client: httpx.AsyncClient, watcher: Watcher, draw: random.Random
) -> None:
    game = draw.choice(("leduc", "nlhe", "nlhe"))
    seats = 2 if game == "leduc" else draw.choice((2, 3, 6))
    players = [OUTSIDE, OUTSIDE, *(draw.choice((OUTSIDE, *BOTS)) for _ in range(seats - 2))]
    draw.shuffle(players)
    told = await client.post("/api/tables", json={"players": players, "game": game, "hands": 5})
    if told.status_code != 201:
        return
    row = told.json()
    address = f"/api/tables/{row['table']}"
    mine = [{"X-Seat-Token": each} if each else None for each in row["tokens"]]
    for _ in range(400):
        is_done = False
        for player, headers in enumerate(mine):
            if headers is None:
                continue
            answer = await client.get(address, headers=headers)
            watcher.look(row["table"], player, answer.content)
            turn.count("requests")
            state = answer.json()
            is_done = is_done or state.get("is_done", True)
            if state.get("is_turn"):
                slot = draw.choice(state["seen"]["choices"])["slot"]
                answer = await client.post(
                    f"{address}/actions", headers=headers, json={"slot": slot}
                )
                watcher.look(row["table"], player, answer.content)
                turn.count("requests")
            elif state.get("seen", {}).get("is_over") and not is_done:
                body = {"hand": state["hand"]}
                await client.post(f"{address}/deal", headers=headers, json=body)
            for path in (f"{address}/hands", f"{address}/hands?after=-1"):
                if draw.random() < 0.05:
                    answer = await client.get(path, headers=headers)
                    turn.count("requests")
        if is_done or turn.left() < 0:
            break
    turn.count("tables")
    await client.delete(address, headers=next(each for each in mine if each))


# Wrong requests


async def wrong_requests(turn: Turn, draw: random.Random) -> None:
    """Requests made from the schema, most of them wrong; guessed tokens; other origins."""
    solve("leduc", iterations=5).write_bundle(turn.folder / "shown" / "leduc")
    limits = Limits(job_bytes=1 << 26, job_seconds=0.2, jobs_waiting=2, trainings=0, tables=30)
    limits = Limits(**{**vars(limits), "match_hands": 500, "job_threads": 1, "solve_threads": 1})
    settings = Settings((turn.folder / "shown",), data=turn.folder / "data", limits=limits)
    async with running(settings) as client:
        schema = (await client.get("/api/openapi.json")).json()
        operations = [
            (path, method, facts)
            for path, methods in schema["paths"].items()
            for method, facts in methods.items()
        ]
        known = {"table": ["x"], "token": ["x"]}
        while turn.left() > 0:
            if draw.random() < 0.05:
                await _open_known(client, known, draw)
            path, method, facts = draw.choice(operations)
            await _send(turn, client, draw, schema, known, path, method, facts)


async def _open_known(
    client: httpx.AsyncClient, known: dict[str, list[str]], draw: random.Random
) -> None:
    body = {"players": [OUTSIDE, draw.choice(BOTS)], "game": "leduc"}
    told = await client.post("/api/tables", json=body)
    if told.status_code == 201:
        known["table"].append(told.json()["table"])
        known["token"] += [each for each in told.json()["tokens"] if each]


async def _send(
    turn: Turn,
    client: httpx.AsyncClient,
    draw: random.Random,
    schema: dict[str, Any],
    known: dict[str, list[str]],
    path: str,
    method: str,
    facts: dict[str, Any],
) -> None:
    address = re.sub(r"{(\w+)}", lambda name: _word(draw, known, name[1]), path)
    query, headers = {}, {}
    for each in facts.get("parameters", ()):
        if each["in"] == "query" and draw.random() < 0.6:
            query[each["name"]] = str(_made(draw, schema, each.get("schema", {})))[:500]
        elif each["in"] == "header":
            guess = draw.choice((*known["token"], secrets.token_urlsafe(16)))
            headers[each["name"]] = guess
    if draw.random() < 0.03:
        headers["Origin"] = draw.choice(("https://evil.example", "null", "http://localhost.evil"))
    content = None
    if "requestBody" in facts:
        form = facts["requestBody"]["content"].get("application/json", {}).get("schema", {})
        tree = _made(draw, schema, form)
        example = _resolved(schema, form).get("example") or _resolved(schema, form).get("examples")
        if draw.random() < 0.5 and isinstance(example, list | dict):
            tree = example[0] if isinstance(example, list) else example
        if draw.random() < 0.7 and isinstance(tree, dict | list):
            tree = changed_tree(draw, tree)
        content = json.dumps(tree).encode()
        if draw.random() < 0.1:
            content = changed_bytes(draw, content)
        headers["Content-Type"] = "application/json"
    with contextlib.suppress(UnicodeError, httpx.InvalidURL, ValueError):
        try:
            answer = await client.request(
                method.upper(), address, params=query, headers=headers, content=content
            )
        except httpx.HTTPError:
            raise
        except (UnicodeError, ValueError):
            raise
        except Exception as error:
            what = f"{method} {path}: {type(error).__name__}: {str(error)[:200]}"
            turn.find(f"exception of {method} {path}", what, (address, query, content))
            return
        judge(turn, answer, f"{method} {path}", (address, query, headers, content))


def judge(turn: Turn, answer: httpx.Response, name: str, sent: object) -> None:
    turn.count("requests")
    turn.count(f"requests: status {answer.status_code // 100}xx")
    if answer.status_code >= 500 and answer.status_code != 503:
        turn.find(f"{answer.status_code} of {name}", answer.text[:300], sent)
    if b"Traceback" in answer.content:
        turn.find(f"traceback in {name}", answer.text[:300], sent)
    if answer.status_code >= 400 and "/api" in str(answer.url.path)[:5]:
        try:
            problem = answer.json()
        except ValueError:
            turn.find(f"error of {name} is no JSON", answer.text[:300], sent)
            return
        said = problem.get("error", problem.get("detail", ""))
        if isinstance(said, str) and "\n" in said:
            turn.find(f"error of {name} has lines", said[:300], sent)


def _word(draw: random.Random, known: dict[str, list[str]], name: str) -> str:
    odd = ("x", "-1", "0", "1", str(1 << 70), "..", "%2e%2e%2f", "é", "a" * 300, "leduc", "nlhe")
    words = (*known.get(name, ()), *known["table"], *odd)
    return draw.choice(words)


def _resolved(schema: dict[str, Any], form: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in form:
        found: Any = schema
        for part in form["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        form = found
    return form


def _made(draw: random.Random, schema: dict[str, Any], form: dict[str, Any], depth: int = 0) -> Any:
    """A value that fits a schema, roughly."""
    form = _resolved(schema, form)
    for key in ("anyOf", "oneOf", "allOf"):
        if form.get(key):
            return _made(draw, schema, draw.choice(form[key]), depth + 1)
    if "enum" in form:
        return draw.choice(form["enum"])
    if "const" in form:
        return form["const"]
    match form.get("type"):
        case "object" if depth < 6:
            needed = form.get("required", ())
            return {
                name: _made(draw, schema, each, depth + 1)
                for name, each in form.get("properties", {}).items()
                if name in needed or draw.random() < 0.5
            }
        case "array" if depth < 6:
            count = draw.choice((0, 1, 2, 2, 3, form.get("minItems", 2)))
            return [_made(draw, schema, form.get("items", {}), depth + 1) for _ in range(count)]
        case "integer":
            return draw.choice((0, 1, 2, 3, 10, 100, -1, form.get("minimum", 5), 1 << 40))
        case "number":
            return draw.choice((0, 0.5, 1, 100.0, -1.5, 1e300))
        case "boolean":
            return draw.random() < 0.5
        case "string":
            words = ("leduc", "nlhe", "kuhn", "x", "", "AsKd", "QsJh2h8d3c", "22+", "50%", "caller")
            return draw.choice((*words, "é\x00", "a" * 200, "random", "dcfr"))
    return None


# Nonsense on sockets


REQUEST = (
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 61\r\n\r\n"
    b'{"players":[{"kind":"outside"},{"kind":"bot","name":"caller"}]}'
)
UPGRADE = (
    b"GET /api/tables/x/events HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n"
)


async def raw_nonsense(turn: Turn, draw: random.Random) -> None:
    """Bytes that are no HTTP, or nearly; the server answers others and does not grow."""
    log, data = turn.folder / "log", turn.folder / "data"
    data.mkdir()
    async with started(data, log) as (process, place):
        host, _, port = place.partition(":")
        before = memory_of(process.pid)

        async def one(seed: float) -> None:
            mine = random.Random(seed)
            while turn.left() > 0:
                sent = nonsense(mine)
                answer = await _exchange(host, int(port), sent, mine.random() < 0.3)
                turn.count("requests")
                turn.count("requests: raw")
                line = answer.split(b"\r\n")[0]
                if line.startswith(b"HTTP/1.1 5") or b"Traceback" in answer:
                    turn.find(f"{line!r} of nonsense", str(answer[:300]), sent)

        await asyncio.gather(*(one(draw.random()) for _ in range(16)))
        await check_alive(turn, place, process.pid, before)
    check_log(turn, log)


def nonsense(draw: random.Random) -> bytes:
    match draw.randrange(6):
        case 0:
            return draw.randbytes(draw.randint(1, 3000))
        case 1:
            return changed_bytes(draw, UPGRADE)
        case 2:
            return UPGRADE + draw.randbytes(draw.randint(1, 200))
        case 3:
            return REQUEST * draw.randint(1, 3) + changed_bytes(draw, REQUEST)
        case 4:
            names = "".join(f"X-{number}: {'a' * 50}\r\n" for number in range(draw.randint(1, 500)))
            return REQUEST.replace(b"\r\nContent-Type", b"\r\n" + names.encode() + b"Content-Type")
        case _:
            return changed_bytes(draw, REQUEST)


async def _exchange(host: str, port: int, sent: bytes, resets: bool) -> bytes:
    """Sends bytes and reads what comes within a moment; leaves politely or by a reset."""
    try:
        reader, writer = await asyncio.open_connection(host, port)
    except OSError:
        return b""
    answer = b""
    with contextlib.suppress(OSError, asyncio.TimeoutError):
        writer.write(sent)
        await writer.drain()
        answer = await asyncio.wait_for(reader.read(4000), 0.2)
    if resets:
        import socket

        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return answer


async def check_alive(turn: Turn, place: str, pid: int, before: int) -> None:
    async with httpx.AsyncClient(base_url=f"http://{place}", timeout=30) as client:
        told = await client.get("/api/games")
        if told.status_code != 200:
            turn.find("the server does not answer", str(told.status_code), None)
    more = memory_of(pid) - before
    if more > MOST_MORE:
        turn.find("the server grows", f"{more >> 20} MiB in one turn", None)
    handles = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    if handles > 300:
        turn.find("the server keeps descriptors", f"{handles} are open", None)


def memory_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


def check_log(turn: Turn, log: Path) -> None:
    text = log.read_text(errors="replace")
    if "Traceback" in text:
        place = text.index("Traceback")
        last = text[place:].split("\n\n")[0].strip().splitlines()[-1]
        turn.find(f"in the log: {last[:100]}", text[place : place + 3000][-1500:], None)
