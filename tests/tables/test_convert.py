# SPDX-License-Identifier: MIT
"""Hands from one format into another and back, and one line with the place for bad input."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pokerkit
import pytest

from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.histories.hand_files import convert_hands
from regretless.histories.hand_log import format_episode, hand_log_pieces
from regretless.histories.phh import read_phh_file, write_phh

PLAYERS = {2: ["Ann", "Bob"], 6: [f"P{i}" for i in range(6)]}


def episodes(game: _native.Poker, count: int = 40) -> list[_native.PokerEpisode]:
    """Hands with bets of any size."""
    random, found = np.random.default_rng(8), []
    for index in range(count):
        episode = game.episode(3, index)
        while not episode.is_terminal:
            drawn, limits = random.random(), episode.raise_range
            if drawn < 0.15 and episode.can_fold:
                episode.fold()
            elif drawn < 0.7 or limits is None:
                episode.call()
            else:
                most = min(limits[1], 4 * limits[0]) if drawn < 0.95 else limits[1]
                episode.raise_to(int(random.integers(limits[0], most + 1)))
        found.append(episode)
    return found


def told(episode: _native.PokerEpisode) -> tuple:
    hole = [sorted(episode.hole(seat)) for seat in range(episode.game.num_players)]
    return episode.events, episode.board, hole, episode.payoffs


def write_phhs_file(path: Path, hands: list[_native.PokerEpisode]) -> None:
    players = PLAYERS[hands[0].game.num_players]
    texts = [f"[{n}]\n{write_phh(hand, players)}\n" for n, hand in enumerate(hands, 1)]
    path.write_text("".join(texts))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("nlhe", {}),
        ("nlhe", {"players": 6, "antes": 10}),
        ("nlhe", {"players": 6, "stacks": [500, 4000, 900, 10_000, 120, 333]}),
        ("limit-holdem", {}),
        ("plo4", {"players": 6}),
        ("short-deck", {"players": 6}),
        ("hunl-100bb", {}),
    ],
)
def test_hands_go_round_through_every_format(tmp_path: Path, name: str, options: dict) -> None:
    game = load_game(name, **options)
    assert isinstance(game, _native.Poker)
    hands = episodes(game)
    first, acpc, text, last = (
        tmp_path / f"hands{end}" for end in (".phhs", ".log", ".txt", "2.phhs")
    )
    write_phhs_file(first, hands)
    given = {"game": game}
    assert convert_hands(first, acpc) == len(hands)
    assert convert_hands(acpc, text, **given) == len(hands)
    convert_hands(text, last)  # which says its game
    for hand, again in zip(
        hands,
        read_phh_file(last, max_raises=game.rules.max_raises if name == "limit-holdem" else None),
        strict=True,
    ):
        assert told(hand) == told(again)
    back = tmp_path / "back.phhs"
    convert_hands(acpc, back, **given)
    assert back.read_text() == first.read_text()
    assert not list(tmp_path.glob(".writing*"))


def test_an_outside_reader_reads_what_is_converted(tmp_path: Path) -> None:
    game = load_game("nlhe")
    assert isinstance(game, _native.Poker)
    hands = episodes(game, 10)
    log, phhs = tmp_path / "hands.txt", tmp_path / "hands.phhs"
    log.write_text("\n".join(map(format_episode, hands)))
    convert_hands(log, phhs)
    with phhs.open("rb") as file:
        read = list(pokerkit.HandHistory.load_all(file))
    for hand, history in zip(hands, read, strict=True):
        state = list(history)[-1]
        stacks = [s + p for s, p in zip(game.rules.stacks, hand.payoffs, strict=True)]
        assert list(state.stacks) == stacks


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_small_games_go_between_logs(tmp_path: Path, name: str) -> None:
    game = load_game(name)
    assert isinstance(game, _native.Poker)
    hands = episodes(game)
    log, acpc, again = (tmp_path / each for each in ("a.txt", "b.acpc", "c.txt"))
    log.write_text("\n".join(map(format_episode, hands)) + "\n")
    assert convert_hands(log, acpc) == len(hands)
    convert_hands(acpc, again, game=name)
    assert again.read_text() == log.read_text()


def test_a_hand_that_is_not_over_is_read() -> None:
    game = load_game("nlhe")
    assert isinstance(game, _native.Poker)
    for hand in episodes(game, 20):
        part = _native.PokerEpisode(game, [hand.hole(0), []], hand.board)
        for _, _, action, _ in hand.events[:-1]:
            part.act(action)
        ((_, reading),) = hand_log_pieces(format_episode(part).splitlines(), "log", None)
        read = reading().episode
        assert (read.events, read.hole(0), read.hole(1)) == (part.events, hand.hole(0), [])


def edit(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


LOG = """nlhe, 2 players
  BB: 10000 chips, AsKd
  BTN: 10000 chips, 2c2d
  BB posts 100, BTN posts 50
