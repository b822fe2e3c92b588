# SPDX-License-Identifier: MIT
"""Every native game and episode has the same members, so nobody asks which game it is."""

import itertools

import pytest

from regretless.games import game_names, load_game

GAMES = [name for name in game_names() if load_game(name).num_hands <= 1326]


@pytest.mark.parametrize("name", game_names())
def test_hands_are_told_by_their_parts(name: str) -> None:
    game = load_game(name)
    for number in {0, 1, game.num_hands // 2, game.num_hands - 1}:
        parts = game.hand_parts(number)
        episode = game.episode_of([parts])
        assert len(parts) == game.hand_size
        assert episode.hand(0) == number and episode.hand_parts(0) == parts
        assert episode.hand_parts(1) == []  # unknown
    with pytest.raises(ValueError, match="no hand"):
        game.hand_parts(game.num_hands)


def test_dice_are_counted_as_they_are_rolled() -> None:
    game = load_game("liars-dice-2x3f")
    hands = [tuple(game.hand_parts(hand)) for hand in range(game.num_hands)]
    assert hands == list(itertools.product((1, 2, 3), repeat=2))


@pytest.mark.parametrize("name", GAMES)
def test_dead_cards_rule_hands_out(name: str) -> None:
    game = load_game(name)
    assert game.hands_possible([]).all() and len(game.hands_possible([])) == game.num_hands
    if game.deck is None:
        with pytest.raises(ValueError, match="card 0 is not in the deck"):
            game.hands_possible([0])
        with pytest.raises(ValueError, match="no public cards"):
            game.episode_of().deal_board([0])
        return
    dead = [0, game.deck.num_cards - 1]
    expected = [not {*game.hand_parts(hand)} & {*dead} for hand in range(game.num_hands)]
    assert game.hands_possible(dead).tolist() == expected
    for card in (-1, game.deck.num_cards):
        with pytest.raises(ValueError, match="is not in the deck"):
            game.hands_possible([card])


@pytest.mark.parametrize("name", GAMES)
def test_steps_repeat_an_episode(name: str) -> None:
    game = load_game(name)
    episode = game.episode(seed=3, index=5)
    while not episode.is_terminal:
        slots = [slot for slot, is_legal in enumerate(episode.legal) if is_legal]
        episode.choose(slots[len(slots) // 2])
    hands = [episode.hand_parts(seat) for seat in range(game.num_players)]
    again = game.episode_of(hands, episode.board)
    for seat, slot in episode.steps:
        assert again.actor == seat
        again.choose(slot)
    assert again.payoffs == episode.payoffs
    assert (again.board, again.street, again.live) == (episode.board, episode.street, episode.live)
    assert len(again.live) == game.num_players
    assert again.street < game.num_streets and len(again.board) <= game.num_board_cards


def test_a_bet_off_the_menu_is_no_step() -> None:
    episode = load_game("nlhe").episode()
    least, most = episode.raise_range
    episode.raise_to(next(to for to in range(least, most) if to not in episode.offer))
    assert len(episode.events) == 1
    with pytest.raises(ValueError, match="not on the menu"):
        _ = episode.steps


def test_unknown_dice_can_be_bid_over_but_not_paid() -> None:
    game = load_game("liars-dice-1x4f")
    episode = game.episode_of([[2]])
    assert episode.infoset
    episode.choose(0)
    with pytest.raises(ValueError, match="seat 1 is unknown"):
        _ = episode.infoset
    episode.choose(game.num_actions - 1)
    with pytest.raises(ValueError, match="seat 1 are unknown"):
        _ = episode.payoffs
    for hands, board in (([[1], [1], [1]], []), ([[5]], []), ([[1, 2]], []), ([[1]], [0])):
        with pytest.raises(ValueError):
            game.episode_of(hands, board)
