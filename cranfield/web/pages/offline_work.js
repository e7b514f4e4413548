"use strict";
// What an assessor has done and what comes next, from the events alone. What an event does is in TRANSITIONS, the table of
// judging/session/transitions.py.

class Work {
  constructor(content) {
    this.topics = content.topics.map((topic) => ({ ...topic, criteria: [...topic.criteria] }));
    this.documents = new Map(); // by id, with topic and number
    this.done = []; // current decisions that can be undone, in order
    this.undone = []; // what redo restores, with the id of the retract that undid it
    this.drafts = new Map(); // by document: the last note, evidence and unsure mark
    this.decided = new Map(); // by topic: every document ever decided
    this.standing = new Map(); // by document: its decisions that were not undone
    this.order = new Map(); // by event id: the how-manieth event it is
    this.focus = this.last = null; // the document that undo restored; the last event
    for (const topic of this.topics) {
      this.decided.set(topic, new Set());
      topic.documents.forEach((one, place) => this.documents.set(one.id, { ...one, topic, number: place + 1 }));
    }
    content.past.forEach((event) => this.add(event));
  }

  add(event) {
    if (event.kind === "criterion") {
      this.topics.find((topic) => topic.id === event.topic)?.criteria.push([event.at, event.text]);
      return;
    }
    this.order.set(event.event_id, this.order.size);
    this.last = event;
    if (event.kind === "retract") return this.takeBack(event);
    if (event.kind !== "note" || !this.asBefore(event)) this.redone(event);
    if (TRANSITIONS[event.kind].state) return this.decide(event);
    this.drafts.set(event.document, event);
    if (this.focus !== event.document) this.focus = null;
  }

  decision(id) {
    return this.standing.get(id)?.at(-1);
  }

  state(id) {
    return TRANSITIONS[this.decision(id)?.kind]?.state;
  }

  draft(id) {
    return this.drafts.get(id) ?? {};
  }

  asBefore(note) {
    const said = ({ note, unsure, evidence }) => JSON.stringify([note ?? "", Boolean(unsure), evidence ?? []]);
    return said(note) === said(this.draft(note.document));
  }

  markUnsure({ kind, document }, unsure) { // what an event took along, the next needs anew
    if (TRANSITIONS[kind].takes.includes("unsure") && this.drafts.has(document)) this.drafts.set(document, { ...this.drafts.get(document), unsure });
  }

  decide(event) {
    this.standing.set(event.document, [...(this.standing.get(event.document) ?? []), event]);
    this.decided.get(this.documents.get(event.document).topic).add(event.document);
    this.focus = null;
    if (TRANSITIONS[event.kind].undoable && !event.adjudicates) this.done.push(event);
    this.markUnsure(event, false);
  }

  takeBack(retract) {
    const place = this.done.findLastIndex((one) => one.event_id === retract.supersedes);
    if (place < 0) return;
    const [taken] = this.done.splice(place, 1);
    this.standing.set(taken.document, this.standing.get(taken.document).filter((one) => one !== taken));
    if (retract.event_id.endsWith(" outweighed")) return; // by the store, when it brought an older decision back
    this.undone.push([taken, retract.event_id]);
    this.markUnsure(taken, taken.unsure);
    this.focus = taken.document;
  }

  redone(event) {
    if (event.supersedes && this.undone.at(-1)?.[1] === event.supersedes) this.undone.pop();
    else this.undone = []; // a redo keeps what was undone before it; any other event ends redoing
  }

  isOpen(topic) {
    return topic.documents.some(({ id }) => (this.state(id) ?? "later") === "later");
  }

  firstOpen(topic) {
    const undecided = topic.documents.find(({ id }) => !this.decision(id));
    if (undecided) return undecided.id;
    const later = topic.documents.filter(({ id }) => this.state(id) === "later").map(({ id }) => this.decision(id));
    return later.reduce((one, two) => (this.order.get(one.event_id) < this.order.get(two.event_id) ? one : two)).document;
  }

  next(left) {
    if (this.focus && !left) return this.focus;
    const before = this.last && this.documents.get(this.last.document).topic;
    const topic = [left, before, ...this.topics].find((one) => one && this.isOpen(one));
    return topic ? this.firstOpen(topic) : null;
  }

  nextTopic(here) {
    const place = this.topics.indexOf(here);
    return [...this.topics.slice(place + 1), ...this.topics.slice(0, place)].find((topic) => this.isOpen(topic));
  }

  counts(topics) {
    const counts = { judged: 0, later: 0, "cannot judge": 0, remaining: 0, of: 0 };
    for (const { id } of topics.flatMap((topic) => topic.documents)) {
      counts.of += 1;
      counts[this.state(id) ?? "remaining"] += 1;
    }
    return counts;
  }
}
