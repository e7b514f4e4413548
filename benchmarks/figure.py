"""Time and memory against size on log-log axes, for cranfield and each peer."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.growth import CALLED, Growth
from cranfield.charts.palette import series_look
from cranfield.charts.style import new_picture

FIELDS = {"seconds": "seconds", "memory": "peak memory, MB"}
LIMITS = {"seconds": (0.1, 100.0), "memory": (10.0, 1000.0)}


def figure(sizes: Growth) -> Figure:
    """A column for each size that grows; time above, memory below."""
    drawing, panels = new_picture(9, 5, 2, len(sizes), share=False)
    for at, panel in enumerate(panels):
        row, column = divmod(at, len(sizes))
        what = list(sizes)[column]
        draw(panel, sizes, what, list(FIELDS)[row])
        if column == 0:
            panel.set_ylabel(list(FIELDS.values())[row])
        if row == 1:
            panel.set_xlabel(CALLED[what])
    drawing.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    return drawing


def draw(panel: Axes, growth: Growth, what: str, field: str) -> None:
    """The lines of all tools."""
    for number, (tool, points) in enumerate(growth[what].items()):
        sizes, values = zip(*((size, getattr(timing, field)) for size, timing in points), strict=True)
        style = series_look(number)
        panel.plot(sizes, values, color=style.color, dashes=style.dashes, marker=style.marker, label=tool)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xticks(sizes, map(str, sizes))
    panel.minorticks_off()
    low, high = LIMITS[field]
    panel.set_ylim(low, high)
    ticks = [10.0**power for power in range(-1, 5) if low <= 10.0**power <= high]
    panel.set_yticks(ticks, map("{:g}".format, ticks))
    panel.margins(x=0.08)
