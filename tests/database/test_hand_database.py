# SPDX-License-Identifier: MIT
"""The database of hands: import, duplicates, kills, figures, review and export."""

import itertools
import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pokerkit
import pytest
from oracles import site_texts
from oracles.site_texts import PLAIN, Hand, random_hand

from command_line import command
from regretless.database.hand_database import HandDatabase
from regretless.database.importing import export_hands, import_hands
from regretless.database.reviewing import ReviewOptions, review_hands
from regretless.database.seat_facts import adjusted_results, is_all_in_early
from regretless.database.statistics import Share, player_statistics
from regretless.errors import InputError
from regretless.histories.hand_files import read_hands

RIVER = """\
PokerStars Hand #{number}: Hold'em No Limit ($0.50/$1 USD) - 2020/0{month}/07 19:15:13 ET
Table 'T' 6-max Seat #3 is the button
Seat 1: Ann ($100 in chips)
Seat 3: Cy ($100 in chips)
Cy: posts small blind $0.50
Ann: posts big blind $1
*** HOLE CARDS ***
Dealt to Cy [As Ad]
Cy: raises $2 to $3
Ann: calls $2
*** FLOP *** [2c 7d Kh]
Ann: checks
Cy: checks
*** TURN *** [2c 7d Kh] [9s]
Ann: checks
Cy: checks
*** RIVER *** [2c 7d Kh 9s] [3d]
Ann: bets $6
Cy: folds
Uncalled bet ($6) returned to Ann
Ann collected $5.70 from pot
*** SUMMARY ***
Total pot $6 | Rake $0.30
"""


def site_files(folder: Path, count: int = 30) -> list[Hand]:
    folder.mkdir()
    hands = [random_hand(seed, PLAIN) for seed in range(count)]
    for name, write in (("stars", site_texts.stars), ("gg", site_texts.gg)):
        (folder / f"{name}.txt").write_text("".join(map(write, hands)))
    return hands


