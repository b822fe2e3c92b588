# SPDX-License-Identifier: MIT
from regretless.cli import main

main()
