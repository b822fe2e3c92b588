# SPDX-License-Identifier: MIT
"""An explicit game as public states and private hands, for solvers over public states.

Hands are dealt once, before anybody moves, and all actions are public. A public state is then a
sequence of actions, and a history is a public state with a deal. Every ending has a payoff for each
pair of hands, and each pair has the probability of its deal.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.explicit.enumeration import Enumeration
from regretless.explicit.explicit_tree import ExplicitTree
from regretless.explicit.python_game import CHANCE, TERMINAL

_DIGITS = 12  # of payoffs, to compare endings and subgames
_MOST_BYTES = 1 << 31


class PublicView:
    """Public states, breadth first with children in the order of their slots, and hands.

    InputError names a state with a later deal or a hidden action. `slots` are those of each
    infoset's actions, [infosets, max_actions], -1 beyond the last.
    """

    def __init__(
        self,
        tree: ExplicitTree,
        found: Enumeration[Any, Any],
        name: str,
        unit: float,
        action_names: list[str],
        slots: NDArray[np.intp],
    ) -> None:
        self.tree, self.found, self.name, self.all_slots = tree, found, name, slots
        self.unit, self.action_names = unit, action_names
        self.deals, self.probabilities = self._find_deals()
        self._check_game()
        self.num_hands = max(map(len, found.hand_numbers))
        self.publics = np.array(found.publics, np.int32)  # [nodes]
        self.public_states = tuple(found.public_numbers)
        self.node_hands = found.hand_table()
        self.hands = self.node_hands[self.deals]  # [deals, players]
        self.nodes: list[NDArray[np.int32]] = [self.deals]  # [states][deals]
        self.actors: list[int] = []  # [states]: a player or TERMINAL
        self.slots = [-1]  # [states]: the last slot, -1 at the root
        self.first_children: list[int] = []  # [states]
        self.num_children: list[int] = []  # [states]
        self.infosets: list[NDArray[np.int32]] = []  # [states][hands]: -1 without such a hand
        self.tables: list[int] = []  # [states]: row of `payoffs`, -1 where the game goes on
        self.scales: list[float] = []  # [states]: the factor of that row
        self.table_numbers: dict[bytes, int] = {}
        self.payoffs: list[NDArray[np.float64]] = []  # [tables][deals]: of player 0, scaled to 1
        self.state_of = np.full(tree.num_infosets, -1)  # [infosets]
        for state, nodes in enumerate(self.nodes):  # which grows on the way
            self._expand(state, nodes)
        self._check_public_states()
        self.features = self._features()
        del self.found, self.publics, self.node_hands, self.nodes  # only the walk needs them

    @cached_property
    def native(self) -> _native.TabularGame:
        """The native game for solvers; InputError if there are too many hands."""
        hands = self.num_hands
        pairs = self.hands[:, 0].astype(np.int64) * hands + self.hands[:, 1]
        if 8 * hands * hands * (len(self.payoffs) + 1) > _MOST_BYTES:
            raise InputError(
                f"{self.name}: payoffs of {hands:,} x {hands:,} hands at {len(self.payoffs):,} "
                f"endings take more than {_MOST_BYTES >> 20:,} MiB"
            )
        weights = np.bincount(pairs, self.probabilities, hands * hands)
        largest = weights.max()
        payoffs = [
            np.bincount(pairs, self.probabilities / largest * row, hands * hands)
            for row in self.payoffs
        ]
        with refusing(f"{self.name}: no public view"):
            return _native.TabularGame(
                name=self.name,
                unit=self.unit,
                action_names=self.action_names,
                actors=np.array(self.actors, np.int8),
                first_children=np.array(self.first_children, np.int32),
                num_children=np.array(self.num_children, np.int32),
                slots=np.array(self.slots, np.int32),
                stakes=self._stakes() * self.unit,
                features=self.features,
                pair_weights=(weights / largest).reshape(hands, hands),
                tables=np.array(self.tables, np.int32),
                scales=np.array(self.scales) * self.unit,
                payoffs=np.reshape(payoffs, (-1, hands, hands)),
            )

    def tree_infosets(self, keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The infosets of the tree with these keys of the native game; -1 for unknown keys."""
        decisions = np.array(self.actors) >= 0
        known = self.native.infoset_keys()[decisions].ravel()
        numbers = np.array(self.infosets)[decisions].ravel()
        order = np.argsort(known)
        found: NDArray[np.int32] = numbers[order[np.searchsorted(known, keys, sorter=order)]]
        return found

    def _find_deals(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The nodes at the end of the deal, and their probabilities."""
        tree, deals, probabilities = self.tree, [], []
        open_nodes = [(0, 1.0)]
        for node, probability in open_nodes:
            if tree.actors[node] != CHANCE:
                deals.append(node)
                probabilities.append(probability)
                continue
            first = int(tree.first_children[node])
            open_nodes += [
                (child, probability * float(tree.chance_probabilities[child]))
                for child in range(first, first + int(tree.num_children[node]))
            ]
        return np.array(deals, np.int32), np.array(probabilities)

    def _check_game(self) -> None:
        tree = self.tree
        if tree.num_players != 2:
            raise self._mistake(f"hands are for two players, not {tree.num_players}")
        for unfair in tree.unbalanced_terminals[:1]:
            node = int(np.flatnonzero(tree.terminals == unfair)[0])
            raise self._mistake("hands are for zero-sum games, and payoffs do not cancel", node)
        for node in self.deals[tree.actors[self.deals] == TERMINAL][:1]:
            raise self._mistake("the game is over when the hands are dealt", int(node))

    def _expand(self, state: int, nodes: NDArray[np.int32]) -> None:
        tree = self.tree
        actors = tree.actors[nodes]
        for node in nodes[actors == CHANCE][:1]:
            raise self._mistake("chance comes after the deal, where it may come no more", int(node))
        for node in nodes[actors != actors[0]][:1]:
            who, other = _mover(int(actors[0])), _mover(int(tree.actors[node]))
            raise self._mistake(f"{other} here and {who} with other hands", int(node))
        self.actors.append(int(actors[0]))
        self.first_children.append(len(self.nodes))
        if actors[0] == TERMINAL:
            self._end(nodes)
            return
        self.tables.append(-1)
        self.scales.append(0.0)
        self._check_hands(nodes)
        self.infosets.append(self._infosets_of_hands(state, nodes))
        infosets = tree.infosets[nodes]
        slots = np.sort(self.all_slots[infosets], axis=1)
        for node in nodes[(slots != slots[0]).any(axis=1)][:1]:
            raise self._mistake("the actions are others than with other hands", int(node))
        chosen = [int(slot) for slot in slots[0] if slot >= 0]
        for slot in chosen:
            steps = np.argmax(self.all_slots[infosets] == slot, axis=1)
            self.nodes.append((tree.first_children[nodes] + steps).astype(np.int32))
            self.slots.append(slot)
        self.num_children.append(len(chosen))

    def _end(self, nodes: NDArray[np.int32]) -> None:
        payoffs = self.tree.payoffs[self.tree.terminals[nodes], 0]
        scale = float(np.abs(payoffs).max())
        row = payoffs / scale if scale > 0 else payoffs
        key = (np.round(row, _DIGITS) + 0.0).tobytes()  # no -0
        table = self.table_numbers.setdefault(key, len(self.payoffs))
        if table == len(self.payoffs):
            self.payoffs.append(row)
        self.tables.append(table)
        self.scales.append(scale)
        self.infosets.append(np.full(self.num_hands, -1, np.int32))
        self.num_children.append(0)

    def _check_hands(self, nodes: NDArray[np.int32]) -> None:
        """Checks that hands do not change, and that public states do not depend on them."""
        hands, public = self.node_hands[nodes], self.publics[nodes]
        for deal in np.flatnonzero((hands != self.hands).any(axis=1))[:1]:
            player = int(np.argmax(hands[deal] != self.hands[deal]))
            raise self._mistake(f"hand of player {player} is another than dealt", int(nodes[deal]))
        for deal in np.flatnonzero(public != public[0])[:1]:
            here, other = (self.public_states[public[place]] for place in (deal, 0))
            raise self._mistake(
                f"public_state depends on hands: {_shown(here)} and {_shown(other)} with others",
                int(nodes[deal]),
            )

    def _infosets_of_hands(self, state: int, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """The infosets by hand; checks that each is one public state with one hand."""
        player = self.actors[state]
        infosets, hands = self.tree.infosets[nodes], self.hands[:, player]
        of_hands = np.full(self.num_hands, -1, np.int32)
        of_hands[hands[::-1]] = infosets[::-1]  # those of the first deal with each hand
        names = self.tree.infoset_names
        for deal in np.flatnonzero(of_hands[hands] != infosets)[:1]:
            other = names[of_hands[hands[deal]]]
            raise self._mistake(
                f"infosets {names[infosets[deal]]!r} and {other!r} are one hand of player "
                f"{player} at one public state",
                int(nodes[deal]),
            )
        _, firsts, places = np.unique(infosets, return_index=True, return_inverse=True)
        for deal in np.flatnonzero(hands[firsts][places] != hands)[:1]:
            what = f"infoset {names[infosets[deal]]!r} is met with several hands"
            raise self._mistake(f"{what} of player {player}", int(nodes[deal]))
        for deal in np.flatnonzero(self.state_of[infosets] >= 0)[:1]:
            what = f"infoset {names[infosets[deal]]!r} is met after other actions too"
            raise self._mistake(f"{what}: not all of them are public", int(nodes[deal]))
        self.state_of[infosets] = state
        return of_hands

    def _children(self, state: int) -> range:
        first = self.first_children[state]
        return range(first, first + self.num_children[state])

    def _stakes(self) -> NDArray[np.float64]:
        """The largest payoff that can follow.  [states]"""
        stakes = np.abs(self.scales)
        for state in reversed(range(len(stakes))):
            stakes[state] = stakes[list(self._children(state)) or state].max()
        return np.where(stakes > 0, stakes, 1.0)

    def _check_public_states(self) -> None:
        """Checks that states with equal public_state have equal subgames."""
        numbers: dict[object, int] = {}
        subgames = [0] * len(self.nodes)
        for state in reversed(range(len(self.nodes))):
            below = tuple((self.slots[c], subgames[c]) for c in self._children(state))
            how = (
                self.actors[state],
                self.tables[state],
                round(self.scales[state], _DIGITS),
                below,
            )
            subgames[state] = numbers.setdefault(how, len(numbers))
        met: dict[int, int] = {}
        for state, nodes in enumerate(self.nodes):
            if self.actors[state] == TERMINAL:
                continue
            public = int(self.publics[nodes[0]])
            other = met.setdefault(public, state)
            if subgames[other] != subgames[state]:
                shown = _shown(self.public_states[public])
                elsewhere = self.found.place(int(self.nodes[other][0]))
                raise self._mistake(
                    f"public_state {shown} goes on otherwise here than {elsewhere}", int(nodes[0])
                )

    def _features(self) -> NDArray[np.float32]:
        """One-hot features of the parts of each public state."""
        decisions = [s for s, actor in enumerate(self.actors) if actor != TERMINAL]
        columns: dict[tuple[int, object], int] = {}
        places = [
            [columns.setdefault((i, part), len(columns)) for i, part in enumerate(parts)]
            for s in decisions
            for parts in [self.public_states[self.publics[self.nodes[s][0]]]]
        ]
        features = np.zeros((len(self.nodes), max(1, len(columns))), np.float32)
        for state, ones in zip(decisions, places, strict=True):
            features[state, ones] = 1
        return features

    def _mistake(self, problem: str, node: int | None = None) -> InputError:
        place = "" if node is None else f" ({self.found.place(node)})"
        return InputError(f"{self.name}: {problem}{place}")


def _mover(actor: int) -> str:
    return "the game is over" if actor == TERMINAL else f"player {actor} moves"


def _shown(parts: tuple[object, ...]) -> str:
    return repr(parts[0]) if len(parts) == 1 else repr(parts)
