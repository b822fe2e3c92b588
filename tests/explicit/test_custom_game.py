# SPDX-License-Identifier: MIT
"""A game and a custom algorithm, as docs/custom_game_and_algorithm.md writes them down."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from command_line import command as run
from regretless import (
    InputError,
    SelfPlay,
    Table,
    UniformPolicy,
    evaluate,
    load_encoder,
    load_game,
    make_algorithm,
    match,
    open_bundle,
    play_on,
    read_config,
    solve,
    train,
)
from regretless.explicit.explicit_game import ExplicitGame
from regretless.explicit.explicit_tree import enumerate_tree, expected_values, uniform_strategy
from regretless.networks.expansion import Expansion
from regretless.policies.policy import Needs

PAGE = Path(__file__).parents[2] / "docs" / "custom_game_and_algorithm.md"
KUHN = Path(__file__).parents[2] / "examples" / "python_game.py"
NAMES = ("bluff.py", "my_cfr.py", "bluff.yaml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the files of the page."""
    blocks = re.findall(r"^```\w+\n(# (\S+)\n.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    assert [name for _, name in blocks] == list(NAMES)
    for text, name in blocks:
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_runs_as_it_stands(folder: Path) -> None:
    code = [line.strip() for line in PAGE.read_text("utf-8").splitlines()]
    for line in (each for each in code if each.startswith("regretless ")):
        arguments = line.partition("  #")[0].split()[1:]
        extra = ["--hands", "1000"] if arguments[0] == "match" else []
        run(*arguments, *extra, typed="q\n" if arguments[0] == "play" else "")
    assert open_bundle(folder / "runs" / "bluff").game.num_actions == 4


def test_both_are_short() -> None:
    lines = [
        len([line for line in text.splitlines() if line.strip()])
        for text in re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    ]
    assert max(lines) <= 50


@pytest.mark.parametrize(
    ("algorithm", "steps", "within"),
    [
        ("cfr", 3000, 0.02),
        ("cfr+", 1000, 1e-3),
        ("dcfr", 1000, 1e-3),
        ("fictitious-play", 1000, 0.01),
        ("mccfr", 50_000, 0.02),
        ("mccfr-outcome", 50_000, 0.03),
        ("rl-cfr", 20_000, 0.1),
        ("my_cfr.py:MyCfr", 500, 0.01),
    ],
)
def test_it_is_solved_as_theory_says(
    folder: Path, algorithm: str, steps: int, within: float
) -> None:
    """A bet of b into a pot of 2: bluff b in b + 2, call 2 in b + 2; worth b / (b + 2)."""
    solution = solve(load_game("bluff.py:Bluff", bet=2), algorithm=algorithm, iterations=steps)
    assert solution.exploitability is not None and solution.exploitability < within
    assert solution.value == pytest.approx(0.5, abs=within)
    strategy = solution.strategy
    names = ["bet", "pass", "call", "fold"]
    size = len(strategy["low"])
    bluff = strategy["low"][0]
    call = strategy["a bet"][names.index("call") if size == 4 else 0]
    assert bluff == pytest.approx(0.5, abs=5 * within) and call == pytest.approx(
        0.5, abs=5 * within
    )


def test_self_play_is_fair_to_the_tree(folder: Path) -> None:
    """Random play wins what the tree says, by expectation over every history."""
    game = load_game("bluff.py:Bluff", bet=2)
    job = SelfPlay(game, episodes=40_000, tables=512, seed=3)
    while (questions := job.ask()) is not None:
        job.answer(questions.legal.astype(np.float32))
    won = job.take_steps().payoffs / game.unit
    tree = game.tree
    expected = expected_values(tree, uniform_strategy(tree))
    assert won.mean(axis=0) == pytest.approx(expected, abs=4 * won[:, 0].std() / 200)


def test_chance_is_drawn_as_often_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "urn.py").write_text(
        "class Urn:\n"
        "    num_players = 1\n"
        "    def root(self): return ()\n"
        "    def actor(self, state): return (-1, -1, 0, -2)[len(state)]\n"
        "    def chance(self, state): return [('a', 0.7), ('b', 0.3), ('never', 0.0)]\n"
        "    def actions(self, state): return ['on']\n"
        "    def next(self, state, action): return (*state, action)\n"
        "    def infoset(self, state): return state\n"
        "    def payoffs(self, state): return [0.25 * (state.count('a') == 2)]\n"
    )
    game = load_game(f"{tmp_path / 'urn.py'}:Urn")
    assert game.unit == 4
    job = SelfPlay(game, episodes=40_000, tables=64)
    seen: list[int] = []
    while (questions := job.ask()) is not None:
        seen += questions.infosets.tolist()
        job.answer(questions.legal.astype(np.float32))
    names = dict(zip(game.infoset_keys.tolist(), game.tree.infoset_names, strict=True))
    counts = {name: seen.count(key) / len(seen) for key, name in names.items()}
    assert counts["('a', 'a')"] == pytest.approx(0.49, abs=0.01)
    assert counts["('a', 'b')"] == pytest.approx(0.21, abs=0.01)
    assert counts["('never', 'a')"] == 0
    assert job.take_steps().payoffs.mean() / 4 == pytest.approx(0.25 * 0.49, abs=0.004)


