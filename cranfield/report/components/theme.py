"""The colours of cranfield.plots.palette as custom properties of CSS, for light and for dark paper."""

from __future__ import annotations

from cranfield.plots.palette import (
    DARK,
    DARK_GREYS,
    DARK_PAPER,
    GREYS,
    LIGHT,
    PAPER,
    STATUS,
    Greys,
)

STEPS = 11  # of a heat map
BAND, DARK_BAND = "#f6f6f3", "#1f2225"
GOOD = "good"


def theme() -> str:
    """The properties: light, and dark where the reader prefers it; print is always light."""
    light, dark = _light(), _dark()
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f"{_classes()}\n"
    )


def _light() -> str:
    statuses = {name: status.light for name, status in STATUS.items()}
    return _properties(PAPER, BAND, GREYS, LIGHT, statuses, [PAPER, LIGHT[0], mixed(LIGHT[0], "#000000", 0.55)])


def _dark() -> str:
    statuses = {name: status.dark for name, status in STATUS.items()}
    ramp = [DARK_PAPER, mixed(DARK_PAPER, DARK[0], 0.75), mixed(DARK[0], "#ffffff", 0.5)]
    return _properties(DARK_PAPER, DARK_BAND, DARK_GREYS, DARK, statuses, ramp)


def _properties(
    paper: str, band: str, greys: Greys, series: tuple[str, ...], statuses: dict[str, str], stops: list[str]
) -> str:
    found = {"paper": paper, "band": band, **greys._asdict(), **statuses}
    found |= {f"series-{at}": colour for at, colour in enumerate(series)}
    for step, colour in enumerate(ramp(stops)):
        found |= {f"step-{step}": colour, f"on-step-{step}": ink_on(colour)}
    grades = [mixed(paper, statuses[GOOD], share) for share in (0.25, 0.6, 1.0)]
    for grade, colour in enumerate(grades, 1):
        found |= {f"grade-{grade}": colour, f"on-grade-{grade}": ink_on(colour)}
    return " ".join(f"--{name}: {value};" for name, value in found.items())


def _classes() -> str:
    series = [f".s{at} {{ --own: var(--series-{at}); }}" for at in range(len(LIGHT))]
    steps = [f".h{at} {{ background: var(--step-{at}); color: var(--on-step-{at}); }}" for at in range(STEPS)]
    grades = [f".g{at} {{ background: var(--grade-{at}); color: var(--on-grade-{at}); }}" for at in (1, 2, 3)]
    return "\n".join([*series, *steps, *grades])


def ramp(stops: list[str]) -> list[str]:
    """STEPS colours from the first of three stops through the second to the last.

    >>> found = ramp(["#000000", "#808080", "#ffffff"])
    >>> found[0], found[5], found[-1]
    ('#000000', '#808080', '#ffffff')
    """
    half = (STEPS - 1) / 2
    return [
        mixed(stops[0], stops[1], at / half) if at <= half else mixed(stops[1], stops[2], at / half - 1)
        for at in range(STEPS)
    ]


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two.

    >>> mixed("#000000", "#ff0080", 0.5)
    '#800040'
    """
    pairs = zip(_rgb(one), _rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _rgb(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def luminance(colour: str) -> float:
    """How light a colour is, as WCAG measures it.

    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    shares = [value / 255 for value in _rgb(colour)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def ink_on(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour: the contrast is 4.58 at least.

    >>> ink_on("#ffffff"), ink_on("#0072b2")
    ('#000000', '#ffffff')
    """
    return "#000000" if luminance(colour) > 0.179 else "#ffffff"
