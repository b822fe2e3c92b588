# SPDX-License-Identifier: MIT
"""Matches over TCP by the ACPC protocol: an outside client at our dealer, our client at dealers."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import acpc_outside_client
from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.histories.acpc import (
    format_action,
    format_logged_hand,
    format_score,
    log_pieces,
    parse_action,
)
from regretless.histories.recorded_hand import RecordedHand
from regretless.matches.bots import BOTS
from regretless.matches.off_menu import OffMenuPlayer
from regretless.tables.acpc import (
    ClientSeat,
    Dealing,
    client_seat,
    connected,
    deal_match,
    play_as_client,
)

GAME = load_game("nlhe", stacks=20_000)
LOCAL = "127.0.0.1"


def hands_of(lines: list[str], game: _native.Poker = GAME) -> list[RecordedHand]:
    return [read() for _, read in log_pieces(lines, game, "my.log")]


def our(name: str, game: _native.Poker = GAME, seed: int = 3) -> OffMenuPlayer:
    return OffMenuPlayer(BOTS[name](game), game, seed)


def in_thread(call: Callable, *arguments: object) -> Future:
    pool = ThreadPoolExecutor(1)
    future = pool.submit(call, *arguments)
    pool.shutdown(wait=False)
    return future


def test_an_outside_client_plays_a_thousand_hands_and_the_chips_agree() -> None:
    seats = [our("pot-odds"), ClientSeat("outside", LOCAL, 0, 60)]
    outside = in_thread(acpc_outside_client.play, LOCAL, seats[1].port, 1)
    lines: list[str] = []

    def keep(hand: RecordedHand) -> None:
        lines.append(format_logged_hand(hand))

    with connected(seats):
        result = deal_match(GAME, seats, Dealing(1000, 9), on_hand=keep)
    assert outside.result(10) == (1000, result.chips[1]) and sum(result.chips) == 0
    assert result.players == ["pot-odds", "outside"] and result.won[0].count == 1000
    assert "/" in lines[0] + lines[1] and lines[0].endswith(":pot-odds|outside")
    assert lines[1].endswith(":outside|pot-odds")
    # The log, read again, has the same chips.
    chips = dict.fromkeys(result.players, 0)
    for hand in hands_of([*lines, format_score(result.chips, result.players)]):
        for name, payoff in zip(hand.players, hand.episode.payoffs, strict=True):
            chips[name] += payoff
    assert list(chips.values()) == result.chips


def test_our_client_and_the_outside_one_play_each_other() -> None:
    seats = [ClientSeat(name, LOCAL, 0, 60) for name in ("ours", "outside")]
    ours = in_thread(play_as_client, LOCAL, seats[0].port, our("tight-aggressive"), 60)
    outside = in_thread(acpc_outside_client.play, LOCAL, seats[1].port, 2, "\n")
    with connected(seats):
        result = deal_match(GAME, seats, Dealing(60, 1))
    assert (ours.result(10).hands, ours.result(10).chips) == (60, result.chips[0])
    assert outside.result(10) == (60, result.chips[1])


def test_players_in_another_order_play_the_same_cards() -> None:
    dealt: list[list[RecordedHand]] = [[], []]
    for order in (0, 1):
        seats = [our(name) for name in ("caller", "raiser")[:: 1 - 2 * order]]
        deal_match(GAME, seats, Dealing(4, 5), on_hand=dealt[order].append)
    for first, second in zip(*dealt, strict=True):
        assert first.players == second.players[::-1]
        assert first.episode.hole(0) == second.episode.hole(0) != []


@pytest.mark.parametrize("name", ["leduc", "kuhn", "nlhe"])
def test_on_the_menu_the_off_menu_player_plays_the_policy(name: str) -> None:
    game = load_game(name)
    assert isinstance(game, _native.Poker)
    for index in range(20):
        episode, player = game.episode(2, index), our("pot-odds", game)
        while not episode.is_terminal:
            hand = _native.hand_index(
                game.rules.deck, np.array([episode.hole(episode.actor)], np.uint8)
            )
            needs = player.policy.needs.options()
            asked = _native.ask_at(game, [episode], hand.astype(np.int32), **needs).ask(0, 1)
            slot = int(player.policy(asked)[0].argmax())
            action = player.act(episode, index)
            assert action == episode.offer[slot]
            episode.act(action)


def test_off_the_menu_every_action_is_legal_and_the_same_again() -> None:
    random = np.random.default_rng(3)
    for players in (2, 6):
        game = load_game("nlhe", players=players, menu="50%,100%,a")
        assert isinstance(game, _native.Poker)
        player = our("random", game)
        for index in range(40):
            episode = game.episode(4, index)
            while not episode.is_terminal:
                action = player.act(episode, index)
                assert action == player.act(episode, index)
                if random.random() < 0.5 and episode.raise_range:  # another bets what he likes
                    least, most = episode.raise_range
                    action = int(random.integers(least, min(most, 3 * least) + 1))
                episode.act(action)
        assert sum(episode.payoffs) == 0


@pytest.mark.parametrize("limit", ["leduc", "nlhe"])
def test_actions_are_written_and_read(limit: str) -> None:
    game = load_game(limit)
    assert isinstance(game, _native.Poker)
    episode = game.episode(1, 0)
    for _ in range(3):
        for action in [0, *(episode.raise_range or [])]:
            assert parse_action(format_action(episode, action), episode) == action
        episode.act((episode.raise_range or [0])[0])
    for bad in ("", "x", "r1", "r999999", "r99999999999", "rr", "c1"):
        if limit == "leduc" and bad[1:].isdecimal():
            continue
        with pytest.raises(InputError):
            parse_action(bad, episode)


def misbehave(port: int, *lines: str) -> None:
    with socket.create_connection((LOCAL, port), timeout=20) as connection:
        file = connection.makefile("rw", newline="\n")
        file.write(lines[0])
        file.flush()
        for line in lines[1:]:
            state = file.readline().strip()
            file.write(line.format(state=state))
            file.flush()
        if "wait" in lines[-1]:
            connection.recv(1000)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["HELLO\r\n"], "must begin with VERSION:2.0.0, not 'HELLO'"),
        (["VERSION:1.0.0\r\n"], "must begin with VERSION:2.0.0"),
        (["VERSION:2.0.0\r\n", "{state}:c:wait"], "sent nothing in 2 seconds"),
        (["VERSION:2.0.0\r\n", "MATCHSTATE:1:7::|:c\r\n"], "hand 0: answers 'MATCHSTATE:1:7::|:c'"),
        (
            ["VERSION:2.0.0\r\n", "# a remark\r\n{state}:r50\r\n"],
            "a raise must be r200 to r20000",
        ),
        (["VERSION:2.0.0\r\n", "{state}:z\r\n"], "an action is f, c or r with an amount: 'z'"),
        (["VERSION:2.0.0\r\n", ""], "left before it answered in hand 0"),
        ([""], "left before it sent its version"),
    ],
)
def test_a_client_that_misbehaves_is_one_line(lines: list[str], problem: str) -> None:
    seats = [our("caller"), ClientSeat("bad", LOCAL, 0, 2)]
    thread = threading.Thread(target=misbehave, args=(seats[1].port, *lines))
    thread.start()
    with pytest.raises(InputError) as caught, connected(seats):
        deal_match(GAME, seats, Dealing(5))
    thread.join()
    assert str(caught.value).startswith("bad: ") and problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_dealt_or_joined_is_one_line() -> None:
    late = [ClientSeat("late", LOCAL, 0, 0.2)]
    problem = r"nobody connected to port \d+ in 0.2 seconds"
    with pytest.raises(InputError, match=problem), connected(late):
        pass
    with socket.create_server((LOCAL, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match="cannot wait at"):
            ClientSeat("taken", LOCAL, port, 1)
    with pytest.raises(InputError, match="refused"):
        play_as_client(LOCAL, port, our("caller"))
    for bad in ("acpc:", "acpc:70000", "acpc:'", "acpc:./no-such-program"):
        with pytest.raises(InputError, match=r"acpc:|no-such-program"):
            client_seat(bad, LOCAL, 1)
    with pytest.raises(InputError, match="is for 2 players, not 1"):
        deal_match(GAME, [our("caller")], Dealing(1))


def test_the_commands_play_each_other(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "regretless", "acpc"]
    client = f"{sys.executable} -c 'import sys; from regretless.cli import main; main([" + (
        '"acpc", "client", *sys.argv[1:], "caller", "--game", "leduc"]' + ")'"
    )
    log, options = tmp_path / "match.log", ["--game", "leduc", "--hands", "20", "--json"]
    done = subprocess.run(
        [*run, "dealer", f"acpc:{client}", "raiser", *options, f"--log={log}"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout[done.stdout.index("{") :])
    first, second = told["players"]
    assert first["chips"] == -second["chips"] and second["name"] == "raiser"
    game = load_game("leduc")
    assert isinstance(game, _native.Poker)
    hands = hands_of(log.read_text().splitlines(), game)
    assert [hand.number for hand in hands] == list(range(20))
    assert log.read_text().splitlines()[-1].startswith(f"SCORE:{first['chips']}|")
    failed = subprocess.run(
        [*run, "client", LOCAL, "1", "caller", "--game", "kuhn"], capture_output=True, text=True
    )
    assert (failed.returncode, failed.stderr) == (2, f"error: {LOCAL}:1: Connection refused\n")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("STATE:0:cc/cc/cc/cc", "has the form STATE:hand:betting:cards:payoffs:players"),
        ("STATE:0:cr300f:2c3c|4c5c:100|-100:a", "there must be 2 players"),
        ("STATE:0:cr300f:2c3c|4c5c:100|-100:a|b", None),
        ("STATE:0:cr300f:2c3c|4c5c:200|-200:a|b", "and the cards and bets say 100|-100"),
        ("STATE:0:cr300f:2c3c|4c5c:x|y:a|b", "the payoffs must be numbers"),
        ("STATE:0:cr300:2c3c|4c5c:0|0:a|b", "the hand is not over"),
        ("nonsense", "not 'nonsense'"),
    ],
)
def test_a_bad_line_of_a_log_is_named(line: str, problem: str | None) -> None:
    text = line.replace("100|-100:a", "100|-100:a")
    if problem is None:
        assert len(hands_of(["# remark", text])) == 1
        return
    with pytest.raises(InputError) as caught:
        hands_of(["# remark", text])
    assert str(caught.value).startswith("my.log: line 2: ") and problem in str(caught.value)
