# SPDX-License-Identifier: MIT
"""The average of networks: told decision by decision as it is played by drawing one."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from regretless import _native
from regretless.bundles.bundle import BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.solution import write_policy
from regretless.cli import main
from regretless.errors import InputError
from regretless.evaluation.lbr import local_best_response
from regretless.evaluation.measures import evaluate, exact_values
from regretless.games import load_game
from regretless.games.encoders import load_encoder
from regretless.inference import average_policy
from regretless.inference.average_policy import AveragePolicy
from regretless.inference.network_policy import NetworkPolicy
from regretless.networks.mlp import MlpShape
from regretless.networks.network import Network, network_weights
from regretless.networks.shape import NetworkWeights
from regretless.policies.asking import mixes, policy_table
from regretless.policies.policy import TablePolicy, explicit
from regretless.policies.strategy_table import StrategyTable, TableEvaluator

torch.set_num_threads(1)  # small networks are not worth more

ENCODER = "slots12"
GAMES = {
    "kuhn": lambda: load_game("kuhn"),
    "leduc": lambda: load_game("leduc"),
    "dice": lambda: load_game("liars-dice-1x3f"),
    "dice for three": lambda: load_game("liars-dice-1x2f-3p"),
}


def networks_of(game: Any, count: int, seats: list[int] | None = None) -> NetworkWeights:
    """Random ones, of weights 1, 2, 3, ..., that never do some things and always do others."""
    shape = MlpShape(
        inputs=load_encoder(ENCODER, game).num_features,
        widths=(16,),
        outputs=game.num_actions,
        head="advantages",
    )
    made = [Network(shape, torch.Generator().manual_seed(seed)) for seed in range(count)]
    return network_weights(made, [1.0 + number for number in range(count)], seats)


def one_of(networks: NetworkWeights, number: int) -> NetworkWeights:
    parameters = {name: each[number : number + 1] for name, each in networks.parameters.items()}
    return NetworkWeights(networks.shape, parameters, np.ones(1))


def told_alone(game: Any, networks: NetworkWeights) -> list[StrategyTable]:
    """Returns the strategy of each network at every infoset."""
    encoder = load_encoder(ENCODER, game)
    return [
        policy_table(game, NetworkPolicy(one_of(networks, number), encoder))
        for number in range(len(networks))
    ]


def averages(game: Any, networks: NetworkWeights) -> dict[int, Any]:
    """By infoset, from all histories: the mean of the networks, weighted by their own choices."""
    tables = [
        dict(zip(table.keys.tolist(), table.probabilities, strict=True))
        for table in told_alone(game, networks)
    ]
    found: dict[int, Any] = {}
    for episode in dealt(game):
        walk(episode, np.ones((game.num_players, len(networks))), networks, tables, found)
    return found


def dealt(game: Any) -> Iterator[Any]:
    """An episode for every deal."""
    if game.deck is None:
        for hands in itertools.product(range(game.num_hands), repeat=game.num_players):
            yield game.episode_of([game.hand_parts(hand) for hand in hands])
        return
    num_public = {"kuhn": 0, "leduc": 1}[game.name]
    for cards in itertools.permutations(range(game.deck.num_cards), 2 + num_public):
        yield game.episode_of([[card] for card in cards[:2]], list(cards[2:]))


def walk(episode: Any, reaches: Any, networks: Any, tables: Any, found: dict[int, Any]) -> None:
    if episode.is_terminal:
        return
    actor, key = episode.actor, episode.infoset
    rows = np.stack([table[key] for table in tables])
    mine = np.ones(len(tables)) if networks.seats is None else networks.seats == actor
    plain = networks.weights * mine
    weights = plain * reaches[actor]
    weights = weights if weights.any() else plain
    average = weights @ rows / weights.sum()
    assert found.setdefault(key, average) == pytest.approx(average, abs=1e-12)  # perfect recall
    for slot in np.flatnonzero(episode.legal):
        after, later = episode.copy(), reaches.copy()
        after.choose(int(slot))
        later[actor] *= rows[:, slot]
        walk(after, later, networks, tables, found)


def cases() -> Iterator[Any]:
    for name in GAMES:
        yield pytest.param((name, None), id=name)
    yield pytest.param(("leduc", [0, 1, 1, 0, 1]), id="leduc by seat")


@pytest.fixture(scope="module", params=cases())
def case(request: pytest.FixtureRequest) -> tuple[Any, NetworkWeights, dict[int, Any]]:
    """A game, networks, and the average of them."""
    name, seats = request.param
    game = GAMES[name]()
    networks = networks_of(game, 5, seats)
    return game, networks, averages(game, networks)


def assert_same(table: StrategyTable, expected: dict[int, Any]) -> None:
    assert table.keys.tolist() == sorted(expected)
    rows = np.stack([expected[key] for key in table.keys.tolist()])
    np.testing.assert_allclose(table.probabilities, rows, atol=1e-6)


def test_an_average_is_weighted_by_own_choices(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game, networks, expected = case
    policy = AveragePolicy(networks, load_encoder(ENCODER, game))
    assert_same(policy_table(game, policy), expected)
    monkeypatch.setattr(average_policy, "_QUESTIONS", 100)
    monkeypatch.setattr(average_policy, "_NUMBERS", 1000)
    assert_same(policy_table(game, policy), expected)


def test_a_job_is_answered_as_a_spot(case: Any) -> None:
    """In self-play, and (of two at poker) in local best response, after any number of steps."""
    game, networks, expected = case
    policy = AveragePolicy(networks, load_encoder(ENCODER, game))
    options = policy.needs.options()
    jobs: list[Any] = [_native.SelfPlay(game, 60, tables=20, seed=3, threads=2, **options)]
    jobs.append(_native.SelfPlay(game, tables=20, seed=4, **options))
    if isinstance(game, _native.Poker):
        jobs.append(_native.LbrPlay(game, 10, **options))
    for job in jobs:
        for _ in range(12):
            if (questions := job.ask()) is None:
                break
            answers = policy(questions)
            rows = np.stack([expected[key] for key in questions.infosets.tolist()])
            np.testing.assert_allclose(answers, rows, atol=1e-6)
            job.answer(np.float32(answers))


def values_of(game: Any, tables: list[StrategyTable]) -> Any:
    """Returns the value of each seat if each plays its own table."""
    evaluator = TableEvaluator(game)
    order = np.argsort(evaluator.keys)
    actors = evaluator.actors[order]
    rows = np.stack([table.probabilities for table in tables])[actors, np.arange(len(actors))]
    return np.array(evaluator.evaluate(StrategyTable(evaluator.keys[order], rows)).values)


@pytest.mark.parametrize("name", ["kuhn", "dice for three"])
def test_drawing_wins_what_the_average_wins(name: str) -> None:
    """Exactly: the mean over all draws of all seats."""
    game = GAMES[name]()
    networks = networks_of(game, 4)
    tables = told_alone(game, networks)
    weights = networks.weights / networks.weights.sum()
    drawn = sum(
        weights[list(numbers)].prod() * values_of(game, [tables[number] for number in numbers])
        for numbers in itertools.product(range(4), repeat=game.num_players)
    )
    policy = NetworkPolicy(networks, load_encoder(ENCODER, game))
    assert exact_values(game, policy).values == pytest.approx(drawn, abs=1e-6)


def test_drawing_wins_what_the_average_wins_at_tables() -> None:
    game = GAMES["leduc"]()
    policy = NetworkPolicy(networks_of(game, 4, [0, 1, 0, 1]), load_encoder(ENCODER, game))
    job = _native.SelfPlay(game, 60_000, tables=4096, **policy.needs.options())
    while (questions := job.ask()) is not None:
        job.answer(policy(questions))
    payoffs = job.take_steps().payoffs[:, 0] / game.unit
    error = payoffs.std() / len(payoffs) ** 0.5
    assert abs(payoffs.mean() - exact_values(game, policy).values[0]) < 4 * error


def test_what_plays_by_a_seed_is_measured_and_asked_on_average() -> None:
    game = GAMES["leduc"]()
    policy = NetworkPolicy(networks_of(game, 4), load_encoder(ENCODER, game))
    average = explicit(policy)
    assert average is policy.average() and average.name == "networks on average"
    assert not average.needs.seeds and explicit(average) is average
    assert evaluate(game, policy).exact == exact_values(game, average)
    assert local_best_response(game, policy, 40) == local_best_response(game, average, 40)
    spot = game.episode_of()
    for slot in (1, 2):
        spot.choose(slot)
    (mix,), (again,) = mixes(policy, [spot], seed=1), mixes(average, [spot], seed=2)
    np.testing.assert_array_equal(mix, again)


def test_one_network_is_its_own_average() -> None:
    game = GAMES["kuhn"]()
    policy = NetworkPolicy(networks_of(game, 2, [0, 1]), load_encoder(ENCODER, game))
    assert explicit(policy) is policy and policy.average() is policy


def test_some_networks_stand_for_many() -> None:
    """Drawn by weight, always the same; all of them if they are no more."""
    game = GAMES["kuhn"]()
    networks, encoder = networks_of(game, 40), load_encoder(ENCODER, game)
    some = networks.some(8)
    assert len(some) <= 8 and some.weights.sum() == 8
    numbers = [
        int(np.flatnonzero((networks.parameters["output.bias"] == bias).all(axis=1))[0])
        for bias in some.parameters["output.bias"]
    ]
    ends = np.cumsum(networks.weights) / networks.weights.sum()
    for k in range(8):
        assert np.searchsorted(ends, (k + 0.5) / 8) in numbers
    policy = AveragePolicy(networks, encoder, networks=8)
    assert policy.name == f"average ({len(some)} of 40 networks)"
    whole = policy_table(game, AveragePolicy(networks, encoder)).probabilities
    assert np.abs(policy_table(game, policy).probabilities - whole).mean() < 0.2
    assert len(networks.some(40)) == 40 and (networks.some(99).weights == networks.weights).all()
    by_seat = networks_of(game, 6, [0, 1, 1, 1, 1, 1]).some(2)
    assert by_seat.at(0).tolist() == [0] and len(by_seat.at(1)) == 2
    with pytest.raises(InputError, match="networks: must be at least 1"):
        networks.some(0)


def test_a_seat_without_a_network_is_told() -> None:
    game = GAMES["dice for three"]()
    policy = AveragePolicy(networks_of(game, 3, [0, 1, 1]), load_encoder(ENCODER, game))
    with pytest.raises(InputError, match="average: has no network for seat 2"):
        policy_table(game, policy)


# On the command line.


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    return int(caught.value.code or 0)


def written(path: Path, game: Any, networks: NetworkWeights) -> Path:
    policy = NetworkPolicy(networks, load_encoder(ENCODER, game))
    return write_policy(path, game, policy, BundleFacts(AlgorithmFacts(name="drawn"))).path


def test_bundles_of_many_networks_are_measured_compared_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = GAMES["leduc"]()
    networks = networks_of(game, 4, [0, 1, 0, 1])
    bundle = written(tmp_path / "b", game, networks)
    assert run("evaluate", str(bundle), "--json") == 0
    result = json.loads(capsys.readouterr().out)
    average = AveragePolicy(networks, load_encoder(ENCODER, game))
    assert result["values"] == pytest.approx(exact_values(game, average).values, abs=1e-12)
    assert result["note"] is None
    told = policy_table(game, average)
    facts = BundleFacts(AlgorithmFacts(name="table"))
    table = write_policy(tmp_path / "t", game, TablePolicy(told), facts).path
    assert run("bundle", "diff", str(bundle), str(table), "--json") == 0
    assert json.loads(capsys.readouterr().out)["max_distance"] < 1e-12
    assert run("match", str(bundle), str(table), "--hands", "2000", "--aivat", "--json") == 0
    for won in json.loads(capsys.readouterr().out)["players"]:  # they play the same
        assert abs(won["bb_per_100"]) < 2 * won["bb_per_100_half_width"]
        assert abs(won["aivat"]["bb_per_100"]) < 2 * won["aivat"]["bb_per_100_half_width"]


def test_in_a_large_game_some_networks_may_stand_for_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load_game("nlhe", menu="a", stacks=400)
    bundle = written(tmp_path / "b", game, networks_of(game, 6))
    hands = ("--hands", "200", "--lbr-hands", "4", "--networks", "2", "--json")
    assert run("evaluate", str(bundle), *hands) == 0
    measures = json.loads(capsys.readouterr().out)["measures"]
    assert measures[0]["how"].endswith("against drawn on average (2 of 6 networks)")
