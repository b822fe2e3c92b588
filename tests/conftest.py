# SPDX-License-Identifier: MIT
"""What holds for all tests."""

from hypothesis import settings

# An example may take long because the machine is busy.
settings.register_profile("regretless", deadline=None)
settings.load_profile("regretless")
