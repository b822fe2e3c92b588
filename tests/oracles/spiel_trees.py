# SPDX-License-Identifier: MIT
"""Games and strategies of OpenSpiel as ours."""

from functools import cache

import numpy as np
import pytest

from regretless.explicit.explicit_tree import enumerate_tree
from regretless.explicit.open_spiel import OpenSpielGame


@cache
def spiel_tree(name):
    """The tree of a game, kept for the next test; without OpenSpiel the test is skipped."""
    pytest.importorskip("pyspiel")
    return enumerate_tree(OpenSpielGame(name))


def spiel_strategy(tree, policy_table):
    """The numbers of a tabular policy of OpenSpiel.  [infosets, max_actions]"""
    strategy = np.zeros((tree.num_infosets, tree.max_actions))
    for row, name in zip(strategy, tree.infoset_names, strict=True):
        probabilities = [probability for _, probability in sorted(policy_table[name])]
        row[: len(probabilities)] = probabilities
    return strategy
