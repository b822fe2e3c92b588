# SPDX-License-Identifier: MIT
"""Practice: a hand at a decision of a strategy, the choices there, and what each of them loses.

Hands are dealt and played by the strategy itself, so a decision comes as often as in self-play.
Values are those of a solved tree; where they are not known, a choice is graded by the mix.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.explorer.asked_nodes import AskedNodes
from regretless.explorer.node_view import Numbers, hand_names
from regretless.explorer.nodes import SolvedTree
from regretless.explorer.tree_place import TreePlace
from regretless.games import Game, with_hands
from regretless.games.amounts import Amounts
from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import face, view
from regretless.games.poker_rules import street_name
from regretless.histories.lines import Step, format_line, go, read_line
from regretless.notation.cards import STREETS, format_cards, parse_cards
from regretless.policies.asking import mixes

POTS = ("limped", "single-raised", "3-bet", "4-bet")
"""Pots by the raises before the flop; the last also has those with more, the first none yet."""
FACINGS = ("none", "bet", "raise")
"""The bet that the actor has to answer on this street; a blind counts as one."""
GOOD_SHARE = 0.005
"""The share of the pot, or of a unit without a pot, that counts as no loss."""
_GOOD_MIX = 0.5  # of the probability of the likeliest choice, where values are not known
_SPOT_BOARD = 3  # cards of the board that a spot begins with, at least


@dataclass(frozen=True)
class DecisionKind:
    """A kind of decision; as a wish, an empty text allows any."""

    street: str = ""  # `flop`; `street 2` in small games, empty in games of one street
    position: str = ""  # `BTN`, `OOP`, `seat 0`
    pot: str = ""  # one of POTS, in games that begin before the flop
    facing: str = ""  # one of FACINGS, in poker

    def fits(self, other: "DecisionKind") -> bool:
        """Whether a decision of the `other` kind is one that this wish allows."""
        pairs = ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return all(not mine or mine == its for mine, its in pairs)


@dataclass(frozen=True)
class GradedChoice:
    """A legal choice with its grade."""

    word: str  # as a line writes it
    text: str
    mix: float  # how often the strategy makes it with this hand
    value: float  # EV in the unit; NaN: unknown
    lost: float  # EV lost against the best choice, in the unit; NaN: unknown
    lost_share: float  # the same as a share of the pot
    is_good: bool


@dataclass(frozen=True, eq=False)
class Exercise:
    """A hand at a decision, for which an action is asked."""

    episode: Episode  # the public state
    steps: tuple[Step, ...]
    kind: DecisionKind
    hand: str  # the actor's cards or dice
    choices: tuple[GradedChoice, ...]

    @property
    def line(self) -> str:
        return format_line(list(self.steps))

    @property
    def best(self) -> int:
        """The number of the choice of the highest EV, else of the likeliest."""
        losses = [each.lost for each in self.choices]
        if not any(map(math.isnan, losses)):
            return losses.index(min(losses))
        shares = [each.mix for each in self.choices]
        return shares.index(max(shares))


class Drill:
    """Exercises from one strategy. `nodes` are those of a solution or of a policy."""

    def __init__(self, nodes: SolvedTree | AskedNodes, unit: str | None = None) -> None:
        self.nodes, self.game = nodes, with_hands(nodes.game, "practice")
        self.amounts, self.unit = Amounts.of(nodes.game, unit), unit
        self.names = seat_names(self.game)

    def offers(self) -> dict[str, list[str]]:
        """The values that each field of a wish can have in this game."""
        poker = face(self.game).poker
        streets = [] if poker is None else _street_names(poker)
        return {
            "street": streets if len(streets) > 1 else [],
            "position": self.names,
            "pot": list(POTS) if _begins_before_flop(self.game) else [],
            "facing": [] if poker is None else list(FACINGS),
        }

    def check(self, wanted: DecisionKind) -> None:
        """Refuses a wish for what this game does not have."""
        for name, values in self.offers().items():
            value = getattr(wanted, name)
            if value and value not in values:
                raise InputError.unknown(f"{name}: no {value[:40]!r} here", value[:40], values)

    def draw(self, wanted: DecisionKind, seed: int, number: int) -> Exercise | None:
        """A decision of the wanted kind from hand `number` of a session; None: there was none."""
        rng = np.random.default_rng([seed, number])
        found = list(self._played(wanted, seed, number, rng))
        if not found:
            return None
        episode, steps, hand = found[int(rng.integers(len(found)))]
        return self._exercise(episode, steps, hand)

    def at(self, line: str, seed: int) -> Exercise:
        """A decision at the end of a line, with a hand drawn from the range that arrives."""
        node = self.nodes.node(line, equities=False)
        if node.actor < 0:
            raise InputError(f"{line!r}: nobody decides there")
        shares = node.acting.shares
        if shares.sum() <= 0:
            raise InputError(f"{line!r}: no hand arrives there")
        drawn = np.random.default_rng(seed).choice(len(shares), p=shares / shares.sum())
        return self.of(line, node.acting.hands[int(drawn)])

    def of(self, line: str, hand: str) -> Exercise:
        """The decision at the end of a line with this hand."""
        episode = self.game.episode_of()
        steps = read_line(line, episode, self.amounts)
        if episode.is_terminal or episode.actor < 0:
            raise InputError(f"{line!r}: nobody decides there")
        number = self._hand_number(hand)
        if not self.game.hands_possible(list(episode.board))[number]:
            raise InputError(f"hand: {hand} has a card of the board")
        return self._exercise(episode, tuple(steps), number)

    def moves(self, exercise: Exercise) -> Iterator[tuple[int, str]]:
        """The line in words: (seat, action), and (-1, street and board) where cards came."""
        now = self.game.episode_of()
        yield -1, view(now).street()
        for step in exercise.steps:
            if step.slot is not None:
                yield now.actor, self.amounts.in_text(now.slot_text(step.slot))
            go(now, step)
            if step.slot is None:
                yield -1, view(now).street()

    def _played(
        self, wanted: DecisionKind, seed: int, number: int, rng: np.random.Generator
    ) -> Iterator[tuple[Episode, tuple[Step, ...], int]]:
        """Plays a hand, and yields its decisions of the wanted kind with the actor's hand."""
        episode = self.game.episode(seed, number)
        player = _TreeHand(self.nodes) if isinstance(self.nodes, SolvedTree) else _Hand(self.nodes)
        steps, shown = list[Step](), len(self.game.episode_of().board)
        while not episode.is_terminal:
            if len(episode.board) > shown:
                steps.append(self._cards(episode.board[shown:]))
                player.go(steps[-1])
                shown = len(episode.board)
            kind = decision_kind(episode, self.names)
            if self._is_past(wanted, kind, episode):
                return
            hand = episode.hand(episode.actor)
            if wanted.fits(kind):
                yield episode.copy(), tuple(steps), hand
            slots, mix = legal_slots(episode), player.mix(episode, hand)
            slot = slots[int(rng.choice(len(slots), p=mix / mix.sum()))]
            steps.append(Step(slot, (), self.amounts.word(view(episode).slot_word(slot))))
            episode.choose(slot)
            player.go(steps[-1])

    def _is_past(self, wanted: DecisionKind, kind: DecisionKind, episode: Episode) -> bool:
        """Whether nothing that is wanted can come any more in this hand."""
        streets = self.offers()["street"]
        if wanted.street and streets.index(kind.street) > streets.index(wanted.street):
            return True
        if wanted.pot and kind.pot != wanted.pot:
            is_over = episode.street > 0 or POTS.index(kind.pot) > POTS.index(wanted.pot)
            if is_over:
                return True
        return bool(wanted.position) and not episode.live[self.names.index(wanted.position)]

    def _cards(self, cards: Sequence[int]) -> Step:
        deck = self.game.deck
        assert deck is not None  # only games with a deck deal in public
        return Step(None, tuple(cards), format_cards(cards, deck))

    def _exercise(self, episode: Episode, steps: tuple[Step, ...], hand: int) -> Exercise:
        kind = decision_kind(episode, self.names)
        (name,) = hand_names(self.game, np.array([hand]))
        if isinstance(self.nodes, SolvedTree):
            node = self.nodes.node(format_line(list(steps)), equities=False, unit=self.unit)
            if name not in node.acting.hands:
                raise InputError(f"hand: {name} is not in the range of {kind.position}")
            place = node.acting.hands.index(name)
            rows = [(float(each.mix[place]), float(each.values[place])) for each in node.choices]
        else:
            (found,) = mixes(self.nodes.policy, [episode], np.array([hand]))
            rows = [(float(found[0][slot]), math.nan) for slot in legal_slots(episode)]
        return Exercise(episode, steps, kind, name, tuple(self._graded(episode, rows)))

    def _graded(
        self, episode: Episode, rows: Sequence[tuple[float, float]]
    ) -> Iterator[GradedChoice]:
        shown, slots = view(episode), legal_slots(episode)
        pot = self.amounts.of_chips(shown.pot) or 1.0
        most, best = max(mix for mix, _ in rows), max(value for _, value in rows)
        is_valued = not any(math.isnan(value) for _, value in rows)
        for slot, (mix, value) in zip(slots, rows, strict=True):
            lost = best - value if is_valued else math.nan
            is_good = lost <= GOOD_SHARE * pot if is_valued else mix >= _GOOD_MIX * most
            word = self.amounts.word(shown.slot_word(slot))
            text = self.amounts.in_text(episode.slot_text(slot))
            yield GradedChoice(word, text, mix, value, lost, lost / pot, is_good)

    def _hand_number(self, name: str) -> int:
        deck = self.game.deck
        if deck is None:
            names = hand_names(self.game, np.arange(self.game.num_hands))
            if name not in names:
                raise InputError.unknown(f"hand: no {name!r}", name, names)
            return names.index(name)
        cards = parse_cards(name, deck)
        if len(cards) != self.game.hand_size:
            raise InputError(f"hand: {self.game.hand_size} cards, not {len(cards)}")
        return int(_native.hand_index(deck, np.array([cards], np.uint8))[0])


