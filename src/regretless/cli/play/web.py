# SPDX-License-Identifier: MIT
"""`regretless web`: pages and an API for this machine."""

import secrets
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from regretless.cli.output import print_line
from regretless.errors import InputError

_NEEDED = ("fastapi", "uvicorn")


def web(
    directories: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[DIR]...",
            help="Directories of bundles, runs and .onnx files.",
            show_default="runs, if it exists",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; other machines need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the host.")] = 8600,
    token: Annotated[
        str | None,
        typer.Option(
            help="Token of every request.", show_default="none on this machine, else a new one"
        ),
    ] = None,
    data: Annotated[
        Path, typer.Option(help="Directory of finished hands, solutions and runs.")
    ] = Path("runs/web"),
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser.")
    ] = False,
) -> None:
    """Explore, play and solve in a browser; programs use the JSON API under /api."""
    missing = [each for each in _NEEDED if find_spec(each) is None]
    if missing:
        raise InputError(
            f"the web pages need {missing[0]}, which is not installed (pip install regretless[web])"
        )
    from regretless.web.app import serve
    from regretless.web.settings import Settings, is_loopback

    if directories is None:
        directories = [path for path in [Path("runs")] if path.is_dir()]
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(16)
    settings = Settings(tuple(directories), host, port, token, data)
    serve(settings, open_browser=not no_browser, tell=print_line)
