"""Asking language models: one way for every task, in which failures are states and nothing is paid twice.

A task says what is asked and what becomes of the answer; `ask` does the rest: the prompt with the text of documents
between delimiters that no text can hold, requests recorded before they are sent, retries, one reminder, budgets, the
cache, resumption, the record of every call. To ask for something else than relevance:

    task = Task(
        PromptTask(
            "support",                                  # the name of prompts, settings and calls
            needs=frozenset({"sentence", "passage"}),   # placeholders that a prompt must have
            optional=frozenset({"query"}),              # placeholders that a prompt may have
            quotes=frozenset({"sentence", "passage"}),  # those with text from elsewhere, which is between delimiters
            graded=False,                               # no grades: prompts have no [scale]
        ),
        question,                                   # (qid, subject) -> Question, made when it is asked
        parse,                                      # (Question, answer) -> value; raises AnswerError without one
        record,                                     # (Store, [(Question, Reply)]): in the transaction of their calls
    )
    prompt = read_prompt("support", task.prompts)   # of judging/models/asking/prompts, or FILE.toml
    asker = Asker("qwen", "qwen3", "http://127.0.0.1:8000/v1", prompt)
    tally = ask(store, asker, task, subjects, AskLimits(parallel=8))

`subjects` are (qid, subject) of the questions that are open: what was recorded is not asked again. A subject tells the
questions of a topic apart: a docno, an answer's name, "d1 d2". A `Question` is (qid, subject, values): the values are
those of the placeholders. `record` gets a `Reply`: outcome "ok" with the value that `parse` returned, or another one
with a reason and no value, which has to be recorded as a failure and never as a label; and the number of the call, to
refer to. It runs in the thread that called `ask`.

`grammar.py` reads answers: `number_on_line`, `number_in_json`, `rows_in`, `labels_by_id` (ids echoed and matched, a
closed set of labels). prompts/ has a file for each prompt: name, task, version, about, source, text; answer (and
answer_json), which take the place of {answer}; line, what the line with the number begins with.
"""
