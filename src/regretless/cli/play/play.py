# SPDX-License-Identifier: MIT
"""`regretless play`: episodes of a game against a policy, in the terminal."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from regretless.bundles.model_card import strength_line
from regretless.cli.output import BotFile, PhhFile, console, print_line, print_note
from regretless.cli.range_view import range_lines
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import face, unit_name, view
from regretless.histories.choices import read_bet, read_choice
from regretless.histories.phh import PhhsFile
from regretless.histories.seat_view import decision_lines, result_text, seat_names
from regretless.matches.seatings import seat_of
from regretless.matches.slot_values import Decision, SlotValues
from regretless.policies.policy import Policy
from regretless.seats.contestants import (
    BOT_VARIABLE,
    find_contestants,
    find_default_opponent,
    find_game,
)
from regretless.seats.strategies import find_strategy, names_strategy
from regretless.tables.table import Table, fresh_seed, play_on

_PROMPT = "your choice (? ranges, h this hand, e losses, q leaves): "
_SUITS = {"h": "red", "d": "bright_blue", "c": "green"}  # spades stay as they are
_RESULTS = 5  # of earlier episodes that `h` shows
_LEAST = 0.0005  # units: less than that is rounding, and is told as nothing


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
    hands: Annotated[int, typer.Option(min=1, max=1 << 48, help="Number of hands.")] = 1,
    seat: Annotated[int | None, typer.Option(help="Your seat (default: each in turn).")] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=(1 << 64) - 1, help="Seed of the cards.", show_default="a new one each time"
        ),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
    phh: PhhFile = None,
    from_file: BotFile = None,
) -> None:
    """Play against a strategy. Type the number or the name of a slot, or any bet: r250.

    `play nlhe` has an opponent that ships with the package: heads-up, 100 big blinds. The
    environment variable REGRETLESS_BOT names another one, for any game.
    """
    game, policy = _opponent(target, against, players, from_file)
    if seat is not None and not 0 <= seat < game.num_players:
        raise InputError(f"--seat: must be 0 to {game.num_players - 1}, not {seat}")
    seed = fresh_seed() if seed is None else seed
    session = _Session(game, policy, seed, PhhsFile(game, phh) if phh else None)
    print_line(f"{game.name}, {game.num_players} players, against {policy.name}, seed {seed}")
    for number in range(hands):
        mine = seat_of(0, number, game.num_players) if seat is None else seat
        print_line(f"\nepisode {number + 1}", style="bold")
        try:
            session.play(mine)
        except _LeftError:
            print_line(f"\nyou leave in the middle of episode {number + 1}")
            break
    session.show_total()


def _opponent(
    target: str, against: str | None, players: int | None, bot_file: Path | None
) -> tuple[Game, Policy]:
    if names_strategy(target):
        if players is not None:
            raise InputError("--players: a strategy has its own number of players")
        name, found = target, find_strategy(target, print_note)
        game = found.game
    elif against is None:
        name, found = find_default_opponent(target, players, bot_file, print_note)
    else:
        game = find_game(target, players)
    if against is not None:
        (opponent,) = find_contestants([against], game, None, bot_file, print_note)
        return game, opponent.policy
    if found.origin != "bot":
        print_line(f"{name}: {strength_line(found.claimed)}")
    return found.game, found.policy


class _Session:
    """The hands of one person against one policy, and their results."""

    def __init__(self, game: Game, policy: Policy, seed: int, history: PhhsFile | None) -> None:
        self.game, self.policy, self.seed, self.history = game, policy, seed, history
        self.results: list[str] = []
        self.total = 0
        self.lost = 0.0  # in units, where it is known

    def play(self, mine: int) -> None:
        """One episode, the next of the seed."""
        number = len(self.results)
        policies = [None if seat == mine else self.policy for seat in range(self.game.num_players)]
        table = Table(self.game, policies, self.seed, number)
        names = seat_names(table.episode, mine)
        hand = view(table.episode).hand_text(mine)
        hand = f"{names[mine]}: {hand}" if hand else names[mine]
        _show(hand)
        shown = 0
        while True:
            play_on([table])
            _show_log(table, names, shown)
            shown = len(table.log)
            if table.is_over:
                break
            self._ask(table, mine)
        _show(*view(table.episode).end_lines(names))
        payoff = int(table.episode.payoffs[mine])
        result = result_text(payoff / self.game.unit if self._is_custom else payoff)
        print_line(result, style="green" if payoff > 0 else "red" if payoff < 0 else "")
        self.total += payoff
        self.results.append(f"episode {number + 1}, {hand}, {result}")
        if self.values is not None and not _is_translated(table):
            self._show_lost(self.values.decisions(table.episode, mine))
        if self.history is not None:
            players = [self.policy.name if each else "you" for each in policies]
            self.history.add(table.episode, players)

    @property
    def _is_custom(self) -> bool:
        """A custom game, whose payoffs are no chips."""
        return face(self.game).explicit is not None

    @cached_property
    def values(self) -> SlotValues | None:
        """Values of choices; None where they are not known."""
        try:
            return SlotValues(self.game, self.policy)
        except InputError:
            return None

    def _ask(self, table: Table, mine: int) -> None:
        _show(*decision_lines(table.episode, mine))
        if table.bet_range is not None and table.bet_range[0] < table.bet_range[1]:
            _show("   r  any amount: r{} to r{}, 75%, pot".format(*table.bet_range))
        while True:
            try:
                text = input(_PROMPT).strip()
            except EOFError:
                raise _LeftError from None
            if text.lower() in ("q", "quit", "exit"):
                raise _LeftError
            if text == "?":
                _show(*_range_lines(table, mine, self.policy))
            elif text.lower() == "h":
                _show(*self.results[-_RESULTS:])
                _show_log(table, seat_names(table.episode, mine))
            elif text.lower() == "e":
                self._show_losses(table)
            elif _chosen(text, table):
                return

    def _show_losses(self, table: Table) -> None:
        if self.values is None or _is_translated(table):
            _show("  not known: only of small games and spots for two, without bets off the menu")
            return
        losses = self.values.losses(table.episode)
        if losses is None:
            _show("  not known: the opponent's strategy never comes here")
            return
        for slot, loss in losses.items():
            told = f"loses {loss:.3f} {unit_name(self.game)}" if loss >= _LEAST else "best"
            _show(f"  {slot:2d}  {table.episode.slot_text(slot)}: {told}")

    def _show_lost(self, decisions: list[Decision]) -> None:
        self.lost += sum(each.loss for each in decisions)
        for each in decisions:
            if each.loss >= _LEAST:
                best = each.spot.slot_text(min(each.losses, key=lambda slot: each.losses[slot]))
                chosen = each.spot.slot_text(each.slot)
                _show(f"  {chosen} loses {each.loss:.3f} {unit_name(self.game)} to {best}")

    def show_total(self) -> None:
        in_units = f"{self.total / self.game.unit:+g}"
        told = in_units if self._is_custom else f"{self.total:+d}"
        if self.game.unit != 1 and not self._is_custom:
            told += f", {in_units} {unit_name(self.game)}"
        print_line(f"\nafter {len(self.results)} episodes: {told}")
        if self.results and self.values is not None:
            print_line(f"expected value lost: {self.lost:.3f} {unit_name(self.game)}")


def _chosen(text: str, table: Table) -> bool:
    """Acts as typed; prints why and returns False if that is not possible."""
    try:
        amount = read_bet(text, table.episode)
        if amount is None:
            table.choose(read_choice(text, table.episode))
        else:
            table.bet(amount)
    except InputError as error:
        print_line(str(error), style="yellow")
        return False
    return True


def _show_log(table: Table, names: list[str], begin: int = 0) -> None:
    for entry in table.log[begin:]:
        if entry.seat is None:
            _show(entry.text, style="bold")
        else:
            seen = f"   (not on the menu; seen as {entry.seen})" if entry.seen else ""
            _show(f"  {names[entry.seat]}: {entry.text}{seen}")


def _is_translated(table: Table) -> bool:
    return any(entry.seen for entry in table.log)


def _range_lines(table: Table, mine: int, policy: Policy) -> Iterator[str]:
    """Ranges at the hand that the policies see."""
    if table.seen is None:
        yield "  no ranges: as the others see it, this hand is over; they check and call"
        return
    if _is_translated(table):
        yield f"  as the others see this hand, {view(table.seen).stakes()}:"
    yield from range_lines(table.seen, mine, policy)


def _show(*lines: str, style: str = "") -> None:
    """Prints lines whose cards have the colours of their suits, where the terminal has colours."""
    for line in lines:
        text = Text(line, style=style)
        for suit, color in _SUITS.items():
            text.highlight_regex(rf"[2-9TJQKA]{suit}(?![a-z])", color)
        console.print(text, soft_wrap=True)
