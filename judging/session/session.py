"""The judging session: a state machine without any user interface.

Commands are methods, events go to the store's log, and `view` is what the assessor sees. All state comes from the log:
a new session on the same store shows the same document, whatever happened to the last one.
"""

from __future__ import annotations

from cranfield.errors import InputError
from cranfield.judging.labels.evidence import Evidence, dumped, quoted
from cranfield.judging.session.active_time import FAST
from cranfield.judging.session.command import CommandTarget, command
from cranfield.judging.session.order import order_named
from cranfield.judging.session.pooled import PooledRecording
from cranfield.judging.session.view import View
from cranfield.store.log import add_criterion


class Session(PooledRecording):
    """One assessor judging the documents of a pool, topic by topic.

    Without `order` and `seed` a session continues as the assessor's last one did; the first uses "hash" and 0. `topics`
    restricts the work to some topics; undo then reaches only those. When everything is done, `more` is asked for a pool
    with more work. `clock` gives monotonic seconds, `ids` a new event id.

    Every command says what it is `about`: repeated, it is done once; late, it is not applied to the next document.

    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.store.pools import Pool, PooledDocument
    >>> from cranfield.store.store import Store
    >>> store = Store.memory("one document")
    >>> store.add_documents([Document("d1", text="wings")]), store.add_topics([Topic("q1", "lift")])
    (1, 1)
    >>> session = Session(store, "ada", Pool("depth", {}, [PooledDocument("q1", "d1", 1, ("r",))]))
    >>> session.view.document.text, session.view.position
    ('wings', Position(number=1, of=1))
    >>> about = session.about()
    >>> session.grade(about, 1).done, session.view.last.words
    (True, 'grade 1, relevant')
    >>> session.grade(about, 1) is session.view
    True
    >>> session.undo(session.about()).document.docno
    'd1'
    >>> session.grade(session.about(), 2)
    Traceback (most recent call last):
    cranfield.errors.InputError: 2 is not a grade here; the grades are 0 not relevant, 1 relevant
    >>> store.close()
    """

    # Commands

    @command
    def toggle_unsure(self, about: CommandTarget) -> View:
        """Mark the next label as unsure, or not."""
        return self._draft(about, unsure=not self.view.unsure)

    @command
    def quote(self, about: CommandTarget, words: str) -> View:
        """Mark words of the document's text as the evidence."""
        return self._mark(about, quoted(self.text, words))

    @command
    def mark(self, about: CommandTarget, start: int, end: int) -> View:
        """Mark the characters from `start` to `end` (exclusive) of the text as it is stored."""
        return self._mark(about, Evidence(start, end, self.text[start:end]))

    @command
    def unmark(self, about: CommandTarget) -> View:
        """Remove the last mark."""
        if not self.marks:
            raise InputError("nothing is marked as evidence")
        return self._draft(about, evidence=dumped(self.marks[:-1]))

    @command
    def next_topic(self, about: CommandTarget) -> View:
        """Go to another topic with documents to judge; forgotten if no command follows there."""
        other = self._work.documents.next_topic(self._screen.here[0])
        if other is None:
            raise InputError("there is no other topic with documents to judge")
        self._left, self._again = other, None
        return self._show()

    @command
    def criterion(self, about: CommandTarget, text: str) -> View:
        """Note what counts as relevant to the topic on screen; it is kept, with the date."""
        if not text.strip():
            raise InputError("a criterion needs some text")
        with self._held(self._screen.here, "note"):
            add_criterion(self._store, self._screen.here[0], self.assessor, text.strip())
        return self._follow(anew=False)

    @command
    def toggle_docno(self, about: CommandTarget) -> View:
        """Show or hide docnos; that they were shown is recorded at once."""
        if not self._screen.docno_shown:
            self._draft(about, docno_shown=True)
        self._screen.toggle_docno()
        return self._show(anew=False)

    # What front ends ask and report

    @property
    def order(self) -> str:
        """The name of the order of the documents."""
        return self._work.order

    @property
    def seed(self) -> int:
        """The seed of the order."""
        return self._work.seed

    @property
    def blind(self) -> bool:
        """Whether the order reveals nothing about where a document came from."""
        return order_named(self.order).blind

    @property
    def summary(self) -> str:
        """The progress in one line."""
        fast = self._work.state.fast
        return f"{self.view.total}" + (f"; {fast} graded in under {FAST:g} s" if fast else "")

    def reminder(self) -> str:
        """That a near-duplicate of the document labelled last got another grade; else empty."""
        return self._near.reminder(self._work.state, self.pair, lambda pair: self._work.documents.place(pair).number)
