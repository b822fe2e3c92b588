# SPDX-License-Identifier: MIT
"""`regretless acpc`: policies at ACPC dealers, and a dealer for ACPC clients and policies."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.output import (
    BotFile,
    GameName,
    JsonFlag,
    estimate_text,
    print_json,
    print_line,
    print_note,
)
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.histories.acpc import format_logged_hand, format_score
from regretless.matches.off_menu import OffMenuPlayer
from regretless.seats.contestants import find_contestants, find_game
from regretless.storage.files import require_place, told_on_failure
from regretless.tables.acpc import (
    PREFIX,
    ClientSeat,
    DealerResult,
    Seat,
    client_seat,
    connected,
    deal_match,
    play_as_client,
)

acpc = typer.Typer(help="Play by the ACPC protocol, as a client or as the dealer.")

Seed = Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="Seed of cards and choices.")]

_ONLY_POKER = "the ACPC protocol is for poker only"


@acpc.command()
def client(
    host: Annotated[str, typer.Argument(help="The dealer's host.")],
    port: Annotated[int, typer.Argument(min=1, max=65535, help="The dealer's port.")],
    policy: Annotated[str, typer.Argument(help="A bundle, a run, a .onnx file, or a bot.")],
    game: GameName = None,
    seed: Seed = 0,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.001, help="Leave after this many seconds without a message."),
    ] = None,
    from_file: BotFile = None,
    json: JsonFlag = False,
) -> None:
    """Play a policy at an ACPC dealer until it closes the connection.

    Bets that are not on the policy's menu are mapped to it.
    """
    (found,) = find_contestants([policy], game, None, from_file, print_note)
    player = OffMenuPlayer(found.policy, require_poker(found.game, _ONLY_POKER), seed)
    result = play_as_client(host, port, player, seconds)
    units = result.chips / max(result.hands, 1) / found.game.unit
    if json:
        print_json({"name": found.policy.name, **vars(result), "mbb_per_game": 1000 * units})
        return
    print_line(
        f"{found.policy.name}: {result.hands:,} hands, {result.chips:+,} chips, "
        f"{1000 * units:+,.1f} mbb/g"
    )


@acpc.command()
def dealer(
    players: Annotated[
        list[str],
        typer.Argument(
            help="By position in the first hand: acpc:PORT awaits a client, acpc:PROGRAM starts "
            "one with host and port behind its arguments; others are policies as `match` has them."
        ),
    ],
    game: GameName = None,
    hands: Annotated[int, typer.Option(min=1, help="Number of hands.")] = 1000,
    seed: Seed = 0,
    host: Annotated[str, typer.Option(help="Address to wait for clients.")] = "127.0.0.1",
    seconds: Annotated[
        float,
        typer.Option(min=0.001, help="Seconds that a client may take to connect and to answer."),
    ] = 60,
    log: Annotated[Path | None, typer.Option(help="Write an ACPC log of the match.")] = None,
    from_file: BotFile = None,
    json: JsonFlag = False,
) -> None:
    """Deal a match between ACPC clients and policies.

    Everybody moves on by one position from hand to hand. The same seed deals the same cards, so
    the players in another order play a duplicate match.
    """
    if len(players) < 2:
        raise InputError("a match needs two players or more")
    named = [each for each in players if not each.startswith(PREFIX)]
    found = find_contestants(named, game, len(players), from_file, print_note)
    agreed = found[0].game if found else find_game(game, len(players))
    poker = require_poker(agreed, _ONLY_POKER)
    if log is not None:
        require_place(log)
    seats: list[Seat] = []
    policies = iter(found)
    try:
        for each in players:
            if each.startswith(PREFIX):
                client = client_seat(each, host, seconds)
                print_note(f"{client.name}: waiting at {client.host}:{client.port}")
                seats.append(client)
            else:
                policy = next(policies).policy
                seats.append(OffMenuPlayer(policy, poker, seed + len(seats)))
    except InputError:
        for seat in seats:
            if isinstance(seat, ClientSeat):
                seat.close()
        raise
    with connected(seats), _appended(log) as write:
        result = deal_match(poker, seats, hands, seed, lambda hand: write(format_logged_hand(hand)))
        write(format_score(result.chips, result.players))
    print_json(_result_json(poker, result)) if json else _show(poker, result)


@contextmanager
def _appended(path: Path | None) -> Iterator[Callable[[str], object]]:
    """A function that appends lines to the file, if there is one."""
    if path is None:
        yield lambda line: None
        return
    with told_on_failure(path), path.open("w", encoding="utf-8") as file:
        yield lambda line: file.write(f"{line}\n")


def _result_json(game: Game, result: DealerResult) -> dict[str, Any]:
    return {
        "game": game.name,
        "hands": result.hands,
        "players": [
            {
                "name": name,
                "chips": chips,
                "mbb_per_game": 1000 * won.mean,
                "mbb_per_game_half_width": 1000 * won.half_width if won.count > 1 else None,
            }
            for name, chips, won in _rows(result)
        ],
    }


def _show(game: Game, result: DealerResult) -> None:
    print_line(f"{game.name}, {result.hands:,} hands, 95 % intervals")
    for name, chips, won in _rows(result):
        print_line(f"  {name}: {chips:+,} chips, {estimate_text(won, 1000)} mbb/g")


def _rows(result: DealerResult) -> Iterator[tuple[str, int, Any]]:
    return zip(result.players, result.chips, result.won, strict=True)
