# SPDX-License-Identifier: MIT
"""Card abstraction: hands that fare alike on the boards to come share a bucket."""
