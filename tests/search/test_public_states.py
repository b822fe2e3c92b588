# SPDX-License-Identifier: MIT
"""The catalogue of public states: numbers on demand, from lines of play and from episodes."""

import numpy as np
import pytest

from regretless import _native
from regretless.games import load_game
from regretless.search.subgames import SearchConfig, make_states, make_subgames


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice-1x4f", "nlhe"])
def test_lines_and_episodes_have_the_same_numbers(name: str) -> None:
    game = load_game(name)
    states = make_states(game)
    assert len(states) == 1
    for seed in range(5):
        episode, random = game.episode(seed=seed), np.random.default_rng(seed)
        slots: list[int] = []
        while episode.actor >= 0:
            numbers = states.follow(slots, episode.board)
            assert states.number(episode) == numbers[-1]
            assert states.actor(int(numbers[-1])) == episode.actor
            assert states.board(int(numbers[-1])) == episode.board
            legal = states.legal(numbers[-1:])[0]
            assert legal.astype(bool).tolist() == list(episode.legal)
            slots.append(int(random.choice(np.flatnonzero(legal))))
            episode.choose(slots[-1])


def test_steps_are_one_slot_or_the_cards_that_are_due() -> None:
    states = make_states(load_game("leduc"))
    checked = states.act(states.act(0, 1), 1)
    assert states.actor(checked) == _native.CHANCE
    turned = states.deal(checked, [3])
    assert turned == states.follow([1, 1], [3])[-1] != checked
    assert states.possible(np.array([turned], np.int32))[0].tolist() == [1, 1, 1, 0, 1, 1]
    for call, message in (
        (lambda: states.act(0, 0), "slot 0 is not legal"),
        (lambda: states.act(checked, 1), "nobody is to act"),
        (lambda: states.act(99, 1), "no public state 99"),
        (lambda: states.deal(0, [3]), "not due"),
        (lambda: states.deal(checked, [3, 4]), "not due"),
        (lambda: states.deal(checked, [7]), "not in the deck"),
        (lambda: states.follow([1, 1, 1]), "nobody is to act"),
        (lambda: states.number(load_game("kuhn").episode_of()), "another game"),
        (lambda: states.find(np.full((1, states.num_features), 9, np.float32)), "no decision"),
    ):
        with pytest.raises(ValueError, match=message) as error:
            call()
        assert "\n" not in str(error.value)


def test_solvers_share_a_catalogue() -> None:
    game = load_game("leduc")
    states = make_states(game)
    first = make_subgames(game, SearchConfig(2, "round"), states=states)
    second = make_subgames(game, SearchConfig(2, "end"), states=states)
    leaves = first.outline(0)[:, 3]
    numbers = leaves[leaves > 0].astype(np.int32)
    np.testing.assert_array_equal(states.find(states.features(numbers)), numbers)
    second.begin(numbers, np.ones((len(numbers), 2, 6)))
    assert second.ask() is None and second.states is first.states


def test_states_of_holdem_need_no_enumeration() -> None:
    """A river of no-limit hold'em is the root of a search."""
    game = load_game("nlhe", menu="100%,a")
    episode = game.episode(seed=3)
    while episode.street < 3:
        episode.choose(int(np.flatnonzero(episode.legal)[0 if episode.legal[0] == 0 else 1]))
    job = make_subgames(game, SearchConfig(2, "end"))
    root = np.array([job.states.number(episode)], np.int32)
    job.begin(root, np.ones((1, 2, 1326)), keeps_values=True)
    assert job.ask() is None
    assert job.node_values(0).shape[1:] == (2, 1326)
    assert len(job.states) < 10_000


@pytest.mark.parametrize(("name", "slots"), [("leduc", [1, 1]), ("nlhe", [1, 1])])
def test_twins_do_not_depend_on_the_order_in_which_states_are_met(
    name: str, slots: list[int]
) -> None:
    """A network that learned from one catalogue is asked by another about the same states."""
    game = load_game(name)
    boards = [[0], [1], [3], [5]] if name == "leduc" else [[7, 20, 33], [4, 21, 34], [6, 20, 32]]

    def twins(order: list[list[int]]) -> dict[tuple[int, ...], list[int]]:
        states = make_states(game)
        found = {tuple(board): int(states.follow(slots, board)[-1]) for board in order}
        return {board: states.board(states.twins()[number]) for board, number in found.items()}

    assert twins(boards) == twins(boards[::-1])