Preflop, pot 150
  BTN raises to 300
  BB folds
  BTN takes back 200
Result
  BB: -100, now 9900
  BTN: wins 200, +100, now 10100
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("nlhe, 2", "nope, 2", "line 1: unknown game 'nope'"),
        ("nlhe, 2 players", "nlhe", "line 1: a hand begins with a game"),
        ("BTN: 10000", "CO: 10000", "line 3: BTN is due, not CO"),
        ("2c2d", "2c2x", "line 4: "),
        ("2c2d", "AsKd", "line 4: card"),
        ("posts 50", "posts 50, CO posts 1", "line 4: nobody is called 'CO'"),
        ("BTN raises to 300", "BB checks", "line 6: "),
        ("raises to 300", "raises to 150", "line 6: raise to 150: must be 200 to 10000"),
        ("raises to 300", "calls 40", "line 6: 'BTN calls 50' is due, not 'BTN calls 40'"),
        ("raises to 300", "raises to", "line 6: "),
        ("  BB folds\n", "", "line 7: 'BB is to act' is due, not 'BTN takes back 200'"),
        ("  BB folds", "  BB sleeps", "line 7: 'BB is to act' is due, not 'BB sleeps'"),
        ("Preflop", "Flop Ah2h3h", "line 5: "),
        ("now 9900", "now 9901", "line 10: 'BB: -100, now 9900' is due, not 'BB: -100, now 9901'"),
    ],
)
def test_a_bad_hand_log_is_one_line(tmp_path: Path, old: str, new: str, problem: str) -> None:
    source, target = tmp_path / "bad.txt", tmp_path / "out.phhs"
    source.write_text(LOG)
    assert convert_hands(source, target) == 1
    target.unlink()
    source.write_text(edit(LOG, old, new))
    with pytest.raises(InputError) as caught:
        convert_hands(source, target)
    message = str(caught.value)
    assert message.startswith(f"{source}: ") and problem in message and "\n" not in message
    assert list(tmp_path.iterdir()) == [source]


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    game = load_game("nlhe")
    assert isinstance(game, _native.Poker)
    good = tmp_path / "good.phhs"
    write_phhs_file(good, episodes(game, 3))
    bad = tmp_path / "bad.phhs"
    lines = good.read_text().splitlines(keepends=True)
    second = lines.index("[2]\n")

    def fails(text: str, problem: str, target: str = "out.txt", **options: object) -> None:
        bad.write_text(text)
        with pytest.raises(InputError) as caught:
            convert_hands(bad, tmp_path / target, **options)
        assert problem in str(caught.value) and "\n" not in str(caught.value)

    broken = [*lines[: second + 1], "variant = \n", *lines[second + 2 :]]
    problem = f"bad.phhs: [2]: Invalid value (at line {second + 2}"
    fails("".join(broken[second:]).partition("[3]")[0], problem.replace(str(second + 2), "2"))
    bad.write_text("".join(broken))
    skipped: list[str] = []
    assert convert_hands(bad, tmp_path / "two.txt", skip=skipped.append) == 2
    assert len(skipped) == 1 and problem in skipped[0]
    fails("".join(lines).replace("[3]", "[1]"), "[1] comes twice")
    fails("variant = 'NT'\n", "line 1: must stand in a table such as [1]")
    fails("".join(lines), "hand 2: a .phh file holds one hand", "out.phh")
    fails("".join(lines), "PHH says its game itself", game="nlhe")
    fails("STATE:1:x\n", "an ACPC log does not say its game", source_format="acpc")
    fails("STATE:1:x\n", "line 1: a hand of a log", source_format="acpc", game="nlhe")
    fails("", "which format? Files end in .phh", "out.xyz")
    fails("", "no format is called 'pdf'", target_format="pdf")
    fails("", "No such file or directory", "none/out.txt")
    fails("", "only hands of poker", source_format="acpc", game="liars-dice-1x4f")
    other = load_game("nlhe", stacks=5000)
    assert isinstance(other, _native.Poker)
    mixed = "".join(lines) + f"[4]\n{write_phh(episodes(other, 1)[0])}"
    fails(mixed, "hand 4: has other stacks, blinds or rules", "out.log")
    bad.write_bytes(b"\xff\xe9")
    with pytest.raises(InputError, match="not a text file in UTF-8"):
        convert_hands(bad, tmp_path / "out.txt")
    with pytest.raises(InputError, match="No such file"):
        convert_hands(tmp_path / "none.phh", tmp_path / "out.txt")


