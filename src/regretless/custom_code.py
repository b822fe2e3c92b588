# SPDX-License-Identifier: MIT
"""Custom code of users: `package.module:Name` or `path/to/file.py:Name`.

An exception in custom code becomes one line that names the code and the line of its file.
"""

import hashlib
import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from regretless.errors import InputError

_FROM_FILE = "custom code "  # begins the names of modules that were loaded from a file


def is_custom_code(text: str) -> bool:
    """Whether the text names custom code by its module or file."""
    return ":" in text or text.endswith(".py")


def load_custom(source: str, what: str, example: str) -> Any:
    """Loads `module:Name` or `file.py:Name`: a class or function that makes a `what`."""
    module_name, _, name = source.rpartition(":")
    if not module_name or not name:
        raise InputError(f"{source}: name the {what} too, as in {example}")
    module = _load(module_name, source)
    found = vars(module).get(name)
    if found is None:
        known = [each for each in vars(module) if not each.startswith("_")]
        raise InputError.unknown(f"{source}: there is no {name!r}", name, known)
    if not callable(found):
        raise InputError(f"{source}: {name!r} is no class or function that makes a {what}")
    return found


def custom_file(source: str) -> Path | None:
    """The file of `path/to/file.py:Name`; None for modules and other texts."""
    file = source.rpartition(":")[0] or source
    return Path(file) if file.endswith(".py") else None


def custom_sha256(source: str) -> str | None:
    """The SHA-256 of the file of a source; None without a file."""
    file = custom_file(source)
    if file is None or not file.is_file():
        return None
    return hashlib.sha256(file.read_bytes()).hexdigest()


def code_sha256(source: str) -> str:
    """The SHA-256 of the file of `package.module:Name` or `path/to/file.py:Name`."""
    file = custom_file(source)
    if file is None:
        module = _load(source.rpartition(":")[0], source)
        file = Path(getattr(module, "__file__", None) or "")
    if not file.is_file():
        raise InputError(f"{source}: there is no file {str(file)!r}")
    return hashlib.sha256(file.read_bytes()).hexdigest()


def source_of(kind: type) -> str:
    """The source by which another process loads a class: its module, or the file it was in."""
    is_module = kind.__module__ != "__main__" and not kind.__module__.startswith(_FROM_FILE)
    place = kind.__module__ if is_module else str(Path(inspect.getfile(kind)).resolve())
    return f"{place}:{kind.__name__}"


def check_same(source: str, sha256: str) -> None:
    """Raises InputError if custom code is missing, or is other code than that of this hash."""
    if (found := code_sha256(source)) != sha256:
        raise InputError(
            f"{source}: other code than the learner's (SHA-256 {found[:12]}..., there "
            f"{sha256[:12]}...)"
        )


def check_unchanged(source: str, sha256: str | None, since: str) -> None:
    """Raises InputError if the file of the source no longer has this hash."""
    if sha256 is None:
        return
    found = custom_sha256(source)
    if found is None:
        raise InputError(f"{source}: the file is not there any more, and {since} needs it")
    if found != sha256:
        raise InputError(
            f"{source}: the file has changed since {since} began (SHA-256 {found[:12]}..., then "
            f"{sha256[:12]}...); put the old one back, or begin anew"
        )


def at_home(source: str, folder: Path) -> str:
    """The source with the absolute path of its file, which is looked up in `folder` first."""
    file = custom_file(source)
    if file is None:
        return source
    found = folder / file if (folder / file).is_file() else file
    name = source.rpartition(":")[2]
    return f"{found.resolve()}:{name}"


@contextmanager
def naming(source: str, doing: str) -> Iterator[None]:
    """Turns exceptions of custom code into one line with the place."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        message = " ".join(str(error).split())
        what = f"{type(error).__name__}{': ' if message else ''}{message}"
        raise InputError(f"{source}: {doing} raises {what}{_place(error)}") from error


def _load(module_name: str, source: str) -> ModuleType:
    if module_name.endswith(".py"):
        return _load_file(Path(module_name), source)
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does
    with naming(source, f"importing {module_name}"):
        try:
            return importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
                raise
            raise InputError(f"{source}: there is no module {error.name!r}") from None


def _load_file(path: Path, source: str) -> ModuleType:
    if not path.is_file():
        raise InputError(f"{source}: there is no file {str(path)!r}")
    code = path.read_bytes()
    digest = hashlib.sha256(code).hexdigest()
    name = f"{_FROM_FILE}{path.resolve()} {digest[:16]}"  # no name that an import could mean
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look for their module there
    try:
        with naming(source, f"importing {path}"):
            exec(compile(code, str(path), "exec"), module.__dict__)
    except InputError:
        del sys.modules[name]
        raise
    return module


def _place(error: Exception) -> str:
    """Returns ` (my_bot.py, line 12)`: the innermost line outside this package and importlib."""
    if isinstance(error, SyntaxError):
        return f" ({Path(error.filename or '').name}, line {error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    ours = (str(Path(__file__).parent), "<frozen")
    lines = [each for each in frames if not each.filename.startswith(ours)]
    return f" ({Path(lines[-1].filename).name}, line {lines[-1].lineno})" if lines else ""
