# SPDX-License-Identifier: MIT
"""A game written out in full as public states with hands kept apart, where its class tells both.

Hands are dealt once, before anybody moves; all that follows is seen by everybody. A public state is
then a sequence of actions, and a history one of them with a deal. Every ending has a payoff for
each pair of hands, and each pair is as likely as the deal makes it.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.explicit.explicit_tree import ExplicitTree, ToldHands
from regretless.explicit.python_game import CHANCE, TERMINAL

_DIGITS = 12  # of payoffs, by which endings and subgames are told apart
_MOST_BYTES = 1 << 31


@dataclass(frozen=True, eq=False)
class PublicView:
    """Public states, breadth first with children in the order of their slots, and hands."""

    name: str
    unit: float
    action_names: tuple[str, ...]
    actors: NDArray[np.int8]  # [states]: a player or TERMINAL
    first_children: NDArray[np.int32]  # [states]
    num_children: NDArray[np.int32]  # [states]
    slots: NDArray[np.int32]  # [states]: what led there, -1 at the root
    infosets: NDArray[np.int32]  # [states, hands]: of the tree; -1 where the actor has no such hand
    features: NDArray[np.float32]  # [states, features]: the parts of `public_state`, one of each
    stakes: NDArray[np.float64]  # [states]: the largest payoff that can follow
    tables: NDArray[np.int32]  # [states]: row of `payoffs`, -1 where the game goes on
    scales: NDArray[np.float64]  # [states]: what that row is multiplied by
    payoffs: NDArray[np.float64]  # [tables, deals]: of player 0, the largest of each 1
    deal_hands: NDArray[np.int32]  # [deals, players]
    deal_probabilities: NDArray[np.float64]  # [deals]
    num_hands: tuple[int, int]

    @cached_property
    def native(self) -> _native.TabularGame:
        """For solvers over public states; InputError if there are too many hands."""
        hands = max(self.num_hands)
        pairs = self.deal_hands[:, 0].astype(np.int64) * hands + self.deal_hands[:, 1]
        if 8 * hands * hands * (len(self.payoffs) + 1) > _MOST_BYTES:
            raise InputError(
                f"{self.name}: payoffs of {hands:,} x {hands:,} hands at {len(self.payoffs):,} "
                f"endings take more than {_MOST_BYTES >> 20:,} MiB"
            )
        weights = np.bincount(pairs, self.deal_probabilities, hands * hands)
        largest = weights.max()
        payoffs = [
            np.bincount(pairs, self.deal_probabilities / largest * row, hands * hands)
            for row in self.payoffs
        ]
        try:
            return _native.TabularGame(
                name=self.name,
                unit=self.unit,
                action_names=list(self.action_names),
                actors=self.actors,
                first_children=self.first_children,
                num_children=self.num_children,
                slots=self.slots,
                stakes=self.stakes * self.unit,
                features=self.features,
                pair_weights=(weights / largest).reshape(hands, hands),
                tables=self.tables,
                scales=self.scales * self.unit,
                payoffs=np.reshape(payoffs, (-1, hands, hands)),
            )
        except ValueError as error:
            raise InputError(f"{self.name}: no public view: {error}") from None

    def tree_infosets(self, keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The infosets of the tree that the native game calls so; -1 for one it does not have."""
        known = self.native.infoset_keys()[self.actors >= 0].ravel()
        numbers = self.infosets[self.actors >= 0].ravel()
        order = np.argsort(known)
        found: NDArray[np.int32] = numbers[order[np.searchsorted(known, keys, sorter=order)]]
        return found


def public_view(
    tree: ExplicitTree,
    told: ToldHands,
    name: str,
    unit: float,
    action_names: tuple[str, ...],
    slots: NDArray[np.intp],
) -> PublicView:
    """InputError names the state where the game is not dealt once and then played in the open.

    `slots` are those of each infoset's actions, [infosets, max_actions], -1 beyond the last.
    """
    return _Walk(tree, told, name, slots).view(unit, action_names)


class _Walk:
    """Through the public states, each with the node of every deal."""

    def __init__(
        self, tree: ExplicitTree, told: ToldHands, name: str, slots: NDArray[np.intp]
    ) -> None:
        self.tree, self.told, self.name, self.all_slots = tree, told, name, slots
        self.deals, self.probabilities = self._find_deals()
        self._check_game()
        self.hands = told.hands[self.deals]  # [deals, players]
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
        first, second = self.told.num_hands
        return first, second

    def _find_deals(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The nodes that end the deal, and how likely each is."""
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
        self._check_told(nodes)
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

    def _check_told(self, nodes: NDArray[np.int32]) -> None:
        """Hands stay what was dealt, and what is public is the same whatever they are."""
        hands, public = self.told.hands[nodes], self.told.publics[nodes]
        for deal in np.flatnonzero((hands != self.hands).any(axis=1))[:1]:
            player = int(np.argmax(hands[deal] != self.hands[deal]))
            raise self._mistake(f"hand of player {player} is another than dealt", int(nodes[deal]))
        for deal in np.flatnonzero(public != public[0])[:1]:
            here, other = (self.told.public_states[public[place]] for place in (deal, 0))
            raise self._mistake(
                f"public_state tells of hands: {_shown(here)} here and {_shown(other)} with others",
                int(nodes[deal]),
            )

    def _infosets_of_hands(self, state: int, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """An infoset is a public state and a hand of its player, and nothing else."""
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
        """States that are called alike must go on alike."""
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
            public = int(self.told.publics[nodes[0]])
            other = met.setdefault(public, state)
            if subgames[other] != subgames[state]:
                shown = _shown(self.told.public_states[public])
                elsewhere = self.told.place(int(self.nodes[other][0]))
                raise self._mistake(
                    f"public_state {shown} goes on otherwise here than {elsewhere}", int(nodes[0])
                )

    def _features(self) -> NDArray[np.float32]:
        """For every part of a public state, which of all that it can be."""
        decisions = [s for s, actor in enumerate(self.actors) if actor != TERMINAL]
        columns: dict[tuple[int, object], int] = {}
        places = [
            [columns.setdefault((i, part), len(columns)) for i, part in enumerate(parts)]
            for s in decisions
            for parts in [self.told.public_states[self.told.publics[self.nodes[s][0]]]]
        ]
        features = np.zeros((len(self.nodes), max(1, len(columns))), np.float32)
        for state, ones in zip(decisions, places, strict=True):
            features[state, ones] = 1
        return features

    def _mistake(self, problem: str, node: int | None = None) -> InputError:
        place = "" if node is None else f" ({self.told.place(node)})"
        return InputError(f"{self.name}: {problem}{place}")


def _mover(actor: int) -> str:
    return "the game is over" if actor == TERMINAL else f"player {actor} moves"


def _shown(parts: tuple[object, ...]) -> str:
    return repr(parts[0]) if len(parts) == 1 else repr(parts)


def _least(payoffs: NDArray[np.float64]) -> NDArray[np.float64]:
    rounding: NDArray[np.float64] = 1e-9 * np.maximum(np.abs(payoffs).sum(axis=1), 1.0)
    return rounding
