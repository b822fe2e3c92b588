# SPDX-License-Identifier: MIT
"""Nodes of solved trees and of policies, as an explorer shows them."""
