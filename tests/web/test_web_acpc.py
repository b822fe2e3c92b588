# SPDX-License-Identifier: MIT
"""The ACPC dealer beside `regretless web`: clients from outside, match after match."""

import asyncio
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

import acpc_outside_client
from regretless import InputError
from regretless.web.acpc_dealer import HOST
from regretless.web.app import create_app
from regretless.web.play.hand_record import read_hands
from regretless.web.settings import AcpcSettings, Limits, Settings
from web_client import running

# The cards and chips of the ACPC's own game, which the outside client counts in.
REVERSED = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def _settings(tmp_path: Path, limits: Limits | None = None, **options: Any) -> Settings:
    file = tmp_path / "nolimit.game"
    file.write_text(REVERSED)
    acpc = AcpcSettings(0, game=str(file), **options)
    return Settings(data=tmp_path / "data", acpc=acpc, limits=limits or Limits())


def _talk(port: int, text: bytes) -> bytes:
    """What the dealer says to somebody who sends this and waits."""
    with socket.create_connection((HOST, port), timeout=20) as connection:
        connection.sendall(text)
        told = b""
        while piece := connection.recv(1 << 16):
            told += piece
        return told


async def _ended(client: httpx.AsyncClient, id: str) -> dict[str, Any]:
    for _ in range(1000):
        match = (await client.get(f"/api/acpc/{id}")).json()
        if match["status"] not in ("waiting", "playing"):
            return dict(match)
        await asyncio.sleep(0.02)
    raise AssertionError(match)


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(
        ThreadPoolExecutor(1), function, *arguments
    )


def _port(client: httpx.AsyncClient) -> int:
    app: Any = client._transport
    return int(app.app.state.services.acpc.port)


def test_a_thousand_hands_of_an_outside_client(tmp_path: Path) -> None:
    """It counts its chips by itself; the file on disk has the same, and every hand."""

    async def go() -> tuple[tuple[int, int], dict[str, Any]]:
        async with running(_settings(tmp_path)) as client:
            own = await _in_thread(acpc_outside_client.play, HOST, _port(client), 1)
            (match,) = (await client.get("/api/acpc")).json()["matches"]
            return own, await _ended(client, match["id"])

    (hands, chips), match = asyncio.run(go())
    assert (hands, match["status"], match["num_finished"]) == (1000, "done", 1000)
    assert [each["chips"] for each in match["players"]] == [chips, -chips]
    assert match["players"][0]["half_width"] > 0
    rows = [each for each in read_hands(tmp_path / "data") if each["kind"] == "hand"]
    assert [row["hand"] for row in rows] == list(range(1000))
    assert sum(row["payoffs"][row["seats"].index(0)] for row in rows) == chips


