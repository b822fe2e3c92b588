# SPDX-License-Identifier: MIT
"""Every page in every size: nothing is cut off, overlaps or scrolls sideways; axe finds nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from regretless.web.studio_pages import STUDIO
from studio_scenes import SCENES, SIZES, SLOW, fill, views
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
    """Measures every size; axe looks at the light look on a screen and the dark one on a phone."""
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    SCENES[scene](page)
    found = dict[str, None]()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        found |= {f"{width} x {height}: {each}": None for each in _defects(page)}
        if (width, height) == SIZES[0]:
            check_access(page)
    page.emulate_media(color_scheme="dark")
    check_access(page)
    assert not found, "\n".join([*found][:30])


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_access(page: Any, scene: str) -> None:
    """Axe finds nothing in any size and look."""
    page.emulate_media(reduced_motion="reduce")
    SCENES[scene](page)
    for _ in views(page):
        check_access(page)


def test_every_module_is_read(page: Any) -> None:
    """No module has an error that only its first use would show."""
    page.goto("/design")
    names = [f"/studio/{each.relative_to(STUDIO).as_posix()}" for each in STUDIO.rglob("*.js")]
    names.remove("/studio/look.js")  # a script of the document
    assert len(names) > 20
    page.evaluate("(names) => Promise.all(names.map((each) => import(each)))", names)
