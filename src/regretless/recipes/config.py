# SPDX-License-Identifier: MIT
"""The config of a run: models of a YAML file, each field documented under its definition.

Dotted overrides come from the command line: `algorithm.name=dcfr budget.steps=500`.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from regretless.custom_code import at_home, check_unchanged, custom_sha256
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.notation.text_file import format_yaml, parse_yaml, read_yaml
from regretless.options import read_model


def _whole(value: Any) -> Any:
    """Accepts 1e6 as a whole number, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Steps = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=1 << 62)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _by_name(value: Any) -> Any:
    """Accepts `kuhn` as `{name: kuhn}`."""
    return {"name": value} if isinstance(value, str) else value


class _Section(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True
    )


class _OpenSection(_Section):
    model_config = ConfigDict(extra="allow")

    @property
    def options(self) -> dict[str, Any]:
        """All keys but the fields."""
        return dict(self.model_extra or {})


class GameConfig(_Section):
    """The game of a run."""

    name: str
    """A name of `regretless games`, a .yaml variant or .game definition file, a custom class
    (`my_game.py:MyGame`, looked for beside the config) or `openspiel:NAME`."""
    options: dict[str, Any] = {}
    """Changes to the game, such as `players: 3`: keys of a variant (docs/notation.md), or arguments
    of the class."""
    sha256: Sha256 | None = None
    """The hash of the file of the class when the run began: a changed file is refused."""

    @model_validator(mode="after")
    def _has_one_name(self) -> "GameConfig":
        if "name" in self.options:
            raise ValueError("options.name: the name is given by game.name")
        return self


class AlgorithmConfig(_OpenSection):
    """The algorithm of a run. All further keys are its options, documented in its file."""

    name: str
    """A name of the tables in `algorithms/__init__.py`, or a custom class, `my_cfr.py:MyCfr`
    (looked for beside the config) or of an entry point (docs/custom_game_and_algorithm.md)."""
    sha256: Sha256 | None = None
    """The hash of the file of the class when the run began: a changed file is refused."""

    @property
    def short_name(self) -> str:
        """The name without the folder of a file, for bundles."""
        return Path(self.name).name

    @model_validator(mode="after")
    def _has_one_seed(self) -> "AlgorithmConfig":
        if "seed" in self.options:
            raise ValueError("seed: one seed serves the whole run; give it as seed")
        return self


class BudgetConfig(_Section):
    """The end of a run: the first of these limits to be reached."""

    steps: Steps | None = None
    """Steps of the algorithm, counted from the beginning of the run."""
    seconds: Seconds | None = None
    """Seconds of training, those before a resume included; the last step, the measures and the
    bundle may take a tenth more."""
    target: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Exploitability to reach, in units of the game."""

    @model_validator(mode="after")
    def _has_an_end(self) -> "BudgetConfig":
        if self.steps is None and self.seconds is None and self.target is None:
            raise ValueError("needs steps, seconds or target")
        return self


class Schedule(_Section):
    """The times at which something is done."""

    every_steps: Steps | None = None
    """Steps from one time to the next. Only this makes a resumed run repeat exactly."""
    every_seconds: Seconds | None = None
    """Seconds from one time to the next."""


class LogConfig(_Section):
    """The rows of metrics.jsonl, and who else receives them."""

    every_steps: Steps = 1
    """Steps between two rows."""
    to: list[Literal["tensorboard", "wandb", "mlflow"]] = ["tensorboard"]
    """Loggers beside metrics.jsonl; wandb and mlflow are packages of their own."""
    project: Annotated[str, Field(pattern=r"^[^\x00/]{1,128}$")] = "regretless"
    """The project of Weights & Biases, and the experiment of MLflow."""


class MeasureConfig(Schedule, _OpenSection):
    """A measure and its schedule. All further keys are its options, documented in its file."""

    name: str
    """A name of the table in `evaluation/measures.py`: exact, lbr or baselines."""


class EvaluateConfig(Schedule):
    """The measures and their schedule; at the end of a run all of them are taken."""

    measures: list[Annotated[MeasureConfig, BeforeValidator(_by_name)]] = [
        MeasureConfig(name="exact")
    ]
    """Names, or mappings with a name, options and, where it differs from this one, a schedule."""

    @model_validator(mode="after")
    def _has_no_measure_twice(self) -> "EvaluateConfig":
        names = [each.name for each in self.measures]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"measures: {twice!r} is there twice")
        return self

    def schedule(self, measure: MeasureConfig) -> Schedule:
        """Returns the schedule of a measure: its own, or else the common one."""
        return measure if measure.every_steps or measure.every_seconds else self


class CheckpointConfig(Schedule):
    """The schedule of checkpoints; one is always written at the end and when a run is stopped."""

    every_seconds: Seconds | None = 60.0
    """Seconds from one checkpoint to the next. They have no influence on the results."""
    keep: Annotated[int, Field(ge=1)] = 3
    """The newest checkpoints that stay; the one with the least exploitability stays, too."""
    buffers: bool = True
    """Whether replay buffers are saved. Without them a resumed run fills new ones."""


class BundleConfig(Schedule):
    """The schedule of the bundle, RUN/bundle; it is always written at the end of a run.

    A new bundle replaces the one before atomically.
    """

    best: str | None = None
    """A figure that is measured, such as match_tight_aggressive: RUN/best is the strategy with the
    best figure so far, the largest in a match, the least exploitability or lower bound."""


class ClusterConfig(_Section):
    """The workers that make the shards of a learner (docs/cluster.md); results stay the same.

    The option `threads` of the algorithm is the number of processors of each worker.
    """

    name: str
    """local: workers on this machine; auto: the Ray cluster of RAY_ADDRESS; or HOST:PORT."""
    workers: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """Workers (default: as many as the processors of the cluster are enough for)."""
    device: str = "cpu"
    """The device of the workers' networks."""
    patience: Seconds = 300.0
    """Seconds after which a worker that does not answer is given up and replaced."""
    files: Annotated[str, Field(pattern=r"^[^\x00]+$")] | None = None
    """A folder that all machines share, for results of 32 MiB and more (none: the network)."""

    @model_validator(mode="after")
    def _has_an_address(self) -> "ClusterConfig":
        if not re.fullmatch(r"local|auto|[A-Za-z0-9.-]+:[0-9]{1,5}", self.name):
            raise ValueError(f"must be local, auto or HOST:PORT, not {self.name!r}")
        return self


