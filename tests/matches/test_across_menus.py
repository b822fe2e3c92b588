# SPDX-License-Identifier: MIT
"""Strategies of other menus, stacks and chips at one table: in matches and by the ACPC protocol."""

import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from phevaluator import evaluate_cards

from command_line import command
from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.histories.acpc import exact_payoffs, format_logged_hand, parse_logged_hand
from regretless.histories.hand_log import RecordedHand
from regretless.histories.phh import read_phh_file
from regretless.matches.across_menus import play_across
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig, play_match
from regretless.matches.off_menu import OffMenuPlayer, why_not_alike
from regretless.notation.cards import format_cards
from regretless.seats.contestants import find_table
from regretless.seats.strategies import Strategy
from regretless.tables.acpc import ClientSeat, Clock, Dealing, connected, deal_match, play_as_client

LOCAL = "127.0.0.1"


def poker(name: str, **options: object) -> _native.Poker:
    game = load_game(name, **options)
    assert isinstance(game, _native.Poker)
    return game


NLHE, HUNL = poker("nlhe"), poker("hunl-100bb")


def in_thread(call: Callable, *arguments: object) -> Future:
    pool = ThreadPoolExecutor(1)
    future = pool.submit(call, *arguments)
    pool.shutdown(wait=False)
    return future


def player(bot: str, own: _native.Poker, real: _native.Poker, seed: int = 1) -> OffMenuPlayer:
    return OffMenuPlayer(BOTS[bot](own), own, seed, real)


def test_with_one_menu_a_translated_match_is_the_match() -> None:
    config = MatchConfig(400, seed=3)
    bots = ("caller", "raiser")  # which draw nothing
    plain = play_match(NLHE, [BOTS[each](NLHE) for each in bots], config)
    across = play_across([player(each, NLHE, NLHE) for each in bots], config)
    assert (across.game, across.hands) == (plain.game, plain.hands)
    for mine, theirs in zip(across.players, plain.players, strict=True):
        assert mine.won.mean == pytest.approx(theirs.won.mean, abs=1e-12)
        assert mine.won.half_width == pytest.approx(theirs.won.half_width)


def test_two_menus_meet_and_every_action_is_legal() -> None:
    players = [player("pot-odds", HUNL, NLHE), player("tight-aggressive", NLHE, NLHE)]
    hands: list[tuple[_native.PokerEpisode, int]] = []
    result = play_across(
        players, MatchConfig(300, seed=5), on_hand=lambda *hand: hands.append(hand)
    )
    assert result.players[0].won.mean == pytest.approx(-result.players[1].won.mean)
    assert [number for _, number in hands] == list(range(300))
    for (first, _), (second, _) in zip(hands[::2], hands[1::2], strict=True):
        assert first.hole(0) == second.hole(0) and first.is_terminal  # each deal twice
    again = play_across(players, MatchConfig(300, seed=5))
    assert again == result
    offers = {to for episode, _ in hands for _, _, to, _ in episode.events if to > 0}
    assert any(amount % 25 for amount in offers)  # bets of a menu that nlhe does not have


def test_a_bet_has_the_same_share_of_the_pot_in_other_chips() -> None:
    hole = [[0, 5], [10, 15]]
    real = _native.PokerEpisode(NLHE, hole, [])
    real.act(300)  # a raise to 3 big blinds
    beside = player("caller", HUNL, NLHE).beside(real, 0)
    assert beside is not None and max(beside.bets) == 6  # 3 big blinds of 2 chips
    deep = poker("nlhe", stacks=40_000)
    real = _native.PokerEpisode(deep, hole, [])
    real.act(30_000)  # more than its 100 big blinds
    assert player("caller", HUNL, deep).act(real, 0) == 0


