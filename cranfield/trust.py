"""Trust in a collection: losses of runs outside the pool, pool depths, enough topics, and the report.

    leave_one_out    leave out each run, team or kind of system, and score all runs again
    reusability      the verdict of that test in sentences
    depths           what each pool depth would have cost and lost
    stability        how far the ranking of runs depends on the topics
    diagnose         what a new run would score if its documents were judged
    write_report     a page with scores and the verdict

Each takes qrels and runs, or a store.
"""

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