class RunConfig(_Section):
    """The whole config of a run; it is saved with the run, defaults included."""

    game: Annotated[GameConfig, BeforeValidator(_by_name)]
    algorithm: Annotated[AlgorithmConfig, BeforeValidator(_by_name)]
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] = 0
    """The seed of all randomness."""
    budget: BudgetConfig
    log: LogConfig = LogConfig()
    evaluate: EvaluateConfig = EvaluateConfig()
    checkpoint: CheckpointConfig = CheckpointConfig()
    bundle: BundleConfig = BundleConfig()
    cluster: Annotated[ClusterConfig | None, BeforeValidator(_by_name)] = None
    """The workers that make training data; none: this process makes them."""
    record_examples: bool = False
    """Whether the training examples are written to RUN/examples, for algorithms with examples."""
    examples_from: Annotated[str, Field(pattern=r"^[^\x00]+$")] | None = None
    """A directory of examples, or a run with examples, to learn from instead of new ones."""
    start_from: Annotated[str, Field(pattern=r"^[^\x00]+$")] | None = None
    """A run of the same algorithm, maybe of another game, whose networks this run begins with."""
    output: Annotated[str, Field(pattern=r"^[^\x00]+$")] | None = None
    """The new directory of the run (default: the next free runs/NAME-001, -002 ...)."""

    @model_validator(mode="after")
    def _target_is_measured(self) -> "RunConfig":
        if self.budget.target is None:
            return self
        exact = [each for each in self.evaluate.measures if each.name == "exact"]
        if not exact:
            raise ValueError("budget.target: needs exact among evaluate.measures")
        schedule = self.evaluate.schedule(exact[0])
        if not (schedule.every_steps or schedule.every_seconds):
            raise ValueError("budget.target: needs evaluate.every_steps or evaluate.every_seconds")
        return self


def read_config(path: str | Path, overrides: Sequence[str] = ()) -> RunConfig:
    """Reads the config of a YAML file with `key=value` overrides; InputError names the key."""
    return with_custom_code(make_config(read_yaml(path), str(path), overrides), Path(path).parent)


def with_custom_code(config: RunConfig, folder: Path) -> RunConfig:
    """The config with the files of custom code by full path, and their hashes.

    A file is looked for in `folder` first. A hash that is there already stays.
    """
    named: dict[str, Any] = {}
    for key in _NAMED:
        part: GameConfig | AlgorithmConfig = getattr(config, key)
        source = part.name if part.sha256 else at_home(part.name, folder)
        if (sha256 := part.sha256 or custom_sha256(source)) is not None:
            named[key] = part.model_copy(update={"name": source, "sha256": sha256})
    return config.model_copy(update=named)


