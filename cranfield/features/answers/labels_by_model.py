"""Asking a model for labels of answers, as `model assess run` asks for labels of documents."""

from __future__ import annotations

from cranfield.api.arguments import check_arguments
from cranfield.features.answers.asking import ask_about
from cranfield.features.answers.nugget_labellers import nuggets_by
from cranfield.features.answers.options import (
    AnsweredTopics,
    AskingInstead,
    ComparedRun,
    EachCitation,
    StoreOfAnswers,
    WhoseNuggets,
)
from cranfield.features.models.asked import Asked


@check_arguments
def assign_nuggets(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    nuggets: WhoseNuggets = None,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a model which nuggets the answers say.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and how much to ask at most.
    nuggets : {"people", "models", "all"}, optional
        Whose nuggets count; by default people's where there are any, otherwise models'.
    topics : sequence of str
        Only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("assignment", nuggets=nuggets_by(nuggets))
    return ask_about(store, kind.questions, asking, topics, "answers.assign_nuggets")


@check_arguments
def label_support(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    each: EachCitation = False,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a model whether cited documents support sentences.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and how much to ask at most.
    each : bool
        Also ask about the first three citations together, and about each of them where that matters.
    topics : sequence of str
        Only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("support", each=each)
    return ask_about(store, kind.questions, asking, topics, "answers.label_support")


@check_arguments
def label_claims(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a model whether the documents of answers say claims.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and how much to ask at most.
    topics : sequence of str
        Only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("attribution")
    return ask_about(store, kind.questions, asking, topics, "answers.label_claims")


@check_arguments
def label_rubrics(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a model whether answers meet the questions of rubrics.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and how much to ask at most.
    topics : sequence of str
        Only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("rubric")
    return ask_about(store, kind.questions, asking, topics, "answers.label_rubrics")


@check_arguments
def label_correctness(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a model whether answers say what reference answers say, and nothing else.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and how much to ask at most.
    topics : sequence of str
        Only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" gave labels.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("correctness")
    return ask_about(store, kind.questions, asking, topics, "answers.label_correctness")


@check_arguments
def label_preferences(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    baseline: ComparedRun = None,
    topics: AnsweredTopics = (),
) -> Asked:
    """Ask a model which of two answers is better, in both orders.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and how much to ask at most.
    baseline : str, optional
        Compare each answer only with the answer of this run.
    topics : sequence of str
        Only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" gave a preference.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or not exactly one of url and batch.
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    kind = answered_kind("answers", baseline=baseline)
    return ask_about(store, kind.questions, asking, topics, "answers.label_preferences")
