# SPDX-License-Identifier: MIT
"""The server of `regretless web`: it starts, shows its pages without anything from outside."""

import asyncio
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from regretless import InputError
from regretless.web.app import serve
from regretless.web.settings import Settings
from regretless.web.studio_pages import STUDIO
from web_client import running


def test_pages(tmp_path: Path) -> None:
    """Every address has the document of the studio, which loads nothing from elsewhere."""

    async def visit() -> None:
        async with running(Settings(data=tmp_path)) as client:
            page = await client.get("/")
            assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
            assert page.headers["content-security-policy"].startswith("default-src 'self'; ")
            texts = page.text
            for address in ("/study/hunl-deep-cfr?line=x", "/api/docs", "/no/such", "/%00"):
                found = await client.get(address)
                assert found.status_code == (404 if address in ("/no/such", "/%00") else 200)
                texts += found.text
            loaded = set(re.findall(r"""(?:src|href)=["']([^"']+)""", texts))
            assert page.text.count('rel="stylesheet"') == 1  # one request for all styles
            style = (await client.get("/studio/style.css")).text
            assert all(each.read_text("utf-8") in style for each in STUDIO.glob("style/*.css"))
            assert style.startswith((STUDIO / "style" / "tokens.css").read_text("utf-8"))
            assert len(loaded) > 15 and all(each.startswith("/studio/") for each in loaded)
            for each in loaded:
                found = await client.get(each)
                kind = found.headers["content-type"]
                assert found.status_code == 200 and kind.startswith(("text/", "image/"))
                assert "http:" not in re.sub(r"http://www.w3.org/\d+/svg", "", found.text)
            assert (await client.get("/studio/%2e%2e/studio_pages.py")).status_code == 404
            assert (await client.get("/studio/none.js")).status_code == 404

    asyncio.run(visit())


def test_command_line_without_fastapi() -> None:
    script = (
        "import sys; sys.modules.update(fastapi=None, uvicorn=None)\n"
        "import regretless.cli; regretless.cli.main(['web'])"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert told.returncode == 2
    assert re.fullmatch(r"error: .*fastapi.*regretless\[web\].*\n", told.stderr)


def test_a_missing_directory_is_one_line(tmp_path: Path) -> None:
    arguments = ["web", str(tmp_path / "none"), "--no-browser"]
    told = subprocess.run(
        [sys.executable, "-m", "regretless.cli", *arguments], capture_output=True, text=True
    )
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
    assert "none: no such directory" in told.stderr


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}: "):
            serve(Settings(port=port, data=tmp_path), open_browser=False, tell=pytest.fail)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "x" * 300, "a\nb", "\udc80", "1.2.3.4.5"])
def test_hosts_that_are_none_are_one_line(tmp_path: Path, host: str) -> None:
    settings = Settings(host=host, port=0, token="secret-token", data=tmp_path)
    with pytest.raises(InputError, match="port 0"):
        serve(settings, open_browser=False, tell=pytest.fail)


def test_what_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("x")
    with pytest.raises(InputError, match="neither"):
        Settings((tmp_path / "text",))
    with pytest.raises(InputError, match="text"):
        serve(Settings(data=tmp_path / "text", port=0), open_browser=False, tell=pytest.fail)
