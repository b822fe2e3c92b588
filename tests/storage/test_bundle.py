# SPDX-License-Identifier: MIT
"""Bundles keep a strategy to the bit, tell when they are damaged, and trust nobody."""

import hashlib
import json
import os
import shutil
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.algorithms import make_algorithm
from regretless.bundles.bundle import BundleFacts, key_probe, open_bundle
from regretless.bundles.bundle_difference import difference
from regretless.bundles.bundle_manifest import AlgorithmFacts, Strength
from regretless.bundles.table_bundle import write_bundle
from regretless.cli import main
from regretless.errors import InputError
from regretless.games import game_names, load_game
from regretless.games.face import rules_record
from regretless.games.rules_record import recorded_game
from regretless.policies.strategy_table import StrategyTable, TableEvaluator
from regretless.storage.columns import map_columns

FILES = ("manifest.json", "README.md", "strategy.safetensors", "SHA256SUMS")
STRENGTH = Strength(measure="exact exploitability", value=0.01, unit="antes", how="NashConv / 2")


def solved(game: str, iterations: int, algorithm: str = "cfr+", **options: Any) -> StrategyTable:
    solver = make_algorithm(algorithm, load_game(game, **options))
    solver.step(iterations)
    table: StrategyTable = solver.policy().table  # type: ignore[attr-defined]
    return table


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundles") / "leduc"
    facts = BundleFacts(AlgorithmFacts(name="cfr+", iterations=50), [STRENGTH])
    write_bundle(path, load_game("leduc"), solved("leduc", 50), facts)
    return path


@pytest.fixture
def copy(leduc: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(leduc, tmp_path / "copy"))


def open_fully(path: Path) -> None:
    """Everything a user may do with a bundle."""
    bundle = open_bundle(path)
    bundle.verify()
    bundle.policy()


