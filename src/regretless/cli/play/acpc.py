# SPDX-License-Identifier: MIT
"""`regretless acpc`: policies at ACPC dealers, and a dealer for ACPC clients and policies."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless import _native
from regretless.cli.field_options import takes
from regretless.cli.output import (
    BotFile,
    JsonFlag,
    estimate_text,
    print_json,
    print_line,
    print_note,
)
from regretless.cli.progress import Telling
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.games.face import require_poker
from regretless.histories.acpc import (
    MatchState,
    chips_text,
    exact_payoffs,
    format_logged_hand,
    format_match_state,
    format_score,
)
from regretless.matches.intervals import Estimate
from regretless.matches.off_menu import why_not_alike
from regretless.seats.contestants import find_game, find_table, off_menu_players
from regretless.seats.strategies import Strategy
from regretless.storage.files import require_place, told_on_failure
from regretless.tables.acpc import (
    PREFIX,
    ClientSeat,
    Clock,
    DealerResult,
    Dealing,
    Seat,
    client_seat,
    connected,
    deal_match,
    play_as_client,
    rules_text,
)

acpc = typer.Typer(help="Play by the ACPC protocol, as a client or as the dealer.")

Seed = Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="Seed of cards and choices.")]

DealersGame = Annotated[
    str | None, typer.Option("--game", help="A game, or an ACPC .game file: blinds and stacks.")
]
Stacks = Annotated[int | None, typer.Option(min=1, help="Chips of each player.")]
Menu = Annotated[str | None, typer.Option(help="Bets of bots without a menu, such as 50%,100%,a.")]

_ONLY_POKER = "the ACPC protocol is for poker only"
_STANDARD_STACKS = 20_000


@acpc.command()
def client(
    host: Annotated[str, typer.Argument(help="The dealer's host.")],
    port: Annotated[int, typer.Argument(min=1, max=65535, help="The dealer's port.")],
    policy: Annotated[str, typer.Argument(help="A bundle, a run, a .onnx file, or a bot.")],
    game: DealersGame = None,
    stacks: Stacks = None,
    menu: Menu = None,
    seed: Seed = 0,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.001, help="Leave after this many seconds without a message."),
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Write the end of each hand.")] = None,
    from_file: BotFile = None,
    json: JsonFlag = False,
) -> None:
    """Play a policy at an ACPC dealer until it closes the connection.

    The protocol does not say blinds and stacks: name the dealer's game. Without --game it is the
    ACPC's heads-up no-limit game for a policy of that kind (50/100, 20,000 chips), else the game of
    the policy. Bets that are not on the policy's menu are mapped to it, and a policy of other
    stacks or chips plays shares of the pot.
    """
    named = _named_game(game, stacks, menu)
    found, real = find_table([policy], named, None, from_file, print_note)
    poker = require_poker(real, _ONLY_POKER)
    if named is None and why_not_alike(poker, standard := _standard_game(None, None)) is None:
        poker = standard
    (player,) = off_menu_players(found, poker, seed)
    notes = [] if json else [f"{player.name} plays {rules_text(poker)}", player.note]
    with _appended(log) as write:

        def keep(state: MatchState) -> None:
            while notes:  # once there is a dealer who plays this game
                if (note := notes.pop(0)) is not None:
                    print_note(note)
            line = format_match_state(state.episode, state.position, state.hand_number)
            write(f"{line}:{chips_text(exact_payoffs(state.episode)[state.position])}")

        result = play_as_client(host, port, player, seconds, keep)
    won = result.won
    if json:
        row = {"name": player.name, "hands": result.hands, "chips": _whole(result.chips)}
        print_json({**row, **_mbb(won)})
        return
    print_line(
        f"{player.name}: {result.hands:,} hands, {result.chips:+,g} chips, "
        f"{estimate_text(won, 1000)} mbb/g"
    )


def _named_game(game: str | None, stacks: int | None, menu: str | None) -> Game | None:
    """The dealer's game as the options say; None without any."""
    if game is None:
        return None if (stacks, menu) == (None, None) else _standard_game(stacks, menu)
    options = {"stacks": stacks, "menu": menu}
    return load_game(game, **{key: value for key, value in options.items() if value is not None})


def _standard_game(stacks: int | None, menu: str | None) -> _native.Poker:
    """The heads-up no-limit game of the ACPC: blinds of 50 and 100, stacks of 20,000."""
    options = {"stacks": stacks or _STANDARD_STACKS} | ({} if menu is None else {"menu": menu})
    return require_poker(load_game("nlhe", **options), _ONLY_POKER)


