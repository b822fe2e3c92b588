# SPDX-License-Identifier: MIT
"""Betting controls of a table, and replays of hands, against the rules written down anew."""

import random
from typing import Any

import pokerkit
import pytest

from regretless import Table, _native, load_game
from regretless.tables.seat_json import betting_controls, replay_steps, seat_json

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("nlhe", {}),
    ("nlhe", {"players": 6, "stacks": [300, 10_000, 150, 700, 230, 5000]}),
    ("nlhe", {"players": 9, "stacks": 1500, "menu": "50%"}),
    ("nlhe", {"players": 3, "stacks": [101, 120, 400], "menu": "33%,75%,150%,a"}),
    ("plo4", {"players": 3}),
    ("plo5", {"players": 6, "stacks": 900}),
    ("short-deck", {"players": 4}),
    ("limit-holdem", {"players": 3}),
    ("leduc", {}),
    ("kuhn", {}),
]


def _outside_state(game: _native.Poker) -> pokerkit.State | None:
    """Returns the table in pokerkit; None where pokerkit has no such game."""
    rules = game.rules
    if game.name in ("kuhn", "leduc", "short-deck") or "plo5" in game.name:
        return None
    make = {
        "nlhe": pokerkit.NoLimitTexasHoldem,
        "plo4": pokerkit.PotLimitOmahaHoldem,
        "limit-holdem": pokerkit.FixedLimitTexasHoldem,
    }[game.name]
    bets = (rules.bets[0], rules.bets[-1]) if "limit" in game.name[:5] else (rules.bets[0],)
    turned = (lambda values: list(values)[::-1]) if game.num_players == 2 else list
    steps = [
        pokerkit.Automation.ANTE_POSTING,
        pokerkit.Automation.BET_COLLECTION,
        pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
        pokerkit.Automation.CARD_BURNING,
        pokerkit.Automation.HOLE_DEALING,
        pokerkit.Automation.BOARD_DEALING,
    ]
    return make.create_state(
        tuple(steps),
        True,
        list(rules.antes),
        turned(rules.blinds),
        *bets,
        list(rules.stacks),
        game.num_players,
    )


def _check_with_pokerkit(state: pokerkit.State, table: Table, controls: Any) -> None:
    assert state.actor_index == table.actor
    least = state.min_completion_betting_or_raising_to_amount
    most = state.max_completion_betting_or_raising_to_amount
    offered = controls.bets
    if offered is None:
        (single,) = [b.amount for b in controls.buttons if b.amount is not None] or [None]
        offered = None if single is None else (single, single)
    if table.bet_range is None:  # the rules allow none, or the menu knows none any more
        assert offered is None
    else:
        assert offered == (least, most)
    texts = [each.text for each in controls.buttons]
    assert ("fold" in texts) == state.can_fold() or not state.checking_or_calling_amount
    found = [(each["chips"], tuple(each["seats"])) for each in seat_json(table, None)["pots"]]
    assert found == [(each.amount, tuple(each.player_indices)) for each in state.pots]
    amount = state.checking_or_calling_amount
    assert (f"call {amount}" if amount else "check") in texts


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_controls_are_what_the_rules_allow(number: int) -> None:
    name, options = GAMES[number]
    game: Any = load_game(name, **options)
    draw, seen = random.Random(number), set()
    for index in range(12):
        table, outside = Table(game, [None] * game.num_players, 7, index), _outside_state(game)
        while not table.is_over:
            controls = betting_controls(table)
            if outside is not None and outside.actor_index is not None:
                _check_with_pokerkit(outside, table, controls)
            seen |= {bool(controls.bets), *(text for text, _ in controls.marks)}
            assert len({each.text for each in controls.buttons}) == len(controls.buttons)
            if controls.bets is not None:
                least, most = controls.bets
                assert least < most
                assert game.rules.limit != _native.Limit.FIXED
                assert all(least <= amount <= most for _, amount in controls.marks)
                assert len({amount for _, amount in controls.marks}) <= len(controls.marks)
                for beyond in (least - 1, most + 1):
                    with pytest.raises(ValueError, match="cannot bet"):
                        table.bet(beyond)
            done = _do_any(table, controls, draw)
            if outside is not None:
                _do_outside(outside, done)
        assert betting_controls(table).buttons == []
        assert sum(table.episode.payoffs) == 0
        _check_replay(table)
    if name == "plo4":
        assert {"pot", True} <= seen  # no more than the pot
    if name in ("limit-holdem", "leduc", "kuhn"):
        assert True not in seen


def _do_any(table: Table, controls: Any, draw: random.Random) -> int:
    """Any control; the action, as episodes take it."""
    if controls.bets is not None and draw.random() < 0.5:
        amounts = [*controls.bets, draw.randint(*controls.bets), *(a for _, a in controls.marks)]
        table.bet(draw.choice(amounts))
    else:
        weights = [0.2 if each.text == "fold" else 1.0 for each in controls.buttons]
        (button,) = draw.choices(controls.buttons, weights)
        if button.amount is not None:
            table.bet(button.amount)
        else:
            table.choose(button.slot)
    assert isinstance(table.episode, _native.PokerEpisode)
    return table.episode.events[-1][2]


def _do_outside(state: pokerkit.State, action: int) -> None:
    if action < 0:
        state.fold()
    elif action == 0:
        state.check_or_call()
    else:
        state.complete_bet_or_raise_to(action)


def _check_replay(table: Table) -> None:
    """The last step is the end as it was; before it, nobody else's cards are to be seen."""
    episode = table.episode
    assert isinstance(episode, _native.PokerEpisode)
    steps = replay_steps(episode, 0)
    assert len(steps) == len(episode.events) + 1
    told = [entry.text for entry in table.log if entry.seat is not None]
    assert [step["text"] for step in steps[1:]] == told
    last = {key: seat_json(table, 0)[key] for key in steps[-1]["seen"]}
    assert steps[-1]["seen"] == last
    for step in steps[:-1]:
        assert not step["seen"]["is_over"]
        assert [bool(each["hand"]) for each in step["seen"]["seats"][1:]] == [False] * (
            len(step["seen"]["seats"]) - 1
        )
        assert step["seen"]["seats"][0]["hand"]


def test_a_replay_of_dice() -> None:
    game = load_game("liars-dice-1x6f")
    table = Table(game, [None, None], 3)
    while not table.is_over:
        table.choose([each.slot for each in betting_controls(table).buttons][-1] or 0)
    steps = replay_steps(table.episode, 1)
    assert [step["seat"] for step in steps] == [None, *(seat for seat, _ in table.episode.steps)]
    assert steps[0]["seen"]["seats"][0]["hand"] is None
    assert steps[-1]["seen"]["seats"][0]["hand"]