def test_the_command_converts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LOG + "\n" + LOG)
    run = [sys.executable, "-m", "regretless", "convert"]
    done = subprocess.run(
        [*run, "a.txt", "b", "--to", "acpc"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "b: 2 hands\n", done.stderr
    line = "STATE:0:r300f:AsKd|2c2d:-100|100:BB|BTN\n"
    assert (tmp_path / "b").read_text() == line + line.replace("STATE:0", "STATE:1")
    failed = subprocess.run([*run, "b", "c.phhs"], cwd=tmp_path, capture_output=True, text=True)
    assert failed.returncode == 2 and "b: an ACPC log does not say its game" in failed.stderr


def test_hands_of_a_log_have_one_unit(tmp_path: Path) -> None:
    """Hands of whole dollars stand before and behind one with cents, in PHH and as a site."""
    hand = (
        "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n"
        "starting_stacks = [200, 200]\nactions = ['d dh p1 AsKd', 'd dh p2 2c2d', 'p2 cbr {}', "
        "'p1 f']\n"
    )
    bets = ["6", "6.50", "6.125", "8"]
    (tmp_path / "a.phhs").write_text(
        "".join(f"[{i}]\n{hand.format(b)}" for i, b in enumerate(bets))
    )
    assert convert_hands(tmp_path / "a.phhs", tmp_path / "a.log") == 4
    states = [line.split(":")[2] for line in (tmp_path / "a.log").read_text().splitlines()]
    assert states == ["r1200f", "r1300f", "r1225f", "r1600f"]  # 200: of 100 and 8
    site = (
        "PokerStars Hand #{0}: Hold'em No Limit ($1/$2 USD) - 2020/01/02 3:04:05 ET\n"
        "Table 'T' 2-max Seat #1 is the button\nSeat 1: A ($200 in chips)\n"
        "Seat 2: B ($200 in chips)\nA: posts small blind $1\nB: posts big blind $2\n"
        "*** HOLE CARDS ***\nA: raises ${1} to ${2}\nB: folds\n"
        "Uncalled bet (${1}) returned to A\nA collected $4 from pot\n\n"
    )
    rows = [(1, "4", "6"), (2, "4.50", "6.50"), (3, "6", "8")]
    (tmp_path / "s.txt").write_text("".join(site.format(*row) for row in rows))
    assert convert_hands(tmp_path / "s.txt", tmp_path / "s.log") == 3
    states = [line.split(":")[2] for line in (tmp_path / "s.log").read_text().splitlines()]
    assert states == ["r600f", "r650f", "r800f"]


def test_a_log_that_divides_odd_chips_is_read_with_a_note(tmp_path: Path) -> None:
    """The ACPC's dealer splits 325 chips into halves; here they are whole."""
    game = load_game("nlhe", players=3, small_blind=25, big_blind=50)
    line = "STATE:0:r150fc/cc/cc/cc:2c3d|4c5d|6c7d/AsKsQs/Js/Ts:{}:a|b|c\n"
    log, target = tmp_path / "a.log", tmp_path / "b.phhs"
    log.write_text(line.format("-25|12.5|12.5"))
    notes: list[str] = []
    assert convert_hands(log, target, game=game, skip=notes.append) == 1
    assert "the log divides odd chips, -25|12.5|12.5" in notes[0] and "-25|13|12" in notes[0]
    log.write_text(line.format("-25|13|12"))
    assert convert_hands(log, target, game=game, skip=notes.append) == 1 and len(notes) == 1
