# SPDX-License-Identifier: MIT
"""The rules of the house for the JavaScript and CSS of the studio, which no compiler reads."""

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from regretless.web.studio_pages import STUDIO
from test_house import Limit

LIMITS = {
    "lines of JavaScript": Limit(9_000, 11_600),
    "lines of CSS": Limit(800, 950),
}
COLUMNS = {".js": 120, ".css": 200}
MOST_LINES = 400
MOST_FILES = 15
RANKS = {"lib": 0, "parts": 1, "pages": 3, "": 4}  # folders of single pages have rank 2
SCRIPTS = {"look.js"}  # loaded by the document before the modules
PLAIN = {"ICONS", "RANKS", "SUITS", "actionColours", "cardsOf", "classNames"}
"""Exports of parts that are no components."""

_FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    r"|setAttribute\(\s*[\"']on|javascript:"
)
_NAMED = "white|black|red|green|blue|gray|grey|yellow|orange|silver|gold|navy|teal|purple|pink"
_COLOUR = re.compile(
    rf"#[0-9a-fA-F]{{3,8}}\b|\b(?:rgb|hsl|hwb|lab|oklab|lch|oklch)a?\(|:\s*(?:{_NAMED})\b"
)
_IMPORT = re.compile(
    r"""import\s+(?:\{([^}]*)\}|(\w+)|\*\s+as\s+(\w+))\s+from\s+["']([^"']+)["']"""
)
_DYNAMIC = re.compile(r"""\bimport\(["']([^"']+)["']\)""")
_EXPORT = re.compile(
    r"^export\s+(?:async\s+)?(?:function\*?|class|const|let)\s+(\w+)", re.MULTILINE
)


class Module(NamedTuple):
    """A JavaScript file with what it imports and exports."""

    path: Path
    text: str
    imports: dict[Path, set[str]]
    loads: set[Path]
    exports: set[str]

    @property
    def folder(self) -> str:
        return "" if self.path.parent == STUDIO else self.path.parent.name

    @property
    def body(self) -> str:
        """The text without imports and comments."""
        return re.sub(
            r"/\*.*?\*/|(?<![:\"'])//[^\n]*", "", _IMPORT.sub("", self.text), flags=re.DOTALL
        )


def _module(path: Path) -> Module:
    text = path.read_text("utf-8")
    imports: dict[Path, set[str]] = {}
    for names, default, whole, place in _IMPORT.findall(text):
        given = {each.split(" as ")[0].strip() for each in names.split(",") if each.strip()}
        named = imports.setdefault((path.parent / place).resolve(), set())
        named.update(given | {each for each in (default, whole) if each})
    loads = {(path.parent / place).resolve() for place in _DYNAMIC.findall(text)}
    return Module(path, text, imports, loads, set(_EXPORT.findall(text)))


def _place(path: Path) -> str:
    return str(path.relative_to(STUDIO))


FILES = sorted(each for each in STUDIO.rglob("*") if each.suffix in COLUMNS)
MODULES = {path.resolve(): _module(path) for path in FILES if path.suffix == ".js"}
STYLES = [path for path in FILES if path.suffix == ".css"]


def test_the_form_of_files() -> None:
    wrong = []
    for path in FILES:
        lines = path.read_text("utf-8").splitlines()
        begin = "// SPDX-License-Identifier: MIT" if path.suffix == ".js" else "/* SPDX-License"
        wrong += [f"{_place(path)}: no SPDX line"] * (not lines[0].startswith(begin))
        if path.suffix == ".js" and not re.match(r"// .+", lines[1]):
            wrong.append(f"{_place(path)}: no sentence on what it is")
        wrong += [f"{_place(path)}: {len(lines)} lines"] * (len(lines) > MOST_LINES)
        wrong += [
            f"{_place(path)}:{number}: {len(line)} columns"
            for number, line in enumerate(lines, 1)
            if len(line) > COLUMNS[path.suffix]
        ]
    folders = Counter(path.parent for path in FILES)
    wrong += [f"{_place(each)}: {n} files" for each, n in folders.items() if n > MOST_FILES]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("suffix", "name"), [(".js", "JavaScript"), (".css", "CSS")])
def test_lines(suffix: str, name: str) -> None:
    sizes = {
        _place(path): path.read_bytes().count(b"\n") for path in FILES if path.suffix == suffix
    }
    largest = "\n".join(
        f"{sizes[each]} {each}" for each in sorted(sizes, key=lambda x: -sizes[x])[:15]
    )
    allowed = LIMITS[f"lines of {name}"].allowed
    assert sum(sizes.values()) <= allowed, f"{sum(sizes.values())}, at most {allowed}\n{largest}"


def test_colours_are_tokens() -> None:
    found = [
        f"{_place(path)}:{number}: {match[0]}"
        for path in FILES
        if path.name != "tokens.css"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for match in _COLOUR.finditer(line)
    ]
    assert not found, "\n".join(found)


