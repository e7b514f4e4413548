"""Run a shared task: description, phases, teams, submissions and results."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.features.tasks.functions import check_receipt as check_receipt
    from cranfield.features.tasks.functions import decide_withdrawal as decide_withdrawal
    from cranfield.features.tasks.functions import describe as describe
    from cranfield.features.tasks.functions import invite as invite
    from cranfield.features.tasks.functions import list_results as list_results
    from cranfield.features.tasks.functions import list_submissions as list_submissions
    from cranfield.features.tasks.functions import list_teams as list_teams
    from cranfield.features.tasks.functions import list_withdrawals as list_withdrawals
    from cranfield.features.tasks.functions import revoke as revoke
    from cranfield.features.tasks.functions import submit as submit
    from cranfield.features.tasks.functions import write_archive as write_archive
    from cranfield.features.tasks.phases import close_task as close_task
    from cranfield.features.tasks.phases import open_task as open_task
    from cranfield.features.tasks.phases import release_results as release_results
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
