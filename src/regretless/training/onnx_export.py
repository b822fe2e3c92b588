# SPDX-License-Identifier: MIT
"""`export_onnx`: the networks of a run or of a bundle as an ONNX file, compared with PyTorch."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regretless.bundles.bundle import Bundle
from regretless.bundles.network_bundle import find_encoder
from regretless.bundles.onnx_file import PACKAGES, OnnxFile, make_onnx, require_suffix, write_onnx
from regretless.bundles.shipped import strategy_directory
from regretless.bundles.solution import PlaysNetworks, claimed
from regretless.errors import InputError, needing
from regretless.recipes.config import configured_game
from regretless.runs.run import Run
from regretless.runs.run_record import find_bundle
from regretless.training.preparation import restored
from regretless.training.run_saver import algorithm_facts

if TYPE_CHECKING:
    from regretless.inference.onnx_comparison import Comparison

MOST_DIFFERENCE = 1e-5


@dataclass(frozen=True)
class Export:
    """The result of an export: the file and its comparison with PyTorch."""

    path: Path
    file: OnnxFile
    comparison: "Comparison | None"
    """None unless `verify` was given."""

    def to_json(self) -> dict[str, Any]:
        facts = self.file.facts
        return {
            "path": str(self.path),
            "bytes": len(self.file.model),
            "sha256": sha256(self.file.model).hexdigest(),
            "game": facts.game.name,
            "algorithm": facts.algorithm.name,
            "encoder": facts.encoder.model_dump(),
            "slots": facts.slots,
            "seats": facts.seats,
            "parameters": len(self.file.networks) * facts.network.num_parameters(),
            "comparison": asdict(self.comparison) if self.comparison else None,
        }


def export_onnx(
    source: str | Path,
    path: str | Path,
    *,
    verify: bool = False,
    note: Callable[[str], None] = lambda _: None,
) -> Export:
    """Writes the networks of a run or a bundle as an ONNX file.

    With `verify` the file is first run and compared with PyTorch; InputError where they differ.
    `note` receives a line about each damaged checkpoint.
    """
    path = Path(path)
    require_suffix(path)
    place = strategy_directory(source) or Path(source)
    bundle = find_bundle(place)
    file = _of_run(Run.existing(place), note) if bundle is None else _of_bundle(bundle)
    comparison = _compare(file) if verify else None
    if comparison is not None and not comparison.largest <= MOST_DIFFERENCE:
        raise InputError(
            f"{source}: ONNX and PyTorch differ by {comparison.largest:.2g}, more than "
            f"{MOST_DIFFERENCE:g}: nothing was written"
        )
    write_onnx(path, file)
    return Export(path, file, comparison)


def _of_bundle(bundle: Bundle) -> OnnxFile:
    bundle.verify()
    manifest, place = bundle.manifest, str(bundle.path)
    facts = manifest.networks
    if facts is None:
        raise InputError(f"{place}: holds a table, and only networks go into an ONNX file")
    encoder = find_encoder(bundle.game, facts.encoder, facts.shape.inputs, place)
    return make_onnx(
        place, bundle.game, bundle.networks(), encoder, manifest.algorithm, manifest.strength
    )


def _of_run(run: Run, note: Callable[[str], None]) -> OnnxFile:
    """Returns the file for the newest good checkpoint."""
    algorithm, record = restored(run, tell=note)
    policy, place = algorithm.policy(), str(run.path)
    if not isinstance(policy, PlaysNetworks):
        raise InputError(f"{place}: {policy.name} has no networks, only they go into an ONNX file")
    facts, game = algorithm_facts(run, record), configured_game(run.config)
    strength = [claimed(each.seen_from(record.step)) for each in record.taken.values()]
    return make_onnx(place, game, policy.weights, policy.encoder, facts, strength)


def _compare(file: OnnxFile) -> "Comparison":
    with needing(f"{file.place}: this", *PACKAGES, "torch"):
        from regretless.inference.onnx_comparison import compare
    return compare(file.model, file.networks, file.game, file.encoder())