def check_custom_code(config: RunConfig) -> None:
    """InputError if a file of custom code is not what it was when the run began."""
    for part in (config.game, config.algorithm):
        check_unchanged(part.name, part.sha256, "the run")


def configured_game(config: RunConfig) -> Game:
    """Returns the game of a run; InputError if a file of custom code has changed."""
    check_custom_code(config)
    return load_game(config.game.name, **config.game.options)


def make_config(tree: Any, place: str, overrides: Sequence[str] = ()) -> RunConfig:
    """Makes the config from a mapping; `game: kuhn` is short for `game: {name: kuhn}`."""
    if not isinstance(tree, Mapping):
        raise InputError(f"{place}: must be a mapping with game, algorithm and budget")
    return read_model(RunConfig, apply_overrides(tree, overrides), f"{place}: ")


def work_hashes(config: RunConfig) -> dict[str, str]:
    """Returns a hash for each part of the config that determines the steps of a run."""
    tree = config.model_dump()
    for key in _NAMED:
        if tree[key]["sha256"] is not None:
            tree[key]["name"] = Path(tree[key]["name"]).name  # the folder of the file may change
    texts = {key: json.dumps(tree[key], sort_keys=True, default=str) for key in WORK}
    return {key: hashlib.sha256(text.encode()).hexdigest() for key, text in texts.items()}


def config_text(config: RunConfig) -> str:
    """Returns the whole config as YAML, which `read_config` reads back."""
    return format_yaml(config.model_dump())


def sealed(text: str) -> str:
    """Returns a text of YAML followed by a comment with its SHA-256."""
    return f"{text}{_SEAL}{hashlib.sha256(text.encode()).hexdigest()}\n"


def is_sealed(text: str) -> bool:
    """Tests whether a text is unchanged since `sealed` made it."""
    body, _, _ = text.rpartition(_SEAL)
    return sealed(body) == text


def config_difference(before: str, now: str, section: str = "") -> str | None:
    """Returns the first key in which two configs differ, with both values; None if none does."""
    old, new = (_leaves(parse_yaml(text, "config")) for text in (before, now))
    for key in (key for key in old | new if key.startswith(section)):
        was, is_now = (repr(leaves[key]) if key in leaves else "nothing" for leaves in (old, new))
        if was != is_now:
            return f"{key} is {is_now}, was {was}"
    return None


WORK = ("game", "algorithm", "seed")
"""The parts that determine the steps of a run."""
MAY_CHANGE = ("budget", "log", "evaluate", "checkpoint", "bundle", "cluster")
"""The only parts that may change when a run is resumed."""
_NAMED = ("game", "algorithm")
_SHORT = (*_NAMED, "cluster")  # sections that a name alone may stand for
_SEAL = "# seal: "


def _leaves(tree: Any, prefix: str = "") -> dict[str, Any]:
    """Returns the values by dotted keys."""
    if not isinstance(tree, Mapping) or not tree:
        return {prefix: tree}
    found: dict[str, Any] = {}
    for key, value in tree.items():
        found |= _leaves(value, f"{prefix}.{key}" if prefix else str(key))
    return found


def apply_overrides(tree: Mapping[str, Any], overrides: Sequence[str]) -> dict[str, Any]:
    """Returns a copy of a nested mapping with values replaced; their meaning is checked elsewhere.

    A value is YAML, such as `[1, 2]`, `null` and `1e-4`. The game, the algorithm and the
    cluster may be set by a name alone: `game=leduc` drops all options of the game before.
    """
    result = dict(tree)
    for text in overrides:
        key, sign, value = text.partition("=")
        keys = key.strip().split(".")
        if not sign or not all(keys):
            raise InputError(f"{text!r}: an override is key=value, such as budget.steps=500")
        _set(result, keys, parse_yaml(value, repr(text)), text)
    return result


def _set(tree: dict[str, Any], keys: list[str], value: Any, text: str) -> None:
    for place, key in enumerate(keys[:-1]):
        below = tree.get(key)
        if place == 0 and key in _SHORT:
            below = _by_name(below)
        if below is not None and not isinstance(below, Mapping):
            raise InputError(f"{text!r}: {'.'.join(keys[: place + 1])} has no keys of its own")
        tree[key] = dict(below or {})
        tree = tree[key]
    tree[keys[-1]] = value
