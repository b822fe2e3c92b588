# SPDX-License-Identifier: MIT
"""The model card of a bundle: contents, origin, strength and limits."""

import json

from regretless.bundles.bundle_manifest import Manifest, Strength
from regretless.bundles.kinds import find_kind
from regretless.games import Game
from regretless.games.face import face

_EPISODE = " an episode"
_LOCAL, _AGAINST = "local best response", "match against "  # measures
_STRONG = 100.0  # mbb a hand that local best response may take from a strong strategy
_NEAR_CLOSE = {"% of the pot": (0.5, 2.0), "mbb per hand": (10.0, 50.0), "": (0.01, 0.05)}
"""By unit, what a perfect opponent may win from a near-optimal strategy, and from a close one."""
_LIMITS = (
    "- It knows only the bets of its menu, these stacks and this number of players.",
    "- It does not learn from its opponents and does not try to exploit them.",
)


def model_card(manifest: Manifest) -> str:
    """Markdown for people; everything in it comes from the manifest."""
    described = find_kind(manifest.kind).describe(manifest)
    rules = "The rules of the game and the bet menu are in `manifest.json`."
    is_strategy = manifest.kind != "values"
    title = "A strategy" if is_strategy else "A value network"
    lines = [f"# {title} for {manifest.game.name}", "", *described.summary, rules]
    lines += ["", "## How it was made", "", *_making(manifest)]
    lines += ["", "## Strength", "", *_strength(manifest)]
    lines += ["", "## Limits", "", f"- {described.coverage}", *_LIMITS]
    if not any(each.measure.startswith("exact") for each in manifest.strength):
        lines.append("- Nobody has measured what a perfect opponent would win from it.")
    names = ("bundle verify", "evaluate", "play") if is_strategy else ("bundle verify",)
    commands = [f"    regretless {name} PATH" for name in names]
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


def strength_words(strength: list[Strength], game: Game | None) -> tuple[str, str]:
    """A level (`near-optimal`, `strong`, `practice` or `unknown`) and a sentence with its figure.

    A strategy is strong only where somebody looked for a way to beat it and found little, and
    near-optimal where a best response was computed and wins next to nothing (docs/glossary.md).
    Without a `game` figures stay in the units in which they were measured.
    """
    claims = strength if game is None else [for_players(each, game) for each in strength]
    by_measure = {each.measure: each for each in sorted(claims, key=lambda each: each.value)}
    for measure, found in by_measure.items():
        if measure.startswith("exact exploitability"):
            return _exact_words(found)
    best = by_measure.get(_LOCAL)
    if best is not None:
        level = "strong" if (best.high or best.value) < _STRONG else "practice"
        kind = "A practice bot: a local" if level == "practice" else "A local"
        return level, f"{kind} best response wins at least {_interval(best)} {best.unit} from it."
    against = [each for each in claims if each.measure.startswith(_AGAINST)]
    if against:
        least = min(against, key=lambda each: each.value)
        bot = least.measure.removeprefix(_AGAINST)
        line = f"wins {_interval(least)} {least.unit} from the bot {bot}"
        return "practice", f"A practice bot: {line}; nobody has looked for its best response."
    return "unknown", "Nobody has measured its strength."


def _exact_words(found: Strength) -> tuple[str, str]:
    near, close = _NEAR_CLOSE.get(found.unit, _NEAR_CLOSE[""])
    least = 0.001  # below it, digits say nothing to people
    figure = f"less than {least}" if found.value < least else _number(found.value)
    rest = f"a perfect opponent wins {figure} {found.unit} from it."
    if found.value <= near:
        return "near-optimal", f"Near-optimal: {rest}"
    if found.value <= close:
        return "strong", f"Close to optimal: {rest}"
    return "practice", f"Far from optimal: {rest}"


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
    return f"{strength.measure} {_interval(strength)}"


def _interval(strength: Strength) -> str:
    text = _number(strength.value)
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
