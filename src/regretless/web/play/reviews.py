# SPDX-License-Identifier: MIT
"""Reviews of finished hands by strategies and bots."""

from regretless.errors import InputError, TooLargeError
from regretless.games.face import rules_record
from regretless.matches.bots import BOTS, load_policy
from regretless.matches.slot_values import SlotValues
from regretless.tables.review import ReviewedChoice, review
from regretless.web.library import Library
from regretless.web.play.session import Session


def compare_hand(library: Library, session: Session, hand: int, name: str) -> list[ReviewedChoice]:
    """Compares the player's decisions with a bot or a strategy of the library."""
    episode, game = session.episode(hand), session.game
    seat = session.row(hand)["seats"].index(session.player)
    if name in BOTS:
        return review(episode, seat, load_policy(name, game))
    opened, rules = library.opened_for(name, game), rules_record(game)
    policy = opened.strategy.policy
    if rules_record(opened.strategy.game) != rules:
        raise InputError(f"{name}: plays {opened.strategy.game.name} with other rules")

    def values() -> SlotValues | None:
        try:
            return SlotValues(game, policy)
        except TooLargeError:
            return None

    with opened.lock:
        return review(episode, seat, policy, library.kept(opened.entry, f"values {rules}", values))
