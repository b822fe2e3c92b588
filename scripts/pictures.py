# SPDX-License-Identifier: MIT
"""Takes pictures of every page of `regretless web` in both looks and three sizes: make pictures.

    python scripts/pictures.py               # all of them; needs playwright and a Chromium
    python scripts/pictures.py study play    # these pages alone

They are written to build/pictures, with index.html to see them side by side. Those that the
documentation shows go to docs/images as well, with a sheet of all of them for each size.
"""

import html
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from studio_scenes import LOOKS, SCENES, SIZES, fill, views
from web_browser import browser_path, served

ROOT = Path(__file__).parent.parent
OUTPUT = ROOT / "build" / "pictures"
IMAGES = ROOT / "docs" / "images"
LARGE, _, PHONE = SIZES
SHEET_WIDTH = 240  # pixels of one picture on a sheet of all
SEEDED = "{ let n = 7; Math.random = () => (n = (16807 * n) % 2147483647) / 2147483647; }"
DOCUMENTED = {
    "web_home": ("home-recent", "dark", LARGE),
    "web_study": ("study-turn", "dark", LARGE),
    "web_tree": ("tree-leduc", "light", LARGE),
    "web_solve": ("solve-done", "light", LARGE),
    "web_preflop": ("preflop-six", "dark", LARGE),
    "web_table": ("play-six", "dark", LARGE),
    "web_practice": ("practice-answer", "dark", LARGE),
    "web_runs": ("runs-curves", "light", LARGE),
    "web_cross": ("cross-result", "light", LARGE),
    "web_design": ("design-all", "light", LARGE),
    "web_study_phone": ("study-turn", "light", PHONE),
    "web_table_phone": ("play-two", "dark", PHONE),
}


def main() -> None:
    OUTPUT.mkdir(parents=True, exist_ok=True)
    wanted = [each for each in SCENES if not sys.argv[1:] or each.split("-")[0] in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        directory = Path(folder) / "library"
        directory.mkdir()
        fill(directory)
        path = browser_path()
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        with served(directory, Path(folder) / "data") as address:
            for scene in wanted:
                print(scene, flush=True)
                context = browser.new_context(base_url=address, reduced_motion="reduce")
                context.set_default_timeout(30_000)
                context.add_init_script(SEEDED)
                page = context.new_page()
                SCENES[scene](page)
                for look, size in views(page):
                    page.evaluate("scrollTo(0, 0)")
                    page.screenshot(path=OUTPUT / _file(scene, look, size))
                context.close()
        browser.close()
    _write_index()
    for name, shown in DOCUMENTED.items():
        if shown[0] in wanted:
            _reduce(Image.open(OUTPUT / _file(*shown)), IMAGES / f"{name}.png")
    if wanted == [*SCENES]:
        for width, height in SIZES:
            _reduce(_sheet((width, height)), IMAGES / f"web_all_{width}.png")


def _sheet(size: tuple[int, int]) -> Image.Image:
    """All states in one size, small, the dark look beside the light one."""
    shape = SHEET_WIDTH, round(SHEET_WIDTH * size[1] / size[0])
    columns = 6 if size[0] > size[1] else 12
    files = [_file(scene, look, size) for scene in SCENES for look in LOOKS]
    rows = -(-len(files) // columns)
    sheet = Image.new("RGB", (columns * shape[0], rows * shape[1]))
    for place, file in enumerate(files):
        small = Image.open(OUTPUT / file).convert("RGB").resize(shape)
        sheet.paste(small, (place % columns * shape[0], place // columns * shape[1]))
    return sheet


def _file(scene: str, look: str, size: tuple[int, int]) -> str:
    return f"{scene}-{look}-{size[0]}x{size[1]}.png"


def _reduce(image: Image.Image, target: Path) -> None:
    """Writes a picture with 256 colours, which is a third of its size."""
    kept = image.convert("RGB").quantize(
        256, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE
    )
    kept.save(target, optimize=True)


def _write_index() -> None:
    """A page with all pictures, a row for each state."""
    rows = []
    for scene in SCENES:
        names = [_file(scene, look, size) for size in SIZES for look in LOOKS]
        found = [each for each in names if (OUTPUT / each).exists()]
        shown = "".join(
            f'<a href="{each}"><img src="{each}" alt="{each}" height="300" loading="lazy"></a>\n'
            for each in map(html.escape, found)
        )
        rows.append(f"<h2>{html.escape(scene)}</h2>\n<p>{shown}</p>\n")
    text = "".join(rows)
    page = f"<!doctype html><meta charset=utf-8><title>Pictures</title>\n<body>\n{text}</body>\n"
    (OUTPUT / "index.html").write_text(page, encoding="utf-8")
    print(OUTPUT / "index.html")


if __name__ == "__main__":
    main()
