# SPDX-License-Identifier: MIT
"""The model card of a bundle: what it is, how it was made, how strong, and what it cannot do."""

import json

from regretless.bundles.bundle_manifest import Manifest, NetworksFacts, Strength


def model_card(manifest: Manifest) -> str:
    """Markdown for people; everything in it comes from the manifest."""
    lines = [f"# A strategy for {manifest.game.name}", "", *_what(manifest)]
    lines += ["", "## How it was made", "", *_making(manifest)]
    lines += ["", "## Strength", "", *_strength(manifest)]
    lines += ["", "## Limits", "", *_limits(manifest)]
    lines += ["", "## Use", "", *_use()]
    return "\n".join(lines) + "\n"


def strength_line(strength: list[Strength]) -> str:
    """In one line, by units: the largest figure of each measure."""
    best: dict[str, Strength] = {}
    for each in strength:
        if each.measure not in best or each.value > best[each.measure].value:
            best[each.measure] = each
    units = dict.fromkeys(each.unit for each in best.values())
    parts = [
        ", ".join(_figure(each) for each in best.values() if each.unit == unit) + f" {unit}"
        for unit in units
    ]
    return "; ".join(parts) or "strength not measured"


def _figure(strength: Strength) -> str:
    text = f"{strength.measure} {_number(strength.value)}"
    if strength.low is not None and strength.high is not None:
        text += f" ± {_number((strength.high - strength.low) / 2)}"
    return text


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _what(manifest: Manifest) -> list[str]:
    slots = f"{len(manifest.facts.actions)} slots ({', '.join(manifest.facts.actions)})"
    unit = f"Values are in {manifest.game.unit}."
    rules = "The rules of the game and the bet menu are in `manifest.json`."
    if manifest.table is not None:
        where = f"{manifest.table.infosets:,} infosets"
        told = f"Probabilities of the {slots} at {where}, for all players. {unit}"
        return [told, *_buckets(manifest), rules]
    if manifest.tree is not None:
        where = f"{manifest.tree.decisions:,} decisions of the public tree"
        kept = "Boards that differ in the names of suits alone are kept once. Values are in chips."
        return [f"Probabilities of the {slots} and values of every hand at {where}. {kept}", rules]
    networks = manifest.networks
    assert networks is not None
    shape, encoder = networks.shape, networks.encoder
    traits = ", ".join([*shape.traits, networks.precision])
    return [
        f"{_networks(networks)} of {shape.sizes} ({traits}) from "
        f"the features of encoder {encoder.name}, version {encoder.version}, to {shape.head} of "
        f"the {slots}, for all players. {unit}",
        rules,
    ]


def _buckets(manifest: Manifest) -> list[str]:
    if manifest.abstraction is None:
        return []
    sizes = " / ".join(f"{size:,}" for size in manifest.abstraction.buckets.values())
    return [
        f"An infoset is the slots chosen so far and the bucket of the cards, of {sizes} by street; "
        "the bundle carries the buckets."
    ]


def _networks(facts: NetworksFacts) -> str:
    if facts.count == 1:
        return "A network"
    if facts.count == facts.seats:
        return "A network for each seat,"
    own = "" if facts.seats is None else " of its own"
    return f"{facts.count:,} networks, of which each seat draws one{own} for an episode,"


def _making(manifest: Manifest) -> list[str]:
    algorithm = manifest.algorithm
    lines = [f"- algorithm: {algorithm.name}"]
    if algorithm.iterations is not None:
        lines.append(f"- iterations: {algorithm.iterations:,}")
    if algorithm.seconds is not None:
        lines.append(f"- seconds: {algorithm.seconds:.3g}")
    if algorithm.seed is not None:
        lines.append(f"- seed: {algorithm.seed}")
    if algorithm.config:
        lines.append(f"- configuration: `{json.dumps(algorithm.config)}`")
    lines.append(f"- software: {manifest.software}")
    if manifest.created is not None:
        lines.append(f"- created: {manifest.created}")
    return lines


def _strength(manifest: Manifest) -> list[str]:
    if not manifest.strength:
        return ["Not measured."]
    return [
        f"- {each.measure}: {each.value:.6g} {each.unit} ({each.how})" for each in manifest.strength
    ]


def _limits(manifest: Manifest) -> list[str]:
    lines = [
        *_coverage(manifest),
        "- It knows only the bets of its menu, these stacks and this number of players.",
        "- It does not learn from its opponents and does not try to exploit them.",
    ]
    if not any(each.measure.startswith("exact") for each in manifest.strength):
        lines.append("- Nobody has measured what a perfect opponent would win from it.")
    return lines


def _coverage(manifest: Manifest) -> list[str]:
    coverage = manifest.coverage
    if coverage is None:
        if manifest.tree is not None:
            return ["- It covers every infoset from where the spot begins."]
        return ["- It answers at every infoset, also at those that it never met in training."]
    of = f" of {coverage.of:,}" if coverage.of is not None else ""
    return [
        f"- It covers {coverage.infosets:,}{of} infosets; at any other it plays every legal slot "
        "with the same probability."
    ]


def _use() -> list[str]:
    return [
        "    regretless bundle verify PATH",
        "    regretless evaluate PATH",
        "    regretless play PATH",
    ]
