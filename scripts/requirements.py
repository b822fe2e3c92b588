# SPDX-License-Identifier: MIT
"""Print what regretless and the extras named need, as pyproject.toml says, for pip install -r."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
for extra in sys.argv[1:]:
    print(*project["optional-dependencies"][extra], sep="\n")
print(*project["dependencies"], sep="\n")
