# SPDX-License-Identifier: MIT
"""Policy objects of OpenSpiel as policies of this package, to be measured and matched."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.explicit.explicit_game import ExplicitGame
from regretless.explicit.open_spiel import OpenSpielGame
from regretless.explicit.python_game import CHANCE
from regretless.games import Game
from regretless.games.loading import play_at_table
from regretless.policies.policy import TablePolicy, tree_policy


def is_spiel_policy(player: object) -> bool:
    """Whether an object is a policy of OpenSpiel, in Python or in C++: it has its method."""
    return callable(getattr(player, "action_probabilities", None))


def spiel_game(policy: Any) -> ExplicitGame:
    """The game of a policy; InputError for one of C++, which does not name its game."""
    game = getattr(policy, "game", None)
    if game is None:
        raise InputError(f"{_name(policy)}: has no game; give game='openspiel:NAME'")
    return play_at_table(OpenSpielGame(game), str(game))


def spiel_policy(policy: Any, game: Game) -> TablePolicy:
    """The policy over all infosets of its game, which must be one of OpenSpiel."""
    if not isinstance(game, ExplicitGame):
        raise InputError(
            f"{_name(policy)}: a policy of OpenSpiel plays games of OpenSpiel, not {game.name}: "
            "give game='openspiel:NAME'"
        )
    found = tree_policy(game, game.tree, _strategy(policy, game))
    return TablePolicy(found.table, _name(policy))


def _strategy(policy: Any, game: ExplicitGame) -> NDArray[np.float64]:
    """Probabilities [infosets, max_actions]; each infoset is asked at the first of its states."""
    spiel, tree = OpenSpielGame(getattr(policy, "game", None) or game.name), game.tree
    strategy = np.zeros((tree.num_infosets, tree.max_actions))
    is_asked = np.zeros(tree.num_infosets, bool)
    waiting = [(0, spiel.root())]
    while waiting:
        node, state = waiting.pop()
        count, infoset = int(tree.num_children[node]), int(tree.infosets[node])
        if count == 0:
            continue
        actor = spiel.actor(state)
        if actor == CHANCE:
            actions = [label for label, _ in spiel.chance(state)]
        else:
            actions = spiel.actions(state)
        if len(actions) != count or actor != tree.actors[node]:
            raise InputError(f"{_name(policy)}: its game is not {game.name}")
        if infoset >= 0 and not is_asked[infoset]:
            is_asked[infoset] = True
            row = policy.action_probabilities(state)
            strategy[infoset, :count] = [float(row.get(each.key, 0.0)) for each in actions]
            _check(strategy[infoset], policy, tree.infoset_names[infoset])
        first = int(tree.first_children[node])
        waiting += [(first + k, spiel.next(state, each)) for k, each in enumerate(actions)]
    return strategy


def _check(row: NDArray[np.float64], policy: Any, infoset: str) -> None:
    if not (row >= 0).all() or not math.isclose(float(row.sum()), 1.0, abs_tol=1e-6):
        said = "are no probabilities of sum 1"
        raise InputError(f"{_name(policy)}: its answers at infoset {infoset!r} {said}")


def _name(policy: Any) -> str:
    return f"OpenSpiel's {type(policy).__name__}"
