# SPDX-License-Identifier: MIT
import random
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.game_definition import parse_game_definition
from regretless.games.poker_rules import make_poker
from regretless.histories.acpc import format_match_state, parse_match_state

NO_LIMIT = """
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
LEDUC = """# a comment
gamedef
LIMIT
NUMPLAYERS = 2
numrounds 2
blind = 1 1   # an ante
raiseSize = 2 4
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
end gamedef
"""
GAMES = {
    "nlhe": load_game("nlhe", stacks=20_000),
    "nlhe-3": load_game("nlhe", players=3, stacks=[300, 2_000, 20_000]),
    "nlhe-6": load_game("nlhe", players=6, stacks=[300, 2_000, 90, 4_000, 10_000, 1_000]),
    "limit-holdem": load_game("limit-holdem", players=3),
    "kuhn": load_game("kuhn"),
    "leduc": load_game("leduc"),
    "turn-endgame": load_game("turn-endgame"),
    "plo4": load_game("plo4", antes=10),
}
STATES = [
    "MATCHSTATE:0:30::9s8h|",
    "MATCHSTATE:0:30:cc/:9s8h|/8c8d5c",
    "MATCHSTATE:1:30:cc/r250:|9c6h/8c8d5c",
    "MATCHSTATE:0:30:cc/r250c/r500c/r1250c:9s8h|9c6h/8c8d5c/6s/2d",
    "MATCHSTATE:0:31:cr300r900f:9s8h|",
    "MATCHSTATE:0:31:r20000c///:9s8h|9c6h/8c8d5c/6s/2d",
]


def test_game_definition_file(tmp_path):
    path = tmp_path / "holdem.nolimit.2p.game"
    path.write_text(NO_LIMIT)
    rules = load_game(str(path), menu="50%,a").rules
    assert rules.name == "holdem.nolimit.2p"
    assert (rules.blinds, rules.stacks, rules.first_actors) == (
        [100, 50],
        [20000] * 2,
        [1, 0, 0, 0],
    )
    assert rules.limit == _native.Limit.NONE and rules.bets == [100] * 4
    assert rules.max_raises == [_native.NO_RAISE_CAP] * 4


def test_game_definition_is_the_named_game():
    read = make_poker(parse_game_definition(LEDUC), "leduc")
    assert read.rules.deck.lowest_rank == 10 and read.rules.stacks == [100_000_000] * 2
    assert read.count_tree() == load_game("leduc").count_tree()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("GAMEDEF\nno", "no", "line 2: must begin with GAMEDEF"),
        ("END GAMEDEF", "", "END GAMEDEF is missing"),
        ("numPlayers", "players", "line 4: unknown key 'players'"),
        ("numPlayers = 2", "", "numPlayers is missing"),
        ("numPlayers = 2", "numPlayers = two", "line 4: must be a key and whole numbers"),
        ("numPlayers = 2", "numPlayers = 3", "blind: needs 3 values, not 2"),
        ("numPlayers = 2", "numPlayers = 2\nnumplayers = 2", "line 5: numPlayers is given twice"),
        ("20000 20000", "99999999999 1", "line 6: stack: must be at most 100000000"),
        ("20000 20000", "200000000 1", "line 6: stack: must be at most"),
        ("nolimit", "limit", "raiseSize is missing"),
        ("2 1 1 1", "3 1 1 1", "firstPlayer: must be 1 to 2"),
        ("numRanks = 13", "numRanks = 14", "numRanks: must be 1 to 13"),
        ("numHoleCards = 2", "numHoleCards = 4", "numHoleCards, numBoardCards"),
        ("blind = 100 50", "blind = 0 0", "blind: somebody must post one"),
    ],
)
def test_bad_game_definitions(old, new, message):
    text = NO_LIMIT.replace(old, new, 1)
    with pytest.raises(InputError, match=re.escape(f"x.game: {message}")):
        make_poker(parse_game_definition(text, "x.game"), "x.game")


def test_missing_file():
    with pytest.raises(InputError, match=r"nowhere\.game: No such file"):
        load_game("nowhere.game")


@settings(deadline=None)
@given(st.text() | st.text("GAMEDFendumPlyrs =\n0129lit", max_size=60))
def test_any_text_as_game_definition(text):
    with pytest.raises(InputError):
        parse_game_definition(text)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(NO_LIMIT)), st.integers(0, 9), st.text(max_size=4))
def test_damaged_game_definition(at, cut, text):
    with suppress(InputError):
        make_poker(parse_game_definition(NO_LIMIT[:at] + text + NO_LIMIT[at + cut :]), "x.game")


@pytest.mark.parametrize("line", STATES)
def test_known_states(line):
    state = parse_match_state(line + "\r\n", GAMES["nlhe"])
    assert format_match_state(state.episode, state.position, state.hand_number) == line


def test_state_is_replayed():
    episode = parse_match_state("MATCHSTATE:0:30:cr300c/r900:9s8h|/8c8d5c", GAMES["nlhe"]).episode
    assert (episode.actor, episode.to_call, episode.pot) == (1, 600, 1200)
    assert episode.events == [(1, 0, 0, 50), (0, 0, 300, 200), (1, 0, 0, 200), (0, 1, 600, 600)]


def test_small_decks_use_the_top_cards():
    kuhn = _native.PokerEpisode(GAMES["kuhn"], [[0], [2]])
    assert format_match_state(kuhn, 0, 0, show_all=True) == "MATCHSTATE:0:0::Qs|As"
    leduc = _native.PokerEpisode(GAMES["leduc"], [[0], [5]], [3])
    assert format_match_state(leduc, 1, 0, show_all=True) == "MATCHSTATE:1:0::Qh|As"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("MATCHSTATE:0:30:", "a match state has the form"),
        ("STATE:0:30::9s8h|", "a match state has the form"),
        ("MATCHSTATE:2:30::9s8h|", "the position must be 0 to 1: '2' at column 12"),
        ("MATCHSTATE:x:30::9s8h|", "the position must be a whole number of at most 9 digits"),
        ("MATCHSTATE:0:30:b:9s8h|", "an action is f, c or r: 'b' at column 17"),
        ("MATCHSTATE:0:30:cc:9s8h|", "the street is over, but no '/' follows: 'cc' at column 17"),
        ("MATCHSTATE:0:30:c/:9s8h|", "'/' follows, but the street is not over: 'c' at column 17"),
        ("MATCHSTATE:0:30:ccc:9s8h|/8c8d5c", "the street is over, '/' is due: 'c' at column 19"),
        ("MATCHSTATE:0:30:cc/c:9s8h|", "the board cards of this street are missing: 'c'"),
        ("MATCHSTATE:0:30:fc:9s8h|", "the episode is over: 'c' at column 18"),
        ("MATCHSTATE:0:30:cf:9s8h|", "there is no bet to fold to: 'f' at column 18"),
        ("MATCHSTATE:0:30:r150:9s8h|", "a raise must be r200 to r20000 here: 'r150' at column 17"),
        ("MATCHSTATE:0:30:cc/r150:9s8h|/8c8d5c", "a raise must be r200 to r20000 here"),
        ("MATCHSTATE:0:30:r:9s8h|", "the amount of a raise must be a whole number"),
        ("MATCHSTATE:0:30:r20000r20001:9s8h|", "no raise is allowed here: 'r20001' at column 23"),
        ("MATCHSTATE:0:30::9s8h", "there must be 2 hands between '|'"),
        ("MATCHSTATE:0:30::9s|", "a hand has 2 cards: '9s' at column 18"),
        ("MATCHSTATE:0:30::9s8|", "a card is one of 23456789TJQKA and one of cdhs: '8'"),
        ("MATCHSTATE:0:30::9s9s|", "card given twice: '9s' at column 20"),
        ("MATCHSTATE:0:30:cc/:9s8h|/9s2d2c", "card given twice: '9s' at column 27"),
        ("MATCHSTATE:0:30:cc/:9s8h|/8c8d", "3 board cards are due on street 2: '8c8d'"),
        ("MATCHSTATE:0:30:cc/:9s8h|//8c", "the board cards of an earlier street are missing"),
        ("MATCHSTATE:0:30:c:9s8h|/8c8d5c", "a street that the betting has not come to: '8c8d5c'"),
        ("MATCHSTATE:0:30::9s8h|/8c8d5c/2c/3c/4c", "there are only 4 streets"),
    ],
)
def test_bad_states(line, message):
    with pytest.raises(InputError, match=re.escape(message)):
        parse_match_state(line, GAMES["nlhe"])


def test_fixed_limit_raise_has_no_amount():
    with pytest.raises(InputError, match="fixed-limit game: '2' at column 17"):
        parse_match_state("MATCHSTATE:0:0:r2:Qs|", GAMES["kuhn"])


def without_hidden(episode, position):
    """The episode as a player sees it: cards unseen are unknown."""
    seats = range(episode.game.num_players)
    hole = [episode.hole(seat) if seat == position else [] for seat in seats]
    seen = _native.PokerEpisode(episode.game, hole, episode.board)
    for _, _, action, _ in episode.events:
        seen.act(action)
    return seen


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 2**32), st.data())
def test_every_state_round_trips(name, seed, data):
    game = GAMES[name]
    episode = _native.PokerEpisode(game, seed=seed)
    while True:
        line = format_match_state(episode, 1, 7, show_all=True)
        state = parse_match_state(line, game)
        again = state.episode
        assert (state.position, state.hand_number) == (1, 7)
        assert (again.events, again.actor, again.street) == (
            (episode.events, episode.actor, episode.street)
        )
        assert [again.hole(s) for s in range(game.num_players)] == [
            episode.hole(s) for s in range(game.num_players)
        ]
        assert again.board == episode.board
        private = format_match_state(without_hidden(episode, 0), 0, 7)
        assert format_match_state(parse_match_state(private, game).episode, 0, 7) == private
        if episode.is_terminal:
            assert again.payoffs == episode.payoffs
            break
        slots = [slot for slot, legal in enumerate(episode.legal) if legal]
        episode.choose(data.draw(st.sampled_from(slots)))


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(STATES),
    st.integers(0, 70),
    st.integers(0, 5),
    st.text("fcr/|:0129sAK", max_size=5),
)
def test_damaged_states(line, at, cut, text):
    try:
        state = parse_match_state(line[:at] + text + line[at + cut :], GAMES["nlhe"])
    except InputError:
        return
    format_match_state(state.episode, state.position, state.hand_number)


@settings(deadline=None)
@given(st.text())
def test_any_text_as_state(text):
    with pytest.raises(InputError):
        parse_match_state("MATCHSTATE:0:0:" + text, GAMES["leduc"])


def test_unknown_board_waits():
    episode = parse_match_state("MATCHSTATE:0:1:r20000c/:9s8h|/", GAMES["nlhe"]).episode
    assert episode.actor == _native.CHANCE
    assert format_match_state(episode, 0, 1) == "MATCHSTATE:0:1:r20000c/:9s8h|/"


UNIVERSAL_POKER = [
    (
        "betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,numSuits=4,"
        "numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=2000 2000"
    ),
    (
        "betting=nolimit,numPlayers=3,numRounds=4,blind=50 100 0,firstPlayer=3 1 1 1,numSuits=4,"
        "numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=2000 2000 2000"
    ),
    (
        "betting=limit,numPlayers=2,numRounds=2,blind=1 1,raiseSize=2 4,maxRaises=2 2,"
        "firstPlayer=1 1,numSuits=2,numRanks=3,numHoleCards=1,numBoardCards=0 1"
    ),
]


@pytest.mark.parametrize("parameters", UNIVERSAL_POKER)
def test_states_printed_by_the_acpc_code(parameters):
    """OpenSpiel carries the ACPC dealer's own game logic and prints its states."""
    pyspiel = pytest.importorskip("pyspiel")
    abstraction = "fullgame" if "nolimit" in parameters else "fcpa"
    theirs = pyspiel.load_game(f"universal_poker({parameters},bettingAbstraction={abstraction})")
    lines = parameters.replace("betting=", "").replace(",", "\n")
    ours = make_poker(parse_game_definition(f"GAMEDEF\n{lines}\nEND GAMEDEF"), "x.game")
    generator = random.Random(7)
    for _ in range(60):
        state = theirs.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(generator.choice(actions[:3] + actions[-1:]))
        betting, cards = re.search("STATE:0:(.*):(.*)", str(state)).groups()
        if "numRanks=3" in parameters:  # OpenSpiel deals small decks from the bottom
            cards = cards.translate(str.maketrans("234cd", "QKAhs"))
        line = f"MATCHSTATE:0:0:{betting}:{cards}"
        episode = parse_match_state(line, ours).episode
        assert format_match_state(episode, 0, 0, show_all=True) == line
        assert episode.payoffs == state.returns()
