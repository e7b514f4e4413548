"""How far a collection can be trusted: what runs outside the pool lose, depths, topics, and the report."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.commands.new_run import diagnose as diagnose
    from cranfield.commands.reports import write_report as write_report
    from cranfield.commands.reusability import leave_one_out as leave_one_out
    from cranfield.commands.reusability import reusability as reusability
    from cranfield.commands.stability import depths as depths
    from cranfield.commands.stability import stability as stability
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
