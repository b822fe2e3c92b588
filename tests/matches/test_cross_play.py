# SPDX-License-Identifier: MIT
"""Cross-play: each against each at tables of any size, shipped bundles by themselves, and pages."""

import json
import shlex
from pathlib import Path
from typing import Any, Protocol

import pytest

from benchmarks.scripts.cross_play import main as write_page
from benchmarks.scripts.cross_play import with_section
from regretless.cli import main
from regretless.games import load_game
from regretless.matches.bots import load_policy
from regretless.matches.match import MatchConfig
from regretless.matches.round_robin import round_robin
from regretless.policies.asking import policy_table
from regretless.policies.strategy_table import TableEvaluator
from regretless.seats.contestants import shipped_players
from regretless.seats.matches import cross_play
from regretless.solving.solution import solve

BOTS = ["random", "caller", "tight-aggressive"]


class Run(Protocol):
    def __call__(self, *arguments: str, code: int = 0) -> str: ...


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """`match --round-robin` in this process: all that it printed."""

    def call(*arguments: str, code: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["match", "--round-robin", *arguments])
        found = capsys.readouterr()
        assert ended.value.code == code, found.err
        return found.out + found.err

    return call


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Shipped bundles: two of Kuhn poker, one of it for three players, one of Leduc hold'em."""
    folder = tmp_path / "shelf"
    solve("kuhn", iterations=1).write_bundle(folder / "kuhn-new")
    solve("kuhn", iterations=200).write_bundle(folder / "kuhn-old")
    solve("kuhn", players=3, iterations=20).write_bundle(folder / "kuhn-three")
    solve("leduc", iterations=5).write_bundle(folder / "leduc-five")
    monkeypatch.setattr("regretless.bundles.shipped._FOLDER", folder)
    return folder


def exact(game: Any, row: str, column: str) -> float:
    """Returns the value of one seat of the row among the column, over all seats."""
    evaluator, players = TableEvaluator(game), game.num_players
    mine, theirs = (policy_table(game, load_policy(name, game)) for name in (row, column))
    values = [
        evaluator.evaluate([mine if seat == at else theirs for seat in range(players)]).values[at]
        for at in range(players)
    ]
    return float(sum(values) / players)


@pytest.mark.parametrize("players", [2, 3])
def test_cells_are_one_seat_among_the_others(players: int) -> None:
    game = load_game("kuhn", players=players)
    policies = [load_policy(name, game) for name in BOTS]
    plain = round_robin(game, policies, MatchConfig(20_000))
    less = round_robin(game, policies, MatchConfig(600), aivat=True)
    assert plain.players == players and plain.names == tuple(BOTS)
    assert plain.hands >= 20_000 and plain.hands % players == 0
    for i, row in enumerate(BOTS):
        assert plain.won[i][i] is less.won[i][i] is None
        for j, column in enumerate(BOTS):
            if (cell := plain.won[i][j]) is None:
                continue
            truth = exact(game, row, column)
            assert abs(cell.mean - truth) <= 4 * cell.standard_error
            assert (fair := less.won[i][j]) is not None
            assert fair.mean == pytest.approx(truth, abs=1e-9)
    is_zero_sum = plain.won[0][1].mean == pytest.approx(-plain.won[1][0].mean)  # type: ignore[union-attr]
    assert is_zero_sum == (players == 2)


def test_every_pair_is_played_on_the_same_deals() -> None:
    """So the cells do not depend on who else is in the table."""
    game = load_game("nlhe", players=6)
    policies = [load_policy(name, game) for name in BOTS]
    whole = round_robin(game, policies, MatchConfig(600, seed=3))
    part = round_robin(game, policies[1:], MatchConfig(600, seed=3), names=["a", "a"])
    assert part.names == ("a", "a (2)")
    assert part.won[0][1] == whole.won[1][2] and part.won[1][0] == whole.won[2][1]