def test_texts_reach_pages_as_texts() -> None:
    found = [
        f"{_place(path)}: {match}"
        for path in FILES
        for match in _FORBIDDEN.findall(path.read_text("utf-8"))
    ]
    document = (STUDIO / "index.html").read_text("utf-8")
    found += re.findall(r"\son\w+=|<script(?![^>]*\ssrc=)[^>]*>|\sstyle=", document)
    assert not found, "\n".join(found)


def test_imports_exist_and_go_down() -> None:
    wrong = []
    for module in MODULES.values():
        for path, names in module.imports.items():
            place = f"{_place(module.path)} imports {path.relative_to(STUDIO)}"
            other = MODULES.get(path)
            if other is None:
                wrong.append(f"{place}, which is not there")
                continue
            missing = names - other.exports
            wrong += [f"{place}: it has no {', '.join(sorted(missing))}"] * bool(missing)
            rank, below = RANKS.get(module.folder, 2), RANKS.get(other.folder, 2)
            is_beside = module.folder == other.folder and module.folder not in ("pages", "")
            wrong += [f"{place}, which is not below it"] * (below >= rank and not is_beside)
    wrong += [
        f"{_place(module.path)} loads {each}"
        for module in MODULES.values()
        for each in module.loads - MODULES.keys()
    ]
    assert not wrong, "\n".join(wrong)


def test_no_module_imports_itself() -> None:
    """Neither directly nor by way of others."""
    left = {path: set(module.imports) for path, module in MODULES.items()}
    while free := [path for path, needed in left.items() if not needed & left.keys()]:
        for path in free:
            del left[path]
    assert not left, [_place(path) for path in left]


def test_every_module_is_reached() -> None:
    reached, waiting = set[Path](), [(STUDIO / "app.js").resolve()]
    while waiting:
        path = waiting.pop()
        if path not in reached and path in MODULES:
            reached.add(path)
            waiting += [*MODULES[path].imports, *MODULES[path].loads]
    unreached = {_place(path) for path in MODULES.keys() - reached}
    assert unreached == SCRIPTS


def test_nothing_is_imported_or_exported_in_vain() -> None:
    wanted: dict[Path, set[str]] = {}
    wrong = []
    for module in MODULES.values():
        for path, names in module.imports.items():
            wanted.setdefault(path, set()).update(names)
        for clause in _IMPORT.findall(module.text):
            for name in re.findall(r"(\w+)(?:\s*,|\s*$)", ",".join(clause[:3])):
                if not re.search(rf"(?<![\w.$]){name}\b", module.body):
                    wrong.append(f"{_place(module.path)}: {name} is imported and not used")
    for path, module in MODULES.items():
        expected = {"open"} if module.folder == "pages" else set()
        unused = module.exports - wanted.get(path, set()) - expected
        wrong += [f"{_place(path)}: {name} is exported and not imported" for name in sorted(unused)]
    assert not wrong, "\n".join(wrong)


def test_the_design_page_has_every_component() -> None:
    pages = [each for each in MODULES.values() if "design" in (each.folder, each.path.stem)]
    shown = set().union(*(names for page in pages for names in page.imports.values()))
    missing = [
        f"{_place(path)}: {name}"
        for path, module in MODULES.items()
        if module.folder == "parts"
        for name in sorted(module.exports - shown - PLAIN)
    ]
    assert not missing, "\n".join(missing)


def _scripts() -> str:
    return "\n".join(module.text for module in MODULES.values())


def test_styles_have_what_pages_name() -> None:
    """No style is left behind by what it was for."""
    scripts = _scripts() + (STUDIO / "index.html").read_text("utf-8")
    words = set(re.findall(r"[\w-]+", scripts))
    begun = tuple(set(re.findall(r"([\w-]+-)\$\{", scripts)))
    unused = []
    for path in STYLES:
        text = re.sub(
            r"/\*.*?\*/|\"[^\"]*\"|url\([^)]*\)", "", path.read_text("utf-8"), flags=re.DOTALL
        )
        selectors = re.findall(r"([^{}]+)\{", text)
        names = {name for each in selectors for name in re.findall(r"\.([a-zA-Z][\w-]*)", each)}
        unused += [
            f"{_place(path)}: .{n}" for n in names - words if not (begun and n.startswith(begun))
        ]
    assert not unused, "\n".join(sorted(unused))


def test_tokens_are_defined_and_used() -> None:
    texts = {path: path.read_text("utf-8") for path in FILES}
    everything = "\n".join(texts.values())
    defined = set(re.findall(r"(--[\w-]+)[\"']?:", everything))
    used = set(re.findall(r"var\((--[\w-]+)", everything))
    begun = tuple(set(re.findall(r"var\((--[\w-]*)\$\{", everything)))
    missing = {each for each in used - defined if each not in begun}
    assert not missing, f"not defined: {sorted(missing)}"
    tokens = set(re.findall(r"(--[\w-]+):", texts[STUDIO / "style" / "tokens.css"]))
    vain = {
        each for each in tokens - used if not each.startswith(tuple(b for b in begun if b != "--"))
    }
    assert not vain, f"not used: {sorted(vain)}"
