# SPDX-License-Identifier: MIT
"""Logs of ACPC matches: a line for each hand, and one with what everybody won in the end.

`STATE:hand:betting:cards:payoffs:players` is a hand with all cards, positions in order, and
`SCORE:chips:players` the match; `#` begins a comment. The game is not part of a log.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from regretless import _native
from regretless.errors import InputError
from regretless.games.poker_rules import position_names
from regretless.histories.acpc import format_match_state, parse_match_state
from regretless.histories.hand_log import RecordedHand

_FIELDS = "STATE:hand:betting:cards:payoffs:players"


def format_logged_hand(hand: RecordedHand) -> str:
    """The line of a hand that is over."""
    state = format_match_state(hand.episode, 0, hand.number, show_all=True)
    players = hand.players or position_names(hand.episode.game.rules)
    results = _results(hand.episode.payoffs, players)
    return f"STATE:{hand.number}:{state.split(':', 3)[3]}:{results}"


def format_score(chips: Sequence[int], players: Sequence[str]) -> str:
    """The last line of a log."""
    return f"SCORE:{_results(chips, players)}"


def _results(chips: Sequence[int], players: Sequence[str]) -> str:
    """Chips and names, without the signs that a line is divided by."""
    names = [re.sub("[:|]", "_", name) for name in players]
    return f"{'|'.join(map(str, chips))}:{'|'.join(names)}"


def parse_logged_hand(line: str, game: _native.Poker) -> RecordedHand:
    """Reads and replays the hand of a line; InputError if the chips do not agree."""
    fields = line.strip().split(":")
    if len(fields) != 6 or fields[0] != "STATE":
        raise InputError(f"a hand of a log has the form {_FIELDS}, not {line.strip()[:60]!r}")
    _, number, betting, cards, payoffs, players = fields
    state = parse_match_state(f"MATCHSTATE:0:{number}:{betting}:{cards}", game)
    if not state.episode.is_terminal:
        raise InputError("the hand is not over")
    _check_payoffs(state.episode, payoffs)
    names = players.split("|")
    if len(names) != game.num_players:
        raise InputError(f"there must be {game.num_players} players, not {len(names)}")
    return RecordedHand(state.episode, names, state.hand_number)


def read_acpc_log(
    lines: Iterable[str], game: _native.Poker, place: str = "log"
) -> Iterator[RecordedHand]:
    """The hands of a log, one after the other; InputError names the line that is wrong."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(("#", "SCORE:")):
            continue
        try:
            yield parse_logged_hand(line, game)
        except InputError as error:
            raise InputError(f"{place}: line {number}: {error}") from None


def _check_payoffs(episode: _native.PokerEpisode, text: str) -> None:
    try:
        payoffs = [float(each) for each in text.split("|")]
    except ValueError:
        raise InputError(f"the payoffs must be numbers between '|', not {text[:60]!r}") from None
    live = [seat for seat, is_live in enumerate(episode.live) if is_live]
    if len(live) > 1 and not all(episode.hole(seat) for seat in live):
        raise InputError("the cards of those at the showdown are missing")
    # The ACPC divides odd chips exactly; here they are whole.
    if len(payoffs) != len(episode.payoffs) or any(
        abs(a - b) >= 1 for a, b in zip(payoffs, episode.payoffs, strict=True)
    ):
        due = "|".join(map(str, episode.payoffs))
        raise InputError(f"the payoffs are {text}, and the cards and bets say {due}")
