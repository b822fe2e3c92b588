# SPDX-License-Identifier: MIT
"""The model card of a bundle: contents, origin, strength and limits."""

import json

from regretless.bundles.bundle_manifest import Manifest, Strength
from regretless.bundles.kinds import find_kind
from regretless.games import Game
from regretless.games.face import face

_EPISODE = " an episode"
_LIMITS = (
    "- It knows only the bets of its menu, these stacks and this number of players.",
    "- It does not learn from its opponents and does not try to exploit them.",
)


def model_card(manifest: Manifest) -> str:
    """Markdown for people; everything in it comes from the manifest."""
    described = find_kind(manifest.kind).describe(manifest)
    rules = "The rules of the game and the bet menu are in `manifest.json`."
    lines = [f"# A strategy for {manifest.game.name}", "", *described.summary, rules]
    lines += ["", "## How it was made", "", *_making(manifest)]
    lines += ["", "## Strength", "", *_strength(manifest)]
    lines += ["", "## Limits", "", f"- {described.coverage}", *_LIMITS]
    if not any(each.measure.startswith("exact") for each in manifest.strength):
        lines.append("- Nobody has measured what a perfect opponent would win from it.")
    commands = [
        f"    regretless {command} PATH" for command in ("bundle verify", "evaluate", "play")
    ]
    return "\n".join([*lines, "", "## Use", "", *commands]) + "\n"


def strength_line(strength: list[Strength], game: Game | None = None) -> str:
    """The largest figure of each measure by units, in one line; with a `game` as players count."""
    best: dict[str, Strength] = {}
    for each in strength if game is None else (for_players(each, game) for each in strength):
        if each.measure not in best or each.value > best[each.measure].value:
            best[each.measure] = each
    units = dict.fromkeys(each.unit for each in best.values())
    parts = [
        ", ".join(_figure(each) for each in best.values() if each.unit == unit) + f" {unit}"
        for unit in units
    ]
    return "; ".join(parts) or "strength not measured"


def for_players(strength: Strength, game: Game) -> Strength:
    """An exact exploitability in % of the pot of a spot, else in mbb or units per hand."""
    if not strength.unit.endswith(_EPISODE):
        return strength
    scale, unit = 1.0, strength.unit.replace(_EPISODE, " per hand")
    poker = face(game).poker
    if poker is not None and poker.board:
        scale, unit = 100 * game.unit / poker.episode_of().pot, "% of the pot"
    elif strength.unit.startswith("big blinds"):
        scale, unit = 1000.0, "mbb per hand"
    return strength.model_copy(update={"value": strength.value * scale, "unit": unit})


def _figure(strength: Strength) -> str:
    text = f"{strength.measure} {_number(strength.value)}"
    if strength.low is not None and strength.high is not None:
        text += f" ± {_number((strength.high - strength.low) / 2)}"
    return text


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _making(manifest: Manifest) -> list[str]:
    made = manifest.algorithm
    facts = {
        "algorithm": made.name,
        "iterations": None if made.iterations is None else f"{made.iterations:,}",
        "seconds": None if made.seconds is None else f"{made.seconds:.3g}",
        "seed": made.seed,
        "configuration": f"`{json.dumps(made.config)}`" if made.config else None,
        "software": manifest.software,
        "created": manifest.created,
    }
    return [f"- {name}: {fact}" for name, fact in facts.items() if fact is not None]


def _strength(manifest: Manifest) -> list[str]:
    if not manifest.strength:
        return ["Not measured."]
    return [
        f"- {each.measure}: {each.value:.6g} {each.unit} ({each.how})" for each in manifest.strength
    ]
