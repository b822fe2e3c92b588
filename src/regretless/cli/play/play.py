# SPDX-License-Identifier: MIT
"""`regretless play`: hands of a game against a strategy, in the terminal."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from regretless.bundles.model_card import strength_line
from regretless.cli.output import BotFile, PhhFile, UnitName, console, print_line, print_note
from regretless.cli.progress import Telling
from regretless.cli.range_view import range_lines
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.amounts import Amounts
from regretless.games.face import view
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
_RESULTS = 5  # of earlier hands that `h` shows
_LEAST = 0.0005  # units: less than that is rounding, and counts as nothing


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
    unit: UnitName = None,
    phh: PhhFile = None,
    from_file: BotFile = None,
) -> None:
    """Play against a strategy. Type the number or the name of an action, or any bet: r2.5.

    `play nlhe` has an opponent that ships with the package: heads-up, 100 big blinds. The
    environment variable REGRETLESS_BOT names another one, for any game.
    """
    with Telling("loading"):
        game, policy, strength = _opponent(target, against, players, from_file)
    if strength:
        print_line(strength)
    if seat is not None and not 0 <= seat < game.num_players:
        raise InputError(f"--seat: must be 0 to {game.num_players - 1}, not {seat}")
    seed = fresh_seed() if seed is None else seed
    amounts = Amounts.of(game, unit)
    session = _Session(game, policy, seed, PhhsFile(game, phh) if phh else None, amounts)
    print_line(f"{game.name}, {game.num_players} players, against {policy.name}, seed {seed}")
    for number in range(hands):
        mine = seat_of(0, number, game.num_players) if seat is None else seat
        print_line(f"\nhand {number + 1}", style="bold")
        try:
            session.play(mine)
        except _LeftError:
            print_line(f"\nyou leave in the middle of hand {number + 1}")
            break
    session.show_total()


def _opponent(
    target: str, against: str | None, players: int | None, bot_file: Path | None
) -> tuple[Game, Policy, str]:
    """The game, the opponent, and a line about its strength if it is a strategy of the game."""
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
        return game, opponent.policy, ""
    is_bot = found.origin == "bot"
    line = "" if is_bot else f"{name}: {strength_line(found.claimed, found.game)}"
    return found.game, found.policy, line


class _Session:
    """The hands of one person against one policy, and their results."""

    def __init__(
        self, game: Game, policy: Policy, seed: int, history: PhhsFile | None, amounts: Amounts
    ) -> None:
        self.game, self.policy, self.seed, self.history = game, policy, seed, history
        self.amounts = amounts
        self.results: list[str] = []
        self.total = 0
        self.lost = 0.0  # in units, where it is known

    def play(self, mine: int) -> None:
        """One hand, the next of the seed."""
        number = len(self.results)
        policies = [None if seat == mine else self.policy for seat in range(self.game.num_players)]
        table = Table(self.game, policies, self.seed, number)
        names = seat_names(table.episode, mine)
        hand = view(table.episode).hand_text(mine)
        hand = f"{names[mine]}: {hand}" if hand else names[mine]
        _show(hand)
        shown = 0
        while True:
            with Telling("the opponent thinks"):
                play_on([table])
            self._show_log(table, names, shown)
            shown = len(table.log)
            if table.is_over:
                break
            self._ask(table, mine)
        _show(*map(self.amounts.in_text, view(table.episode).end_lines(names)))
        payoff = int(table.episode.payoffs[mine])
        result = result_text(payoff, self.amounts)
        print_line(result, style="green" if payoff > 0 else "red" if payoff < 0 else "")
        self.total += payoff
        self.results.append(f"hand {number + 1}, {hand}, {result}")
        if self.values is not None and not _is_translated(table):
            self._show_lost(self.values.decisions(table.episode, mine))
        if self.history is not None:
            players = [self.policy.name if each else "you" for each in policies]
            self.history.add(table.episode, players)

    @cached_property
    def values(self) -> SlotValues | None:
        """Values of choices; None where they are not known."""
        try:
            return SlotValues(self.game, self.policy)
        except InputError:
            return None

    def _ask(self, table: Table, mine: int) -> None:
        _show(*decision_lines(table.episode, mine, self.amounts))
        if table.bet_range is not None and table.bet_range[0] < table.bet_range[1]:
            least, most = (self.amounts.word(f"r{each}") for each in table.bet_range)
            _show(f"   r  any amount: {least} to {most}, 75%, pot")
        while True:
            try:
                text = input(_PROMPT).strip()
            except EOFError:
                raise _LeftError from None
            if text.lower() in ("q", "quit", "exit"):
                raise _LeftError
            if text == "?":
                _show(*_range_lines(table, mine, self.policy, self.amounts))
            elif text.lower() == "h":
                _show(*self.results[-_RESULTS:])
                self._show_log(table, seat_names(table.episode, mine))
            elif text.lower() == "e":
                self._show_losses(table)
            elif _chosen(text, table, self.amounts):
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
            words = f"loses {self._loss(loss)}" if loss >= _LEAST else "best"
            text = self.amounts.in_text(table.episode.slot_text(slot))
            _show(f"  {slot:2d}  {text}: {words}")

    def _show_lost(self, decisions: list[Decision]) -> None:
        self.lost += sum(each.loss for each in decisions)
        for each in decisions:
            if each.loss >= _LEAST:
                best = each.spot.slot_text(min(each.losses, key=lambda slot: each.losses[slot]))
                chosen = each.spot.slot_text(each.slot)
                words = f"  {chosen} loses {self._loss(each.loss)} to {best}"
                _show(self.amounts.in_text(words))

    def _loss(self, units: float) -> str:
        return f"{self.amounts.of_units(units, self.game):.3f} {self.amounts.name}"

    def _show_log(self, table: Table, names: list[str], begin: int = 0) -> None:
        in_text = self.amounts.in_text
        for entry in table.log[begin:]:
            if entry.seat is None:
                _show(in_text(entry.text), style="bold")
            else:
                seen = f"   (not on the menu; seen as {entry.seen})" if entry.seen else ""
                _show(in_text(f"  {names[entry.seat]}: {entry.text}{seen}"))

    def show_total(self) -> None:
        words, hands = self.amounts.text(self.total, sign=True), len(self.results)
        name = "" if self.amounts.name == "bb" else f" {self.amounts.name}"
        print_line(f"\nafter {hands} hand{'' if hands == 1 else 's'}: {words}{name}")
        if self.results and self.values is not None:
            print_line(f"EV lost: {self._loss(self.lost)}")


def _chosen(text: str, table: Table, amounts: Amounts) -> bool:
    """Acts as typed; prints why and returns False if that is not possible."""
    try:
        amount = read_bet(text, table.episode, amounts)
        if amount is None:
            table.choose(read_choice(text, table.episode, amounts))
        else:
            table.bet(amount)
    except InputError as error:
        print_line(amounts.in_text(str(error)), style="yellow")
        return False
    return True


def _is_translated(table: Table) -> bool:
    return any(entry.seen for entry in table.log)


def _range_lines(table: Table, mine: int, policy: Policy, amounts: Amounts) -> Iterator[str]:
    """Ranges at the hand that the policies see."""
    if table.seen is None:
        yield "  no ranges: as the others see it, this hand is over; they check and call"
        return
    if _is_translated(table):
        yield f"  as the others see this hand, {amounts.in_text(view(table.seen).stakes())}:"
    yield from range_lines(table.seen, mine, policy, amounts)


def _show(*lines: str, style: str = "") -> None:
    """Prints lines whose cards have the colours of their suits, where the terminal has colours."""
    for line in lines:
        text = Text(line, style=style)
        for suit, color in _SUITS.items():
            text.highlight_regex(rf"[2-9TJQKA]{suit}(?![a-z])", color)
        console.print(text, soft_wrap=True)
