# SPDX-License-Identifier: MIT
"""The colours of actions in style/tokens.css: everybody can tell them apart."""

import itertools
import re
from typing import Any

import numpy as np
import pytest

from regretless.web.studio_pages import STUDIO

# What dichromats see, by Machado, Oliveira and Fernandes 2009, for severity 1, in linear RGB.
VISION = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def _linear(colour: str) -> "np.ndarray[Any, np.dtype[np.float64]]":
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def _lab(linear: Any) -> Any:
    """CIELAB of D65."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = (to_xyz @ np.clip(linear, 0, 1)) / np.array([0.9505, 1.0, 1.089])
    fx, fy, fz = (np.cbrt(t) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def _palettes() -> dict[str, dict[str, str]]:
    """The colours of each palette by name; the first one is the default."""
    text = (STUDIO / "style" / "tokens.css").read_text("utf-8")
    found = {}
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        if "--fold:" in body:
            name = re.search(r'data-palette="(\w+)"', selector)
            colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", body))
            found[name[1] if name else "okabe"] = colours
    return found


def test_every_palette_is_found() -> None:
    scripts = (STUDIO / "lib" / "preferences.js").read_text("utf-8")
    (names,) = re.findall(r"palette: \[([^\]]*)\]", scripts)
    assert set(_palettes()) == set(re.findall(r'"(\w+)"', names))


@pytest.mark.parametrize("name", _palettes())
def test_a_palette_is_told_apart_by_everybody(name: str) -> None:
    colours = _palettes()[name]
    common = [colours[each] for each in ("fold", "call", "raise0", "raise1", "raise2")]
    for matrix in ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], *VISION.values()):
        seen = [_lab(np.array(matrix) @ _linear(each)) for each in common]
        for one, other in itertools.combinations(range(len(common)), 2):
            distance = np.linalg.norm(seen[one] - seen[other])
            assert distance > 10, (common[one], common[other], distance)
    ink = float(np.array([0.2126, 0.7152, 0.0722]) @ _linear("#10171e"))  # --action-ink
    for each in colours.values():
        luminance = float(np.array([0.2126, 0.7152, 0.0722]) @ _linear(each))
        assert (luminance + 0.05) / (ink + 0.05) >= 4.5, each
