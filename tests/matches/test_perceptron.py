# SPDX-License-Identifier: MIT
"""Perceptrons that the core answers: those of torch, at decisions of real play."""

from typing import Any

import numpy as np
import pytest
import torch

from network_shapes import make_shape
from regretless import _native
from regretless.games import load_game
from regretless.games.encoders import load_encoder
from regretless.inference.network_policy import NetworkPolicy
from regretless.inference.seat_networks import Answers, SeatNetworks
from regretless.networks.network import Network, network_weights
from regretless.networks.perceptron import make_perceptron

GAME = load_game("hunl-100bb")
ENCODER = load_encoder("composition", GAME)


def made_network(seed: int = 0, **options: Any) -> Network:
    given = {"inputs": ENCODER.num_features, "widths": (96, 96, 40), "outputs": GAME.num_actions}
    shape = make_shape(**({"head": "advantages"} | given | options))
    return Network(shape, torch.Generator().manual_seed(seed))


@pytest.fixture(scope="module")
def questions() -> Any:
    """Decisions of random play on all streets."""
    job = _native.SelfPlay(GAME, 4000, tables=1000, encoders=[ENCODER.name])
    for _ in range(6):
        asked = job.ask()
        assert asked is not None
        job.answer(asked.legal.astype(np.float32))
    found = job.ask()
    assert found is not None
    return found


@pytest.mark.parametrize("head", ["advantages", "probabilities", "values"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"layer_norm": True},
        {"layer_norm": True, "residual": True, "stream": 24},
        {"widths": ()},
    ],
)
def test_answers_are_those_of_torch(questions: Any, head: str, options: Any) -> None:
    network = made_network(head=head, **options)
    rows, legal = questions.rows(ENCODER.name), questions.legal
    (native,) = [SeatNetworks([network], ENCODER).begin(rows, legal, np.zeros(len(rows), np.int32))]
    with torch.inference_mode():
        outputs = network(torch.from_numpy(ENCODER.expand(rows))).numpy()
    perceptron = make_perceptron(network.shape, _parameters(network))
    assert perceptron is not None
    assert np.abs(perceptron.outputs(ENCODER, rows) - outputs).max() < 3e-6
    expected = Answers(ENCODER, torch.device("cpu"))(network, rows, legal)
    away = np.abs(native - expected).max(axis=1)
    # Values may be a hair's breadth apart, or regrets all but 0.
    assert np.mean(away < 1e-5) > (1 if head == "probabilities" else 0.99) - 1e-9


def test_a_dueling_network_that_is_warm_plays_by_its_temperature(questions: Any) -> None:
    network = made_network(head="values", dueling=True, stream=16)
    rows, legal = questions.rows(ENCODER.name), questions.legal
    seats = SeatNetworks([network], ENCODER, is_warm=True)
    for temperature in (1.0, 0.01):
        seats.set_temperature(temperature)
        found = seats.begin(rows, legal, np.zeros(len(rows), np.int32))
        answers = Answers(ENCODER, torch.device("cpu"))
        expected = answers(network, rows, legal, torch.tensor(temperature))
        assert np.abs(found - expected).max() < 1e-6 / temperature


def test_new_parameters_are_played_once_they_are_announced(questions: Any) -> None:
    network, other = made_network(head="probabilities"), made_network(1, head="probabilities")
    rows, legal = questions.rows(ENCODER.name), questions.legal
    seats, zeros = SeatNetworks([network], ENCODER), np.zeros(len(rows), np.int32)
    before = seats.begin(rows, legal, zeros)
    network.load_state_dict(other.state_dict())
    seats.refresh()
    after = seats.begin(rows, legal, zeros)
    assert np.abs(after - before).max() > 1e-3
    assert (after == SeatNetworks([other], ENCODER).begin(rows, legal, zeros)).all()


def test_an_answer_depends_on_its_row_alone(questions: Any) -> None:
    rows, legal = questions.rows(ENCODER.name), questions.legal
    weights = network_weights([made_network(head="probabilities", layer_norm=True)])
    perceptron = make_perceptron(
        weights.shape, {name: each[0] for name, each in weights.parameters.items()}
    )
    assert perceptron is not None
    whole = perceptron.answer(ENCODER, rows, legal)
    assert (whole == perceptron.answer(ENCODER, rows, legal, threads=3)).all()
    assert (whole == NetworkPolicy(weights, ENCODER)(questions)).all()
    for number in range(0, len(rows), 97):
        part = slice(number, number + 1)
        assert (whole[part] == perceptron.answer(ENCODER, rows[part], legal[part])).all()


def test_what_the_core_does_not_know_is_left_to_torch() -> None:
    network = made_network(activation="gelu")
    assert make_perceptron(network.shape, _parameters(network)) is None
    perceptron = make_perceptron(made_network().shape, _parameters(made_network()))
    assert perceptron is not None
    with pytest.raises(ValueError, match="other features"):
        other = load_encoder("slots12", GAME)
        perceptron.outputs(other, np.zeros((1, other.row_bytes), np.uint8))
    with pytest.raises(ValueError, match="legal: must be"):
        row = np.zeros((1, ENCODER.row_bytes), np.uint8)
        perceptron.answer(ENCODER, row, np.ones((1, 3), np.bool_))


def _parameters(network: Network) -> Any:
    return {name: each.numpy() for name, each in network.state_dict().items()}