def test_the_same_seed_gives_the_same_bytes_whatever_the_threads(folder: Path) -> None:
    game = load_game("bluff.py:Bluff")
    states = [
        make_algorithm("mccfr", game, seed=5, threads=threads, batch=100, iterations_per_step=100)
        for threads in (1, 2)
    ]
    for each in states:
        each.step(20)
    first, second = (each.state() for each in states)
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_python_and_native_kuhn_are_one_game() -> None:
    """A policy has one value by two trees that share no code."""
    own = load_game(f"{KUHN}:KuhnPoker")
    ours = evaluate("random", game="kuhn").exact
    theirs = evaluate(UniformPolicy(), game=own).exact
    assert ours is not None and theirs is not None
    assert theirs.values == pytest.approx(ours.values)
    assert theirs.best_values == pytest.approx(ours.best_values)
    assert solve(own, algorithm="mccfr", iterations=50_000).value == pytest.approx(
        -1 / 18, abs=0.02
    )


def test_a_policy_reads_its_past_and_the_history(folder: Path) -> None:
    """Columns that are replayed natively, in a game whose chance is not public."""
    game = load_game(f"{KUHN}:KuhnPoker")
    asked: list[tuple[int, ...]] = []

    class Reader:
        name, needs = "reader", Needs(history=True, past=True)

        def __call__(self, questions):  # type: ignore[no-untyped-def]
            for row in range(len(questions)):
                first, last = questions.step_offsets[row : row + 2]
                own = questions.past_offsets[row + 1] - questions.past_offsets[row]
                actors = questions.step_actors[first:last].tolist()
                assert own == actors.count(questions.actors[row])
                asked.append(tuple(questions.step_slots[first:last].tolist()))
            return questions.legal.astype(np.float32)

    assert evaluate(Reader(), game=game).exact is not None
    assert sorted(set(asked)) == [(), (0,), (0, 1), (1,)]
    assert len(asked) == 12


def test_its_encoder_tells_infosets_apart(folder: Path) -> None:
    """Natively and in torch alike, one mark for the seat and one for the infoset."""
    torch = pytest.importorskip("torch")
    game = load_game(f"{KUHN}:KuhnPoker")
    encoder = load_encoder("infoset", game)
    assert (encoder.row_bytes, encoder.num_features) == (3, 2 + 12)
    rows = {}
    for index in range(40):
        episode = game.episode(1, index)
        while not episode.is_terminal:
            rows[episode.infoset_name] = encoder.row(episode)
            episode.choose([slot for slot, ok in enumerate(episode.legal) if ok][index % 2])
    features = encoder.expand(np.stack(list(rows.values())))
    assert len(np.unique(features, axis=0)) == len(rows) >= 9
    assert (features.sum(axis=1) == 2).all()
    told = Expansion(encoder)(torch.as_tensor(np.stack(list(rows.values()))))
    assert np.array_equal(told.numpy(), features)
    with pytest.raises(InputError, match="has only 'infoset'"):
        load_encoder("slots12", game)


def test_a_bundle_carries_the_game_and_no_code(folder: Path) -> None:
    solution = solve("bluff.py:Bluff", iterations=300)
    solution.write_bundle("runs/b")
    (folder / "bluff.py").unlink()
    found = evaluate("runs/b")
    assert found.measures[0].value == pytest.approx(solution.exploitability)
    assert match("runs/b", "random", hands=200).hands == 200
    bundle = open_bundle(Path("runs/b"))
    bundle.verify()
    assert isinstance(bundle.game, ExplicitGame)
    with pytest.raises(InputError, match="runs/b is for Bluff"):
        match("runs/b", "random", game="kuhn", hands=10)
    with pytest.raises(InputError, match="only the bot random plays a custom game"):
        match("runs/b", "caller", hands=10)


