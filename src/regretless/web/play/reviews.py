# SPDX-License-Identifier: MIT
"""Hands of tables looked at again with strategies and bots of the server."""

import threading
from collections import OrderedDict

from regretless.errors import InputError, TooLargeError
from regretless.games import Game
from regretless.games.face import rules_record
from regretless.matches.bots import BOTS, load_policy
from regretless.matches.slot_values import SlotValues
from regretless.tables.review import ReviewedChoice, review
from regretless.web.library import Library, Opened
from regretless.web.play.session import Session

_KEPT = 4  # strategies whose values are kept


class Reviews:
    """Any thread may ask."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._lock = threading.Lock()
        self._values: OrderedDict[str, tuple[Opened, SlotValues | None]] = OrderedDict()

    def review(self, session: Session, hand: int, name: str) -> list[ReviewedChoice]:
        """What a bot or a strategy of the library does where the player decided."""
        episode, game = session.episode(hand), session.game
        seat = session.row(hand)["seats"].index(session.player)
        if name in BOTS:
            return review(episode, seat, load_policy(name, game))
        opened = self.library.opened_for(name, game)
        if rules_record(opened.strategy.game) != rules_record(game):
            raise InputError(f"{name}: plays {opened.strategy.game.name} with other rules")
        with opened.lock:
            return review(episode, seat, opened.strategy.policy, self._valued(opened, game))

    def _valued(self, opened: Opened, game: Game) -> SlotValues | None:
        """Of the strategy, where the game is small enough; found once."""
        with self._lock:
            kept = self._values.get(opened.entry.id)
        if kept is not None and kept[0] is opened:
            return kept[1]
        try:
            values = SlotValues(game, opened.strategy.policy)
        except TooLargeError:
            values = None
        with self._lock:
            self._values[opened.entry.id] = (opened, values)
            self._values.move_to_end(opened.entry.id)
            while len(self._values) > _KEPT:
                self._values.popitem(last=False)
        return values