class _Hand:
    """A hand that a policy plays."""

    def __init__(self, nodes: AskedNodes) -> None:
        self.policy = nodes.policy

    def mix(self, episode: Episode, hand: int) -> Numbers:
        """The probability of each legal slot."""
        (rows,) = mixes(self.policy, [episode], np.array([hand]))
        mix: Numbers = rows[0][legal_slots(episode)]
        return mix

    def go(self, step: Step) -> None:
        """A policy is asked by the episode alone."""


class _TreeHand:
    """A hand that is played by a solved tree."""

    def __init__(self, nodes: SolvedTree) -> None:
        self.place = TreePlace(nodes.game, nodes.tree)

    def mix(self, episode: Episode, hand: int) -> Numbers:
        hands = self.place.tree.hands(episode.actor)
        return self.place.mix()[:, int(np.searchsorted(hands, hand))].clip(min=0)

    def go(self, step: Step) -> None:
        self.place = self.place.after(step)


def seat_names(game: Game) -> list[str]:
    """The positions of a game; those of a spot are OOP and IP."""
    start = game.episode_of() if face(game).explicit is None else None
    if start is not None and len(start.board) >= _SPOT_BOARD and game.num_players == 2:
        return ["OOP", "IP"]
    return view(with_hands(game, "practice").episode_of()).seat_names()