@acpc.command()
@takes(Dealing)
def dealer(
    players: Annotated[
        list[str],
        typer.Argument(
            help="By position in the first hand: acpc:PORT awaits a client, acpc:PROGRAM starts "
            "one with host and port behind its arguments; others are policies as `match` has them."
        ),
    ],
    game: DealersGame = None,
    stacks: Stacks = None,
    menu: Menu = None,
    *,
    dealing: Dealing,
    host: Annotated[str, typer.Option(help="Address to wait for clients.")] = "127.0.0.1",
    seconds: Annotated[
        float,
        typer.Option(min=0.001, help="Seconds that a client may take to connect and to answer."),
    ] = 60,
    hand_seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds of a client for a hand.")
    ] = None,
    match_seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds of a client for the match.")
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Write an ACPC log of the match.")] = None,
    transactions: Annotated[
        Path | None, typer.Option(help="Write every answer of a client with its times.")
    ] = None,
    from_file: BotFile = None,
    json: JsonFlag = False,
) -> None:
    """Deal a match between ACPC clients and policies.

    Everybody moves on by one position from hand to hand. The same seed deals the same cards;
    --duplicate plays them again in every other order, so that luck of the cards cancels.
    """
    if len(players) < 2:
        raise InputError("a match needs two players or more")
    named = [each for each in players if not each.startswith(PREFIX)]
    asked = _named_game(game, stacks, menu)
    if asked is None and not named:
        asked = find_game(None, len(players))
    found, agreed = find_table(named, asked, len(players), from_file, print_note)
    poker = require_poker(agreed, _ONLY_POKER)
    for path in filter(None, (log, transactions)):
        require_place(path)
    with _appended(transactions) as write_answer, _appended(log) as write:

        def keep(line: str, sent: float, received: float) -> None:
            write_answer(f"{line} {sent:.6f} {received:.6f}")

        clock = Clock(hand_seconds, match_seconds, keep)
        make_client = partial(client_seat, host=host, seconds=seconds, clock=clock)
        seats = _seats(players, found, poker, dealing.seed, make_client)
        with connected(seats), Telling(for_programs=json) as telling:
            result = deal_match(
                poker, seats, dealing, lambda hand: write(format_logged_hand(hand)), telling.watch()
            )
        write(format_score(result.chips, result.players))
    print_json(_result_json(poker, result)) if json else _show(poker, result)


def _seats(
    players: Sequence[str],
    found: Sequence[Strategy],
    game: _native.Poker,
    seed: int,
    make_client: Callable[[str], ClientSeat],
) -> list[Seat]:
    """Clients that are awaited, and policies; all clients are closed if one cannot be made."""
    seats: list[Seat] = []
    policies = iter(found)
    try:
        for each in players:
            if each.startswith(PREFIX):
                client = make_client(each)
                print_note(f"{client.name}: waiting at {client.host}:{client.port}")
                seats.append(client)
            else:
                seats += off_menu_players([next(policies)], game, seed + len(seats))
    except InputError:
        for seat in seats:
            if isinstance(seat, ClientSeat):
                seat.close()
        raise
    return seats


@contextmanager
def _appended(path: Path | None) -> Iterator[Callable[[str], object]]:
    """A function that appends lines to the file, if there is one."""
    if path is None:
        yield lambda line: None
        return
    with told_on_failure(path), path.open("w", encoding="utf-8") as file:
        yield lambda line: file.write(f"{line}\n")


def _whole(chips: float) -> float:
    """A whole number of chips as such."""
    return int(chips) if chips == int(chips) else chips


def _mbb(won: Estimate) -> dict[str, float | None]:
    width = 1000 * won.half_width if won.count > 1 else None
    return {"mbb_per_game": 1000 * won.mean, "mbb_per_game_half_width": width}


def _result_json(game: Game, result: DealerResult) -> dict[str, Any]:
    return {
        "game": game.name,
        "hands": result.hands,
        "players": [
            {
                "name": name,
                "chips": _whole(chips),
                **_mbb(won),
            }
            for name, chips, won in _rows(result)
        ],
    }


def _show(game: Game, result: DealerResult) -> None:
    print_line(f"{game.name}, {result.hands:,} hands, 95 % intervals")
    for name, chips, won in _rows(result):
        print_line(f"  {name}: {chips:+,g} chips, {estimate_text(won, 1000)} mbb/g")


def _rows(result: DealerResult) -> Iterator[tuple[str, float, Estimate]]:
    return zip(result.players, result.chips, result.won, strict=True)
