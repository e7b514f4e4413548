"""Generated answers: nuggets, the support of citations, claims and questions, by people and by models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.features.models.extension import ModelLabels
from cranfield.hooks import AddedOptions, Commands, FileKind, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import ClassVar

    from cranfield.analysis.labels import LabelReader
    from cranfield.features.models.asking.extension import TaskMaker
    from cranfield.features.models.audited import AuditedKind
    from cranfield.formats.files import Format
    from cranfield.formats.records import Kind
    from cranfield.judging.planning.label_work import LabelWork
    from cranfield.judging.planning.sections import ProgressTable
    from cranfield.metrics.measure import Measure
    from cranfield.store.removal import Removers
    from cranfield.store.store import Store
    from cranfield.store.withdrawals import UnrankedRuns
    from cranfield.web.look.view import LookView
    from cranfield.web.open_sessions import JudgingRole
    from cranfield.web.organise.download import Download
    from cranfield.web.organise.upload import Upload


class AnswersExtension(ModelLabels):
    """Evaluate generated answers."""

    name = "answers"
    needs = ("models",)
    commands = (
        Commands("Build", "commands.whole", "import", "answers"),
        Commands("Build", "commands.whole", "export", "answers"),
        Commands("Judge", "commands.nuggets", "answers nuggets", "make edit import export show assign"),
        Commands("Judge", "commands.claims", "answers claims", "import make label"),
        Commands("Judge", "commands.support", "answers questions", "make"),
        Commands("Judge", "commands.support", "answers", "support"),
        Commands("Judge", "commands.whole", "answers rubrics", "import label"),
        Commands("Judge", "commands.whole", "answers", "correctness prefer"),
    )
    groups: ClassVar[Mapping[str, str]] = {
        "answers": "Evaluate generated answers: label nuggets, citation support, claims and rubric questions.",
        "answers nuggets": "Nuggets: the facts that a good answer contains.",
        "answers claims": "Claims: statements of answers and reference answers, and whether documents support them.",
        "answers rubrics": "Rubrics: yes/no questions about every answer to a topic.",
        "answers questions": "Questions that a model writes for each answer, to measure answer relevance.",
    }
    functions = (
        Functions("store", "functions", "import_answers"),
        Functions("answers", "functions", "make_nuggets list_nuggets make_claims make_questions"),
        Functions("answers", "labels_by_model", "assign_nuggets label_claims label_support label_rubrics"),
        Functions("answers", "labels_by_model", "label_correctness label_preferences"),
        Functions("answers", "transfers", "import_nuggets export_nuggets import_claims import_rubrics export_answers"),
        Functions("subjects", "subjects", "GeneratedAnswers"),
        Functions("formats", "formats.answers", "Answer Answers Sentence read_answers"),
        Functions("formats", "formats.nuggets", "PlainNugget read_nuggets"),
    )
    added_options = (
        AddedOptions("evaluate", "added_options:AnswerOptions", subject="GeneratedAnswers"),
        AddedOptions("compare", "added_options:NuggetOptions", subject="GeneratedAnswers"),
        AddedOptions("reusability", "added_options:NuggetOptions", subject="GeneratedAnswers"),
        AddedOptions("adjudicate", "added_options:AdjudicateOptions", "commands.adjudicating:adjudicate"),
    )
    tables = ("store.tables:TABLES", "store.tables:WHOLE")
    file_kinds = (FileKind("answers", "answers"), FileKind("nuggets", "nuggets"))

    def formats(self, kind: Kind) -> Sequence[Format]:
        if kind == "answers":
            from cranfield.features.answers.formats.answers import RAG24, RAG25, RAGTIME

            return RAGTIME, RAG25, RAG24
        if kind == "nuggets":
            from cranfield.features.answers.formats.nuggets import NUGGETIZER, NUGGETS

            return NUGGETIZER, NUGGETS
        return ()

    def measures(self) -> Sequence[Measure]:
        from cranfield.features.answers.measures import ANSWER_MEASURES

        return ANSWER_MEASURES

    def progress(self, store: Store) -> Mapping[str, ProgressTable]:
        from cranfield.features.answers.judging.progress import label_work_of_answers
        from cranfield.judging.planning.label_work import item_rows, labeller_rows
        from cranfield.judging.planning.sections import ProgressTable

        every = [one for one in label_work_of_answers(store) if one.labellers]
        items = "Generated answers: items to label, by whom they are labelled, and on how many people differ"
        people = "Generated answers: assessors, by kind of label"
        return {"items": ProgressTable(items, item_rows(every)), "answers": ProgressTable(people, labeller_rows(every))}

    def label_work(self, store: Store) -> Sequence[LabelWork]:
        from cranfield.features.answers.judging.progress import label_work_of_answers

        return label_work_of_answers(store)

    def last_signs(self, store: Store) -> Mapping[str, str]:
        from cranfield.features.answers.judging.progress import last_signs_on_answers

        return last_signs_on_answers(store)

    def verify(self, store: Store) -> None:
        from cranfield.features.answers.store.answers import refuse_changed

        refuse_changed(store)

    def label_matrices(self) -> Mapping[str, LabelReader]:
        from cranfield.features.answers.analysis import audit

        return {
            "nuggets": audit.NUGGET_MATRIX,
            "support": audit.SUPPORT_MATRIX,
            "claims": audit.CLAIM_MATRIX,
            "correctness": audit.CORRECTNESS_MATRIX,
            "rubrics": audit.RUBRIC_MATRIX,
            "comparisons": audit.PAIR_MATRIX,
        }

    def unranked_runs(self, store: Store) -> UnrankedRuns | None:
        if not store.has_rows("answer"):
            return None
        from cranfield.features.answers.store.answers import unranked_runs

        return unranked_runs(store)

    def removers(self) -> Removers:
        from cranfield.features.answers.store.imports import (
            still_named,
            take_claims,
            take_import,
            take_nuggets,
            take_run,
        )
        from cranfield.features.answers.store.rubrics import take_rubrics
        from cranfield.store.removal import Removers

        kinds = {"answers": take_import, "nuggets": take_nuggets, "claims": take_claims, "rubrics": take_rubrics}
        return Removers(kinds, run=take_run, used_documents=still_named)

    def roles(self) -> Sequence[JudgingRole]:
        from cranfield.features.answers import pages, settling
        from cranfield.web.language import translatable
        from cranfield.web.open_sessions import JudgingRole

        return (
            JudgingRole(
                "nuggets",
                translatable("make and edit nuggets"),
                page=pages.NUGGETS,
                commands=["answers nuggets make", "answers nuggets edit"],
            ),
            JudgingRole(
                "assign",
                translatable("assign nuggets to answers"),
                pages.OpenAssigning,
                wording=pages.NUGGET_WORDING,
                commands=["answers nuggets assign"],
            ),
            JudgingRole(
                "support",
                translatable("label the first citations"),
                pages.OPEN_SUPPORT,
                wording=pages.SUPPORT_WORDING,
                commands=["answers support"],
            ),
            JudgingRole(
                "support-each", translatable("label all citations"), pages.OPEN_EACH, wording=pages.SUPPORT_WORDING
            ),
            JudgingRole(
                "claims",
                translatable("label claims"),
                pages.OPEN_CLAIMS,
                wording=pages.CLAIM_WORDING,
                commands=["answers claims label"],
            ),
            JudgingRole(
                "correctness",
                translatable("label the correctness of answers"),
                pages.OPEN_CORRECTNESS,
                wording=pages.CORRECTNESS_WORDING,
                commands=["answers correctness"],
            ),
            JudgingRole(
                "rubrics",
                translatable("label rubrics"),
                pages.OPEN_RUBRICS,
                wording=pages.RUBRIC_WORDING,
                commands=["answers rubrics label"],
            ),
            JudgingRole(
                "compare-answers",
                translatable("compare answers"),
                pages.OPEN_COMPARISONS,
                wording=pages.COMPARISON_WORDING,
                commands=["answers prefer"],
            ),
            JudgingRole(
                "settle-answers",
                translatable("settle answer labels"),
                settling.OpenSettling,
                wording=settling.WORDING,
            ),
        )

    def views(self) -> Mapping[str, LookView]:
        from cranfield.features.answers.look import VIEWS

        return VIEWS

    def model_tasks(self) -> Mapping[str, TaskMaker]:
        from cranfield.features.answers.by_model import from_documents, labelling, making, whole

        return {
            "nugget-assignment": labelling.assignment_task,
            "support": labelling.support_task,
            "claim-attribution": labelling.attribution_task,
            "correctness": whole.correctness_task,
            "rubric": whole.rubric_task,
            "answer-preference": whole.comparison_task,
            "statements": making.statement_task,
            "questions": making.questions_task,
            "nugget-making": making.making_task,
            "document-nuggets": from_documents.document_nuggets_task,
        }

    def audited_kinds(self) -> Mapping[str, AuditedKind]:
        from cranfield.features.answers.analysis import audit

        return {
            "nuggets": audit.NUGGETS,
            "support": audit.SUPPORT,
            "claims": audit.CLAIMS,
            "correctness": audit.CORRECTNESS,
            "rubrics": audit.RUBRICS,
            "comparisons": audit.COMPARISONS,
        }

    def downloads(self) -> Mapping[str, Download]:
        from cranfield.features.answers.delivery import DOWNLOADS

        return DOWNLOADS

    def uploads(self) -> Mapping[str, Upload]:
        from cranfield.features.answers.delivery import UPLOADS

        return UPLOADS
