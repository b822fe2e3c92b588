# SPDX-License-Identifier: MIT
"""Every page in every size: nothing is cut off, overlaps or scrolls sideways; axe finds nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from regretless.web.studio_pages import STUDIO
from studio_scenes import LOOKS, SCENES, SIZES, SLOW, fill
from web_browser import check_access, settle

MEASURE = (Path(__file__).parents[2] / "drivers" / "layout.js").read_text("utf-8")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    fill(path)
    return path


def _marks(scene: str) -> Any:
    return pytest.mark.slow if scene in SLOW else ()


def _defects(page: Any) -> Iterator[str]:
    """Measures the page at its top and at its end."""
    for place in ("0", "document.documentElement.scrollHeight"):
        page.evaluate(f"scrollTo(0, {place})")
        yield from page.evaluate(MEASURE)


@pytest.mark.parametrize("scene", [pytest.param(each, marks=_marks(each)) for each in SCENES])
def test_layout(page: Any, scene: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    SCENES[scene](page)
    found = dict[str, None]()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        found |= {f"{width} x {height}: {each}": None for each in _defects(page)}
    page.evaluate("scrollTo(0, 0)")
    for look in LOOKS:  # at the last size, that of a phone, and at the first
        page.emulate_media(color_scheme=look)
        check_access(page)
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    check_access(page)
    assert not found, "\n".join([*found][:30])


def test_every_module_is_read(page: Any) -> None:
    """No module has an error that only its first use would show."""
    page.goto("/design")
    names = [f"/studio/{each.relative_to(STUDIO).as_posix()}" for each in STUDIO.rglob("*.js")]
    names.remove("/studio/look.js")  # a script of the document
    assert len(names) > 20
    page.evaluate("(names) => Promise.all(names.map((each) => import(each)))", names)