def test_a_bundle_whose_game_was_changed_is_refused(folder: Path) -> None:
    solve("bluff.py:Bluff", iterations=10).write_bundle("runs/b")
    solve(load_game("bluff.py:Bluff", bet=3), iterations=10).write_bundle("runs/c")
    for name in ("game.safetensors",):
        (folder / "runs/b" / name).write_bytes((folder / "runs/c" / name).read_bytes())
    with pytest.raises(InputError, match="damaged"):
        evaluate("runs/b")
    bundle = open_bundle(Path("runs/b"), verify=False)
    with pytest.raises(InputError, match="another game than the manifest says"):
        bundle.game  # noqa: B018


def test_a_run_goes_on_to_the_same_bytes(folder: Path) -> None:
    whole = train("bluff.yaml", "output=whole")
    train("bluff.yaml", "output=part", "budget.steps=200")
    run("resume", "part", "budget.steps=400")
    for name in ("strategy.safetensors", "game.safetensors"):
        first, second = (Path(each) / "bundle" / name for each in (whole.path, "part"))
        assert first.read_bytes() == second.read_bytes()
    rows = [json.loads(line) for line in whole.metrics_path.read_text().splitlines()]
    assert [row["step"] for row in rows if "eval/exploitability" in row] == [100, 200, 300, 400]
    assert open_bundle(whole.path / "bundle").manifest.algorithm.name == "my_cfr.py:MyCfr"


@pytest.mark.parametrize("name", ["bluff.py", "my_cfr.py"])
def test_a_changed_file_is_told(folder: Path, name: str) -> None:
    train("bluff.yaml", "output=out", "budget.steps=100")
    with (folder / name).open("a") as file:
        file.write("# another\n")
    said = run("resume", "out", "budget.steps=200", status=2)
    assert name in said and "has changed since the run began" in said
    (folder / name).unlink()
    assert "is not there any more" in run("resume", "out", "budget.steps=200", status=2)


def test_files_are_looked_for_beside_the_config(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    config = read_config(folder / "bluff.yaml")
    assert config.game.name == f"{folder / 'bluff.py'}:Bluff" and config.game.sha256 is not None
    assert config.algorithm.options == {"power": 2.0}
    made = train(folder / "bluff.yaml", "budget.steps=100")
    assert evaluate(made.path).measures[0].value < 0.05


def test_it_is_played_in_a_terminal(folder: Path) -> None:
    solve("bluff.py:Bluff", iterations=300).write_bundle("runs/b")
    said = run("play", "runs/b", "--hands", "2", "--seat", "1", "--seed", "4", typed="call\n" * 2)
    assert "you (seat 1) know: a bet" in said or "you win" in said
    assert "after 2 hands" in said
    said = run("play", "bluff.py:Bluff", "--seed", "1", typed="?\nbet\n")
    assert "a range needs public states" in said and "the end: you (seat 0) bet" in said
    assert "moves" in run("play", "bluff.py:Bluff", "--seat", "1", "--seed", "6", typed="fold\n")


def test_a_table_tells_no_secrets(folder: Path) -> None:
    game = load_game("bluff.py:Bluff")
    table = Table(game, [UniformPolicy(), None], seed=1)
    play_on([table])
    assert {entry.text for entry in table.log if entry.seat is not None} <= {"moves"}


def test_games_of_openspiel_by_name() -> None:
    pytest.importorskip("pyspiel")
    game = load_game("openspiel:kuhn_poker", players=3)
    assert (game.num_players, game.tree.num_infosets) == (3, 48)
    assert solve("openspiel:kuhn_poker", iterations=500).value == pytest.approx(-1 / 18, abs=1e-3)
    assert "histories" in run("games", "openspiel:kuhn_poker", "--count", "--episode", "1")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["deep-cfr", "sd-cfr", "nfsp"])
def test_learners_learn_it(name: str) -> None:
    from test_algorithm_contract import BOUNDS, OPTIONS

    game = load_game(f"{KUHN}:KuhnPoker")
    algorithm = make_algorithm(name, game, seed=1, **OPTIONS[name])
    algorithm.step(BOUNDS[name][0])
    assert evaluate(algorithm.policy(), game).measures[0].value < 2 * BOUNDS[name][1]


@pytest.mark.parametrize("name", ["deep-cfr", "sd-cfr"])
def test_learners_begin(folder: Path, name: str) -> None:
    """A small step, and a policy that is asked everywhere."""
    game = load_game("bluff.py:Bluff")
    options = {"traversals": 20, "widths": (8,), "steps": 2, "batch": 16}
    algorithm = make_algorithm(name, game, seed=1, **options)
    algorithm.step(1)
    assert algorithm.steps_done == 1
    assert evaluate(algorithm.policy(), game).measures[0].value < 2


