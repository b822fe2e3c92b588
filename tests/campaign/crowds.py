# SPDX-License-Identifier: MIT
"""Many tables, one who talks nonsense as fast as he can, and a day of a server in a minute."""

import asyncio
import contextlib
import gc
import os
import random
import time
from typing import Any

import httpx
from websockets.asyncio.client import connect

from regretless.web.play.finished_hands import read_hands
from regretless.web.settings import Limits, Settings
from server import BOTS, OUTSIDE, check_alive, check_log, judge, memory_of, nonsense
from turn import Turn
from web_client import running, started

MOST_WAIT = 10.0  # seconds that a polite request may take during a burst
TABLES_AN_HOUR = 20
MOST_DRIFT = 24 << 20  # bytes by which the last third of a day may be larger than the second


def run(turn: Turn) -> None:
    kinds = (crowd, burst, compressed_day)
    asyncio.run(kinds[turn.number % len(kinds)](turn, turn.random()))


async def crowd(turn: Turn, draw: random.Random) -> None:
    """Many tables with people who leave, come back and read slowly; then the server is killed."""
    log, data = turn.folder / "log", turn.folder / "data"
    data.mkdir()
    finished: dict[str, int] = {}
    async with started(data, log) as (process, place):
        before = memory_of(process.pid)
        async with httpx.AsyncClient(base_url=f"http://{place}", timeout=60) as client:
            await asyncio.gather(
                *(
                    _guest(turn, client, place, random.Random(draw.random()), finished)
                    for _ in range(40)
                )
            )
        await check_alive(turn, place, process.pid, before)
        process.kill()
        process.wait()
    check_log(turn, log)
    kept: dict[str, list[int]] = {}
    for row in read_hands(data):
        if row["kind"] == "hand":
            kept.setdefault(row["table"], []).append(row["hand"])
    for table, count in finished.items():
        numbers = kept.get(table, [])
        if len(set(numbers)) != len(numbers) or len(numbers) < count:
            turn.find("finished hands are lost", f"{len(numbers)} of {count}", (table, numbers))
    turn.count("hands", sum(finished.values()))


async def _guest(
    turn: Turn,
    client: httpx.AsyncClient,
    place: str,
    draw: random.Random,
    finished: dict[str, int],
) -> None:
    """Plays by socket or by requests, and leaves without a word now and then."""
    while turn.left() > 3:
        body = {"players": [OUTSIDE, draw.choice(BOTS)], "game": "nlhe", "auto": True}
        told = await client.post("/api/tables", json=body)
        turn.count("requests")
        if told.status_code != 201:
            judge(turn, told, "post /api/tables", body)
            await asyncio.sleep(0.2)
            continue
        row = told.json()
        token = next(each for each in row["tokens"] if each)
        address = f"/api/tables/{row['table']}"
        slow = None
        if draw.random() < 0.3:  # listens, and never reads
            with contextlib.suppress(Exception):
                slow = await connect(f"ws://{place}{address}/events?seat_token={token}")
        for _ in range(draw.randint(5, 60)):
            if turn.left() < 2:
                break
            state = await _step(turn, client, address, token, draw)
            if state is None:
                break
            finished[row["table"]] = state["num_finished"]
        if slow is not None:
            slow.transport.abort()
        if draw.random() < 0.8:
            await client.delete(address, headers={"X-Seat-Token": token})


async def _step(
    turn: Turn, client: httpx.AsyncClient, address: str, token: str, draw: random.Random
) -> dict[str, Any] | None:
    mine = {"X-Seat-Token": token}
    answer = await client.get(address, headers=mine)
    turn.count("requests")
    if answer.status_code != 200:
        return None
    state = answer.json()
    if state.get("is_turn"):
        slot = draw.choice(state["seen"]["choices"])["slot"]
        answer = await client.post(f"{address}/actions", headers=mine, json={"slot": slot})
        turn.count("requests")
        judge(turn, answer, "post actions", slot)
        if answer.status_code == 200:
            state = answer.json()
    return dict(state)


# A burst


async def burst(turn: Turn, draw: random.Random) -> None:
    """Nonsense over one connection after the other, each full before an answer is awaited.

    A polite player beside it plays on, and is answered in time. Memory is compared with that of the
    first half: requests for tables among the nonsense open as many as there may be.
    """
    log, data = turn.folder / "log", turn.folder / "data"
    data.mkdir()
    async with started(data, log) as (process, place):
        host, _, port = place.partition(":")
        half, pieces = turn.left() / 2, [nonsense(draw) for _ in range(500)]
        sizes = [memory_of(process.pid)]

        async def shout() -> None:
            while turn.left() > 2:
                with contextlib.suppress(OSError, asyncio.TimeoutError):
                    reader, writer = await asyncio.open_connection(host, int(port))
                    try:
                        for sent in draw.choices(pieces, k=50):
                            if writer.transport.is_closing():
                                break
                            writer.write(sent)
                            turn.count("requests in bursts")
                        await asyncio.wait_for(writer.drain(), 1)
                        await asyncio.wait_for(reader.read(1 << 16), 0.05)
                    finally:
                        writer.transport.abort()

        async def play() -> None:
            async with httpx.AsyncClient(base_url=f"http://{place}", timeout=60) as client:
                while turn.left() > 2:
                    begun = time.monotonic()
                    judge(turn, await client.get("/api/games"), "get /api/games", None)
                    if (waited := time.monotonic() - begun) > MOST_WAIT:
                        turn.find("a burst keeps others waiting", f"{waited:.1f} s", None)
                    if turn.left() > half:
                        sizes.append(memory_of(process.pid))
                    await asyncio.sleep(0.1)

        await asyncio.gather(play(), *(shout() for _ in range(4)))
        await check_alive(turn, place, process.pid, sizes[-1])
    check_log(turn, log)


# A day


async def compressed_day(turn: Turn, draw: random.Random) -> None:
    """Hours of a server: tables are opened, played at, closed or left behind until they are idle.

    Memory in the last third is that of the second.
    """
    limits = Limits(tables=4 * TABLES_AN_HOUR, idle_seconds=0.5, unused_seconds=0.1)
    sizes = list[int]()
    async with running(Settings(data=turn.folder / "data", limits=limits)) as client:
        while turn.left() > 1:
            await asyncio.gather(
                *(_visit(turn, client, random.Random(draw.random())) for _ in range(TABLES_AN_HOUR))
            )
            gc.collect()
            sizes.append(memory_of(os.getpid()))
            turn.count("hours of a day")
    third = len(sizes) // 3
    if third >= 3:
        drift = sum(sizes[-third:]) / third - sum(sizes[third : 2 * third]) / third
        if drift > MOST_DRIFT:
            turn.find("memory grows over a day", f"{drift / (1 << 20):.0f} MiB", sizes)


async def _visit(turn: Turn, client: httpx.AsyncClient, draw: random.Random) -> None:
    body = {"players": [OUTSIDE, draw.choice(BOTS)], "game": "nlhe", "auto": True}
    told = await client.post("/api/tables", json=body)
    turn.count("requests")
    if told.status_code != 201:
        return judge(turn, told, "post /api/tables", body)
    row = told.json()
    token = next(each for each in row["tokens"] if each)
    address = f"/api/tables/{row['table']}"
    for _ in range(draw.randint(1, 12)):
        if await _step(turn, client, address, token, draw) is None:
            break
    if draw.random() < 0.6:  # else the table is left as it is
        await client.delete(address, headers={"X-Seat-Token": token})
    return None
