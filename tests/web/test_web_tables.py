# SPDX-License-Identifier: MIT
"""Tables of `regretless web`: many at once, players who leave and come back, servers that die."""

import asyncio
import contextlib
import io
import json
import os
import random
import signal
import statistics
import threading
import time
from pathlib import Path
from typing import Any, cast

import httpx
import pokerkit
import pytest
import uvicorn
from starlette.exceptions import HTTPException
from websockets.asyncio.client import connect

from regretless import InputError, TablePolicy, export_onnx, load_game, solve
from regretless.matches.bots import BOTS, CHARACTERS
from regretless.search.holdem_policy import HoldemResolvingPolicy
from regretless.seats.searchers import search_strategy
from regretless.web.guard import CalmSockets, Guard, dropping_after
from regretless.web.play import seating
from regretless.web.play.finished_hands import HANDS, HandFile, read_hands
from regretless.web.play.seating import SEARCHERS
from regretless.web.settings import Limits, Settings
from web_client import running, started

OUTSIDE = {"kind": "outside", "name": "me"}
CALLER = {"kind": "bot", "name": "caller"}


async def _open(client: httpx.AsyncClient, **wish: Any) -> tuple[str, list[dict[str, str]]]:
    """The address of a new table, and headers for each player."""
    told = await client.post("/api/tables", json={"players": [OUTSIDE, CALLER], **wish})
    assert told.status_code == 201, told.text
    row = told.json()
    headers = [{"X-Seat-Token": token} if token else {} for token in row["tokens"]]
    return f"/api/tables/{row['table']}", headers


async def _play(
    client: httpx.AsyncClient, address: str, headers: dict[str, str], draw: random.Random
) -> dict[str, Any]:
    """Any choices, until no hand is left."""
    state = (await client.get(address, headers=headers)).json()
    while not state["is_done"]:
        assert state["is_turn"], state
        seen = state["seen"]
        action: dict[str, Any] = {"slot": draw.choice(seen["choices"])["slot"]}
        if seen["bet_range"] and draw.random() < 0.3:
            action = {"amount": draw.randint(*seen["bet_range"])}
        action["version"] = state["version"]
        told = await client.post(f"{address}/actions", headers=headers, json=action)
        assert told.status_code == 200, told.text
        state = told.json()
    return dict(state)


async def _play_many(tmp_path: Path, tables: int, hands: int, game: str) -> None:
    """Tables side by side; every chip is looked for in the answers and in the file."""
    bots = ["caller", "pot-odds", "random"]
    async with running(Settings(data=tmp_path, limits=Limits(tables=tables))) as client:

        async def one(number: int) -> tuple[str, list[int]]:
            draw = random.Random(number)
            players = [OUTSIDE, {"kind": "bot", "name": bots[number % len(bots)]}]
            wish = {"players": players, "game": game, "auto": True, "hands": hands}
            address, headers = await _open(client, **wish)
            end = await _play(client, address, headers[0], draw)
            totals = [each["total"] for each in end["players"]]
            assert end["num_finished"] == hands
            closed = await client.delete(address, headers=headers[0])
            assert closed.json()["is_closed"]
            return end["table"], totals

        results = dict(await asyncio.gather(*(one(number) for number in range(tables))))
        app: Any = client._transport
        assert not app.app.state.services.tables.open
    rows = list(read_hands(tmp_path))
    for id, totals in results.items():
        own = [row for row in rows if row["kind"] == "hand" and row["table"] == id]
        assert [row["hand"] for row in own] == list(range(hands))
        won = [0, 0]
        for row in own:
            assert sum(row["payoffs"]) == 0
            for seat, payoff in enumerate(row["payoffs"]):
                won[row["seats"][seat]] += payoff
        assert won == totals


def test_tables_side_by_side(tmp_path: Path) -> None:
    asyncio.run(_play_many(tmp_path, 20, 5, "nlhe"))


@pytest.mark.slow
def test_two_hundred_tables(tmp_path: Path) -> None:
    asyncio.run(_play_many(tmp_path, 200, 100, "nlhe"))


def test_hands_on_file_replay_to_the_same_chips(tmp_path: Path) -> None:
    """By another road: a fresh episode with the cards of the file."""
    asyncio.run(_play_many(tmp_path, 3, 5, "nlhe"))
    opened = {row["table"]: row for row in read_hands(tmp_path) if row["kind"] == "table"}
    game: Any = load_game("nlhe")
    for row in read_hands(tmp_path):
        if row["kind"] == "hand":
            episode = game.episode(opened[row["table"]]["seed"], row["hand"])
            for seat, action in row["actions"]:
                assert episode.actor == seat
                episode.act(action)
            assert list(episode.payoffs) == row["payoffs"]


