# SPDX-License-Identifier: MIT
"""A player whose searches end with their street: beliefs after a card, names."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from regretless import load_game
from regretless.bundles.bundle import BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.values_bundle import write_values_bundle
from regretless.errors import InputError
from regretless.networks.street_network import StreetNetwork
from regretless.networks.street_values import StreetValuesShape, StreetWeights
from regretless.notation.cards import parse_cards
from regretless.policies.policy import UniformPolicy
from regretless.search.holdem_policy import History, HoldemResolvingPolicy, HoldemSearchConfig
from regretless.search.holdem_search import possible_hands
from regretless.search.streets.leaves import NetworkValues
from regretless.search.streets.sights import see_boards
from regretless.seats.searchers import search_strategy

BOARD = parse_cards("Ks9s4s7c2s")
TO_FLOP = (5, 0)  # a raise before the flop that is called


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def some_network(street: Any) -> StreetNetwork:
    shape = StreetValuesShape(street=street, bins=16, width=16, hidden=1)
    network = StreetNetwork(shape, torch.Generator().manual_seed(4))
    with torch.no_grad():
        network.output.weight.mul_(30)
    return network


def make_policy(threads: int = 1, **options: object) -> HoldemResolvingPolicy:
    cuts = {street: NetworkValues(some_network(street), parts=6) for street in ("turn", "river")}
    given: Any = {"flop": 4, "turn": 8, "river": 20, "threads": threads, **options}
    config = HoldemSearchConfig(**given)
    return HoldemResolvingPolicy(load_game("hunl-100bb"), UniformPolicy(), None, config, cuts)


def history(player: int, *actions: int, cards: int) -> History:
    return History(player, (*TO_FLOP, *actions), tuple(BOARD[:cards]))


def test_beliefs_after_a_card_are_those_of_the_network() -> None:
    """Ranges and values where the turn begins: of the average strategies, for that very card."""
    policy = make_policy()
    flop = history(0, cards=3)
    solution = policy._solve([policy._line(flop)])[flop]
    assert policy.num_searches == 1 and 0 in solution.amounts
    seen = []
    for card in (c for c in range(52) if c not in BOARD[:3]):
        belief = solution.next_belief((0, 0), card, ())
        possible = possible_hands(1326, (*BOARD[:3], card))
        assert belief.range.sum() == pytest.approx(1) and not belief.range[~possible].any()
        assert not belief.opponent_values[~possible].any()
        assert np.count_nonzero(belief.opponent_values[possible]) > 1000
        board = np.array([[*BOARD[:3], card]], np.uint8)
        sight = see_boards(board, 16, torch.device("cpu")).see(
            torch.from_numpy(np.stack([belief.range, belief.opponent_range])[None, None]),
            torch.tensor([[195 / 10]]),
        )
        expected = 10 * some_network("turn")(sight)[0, 0, 1].detach().numpy()
        np.testing.assert_allclose(belief.opponent_values, expected, atol=0.02)
        seen.append(belief.opponent_values)
    assert np.abs(seen[0] - seen[30]).max() > 0.1


def test_a_hand_is_searched_street_by_street() -> None:
    """From the flop to the river, with a bet that is in no tree; threads change nothing."""
    deep = history(0, 0, 0, 0, 13, 0, cards=5)
    found = []
    for threads in (1, 3):
        policy = make_policy(threads)
        other = history(1, 0, cards=3)
        (last, first) = policy.choices([deep, other])
        assert policy.num_searches == 5  # of the first player the flop, the turn twice, the river
        sums = last.strategy.sum(axis=0)
        possible = possible_hands(1326, BOARD)
        assert np.allclose(sums[possible], 1, atol=1e-5) and not sums[~possible].any()
        assert len(first.amounts) >= 4
        found.append(last.strategy)
    assert np.array_equal(*found)


def test_nobody_can_bet_any_more() -> None:
    """All-in before: the tree has no leaves."""
    policy = make_policy()
    (found,) = policy.choices([history(1, 195, cards=3)])
    assert found.amounts == (-1, 0)


def test_networks_have_names(tmp_path: Path) -> None:
    for street in ("turn", "river"):
        network = some_network(street)
        weights = StreetWeights(network.shape, network.arrays())
        facts = BundleFacts(AlgorithmFacts(name="street-values"))
        write_values_bundle(tmp_path / street, load_game("nlhe"), weights, facts)
    text = f"search,values={tmp_path / 'turn'}+{tmp_path / 'river'}"
    policy = search_strategy(text).policy
    assert isinstance(policy, HoldemResolvingPolicy) and set(policy.cuts) == {"turn", "river"}
    assert policy.in_chips(load_game("hunl-25bb")).cuts == policy.cuts
    for values in ("hunl-deep-cfr", "nothing", f"{tmp_path / 'turn'}+{tmp_path / 'turn'}"):
        with pytest.raises(InputError, match="no network of one more street"):
            search_strategy(f"search,values={values}")