def test_matches_one_after_another_and_side_by_side(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(_settings(tmp_path, hands=20, seed=5)) as client:
            port = _port(client)
            first = await _in_thread(acpc_outside_client.play, HOST, port, 3)
            assert first == await _in_thread(acpc_outside_client.play, HOST, port, 3)
            pairs = await asyncio.gather(
                *(_in_thread(acpc_outside_client.play, HOST, port, n) for n in range(4))
            )
            assert [hands for hands, _ in pairs] == [20] * 4
            matches = (await client.get("/api/acpc")).json()["matches"]
            assert [each["status"] for each in matches] == ["done"] * 6
            assert all(sum(p["chips"] for p in each["players"]) == 0 for each in matches)

    asyncio.run(go())


def test_two_clients_and_a_bot_of_a_match_that_was_opened(tmp_path: Path) -> None:
    """Three at the table; the clients know nothing but the order of play, and call."""

    def call(port: int) -> int:
        hands = 0
        with socket.create_connection((HOST, port), timeout=20) as connection:
            connection.sendall(b"VERSION:2.0.0\r\n")
            for line in connection.makefile("r", newline="\n"):
                state = line.strip()
                _, position, _, betting, _ = state.split(":")
                order = [2, 0, 1] if "/" not in betting else [0, 1, 2]
                acted = len(betting.rpartition("/")[2])
                is_over = betting.count("/") == 3 and acted == 3
                if is_over:
                    hands += 1
                elif order[acted % 3] == int(position):
                    connection.sendall(f"{state}:c\r\n".encode())
        return hands

    async def go() -> None:
        async with running(_settings(tmp_path)) as client:
            players = [
                {"kind": "outside", "name": "a"},
                {"kind": "bot", "name": "caller"},
                {"kind": "outside", "name": "b"},
            ]
            wish = {"players": players, "game": "nlhe", "hands": 30, "seed": 2}
            opened = await client.post("/api/acpc", json=wish)
            assert opened.status_code == 201, opened.text
            assert opened.json()["status"] == "waiting"
            assert opened.json()["seed"] is None  # nobody may know the cards
            told = await asyncio.gather(*(_in_thread(call, _port(client)) for _ in range(2)))
            assert told == [30, 30]
            match = await _ended(client, opened.json()["id"])
            assert (match["status"], match["seed"], match["num_finished"]) == ("done", 2, 30)
            assert [each["name"] for each in match["players"]] == ["a", "caller", "b"]
            assert sum(each["chips"] for each in match["players"]) == 0

    asyncio.run(go())


def test_a_hand_is_on_disk_before_its_end_is_told(tmp_path: Path) -> None:
    """So a server that is killed has every hand that a client saw the end of."""

    def fold(port: int, hands: int) -> None:
        with socket.create_connection((HOST, port), timeout=20) as connection:
            connection.sendall(b"VERSION:2.0.0\r\n")
            told = 0
            for line in connection.makefile("r", newline="\n"):
                _, position, number, betting, _ = line.strip().split(":")
                if betting.endswith("f"):
                    told += 1
                    rows = [row for row in read_hands(tmp_path / "data") if row["kind"] == "hand"]
                    assert len(rows) > int(number)
                    if told == hands:
                        return
                elif position == "1":  # who speaks first
                    connection.sendall(f"{line.strip()}:f\r\n".encode())

    async def go() -> None:
        async with running(_settings(tmp_path, players=("outside", "outside"))) as client:
            players = [_in_thread(fold, _port(client), 20) for _ in range(2)]
            await asyncio.gather(*players)

    asyncio.run(go())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"# client: must begin with VERSION:2.0.0"),
        (bytes(range(256)) * 4, b"# client: must begin with"),
        (b"x" * (1 << 17), b"more than 65,536 bytes"),
        (b"VERSION:2.0.0\r\nrubbish\r\n", b"hand 0: answers 'rubbish'"),
        (b"VERSION:2.0.0\r\n" + b"\x00\xff\n" * 50, b"hand 0: answers"),
    ],
)
def test_garbage_gets_one_line_and_harms_no_other(tmp_path: Path, text: bytes, said: bytes) -> None:
    async def go() -> None:
        options: dict[str, Any] = {"hands": 10, "players": ("pot-odds", "outside")}
        async with running(_settings(tmp_path, **options)) as client:
            port = _port(client)
            playing = asyncio.create_task(_in_thread(acpc_outside_client.play, HOST, port, 1))
            told = await _in_thread(_talk, port, text)
            lines = told.splitlines()
            assert said in lines[-1] and lines[-1].startswith(b"# ")
            assert (await playing)[0] == 10
            app: Any = client._transport
            dealer = app.app.state.services.acpc
            while dealer._sockets:
                await asyncio.sleep(0.01)

    asyncio.run(go())


