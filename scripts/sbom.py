# SPDX-License-Identifier: MIT
"""Print what is installed with regretless as a CycloneDX bill of materials (make sbom)."""

import json
import re
import sys
from importlib.metadata import Distribution, distribution, distributions

FORMAT = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1}


def component(found: Distribution, kind: str = "library") -> dict[str, object]:
    """Returns the name, version, licence and address of a package."""
    name = re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower()
    place = f"pkg:pypi/{name}@{found.version}"
    made: dict[str, object] = {"type": kind, "name": name, "version": found.version}
    licence = found.metadata.get("License-Expression")
    licences = {"licenses": [{"expression": licence}]} if licence else {}
    return {**made, "bom-ref": place, "purl": place, **licences}


def main() -> None:
    packages = {each.metadata["Name"].lower(): each for each in distributions()}
    own = component(distribution("regretless"), "application")
    rest = [component(each) for name, each in sorted(packages.items()) if name != "regretless"]
    json.dump({**FORMAT, "metadata": {"component": own}, "components": rest}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
