# SPDX-License-Identifier: MIT
"""Tables, batches over tables, asking at a spot, and which game a match is about."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from regretless import _native
from regretless.cli import main
from regretless.errors import InputError
from regretless.explorer.asked_nodes import ask_every_hand
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.matches.bots import BOTS, load_policy
from regretless.policies.policy import Needs, Policy, UniformPolicy
from regretless.policies.strategy_table import TableEvaluator
from regretless.seats.contestants import find_contestants
from regretless.solving.solution import Solution, solve
from regretless.solving.spot_options import SpotOptions
from regretless.tables.seat_json import seat_json
from regretless.tables.table import Table, play_on

GAMES = ("kuhn", "leduc", "nlhe", "liars-dice-2x3f")


class Counted:
    """A policy that counts how often it is asked, and about how many decisions."""

    name = "counted"
    needs = Needs(chips=True)

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.batches: list[int] = []
        self.keys: list[int] = []

    def __call__(self, questions: _native.Questions) -> np.ndarray:
        self.batches.append(len(questions))
        self.keys += questions.infosets.tolist()
        assert len(questions.pots) == len(questions.legal)
        assert len(questions.part(np.arange(len(questions))[::2])) == -(-len(questions) // 2)
        return self.policy(questions)


@pytest.fixture(scope="module")
def leduc() -> Solution:
    return solve("leduc", iterations=300)


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory, leduc: Solution) -> Path:
    folder = tmp_path_factory.mktemp("bundles")
    leduc.write_bundle(folder / "leduc")
    solve("kuhn", iterations=50).write_bundle(folder / "kuhn")
    return folder


def play_alone(game: str, bot: str, seed: int, index: int) -> Table:
    loaded = load_game(game)
    table = Table(loaded, [load_policy(bot, loaded)] * loaded.num_players, seed, index)
    play_on([table])
    return table


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", ["random", "pot-odds"])
def test_a_batch_of_tables_changes_nothing(game: str, bot: str) -> None:
    loaded = load_game(game)
    policy = Counted(load_policy(bot, loaded))
    seeds = [(seed, index) for seed in range(4) for index in range(5)]
    tables = [Table(loaded, [policy] * loaded.num_players, *each) for each in seeds]
    play_on(tables)
    longest = max(len(table.episode.steps) for table in tables)
    assert len(policy.batches) == longest and policy.batches[0] == len(tables)
    for table, (seed, index) in zip(tables, seeds, strict=True):
        alone = play_alone(game, bot, seed, index)
        assert table.log == alone.log
        assert table.episode.payoffs == alone.episode.payoffs
        assert table.is_over and table.actor is None and table.questions is None


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_sees_what_it_sees_in_training(game: str) -> None:
    """The keys of its questions are those of an episode that is stepped by itself."""
    loaded = load_game(game)
    policy = Counted(UniformPolicy())
    table = Table(loaded, [policy] * loaded.num_players, seed=3, index=7)
    play_on([table])
    again, keys = loaded.episode(3, 7), []
    for _, slot in table.episode.steps:
        keys.append(again.infoset)
        again.choose(slot)
    assert policy.keys == keys
    assert again.payoffs == table.episode.payoffs


def test_a_person_is_waited_for() -> None:
    game = load_game("leduc")
    policy = Counted(UniformPolicy())
    tables = [Table(game, [None, policy], seed) for seed in range(6)]
    play_on(tables)
    assert not policy.batches and all(table.actor == 0 for table in tables)
    for table in tables[:4]:
        table.choose(1)
    play_on(tables)
    assert policy.batches[0] == 4
    assert all(table.is_over or table.actor == 0 for table in tables)
    assert [len(table.log) for table in tables[4:]] == [1, 1]  # only the street


def test_tables_of_several_games_and_policies() -> None:
    uniform = UniformPolicy()
    tables = [
        Table(loaded, [uniform, BOTS["caller"](loaded)], 1)
        for loaded in (load_game("kuhn"), load_game("nlhe"), load_game("liars-dice-1x4f"))
    ]
    play_on(tables)
    assert all(table.is_over for table in tables)


def test_bad_tables() -> None:
    game = load_game("kuhn")
    with pytest.raises(InputError, match="2 seats, not 1"):
        Table(game, [None], 0)
    with pytest.raises(InputError, match="seed"):
        Table(game, [None, None], -1)
    table = Table(game, [None, None], 0)
    for slot in (-1, 0, 99):  # there is nothing to fold to
        with pytest.raises(InputError, match="not a choice"):
            table.choose(slot)
    with pytest.raises(InputError, match="no legal slot"):
        table.draw(np.array([1.0, 0.0, 0.0]))
    table.choose(1)
    table.choose(1)
    with pytest.raises(InputError, match="not a choice"):
        table.choose(1)


def test_streets_stand_before_what_is_done_on_them() -> None:
    table = play_alone("leduc", "caller", 0, 0)
    texts = [(entry.seat is None, entry.text) for entry in table.log]
    checks = [(False, "check")] * 2
    assert [is_street for is_street, _ in texts] == [True, False, False] * 2
    assert texts[1:3] == texts[4:] == checks
    assert texts[0][1] == "street 1, pot 2" and re.match(r"street 2 [JQK][cd], pot 2", texts[3][1])


@pytest.mark.parametrize("game", GAMES)
def test_data_for_a_page_keeps_other_hands_to_itself(game: str) -> None:
    loaded = load_game(game)
    for seed in range(30):
        table = Table(loaded, [None] * loaded.num_players, seed)
        random = np.random.default_rng(seed)
        while not table.is_over:
            assert table.actor is not None
            view = seat_json(table, table.actor)
            json.dumps(view)
            hands = [seat["hand"] is not None for seat in view["seats"]]
            assert hands == [seat == table.actor for seat in range(loaded.num_players)]
            assert seat_json(table, None)["choices"] == []
            table.choose(int(random.choice([each["slot"] for each in view["choices"]])))
        end = seat_json(table, 0)
        assert sum(seat["payoff"] for seat in end["seats"]) == 0
        is_showdown = sum(seat["is_live"] for seat in end["seats"]) > 1
        shown = [seat["hand"] is not None for seat in seat_json(table, None)["seats"]]
        assert any(shown) == is_showdown


def test_asking_with_every_hand(leduc: Solution) -> None:
    """Against the strategy by name, which shares no code with it."""
    game, rows = leduc.game, TableEvaluator(leduc.game).strategy(leduc.policy.table)  # type: ignore[attr-defined]
    episode = _native.PokerEpisode(game, hole=[[0], [3]], board=[5])  # type: ignore[arg-type]
    for slot in (1, 2, 1, 1):  # check, bet, call; the board; check
        episode.choose(slot)
    found = ask_every_hand(episode, leduc.policy)
    assert found.seat == 1 and found.slots == [1, 2] and found.texts == ["check", "bet 4"]
    assert found.names == ["Jc", "Jd", "Qc", "Qd", "Kc"]  # all but the board
    for name, row in zip(found.names, found.probabilities, strict=True):
        assert row == pytest.approx(rows[f"{name}:crc/Kd:c"][1:], abs=1e-9)
    bets = np.array([rows[f"{name}:c"][2] for name in found.names])
    assert found.weights == pytest.approx(bets / bets.sum(), abs=1e-9)
    json.dumps(found.to_json())
    other = _native.PokerEpisode(game, hole=[[2], [1]], board=[5])  # type: ignore[arg-type]
    for slot in (1, 2, 1, 1):
        other.choose(slot)
    again = ask_every_hand(other, leduc.policy)
    assert (again.probabilities == found.probabilities).all()
    with pytest.raises(InputError, match="no seat is to act"):
        ask_every_hand(play_alone("leduc", "caller", 0, 0).episode, leduc.policy)


def test_the_game_is_that_of_the_bundles(bundles: Path, leduc: Solution) -> None:
    paths = [bundles / "leduc", str(bundles / "leduc"), "caller"]
    found = find_contestants(paths[:2])
    assert [each.game.name for each in found] == ["leduc", "leduc"]
    assert [each.origin for each in find_contestants(paths[1:])] == ["bundle", "bot"]
    assert find_contestants(["caller", "random"], seats=2)[0].game.name == "nlhe"
    assert find_contestants(["caller", leduc.policy], "leduc")[1].policy is leduc.policy
    assert find_contestants(paths, "leduc")[2].policy.name == "caller"


@pytest.mark.parametrize(
    ("players", "game", "problem"),
    [
        (["B/leduc", "B/kuhn"], None, "B/leduc is for leduc, and B/kuhn is kuhn: not one game"),
        (
            ["caller", "B/leduc"],
            "kuhn",
            "B/leduc is for leduc, and the game asked for is kuhn: not one game",
        ),
        (["B/leduc", "calller"], None, "unknown policy 'calller'; did you mean 'caller'?"),
        (["B/nothing", "caller"], None, "B/nothing: no such directory"),
        (["caller", "raiser"], "ledduc", "unknown game 'ledduc'; did you mean 'leduc'?"),
    ],
)
def test_a_conflict_of_games_is_one_line(
    bundles: Path, players: list[str], game: str | None, problem: str
) -> None:
    names = [each.replace("B/", f"{bundles}/") for each in players]
    with pytest.raises(InputError) as caught:
        find_contestants(names, game)
    assert str(caught.value) == problem.replace("B/", f"{bundles}/")


def test_the_same_game_with_other_rules(tmp_path: Path) -> None:
    for stacks in (2, 3):
        solve(load_game("kuhn", stacks=stacks), iterations=2).write_bundle(tmp_path / str(stacks))
    with pytest.raises(InputError, match="both kuhn, but with other rules or menus"):
        find_contestants([tmp_path / "2", tmp_path / "3"])


def test_match_needs_no_game(bundles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["match", str(bundles / "leduc"), "random", "--hands", "200", "--json"])
    assert json.loads(capsys.readouterr().out)["game"] == "leduc"


def test_sessions_have_other_cards(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def session(*arguments: str) -> tuple[str, str]:
        with pytest.raises(SystemExit):
            main(["play", "nlhe", "--seat", "0", *arguments])
        text = capsys.readouterr().out
        return text, re.findall(r"seed (\d+)", text)[0]

    monkeypatch.setattr("builtins.input", lambda _: "q")
    first, seed = session()
    assert session()[1] != seed
    assert session("--seed", seed)[0] == first


def test_an_odd_pot_is_half_of_twice_as_much() -> None:
    ranges, menu = ("AA,87s", "KK,TT:0.5"), {"all": {"open": "100%,a", "raise": "2x"}}
    odd = solve(make_spot("Ts9d6h4c2s", 101, 200, *ranges, menu), target=0.01).to_json()
    even = solve(make_spot("Ts9d6h4c2s", 202, 400, *ranges, menu, min_bet=2), target=0.01).to_json()
    assert odd["ev_oop"] + odd["ev_ip"] == pytest.approx(101, abs=1e-3)
    assert 2 * odd["ev_oop"] == pytest.approx(even["ev_oop"], abs=0.1)
    assert 2 * odd["ev_ip"] == pytest.approx(even["ev_ip"], abs=0.1)


def test_a_spot_of_options() -> None:
    assert SpotOptions().spot("leduc") is None
    spot = SpotOptions("Ts9d6h4c2s", 100, 200).spot()
    assert spot is not None and spot.pot == 100
    for options, problem in {
        SpotOptions("Ts9d6h"): "give --pot",
        SpotOptions("Ts9d6h", 10): "give --stack",
        SpotOptions(pot=10): "--pot belongs to a spot",
        SpotOptions(range_ip="AA"): "--range-ip belongs to a spot",
    }.items():
        with pytest.raises(InputError, match=problem):
            options.spot()
    with pytest.raises(InputError, match="not of 'leduc'"):
        SpotOptions("Ts9d6h").spot("leduc")
