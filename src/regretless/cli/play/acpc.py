# SPDX-License-Identifier: MIT
"""`regretless acpc`: policies at ACPC dealers, and a dealer for ACPC clients and policies."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless._native import Poker
from regretless.cli.output import (
    BotFile,
    JsonFlag,
    estimate_text,
    print_json,
    print_line,
    print_note,
)
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.histories.acpc_log import format_logged_hand, format_score
from regretless.seats.contestants import find_contestants, find_game
from regretless.storage.files import told_on_failure
from regretless.tables.acpc_client import play_as_client
from regretless.tables.acpc_dealer import (
    PREFIX,
    ClientSeat,
    DealerResult,
    DealtHand,
    PolicySeat,
    Seat,
    client_seat,
    connected,
    deal_match,
)
from regretless.tables.off_menu import OffMenuPlayer

acpc = typer.Typer(help="Play by the ACPC protocol, as a client or as the dealer.")

GameName = Annotated[
    str | None, typer.Option(help="A game or a .game file, if no bundle or run has one.")
]
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
    if log is not None and not log.absolute().parent.is_dir():
        raise InputError(f"--log: there is no folder {str(log.parent)!r}")
    seats: list[Seat] = []
    try:
        policies = iter(found)
        for each in players:
            if each.startswith(PREFIX):
                seats.append(client_seat(each, host, seconds))
            else:
                policy = next(policies).policy
                seats.append(PolicySeat(OffMenuPlayer(policy, poker, seed + len(seats))))
    except InputError:
        for seat in seats:
            seat.close()
        raise
    for seat in seats:
        if isinstance(seat, ClientSeat):
            print_note(f"{seat.name}: waiting at {seat.host}:{seat.port}")
    with connected(seats):
        if log is None:
            result = deal_match(poker, seats, hands, seed)
        else:
            result = _deal_logged(poker, seats, hands, seed, log)
    print_json(_result_json(poker, result)) if json else _show(poker, result)


def _deal_logged(game: Poker, seats: list[Seat], hands: int, seed: int, path: Path) -> DealerResult:
    with told_on_failure(path), path.open("w", encoding="utf-8") as file:

        def write(hand: DealtHand) -> None:
            file.write(f"{format_logged_hand(hand.episode, hand.number, hand.players)}\n")

        result = deal_match(game, seats, hands, seed, write)
        file.write(f"{format_score(result.chips, result.players)}\n")
    return result


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
