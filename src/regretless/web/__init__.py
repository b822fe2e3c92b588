# SPDX-License-Identifier: MIT
"""Pages and a JSON API in one process, for this machine: `regretless web`."""
