# SPDX-License-Identifier: MIT
"""ACPC match states, `MATCHSTATE:position:hand:betting:cards`, and logs of matches.

In the betting, `/` ends a street, `f` folds, `c` checks or calls and `r` raises: in no-limit to a
total of chips over the whole episode, antes and blinds included (`r300`). The cards are the hands
by position between `|`, empty where unknown, and then after each `/` the board cards of a street.
A deck of fewer ranks or suits is written with the top ones of 23456789TJQKA and cdhs, as the ACPC
does: the J, Q and K of Kuhn poker are Qs, Ks and As.

A log of a match has a line `STATE:hand:betting:cards:payoffs:players` for each hand, with all cards
and positions in order, and in the end `SCORE:chips:players`; `#` begins a comment. The game is not
part of a log. The ACPC divides a pot exactly, so payoffs may have fractions; the engine and all
other formats pay odd chips whole.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.games.episodes import replayed
from regretless.games.poker_rules import position_names
from regretless.histories.recorded_hand import RecordedHand
from regretless.notation.cards import RANKS, SUITS, Deck
from regretless.notation.tokens import Token

_FIELDS = "MATCHSTATE:position:hand:betting:cards"
_LOG_FIELDS = "STATE:hand:betting:cards:payoffs:players"
_NUMBER = re.compile("[0-9]{1,9}")
_ACTION = re.compile("[fc]|r[0-9]*")
_MOST_OFF = 1e-3  # chips; logs have up to six digits


@dataclass(frozen=True)
class MatchState:
    """A state as one player receives it: its seat, the number of the hand, and the episode."""

    position: int
    hand_number: int
    episode: _native.PokerEpisode


def format_match_state(
    episode: _native.PokerEpisode, position: int, hand_number: int, show_all: bool = False
) -> str:
    """The state as the player at `position` sees it, or with all cards that are known.

    Other hands are shown only to those who come to a showdown.
    """
    rules = episode.game.rules
    if not 0 <= position < rules.num_players:
        raise InputError(f"position: must be 0 to {rules.num_players - 1}, not {position}")
    is_showdown = episode.is_terminal and sum(episode.live) > 1
    hands = [
        _format_cards(episode.hole(seat), rules.deck)
        if show_all or seat == position or (is_showdown and live)
        else ""
        for seat, live in enumerate(episode.live)
    ]
    streets = rules.board_cards[: episode.street + 1]
    board = "/".join(
        _format_cards(cards, rules.deck) for cards in _portions(episode.board, streets)
    )
    betting = _format_betting(episode)
    return f"MATCHSTATE:{position}:{hand_number}:{betting}:{'|'.join(hands)}{board}"


def parse_match_state(text: str, game: _native.Poker) -> MatchState:
    """Reads and replays a state; InputError points at the column that is wrong."""
    line = Token.whole(text.rstrip())
    fields = list(line.split(":"))
    if len(fields) != 5 or fields[0].text != "MATCHSTATE":
        raise line.error(f"a match state has the form {_FIELDS}")
    position = _parse_number(fields[1], "the position")
    if position >= game.num_players:
        raise fields[1].error(f"the position must be 0 to {game.num_players - 1}")
    hand_number = _parse_number(fields[2], "the number of the hand")
    hole, streets = _parse_cards_field(fields[4], game.rules)
    board = [card for _, cards in streets for card in cards]
    episode = _native.PokerEpisode(game, hole, board)
    _replay(fields[3], episode)
    for street, (token, cards) in enumerate(streets):
        if cards and street > episode.street:
            raise token.error("board cards of a street that the betting has not come to")
    return MatchState(position, hand_number, episode)


def _format_betting(episode: _native.PokerEpisode) -> str:
    streets = [""] * (episode.street + 1)
    for before, _, action in replayed(episode):
        streets[before.street] += format_action(before, action)
    return "/".join(streets)


def _replay(betting: Token, episode: _native.PokerEpisode) -> None:
    streets = list(betting.split("/"))
    for street, actions in enumerate(streets):
        for action in _split_actions(actions):
            _check_due(action, episode, street)
            episode.act(_action(action, episode))
        if street + 1 < len(streets) and street == episode.street:
            raise actions.error("'/' follows, but the street is not over")
    if episode.street >= len(streets):
        raise betting.error("the street is over, but no '/' follows")


def _split_actions(street: Token) -> Iterator[Token]:
    at = 0
    while at < len(street.text):
        match = _ACTION.match(street.text, at)
        if not match:
            raise street.slice(at, at + 1).error("an action is f, c or r")
        yield street.slice(at, match.end())
        at = match.end()


def _check_due(action: Token, episode: _native.PokerEpisode, street: int) -> None:
    if episode.is_terminal:
        raise action.error("the episode is over")
    if episode.street != street:
        raise action.error("the street is over, '/' is due")
    if episode.actor == _native.CHANCE:
        raise action.error("the board cards of this street are missing")


def _action(token: Token, episode: _native.PokerEpisode) -> int:
    if not _ACTION.fullmatch(token.text):
        raise token.error("an action is f, c or r with an amount")
    if token.text == "f" and not episode.can_fold:
        raise token.error("there is no bet to fold to")
    return {"f": -1, "c": 0}[token.text] if token.text in "fc" else _parse_raise(token, episode)


def _parse_raise(token: Token, episode: _native.PokerEpisode) -> int:
    """The total on this street that a raise means."""
    limits = episode.raise_range
    if limits is None:
        raise token.error("no raise is allowed here")
    least, most = limits
    amount = token.slice(1, len(token.text))
    if episode.game.rules.limit == _native.Limit.FIXED:
        if amount.text:
            raise amount.error("a raise has no amount in a fixed-limit game")
        return least
    earlier = _earlier(episode)
    raised = _parse_number(amount, "the amount of a raise") - earlier
    if not least <= raised <= most:
        raise token.error(f"a raise must be r{least + earlier} to r{most + earlier} here")
    return raised


def _parse_number(token: Token, what: str) -> int:
    if not _NUMBER.fullmatch(token.text):
        raise token.error(f"{what} must be a whole number of at most 9 digits")
    return int(token.text)


Streets = list[tuple[Token, list[int]]]


def _parse_cards_field(field: Token, rules: _native.PokerRules) -> tuple[list[list[int]], Streets]:
    """Hole cards by seat, and the board cards of each street with their place."""
    first, *later = field.split("/")
    hands = list(first.split(r"\|"))
    if len(hands) != rules.num_players:
        raise first.error(f"there must be {rules.num_players} hands between '|', empty or not")
    if len(later) >= rules.num_streets:
        raise later[-1].error(f"there are only {rules.num_streets} streets")
    seen: set[int] = set()
    parsed = [_parse_cards(hand, rules.deck, seen) for hand in hands]
    # The first street's board cards, if it has any, follow the last hand without a mark.
    num_hole, num_last = rules.num_hole_cards, len(parsed[-1])
    split = min(num_last, num_hole if num_last != rules.board_cards[0] else 0)
    streets = [(hands[-1], parsed[-1][split:])]
    parsed[-1] = parsed[-1][:split]
    for hand, cards in zip(hands, parsed, strict=True):
        if len(cards) not in (0, num_hole):
            raise hand.error(f"a hand has {num_hole} cards")
    streets += [(token, _parse_cards(token, rules.deck, seen)) for token in later]
    _check_streets(streets, rules.board_cards)
    return parsed, streets


def _check_streets(streets: Streets, due: Sequence[int]) -> None:
    is_known = True
    for street, (token, cards) in enumerate(streets):
        if cards and len(cards) != due[street]:
            raise token.error(f"{due[street]} board cards are due on street {street + 1}")
        if cards and not is_known:
            raise token.error("the board cards of an earlier street are missing")
        is_known = is_known and len(cards) == due[street]


def _parse_cards(token: Token, deck: Deck, seen: set[int]) -> list[int]:
    cards = []
    for start in range(0, len(token.text), 2):
        name = token.slice(start, min(start + 2, len(token.text)))
        rank = RANKS.find(name.text[0]) - len(RANKS) + deck.num_ranks
        suit = SUITS.find(name.text[1:]) - len(SUITS) + deck.num_suits
        if len(name.text) != 2 or rank < 0 or suit < 0:
            ranks, suits = RANKS[-deck.num_ranks :], SUITS[-deck.num_suits :]
            raise name.error(f"a card is one of {ranks} and one of {suits}")
        card = rank * deck.num_suits + suit
        if card in seen:
            raise name.error("card given twice")
        seen.add(card)
        cards.append(card)
    return cards


def _format_cards(cards: Iterable[int], deck: Deck) -> str:
    ranks, suits = RANKS[-deck.num_ranks :], SUITS[-deck.num_suits :]
    return "".join(ranks[card // deck.num_suits] + suits[card % deck.num_suits] for card in cards)


def _portions(cards: Sequence[int], sizes: Iterable[int]) -> Iterator[Sequence[int]]:
    start = 0
    for size in sizes:
        yield cards[start : start + size]
        start += size


def format_action(episode: _native.PokerEpisode, action: int) -> str:
    """An action of the actor as the protocol writes it: `f`, `c`, `r`, `r300`."""
    if action <= 0:
        return "f" if action < 0 else "c"
    if episode.game.rules.limit == _native.Limit.FIXED:
        return "r"
    return f"r{action + _earlier(episode)}"


def parse_action(text: str, episode: _native.PokerEpisode) -> int:
    """The action that the actor has written; InputError if it is none or not legal.

    An amount in a fixed-limit game is not read.
    """
    is_limit = episode.game.rules.limit == _native.Limit.FIXED
    return _action(Token.whole(text.rstrip("0123456789") if is_limit else text), episode)


def _earlier(episode: _native.PokerEpisode) -> int:
    """The chips that the actor put in before this street."""
    return episode.paid[episode.actor] - episode.bets[episode.actor]


def exact_payoffs(episode: _native.PokerEpisode) -> list[float]:
    """The payoffs of a finished hand as the ACPC counts: shared pots are divided exactly."""
    live = [seat for seat, is_live in enumerate(episode.live) if is_live]
    if len(live) < 2 or sum(episode.payoffs) != 0:  # one player wins all, or there is rake
        return [float(each) for each in episode.payoffs]
    paid, strengths = episode.paid, {seat: episode.strength(seat) for seat in live}
    won, below = [-float(chips) for chips in paid], 0
    for level in sorted({paid[seat] for seat in live}):
        pot = sum(max(min(chips, level) - below, 0) for chips in paid)
        eligible = [seat for seat in live if paid[seat] >= level]
        best = max(strengths[seat] for seat in eligible)
        winners = [seat for seat in eligible if strengths[seat] == best]
        for seat in winners:
            won[seat] += pot / len(winners)
        below = level
    return won


def format_logged_hand(hand: RecordedHand) -> str:
    """The line of a hand that is over."""
    state = format_match_state(hand.episode, 0, hand.number, show_all=True)
    players = hand.players or position_names(hand.episode.game.rules)
    results = _results(exact_payoffs(hand.episode), players)
    return f"STATE:{hand.number}:{state.split(':', 3)[3]}:{results}"


def format_score(chips: Sequence[float], players: Sequence[str]) -> str:
    """The last line of a log."""
    return f"SCORE:{_results(chips, players)}"


def _results(chips: Sequence[float], players: Sequence[str]) -> str:
    """Chips and names, without the signs that a line is divided by."""
    names = [re.sub("[:|]", "_", name) for name in players]
    return f"{'|'.join(map(chips_text, chips))}:{'|'.join(names)}"


def chips_text(chips: float) -> str:
    """`-50`, `3126.5`: without zeros at the end."""
    return f"{chips or 0:.6f}".rstrip("0").rstrip(".")


def parse_logged_hand(line: str, game: _native.Poker) -> RecordedHand:
    """Reads and replays the hand of a line; InputError if the chips do not agree."""
    fields = line.strip().split(":")
    if len(fields) != 6 or fields[0] != "STATE":
        raise InputError(f"a hand of a log has the form {_LOG_FIELDS}, not {line.strip()[:60]!r}")
    _, number, betting, cards, payoffs, players = fields
    state = parse_match_state(f"MATCHSTATE:0:{number}:{betting}:{cards}", game)
    if not state.episode.is_terminal:
        raise InputError("the hand is not over")
    note = _check_payoffs(state.episode, payoffs)
    names = players.split("|")
    if len(names) != game.num_players:
        raise InputError(f"there must be {game.num_players} players, not {len(names)}")
    return RecordedHand(state.episode, names, state.hand_number, note=note)


def log_pieces(
    lines: Iterable[str], game: _native.Poker, place: str
) -> Iterator[tuple[int, Callable[[], RecordedHand]]]:
    """The number of each line with a hand, and the call that reads it."""
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith(("#", "SCORE:")):
            yield number, partial(_read_line, line, game, f"{place}: line {number}")


def _read_line(line: str, game: _native.Poker, place: str) -> RecordedHand:
    with refusing(place):
        return parse_logged_hand(line, game)


def _check_payoffs(episode: _native.PokerEpisode, text: str) -> str:
    """Compares the payoffs of a log; a note if only odd chips differ."""
    try:
        payoffs = [float(each) for each in text.split("|")]
    except ValueError:
        raise InputError(f"the payoffs must be numbers between '|', not {text[:60]!r}") from None
    live = [seat for seat, is_live in enumerate(episode.live) if is_live]
    if len(live) > 1 and not all(episode.hole(seat) for seat in live):
        raise InputError("the cards of those at the showdown are missing")
    exact = exact_payoffs(episode)
    if _agree(payoffs, episode.payoffs):
        return ""
    if not _agree(payoffs, exact):
        due = "|".join(map(chips_text, exact))
        raise InputError(f"the payoffs are {text}, and the cards and bets say {due}")
    whole = "|".join(map(str, episode.payoffs))
    return f"the log divides odd chips, {text}, which are whole chips here: {whole}"


def _agree(payoffs: Sequence[float], due: Sequence[float]) -> bool:
    off = zip(payoffs, due, strict=False)
    return len(payoffs) == len(due) and all(abs(a - b) < _MOST_OFF for a, b in off)
