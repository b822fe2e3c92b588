# SPDX-License-Identifier: MIT
"""Networks that value all hands of a street in torch, as `street_values` describes them.

A board enters as a matrix [hands, bins]. A range times the matrix is a histogram over quantiles of
the order of strength; the network turns those of both players into a value and a slope for each
bin; the matrix turns these into values of hands. All spots on one board are two batched products.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from regretless.algorithm import Arrays
from regretless.networks.network import ACTIVATIONS, add_layers, draw_linear
from regretless.networks.street_values import StreetValuesShape

_CARDS, _BESIDE = 52, 51  # other cards that a hand with a card may have
_LEAST_MASS = 1e-9
_FIRST_OUTPUT = 0.01  # scale of the output layer at first: values begin as half of the equity
_NO_STACK = 1e-3  # pots behind: less is all-in


class Sight(NamedTuple):
    """Spots as a network sees them: those of a board stand together."""

    matrix: Tensor  # [boards, hands, bins]: each hand that is possible sums to 1
    ranges: Tensor  # [boards, spots, 2, hands], of sum 1
    equities: Tensor  # the same: of each hand against the other range, from -1 to 1
    masses: Tensor  # the same: weight of the other range's hands that a hand can meet, 0 if blocked
    stacks: Tensor  # [boards, spots], in pots


class StreetNetwork(nn.Module):
    """Layers with normalisation and GELU; half of the equity is added to what they say."""

    layers: nn.ModuleList
    norms: nn.ModuleList
    output: nn.Linear

    def __init__(self, shape: StreetValuesShape, generator: torch.Generator | None = None) -> None:
        """Drawn from the generator; without one all parameters are 0."""
        super().__init__()
        self.shape = shape
        self.products = torch.float32
        """The type of the products within the layers; parameters and outputs are float32."""
        add_layers(self, shape.layers())
        if generator is not None:
            for module in self.modules():
                if isinstance(module, nn.Linear):
                    draw_linear(module, generator)
            with torch.no_grad():
                self.output.weight.mul_(_FIRST_OUTPUT)
                self.output.bias.mul_(_FIRST_OUTPUT)

    def arrays(self) -> Arrays:
        """Returns copies of the parameters by name."""
        return {name: each.float().cpu().numpy().copy() for name, each in self.state_dict().items()}

    def load_arrays(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        self.load_state_dict({name: torch.tensor(np.array(each)) for name, each in arrays.items()})

    def forward(self, sight: Sight) -> Tensor:
        """Counterfactual values in pots [boards, spots, 2, hands], against a range of sum 1.

        The values of both players, weighted by their ranges, add up to 0.
        """
        values = self._expected(sight)
        weights = sight.ranges * sight.masses
        excess = (values * weights).sum((2, 3), keepdim=True)
        total = weights.sum((2, 3), keepdim=True).clamp_min(_LEAST_MASS)
        return (values - excess / total) * sight.masses

    def _expected(self, sight: Sight) -> Tensor:
        """Returns values where the players do meet, before both are shifted."""
        bins, (boards, spots, _, hands) = self.shape.bins, sight.ranges.shape
        matrix = self.whole_matrix(sight.matrix)
        flat = sight.ranges.reshape(boards, 2 * spots, hands).to(matrix.dtype)
        every = torch.bmm(flat, matrix).view(boards, spots, 2, -1).float()
        summed, learned = every[..., :bins], every[..., bins:]
        base = 2 * summed.cumsum(3) - summed - 1  # equity of a bin against each range
        stacks = torch.stack([torch.log(sight.stacks), 1 / (1 + sight.stacks)], dim=2)
        roots = (summed.flatten(2) * bins).sqrt()  # a range may have most of its mass in one bin
        seen = torch.cat([roots, base.flatten(2), learned.flatten(2), stacks], dim=2)
        base = nn.functional.pad(base.flip(2), (0, self.shape.embedding))
        said = self._layered(seen).view(boards, spots, 2, 2, -1)
        is_bin = torch.arange(said.shape[-1], device=said.device) < bins  # they sum to 1
        value, slope = said[:, :, 0] + base / 2, said[:, :, 1] + 0.5 * is_bin
        both = torch.stack([value - slope * base, slope], dim=2).to(matrix.dtype)
        spread = torch.bmm(both.view(boards, 4 * spots, -1), matrix.mT).float()
        spread = spread.view(boards, spots, 2, 2, hands)
        return spread[:, :, 0] + spread[:, :, 1] * sight.equities

    def whole_matrix(self, matrix: Tensor) -> Tensor:
        """Returns the matrix of boards with what is learned about each hand beside its bins."""
        if not self.shape.embedding:
            return matrix
        layers: Any = self._modules
        scaled = matrix.float() * self.shape.bins**0.5
        hidden = ACTIVATIONS["gelu"](layers["embed"](scaled))
        learned = layers["embed_again"](hidden) * (matrix.sum(2, keepdim=True) > 0)
        return torch.cat([matrix, learned.to(matrix.dtype)], dim=2)

    def _layered(self, seen: Tensor) -> Tensor:
        # Without its cache, so that a captured graph reads the weights anew when it is replayed.
        is_cast = self.products != torch.float32
        with torch.autocast(seen.device.type, self.products, enabled=is_cast, cache_enabled=False):
            for layer, norm in zip(self.layers, self.norms, strict=True):
                seen = ACTIVATIONS["gelu"](norm(layer(seen)))
            said: Tensor = self.output(seen)
        return said.float()


class RiverBoards:
    """Boards of the river, on a device: what the network has to know of their hands."""

    def __init__(self, places: Tensor, bins: int, dtype: torch.dtype = torch.float32) -> None:
        """`places` [boards, hands] are those of `river_places`; products are in `dtype`."""
        self.places = places.to(torch.int32)
        self.possible = self.places >= 0
        self._seats = _Seats.on(places.device)
        self.matrix = quantile_matrix(self.places, bins).to(dtype)
        ranked, self._order = self.places.sort(dim=1, stable=True)
        self._weaker = torch.searchsorted(ranked, self.places)
        self._not_stronger = torch.searchsorted(ranked, self.places, right=True)
        by_card = self.places[:, self._seats.hands]  # [boards, cards, others]
        mine, theirs = by_card[:, :, :, None], by_card[:, :, None, :]
        self._signs = (mine > theirs).float() - (mine < theirs).float()

    def part(self, index: Tensor) -> "RiverBoards":
        """Returns the boards of these numbers."""
        found = object.__new__(RiverBoards)
        found._seats = self._seats
        for name, each in vars(self).items():
            if isinstance(each, Tensor):
                setattr(found, name, each[index])
        return found

    def see(self, ranges: Tensor, stacks: Tensor) -> Sight:
        """Returns the sight of spots [boards, spots, 2, hands] with stacks [boards, spots].

        Ranges may have any sum; hands that a board blocks count 0.
        """
        ranges = normalised(ranges, self.possible)
        boards, spots, _, hands = ranges.shape
        theirs = ranges.flip(2).reshape(boards, 2 * spots, hands)
        by_card = theirs[:, :, self._seats.hands]  # [boards, 2 spots, cards, others]
        sums = by_card.sum(3)
        first, second = self._seats.cards[:, 0], self._seats.cards[:, 1]
        masses = theirs.sum(2, keepdim=True) - sums[:, :, first] - sums[:, :, second] + theirs
        masses = masses * self.possible[:, None]
        shown = self._showdowns(theirs, by_card)
        equities = torch.where(masses > _LEAST_MASS, shown / masses.clamp_min(_LEAST_MASS), 0.0)
        return Sight(self.matrix, ranges, equities.view_as(ranges), masses.view_as(ranges), stacks)

    def _showdowns(self, theirs: Tensor, by_card: Tensor) -> Tensor:
        """Returns what each hand wins of a stake of 1 at a showdown: [boards, ranges, hands]."""
        boards, ranges, _ = theirs.shape
        order = self._order[:, None].expand_as(theirs)
        sums = nn.functional.pad(theirs.gather(2, order).cumsum(2), (1, 0))
        weaker = sums.gather(2, self._weaker[:, None].expand_as(theirs))
        not_stronger = sums.gather(2, self._not_stronger[:, None].expand_as(theirs))
        everywhere = weaker - (sums[:, :, -1:] - not_stronger)
        rows = by_card.transpose(1, 2).reshape(boards * _CARDS, ranges, _BESIDE)
        shared = torch.bmm(rows, self._signs.flatten(0, 1).mT).view(boards, _CARDS, ranges, _BESIDE)
        shared = shared.transpose(1, 2).reshape(boards, ranges, _CARDS * _BESIDE)
        return everywhere - shared[:, :, self._seats.first] - shared[:, :, self._seats.second]


def leaf_values(network: StreetNetwork, sight: Sight, bets: Tensor | None = None) -> Tensor:
    """Returns the values of a network, and half of the equity where both are all-in.

    `bets` are the numbers of the spots of a board in which somebody may be able to bet.
    """
    run_out = sight.equities * sight.masses / 2
    if bets is not None:
        sight = Sight(sight.matrix, *(each.index_select(1, bets) for each in sight[1:]))
    values = network(sight._replace(stacks=sight.stacks.clamp_min(_NO_STACK)))
    is_over = (sight.stacks < _NO_STACK)[:, :, None, None]
    values = torch.where(is_over, sight.equities * sight.masses / 2, values)
    return values if bets is None else run_out.index_copy(1, bets, values)


def normalised(ranges: Tensor, possible: Tensor) -> Tensor:
    """Returns ranges [boards, spots, 2, hands] of sum 1 over the possible hands of boards."""
    ranges = ranges.float() * possible[:, None, None]
    return ranges / ranges.sum(3, keepdim=True).clamp_min(1e-30)


def places_of(ranks: Tensor) -> Tensor:
    """Returns what `river_places` does, from ranks [boards, hands] that are -1 where blocked."""
    ranked = ranks.sort(dim=1).values
    blocked = (ranks < 0).sum(1, keepdim=True)
    weaker = torch.searchsorted(ranked, ranks) - blocked
    not_stronger = torch.searchsorted(ranked, ranks, right=True) - blocked
    return torch.where(ranks >= 0, weaker + not_stronger, -1)


def quantile_matrix(places: Tensor, bins: int) -> Tensor:
    """Returns the weights of the interpolation between quantiles: [boards, hands, bins]."""
    possible = places >= 0
    quantiles = places * (bins / 2) / possible.sum(1, keepdim=True) - 0.5
    near = torch.where(possible, quantiles.clamp(0, bins - 1), -1.0)  # no bin is near to -1
    centres = torch.arange(bins, device=places.device)
    return (1 - (near[:, :, None] - centres).abs()).clamp_min(0)


def met_masses(theirs: Tensor) -> Tensor:
    """Returns the weight of the hands [..., hands] that each hand can meet."""
    held = _Seats.on(theirs.device).held
    shared = (theirs @ held) @ held.mT  # in which the hand itself is twice
    return theirs.sum(-1, keepdim=True) - shared + theirs


def meeting_hands(device: torch.device) -> Tensor:
    """Returns which hands have no card in common: [hands, hands]."""
    held = _Seats.on(device).held
    return held @ held.mT == 0


class _Seats(NamedTuple):
    """The hands of each card, and where each hand stands among those of its cards."""

    hands: Tensor  # [cards, others]
    cards: Tensor  # [hands, 2]
    first: Tensor  # [hands]: place in the flat `hands` with its first card
    second: Tensor  # [hands]
    held: Tensor  # [hands, cards]: 1 where the hand has the card

    @classmethod
    def on(cls, device: torch.device) -> "_Seats":
        found = _SEATS.get(device)
        if found is None:
            found = _SEATS[device] = cls(*(each.to(device) for each in _list_seats()))
        return found


_SEATS: dict[torch.device, _Seats] = {}


def _list_seats() -> tuple[Tensor, ...]:
    high, low = np.tril_indices(_CARDS, -1)  # in the order of the core
    hands = np.zeros((_CARDS, _BESIDE), np.int64)
    numbers = np.arange(len(low))
    hands[low, high - 1] = numbers
    hands[high, low] = numbers
    cards = np.stack([low, high], axis=1)
    places = (low * _BESIDE + high - 1, high * _BESIDE + low)
    first, second, listed, pairs = map(torch.from_numpy, (*places, hands, cards))
    held = torch.zeros(len(low), _CARDS).scatter_(1, pairs, 1.0)
    return listed, pairs, first, second, held
