"use strict";
// The commands of an assessor. Each makes the event that is to be kept, or changes only what is on screen.
class RefusedError extends Error {}

const refuse = (text) => { throw new RefusedError(text); };
const escaped = (words) => words.split(/\s+/).filter(Boolean).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
const termsOf = (text) => [...new Set(text.split(",").map((term) => term.trim().replace(/\s+/g, " ").toLowerCase()))].filter(Boolean);
const withoutEmpty = (event) => Object.fromEntries(
  Object.entries(event).filter(([, value]) => ![undefined, null, "", false].includes(value) && value.length !== 0));

class Session {
  constructor(content, events) {
    this.content = content;
    this.work = new Work(content);
    events.forEach((event) => this.work.add(event));
    this.time = new ActiveTime(content.seconds.idle);
    this.terms = new Map(); // by topic
    for (const event of [...content.past, ...events])
      if (event.highlight_terms) this.terms.set(this.work.documents.get(event.document).topic, event.highlight_terms);
    this.highlighting = this.original = false;
    this.termsSeen = "";
    this.left = this.again = this.here = null; // the topic gone to, the document judged again, the document on screen
    this.show();
  }

  get shown() {
    return this.work.documents.get(this.here);
  }

  get highlighted() {
    return (this.highlighting && this.shown && this.terms.get(this.shown.topic)) || "";
  }

  get marks() {
    return this.work.draft(this.here).evidence ?? [];
  }

  get recent() {
    return this.work.done.filter((event) => event.document !== this.here).reverse().slice(0, this.content.recent);
  }

  show(anew = true) {
    const next = this.again ?? this.work.next(this.left);
    if (anew || next !== this.here) {
      const before = this.shown?.topic;
      this.here = next;
      this.newTopic = this.shown?.topic !== before;
      this.termsSeen = "";
      this.time.start();
      this.since = performance.now();
    }
    this.termsSeen = this.highlighted || this.termsSeen;
  }

  recorded(event) { // what follows once an event has been kept
    this.work.add(event);
    if (event.kind === "criterion") return this.show(false);
    this.left = null;
    const { stays } = TRANSITIONS[event.kind];
    if (!stays) this.again = null;
    this.show(!stays);
  }

  event(kind, id, more) {
    const { topic, sha256 } = this.work.documents.get(id), decided = this.work.decided.get(topic);
    const position = decided.size - decided.has(id) + 1, seconds = this.time.seconds();
    return withoutEmpty({ kind, document: id, position, seconds, document_sha256: sha256, highlight_terms: this.termsSeen, ...more });
  }

  eventHere(kind, more) { // with what it takes of the draft
    const draft = this.work.draft(this.here), own = TRANSITIONS[kind].takes.map((name) => [name, draft[name]]);
    return this.event(kind, this.here, { ...Object.fromEntries(own), ...more });
  }

  marked(start, end) {
    const { text } = this.shown, others = this.marks.filter((one) => one.start !== start || one.end !== end);
    return this.eventHere("note", { evidence: [...others, { start, end, quote: text.slice(start, end) }] });
  }

  quoted(words) {
    const { text } = this.shown, pattern = escaped(words).join("\\s+");
    const found = pattern && (new RegExp(pattern, "u").exec(text) ?? new RegExp(pattern, "iu").exec(text));
    if (!found) refuse(tr("the document does not contain '%(words)s'", { words: words.slice(0, 60) }));
    return this.marked(found.index, found.index + found[0].length);
  }
}

const COMMANDS = {
  grade(session, { grade }) {
    const scale = session.content.grades.map(([value]) => value), fast = performance.now() - session.since < session.content.seconds.fast * 1000;
    if (!scale.includes(Number(grade))) refuse(tr("%(grade)s is not a grade here", { grade }));
    return session.eventHere("label", { grade: Number(grade), fast });
  },
  later: (session) => session.eventHere("later"),
  "cannot-judge"(session, { reason, other }) {
    const why = reason === "other:" ? other.trim() && `${reason} ${other.trim()}` : reason;
    return session.eventHere("cannot-judge", { reason: why || refuse(tr("enter a reason why the document cannot be judged")) });
  },
  note: (session, { note }) => session.eventHere("note", { note: note.trim() }),
  unsure: (session) => session.eventHere("note", { unsure: !session.work.draft(session.here).unsure }),
  evidence: (session, { start, end, words }) => (start && end ? session.marked(Number(start), Number(end)) : session.quoted(words)),
  unmark(session) {
    if (!session.marks.length) refuse(tr("no evidence is marked"));
    return session.eventHere("note", { evidence: session.marks.slice(0, -1) });
  },
  undo(session) {
    const last = session.work.done.at(-1) ?? refuse(tr("there is nothing to undo"));
    const { event_id: supersedes, document_sha256, position } = last;
    return session.event("retract", last.document, { supersedes, document_sha256, position });
  },
  redo(session) {
    const [event, supersedes] = session.work.undone.at(-1) ?? refuse(tr("there is nothing to redo"));
    return { ...event, supersedes };
  },
  criterion(session, { criterion }) {
    return { kind: "criterion", topic: session.shown.topic.id, text: criterion.trim() || refuse(tr("a criterion needs a text")) };
  },
  terms(session, { terms }) {
    const chosen = termsOf(terms);
    session.terms.set(session.shown.topic, chosen.join(", "));
    session.highlighting = chosen.length > 0;
    session.show(false);
  },
  highlight(session) {
    if (!session.highlighting && !session.terms.get(session.shown.topic)) refuse(tr("you have not set terms to highlight in this topic"));
    session.highlighting = !session.highlighting;
    session.show(false);
  },
  original(session) { // the lines of the text as they are, or laid out
    session.original = !session.original;
    session.show(false);
  },
  "next-topic"(session) {
    session.left = session.work.nextTopic(session.shown.topic) ?? refuse(tr("no other topic has documents to judge"));
    session.again = null;
    session.show();
  },
  again(session, { number }) {
    const chosen = Number(number) ? session.recent[number - 1] ?? refuse(tr("%(number)s is not one of your recent decisions", { number })) : null;
    if (!chosen && !session.again) refuse(tr("you are not judging an earlier decision again"));
    session.again = chosen && chosen.document;
    session.show();
  },
};
const ANYWHERE = ["undo", "redo", "again"]; // commands that need no document on screen
