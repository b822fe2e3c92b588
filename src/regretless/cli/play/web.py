# SPDX-License-Identifier: MIT
"""`regretless web`: pages and an API for this machine."""

import secrets
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from regretless.cli.output import print_line
from regretless.errors import InputError

_NEEDED = ("fastapi", "nicegui", "uvicorn")


def web(
    directories: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[DIR]...",
            help="Where bundles, runs and .onnx files are.",
            show_default="runs, if it is there",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Where to listen; anything but this machine needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of the host.")] = 8600,
    token: Annotated[
        str | None,
        typer.Option(
            help="What every request must bring.",
            show_default="none on this machine, else one is made",
        ),
    ] = None,
    data: Annotated[Path, typer.Option(help="Where finished hands, solutions and runs go.")] = Path(
        "runs/web"
    ),
    acpc_port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Deal ACPC matches at this port of this machine.",
            show_default="no dealer",
        ),
    ] = None,
    acpc_players: Annotated[
        str, typer.Option(help="Of these matches: outside (a client), bots, ids of the library.")
    ] = "outside,pot-odds",
    acpc_game: Annotated[
        str | None,
        typer.Option(help="A game or a .game file.", show_default="that of strategies, else nlhe"),
    ] = None,
    acpc_hands: Annotated[int, typer.Option(min=1, help="Of each match.")] = 1000,
    acpc_seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=(1 << 64) - 1,
            help="The same cards in every match.",
            show_default="other cards in each",
        ),
    ] = None,
    acpc_seconds: Annotated[
        float, typer.Option(min=0.001, help="That a client may take for each answer.")
    ] = 60.0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser.")
    ] = False,
) -> None:
    """Explore, play and solve in a browser, offline; a JSON API for programs under /api."""
    missing = [each for each in _NEEDED if find_spec(each) is None]
    if missing:
        raise InputError(
            f"the web pages need {missing[0]}, which is not installed (pip install regretless[web])"
        )
    from regretless.web.app import serve
    from regretless.web.settings import AcpcSettings, Settings, is_loopback

    if directories is None:
        directories = [path for path in [Path("runs")] if path.is_dir()]
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(16)
    acpc = None
    if acpc_port is not None:
        names = tuple(each.strip() for each in acpc_players.split(","))
        acpc = AcpcSettings(acpc_port, names, acpc_game, acpc_hands, acpc_seed, acpc_seconds)
    settings = Settings(tuple(directories), host, port, token, data, acpc=acpc)
    serve(settings, open_browser=not no_browser, tell=print_line)
