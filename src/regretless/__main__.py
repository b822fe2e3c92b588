# SPDX-License-Identifier: MIT
"""`python -m regretless`."""

from regretless.cli import main

main()
