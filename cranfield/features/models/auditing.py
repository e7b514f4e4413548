"""Audits of models' labels, panels of models, and the prompts that models are asked with."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from math import isnan
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.commands.calls import open_store_call
from cranfield.features.models.audit_options import (
    AuditedLabels,
    AuditMeasures,
    CheckedModel,
    Families,
    Family,
    Human,
    HumanPolicy,
    JudgedTopicsOnly,
    JudgeOfSample,
    ModelOfSample,
    PanelJudges,
    PanelLabels,
    PanelMethod,
    PanelName,
    RelevantCounts,
    SampledLabels,
    SampleNumber,
    SampleSize,
    SampleUnit,
    SeedOfIntervals,
    SeedOfSample,
    Strata,
)
from cranfield.features.models.options import ShownPrompt
from cranfield.features.models.results import AuditReport, EstimatedLabels, FormedPanel, PromptTable
from cranfield.options import seed_of
from cranfield.options.arguments import (
    JudgedBefore,
    OnlyTopics,
    PresentStore,
    ReadStore,
    Round,
    RoundJudgments,
    check_arguments,
    selection_of,
)
from cranfield.results import ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.models.analysis.estimate import EstimatedScore


@check_arguments
def list_prompts(*, name: ShownPrompt = None) -> PromptTable:
    """List the prompts for models, or show one as a template for your own.

    The hash is computed from everything that determines the messages and how answers are read.

    Example: cranfield model prompts umbrela

    Example: cranfield model prompts

    Parameters
    ----------
    name : str, optional
        Show only this prompt, or your own prompt at this path.

    Returns
    -------
    PromptTable
        Columns prompt, task, version, sha256, scale, about and source.

    Examples
    --------
    >>> list_prompts(name="umbrela").frame["scale"].tolist()
    ['0 = 0, 1 = 1, 2 = 2, 3 = 3']
    """
    from cranfield.features.models.asking.prompt import prompt_files, prompt_row, read_prompt

    return PromptTable([prompt_row(read_prompt(one)) for one in ([name] if name else prompt_files())], name=name)


@check_arguments
def form_panel(
    store: PresentStore,
    judges: PanelJudges,
    assessor: PanelName,
    *,
    of: PanelLabels = "documents",
    method: PanelMethod = "majority",
) -> FormedPanel:
    """Combine several models' labels, and measure their agreement.

    The panel is an assessor like a model: `model audit report` audits it, and people's labels always take precedence
    over its labels. In a tie, `majority` takes the lower label; `mean` rounds halves up. `dawid-skene` estimates each
    judge's error rates from the labels, and gives more weight to judges with few errors. It cannot detect mistakes that
    the judges share. An item that half of the judges or fewer have labelled is recorded as "cannot judge". Run the
    command again after new labels: it records only the changes.

    Example: cranfield model panel track.db --judge qwen --judge llama --judge mistral --assessor panel

    Example: cranfield model panel track.db --judge qwen --judge llama --assessor pair

    Parameters
    ----------
    store : path or Store
        The store.
    judges : sequence of str
        The models whose labels count.
    assessor : str
        The name of the panel's labels.
    of : str
        The kind of labels: documents, nuggets, support, claims, correctness, rubrics or comparisons.
    method : {"majority", "mean", "dawid-skene"}
        How labels are combined.

    Returns
    -------
    FormedPanel
        Columns judge, labels, failed and with_panel, and also accuracy with dawid-skene.

    Raises
    ------
    InputError
        If a judge is not a model, or no document has labels by most of the judges.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("labels") as store:
    ...     form_panel(store, ["qwen", "llama"], "panel")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'qwen' is not an assessor of this store; a panel combines only models, because a
    person's label takes precedence over model labels
    """
    from cranfield.features.models.panel import as_document, panel

    with open_store_call(store) as call:
        result = panel(call.store, judges, assessor, method=method, labels=of)
        if result.undecided:
            call.note(f"omitted {counted(result.undecided, 'item')} that most of the judges did not label")
        rows = [
            {"judge": one.judge, "labels": one.labels, "failed": one.failed, "with_panel": one.with_panel}
            | ({} if isnan(one.accuracy) else {"accuracy": one.accuracy})
            for one in result.judges
        ]
        return FormedPanel(
            rows,
            title=f"{assessor}: {method} of {counted(len(judges), 'judge')}, {of}",
            document=as_document(result),
            context=call.context("models.form_panel"),
            panel=result,
        )


@check_arguments
def draw_audit_sample(
    store: PresentStore,
    model: CheckedModel,
    assessor: JudgeOfSample,
    size: SampleSize,
    *,
    of: SampledLabels = "documents",
    by: Strata = "grade",
    unit: SampleUnit = "pair",
    rng: SeedOfSample = None,
) -> ResultInLines:
    """Draw a random sample of a model's labels for a person to judge.

    The person does not see the labels. The store keeps the sample with the sizes of its strata. Once the sample is
    judged, `model audit estimate` estimates the labels that people would have given to all items that the model
    labelled. `model audit report` shows what the model's labels can be used for.

    For labels of answers (`of`), a sample always consists of topics: the person labels all runs' answers to them.

    Example: cranfield model audit draw track.db --model qwen --assessor ada --size 200

    Example: cranfield model audit draw track.db --model qwen --assessor bob --size 50 --seed 2

    Parameters
    ----------
    store : path or Store
        The store.
    model : str
        The model whose labels are checked.
    assessor : str
        The person who judges the sample.
    size : int
        The number of documents to draw, or of topics with unit="topic".
    of : str
        The kind of labels: documents, nuggets, support, claims, correctness, rubrics or comparisons.
    by : {"grade", "topic"}
        Strata of the draw: the model's grades, or the topics.
    unit : {"pair", "topic"}
        Draw single documents, or whole topics.
    rng : int or numpy.random.Generator, optional
        Random seed of the sample, or a generator that draws the seed; 0 by default.

    Returns
    -------
    ResultInLines
        A row for each document: sample, query_id, doc_id and stratum. For labels of answers, a row for each topic:
        sample and query_id.

    Raises
    ------
    InputError
        If the model or the person is unknown, or there are fewer labels than the sample needs.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("labels") as store:
    ...     draw_audit_sample(store, "qwen", "ada", 20)
    Traceback (most recent call last):
    cranfield.errors.InputError: 'qwen' is not a model in this store; import labels with kind="model"
    """
    from cranfield.features.models.analysis.estimate import draw_audit
    from cranfield.features.models.analysis.topics import draw_topics_of, kind_of

    with open_store_call(store) as call:
        where, context = [str(call.place), "--assessor", assessor], call.context("models.draw_audit_sample")
        if of != "documents":
            sample = draw_topics_of(call.store, of, model, assessor, size=size, seed=seed_of(rng))
            words = [word for qid in sample.topics for word in ("--topic", qid)]
            lines = [
                f"Sample {sample.number}: {counted(len(sample.topics), 'topic')}, for {assessor} to label:",
                f"cranfield {kind_of(of).by_hand} {shlex.join([*where, *words])}",
            ]
            rows = [{"sample": sample.number, "query_id": qid} for qid in sample.topics]
            return ResultInLines(rows, lines=lines, context=context)
        sample = draw_audit(call.store, model, assessor, size, by=by, unit=unit, seed=seed_of(rng))
    topics = counted(len({pair.qid for pair in sample.pairs}), "topic")
    lines = [
        f"Sample {sample.number}: {counted(len(sample.pairs), 'document')} of {topics}, for {assessor} to judge:",
        f"cranfield judge {shlex.join(where)} --audit {sample.number}",
    ]
    pairs = [
        {"sample": sample.number, "query_id": pair.qid, "doc_id": pair.docno, "stratum": pair.stratum}
        for pair in sample.pairs
    ]
    return ResultInLines(pairs, lines=lines, context=context)


@check_arguments
def audit(
    store: ReadStore,
    model: CheckedModel,
    *,
    of: AuditedLabels = "documents",
    human: Human = None,
    policy: HumanPolicy = None,
    measures: AuditMeasures = None,
    families: Families = None,
    family: Family = None,
    rng: SeedOfIntervals = None,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> AuditReport:
    """Report what a model's labels can be used for.

    The report compares them with people's labels for the same items. The report first states whether the model is at
    chance: whether it agrees with people no better than chance. `evaluate` and other commands refuse to combine such
    labels with people's. The verdict then states whether the labels suffice for the order of the runs, for mean scores,
    and as single labels. Further tables show the agreement with people and between people, and how far grades are too
    high, by grade, document length and rank. They also show which runs the model favours. The last table lists the
    individual changes in the system ranking, because tau hardly changes when one run is favoured.

    A run counts as favoured if the model overrates it more than the average run, and more than random errors would
    explain. p is corrected by Holm's method. `families` marks runs of the model's own family as circular.

    For nuggets, citation support, claims and correctness, label 2 is support, 1 partial support and 0 no support. For
    preferences between documents, 2 is the first document in the order of their ids, and 1 is a tie.

    Example: cranfield model audit report track.db --model qwen --declare run7=qwen

    Example: cranfield model audit report track.db --model qwen --format json

    Parameters
    ----------
    store : path or Store
        The store.
    model : str
        The model or panel whose labels are audited.
    of : str
        The kind of labels: documents, nuggets, support, claims, correctness, rubrics, comparisons or preferences.
    human : str, optional
        The person whose labels count. By default the choice that `cranfield store labels` recorded, otherwise all
        people.
    policy : str, optional
        The policy for items that people labelled differently.
    measures : measure, or iterable of measures, optional
        The measures of the runs.
    families : mapping of str to str, optional
        The family of models that each run uses.
    family : str, optional
        Model family of the judge, used in addition to the judge's own names.
    rng : int or numpy.random.Generator, optional
        Random seed of the intervals, or a generator that draws the seed; 0 by default.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.

    Returns
    -------
    AuditReport
        A row for each run and measure: the bias of the model's labels for this run. `verdict` and `uses` state what the
        labels can be used for. `people` and `policy` state whose labels counted. `findings` contains the whole audit.

    Raises
    ------
    UndecidedError
        If people's labels differ and no person or policy is chosen.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> labels = {"q": {"d1": 1, "d2": 0, "d3": 1}}
    >>> for name, kind in {"qwen": "model", "ada": "human"}.items():
    ...     _ = cranfield.store.import_qrels(store, labels, assessor=name, kind=kind)
    >>> audit(store, "qwen").frame[["run", "measure", "bias"]].values.tolist()[0]
    ['a', 'AP', 0.0]
    >>> store.close()
    """
    from cranfield.features.models.analysis.audit import as_document, audit, bias_row

    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        findings = audit(
            call.store,
            model,
            human=human,
            policy=policy,
            measures=measures,
            families=families,
            family=family,
            labels=of,
            seed=seed_of(rng),
        )
        return AuditReport(
            [bias_row(one) for one in findings.runs],
            document=as_document(findings),
            context=call.context("models.audit").add_labels_line(findings.people_line),
            findings=findings,
        )


@check_arguments
def estimate_human_labels(
    store: ReadStore,
    *,
    model: ModelOfSample = None,
    sample: SampleNumber = None,
    measures: AuditMeasures = (),
    relevant: RelevantCounts = None,
    judged_topics_only: JudgedTopicsOnly = False,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> EstimatedLabels:
    """Estimate people's labels from a judged sample of a model's labels.

    The estimate is the mean of the model's labels, corrected by the difference between people and the model on the
    sample. Tuning is the weight of the model, chosen for the narrowest interval. If that interval would be wider than
    without the model, the estimate uses only people's labels (tuning 0). The result with full weight (tuning 1) is
    shown for comparison. With fewer than five labels, there is no value and no interval.

    A sample of documents estimates the share of relevant documents and measures that are sums over labels: P, CG, DCG,
    RBP, and R with `relevant`. AP, nDCG and other measures need a sample of topics. For a partly judged sample,
    `judged_topics_only` restricts the estimate to the fully judged topics. Documents that were withdrawn after the
    draw, or are not in `topics`, are removed from the sample and the labels. The rest is still a random sample.

    Example: cranfield model audit estimate track.db --model qwen -m P@10

    Example: cranfield model audit estimate track.db -m AP --format csv

    Parameters
    ----------
    store : path or Store
        The store.
    model : str, optional
        The model whose sample is used; the model of the newest sample by default.
    sample : int, optional
        The number of the sample; the newest by default.
    measures : measure, or iterable of measures
        The measures of the runs to estimate.
    relevant : mapping of str to int, or path, optional
        The number of relevant documents per topic, which R needs, or a file with these numbers.
    judged_topics_only : bool
        Estimate only for the topics whose part of the sample is judged completely.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.

    Returns
    -------
    EstimatedLabels
        A row for each score: run, measure, `model` (by the model's labels), and value, low, high (95%), tuning and
        worth (by both). `tuning` is the model's weight. `worth` is how many times as many human labels would be needed
        for the same precision without the model. `why` is the reason if low and high are NaN. Columns that begin with
        people_alone contain the same values for human labels only. Columns that begin with tuning_1 contain them with
        full weight for the model.

    Raises
    ------
    InputError
        If there is no sample, or too little of it is judged.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> labels = {"q": {"d1": 1, "d2": 0, "d3": 1}}
    >>> _ = cranfield.store.import_qrels(store, labels, assessor="qwen", kind="model")
    >>> _ = draw_audit_sample(store, "qwen", "ada", 3)
    >>> _ = cranfield.store.import_qrels(store, labels, assessor="ada", kind="human")
    >>> estimate_human_labels(store).frame[["measure", "sampled", "value"]].round(2).values.tolist()
    [['relevant', 3, 0.67]]
    >>> store.close()
    """
    from cranfield.features.models.analysis.estimate import as_document, missing_interval_lines
    from cranfield.features.models.analysis.topics import estimate_sample
    from cranfield.formats.qrels import read_relevant_counts

    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        result = estimate_sample(
            call.store,
            model=model,
            number=sample,
            measures=measures,
            relevant=read_relevant_counts(Path(relevant)) if isinstance(relevant, str | PathLike) else relevant,
            judged_topics_only=judged_topics_only,
        )
        call.note(*missing_interval_lines(result))
        return EstimatedLabels(
            _full_rows(result.scores),
            document=as_document(result),
            context=call.context("models.estimate_human_labels").add_labels_line(result.labels_line),
            estimate=result,
        )


def _full_rows(scores: Sequence[EstimatedScore]) -> list[dict[str, Any]]:
    rows = []
    for one in scores:
        row = {"run": one.run, "measure": one.measure, "model": one.model, **one.estimate._asdict()}
        for name, estimate in (("people_alone", one.alone), ("tuning_1", one.trusting)):
            row |= {f"{name}_value": estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
        rows.append(row)
    return rows
