# SPDX-License-Identifier: MIT
"""Commands on hands that were played elsewhere."""