def dump(path: Path) -> list[tuple]:
    """All rows but the order and names of files."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute(
            "SELECT h.key, s.seat, p.name, s.won, s.vpip, h.phh FROM hands h "
            "JOIN seats s ON s.hand = h.id JOIN players p ON p.id = s.player ORDER BY 1, 2"
        ).fetchall()
    connection.close()
    return rows


def test_duplicates_and_bad_hands(tmp_path: Path) -> None:
    site_files(tmp_path / "a")
    text = (tmp_path / "a" / "stars.txt").read_text()
    (tmp_path / "a" / "twice.txt").write_text(f"{text}\n{RIVER.format(number=5, month=1)}")
    bad = RIVER.format(number=6, month=1).replace("Ann: bets", "Cy: bets")
    (tmp_path / "a" / "bad.txt").write_text(bad)
    (tmp_path / "a" / "other.txt").write_bytes(b"\x00\x01")
    with HandDatabase(tmp_path / "hands.db", create=True) as database:
        result = import_hands(database, [tmp_path / "a"])
        assert (result.hands, result.duplicates, result.files) == (61, 30, 4)
        assert {(Path(file).name, line) for file, line, _ in result.bad} == {
            ("bad.txt", 1),
            ("other.txt", 0),
        }
        assert "line 18: p1 is to act" in result.bad[0][2]
        again = import_hands(database, [tmp_path / "a"])
        assert (again.hands, again.files, again.known_files, len(again.bad)) == (0, 0, 4, 1)
        assert database.rows("SELECT count(*) FROM hands") == [(61,)]
    with (
        pytest.raises(InputError, match="no such file"),
        HandDatabase(tmp_path / "hands.db") as database,
    ):
        import_hands(database, [tmp_path / "none"])


def test_a_killed_import_loses_nothing(tmp_path: Path) -> None:
    site_files(tmp_path / "a", 20)
    text = (tmp_path / "a" / "gg.txt").read_text()
    for number in range(30):
        (tmp_path / "a" / f"more{number:02}.txt").write_text(text.replace("#", f"#X{number}"))
    whole, killed = tmp_path / "whole.db", tmp_path / "killed.db"
    with HandDatabase(whole, create=True) as database:
        total = import_hands(database, [tmp_path / "a"]).hands
    command = [sys.executable, "-m", "regretless", "import", str(tmp_path / "a")]
    process = subprocess.Popen([*command, "--database", str(killed)], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
        if killed.exists() and _files_in(killed) >= 2:
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    with HandDatabase(killed) as database:
        assert database.rows("PRAGMA integrity_check") == [("ok",)]
        counted = database.rows("SELECT coalesce(sum(hands), 0) FROM files")
        assert database.rows("SELECT count(*) FROM hands") == counted  # whole files only
        result = import_hands(database, [tmp_path / "a"])
        assert result.hands + counted[0][0] == total
    assert dump(killed) == dump(whole)


def _files_in(path: Path) -> int:
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM files").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def counted(hands: list[Hand], player: str) -> dict[str, tuple[int, int]]:
    """The figures of a player, counted from the moves."""
    found = dict.fromkeys(("vpip", "pfr", "three_bet", "went", "won"), (0, 0))

    def add(name: str, is_it: bool) -> None:
        part, whole = found[name]
        found[name] = part + is_it, whole + 1

    for hand in hands:
        if player not in hand.names:
            continue
        seat, raised = hand.names.index(player), list[int]()
        own, chance, three = set(), False, False
        for move in (each for each in hand.moves if each.street == 0):
            if move.seat == seat:
                own.add(move.verb)
                chance |= len(raised) == 1 and seat not in raised
                three |= len(raised) == 1 and seat not in raised and move.verb == "raises"
            if move.verb == "raises":
                raised.append(move.seat)
        add("vpip", bool(own & {"calls", "raises"}))
        add("pfr", "raises" in own)
        if chance:
            add("three_bet", three)
        if hand.board and "folds" not in own:
            add("went", seat in hand.live and len(hand.live) > 1)
        if seat in hand.live and len(hand.live) > 1:
            add("won", hand.won[seat] > 0)
    return found


def test_figures_are_those_of_the_moves(tmp_path: Path) -> None:
    hands = site_files(tmp_path / "a", 60)
    (tmp_path / "a" / "gg.txt").unlink()
    with HandDatabase(tmp_path / "hands.db", create=True) as database:
        import_hands(database, [tmp_path / "a"])
        hands_of = [hand for hand in hands if "Ann" in hand.names]
        (found,) = player_statistics(database, "Ann")
        due = counted(hands, "Ann")
        names = ("vpip", "pfr", "three_bet", "went_to_showdown", "won_at_showdown")
        for name, expected in zip(names, due.values(), strict=True):
            assert (found.shares[name].part, found.shares[name].whole) == expected, name
        results = [hand.results[hand.names.index("Ann")] / hand.big for hand in hands_of]
        assert found.hands == len(results)
        assert found.won.mean == pytest.approx(100 * sum(results) / len(results))
        by = player_statistics(database, "Ann", "position")
        assert sum(each.hands for each in by) == len(results)
        assert {each.group for each in player_statistics(database, "Ann", "month")} == {"2013-10"}
        everybody = player_statistics(database, None, "player")
        assert sum(each.hands for each in everybody) == sum(len(hand.names) for hand in hands)
        with pytest.raises(InputError, match="did you mean 'Ann'"):
            player_statistics(database, "Anna")


def test_an_interval_of_a_share() -> None:
    # Wilson's interval of 15 in 50 (Brown, Cai and DasGupta 2001 use the same formula).
    low, high = Share(15, 50).interval or (0, 0)
    assert (round(low, 4), round(high, 4)) == (0.1910, 0.4375)
    assert Share(0, 0).interval is None and Share(0, 0).value is None


def test_all_in_results_are_adjusted_by_counting_boards(tmp_path: Path) -> None:
    """All-in with three players and a side pot on the turn: 42 rivers, counted by pokerkit."""
    text = RIVER.format(number=1, month=1).partition("Cy: posts")[0]
    text = (
        text.replace("Seat 3: Cy", "Seat 2: Bob ($20 in chips)\nSeat 3: Cy")
        + """\
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Cy [Qs Jh]
Cy: calls $1
Ann: calls $0.50
Bob: checks
*** FLOP *** [2c 7d Th]
Ann: checks
Bob: checks
Cy: checks
*** TURN *** [2c 7d Th] [9s]
Ann: bets $40
Bob: calls $19 and is all-in
Cy: raises $59 to $99 and is all-in
Ann: calls $59 and is all-in
*** RIVER *** [2c 7d Th 9s] [3d]
*** SHOW DOWN ***
Ann: shows [Ac Ah]
Bob: shows [9d 9h]
Cy: shows [Qs Jh]
Bob collected $60 from main pot
Ann collected $160 from side pot
"""
    )
    path = tmp_path / "hand.txt"
    path.write_text(text)
    (reading,) = read_hands(path)
    assert reading.hand is not None, reading.problem
    assert is_all_in_early(reading.hand)
    found = adjusted_results(reading.hand)
    holes, board = ["AcAh", "9d9h", "QsJh"], "2c7dTh9s"
    dealt = "".join(holes) + board
    deck = [r + s for r, s in itertools.product("23456789TJQKA", "cdhs")]
    rivers = [card for card in deck if card not in {dealt[i : i + 2] for i in range(0, 20, 2)}]
    won = [0.0, 0.0, 0.0]
    for river in rivers:
        ranks = [pokerkit.StandardHighHand.from_game(hole, board + river) for hole in holes]
        for pot, seats in ((60, (0, 1, 2)), (160, (0, 2))):
            best = max(ranks[seat] for seat in seats)
            winners = [seat for seat in seats if ranks[seat] == best]
            for seat in winners:
                won[seat] += pot / len(winners) / len(rivers)
    due = [won[0] - 100, won[1] - 20, won[2] - 100]
    assert len(rivers) == 42 and found == pytest.approx(due)


def test_a_review_finds_the_costly_fold(tmp_path: Path) -> None:
    """With aces in position, folding to a bet of the pot loses; the solved tree says so."""
    (tmp_path / "hands.txt").write_text(RIVER.format(number=1, month=1))
    with HandDatabase(tmp_path / "hands.db", create=True) as database:
        import_hands(database, [tmp_path / "hands.txt"])
        options = ReviewOptions(seconds=4, range_oop="22+,A2s+,JTs", range_ip="AA,QQ,JJ,A5s")
        found = review_hands(database, options=options)
    worst = found.decisions[0]
    assert found.player == "Cy" and found.solved == 1 and len(found.decisions) == 4
    assert worst.choice.chosen == "fold" and worst.choice.place.startswith("river")
    assert worst.choice.lost is not None and worst.choice.lost > 1 and worst.best
    assert worst.solved is not None and worst.solved.ranges == ("22+,A2s+,JTs", "AA,QQ,JJ,A5s")
    assert worst.solved.exploitability < 5
    mixed = [each for each in found.decisions if each.chance is not None]
    assert mixed and all(abs(sum(p for _, p in each.choice.mix) - 1) < 1e-5 for each in mixed)
    assert json.dumps(worst.to_json())


def test_hands_leave_the_database_as_they_came(tmp_path: Path) -> None:
    hands = site_files(tmp_path / "a", 25)
    (tmp_path / "a" / "gg.txt").unlink()
    with HandDatabase(tmp_path / "hands.db", create=True) as database:
        import_hands(database, [tmp_path / "a"])
    for name, format in (("out.txt", "pokerstars"), ("out.phhs", None)):
        target = tmp_path / name
        assert export_hands(tmp_path / "hands.db", target, target_format=format) == len(hands)
        with HandDatabase(tmp_path / f"{name}.db", create=True) as database:
            assert import_hands(database, [target]).hands == len(hands)
        first, second = (
            [row[:5] for row in dump(tmp_path / each)] for each in ("hands.db", f"{name}.db")
        )
        assert [row[:3] for row in first] == [row[:3] for row in second]
        assert [row[3] for row in first] == pytest.approx([row[3] for row in second])


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hands.db"
    for _ in range(2):  # a file that was emptied is none, either
        with pytest.raises(InputError, match="there is no database"):
            HandDatabase(path)
        path.touch()
    path.write_text("no database, but long enough to be looked at" * 50)
    with pytest.raises(InputError, match="not a database"):
        HandDatabase(path)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(InputError, match="not one of hands"):
        HandDatabase(other)


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hands.txt").write_text("\n\n".join(RIVER.format(number=n, month=n) for n in range(1, 5)))

    def run(*words: str) -> dict:
        return json.loads(command(*words, "--json", "--database", "h.db"))

    assert run("import", "hands.txt")["hands"] == 4
    months = run("stats", "--by", "month", "--csv", "months.csv")
    assert months["player"] == "Cy" and len(months["groups"]) == 4
    assert len(Path("months.csv").read_text().splitlines()) == 5
    (group,) = run("stats")["groups"]
    shown = command("stats", "--database", "h.db").splitlines()[-1].split()
    rates = (("vpip", 100, 1), ("pfr", 100, 1), ("aggression", 1, 2))
    for name, scale, places in rates:  # as 100.0 (51.0–100.0)
        value, low, high = (group[name][key] for key in ("value", "low", "high"))
        bounds = "–".join("∞" if x is None else f"{scale * x:.{places}f}" for x in (low, high))
        at = shown.index(f"({bounds})")
        assert shown[at - 1] == ("∞" if value is None else f"{scale * value:.{places}f}")
    assert shown[-6:-4] == ["-300.0", "±"]
    command("solve", "leduc", "--iterations", "2", "--bundle", "leduc")
    review = run("review", "--strategy", "leduc")
    assert review["unasked"] == {"leduc plays another game": 4} and not review["decisions"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["stats", "--database", "h.db", "--player", "\udc80"], "h.db: '\\udc80' is no text"),
        (["convert", "a.phhs", "b.txt", "--player", "Cy"], "--player belongs to a database (.db)"),
        (["convert", "h.db", "b.txt", "--scale", "2"], "--scale belongs to hand histories"),
    ],
)
def test_wrong_options_are_one_line(
    words: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    HandDatabase("h.db", create=True).connection.close()
    assert command(*words, status=2).startswith(f"error: {problem}")
