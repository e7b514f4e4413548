"""Run a shared task: its description, teams, submissions, results and archive."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.features.tasks.functions import submit as submit
    from cranfield.features.tasks.functions import task_archive as task_archive
    from cranfield.features.tasks.functions import task_describe as task_describe
    from cranfield.features.tasks.functions import task_invite as task_invite
    from cranfield.features.tasks.functions import task_receipt as task_receipt
    from cranfield.features.tasks.functions import task_results as task_results
    from cranfield.features.tasks.functions import task_submissions as task_submissions
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