@pytest.mark.parametrize(
    ("own", "why"),
    [
        (poker("nlhe", players=3), "players 3 and 2"),
        (poker("short-deck"), "deck"),
        (poker("limit-holdem"), "limit"),
        (poker("leduc"), "deck"),
        (poker("nlhe", small_blind=25), "blinds"),
    ],
)
def test_games_that_are_not_alike_are_refused(own: _native.Poker, why: str) -> None:
    assert (found := why_not_alike(own, NLHE)) is not None and why in found
    with pytest.raises(InputError, match=r"is for .*, not for nlhe"):
        player("caller", own, NLHE)


def test_players_that_are_found_keep_their_menus(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {"first": HUNL, "second": NLHE, "leduc": poker("leduc")}

    def find(path: object, note: object, device: object) -> Strategy:
        game = games[str(path)]
        return Strategy(game, BOTS["caller"](game), "caller", "bundle", None, [])

    monkeypatch.setattr("regretless.seats.contestants.find_strategy", find)
    monkeypatch.setattr(
        "regretless.seats.contestants.strategy_directory",
        lambda path: Path(path) if str(path) in games else None,
    )
    found, real = find_table(["first", "second", "caller"])
    assert [each.game.name for each in found] == ["hunl-100bb", "nlhe", "nlhe"]
    assert real.name == "nlhe"  # of the smaller chips
    with pytest.raises(InputError, match="not one game"):
        find_table(["first", "leduc"])
    text = command("match", "first", "second", "--hands", "20")
    assert "menus or stacks differ: played as nlhe" in text and "20 hands" in text
    assert "--aivat: needs players of one menu" in command(
        "match", "first", "second", "--hands", "20", "--aivat", status=2
    )


def test_hands_of_a_translated_match_are_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "hands.phhs"
    monkeypatch.setattr(
        "regretless.cli.play.match.find_table",
        lambda *_: (
            [Strategy(each, BOTS["raiser"](each), "", "bot", None, []) for each in (HUNL, NLHE)],
            NLHE,
        ),
    )
    command("match", "a", "b", "--hands", "6", "--phh", str(path))
    assert len(read_phh_file(path)) == 6


def by_chips(episode: _native.PokerEpisode) -> list[Fraction]:
    """Payoffs chip by chip, with the strengths of another evaluator."""
    board = format_cards(episode.board, episode.game.rules.deck)
    names = [format_cards(episode.hole(seat), episode.game.rules.deck) + board for seat in range(3)]
    ranks = [evaluate_cards(*(text[i : i + 2] for i in range(0, 14, 2))) for text in names]
    won = [Fraction(-chips) for chips in episode.paid]
    for chip in range(1, max(episode.paid) + 1):
        paid = [seat for seat in range(3) if episode.paid[seat] >= chip]
        live = [seat for seat in paid if episode.live[seat]]
        best = min(ranks[seat] for seat in live)
        winners = [seat for seat in live if ranks[seat] == best]
        for seat in winners:
            won[seat] += Fraction(len(paid), len(winners))
    return won


def test_shared_pots_are_divided_exactly_as_the_acpc_does() -> None:
    game = poker("nlhe", players=3, small_blind=1, big_blind=2, stacks=[7, 12, 30])
    random, odd = np.random.default_rng(1), 0
    for number in range(3000):
        episode = game.episode(8, number)
        while not episode.is_terminal:
            actions = [0, 0, 0] + ([-1] if episode.can_fold else [])
            if episode.raise_range is not None:
                actions.append(
                    int(random.integers(episode.raise_range[0], episode.raise_range[1] + 1))
                )
            episode.act(actions[random.integers(len(actions))])
        if sum(episode.live) < 2:
            continue
        exact = exact_payoffs(episode)
        assert exact == [float(each) for each in by_chips(episode)]
        odd += exact != [float(each) for each in episode.payoffs]
        line = format_logged_hand(RecordedHand(episode, ["a", "b", "c"], number))
        parse_logged_hand(line, game)
        whole = line.replace(line.split(":")[4], "|".join(map(str, episode.payoffs)))
        parse_logged_hand(whole, game)  # a log in whole chips
    assert odd > 5


def test_a_client_plays_at_a_dealer_of_other_chips_and_stacks() -> None:
    real = poker("nlhe", stacks=20_000)
    client = player("pot-odds", HUNL, real)
    assert client.note is not None and "100 big blinds, and has 200" in client.note
    seats = [ClientSeat("theirs", LOCAL, 0, 60), player("raiser", real, real)]
    ended: list[int] = []
    ours = in_thread(
        play_as_client, LOCAL, seats[0].port, client, 60, lambda s: ended.append(s.hand_number)
    )
    with connected(seats):
        result = deal_match(real, seats, Dealing(120, 4))
    found = ours.result(20)
    assert (found.hands, found.chips) == (120, result.chips[0])
    assert ended == list(range(120))
    assert found.won.mean == pytest.approx(result.won[0].mean)
    assert found.won.half_width == pytest.approx(result.won[0].half_width)


def test_a_duplicate_match_cancels_the_cards() -> None:
    seats = [player("caller", NLHE, NLHE), player("caller", NLHE, NLHE)]
    single = deal_match(NLHE, seats, Dealing(50, 2))
    twice = deal_match(NLHE, seats, Dealing(50, 2, duplicate=True))
    assert single.chips != [0, 0] and twice.chips == [0, 0] and twice.hands == 100
    assert twice.won[0].count == 50 and twice.won[0].half_width == 0


def test_a_fixed_button_stays() -> None:
    hands: list[RecordedHand] = []
    seats = [player("caller", NLHE, NLHE), player("raiser", NLHE, NLHE)]
    deal_match(NLHE, seats, Dealing(4, fixed_button=True), hands.append)
    assert {tuple(hand.players) for hand in hands} == {("caller", "raiser")}
    with pytest.raises(InputError, match="--duplicate"):
        Dealing(4, duplicate=True, fixed_button=True)


@pytest.mark.parametrize(
    ("clock", "what"),
    [(Clock(hand_seconds=1e-9), "for hand 0"), (Clock(match_seconds=1e-9), "for the match")],
)
def test_a_slow_client_ends_the_match(clock: Clock, what: str) -> None:
    seats = [ClientSeat("slow", LOCAL, 0, 60, clock=clock), player("caller", NLHE, NLHE)]
    ours = player("caller", NLHE, NLHE)
    thread = threading.Thread(target=play_as_client, args=(LOCAL, seats[0].port, ours, 60))
    thread.start()
    with pytest.raises(InputError, match=f"slow: took .* {what}"), connected(seats):
        deal_match(NLHE, seats, Dealing(5))
    thread.join()


def test_the_client_learns_the_dealers_game_from_options(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "regretless", "acpc"]
    (tmp_path / "deep.game").write_text(
        "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 20000 20000\n"
        "blind = 100 50\nfirstPlayer = 2 1 1 1\nnumSuits = 4\nnumRanks = 13\n"
        "numHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
    )
    words = ["acpc", "client", "--game", str(tmp_path / "deep.game"), "--log", str(tmp_path / "c")]
    code = (
        f"import sys; from regretless.cli import main; main([*{words!r}, *sys.argv[1:], 'raiser'])"
    )
    client = f'{sys.executable} -c "{code}"'
    files = [f"--log={tmp_path / 'log'}", f"--transactions={tmp_path / 'answers'}"]
    options = ["--stacks", "20000", "--hands", "6", "--duplicate", "--json", *files]
    done = subprocess.run(
        [*run, "dealer", f"acpc:{client}", "caller", *options], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "log").read_text().splitlines()
    assert len(lines) == 13 and lines[-1].startswith("SCORE:")
    answers = (tmp_path / "answers").read_text().splitlines()
    assert all(line.startswith("MATCHSTATE:") and line.count(" ") == 2 for line in answers)
    assert len((tmp_path / "c").read_text().splitlines()) == 12
