# SPDX-License-Identifier: MIT
"""`regretless play`: episodes of a game against a policy, in the terminal."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from regretless.cli.output import BotFile, console, print_line, print_note
from regretless.cli.range_view import range_lines
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.units import unit_name
from regretless.players.contestants import (
    BOT_VARIABLE,
    find_default_opponent,
    find_game,
    find_opponent,
)
from regretless.players.strategies import Strategy, find_strategy, names_strategy
from regretless.players.table import Table, fresh_seed, play_on
from regretless.policy import Policy
from regretless.storage.model_card import strength_line
from regretless.telling.choices import read_choice
from regretless.telling.seat_view import decision_lines, end_lines, result_text, seat_names
from regretless.telling.views import view

_PROMPT = "your choice (? shows ranges, q leaves): "
_SUITS = {"h": "red", "d": "bright_blue", "c": "green"}  # spades stay as they are


class _LeftError(Exception):
    """The player has left the table."""


def play(
    target: Annotated[str, typer.Argument(help="A game, a bundle, a run or a .onnx file.")],
    against: Annotated[
        str | None,
        typer.Option(
            help="A bundle, a run, a .onnx file, a bot, bot.py:Name or cmd:PROGRAM; else the "
            f"target, whom {BOT_VARIABLE} names, a shipped one, or random."
        ),
    ] = None,
    hands: Annotated[int, typer.Option(min=1, help="Episodes to play.")] = 1,
    seat: Annotated[int | None, typer.Option(help="Your seat; without it, each in turn.")] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=(1 << 64) - 1,
            help="The same seed deals the same cards again.",
            show_default="another one each time",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
    from_file: BotFile = None,
) -> None:
    """Play against a strategy. Type the number or the name of a slot.

    `play nlhe` has an opponent that ships with the package: heads-up, 100 big blinds. The
    environment variable REGRETLESS_BOT names another one, for any game.
    """
    game, policy = _opponent(target, against, players, from_file)
    if seat is not None and not 0 <= seat < game.num_players:
        raise InputError(f"--seat: must be 0 to {game.num_players - 1}, not {seat}")
    seed = fresh_seed() if seed is None else seed
    print_line(f"{game.name}, {game.num_players} players, against {policy.name}, seed {seed}")
    total = 0
    for number in range(hands):
        mine = seat if seat is not None else number % game.num_players
        print_line(f"\nepisode {number + 1}", style="bold")
        try:
            payoff = _play_episode(game, policy, mine, seed, number)
        except _LeftError:
            print_line(f"\nyou leave in the middle of episode {number + 1}")
            _show_total(game, total, number)
            return
        total += payoff
        print_line(result_text(payoff), style=_win_style(payoff))
    _show_total(game, total, hands)


def _opponent(
    target: str, against: str | None, players: int | None, bot_file: Path | None
) -> tuple[Game, Policy]:
    if not names_strategy(target):
        if against is None:
            bot, found = find_default_opponent(target, players, bot_file, print_note)
            _show_strength(bot, found)
            return found.game, found.policy
        game = find_game(target, players)
        return game, find_opponent(against, game, bot_file, print_note)
    if players is not None:
        raise InputError("--players: a strategy has its own number of players")
    found = find_strategy(target, print_note)
    if against is None:
        _show_strength(target, found)
        return found.game, found.policy
    return found.game, find_opponent(against, found.game, bot_file, print_note)


def _show_strength(name: str, found: Strategy) -> None:
    if found.origin != "bot":
        print_line(f"{name}: {strength_line(found.claimed)}")


def _play_episode(game: Game, policy: Policy, mine: int, seed: int, number: int) -> int:
    """What the person wins in chips."""
    policies = [None if seat == mine else policy for seat in range(game.num_players)]
    table = Table(game, policies, seed, number)
    names = seat_names(table.episode, mine)
    _show(f"{names[mine]}: {view(table.episode).hand_text(mine)}")
    shown = 0
    while True:
        play_on([table])
        for entry in table.log[shown:]:
            if entry.seat is None:
                _show(entry.text, style="bold")
            else:
                _show(f"  {names[entry.seat]}: {entry.text}")
        shown = len(table.log)
        if table.is_over:
            break
        table.choose(_ask(table, mine, policy))
    for line in end_lines(table.episode, mine):
        _show(line)
    return int(table.episode.payoffs[mine])


def _ask(table: Table, mine: int, policy: Policy) -> int:
    for line in decision_lines(table.episode, mine):
        _show(line)
    while True:
        try:
            text = input(_PROMPT).strip()
        except EOFError:
            raise _LeftError from None
        if text.lower() in ("q", "quit", "exit"):
            raise _LeftError
        if text == "?":
            for line in range_lines(table.episode, mine, policy):
                _show(line)
            continue
        try:
            return read_choice(text, table.episode)
        except InputError as error:
            print_line(str(error), style="yellow")


def _show(line: str, style: str = "") -> None:
    """A line whose cards have the colours of their suits, where the terminal has colours."""
    text = Text(line, style=style)
    for suit, color in _SUITS.items():
        text.highlight_regex(rf"[2-9TJQKA]{suit}(?![a-z])", color)
    console.print(text, soft_wrap=True)


def _win_style(payoff: int) -> str:
    return "green" if payoff > 0 else "red" if payoff < 0 else ""


def _show_total(game: Game, total: int, episodes: int) -> None:
    in_units = f", {total / game.unit:+g} {unit_name(game)}" if game.unit != 1 else ""
    print_line(f"\nafter {episodes} episodes: {total:+d}{in_units}")
