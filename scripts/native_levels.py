# SPDX-License-Identifier: MIT
"""The native tests at other levels than the one that is built: `below` it, under the address and
undefined-behaviour sanitizers, or at `all` of them.

Every level is compiled by itself, with warnings as errors, and run by this processor or, where it
cannot, by qemu. What fails or cannot be done is said in one line at the end; the rest still runs.
"""

import argparse
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regretless.levels import processor_levels

ROOT = Path(__file__).parent.parent
BIN = Path(sysconfig.get_path("scripts"))
AARCH64 = ("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64")
# Processors that have a level and nothing above it, less what qemu warns that it lacks.
NEHALEM = "Nehalem"
HASWELL = "Haswell-noTSX,pcid=off,x2apic=off,tsc-deadline=off,invpcid=off"
# What emulators run of the tests: the figures that all levels share, and each kind of work once.
BRIEF = ("level", "leduc", "strength", "self_play", "turn_is_the_same")

PARTS = 2  # processes that share the tests


@dataclass(frozen=True)
class Run:
    """The tests, or those with a name that contains one of `names`, behind an emulator or none."""

    emulator: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(self.emulator) or "this processor"


@dataclass(frozen=True)
class Build:
    level: str
    runs: tuple[Run, ...]
    compiler: str = ""  # cmake's choice
    settings: tuple[str, ...] = ()
    optimization: str = "-O3"  # as it is shipped

    @property
    def name(self) -> str:
        return f"{self.level} with {self.compiler}" if self.compiler else self.level

    @property
    def folder(self) -> Path:
        kind = "-sanitized" if any("SANITIZE" in each for each in self.settings) else ""
        return ROOT / "build" / (self.name.replace(" ", "-") + self.optimization + kind)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=("below", "all"))
    parser.add_argument("--level", default="native", help="the level that is built")
    arguments = parser.parse_args()
    runnable = processor_levels()
    if arguments.which == "all":
        builds = _all_builds(runnable)
    else:
        settings = ("-DREGRETLESS_SANITIZE=quick",)
        builds = [Build(_below(arguments.level, runnable), (Run(),), settings=settings)]
    problems = [problem for build in builds for problem in _check(build)]
    sys.exit("\n".join(problems) or None)


def _below(level: str, runnable: Sequence[str]) -> str:
    """The next level under the one named (`native`: the best of the processor), or the least."""
    if level != "native" and level not in runnable:
        sys.exit(f"the tests of {level} need a processor that runs it; this one is {runnable[0]}")
    place = 0 if level == "native" else runnable.index(level)
    return runnable[min(place + 1, len(runnable) - 1)]


def _all_builds(runnable: Sequence[str]) -> list[Build]:
    qemu = "qemu-x86_64"
    here = {
        level: Run() if level in runnable else Run((qemu, "-cpu", "max"), BRIEF)
        for level in ("x86-64-v2", "x86-64-v3", "x86-64-v4")
    }
    return [
        Build("x86-64-v2", (here["x86-64-v2"], Run((qemu, "-cpu", NEHALEM), BRIEF))),
        Build("x86-64-v3", (here["x86-64-v3"], Run((qemu, "-cpu", HASWELL), BRIEF))),
        Build("x86-64-v4", (here["x86-64-v4"],)),
        Build("x86-64-v3", (here["x86-64-v3"],), "clang++"),
        Build(
            "aarch64",
            (Run(("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")),),
            "aarch64-linux-gnu-g++",
            AARCH64,
        ),
    ]


def _check(build: Build) -> list[str]:
    """Compile and run; what went wrong, a line each."""
    name = build.name
    if build.compiler and not shutil.which(build.compiler):
        return [f"{name}: not compiled, {build.compiler} is missing (make cross-tools)"]
    began = time.monotonic()
    if not _compile(build):
        return [f"{name}: does not compile"]
    print(f"== {name}: compiled in {time.monotonic() - began:.0f} s", flush=True)
    problems = []
    for run in build.runs:
        if run.emulator and not shutil.which(run.emulator[0]):
            problems.append(f"{name}: not run, {run.emulator[0]} is missing (make cross-tools)")
        elif run.emulator and build.level == "x86-64-v4":
            print(f"== {name}: compiled, not run: neither this processor nor qemu has AVX-512")
        else:
            print(f"== {name}: {run}", flush=True)
            began = time.monotonic()
            program = [*run.emulator, str(build.folder / "native_tests")]
            parts = [[*program, f"{part}/{PARTS}", *run.names] for part in range(PARTS)]
            processes = [subprocess.Popen(part, cwd=ROOT) for part in parts]
            statuses = [process.wait() for process in processes]
            if any(statuses):
                problems.append(f"{name}: tests fail on {run}")
            print(f"== {name}: ran for {time.monotonic() - began:.0f} s", flush=True)
    return problems


def _compile(build: Build) -> bool:
    configure = [
        *(BIN / "cmake", "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={BIN / 'ninja'}"),
        *("-S", ROOT, "-B", build.folder, f"-DREGRETLESS_LEVELS={build.level}"),
        "-DREGRETLESS_TESTS=ON",
        *([f"-DCMAKE_CXX_COMPILER={build.compiler}"] if build.compiler else []),
        # Not -O2, at which g++ 12 takes arrays of sampled_walk.h for uninitialized.
        *("-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_FLAGS={build.optimization}"),
        *build.settings,
    ]
    compile_all = [BIN / "cmake", "--build", build.folder]
    for command in (configure, compile_all):
        quiet = subprocess.DEVNULL if command is configure else None
        if subprocess.run(command, stdout=quiet).returncode != 0:
            return False
    return True


if __name__ == "__main__":
    main()
