# SPDX-License-Identifier: MIT
"""The text of a file that the user named, plain or as YAML.

YAML is read as configs need it: what is there is what it looks like, and it stays small. No tags,
no key twice, no keys over several lines, no numbers that begin with 0 or count in sixties (YAML 1.1
reads 010 as 8 and 1:30 as 90), few aliases and little nesting. `1e-4`, which YAML 1.1 reads as a
word, is a number; a date is a word.
"""

import os
import re
import stat
from pathlib import Path
from typing import Any

import yaml

from regretless.errors import InputError

_MOST_BYTES = 1 << 30
_MOST_PIPED = 1 << 26  # of what has no size, and maybe no end
_MOST_CHARACTERS = 1_000_000
_MOST_NODES = 10_000  # with everything that aliases stand for
_MOST_NESTED = 40
_INT, _FLOAT, _STR = (f"tag:yaml.org,2002:{name}" for name in ("int", "float", "str"))
_ODD_NUMBER = re.compile(r"[-+]?(0[0-9_]+|[0-9][0-9_]*(:[0-9]+)+(\.[0-9_]*)?)")


def read_text(path: str | Path) -> str:
    """The whole file; InputError names it if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            is_plain = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            most = _MOST_BYTES if is_plain else _MOST_PIPED
            content = file.read(most + 1)
        if len(content) > most:
            raise InputError(f"{path}: more than the {most:,} bytes that are read")
        return content.decode().replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except InputError:
        raise
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
    except ValueError as error:
        raise InputError(f"{str(path)!r}: {error}") from None


def read_yaml(path: str | Path) -> Any:
    """Reads a YAML file; InputError names the line and column of a problem."""
    return parse_yaml(read_text(path), str(path))


def parse_yaml(text: str, place: str) -> Any:
    """Parses a YAML text; InputError names `place`, line and column."""
    if len(text) > _MOST_CHARACTERS:
        raise InputError(f"{place}: more than {_MOST_CHARACTERS:,} characters of YAML")
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = str(getattr(error, "problem", None) or error).splitlines()[0]
        raise InputError(f"{place}: {where}{problem}") from None
    except (RecursionError, ArithmeticError, ValueError) as error:
        raise InputError(f"{place}: {error}") from None


def format_yaml(tree: Any) -> str:
    """A YAML text, which `parse_yaml` reads back as it was."""
    return yaml.dump(tree, Dumper=_Dumper, sort_keys=False, allow_unicode=True)


class _Dumper(yaml.SafeDumper):
    """Quotes all words that the loader would take for something else."""


class _Loader(yaml.SafeLoader):
    """Refuses while the nodes are composed, before anything is made of them."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._nested = self._count = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if getattr(event, "tag", None) is not None:
            raise _refused(event.start_mark, f"tags such as {event.tag!r} are not read here")
        self._nested, self._count = self._nested + 1, self._count + 1
        if self._count > _MOST_NODES:
            raise _refused(event.start_mark, f"more than {_MOST_NODES:,} values")
        if self._nested > _MOST_NESTED:
            raise _refused(event.start_mark, "nested too deeply")
        node = super().compose_node(parent, index)
        self._nested -= 1
        return node

    def compose_document(self) -> Any:
        node = super().compose_document()
        if node is not None:
            _check(node)
        return node


def _check(root: yaml.Node) -> None:
    """Raise on keys and numbers that mislead, and if aliases make it large or endless."""
    sizes: dict[int, int | None] = {}  # None: still being counted

    def size(node: yaml.Node) -> int:
        if id(node) in sizes:
            known = sizes[id(node)]
            if known is None:
                raise _refused(node.start_mark, "an alias stands inside of what it stands for")
            return known
        sizes[id(node)] = None
        total = 1
        if isinstance(node, yaml.ScalarNode):
            _check_number(node)
        elif isinstance(node, yaml.MappingNode):
            _check_keys(node)
            total += sum(size(key) + size(value) for key, value in node.value)
        else:
            total += sum(map(size, node.value))
        if total > _MOST_NODES:
            raise _refused(node.start_mark, f"more than {_MOST_NODES:,} values, aliases counted")
        sizes[id(node)] = total
        return total

    size(root)


def _check_number(node: yaml.ScalarNode) -> None:
    if node.tag in (_INT, _FLOAT) and _ODD_NUMBER.fullmatch(node.value):
        raise _refused(node.start_mark, f"{node.value!r} is not written as numbers are here")


def _check_keys(node: yaml.MappingNode) -> None:
    seen = set[str]()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag != _STR:
            value = repr(key.value) if isinstance(key, yaml.ScalarNode) else "this"
            raise _refused(key.start_mark, f"a key must be a word, and {value} is none")
        if not key.value.isprintable():
            raise _refused(key.start_mark, f"a key must be on one line, not {key.value!r}")
        if key.value in seen:
            raise _refused(key.start_mark, f"the key {key.value!r} is given twice")
        seen.add(key.value)


def _refused(mark: Any, problem: str) -> yaml.YAMLError:
    return yaml.constructor.ConstructorError(None, None, problem, mark)


# Words that mean more than themselves; dates, `=` and `<<` mean no more than they say.
_Loader.yaml_implicit_resolvers = {
    first: [row for row in rows if row[0].rpartition(":")[2] in ("bool", "float", "int", "null")]
    for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _kind in (_Loader, _Dumper):
    _kind.add_implicit_resolver(
        _FLOAT,
        re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE][-+]?[0-9]+"),
        list("-+.0123456789"),
    )
    _kind.add_implicit_resolver(_INT, _ODD_NUMBER, list("-+0123456789"))
