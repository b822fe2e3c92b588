# SPDX-License-Identifier: MIT
"""Logs of ACPC matches: a line for each hand, and one with what everybody won in the end.

`STATE:hand:betting:cards:payoffs:players` is a hand with all cards, positions in order, and
`SCORE:chips:players` the match; `#` begins a comment. The game is not part of a log.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from regretless import _native
from regretless.errors import InputError
from regretless.histories.acpc import format_match_state, parse_match_state

_FIELDS = "STATE:hand:betting:cards:payoffs:players"


@dataclass(frozen=True)
class LoggedHand:
    """One hand of a match."""

    number: int
    episode: _native.PokerEpisode
    players: list[str]
    """Names by seat."""


def format_logged_hand(episode: _native.PokerEpisode, number: int, players: Sequence[str]) -> str:
    """The line of a hand that is over."""
    _, _, _, betting, cards = format_match_state(episode, 0, number, show_all=True).split(":")
    payoffs = "|".join(str(payoff) for payoff in episode.payoffs)
    return f"STATE:{number}:{betting}:{cards}:{payoffs}:{'|'.join(map(plain_name, players))}"


def format_score(chips: Sequence[int], players: Sequence[str]) -> str:
    """The last line of a log."""
    return f"SCORE:{'|'.join(map(str, chips))}:{'|'.join(map(plain_name, players))}"


def parse_logged_hand(line: str, game: _native.Poker) -> LoggedHand:
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
    return LoggedHand(state.hand_number, state.episode, names)


def read_acpc_log(
    lines: Iterable[str], game: _native.Poker, place: str = "log"
) -> Iterator[LoggedHand]:
    """The hands of a log, one after the other; InputError names the line that is wrong."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(("#", "SCORE:")):
            continue
        try:
            yield parse_logged_hand(line, game)
        except InputError as error:
            raise InputError(f"{place}: line {number}: {error}") from None


def plain_name(name: str) -> str:
    """A name without the signs that a line is divided by."""
    return name.replace(":", "_").replace("|", "_")


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
