# SPDX-License-Identifier: MIT
"""Questions that carry the table (`Needs(table=True)`), bets in chips, bots asked hand by hand."""

import json
from pathlib import Path

import numpy as np
import pytest

from regretless import _native
from regretless.errors import InputError
from regretless.evaluation.measures import Effort
from regretless.evaluation.measures import evaluate as measure
from regretless.games import load_game
from regretless.policies.policy import Needs
from regretless.seats.contestants import find_contestants
from regretless.seats.custom_bots import load_custom_bot
from regretless.seats.hand_view import bet_probabilities
from regretless.seats.matches import match

BET_BOT = Path(__file__).parents[2] / "examples" / "bet_bot.py"
GAMES = [
    load_game("nlhe"),
    load_game("nlhe", players=6),
    load_game("leduc"),
    load_game("plo5-100bb"),
    load_game("kuhn", players=3),
]


def played(game: _native.Poker, decisions: int = 40, tables: int = 7) -> list[tuple]:
    """Questions of a job, each row with the same episode stepped by itself."""
    job = _native.SelfPlay(game, tables=tables, seed=5, history=True, table=True)
    random, rows = np.random.default_rng(1), []
    episodes: dict[int, _native.PokerEpisode] = {}
    for _ in range(decisions):
        questions = job.ask()
        slots = []
        for row, number in enumerate(questions.episodes.tolist()):
            if number not in episodes:
                episodes[number] = game.episode(5, number)
            slots.append(random.choice(np.flatnonzero(questions.legal[row])))
            rows.append((questions, row, episodes[number], slots[-1]))
        yield from rows[-len(slots) :]
        for row, number in enumerate(questions.episodes.tolist()):
            episodes[number].choose(slots[row])
        job.answer_slots(np.array(slots, np.int32))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.num_players}")
def test_the_table_is_that_of_the_episode(game: _native.Poker) -> None:
    for questions, row, episode, _ in played(game):
        seat = episode.actor
        assert questions.actors[row] == seat
        assert questions.hole_cards[row].tolist() == sorted(episode.hole(seat))
        board = questions.boards[row].tolist()
        left = game.num_board_cards - len(episode.board)
        assert board == episode.board + [255] * left
        assert questions.seat_stacks[row].tolist() == episode.stacks
        assert questions.seat_bets[row].tolist() == episode.bets
        assert questions.live[row].tolist() == list(episode.live)
        assert questions.offers[row].tolist() == [-2 if a is None else a for a in episode.offer]
        least, most = episode.raise_range or (0, 0)
        assert (questions.least_raises[row], questions.most_raises[row]) == (least, most)
        assert questions.pots[row] == episode.pot and questions.to_calls[row] == episode.to_call
        steps = slice(*questions.step_offsets[row : row + 2])
        events = [(a, s, action) for a, s, action, _ in episode.events]
        columns = (questions.step_actors, questions.step_streets, questions.step_actions)
        assert list(zip(*(each[steps].tolist() for each in columns), strict=True)) == events


def test_parts_and_joins_keep_the_table() -> None:
    names = ("hole_cards", "boards", "seat_stacks", "seat_bets", "live", "offers")
    names += ("least_raises", "most_raises", "pots")
    job = _native.SelfPlay(GAMES[1], tables=9, seed=2, history=True, table=True)
    for _ in range(8):
        questions = job.ask()
        rows = np.array([4, 1, 1, 8])
        part = questions.part(rows)
        both = _native.Questions.joined([part, questions])
        for name in names:
            whole = getattr(questions, name)
            assert (getattr(part, name) == whole[rows]).all()
            assert (getattr(both, name) == np.concatenate([whole[rows], whole])).all()
        expected = np.concatenate([part.step_actions, questions.step_actions])
        assert (both.step_actions == expected).all() and len(expected) == both.step_offsets[-1]
        job.answer(questions.legal.astype(np.float32))