def decision_kind(episode: Episode, names: Sequence[str]) -> DecisionKind:
    """The kind of the decision that the actor of an episode has; `names` are those of the seats."""
    position, poker = names[episode.actor], view(episode).poker
    if poker is None:
        return DecisionKind(position=position)
    rules, is_full = poker.game.rules, _begins_before_flop(poker.game)
    raises = [street for _, street, action, _ in poker.events if action > 0]
    early, here = raises.count(0), raises.count(poker.street)
    street = street_name(rules, poker.street)
    bets = here + (1 if is_full and poker.street == 0 else 0)
    return DecisionKind(
        street=street if rules.num_streets > 1 or street in STREETS else "",
        position=position,
        pot=POTS[min(early, len(POTS) - 1)] if is_full else "",
        facing=FACINGS[min(bets, 2) if poker.to_call else 0],
    )


def _street_names(poker: _native.Poker) -> list[str]:
    return [street_name(poker.rules, street) for street in range(poker.num_streets)]


def _begins_before_flop(game: Game) -> bool:
    """Whether it is a game of two hole cards or more with blinds, and no spot of it."""
    poker = face(game).poker
    if poker is None or poker.board:
        return False
    rules = poker.rules
    return rules.num_hole_cards > 1 and max(rules.blinds) > 0 and rules.board_cards[0] == 0
