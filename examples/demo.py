# SPDX-License-Identifier: MIT
"""`make demo`: train on Leduc, show the progress, and leave a bundle that can play."""

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path("runs/demo")


def regretless(*arguments: str) -> None:
    print(f"\n$ regretless {' '.join(arguments)}", flush=True)
    command = [sys.executable, "-m", "regretless", *arguments]
    subprocess.run(command, check=True)


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    harder = ("algorithm.name=cfr+", "budget.target=1e-6")  # so that there is something to see
    regretless("train", "configs/leduc_cfr.yaml", f"output={FOLDER}", *harder)
    regretless("evaluate", str(FOLDER))
    regretless("bundle", "info", str(FOLDER / "bundle"))
    regretless("bundle", "list")
    print(
        f"\nEverything is in {FOLDER}; the strategy in {FOLDER / 'bundle'}. Go on with\n"
        f"  .venv/bin/regretless play {FOLDER / 'bundle'}\n"
        f"  .venv/bin/regretless match {FOLDER / 'bundle'} random\n"
        "hunl-deep-cfr comes with the package: heads-up no-limit hold'em, 100 big blinds. Play:\n"
        "  .venv/bin/regretless play nlhe\n"
        "All of it in a browser, with the curve of this run:\n"
        f"  .venv/bin/regretless web {FOLDER}"
    )


if __name__ == "__main__":
    main()