def test_columns_that_were_not_asked_for_say_so() -> None:
    questions = _native.SelfPlay(GAMES[0], tables=1, history=True).ask()
    for name in ("hole_cards", "offers", "least_raises", "live", "step_actions", "pots"):
        with pytest.raises(RuntimeError, match="=True"):
            getattr(questions, name)
    with_table = _native.SelfPlay(GAMES[0], tables=1, table=True).ask()
    with pytest.raises(RuntimeError, match="chips=True"):
        _ = with_table.hand_strengths
    plain = _native.Questions.joined([questions, with_table])
    with pytest.raises(RuntimeError, match="table=True"):
        _ = plain.offers


def test_dice_have_a_hand_and_no_chips() -> None:
    game = load_game("liars-dice-2x3f")
    job = _native.SelfPlay(game, tables=4, seed=3, table=True, history=True)
    job.answer(job.ask().legal.astype(np.float32))
    questions = job.ask()
    for row, number in enumerate(questions.episodes.tolist()):
        episode = game.episode(3, number)
        assert questions.hole_cards[row].tolist() == episode.hand_parts(questions.actors[row])
    assert questions.boards.shape == (4, 0) and not questions.seat_stacks.any()
    assert ((questions.offers == 0) == questions.legal).all()


@pytest.mark.parametrize("game", GAMES[:4], ids=lambda game: f"{game.name}-{game.num_players}")
def test_bets_are_mapped_as_the_core_maps_those_of_others(game: _native.Poker) -> None:
    random = np.random.default_rng(7)
    for questions, row, episode, _ in played(game, 12):
        least, most = episode.raise_range or (0, 0)
        amounts = [0, -1, *(np.arange(least, most + 1) if most else [5])]
        amounts = [*amounts[:4], *random.choice(amounts[2:], 6), most or 1]
        part = questions.part(np.full(len(amounts), row))
        answers = bet_probabilities(part, np.array(amounts))
        for amount, answer in zip(amounts, answers, strict=True):
            expected = np.zeros(game.num_actions)
            if (amount == -1 and not episode.can_fold) or (amount > 0 and not most):
                expected[1] = 1
            else:
                low, high, chance = episode.translate(int(amount))
                expected[low] += chance
                expected[high] += 1 - chance
            assert np.allclose(answer, expected, atol=1e-6)
        assert (answers.sum(1) > 0.999).all() and not answers[:, ~part.legal[0]].any()


def test_bets_beyond_the_rules_become_the_nearest_that_they_allow() -> None:
    game = load_game("nlhe", menu="50%,100%,a")
    questions = _native.SelfPlay(game, tables=1, table=True).ask()
    least, most = int(questions.least_raises[0]), int(questions.most_raises[0])
    both = questions.part(np.zeros(4, np.int64))
    answers = bet_probabilities(both, np.array([1, least, most + 1, most]))
    assert (answers[0] == answers[1]).all() and (answers[2] == answers[3]).all()
    assert answers[3, -1] == 1
    for bad in ([np.nan], [-2], [-0.5], [np.inf], [1, 2]):
        with pytest.raises(InputError, match="amounts: must be"):
            bet_probabilities(questions, np.array(bad))


def test_the_example_that_bets_plays_and_is_measured() -> None:
    won = match(f"{BET_BOT}:BetBot", "caller", hands=2000).players[0].won
    assert won.mean > 0.5  # of a big blind a hand
    (found,) = find_contestants([f"{BET_BOT}:BetBot"], "nlhe")
    text = json.dumps(
        [vars(each) for each in measure(found.game, found.policy, Effort(60, 12)).measures]
    )
    assert "local best response" in text
    lines = BET_BOT.read_text().split('"""', 2)[2].splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 24


BOTS = """
import numpy as np
from regretless import Needs, UniformPolicy
class Plain:
    name, needs = "plain", Needs()
    def __init__(self, game): pass
    def __call__(self, questions): return np.zeros(len(questions))
class Nan(Plain):
    needs = Needs(table=True)
    def __call__(self, questions): return np.full(len(questions), np.nan)
class Bets(Plain):
    needs = Needs(table=True)
class Views:
    seen = []
    def __init__(self, game): self.names = game.action_names
    def act(self, view):
        Views.seen.append(view)
        return {view!r}
class Answers(Views):
    name = "answers"
    answer = None
    def act(self, view): return type(self).answer
"""