def test_clients_that_are_slow_leave_or_do_not_come(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(_settings(tmp_path, seconds=0.3)) as client:
            port = _port(client)
            players = [{"kind": "outside"}, {"kind": "outside"}]
            wish = {"players": players, "game": "nlhe", "seconds": 0.3}
            lonely = (await client.post("/api/acpc", json=wish)).json()
            told = await _in_thread(_talk, port, b"VERSION:2.0.0\r\n")
            assert told == b"# not all clients came in 0.3 seconds\r\n"
            assert (await _ended(client, lonely["id"]))["status"] == "failed"
            slow = await _in_thread(_talk, port, b"VERSION:2.0.0\r\n")
            assert b"sent nothing in 0.3 seconds" in slow
            # One that leaves while it waits gives its place to the next.
            wish["seconds"] = 20
            opened = (await client.post("/api/acpc", json={**wish, "hands": 5})).json()
            gone = socket.create_connection((HOST, port), timeout=20)
            gone.sendall(b"VERSION:2.0.0\r\n")
            while not any(
                each["is_connected"]
                for each in (await client.get(f"/api/acpc/{opened['id']}")).json()["players"]
            ):
                await asyncio.sleep(0.01)
            gone.close()
            with socket.create_connection((HOST, port), timeout=20) as first:
                first.sendall(b"VERSION:2.0.0\r\n")
                await asyncio.sleep(0.2)
                state = (await client.get(f"/api/acpc/{opened['id']}")).json()
                assert state["status"] == "waiting"
                assert sum(each["is_connected"] for each in state["players"]) == 1
                ended = (await client.post(f"/api/acpc/{opened['id']}/cancel")).json()
                assert ended["status"] == "cancelled"
                assert b"was cancelled" in await _in_thread(first.recv, 1000)

    asyncio.run(go())


def test_a_match_that_is_played_is_cancelled(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(_settings(tmp_path)) as client:
            with socket.create_connection((HOST, _port(client)), timeout=20) as connection:
                connection.sendall(b"VERSION:2.0.0\r\n")
                assert (await _in_thread(connection.recv, 1000)).startswith(b"MATCHSTATE:0:0")
                (match,) = (await client.get("/api/acpc")).json()["matches"]
                began = time.monotonic()
                ended = (await client.post(f"/api/acpc/{match['id']}/cancel")).json()
                assert ended["status"] == "cancelled"
                told = b""
                while piece := await _in_thread(connection.recv, 1000):
                    told += piece
                assert told.endswith(b"# the match was cancelled\r\n")
                assert time.monotonic() - began < 10

    asyncio.run(go())


def test_limits(tmp_path: Path) -> None:
    async def go() -> None:
        limits = Limits(acpc_matches=1, acpc_sockets=2, acpc_seconds=0.0)
        async with running(_settings(tmp_path, limits)) as client:
            players = [{"kind": "outside"}, {"kind": "bot", "name": "caller"}]
            wish = {"players": players, "game": "nlhe"}
            assert (await client.post("/api/acpc", json=wish)).status_code == 201
            assert (await client.post("/api/acpc", json=wish)).status_code == 429
            bad = {**wish, "players": [{"kind": "bot", "name": "caller"}] * 2}
            assert (await client.post("/api/acpc", json=bad)).status_code == 422
            dice = {**wish, "game": "liars-dice-1x6f"}
            assert "poker only" in (await client.post("/api/acpc", json=dice)).text
            assert (await client.get("/api/acpc/none")).status_code == 404
            silent = [socket.create_connection((HOST, _port(client)), timeout=20) for _ in range(3)]
            assert silent[2].recv(100) == b"# too many clients are connected\r\n"
            assert silent[2].recv(10) == b""
            for each in silent:
                each.close()
            app: Any = client._transport
            while app.app.state.services.acpc._sockets:
                await asyncio.sleep(0.01)
            hands, _ = await _in_thread(_hands_until_end, _port(client))
            assert hands == 0

    asyncio.run(go())


def _hands_until_end(port: int) -> tuple[int, str]:
    """Always folds or checks; how many hands it saw the end of, and the last line."""
    hands, line = 0, ""
    with socket.create_connection((HOST, port), timeout=20) as connection:
        connection.sendall(b"VERSION:2.0.0\r\n")
        for line in connection.makefile("r", newline="\n"):
            if line.startswith("MATCHSTATE"):
                hands += line.count("f")
                connection.sendall(f"{line.strip()}:f\r\n".encode())
    return hands, line


def test_no_port_and_a_port_that_is_taken(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            assert (await client.get("/api/acpc")).json() == {"port": None, "matches": []}
            players = [{"kind": "outside"}, {"kind": "bot", "name": "caller"}]
            told = await client.post("/api/acpc", json={"players": players})
            assert told.status_code == 409
            assert "--acpc-port" in told.json()["error"]

    asyncio.run(go())
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        settings = Settings(port=0, data=tmp_path, acpc=AcpcSettings(port))
        with pytest.raises(InputError, match=f"--acpc-port {port}: "):
            create_app(settings, pages=False).state.services.acpc.listen()
    for bad in (
        {"players": ("outside",)},
        {"players": ("caller", "caller")},
        {"hands": 0},
        {"port": 70000},
    ):
        with pytest.raises(InputError, match="--acpc-"):
            AcpcSettings(**{"port": 0, **bad})  # type: ignore[arg-type]
    unknown = Settings(port=0, data=tmp_path, acpc=AcpcSettings(0, ("outside", "nobody")))
    with pytest.raises(InputError, match="nobody"):
        create_app(unknown, pages=False).state.services.acpc.listen()