def test_shipped_bundles_come_by_themselves(shelf: Path, run: Run) -> None:
    assert shipped_players(load_game("kuhn")) == ["kuhn-new", "kuhn-old"]
    assert shipped_players(load_game("kuhn", players=3)) == ["kuhn-three"]
    assert shipped_players(load_game("leduc", stacks=50)) == []
    common = ("--shipped", "--hands", "300", "--json")
    found = json.loads(run(*common, "--game", "kuhn"))
    assert found["players"] == 2 and found["names"] == ["kuhn-new", "kuhn-old", *BOTS]
    assert found["matrix"][0][2]["bb_per_100"] == -found["matrix"][2][0]["bb_per_100"]
    found = json.loads(run(*common, "--game", "kuhn", "--players", "3"))
    assert found["players"] == 3 and found["names"] == ["kuhn-three", *BOTS]
    found = json.loads(run("raiser", "caller", *common, "--game", "leduc"))
    assert found["names"] == ["raiser", "caller", "leduc-five", "random", "tight-aggressive"]


def test_a_bundle_says_how_many_sit_at_a_table(shelf: Path, run: Run) -> None:
    bundle = str(shelf / "kuhn-three")
    found = json.loads(run(bundle, "random", "--hands", "30", "--json"))
    assert found["players"] == 3 and found["names"][1] == "random"
    same = run(bundle, "random", "--hands", "30", "--json", "--game", "kuhn", "--players", "3")
    assert json.loads(same) == found
    text = run(bundle, "random", "--players", "2", code=2)
    assert text == "error: --players: kuhn is for 3 here, not 2\n"


def test_the_page_has_a_section_for_each_game(shelf: Path, tmp_path: Path) -> None:
    page = tmp_path / "my page.md"
    page.write_text("# Mine\n\nA word.\n\n## Other\n\nStays.\n")
    for players in ("2", "3"):
        options = ["--players", players, "--hands", "300", "--seed", "4", "--output", str(page)]
        write_page(["kuhn", *options])
    text = page.read_text()
    assert text.startswith("# Mine\n\nA word.\n\n## Other\n\nStays.\n\n## kuhn, 2 players\n\n")
    two, three = text.split("## kuhn, ")[1:]
    assert "every deal is played in both seatings" in two and "over 300 hands" in two
    assert "| | kuhn-new | kuhn-old | random | caller | tight-aggressive | mean |" in two
    assert "one seat of the row against the column on the other 2," in three
    assert "the row on each seat once" in three and "\n| kuhn-three |  | " in three
    for part in (two, three):  # typed again, each command replaces its own section by the same
        python, _, script, *words = shlex.split(part.split("`")[1])
        assert (python, script) == ("python", "benchmarks.scripts.cross_play")
        write_page(words)
    assert page.read_text() == text


def test_sections() -> None:
    page = with_section("# Cross-play\n", "## a\n\nfirst")
    assert page == "# Cross-play\n\n## a\n\nfirst\n"
    page = with_section(page, "## a, too\n\nsecond\n\n### below\n\nit")
    again = with_section(page, "## a\n\nthird")
    assert again == "# Cross-play\n\n## a\n\nthird\n\n## a, too\n\nsecond\n\n### below\n\nit\n"
    assert with_section(again, "## a\n\nfirst") == page


def test_what_ships_now(run: Run) -> None:
    bundles = shipped_players(load_game("hunl-100bb"))
    assert "hunl-deep-cfr" in bundles
    text = run("--shipped", "--game", "hunl-100bb", "--hands", "20", "--json")
    assert json.loads(text)["names"] == [*bundles, *BOTS]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--shipped"], "--game says it"),
        (["--shipped", "--game", "kuhm"], "did you mean 'kuhn'"),
        (["--shipped", "--game", "kuhn", "--players", "2"], "no bundle of kuhn for 2 players"),
        ([], "two policies or more"),
        (["random", "caller", "--players", "1"], "players"),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: list[str], words: str) -> None:
    text = run(*arguments, code=2)
    assert len(text.splitlines()) == 1 and words in text


def test_strategies_are_called_by_their_places(tmp_path: Path) -> None:
    for place in ("first", "run/bundle", "run/best"):
        solve("kuhn", iterations=3).write_bundle(tmp_path / place)
    places = [tmp_path / "first", tmp_path / "run" / "bundle", tmp_path / "run" / "best", "random"]
    found = cross_play(*places, hands=20)
    assert found.names == ("first", "run", "run (2)", "random")
