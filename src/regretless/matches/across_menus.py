# SPDX-License-Identifier: MIT
"""Matches of policies whose menus, stacks or chips differ: each maps the bets of the others.

Deals, copies and statistics are those of `match.py`. Hands are played in Python, many at a time, so
that a policy is asked once about all hands that wait for it.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from regretless import _native
from regretless.algorithm import Shard
from regretless.matches.intervals import Moments
from regretless.matches.match import MatchConfig, MatchResult, PlayerResult, distinct
from regretless.matches.off_menu import OffMenuPlayer
from regretless.matches.seatings import by_policy, seat_of
from regretless.watch import UNWATCHED, Watch

_DEALS = 256  # played at a time

OnHand = Callable[[_native.PokerEpisode, int], None]


def play_across(
    players: Sequence[OffMenuPlayer],
    config: MatchConfig,
    *,
    on_hand: OnHand = lambda episode, number: None,
    watch: Watch = UNWATCHED,
) -> MatchResult:
    """Plays a match of the real game of the players and returns the winnings of each.

    `on_hand` is called with each hand and its number; hand n has the cards of deal n // players.
    """
    game, count = players[0].real, len(players)
    deals, won = Shard(0, -(-config.hands // count)), Moments(count)
    what = f"match against {players[-1].name}"
    for piece in deals.split(_DEALS):
        hands = range(piece.first * count, (piece.first + piece.count) * count)
        episodes = [_native.PokerEpisode(game, config.seed, hand // count) for hand in hands]
        share = piece.first / deals.count
        _play(players, episodes, hands, partial(watch.look, what, share))
        payoffs = np.array([episode.payoffs for episode in episodes], np.float64)
        won.add(by_policy(payoffs))
        for episode, number in zip(episodes, hands, strict=True):
            on_hand(episode, number)
    results = (
        PlayerResult(name, won.estimate(player, 1 / (count * game.unit)), None)
        for player, name in enumerate(distinct([each.name for each in players]))
    )
    return MatchResult(game.name, won.count * count, tuple(results))


def _play(
    players: Sequence[OffMenuPlayer],
    episodes: Sequence[_native.PokerEpisode],
    hands: range,
    look: Callable[[], None],
) -> None:
    """Plays all hands to their ends; each player acts at all tables where it is to act."""
    while True:
        waiting: list[list[int]] = [[] for _ in players]
        for place, episode in enumerate(episodes):
            if not episode.is_terminal:
                waiting[seat_of(episode.actor, hands[place], len(players))].append(place)
        if not any(waiting):
            return
        for player, places in zip(players, waiting, strict=True):
            look()
            asked = [episodes[place] for place in places]
            numbers = [hands[place] for place in places]
            for episode, action in zip(asked, player.actions(asked, numbers), strict=True):
                episode.act(action)