def load(tmp_path: Path, name: str, game: _native.Poker | _native.LiarsDice, view: str = "0"):
    path = tmp_path / "bots.py"
    path.write_text(BOTS.replace("{view!r}", view))
    return load_custom_bot(f"{path}:{name}", game)


@pytest.mark.parametrize(
    ("name", "game", "problem"),
    [
        ("Plain", "leduc", "say needs = Needs(table=True) to bet amounts"),
        ("Nan", "leduc", "amounts: must be -1"),
        ("Bets", "liars-dice-1x4f", "this game has no chips"),
    ],
)
def test_bad_amounts_are_one_line(tmp_path: Path, name: str, game: str, problem: str) -> None:
    game = load_game(game)
    with pytest.raises(InputError) as caught:
        match(load(tmp_path, name, game), "caller", game=game, hands=10)
    assert problem in str(caught.value) and str(caught.value).startswith(str(tmp_path))


def test_a_bot_is_asked_hand_by_hand(tmp_path: Path) -> None:
    game = GAMES[2]
    bot = load(tmp_path, "Views", game, "'raise' if 'raise' in view.choices else 'call'")
    slow = match(bot, "caller", game=game, hands=400).players[0].won.mean
    assert slow == match("raiser", "caller", game=game, hands=400).players[0].won.mean
    views = bot.policy.bot.seen
    second = next(view for view in views if view.street == 1 and view.seat == 0)
    assert len(second.hole) == len(second.board) == 1 and second.board[0] in "JcJdQcQdKcKd"
    assert second.history[0] == (0, 0, 2) and second.pot >= 6
    assert second.choices == {"call": 0, "raise": 4} and second.least_raise == 4
    assert second.stacks == [10, 10] and second.bets == [0, 0] and second.live == [True, True]


@pytest.mark.parametrize(
    ("answer", "like"),
    [("0", "caller"), ("'check'", "caller"), ("10**6", "raiser"), ("{'call': 3}", "caller")],
)
def test_answers_hand_by_hand(tmp_path: Path, answer: str, like: str) -> None:
    game = load_game("nlhe")
    bot = load(
        tmp_path,
        "Views",
        game,
        answer.replace("'check'", "'check' if not view.to_call else 'call'"),
    )
    mine = match(bot, "pot-odds", game=game, hands=60).players[0].won.mean
    assert mine == match(like, "pot-odds", game=game, hands=60).players[0].won.mean


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("None", "must answer the name of a slot"),
        ("'cal'", "did you mean 'call'?"),
        ("'fold' if 0 else 'raise'", "'raise', which is not legal there"),
        ("{'nothing': 1}", "which is no slot"),
        ("{'call': -1}", "a probability below 0"),
    ],
)
def test_a_bad_answer_hand_by_hand_is_one_line(tmp_path: Path, answer: str, problem: str) -> None:
    bot = load(tmp_path, "Views", GAMES[2], answer)
    with pytest.raises(InputError) as caught:
        match(bot, "raiser", game=GAMES[2], hands=20)
    assert problem in str(caught.value) and "\n" not in str(caught.value)


def test_a_policy_of_ones_own_is_checked_where_it_is_given_as_it_is() -> None:
    class Half:
        name, needs = "half", Needs(table=True)

        def __call__(self, questions: _native.Questions) -> np.ndarray:
            return np.zeros(len(questions))

    class Wrong(Half):
        def __call__(self, questions: _native.Questions) -> np.ndarray:
            return np.zeros(questions.legal.shape)

    won = match(Half(), "pot-odds", game="leduc", hands=200).players[0].won.mean
    assert won == match("caller", "pot-odds", game="leduc", hands=200).players[0].won.mean
    with pytest.raises(InputError, match="half: gives no legal slot"):
        match(Wrong(), "caller", game="leduc", hands=10)
