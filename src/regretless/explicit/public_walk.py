# SPDX-License-Identifier: MIT
"""Builds the public view of an explicit tree, and checks that the game has one."""

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.explicit.explicit_tree import ExplicitTree, NamedHands
from regretless.explicit.public_view import PublicView
from regretless.explicit.python_game import CHANCE, TERMINAL

_DIGITS = 12  # of payoffs, to compare endings and subgames


def public_view(
    tree: ExplicitTree,
    named: NamedHands,
    name: str,
    unit: float,
    action_names: tuple[str, ...],
    slots: NDArray[np.intp],
) -> PublicView:
    """The public view of a tree; InputError names a state with a later deal or a hidden action.

    `slots` are those of each infoset's actions, [infosets, max_actions], -1 beyond the last.
    """
    return _Walk(tree, named, name, slots).view(unit, action_names)


class _Walk:
    """A walk over the public states, each with the node of every deal."""

    def __init__(
        self, tree: ExplicitTree, named: NamedHands, name: str, slots: NDArray[np.intp]
    ) -> None:
        self.tree, self.named, self.name, self.all_slots = tree, named, name, slots
        self.deals, self.probabilities = self._find_deals()
        self._check_game()
        self.hands = named.hands[self.deals]  # [deals, players]
        self.nodes: list[NDArray[np.int32]] = [self.deals]  # [states][deals]
        self.actors: list[int] = []
        self.slots = [-1]
        self.num_children: list[int] = []
        self.infosets: list[NDArray[np.int32]] = []
        self.tables: list[int] = []
        self.scales: list[float] = []
        self.table_numbers: dict[bytes, int] = {}
        self.payoffs: list[NDArray[np.float64]] = []
        self.state_of = np.full(tree.num_infosets, -1)  # [infosets]
        state = 0
        while state < len(self.nodes):
            self._expand(state)
            state += 1

    def view(self, unit: float, action_names: tuple[str, ...]) -> PublicView:
        counts = np.array(self.num_children, np.int32)
        first = np.cumsum(counts, dtype=np.int32) - counts + np.int32(1)
        actors = np.array(self.actors, np.int8)
        self._check_public_states(first)
        stakes = np.abs(self.scales)
        for state in range(len(actors) - 1, -1, -1):
            if counts[state]:
                stakes[state] = stakes[first[state] : first[state] + counts[state]].max()
        return PublicView(
            name=self.name,
            unit=unit,
            action_names=action_names,
            actors=actors,
            first_children=first,
            num_children=counts,
            slots=np.array(self.slots, np.int32),
            infosets=np.array(self.infosets, np.int32),
            features=self._features(),
            stakes=np.where(stakes > 0, stakes, 1.0),
            tables=np.array(self.tables, np.int32),
            scales=np.array(self.scales),
            payoffs=np.array(self.payoffs).reshape(-1, len(self.deals)),
            deal_hands=self.hands,
            deal_probabilities=self.probabilities,
            num_hands=self.num_hands,
        )

    @property
    def num_hands(self) -> tuple[int, int]:
        first, second = self.named.num_hands
        return first, second

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
        unfair = np.flatnonzero(np.abs(tree.payoffs.sum(axis=1)) > _least(tree.payoffs))
        if len(unfair):
            node = int(np.flatnonzero(tree.terminals == unfair[0])[0])
            raise self._mistake("hands are for zero-sum games, and payoffs do not cancel", node)
        over = self.deals[tree.actors[self.deals] == TERMINAL]
        if len(over):
            raise self._mistake("the game is over when the hands are dealt", int(over[0]))

    def _expand(self, state: int) -> None:
        nodes, tree = self.nodes[state], self.tree
        actors = tree.actors[nodes]
        for node in nodes[actors == CHANCE][:1]:
            raise self._mistake("chance comes after the deal, where it may come no more", int(node))
        for node in nodes[actors != actors[0]][:1]:
            who, other = _mover(int(actors[0])), _mover(int(tree.actors[node]))
            raise self._mistake(f"{other} here and {who} with other hands", int(node))
        self.actors.append(int(actors[0]))
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
        self.infosets.append(np.full(max(self.num_hands), -1, np.int32))
        self.num_children.append(0)

    def _check_hands(self, nodes: NDArray[np.int32]) -> None:
        """Checks that hands do not change, and that public states do not depend on them."""
        hands, public = self.named.hands[nodes], self.named.publics[nodes]
        for deal in np.flatnonzero((hands != self.hands).any(axis=1))[:1]:
            player = int(np.argmax(hands[deal] != self.hands[deal]))
            raise self._mistake(f"hand of player {player} is another than dealt", int(nodes[deal]))
        for deal in np.flatnonzero(public != public[0])[:1]:
            here, other = (self.named.public_states[public[place]] for place in (deal, 0))
            raise self._mistake(
                f"public_state depends on hands: {_shown(here)} and {_shown(other)} with others",
                int(nodes[deal]),
            )

    def _infosets_of_hands(self, state: int, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """The infosets by hand; checks that each is one public state with one hand."""
        player = self.actors[state]
        infosets, hands = self.tree.infosets[nodes], self.hands[:, player]
        of_hands = np.full(max(self.num_hands), -1, np.int32)
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

    def _check_public_states(self, first: NDArray[np.int32]) -> None:
        """Checks that states with equal public_state have equal subgames."""
        numbers: dict[object, int] = {}
        subgames = [0] * len(self.nodes)
        for state in range(len(self.nodes) - 1, -1, -1):
            below = range(first[state], first[state] + self.num_children[state])
            how: object = (
                (self.tables[state], round(self.scales[state], _DIGITS))
                if self.actors[state] == TERMINAL
                else (self.actors[state], *((self.slots[c], subgames[c]) for c in below))
            )
            subgames[state] = numbers.setdefault(how, len(numbers))
        met: dict[int, int] = {}
        for state, nodes in enumerate(self.nodes):
            if self.actors[state] == TERMINAL:
                continue
            public = int(self.named.publics[nodes[0]])
            other = met.setdefault(public, state)
            if subgames[other] != subgames[state]:
                shown = _shown(self.named.public_states[public])
                elsewhere = self.named.place(int(self.nodes[other][0]))
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
            for parts in [self.named.public_states[self.named.publics[self.nodes[s][0]]]]
        ]
        features = np.zeros((len(self.nodes), max(1, len(columns))), np.float32)
        for state, ones in zip(decisions, places, strict=True):
            features[state, ones] = 1
        return features

    def _mistake(self, problem: str, node: int | None = None) -> InputError:
        place = "" if node is None else f" ({self.named.place(node)})"
        return InputError(f"{self.name}: {problem}{place}")


def _mover(actor: int) -> str:
    return "the game is over" if actor == TERMINAL else f"player {actor} moves"


def _shown(parts: tuple[object, ...]) -> str:
    return repr(parts[0]) if len(parts) == 1 else repr(parts)


def _least(payoffs: NDArray[np.float64]) -> NDArray[np.float64]:
    rounding: NDArray[np.float64] = 1e-9 * np.maximum(np.abs(payoffs).sum(axis=1), 1.0)
    return rounding
