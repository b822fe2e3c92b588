# SPDX-License-Identifier: MIT
"""`regretless play`: episodes of a game against a policy, in the terminal."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from regretless import _native
from regretless.cli.opponents import find_opponent
from regretless.cli.output import console
from regretless.cli.range_view import range_lines
from regretless.cli.strategies import find_strategy
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.games.units import unit_name
from regretless.policy import Policy
from regretless.telling.choices import read_choice
from regretless.telling.hand_log import Episode
from regretless.telling.seat_view import decision_lines, end_lines, hand_text, seat_names

_PROMPT = "your choice (? shows ranges, q leaves): "


class _Left(Exception):
    """The player has left the table."""


def play(
    target: Annotated[str, typer.Argument(help="A game, or the directory of a bundle or a run.")],
    against: Annotated[
        str | None,
        typer.Option(help="A bundle, a run or a bot; else the target, or random."),
    ] = None,
    hands: Annotated[int, typer.Option(min=1, help="Episodes to play.")] = 1,
    seat: Annotated[int | None, typer.Option(help="Your seat; without it, each in turn.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the cards and of the bot's dice.")] = 0,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
) -> None:
    """Play against a strategy. Type the number or the name of a slot."""
    game, policy = _table(target, against, players)
    if seat is not None and not 0 <= seat < game.num_players:
        raise InputError(f"--seat: must be 0 to {game.num_players - 1}, not {seat}")
    _say(f"{game.name}, {game.num_players} players, against {policy.name}")
    total = 0
    for number in range(hands):
        mine = seat if seat is not None else number % game.num_players
        _say(f"\nepisode {number + 1}")
        try:
            payoff = _play_episode(game, policy, mine, seed, number)
        except _Left:
            _say(f"\nyou leave in the middle of episode {number + 1}")
            _say_total(game, total, number)
            return
        total += payoff
        _say(f"you win {payoff:+d}")
    _say_total(game, total, hands)


def _table(target: str, against: str | None, players: int | None) -> tuple[Game, Policy]:
    if not Path(target).is_dir():
        game = load_game(target, **({} if players is None else {"players": players}))
        return game, find_opponent(against or "random", game)
    if players is not None:
        raise InputError("--players: a bundle has its own number of players")
    found = find_strategy(Path(target))
    return found.game, find_opponent(against, found.game) if against else found.policy


def _play_episode(game: Game, policy: Policy, mine: int, seed: int, number: int) -> int:
    """The viewer's payoff in chips. A job of one table asks the policy, an episode tells all."""
    job = _native.SelfPlay(
        game, 1, tables=1, seed=seed, first_episode=number, **policy.needs.options()
    )
    episode: Episode
    if isinstance(game, _native.Poker):
        episode = _native.PokerEpisode(game, seed=seed, index=number)
    else:
        episode = _native.LiarsDiceEpisode(game, seed=seed, index=number)
    names = seat_names(episode, mine)
    _say(f"{names[mine]}: {hand_text(episode, mine)}")
    random = np.random.default_rng([seed, number])
    while (questions := job.ask()) is not None:
        if episode.actor == mine:
            slot = _ask(episode, mine, policy)
        else:
            weights = np.where(questions.legal[0], policy(questions)[0], 0).astype(np.float64)
            slot = int(random.choice(len(weights), p=weights / weights.sum()))
        _say(f"{names[episode.actor]}: {episode.slot_text(slot)}")
        job.answer_slots(np.array([slot], np.int32))
        episode.choose(slot)
    for line in end_lines(episode, mine):
        _say(line)
    return int(episode.payoffs[mine])


def _ask(episode: Episode, mine: int, policy: Policy) -> int:
    for line in decision_lines(episode, mine):
        _say(line)
    while True:
        try:
            text = input(_PROMPT).strip()
        except EOFError:
            raise _Left from None
        if text.lower() in ("q", "quit", "exit"):
            raise _Left
        if text == "?":
            for line in range_lines(episode, mine, policy):
                _say(line)
            continue
        try:
            return read_choice(text, episode)
        except InputError as error:
            _say(str(error))


def _say_total(game: Game, total: int, episodes: int) -> None:
    in_units = f", {total / game.unit:+g} {unit_name(game)}" if game.unit != 1 else ""
    _say(f"\nafter {episodes} episodes: {total:+d}{in_units}")


def _say(line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)
