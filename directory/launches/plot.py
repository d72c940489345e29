"""Plots as SVG: lines between places, bars. Colours and widths are the page's; who cannot see it reads the label."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, LANE = 100.0, 10


@dataclass(frozen=True, kw_only=True)
class Line:
    """The places of one at each point, None before the first; `kind` is the class of one that stands out."""

    places: Sequence[int | None]
    kind: str = "other"


def bump_chart(lines: Sequence[Line], *, points: int, label: str) -> SafeString:
    """A lane for each line, in the order of the last places; who was below the last lane comes from its edge."""
    lanes = len(lines)
    at = [round(WIDTH * number / (points - 1), 1) for number in range(points)]
    grid = format_html_join("", '<path class="grid" d="M{} 0V{}"/>', ((x, lanes * LANE) for x in at))
    # what stands out is drawn last
    ordered = sorted(lines, key=lambda line: ("other", "third", "second", "lead", "hot").index(line.kind))
    drawn = format_html_join("", "{}", ((_line(line, at=at, lanes=lanes),) for line in ordered))
    return format_html(
        '<svg viewBox="0 0 100 {}" preserveAspectRatio="none" role="img" aria-label="{}">{}{}</svg>',
        lanes * LANE,
        label,
        grid,
        drawn,
    )


def _line(line: Line, *, at: Sequence[float], lanes: int) -> SafeString:
    steps = [(x, _height(place, lanes=lanes)) for x, place in zip(at, line.places, strict=True) if place]
    (x, y), *rest = steps
    path = f"M{x:g} {y:g}"
    for next_x, next_y in rest:
        middle = round((x + next_x) / 2, 1)
        curve = f"C{middle:g} {y:g} {middle:g} {next_y:g}"
        path += f"{'M' if y == next_y == lanes * LANE else curve} {next_x:g} {next_y:g}"
        x, y = next_x, next_y
    ends = [step for step in dict.fromkeys((steps[0], steps[-1])) if step[1] < lanes * LANE]
    dots = format_html_join(
        "", '<path class="dot {}" d="M{}h.01"/>', ((line.kind, f"{x:g} {y:g}") for x, y in ends)
    )
    return format_html('<path class="{}" d="{}"/>{}', line.kind, path, dots)


def _height(place: int, *, lanes: int) -> float:
    return place * LANE - LANE / 2 if place <= lanes else lanes * LANE


def bars(values: Sequence[int], *, label: str, parted_after: int = 1) -> SafeString:
    """A bar for each value, the highest as high as the plot; a line after every so many of them."""
    width, most = len(values), max(values, default=0)
    places = range(parted_after, width, parted_after) if parted_after > 1 else ()
    lines = format_html_join("", '<path class="grid" d="M{} 0V100"/>', ((place,) for place in places))
    drawn = format_html_join(
        "",
        '<rect x="{}" y="{}" width=".8" height="{}"/>',
        (
            (f"{place + 0.1:g}", f"{100 - height:g}", f"{height:g}")
            for place, value in enumerate(values)
            if value and (height := round(96 * value / most, 1))
        ),
    )
    return format_html(
        '<svg viewBox="0 0 {} 100" preserveAspectRatio="none" role="img" aria-label="{}">{}{}'
        '<path d="M0 100H{}"/></svg>',
        width,
        label,
        lines,
        drawn,
        width,
    )


def climb(places: Sequence[int], *, label: str) -> SafeString:
    """The places of one after the other, the best on top."""
    best, spread = min(places), max(1, max(places) - min(places))
    step = WIDTH / (len(places) - 1)
    line = "M" + " ".join(
        f"{number * step:.0f} {5 + 30 * (place - best) / spread:.0f}" for number, place in enumerate(places)
    )
    return format_html(
        '<svg class="spark" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<path d="{}"/></svg>',
        label,
        line,
    )
