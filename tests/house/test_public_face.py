# SPDX-License-Identifier: MIT
"""The public names: exactly the table, light to import, documented, and easy to use."""

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import regretless
from regretless import InputError, equity, evaluate, load_game, match, open_policy, solve

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "regretless" / "__init__.py"


def test_the_table_is_all_that_is_exported() -> None:
    assert sorted(regretless.PUBLIC) == sorted(regretless.__all__)
    assert set(regretless.PUBLIC) <= set(dir(regretless))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        regretless.nothing  # noqa: B018


def test_every_name_is_there_and_says_what_it_is() -> None:
    assert len(regretless.PUBLIC) <= 70
    for name, module in regretless.PUBLIC.items():
        found = getattr(regretless, name)
        assert found is getattr(importlib.import_module(module), name)
        assert inspect.getdoc(found), name


def test_no_name_is_that_of_a_module() -> None:
    """A submodule would take the place of the name as soon as it is imported."""
    modules = {path.stem for path in SOURCE.parent.iterdir()}
    assert not modules & set(regretless.PUBLIC)


def test_importing_is_light() -> None:
    script = (
        "import sys, regretless; dir(regretless); before = set(sys.modules)\n"
        "print(sorted({'numpy', 'torch', 'scipy', 'regretless._native'} & before))\n"
        "from regretless import load_game, SelfPlay, Policy, parse_cards, Range, equity\n"
        "print(sorted({'torch', 'scipy', 'typer'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout.split("\n")[:2] == ["[]", "[]"], result.stderr


def test_the_page_and_the_stub_are_written_from_the_table() -> None:
    path = str(ROOT / "scripts")
    sys.path.insert(0, path)
    try:
        page = importlib.import_module("api_page")
    finally:
        sys.path.remove(path)
    assert [name for names in page.groups().values() for name in names] == [*regretless.PUBLIC]
    written = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert written == page.page(), "run scripts/api_page.py"
    assert SOURCE.with_suffix(".pyi").read_text(encoding="utf-8") == page.stub()


@pytest.mark.slow
def test_a_strict_type_checker_knows_the_names(tmp_path: Path) -> None:
    script = tmp_path / "use.py"
    script.write_text(
        "from regretless import load_game, match, solve\n"
        "solution = solve(load_game('kuhn'), iterations=10)\n"
        "reveal_type(solution.exploitability)\n"
        "reveal_type(match('random', 'caller').hands)\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(script)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stdout
    assert '"float | None"' in result.stdout and '"int"' in result.stdout


def test_solve() -> None:
    found = solve("leduc", iterations=300)
    assert found.iterations == 300
    assert found.exploitability is not None and found.exploitability < 0.02
    assert found.value == pytest.approx(-0.0856, abs=0.01)
    assert found.values is not None and sum(found.values) == pytest.approx(0, abs=1e-9)
    assert len(found.strategy) == 936
    assert evaluate(found.policy, found.game).exact is not None
    three = solve("kuhn", players=3, algorithm="mccfr", iterations=50, seed=2)
    assert three.game.num_players == 3
    with pytest.raises(InputError, match="cfrr"):
        solve("kuhn", algorithm="cfrr")


def test_match_and_evaluate_by_path_and_by_policy(tmp_path: Path) -> None:
    found = solve("kuhn", iterations=200)
    bundle = found.write_bundle(tmp_path / "kuhn")
    policy = open_policy(str(bundle.path))
    by_path = match(tmp_path / "kuhn", "caller", hands=2_000)
    by_text = match(str(tmp_path / "kuhn"), "caller", hands=2_000)
    by_policy = match(policy, "caller", game="kuhn", hands=2_000)
    assert by_path == by_text == by_policy
    assert by_path.game == "kuhn" and by_path.hands == 2_000
    exact = evaluate(tmp_path / "kuhn").exact
    assert exact is not None and exact.exploitability == pytest.approx(found.exploitability)
    with pytest.raises(InputError, match="two policies"):
        match("caller")


def test_train(tmp_path: Path) -> None:
    output = tmp_path / "run"
    path = ROOT / "configs" / "kuhn_cfr.yaml"
    run = regretless.train(path, f"output={output}", "budget.steps=20")
    assert run.path == output and open_policy(run.path).name
    again = regretless.read_config(path, [f"output={tmp_path / 'again'}", "budget.steps=20"])
    assert regretless.train(again).config == again
    with pytest.raises(InputError, match="seed=2: overrides"):
        regretless.train(again, "seed=2")


def test_paths_may_be_texts_and_texts_paths(tmp_path: Path) -> None:
    config = ROOT / "configs" / "kuhn_cfr.yaml"
    assert regretless.read_config(str(config)) == regretless.read_config(config)
    (tmp_path / "mine.yaml").write_text("base: nlhe\nplayers: 3\n")
    path = tmp_path / "mine.yaml"
    assert load_game(path).num_players == load_game(str(path)).num_players == 3
    hand = tmp_path / "hand.phh"
    episode = regretless.PokerEpisode(load_game("nlhe"), seed=1)
    while not episode.is_terminal:
        episode.call()
    hand.write_text(regretless.write_phh(episode))
    by_path, by_text = (regretless.read_phh_file(each)[0] for each in (hand, str(hand)))
    assert by_path.payoffs == by_text.payoffs == episode.payoffs


def test_readme_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it stands, with fewer episodes."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = (part.split("```")[0] for part in text.split("```python\n")[1:])
    scope: dict[str, object] = {}
    exec(example.replace("100_000", "500").replace("20_000", "500"), scope)
    assert "_native" not in example


def test_cards_and_equity() -> None:
    assert regretless.format_cards(regretless.parse_cards("As Kd")) == "AsKd"
    assert regretless.Range.parse("QQ").num_combos == 6
    left = equity(["AsKs", "QQ"], dead="QhQd")
    assert left.combos == (1, 1) and np.isclose(sum(left.equities), 1)
    assert equity(["AsKs", "QQ:0.5"], board="Qc2d3d").weights == (1.0, 1.5)


def _shown_code() -> dict[str, str]:
    """The examples, and the Python of the README and of every page."""
    found = {str(path): path.read_text("utf-8") for path in (ROOT / "examples").glob("*.py")}
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        blocks = re.findall(r"^```python\n(.*?)^```", path.read_text("utf-8"), re.M | re.S)
        found[str(path)] = "\n".join(blocks)
    return found


def test_what_users_read_imports_names_that_are_there() -> None:
    """Nothing native, and every name is public or in the room that it is imported from."""
    for place, code in _shown_code().items():
        assert "_native" not in code, place
        for module, names in re.findall(r"from (regretless[\w.]*) import (\([^)]*\)|[^\n]*)", code):
            for name in re.findall(r"\w+", names):
                known = module != "regretless" or name in regretless.PUBLIC
                assert known and hasattr(importlib.import_module(module), name), (place, name)
        for name in re.findall(r"\brl\.(\w+)", code):
            assert name in regretless.PUBLIC, f"{place}: rl.{name}"
