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


@pytest.fixture
def stage(scene: str, request: pytest.FixtureRequest) -> Any:
    """The page of a scene; that of an address without a page has an error in its console."""
    return request.getfixturevalue("loose" if scene == "missing-page" else "page")


def _marks(scene: str) -> Any:
    return pytest.mark.slow if scene in SLOW else ()


PLANTED = """() => {
    const add = (tag, text, style) => {
        const element = document.createElement(tag);
        element.textContent = text;
        Object.assign(element.style, style);
        document.querySelector('main').prepend(element);
        return element;
    };
    add('div', 'wide', { width: '4000px' });
    add('div', 'a text longer than its box', { width: '40px', overflow: 'hidden',
        whiteSpace: 'nowrap' });
    add('div', 'a text that leaves its box', { width: '40px', whiteSpace: 'nowrap' });
    add('button', 'small', { width: '20px' });
    for (const left of ['100px', '120px'])
        add('button', 'two', { position: 'absolute', top: '300px', left, width: '60px' });
    for (const left of ['100px', '110px'])
        add('span', 'over', { position: 'absolute', top: '500px', left });
    add('div', 'scrolls '.repeat(90), { width: '60px', height: '40px', overflow: 'auto' });
}"""
KINDS = (
    "scrolls sideways",
    "cut off",
    "outside of its box",
    "target too small",
    "controls overlap",
    "texts overlap",
    "cannot be scrolled by keyboard",
)


def _defects(page: Any) -> Iterator[str]:
    """Measures the page at its top and at its end."""
    for place in ("0", "document.documentElement.scrollHeight"):
        page.evaluate(f"scrollTo(0, {place})")
        yield from page.evaluate(MEASURE)


@pytest.mark.parametrize("scene", [pytest.param(each, marks=_marks(each)) for each in SCENES])
def test_layout(stage: Any, scene: str) -> None:
    """Measures every size; axe looks at the light look on a screen and the dark one on a phone."""
    stage.emulate_media(reduced_motion="reduce", color_scheme="light")
    SCENES[scene](stage)
    found = dict[str, None]()
    for width, height in SIZES:
        stage.set_viewport_size({"width": width, "height": height})
        settle(stage)
        found |= {f"{width} x {height}: {each}": None for each in _defects(stage)}
        if (width, height) == SIZES[0]:
            check_access(stage)
    stage.emulate_media(color_scheme="dark")
    check_access(stage)
    assert not found, "\n".join([*found][:30])


def test_defects_are_found(page: Any) -> None:
    """The measure finds what is planted."""
    page.goto("/api/docs")
    page.locator("summary").first.wait_for()
    assert not list(_defects(page))
    page.evaluate(PLANTED)
    found = list(_defects(page))
    assert {kind for kind in KINDS if any(each.startswith(kind) for each in found)} == set(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_access(stage: Any, scene: str) -> None:
    """Axe finds nothing in any size and look."""
    stage.emulate_media(reduced_motion="reduce")
    SCENES[scene](stage)
    for _ in views(stage):
        check_access(stage)


def test_every_module_is_read(page: Any) -> None:
    """No module has an error that only its first use would show."""
    page.goto("/design")
    names = [f"/studio/{each.relative_to(STUDIO).as_posix()}" for each in STUDIO.rglob("*.js")]
    names.remove("/studio/look.js")  # a script of the document
    assert len(names) > 20
    page.evaluate("(names) => Promise.all(names.map((each) => import(each)))", names)