def seal(path: Path) -> None:
    """Make sizes and sums right again, as a stranger would who changes a bundle on purpose."""
    row = json.loads((path / "manifest.json").read_text())
    for name in row["files"]:
        content = (path / name).read_bytes()
        row["files"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (path / "manifest.json").write_text(json.dumps(row))
    names = sorted([*row["files"], "manifest.json"])
    sums = [f"{hashlib.sha256((path / n).read_bytes()).hexdigest()}  {n}\n" for n in names]
    (path / "SHA256SUMS").write_text("".join(sums))


def change(path: Path, edit: Callable[[Any], None]) -> None:
    row = json.loads((path / "manifest.json").read_text())
    edit(row)
    (path / "manifest.json").write_text(json.dumps(row))
    seal(path)


@pytest.mark.parametrize("name", [*game_names(), "liars-dice-2x3f-3p"])
def test_a_game_comes_back_from_its_rules(name: str) -> None:
    game = load_game(name)
    again = recorded_game(json.loads(json.dumps(rules_record(game))), "here")
    assert rules_record(again) == rules_record(game)
    assert again.name == game.name and again.action_names == game.action_names
    assert key_probe(again) == key_probe(game)


@pytest.mark.parametrize(
    ("game", "options", "algorithm"),
    [
        ("kuhn", {}, "cfr+"),
        ("kuhn", {"players": 3}, "cfr+"),
        ("leduc", {}, "mccfr"),
        ("leduc", {"stacks": 9}, "dcfr"),
        ("liars-dice-1x4f", {}, "pcfr+"),
        ("liars-dice-1x4f", {}, "q-learning"),
    ],
)
def test_a_strategy_comes_back_to_the_bit(
    game: str, options: dict[str, Any], algorithm: str, tmp_path: Path
) -> None:
    table = solved(game, 20, algorithm, **options)
    facts = BundleFacts(AlgorithmFacts(name=algorithm))
    bundle = write_bundle(tmp_path / "bundle", load_game(game, **options), table, facts)
    bundle.verify()
    assert (bundle.table().keys == table.keys).all()
    assert (bundle.table().probabilities == table.probabilities).all()
    before = TableEvaluator(load_game(game, **options)).evaluate(table)
    assert TableEvaluator(bundle.game).evaluate(bundle.table()) == before
    assert bundle.manifest.coverage.of == len(TableEvaluator(bundle.game).keys)
    assert not bundle.table().probabilities.flags.writeable


def test_a_large_game_is_covered_in_part(tmp_path: Path) -> None:
    game = load_game("nlhe", menu="100%,a", stacks=1000)
    table = solved("nlhe", 20, "mccfr", menu="100%,a", stacks=1000)
    facts = BundleFacts(AlgorithmFacts(name="mccfr"))
    bundle = write_bundle(tmp_path / "bundle", game, table, facts, precision="float32")
    bundle.verify()
    assert bundle.manifest.coverage.of is None
    assert bundle.manifest.table.columns["probabilities"] == "float32"
    job = _native.SelfPlay(bundle.game, 100, seed=3)
    policy = bundle.policy()
    while (questions := job.ask()) is not None:
        job.answer(policy(questions))
    assert job.take_steps().payoffs.sum() == 0


def test_values_and_reaches_are_kept(tmp_path: Path) -> None:
    table = solved("kuhn", 10)
    numbers = np.linspace(0, 1, len(table.keys))
    facts = BundleFacts(AlgorithmFacts(name="cfr+"))
    kuhn = load_game("kuhn")
    bundle = write_bundle(
        tmp_path / "b", kuhn, replace(table, values=numbers, reaches=numbers), facts
    )
    bundle.verify()
    assert (bundle.columns["values"] == numbers).all() and "reaches" in bundle.columns
    with pytest.raises(InputError, match="values"):
        write_bundle(tmp_path / "c", kuhn, replace(table, values=numbers[:3]), facts)
    assert not (tmp_path / "c").exists()


def test_equal_strategies_give_equal_bytes(leduc: Path, tmp_path: Path) -> None:
    facts = BundleFacts(AlgorithmFacts(name="cfr+", iterations=50), [STRENGTH])
    write_bundle(tmp_path / "again", load_game("leduc"), solved("leduc", 50), facts)
    for name in FILES:
        assert (tmp_path / "again" / name).read_bytes() == (leduc / name).read_bytes()


def test_the_card_tells_what_and_how_strong(leduc: Path) -> None:
    text = (leduc / "README.md").read_text()
    for words in ("leduc", "cfr+", "936 of 936", "exact exploitability: 0.01 antes", "Limits"):
        assert words in text


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("where", [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0])
@pytest.mark.parametrize("bit", [0, 6])
def test_a_flipped_bit_is_detected(copy: Path, name: str, where: float, bit: int) -> None:
    content = bytearray((copy / name).read_bytes())
    content[int(where * (len(content) - 1))] ^= 1 << bit
    (copy / name).write_bytes(content)
    with pytest.raises(InputError):
        open_fully(copy)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("keep", [0, 1, 7, 100, -1])
def test_a_truncated_file_is_detected(copy: Path, name: str, keep: int) -> None:
    (copy / name).write_bytes((copy / name).read_bytes()[:keep])
    with pytest.raises(InputError):
        open_fully(copy)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_or_longer_file_is_detected(copy: Path, name: str) -> None:
    content = (copy / name).read_bytes()
    (copy / name).write_bytes(content + b"\n")
    with pytest.raises(InputError):
        open_fully(copy)
    (copy / name).unlink()
    with pytest.raises(InputError):
        open_fully(copy)


@pytest.mark.parametrize("name", FILES)
def test_links_pipes_and_folders_are_refused(copy: Path, name: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    shutil.copy(copy / name, outside)
    (copy / name).unlink()
    (copy / name).symlink_to(outside)
    with pytest.raises(InputError, match="link"):
        open_fully(copy)
    (copy / name).unlink()
    os.mkfifo(copy / name)
    with pytest.raises(InputError, match="plain"):
        open_fully(copy)
    (copy / name).unlink()
    (copy / name).mkdir()
    with pytest.raises(InputError):
        open_fully(copy)


def test_a_stray_file_is_detected(copy: Path) -> None:
    (copy / "run_me.py").write_text("print()")
    with pytest.raises(InputError, match=r"run_me\.py"):
        open_fully(copy)


def _set(*keys: str, to: Any) -> Callable[[Any], None]:
    def edit(row: Any) -> None:
        for key in keys[:-1]:
            row = row[key]
        row[keys[-1]] = to

    return edit


@pytest.mark.parametrize(
    "edit",
    [
        _set("version", to=2),
        _set("format", to="other"),
        _set("kind", to="networks"),
        _set("kind", to="pickle"),
        _set("unknown", to=1),
        _set("table", "file", to="../../secret"),
        _set("table", "file", to="/etc/passwd"),
        _set("table", "file", to="README.md"),
        _set("table", "infosets", to=1 << 40),
        _set("table", "infosets", to=935),
        _set("table", "key_probe", to="0" * 16),
        _set("table", "columns", "keys", to="float64"),
        _set("table", "actions", to=["fold"]),
        _set("game", "name", to="\x1b[2J"),
        _set("game", "rules", to={}),
        _set("game", "rules", "menu", "slots", to=["fold"] * 60),
        _set("game", "rules", "menu", "rows", to=[[[["nonsense"]] * 3] * 2]),
        _set("game", "rules", "poker", "players", to=9),
        _set("game", "rules", "poker", "stacks", to=[10**30, 1]),
        _set("game", "rules", "poker", "board_cards", to=[0] * 1000),
        _set("algorithm", "config", to=[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]),
    ],
)
def test_a_sealed_lie_is_an_input_error(copy: Path, edit: Callable[[Any], None]) -> None:
    change(copy, edit)
    with pytest.raises(InputError) as caught:
        open_fully(copy)
    assert "\x1b" not in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["../outside", "/etc/hostname", "a/b", "..", "", ".hidden"])
def test_a_file_outside_is_never_named(copy: Path, name: str) -> None:
    row = json.loads((copy / "manifest.json").read_text())
    row["files"][name] = {"size": 1, "sha256": "0" * 64}
    (copy / "manifest.json").write_text(json.dumps(row))
    with pytest.raises(InputError, match="files"):
        open_bundle(copy)


def _columns_file(header: Any, data: bytes = b"\0" * 64) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def _entry(dtype: Any = "U64", shape: Any = (8,), offsets: Any = (0, 64)) -> dict[str, Any]:
    return {"x": {"dtype": dtype, "shape": shape, "data_offsets": offsets}}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 8,
        b"\xff" * 100,
        struct.pack("<Q", 1 << 60) + b"{}",
        _columns_file(b"[" * 60000),
        _columns_file(b"1" * 60000),
        _columns_file([]),
        _columns_file({"x": 1}),
        _columns_file(_entry(dtype="O")),
        _columns_file(_entry(dtype=[])),
        _columns_file(_entry(shape=[1 << 62])),
        _columns_file(_entry(shape=[-8])),
        _columns_file(_entry(shape=[8.0])),
        _columns_file(_entry(shape=[True])),
        _columns_file(_entry(shape=[1 << 40, 1 << 40])),
        _columns_file(_entry(shape=[2, 2, 2, 1])),
        _columns_file(_entry(offsets=[-8, 56])),
        _columns_file(_entry(offsets=[8, 72])),
        _columns_file(_entry(offsets=[4, 68]), b"\0" * 68),
        _columns_file(_entry(), b"\0" * 72),
        _columns_file(_entry(shape=[4], offsets=[0, 32])),
    ],
)
def test_a_header_is_checked_before_it_is_believed(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(InputError):
        map_columns(tmp_path / "x")


@pytest.mark.parametrize(
    ("column", "value"),
    [("keys", 0), ("probabilities", -0.5), ("probabilities", np.nan), ("probabilities", np.inf)],
)
def test_sealed_nonsense_in_the_columns_is_detected(copy: Path, column: str, value: float) -> None:
    content = bytearray((copy / "strategy.safetensors").read_bytes())
    (start,) = struct.unpack("<Q", content[:8])
    offset = json.loads(content[8 : 8 + start])[column]["data_offsets"][0] + 8 + start + 80
    content[offset : offset + 8] = struct.pack("<Q" if column == "keys" else "<d", value)
    (copy / "strategy.safetensors").write_bytes(content)
    seal(copy)
    with pytest.raises(InputError):
        open_fully(copy)


FUZZ = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@FUZZ
@given(
    name=st.sampled_from(FILES),
    where=st.floats(0, 1),
    piece=st.binary(min_size=1, max_size=8),
)
def test_any_change_of_bytes_is_detected(copy: Path, name: str, where: float, piece: bytes) -> None:
    sound = (copy / name).read_bytes()
    first = int(where * (len(sound) - 1))
    damaged = sound[:first] + piece + sound[first + len(piece) :]
    (copy / name).write_bytes(damaged)
    try:
        open_fully(copy)
        assert damaged == sound
    except InputError:
        assert damaged != sound
    finally:
        (copy / name).write_bytes(sound)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@FUZZ
@given(data=st.data(), value=JSON)
def test_a_sealed_manifest_never_breaks_the_reader(copy: Path, data: Any, value: Any) -> None:
    """Whatever stands anywhere in a manifest, with sums that fit: opened, or an `InputError`."""
    sound = {name: (copy / name).read_bytes() for name in FILES}
    row = json.loads(sound["manifest.json"])
    place = row
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = value
    try:
        text = json.dumps(row).encode()
        (copy / "manifest.json").write_bytes(text)
        digests = {n: hashlib.sha256(sound[n]).hexdigest() for n in FILES[1:3]}
        digests["manifest.json"] = hashlib.sha256(text).hexdigest()
        sums = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
        (copy / "SHA256SUMS").write_text(sums)
        open_fully(copy)
    except InputError as error:
        assert str(error).isprintable()
    finally:
        for name, content in sound.items():
            (copy / name).write_bytes(content)


@FUZZ
@given(where=st.floats(0, 1), piece=st.binary(min_size=1, max_size=16), cut=st.integers(0, 40))
def test_sealed_columns_never_break_the_reader(
    copy: Path, where: float, piece: bytes, cut: int
) -> None:
    sound = {name: (copy / name).read_bytes() for name in FILES}
    content = sound["strategy.safetensors"]
    first = int(where**4 * (len(content) - 1))  # mostly in the header
    content = content[:first] + piece + content[first + len(piece) : len(content) - cut]
    try:
        (copy / "strategy.safetensors").write_bytes(content)
        seal(copy)
        open_fully(copy)
    except InputError as error:
        assert str(error).isprintable()
    finally:
        for name, before in sound.items():
            (copy / name).write_bytes(before)


def test_only_a_bundle_is_replaced(copy: Path, tmp_path: Path) -> None:
    facts = BundleFacts(AlgorithmFacts(name="cfr+"))
    kuhn, table = load_game("kuhn"), solved("kuhn", 5)
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.tex").write_text("...")
    (copy / "notes.txt").write_text("mine")
    for path in (tmp_path / "precious", copy, tmp_path / "precious" / "thesis.tex"):
        with pytest.raises(InputError):
            write_bundle(path, kuhn, table, facts)
    (copy / "notes.txt").unlink()
    write_bundle(copy, kuhn, table, facts)
    assert open_bundle(copy).manifest.game.name == "kuhn"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["copy", "precious"]


def test_a_failed_write_leaves_the_old_one(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (copy / "manifest.json").read_bytes()

    def fail(*_: Any) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("regretless.bundles.bundle.model_card", fail)
    with pytest.raises(InputError, match="space"):
        write_bundle(
            copy, load_game("kuhn"), solved("kuhn", 5), BundleFacts(AlgorithmFacts(name="x"))
        )
    assert (copy / "manifest.json").read_bytes() == before
    assert [each.name for each in copy.parent.iterdir()] == ["copy"]


def test_a_difference_is_named(leduc: Path, tmp_path: Path) -> None:
    table = solved("leduc", 50)
    evaluator = TableEvaluator(load_game("leduc"))
    rows = evaluator.strategy(table)
    rows["Kc:"] = rows["Kc:"][[0, 2, 1]]
    removed = rows.pop("Jc:")
    facts = BundleFacts(AlgorithmFacts(name="edited"))
    other = write_bundle(tmp_path / "other", load_game("leduc"), evaluator.table(rows), facts)
    found = difference(open_bundle(leduc), other)
    assert (found.num_shared, found.num_only_first, found.num_only_second) == (935, 1, 0)
    assert [each.infoset for each in found.largest] == ["Kc:"]
    assert found.largest[0].distance == pytest.approx(found.max_distance)
    assert found.mean_distance == pytest.approx(found.max_distance / 935)
    assert len(removed) == 3
    kuhn = write_bundle(tmp_path / "kuhn", load_game("kuhn"), solved("kuhn", 3), facts)
    with pytest.raises(InputError, match="same rules"):
        difference(open_bundle(leduc), kuhn)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    return int(caught.value.code or 0)


def test_commands(leduc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = str(tmp_path / "written")
    assert run("solve", "leduc", "--iterations", "60", "--bundle", written, "--json") == 0
    assert json.loads(capsys.readouterr().out)["bundle"] == written
    assert run("bundle", "info", written, "--json") == 0
    manifest = json.loads(capsys.readouterr().out)
    assert manifest["strength"][0]["measure"] == "exact exploitability"
    assert str(tmp_path) not in (tmp_path / "written" / "manifest.json").read_text()
    assert run("bundle", "info", written) == 0
    assert "936 of 936" in capsys.readouterr().out
    assert run("bundle", "verify", written) == 0
    assert "sound" in capsys.readouterr().out
    assert run("bundle", "diff", written, str(leduc), "--json") == 0
    assert json.loads(capsys.readouterr().out)["num_shared"] == 936
    assert run("bundle", "diff", written, str(leduc)) == 0
    assert "936 infosets in both" in capsys.readouterr().out
    again = ("solve", "leduc", "--iterations", "5", "--bundle", written)
    assert run(*again) == 2
    assert "--force" in capsys.readouterr().err and open_bundle(Path(written)).table() is not None
    assert run(*again, "--force") == 0
    assert open_bundle(Path(written)).manifest.algorithm.iterations == 5
    (tmp_path / "written" / "README.md").write_text("better than it is")
    assert run("bundle", "verify", written) == 2
    assert "README.md" in capsys.readouterr().err
    assert run("bundle", "info", str(tmp_path)) == 2
    assert run("solve", "kuhn", "--iterations", "5", "--bundle", str(tmp_path)) == 2


def test_an_altered_table_is_not_played(copy: Path) -> None:
    """Whoever opens a bundle need not ask for it; `verify=False` is for those who know better."""
    content = bytearray((copy / "strategy.safetensors").read_bytes())
    content[-3] ^= 1
    (copy / "strategy.safetensors").write_bytes(content)
    with pytest.raises(InputError, match="SHA-256"):
        open_bundle(copy).table()
    assert len(open_bundle(copy, verify=False).table().keys) == 936


def test_info_takes_a_run_as_well(
    leduc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.yaml").write_text("game: leduc")
    assert run("bundle", "info", str(tmp_path / "run")) == 2
    assert "the run has no bundle yet" in capsys.readouterr().err
    shutil.copytree(leduc, tmp_path / "run" / "bundle")
    assert run("bundle", "info", str(tmp_path / "run")) == 0
    assert "leduc" in capsys.readouterr().out


def test_a_spot_is_solved_written_measured_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "spot")
    spot = ["--board", "Ks8s3h3d", "--pot", "100", "--stack", "150", "--bets", "a"]
    ranges = ["--range-oop", "KQs,77", "--range-ip", "A8s,JTs"]
    budget = ["--iterations", "50", "--json"]
    assert run("solve", "nlhe", *spot, *ranges, *budget, "--bundle", path) == 0
    solved = json.loads(capsys.readouterr().out)
    bundle = open_bundle(Path(path))
    assert bundle.manifest.tree is not None
    assert len(bundle.table().keys) == solved["infosets"]
    assert run("evaluate", path, "--json") == 0
    (measure,) = json.loads(capsys.readouterr().out)["measures"]
    assert measure["value"] == pytest.approx(solved["exploitability"], abs=1e-3)  # of a pot of 100
    assert run("evaluate", path) == 0  # in the words of players
    shown = capsys.readouterr().out
    assert f"exact exploitability  {measure['value']:.6g} % of the pot" in shown
    assert "claimed: exact exploitability" in shown and "an episode" not in shown