BAD = {
    "none.py:Game": "there is no file 'none.py'",
    "bluff.py": "name the game too, as in my_game.py:MyGame",
    "bluff.py:Buff": "did you mean 'Bluff'?",
    "bad.py:NoActor": "is no game: it has no actor",
    "bad.py:Raises": "enumerating it raises ZeroDivisionError: division by zero",
    "bad.py:Many": "at most 64 actions, not 70",
    "openspiel:nothing_there": "nothing_there",
}
BAD_GAMES = """
from bluff import Bluff

class NoActor:
    num_players = 2
    def __getattr__(self, name):
        if name == "actor": raise AttributeError
        return None

class Raises(Bluff):
    def payoffs(self, state): return 1 / 0

class Many(Bluff):
    def actions(self, state): return list(range(70)) if len(state) == 1 else ["call", "fold"]
"""


@pytest.mark.parametrize("source", list(BAD))
def test_what_is_wrong_with_a_game_is_one_line(
    folder: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "bad.py").write_text(BAD_GAMES)
    monkeypatch.syspath_prepend(str(folder))
    if source.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    with pytest.raises(InputError) as error:
        load_game(source)
    assert BAD[source] in str(error.value) and "\n" not in str(error.value)


BAD_ALGORITHMS = """
from dataclasses import dataclass
from regretless import CustomAlgorithm

class Lacks:
    def __init__(self, game, config, seed): self.game = game

class Abstract(CustomAlgorithm):
    def __init__(self, game, config, seed): self.game = game

class Plain(Lacks):
    class Config: ...

class Raises:
    def __init__(self, game, config, seed): raise KeyError("no")
"""


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("Lacks", {}, "is no algorithm: it has no steps_done, takes, step"),
        ("Lacks", {"rate": 1}, "has no Config, so there is no option 'rate'"),
        ("Abstract", {}, "abstract method"),
        ("Plain", {}, "Config: must be a dataclass"),
        ("Raises", {}, "raises KeyError: 'no' (own.py, line 15)"),
        ("Nothing", {}, "there is no 'Nothing'"),
    ],
)
def test_what_is_wrong_with_an_algorithm_is_one_line(
    folder: Path, name: str, options: dict[str, int], said: str
) -> None:
    (folder / "own.py").write_text(BAD_ALGORITHMS)
    with pytest.raises(InputError) as error:
        make_algorithm(f"own.py:{name}", load_game("kuhn"), **options)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_a_file_is_run_once_until_it_is_written_anew(folder: Path) -> None:
    """Whatever its time of change says: it is known by its content."""
    file, log = folder / "my_cfr.py", folder / "log.txt"
    for count in (1, 2):
        count_line = f"with open({str(log)!r}, 'a') as log: log.write('{count}')\n"
        file.write_text(file.read_text(encoding="utf-8") + count_line, encoding="utf-8")
        for _ in range(2):
            solve("bluff.py:Bluff", algorithm="my_cfr.py:MyCfr", iterations=2)
    assert log.read_text() == "112"


def test_options_are_checked_by_their_types(folder: Path) -> None:
    game = load_game("bluff.py:Bluff")
    with pytest.raises(InputError, match="unknown option 'powr'; did you mean 'power'"):
        make_algorithm("my_cfr.py:MyCfr", game, powr=1)
    with pytest.raises(InputError, match="power: input should be a valid number, not 'a'"):
        make_algorithm("my_cfr.py:MyCfr", game, power="a")


def test_rebel_says_what_is_missing(folder: Path) -> None:
    with pytest.raises(InputError, match="needs public states with private hands kept apart"):
        make_algorithm("rebel", load_game("bluff.py:Bluff"))


def test_a_package_brings_an_algorithm_by_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its entry points, as an installed package has them."""
    facts = folder / "mine-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[regretless.algorithms]\nmy-cfr = my_cfr:MyCfr\n")
    monkeypatch.syspath_prepend(str(folder))
    solution = solve("bluff.py:Bluff", algorithm="my-cfr", iterations=200)
    assert solution.value == pytest.approx(1 / 3, abs=0.01)
    with pytest.raises(InputError, match="unknown algorithm"):
        solve("bluff.py:Bluff", algorithm="my-cfrs", iterations=200)


def test_a_game_is_its_tree() -> None:
    """Slots and actions lead to each other and back."""
    game = load_game(f"{KUHN}:KuhnPoker")
    strategy = np.random.default_rng(1).dirichlet([1, 1], game.tree.num_infosets)
    assert np.allclose(game.tree_rows(game.slot_rows(strategy)), strategy)
    assert game.tree.num_nodes == enumerate_tree(_kuhn()).num_nodes


def _kuhn():  # type: ignore[no-untyped-def]
    from regretless.custom_code import load_custom

    return load_custom(f"{KUHN}:KuhnPoker", "game", "")()
