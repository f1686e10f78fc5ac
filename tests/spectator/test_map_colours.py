"""The colours of the map can be told apart by every kind of eye, and names be read on them.

Distances are those of CAM02-UCS, where about 1 is just visible; colour blindness is simulated as by
Machado, Oliveira and Fernandes (2009) at full severity.
"""

import math
import re
from itertools import combinations
from typing import TypeAlias

import pytest

from spectator.drawings import PAGE

Colour: TypeAlias = tuple[float, float, float]
SMALLEST = 12.0
POWERS = 7

EYES: dict[str, tuple[Colour, Colour, Colour]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def variables(theme: str) -> dict[str, str]:
    css = (PAGE / "map.css").read_text()
    selector = ":root" if theme == "light" else ':root[data-theme="dark"]'
    block = css[css.index(selector + " {") :].partition("}")[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9A-F]{6});", block))


def times(matrix: tuple[Colour, Colour, Colour], value: Colour) -> Colour:
    one, two, three = (sum(a * b for a, b in zip(row, value, strict=True)) for row in matrix)
    return one, two, three


def linear(text: str) -> Colour:
    values = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    one, two, three = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return one, two, three


def seen(text: str, eye: str) -> Colour:
    one, two, three = (min(1.0, max(0.0, value)) for value in times(EYES[eye], linear(text)))
    return one, two, three


TO_XYZ = (
    (41.24564, 35.75761, 18.04375),
    (21.26729, 71.51522, 7.21750),
    (1.93339, 11.91920, 95.03041),
)
CAT02 = ((0.7328, 0.4296, -0.1624), (-0.7036, 1.6975, 0.0061), (0.0030, 0.0136, 0.9834))
FROM_CAT02 = (
    (1.096124, -0.278869, 0.182745),
    (0.454369, 0.473533, 0.072098),
    (-0.009628, -0.005698, 1.015326),
)
TO_CONES = (
    (0.38971, 0.68898, -0.07868),
    (-0.22981, 1.18340, 0.04641),
    (0.0, 0.0, 1.0),
)
ADAPTING = 64 / math.pi / 5
WHITE = times(CAT02, times(TO_XYZ, (1, 1, 1)))
_K = 1 / (5 * ADAPTING + 1)
_FL = 0.2 * _K**4 * 5 * ADAPTING + 0.1 * (1 - _K**4) ** 2 * (5 * ADAPTING) ** (1 / 3)
_D = 1 - (1 / 3.6) * math.exp((-ADAPTING - 42) / 92)
_N = 0.2
_NBB: float = 0.725 * (1 / _N) ** 0.2
_Z = 1.48 + math.sqrt(_N)


def responses(xyz: Colour) -> Colour:
    rgb = times(CAT02, xyz)
    adapted = [v * (_D * 100 / w + 1 - _D) for v, w in zip(rgb, WHITE, strict=True)]
    cones = times(TO_CONES, times(FROM_CAT02, (adapted[0], adapted[1], adapted[2])))

    def squeezed(value: float) -> float:
        power = (_FL * abs(value) / 100) ** 0.42
        return math.copysign(400 * power / (power + 27.13), value) + 0.1

    return squeezed(cones[0]), squeezed(cones[1]), squeezed(cones[2])


def brightness(cones: Colour) -> float:
    return (2 * cones[0] + cones[1] + cones[2] / 20 - 0.305) * _NBB


def uniform(rgb: Colour) -> Colour:
    """Return J', a', b' of CAM02-UCS."""
    cones = responses(times(TO_XYZ, rgb))
    r, g, b = cones
    red, yellow = r - 12 * g / 11 + b / 11, (r + g - 2 * b) / 9
    hue = math.atan2(yellow, red)
    lightness = (brightness(cones) / brightness(responses(times(TO_XYZ, (1, 1, 1))))) ** (0.69 * _Z)
    eccentric = (math.cos(hue + 2) + 3.8) / 4
    t = (50000 / 13 * _NBB * eccentric * math.hypot(red, yellow)) / (r + g + 21 / 20 * b)
    chroma = t**0.9 * math.sqrt(lightness) * (1.64 - 0.29**_N) ** 0.73
    colourful = math.log(1 + 0.0228 * chroma * _FL**0.25) / 0.0228
    light = 1.7 * 100 * lightness / (1 + 0.007 * 100 * lightness)
    return light, colourful * math.cos(hue), colourful * math.sin(hue)


def distance(one: str, other: str, eye: str) -> float:
    return math.dist(uniform(seen(one, eye)), uniform(seen(other, eye)))


def luminance(text: str) -> float:
    return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(text), strict=True))


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_measure_is_the_known_one() -> None:
    assert distance("#000000", "#FFFFFF", "normal") == pytest.approx(100, abs=0.5)
    assert distance("#FF0000", "#FF0000", "protanopia") == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eye", EYES)
def test_powers_sea_and_free_land_look_different(theme: str, eye: str) -> None:
    found = variables(theme)
    names = [*(f"power-{number}" for number in range(POWERS)), "sea", "unowned"]
    near = {
        (one, other): round(distance(found[one], found[other], eye), 1)
        for one, other in combinations(names, 2)
    }
    assert min(near.values()) >= SMALLEST, min(near.items(), key=lambda item: item[1])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_and_marks_can_be_read(theme: str) -> None:
    found = variables(theme)
    for ground in [*(f"power-{number}" for number in range(POWERS)), "unowned"]:
        assert contrast(found["label"], found[ground]) >= 4.49, ground
    assert contrast(found["sea-label"], found["sea"]) >= 4.5
    for mark in ("alarm", "kept", "ink", "focus"):
        assert contrast(found[mark], found["paper"]) >= 4.5, mark


def test_both_themes_name_the_same_colours() -> None:
    light, dark = variables("light"), variables("dark")
    assert light.keys() == dark.keys()
    count = int(re.search(r"COLOURS = (\d+)", (PAGE / "draw.js").read_text())[1])  # type: ignore[index]  # it is there
    assert {f"power-{number}" for number in range(count)} <= light.keys()