def test_one_batch_for_all_tables(tmp_path: Path) -> None:
    """Tables of one bot are asked about together, not one by one."""
    from regretless.matches import bots

    asked: list[int] = []
    plain = bots.Bot.__call__

    def counted(self: Any, questions: Any) -> Any:
        asked.append(len(questions))
        time.sleep(0.01)  # so that others come meanwhile
        return plain(self, questions)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots.Bot, "__call__", counted)

        async def go() -> None:
            async with running(Settings(data=tmp_path)) as client:
                opened = await asyncio.gather(
                    *(_open(client, game="nlhe", auto=True, hands=2) for _ in range(30))
                )
                await asyncio.gather(
                    *(_play(client, a, h[0], random.Random(n)) for n, (a, h) in enumerate(opened))
                )

        asyncio.run(go())
    assert max(asked) > 5


def test_a_seat_sees_only_its_own(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            address, headers = await _open(client, players=[OUTSIDE] * 2, game="leduc")
            states = [(await client.get(address, headers=each)).json() for each in headers]
            for state in states:
                mine = state["players"][state["player"]]["seat"]
                hands = [each["hand"] for each in state["seen"]["seats"]]
                assert hands[mine]
                assert hands[1 - mine] is None
                assert "seed" not in json.dumps(state)
            turn = [state["is_turn"] for state in states]
            assert sorted(turn) == [False, True]
            actor, waiter = headers[turn.index(True)], headers[turn.index(False)]
            assert not states[turn.index(False)]["seen"]["choices"]
            late = await client.post(f"{address}/actions", headers=waiter, json={"slot": 1})
            assert late.status_code == 409
            for wrong in ({}, {"X-Seat-Token": "x"}, {"X-Seat-Token": ""}):
                assert (await client.get(address, headers=wrong)).status_code == 403
            fold = {"text": "call", "version": 999}
            stale = await client.post(f"{address}/actions", headers=actor, json=fold)
            assert stale.status_code == 409
            for bad in (
                {},
                {"slot": 99},
                {"amount": 3},
                {"text": "jump"},
                {"slot": 1, "text": "c"},
            ):
                told = await client.post(f"{address}/actions", headers=actor, json=bad)
                assert told.status_code == 422, bad
            seeded = {"players": [OUTSIDE] * 2, "game": "leduc", "seed": 1}
            assert (await client.post("/api/tables", json=seeded)).status_code == 422

    asyncio.run(go())


def test_steps_since_the_last_action(tmp_path: Path) -> None:
    """They begin with the state before it, end with the state now, and show no hidden card."""

    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            players = [OUTSIDE, CALLER, CALLER]
            address, headers = await _open(client, players=players, game="nlhe")
            state = (await client.get(address, headers=headers[0])).json()
            draw, hands = random.Random(1), 0
            while hands < 5:
                seen, steps = state["seen"], state["steps"]
                assert steps[-1]["seen"] == {key: seen[key] for key in steps[-1]["seen"]}
                for step in steps[: -1 if seen["is_over"] else None]:
                    others = [each for each in step["seen"]["seats"] if each is not None]
                    shown = [seat for seat, each in enumerate(others) if each["hand"]]
                    assert shown == [seen["viewer"]]
                if seen["is_over"]:
                    hands += 1
                    body = {"hand": state["hand"]}
                    told = await client.post(f"{address}/deal", headers=headers[0], json=body)
                    state = told.json()
                    assert state["steps"][0]["seat"] is None
                    continue
                slot = draw.choice([each["slot"] for each in seen["choices"]])
                body = {"slot": slot}
                told = await client.post(f"{address}/actions", headers=headers[0], json=body)
                state = told.json()
                old = {key: seen[key] for key in state["steps"][0]["seen"]}
                assert state["steps"][0]["seen"] == old
                assert state["steps"][1]["seat"] == seen["viewer"]

    asyncio.run(go())


def test_stacks_and_opponents(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            players = [OUTSIDE, CALLER, CALLER]
            for stacks, chips in (([700], [700] * 3), ([300, 900, 500], [300, 900, 500])):
                wish = {"players": players, "game": "nlhe", "stacks": stacks}
                address, headers = await _open(client, **wish)
                seats = (await client.get(address, headers=headers[0])).json()["seen"]["seats"]
                assert [each["stack"] + each["paid"] for each in seats] == chips
            for bad in ({"stacks": [300, 900]}, {"stacks": [300], "game": None}, {"stacks": [0]}):
                told = await client.post("/api/tables", json={**wish, **bad})
                assert told.status_code == 422, bad
                assert "stacks" in told.json()["error"]
            told = (await client.get("/api/opponents")).json()["opponents"]
            bots = [each for each in told if each["kind"] == "bot"]
            names = {each["name"] for each in bots}
            assert names - set(SEARCHERS) == set(BOTS) == set(CHARACTERS) and names > set(SEARCHERS)
            assert all(each["style"] and each["strength"] and each["title"] for each in told)
            first = next(each for each in told if each["seats"] == 2)
            assert (first["name"], first["game"]) == ("hunl-deep-cfr", "hunl-100bb")

    asyncio.run(go())


def test_a_searching_player_takes_a_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At tables of heads-up hold'em alone; a person may bet any amount."""
    made: list[HoldemResolvingPolicy] = []

    def search_quickly(text: str, game: Any) -> Any:
        found = search_strategy(f"{text},turn=2,river=2", game)
        made.append(cast(HoldemResolvingPolicy, found.policy))
        return found

    monkeypatch.setattr(seating, "search_strategy", search_quickly)
    seats = [OUTSIDE, {"kind": "bot", "name": "search"}]

    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            wish = {"players": [*seats, CALLER], "game": "nlhe"}
            told = await client.post("/api/tables", json=wish)
            assert told.status_code == 422 and "heads-up" in told.json()["error"]
            wish = {"players": seats, "game": "hunl-100bb", "seed": 4, "hands": 6, "auto": True}
            address, (mine, *_) = await _open(client, **wish)
            state = (await client.get(address, headers=mine)).json()
            while not state["is_done"]:
                told = await client.post(f"{address}/actions", headers=mine, json={"text": "c"})
                assert told.status_code == 200, told.text
                state = told.json()
            assert state["num_finished"] == 6
            sitting = [each for one in made for each in (one, *one._players.values())]
            assert sum(each.num_searches for each in sitting) > 3

    asyncio.run(go())


def test_hands_are_dealt_when_asked(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            address, (mine, _) = await _open(client, game="kuhn", seed=3, hands=3)
            early = await client.post(f"{address}/deal", headers=mine, json={"hand": 0})
            assert early.status_code == 409
            for hand in range(3):
                state = (await client.get(address, headers=mine)).json()
                while not state["seen"]["is_over"]:
                    told = await client.post(f"{address}/actions", headers=mine, json={"text": "c"})
                    if told.status_code == 422:
                        told = await client.post(
                            f"{address}/actions", headers=mine, json={"slot": 0}
                        )
                    state = told.json()
                assert state["num_finished"] == hand + 1
                assert state["last"]["hand"] == hand
                for _ in range(2):  # asking twice deals once
                    told = await client.post(f"{address}/deal", headers=mine, json={"hand": hand})
                    assert told.status_code == (200 if hand < 2 else 409)
            told = await client.get(f"{address}/hands", headers=mine, params={"after": 0})
            assert [each["hand"] for each in told.json()["hands"]] == [1, 2]

    asyncio.run(go())


def test_limits_and_idle_tables(tmp_path: Path) -> None:
    async def go() -> None:
        limits = Limits(tables=2, idle_seconds=0.3)
        async with running(Settings(data=tmp_path, limits=limits)) as client:
            wish = {"players": [OUTSIDE, CALLER], "game": "leduc"}
            statuses = [(await client.post("/api/tables", json=wish)).status_code for _ in range(3)]
            assert statuses == [201, 201, 429]
            await asyncio.sleep(0.8)
            assert (await client.post("/api/tables", json=wish)).status_code == 201

    asyncio.run(go())


def test_one_address_cannot_take_all_tables(tmp_path: Path) -> None:
    async def go() -> None:
        limits = Limits(tables=3, tables_each=2, unused_seconds=0.0)
        async with running(Settings(data=tmp_path, limits=limits)) as client:
            wish = {"players": [OUTSIDE, CALLER], "game": "leduc"}
            statuses = [(await client.post("/api/tables", json=wish)).status_code for _ in range(3)]
            assert statuses == [201, 201, 429]
        limits = Limits(tables=2, unused_seconds=0.0)
        async with running(Settings(data=tmp_path, limits=limits)) as client:
            used, headers = await _open(client, game="leduc", seed=1)
            await client.post(f"{used}/actions", headers=headers[0], json={"text": "c"})
            unused, _ = await _open(client, game="leduc")
            await _open(client, game="leduc")  # takes the place of the table nobody acted at
            assert (await client.get(used, headers=headers[0])).status_code == 200
            assert (await client.get(unused, headers=headers[0])).status_code == 404

    asyncio.run(go())


def test_finished_hands_explain_themselves(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            address, (mine, _) = await _open(client, game="nlhe", seed=4, auto=True, hands=1)
            for _ in range(20):
                await client.post(f"{address}/actions", headers=mine, json={"text": "c"})
            (hand,) = (await client.get(f"{address}/hands", headers=mine)).json()["hands"]
            named = {"hand", "table", "board", "street", "players", "actions", "unit", "seat"}
            assert set(hand) == named
            assert (hand["street"], len(hand["board"]), hand["unit"]) == ("river", 10, "chips")
            assert [each["position"] for each in hand["players"]] == ["BB", "BTN"]
            assert sum(each["won"] for each in hand["players"]) == 0
            assert hand["actions"][0] == {
                "seat": 1,
                "street": "preflop",
                "action": "call 50",
                "chips": 50,
            }
            assert {each["street"] for each in hand["actions"]} == {
                "preflop",
                "flop",
                "turn",
                "river",
            }
            replay = (await client.get(f"{address}/hands/0", headers=mine)).json()
            assert replay["hand"] == hand

    asyncio.run(go())


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\nHost: local", b""])
def test_half_a_request_is_dropped(sent: bytes) -> None:
    """And whoever asks whole requests is answered meanwhile."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"yes"})

    async def go() -> None:
        http = dropping_after(0.3)
        config = uvicorn.Config(answer, http=http, port=0, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        async with httpx.AsyncClient() as client:
            for _ in range(3):  # on one connection
                assert (await client.get(f"http://127.0.0.1:{port}/")).text == "yes"
        assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()
        server.should_exit = True
        await task

    asyncio.run(go())


def test_bytes_that_are_no_socket_are_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    """They come before the server has answered the handshake; the log has no traceback."""

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(receive(), 5)

    async def go() -> None:
        config = uvicorn.Config(slow, ws=CalmSockets, port=0, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        await asyncio.sleep(0.2)
        writer.write(b"no frame" * 10)
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()
        server.should_exit = True
        await task

    asyncio.run(go())
    assert not [each for each in caplog.records if each.exc_info]


def test_half_a_body_is_not_waited_for() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def go() -> None:
        guard = Guard(app, None, None, 1 << 20, body_seconds=0.2)
        scope = {"type": "http", "method": "POST", "headers": [], "query_string": b"", "path": "/"}
        with pytest.raises(HTTPException) as caught:
            await guard(scope, receive, None)  # type: ignore[arg-type]
        assert caught.value.status_code == 408

    asyncio.run(go())


def test_what_may_not_sit_down(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            for players, status in (
                ([CALLER, CALLER], 422),  # nobody from outside
                ([OUTSIDE, {"kind": "bot", "name": "os:system"}], 422),
                ([OUTSIDE, {"kind": "bot", "name": "bot.py:MyBot"}], 422),
                ([OUTSIDE, {"kind": "strategy", "name": "/tmp"}], 404),
                ([OUTSIDE, {"kind": "strategy", "name": "../bundles"}], 404),
                ([OUTSIDE] * 3 + [{"kind": "strategy", "name": "nothing"}], 404),
            ):
                told = await client.post("/api/tables", json={"players": players})
                assert told.status_code == status, (players, told.text)

    asyncio.run(go())


def test_a_strategy_of_the_library_plays(tmp_path: Path) -> None:
    solve("leduc", iterations=20).write_bundle(tmp_path / "leduc")

    async def go() -> None:
        async with running(Settings((tmp_path,), data=tmp_path / "data")) as client:
            players = [{"kind": "strategy", "name": "leduc"}, OUTSIDE]
            address, headers = await _open(client, players=players, auto=True, hands=20)
            end = await _play(client, address, headers[1], random.Random(1))
            assert sum(each["total"] for each in end["players"]) == 0

    asyncio.run(go())


def test_models_sit_at_tables_of_other_sizes(tmp_path: Path) -> None:
    """Networks trained for two and for six at one table of three, with its stacks and bets."""
    models, names = tmp_path / "models", ["nlhe6-nfsp.onnx", "nlhe-nfsp.onnx"]
    models.mkdir()
    for name in names:
        export_onnx(name.removesuffix(".onnx"), models / name)

    async def go() -> None:
        async with running(Settings((models,), data=tmp_path / "data")) as client:
            players = [OUTSIDE, *({"kind": "strategy", "name": name} for name in names)]
            wish = {"players": players, "game": "nlhe", "auto": True, "hands": 3}
            address, headers = await _open(client, **wish)
            end = await _play(client, address, headers[0], random.Random(1))
            assert end["num_finished"] == 3
            assert sum(each["total"] for each in end["players"]) == 0
            body = {"name": names[1]}
            told = await client.post(f"{address}/hands/0/review", headers=headers[0], json=body)
            assert told.status_code == 200, told.text
            refused = await client.post("/api/tables", json={**wish, "game": "leduc"})
            assert refused.status_code == 422
            mixed = [OUTSIDE, {"kind": "strategy", "name": "hunl-deep-cfr"}, players[1]]
            refused = await client.post("/api/tables", json={"players": mixed})
            assert refused.status_code == 422  # the bundle is for two

    asyncio.run(go())


def test_a_slow_strategy_keeps_no_other_table_waiting(tmp_path: Path) -> None:
    solve("leduc", iterations=5).write_bundle(tmp_path / "leduc")
    plain, may_go_on = TablePolicy.__call__, threading.Event()

    def slow(self: TablePolicy, questions: Any) -> Any:
        assert may_go_on.wait(60)
        return plain(self, questions)

    async def go() -> None:
        async with running(Settings((tmp_path,), data=tmp_path / "data")) as client:
            players = [OUTSIDE, {"kind": "strategy", "name": "leduc"}]
            first, headers = await _open(client, players=players)
            act = client.post(f"{first}/actions", headers=headers[0], json={"slot": 1})
            waiting = asyncio.create_task(act)
            await asyncio.sleep(0.05)
            second = await _open(client, game="leduc", auto=True, hands=5)
            await _play(client, second[0], second[1][0], random.Random(1))
            assert not waiting.done()
            may_go_on.set()
            assert (await waiting).status_code == 200

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TablePolicy, "__call__", slow)
        asyncio.run(go())


def test_a_player_that_fails_ends_its_table_only(tmp_path: Path) -> None:
    from regretless.matches import bots

    plain = bots.Bot.__call__

    def failing(self: Any, questions: Any) -> Any:
        if self.name == "raiser":
            raise RuntimeError("nothing for others to read")
        return plain(self, questions)

    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            raiser = [OUTSIDE, {"kind": "bot", "name": "raiser"}]
            first, second = await asyncio.gather(
                _open(client, game="leduc", players=raiser, auto=True, hands=5),
                _open(client, game="leduc", auto=True, hands=5),
            )
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(bots.Bot, "__call__", failing)
                state = {"is_closed": False}
                while not state["is_closed"]:
                    act = f"{first[0]}/actions"
                    told = await client.post(act, headers=first[1][0], json={"slot": 1})
                    state = told.json()
                assert state["why_closed"] == "one of its players failed"
                end = await _play(client, second[0], second[1][0], random.Random(1))
            assert end["num_finished"] == 5
            assert (await client.get(first[0], headers=first[1][0])).status_code == 404

    asyncio.run(go())


def test_nobody_hears_of_a_hand_that_is_not_on_disk(tmp_path: Path) -> None:
    def full(self: HandFile, rows: Any) -> None:
        if any(row["kind"] == "hand" for row in rows):
            raise InputError("hands.jsonl: no space left on device")

    async def go() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(HandFile, "append", full)
            async with running(Settings(data=tmp_path)) as client:
                address, headers = await _open(client, game="kuhn")
                state = (await client.get(address, headers=headers[0])).json()
                while not state["is_closed"]:
                    told = await client.post(
                        f"{address}/actions", headers=headers[0], json={"slot": 0}
                    )
                    if told.status_code == 422:
                        told = await client.post(
                            f"{address}/actions", headers=headers[0], json={"slot": 1}
                        )
                    state = told.json()
                assert "no space" in state["why_closed"]

    asyncio.run(go())


def test_a_seed_deals_the_same_cards(tmp_path: Path) -> None:
    async def go() -> None:
        async with running(Settings(data=tmp_path)) as client:
            ends = []
            for _ in range(2):
                address, headers = await _open(client, game="nlhe", seed=7, auto=True, hands=6)
                ends.append(await _play(client, address, headers[0], random.Random(3)))
            assert ends[0]["last"]["hands"] == ends[1]["last"]["hands"]
            assert ends[0]["players"] == ends[1]["players"]

    asyncio.run(go())


def test_a_session_is_looked_at_again(tmp_path: Path) -> None:
    """Replays, hand histories and results of an open table, and of the table once it is closed."""
    data = tmp_path / "data"

    async def play() -> tuple[str, dict[str, str], dict[str, Any]]:
        async with running(Settings(data=data)) as client:
            players = [OUTSIDE, CALLER, {"kind": "bot", "name": "random"}]
            wish = {"players": players, "game": "nlhe", "auto": True, "hands": 12}
            address, headers = await _open(client, **wish)
            end = await _play(client, address, headers[0], random.Random(2))
            session = (await client.get(f"{address}/hands", headers=headers[0])).json()
            assert session["session"] == end["session"]
            told = [won / 100 for row in session["hands"] for _, won in [_seat_of(row, "me")]]
            assert end["session"]["hands"] == len(told) == 12
            assert end["session"]["per_100"] == pytest.approx(100 * statistics.mean(told))
            error = statistics.stdev(told) / 12**0.5
            assert end["session"]["half_width"] == pytest.approx(100 * 2.201 * error, rel=1e-3)
            for hand in range(12):
                told = await client.get(f"{address}/hands/{hand}", headers=headers[0])
                steps, row = told.json()["steps"], told.json()["hand"]
                assert len(steps) == len(row["actions"]) + 1
                seats = steps[-1]["seen"]["seats"]
                assert [each["payoff"] for each in seats] == [
                    each["won"] for each in row["players"]
                ]
                mine, _ = _seat_of(row, "me")
                hidden = [each["hand"] for each in steps[0]["seen"]["seats"]]
                assert [bool(each) for each in hidden] == [seat == mine for seat in range(3)]
                shown = [each["hand"] for each in steps[-1]["seen"]["seats"]]
                assert shown == [each["cards"] for each in row["players"]]
            for bad, status in ((12, 404), (-1, 422), ("x", 422)):
                told = await client.get(f"{address}/hands/{bad}", headers=headers[0])
                assert told.status_code == status
            body = {"name": "pot-odds"}
            told = await client.post(f"{address}/hands/0/review", headers=headers[0], json=body)
            row = await _row(client, address, headers[0])
            own = [each for each in row["actions"] if each["seat"] == _seat_of(row, "me")[0]]
            assert len(told.json()["choices"]) == len(own)
            unknown = await client.post(
                f"{address}/hands/0/review", headers=headers[0], json={"name": "nobody"}
            )
            assert unknown.status_code == 404
            await client.delete(address, headers=headers[0])
            return address, headers[0], session

    async def look(address: str, headers: dict[str, str], session: dict[str, Any]) -> None:
        async with running(Settings((tmp_path,), data=data)) as client:
            again = await client.get(f"{address}/hands", headers=headers)
            assert again.json() == session
            phhs = await client.get(f"{address}/phhs", headers=headers)
            assert phhs.headers["content-type"].startswith("text/plain")
            _check_phhs(phhs.text, session["hands"])
            assert (await client.get(f"{address}/hands")).status_code == 403
            assert (await client.get(address, headers=headers)).status_code == 404
            other = await client.get("/api/tables/nothing/hands", headers=headers)
            assert other.status_code == 404

    address, headers, session = asyncio.run(play())
    asyncio.run(look(address, headers, session))


def test_losses_of_a_session_are_reviewed(tmp_path: Path) -> None:
    solve("leduc", iterations=20).write_bundle(tmp_path / "leduc")

    async def go() -> None:
        async with running(Settings((tmp_path,), data=tmp_path / "data")) as client:
            players = [OUTSIDE, {"kind": "strategy", "name": "leduc"}]
            address, headers = await _open(client, players=players, auto=True, hands=5)
            await _play(client, address, headers[0], random.Random(2))
            body = {"name": "leduc"}
            told = await client.post(f"{address}/hands/0/review", headers=headers[0], json=body)
            assert all(each["lost"] >= 0 for each in told.json()["choices"])
            await _check_session_review(client, address, headers[0])
            phhs = await client.get(f"{address}/phhs", headers=headers[0])
            assert phhs.status_code == 422  # the format has no code for Leduc

    asyncio.run(go())


async def _check_session_review(
    client: httpx.AsyncClient, address: str, headers: dict[str, str]
) -> None:
    """All decisions of five hands are those of the hands one by one, the largest loss first."""
    body = {"name": "leduc"}
    single = []
    for hand in range(5):
        told = await client.post(f"{address}/hands/{hand}/review", headers=headers, json=body)
        single += [{"hand": hand, "choice": each} for each in told.json()["choices"]]
    told = await client.post(f"{address}/review", headers=headers, json=body)
    found = told.json()["decisions"]
    assert sorted(found, key=lambda each: (each["hand"], each["choice"]["step"])) == single
    lost = [each["choice"]["lost"] for each in found]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > 0
    last = await client.post(f"{address}/review", headers=headers, json={**body, "most": 1})
    assert {each["hand"] for each in last.json()["decisions"]} == {4}
    for bad in (0, 201):
        told = await client.post(f"{address}/review", headers=headers, json={**body, "most": bad})
        assert told.status_code == 422


def _seat_of(row: dict[str, Any], name: str) -> tuple[int, int]:
    """The seat of a player in a hand, and the chips that he won."""
    found = next(each for each in row["players"] if each["name"] == name)
    return found["seat"], found["won"]


async def _row(client: httpx.AsyncClient, address: str, headers: dict[str, str]) -> dict[str, Any]:
    told = (await client.get(f"{address}/hands", headers=headers)).json()["hands"][0]
    return dict(told)


def _check_phhs(text: str, rows: list[dict[str, Any]]) -> None:
    """An outside reader finds the same chips, and no cards that the player did not see."""
    hands = list(pokerkit.HandHistory.load_all(io.BytesIO(text.encode())))
    assert len(hands) == len(rows)
    for hand, row in zip(hands, rows, strict=True):
        assert list(hand.players) == [each["name"] for each in row["players"]]
        dealt = [each for each in hand.actions if each.startswith("d dh")]
        for told, cards in zip(dealt, row["players"], strict=True):
            assert told.endswith(cards["cards"] or "????")
        won = [
            end - begin
            for begin, end in zip(hand.starting_stacks, hand.finishing_stacks, strict=True)
        ]
        assert won == [each["won"] for each in row["players"]]


# A server of its own process, with sockets.


def test_leaving_coming_back_and_a_killed_server(tmp_path: Path) -> None:
    async def go() -> None:
        async with started(tmp_path) as (process, place):
            async with httpx.AsyncClient(base_url=f"http://{place}") as client:
                address, (mine, _) = await _open(client, game="leduc", auto=True)
                token = mine["X-Seat-Token"]
                events = f"ws://{place}{address}/events?seat_token={token}"
                async with connect(events) as socket:
                    first = json.loads(await socket.recv())
                # Gone in the middle of the hand; the same hand is there again.
                async with connect(events) as socket:
                    again = json.loads(await socket.recv())
                    assert again["hand"] == first["hand"]
                    assert again["seen"] == first["seen"]
                    slot = again["seen"]["choices"][0]["slot"]
                    told = await client.post(
                        f"{address}/actions", headers=mine, json={"slot": slot}
                    )
                    heard = json.loads(await socket.recv())
                    assert heard["version"] == told.json()["version"] > again["version"]
                async with connect(events.replace(token, "wrong")) as socket:
                    with pytest.raises(Exception, match="4403"):
                        await socket.recv()
                with pytest.raises(Exception, match="403"):  # a page of another site
                    await connect(events, origin="https://evil.example")  # type: ignore[arg-type]
                state = told.json()
                while state["num_finished"] < 25:
                    slot = state["seen"]["choices"][-1]["slot"]
                    told = await client.post(
                        f"{address}/actions", headers=mine, json={"slot": slot}
                    )
                    state = told.json()
                os.kill(process.pid, signal.SIGKILL)
            rows = [row for row in read_hands(tmp_path) if row["kind"] == "hand"]
            assert [row["hand"] for row in rows] == list(range(state["num_finished"]))
        async with running(Settings(data=tmp_path)) as client:  # the next server knows them, too
            told = await client.get(f"{address}/hands", headers=mine)
            assert len(told.json()["hands"]) == state["num_finished"]
            assert told.json()["session"] == state["session"]
        won = sum(row["payoffs"][row["seats"].index(0)] for row in rows)
        assert won == state["players"][0]["total"]

    asyncio.run(go())


def test_a_bot_that_speaks_over_a_socket_alone(tmp_path: Path) -> None:
    """It leaves in the middle of every third hand; when it is back, nothing has changed."""

    async def go() -> None:
        async with started(tmp_path) as (_, place):
            async with httpx.AsyncClient(base_url=f"http://{place}") as client:
                address, (mine, _) = await _open(client, game="leduc", hands=30)
            events = f"ws://{place}{address}/events"
            token = {"X-Seat-Token": mine["X-Seat-Token"]}
            socket = await connect(events, additional_headers=token)
            state, left = json.loads(await socket.recv()), set()
            while not state["is_done"]:
                seen, hand = state["seen"], state["hand"]
                if hand % 3 == 0 and seen["choices"] and hand not in left:
                    left.add(hand)
                    await socket.close()
                    socket = await connect(events, additional_headers=token)
                    again = json.loads(await socket.recv())
                    assert again == state
                wish: dict[str, Any] = {"deal": {"hand": hand}}
                if not seen["is_over"]:
                    assert state["is_turn"]
                    slot = seen["choices"][-1]["slot"]
                    wish = {"act": {"slot": slot, "version": state["version"]}}
                await socket.send(json.dumps(wish))
                state = json.loads(await socket.recv())
                assert "error" not in state
            assert state["num_finished"] == 30
            for bad, status in (
                ("{", 422),
                ("[]", 422),
                ("{}", 422),
                ('{"act": {"slot": -1}}', 422),
                ('{"act": {"slot": 1}, "deal": {"hand": 0}}', 422),
                ('{"jump": 1}', 422),
                (b"\xff\x00", 422),
                ('{"act": {"slot": 1}}', 409),
                ('{"deal": {"hand": 29}}', 409),
            ):
                await socket.send(bad)
                told = json.loads(await socket.recv())
                assert told["status"] == status, (bad, told)
            await socket.close()
            rows = [row for row in read_hands(tmp_path) if row["kind"] == "hand"]
            assert [row["hand"] for row in rows] == list(range(30))
            assert len(left) > 5

    asyncio.run(go())


def test_a_torn_line_is_left(tmp_path: Path) -> None:
    asyncio.run(_play_many(tmp_path, 1, 2, "leduc"))
    with (tmp_path / HANDS).open("ab") as file:
        file.write(b'{"kind":"hand","tab')
    assert len(list(read_hands(tmp_path))) == 3
    asyncio.run(_play_many(tmp_path, 1, 2, "leduc"))
    assert len(list(read_hands(tmp_path))) == 6


def test_a_damaged_row_costs_itself(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Any changed byte: no row is believed that was not written, and no answer is a 500."""

    async def play() -> tuple[str, dict[str, str], list[dict[str, Any]]]:
        async with running(Settings(data=tmp_path)) as client:
            players = [OUTSIDE, {"kind": "bot", "name": "caller"}]
            wish = {"players": players, "game": "leduc", "auto": True, "hands": 4}
            address, headers = await _open(client, **wish)
            await _play(client, address, headers[0], random.Random(1))
            told = await client.get(f"{address}/hands", headers=headers[0])
            return address, headers[0], told.json()["hands"]

    async def ask(address: str, headers: dict[str, str], rows: list[dict[str, Any]]) -> None:
        path = tmp_path / HANDS
        whole, draw = path.read_bytes(), random.Random(3)
        ends = [number for number, sign in enumerate(whole) if sign == ord("\n")]
        async with running(Settings(data=tmp_path)) as client:
            for _ in range(200):
                place = draw.randrange(len(whole))
                damaged = bytearray(whole)
                damaged[place] ^= 1 << draw.randrange(8)
                path.write_bytes(damaged)
                told = await client.get(f"{address}/hands?after=-1", headers=headers)
                line = sum(end < place for end in ends)
                if line == 0:  # the line of the table itself
                    assert told.status_code == 404
                    continue
                kept = [row for row in rows if row["hand"] != line - 1]
                more = [row for row in kept if row["hand"] != line]  # two lines became one
                assert told.json()["hands"] in (kept, more), place
            path.write_bytes(whole.replace(b'"hand":2', b'"hand":1'))
            caplog.clear()
            for _ in range(2):
                told = await client.get(f"{address}/hands", headers=headers)
                assert [row["hand"] for row in told.json()["hands"]] == [0, 1, 3]
            assert sum("damaged" in each.getMessage() for each in caplog.records) <= 1

    asyncio.run(ask(*asyncio.run(play())))
