"""What is measured of interaction logs, for `list_measures`."""

from dataclasses import dataclass

from cranfield.commands.measures import MeasureDescription
from cranfield.commands.subject import Subject
from cranfield.features.online.measures import ONLINE_MEASURES, online_measure
from cranfield.results import Result


@dataclass(frozen=True)
class InteractionLogs(Subject):
    """Select the measures of interaction logs, for `list_measures`."""

    def list_measures(self, name: str | None) -> Result:
        if name is not None:
            return MeasureDescription(measure=name, about=online_measure(name).about)
        return Result([{"measure": str(each), "what": each.description} for each in ONLINE_MEASURES.values()])
