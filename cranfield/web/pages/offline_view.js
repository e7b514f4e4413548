"use strict";
// Fills in the template of the page with what an assessor sees. Every text is text: nothing of a document is markup.
const LETTER = "[\\p{L}\\p{N}_]";

function filled(session, log, said, refused) {
  const page = document.getElementById("judging").content.cloneNode(true);
  const find = (name) => page.querySelector(`[data-fill="${name}"]`);
  const write = (name, text) => { find(name).textContent = text; };
  const list = (name, items) => find(name).replaceChildren(...items);
  const { work, shown } = session, total = work.counts(work.topics);
  for (const one of page.querySelectorAll(shown ? "[data-done]" : "[data-open]")) one.remove();
  page.querySelector("main").dataset.item = session.here ?? "";
  place(find("place"), work, shown);
  find("progress").max = total.of;
  find("progress").value = total.judged + total["cannot judge"];
  write("left", tr("%(number)s left", { number: total.of - total.judged - total["cannot judge"] }));
  write("counts", tr("judged %(judged)s, later %(later)s, cannot judge %(cannot)s, remaining %(remaining)s", { ...total, cannot: total["cannot judge"] }));
  for (const line of page.querySelectorAll("[data-fill=unsaved]")) line.replaceChildren(...downloadState(log, work));
  list("said", said.map((text) => element("li", text)));
  if (refused) find("said").dataset.refused = refused;
  page.querySelector("[formaction=undo]").disabled = !work.done.length;
  page.querySelector("[formaction=redo]").disabled = !work.undone.length;
  list("recent", session.recent.map((event, place) => recalled(session, event, place + 1)));
  find("none").hidden = session.recent.length > 0;
  if (shown) fillDocument(session, page, write, list);
  return page;
}

function downloadState(log, work) { // what is in no download, and which finished topics that is about
  const unsaved = log.unsaved, about = new Set(unsaved.map((event) => work.documents.get(event.document)?.topic));
  const done = [...about].filter((topic) => topic && !work.isOpen(topic)).map((topic) => topic.name);
  if (!unsaved.length) return [log.lines.length ? tr("everything is in your last download") : tr("nothing to download yet")];
  if (!done.length) return [tr("%(number)s not downloaded yet", { number: unsaved.length })];
  const topics = done.join(", ");
  const advice = done.length > 1 ? tr("topics %(topics)s are done: download now", { topics }) : tr("topic %(topics)s is done: download now", { topics });
  return [tr("%(number)s not downloaded yet", { number: unsaved.length }), "; ", element("strong", advice)];
}

function fillDocument(session, page, write, list) {
  const { shown } = session, { topic } = shown, draft = session.work.draft(session.here);
  write("heading", shown.heading || tr("Document %(number)s", shown));
  const titled = !shown.heading && shown.titled && !session.original;
  page.querySelector("[data-fill=heading]").classList.toggle("unseen", titled);
  page.querySelector("#text").classList.toggle("titled", Boolean(shown.titled) && !session.original);
  list("fields", (shown.fields ?? []).map(([name, type, value, picture]) => element("div",
    element("dt", element("bdi", name)), " ", element("dd", element("bdi", type === "link" ? element("code", value) : picture ? pictured(value, picture) : value)))));
  list("text", shown.text || shown.structure ? laidOut({ text: shown.text, structure: session.original ? shown.flowing : shown.structure }, session.marks, session.highlighted) : [session.content.noText]);
  for (const image of page.querySelectorAll("img[data-src]")) {
    const found = Object.entries(session.content.pictures).find(([address]) => address === image.dataset.src);
    if (found) image.src = found[1]; else image.replaceWith(image.closest("dd") ? tr("[image: %(text)s]", { text: image.alt }) : "");
  }
  page.querySelector("#text").classList.toggle("original", session.original && !shown.flowing);
  page.querySelector("[data-has=layout]").hidden = !(shown.structure || shown.flowing);
  page.querySelector("[data-fill=display]").textContent = shown.flowing ? tr("Rewrap all lines") : tr("Lines as they are");
  page.querySelector("[formaction=original]").setAttribute("aria-pressed", session.original);
  page.querySelector("#topic").open = session.newTopic;
  page.querySelector("[data-has=evidence]").hidden = !session.marks.length;
  list("evidence", session.marks.map(({ quote }) => { const item = element("li", element("q", quote)); item.dir = "auto"; return item; }));
  page.querySelector("[data-has=note]").hidden = !draft.note;
  write("note", draft.note ?? "");
  write("note-text", draft.note ?? "");
  page.querySelector("[formaction=unsure]").setAttribute("aria-pressed", Boolean(draft.unsure));
  page.querySelector("[formaction=highlight]").setAttribute("aria-pressed", Boolean(session.highlighted));
  page.querySelector("[data-fill=terms]").setAttribute("value", session.highlighted);
  write("topic-name", topic.name);
  write("topic-title", topic.title);
  for (const name of ["description", "narrative"]) {
    write(name, topic[name]);
    page.querySelector(`[data-has=${name}]`).hidden = !topic[name].trim();
  }
  list("criteria", topic.criteria.map(([at, text]) => element("li", soft("span", at.slice(0, 10)), " ", element("bdi", text))));
  page.querySelector("[data-fill=criteria]").hidden = !topic.criteria.length;
}

function pictured(value, picture) {
  const image = element("img");
  [image.alt, image.dataset.src] = [value, `/image/${picture}`];
  return image;
}

function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

function soft(name, ...content) {
  const made = element(name, ...content);
  made.className = "soft";
  return made;
}

function place(line, work, shown) {
  if (!shown) { line.textContent = tr("Everything is done."); return; }
  const before = work.topics.slice(0, work.topics.indexOf(shown.topic)).reduce((sum, topic) => sum + topic.documents.length, 0);
  line.textContent = tr("Topic %(topic)s, document %(number)s of %(total)s", { topic: shown.topic.name, number: shown.number, total: shown.topic.documents.length });
  if (work.topics.length > 1) line.append(" ", soft("span", `(${tr("%(number)s of %(total)s overall", { number: before + shown.number, total: work.documents.size })})`));
}

function inWords(session, { kind, grade, reason, unsure }) {
  const meaning = session.content.grades.find(([value]) => value === grade)?.[1];
  const words = kind === "label" ? tr("grade %(grade)s, %(meaning)s", { grade, meaning })
    : kind === "cannot-judge" ? tr("cannot judge, %(reason)s", { reason }) : kind === "later" ? tr("later") : kind;
  return unsure ? tr("%(words)s (unsure)", { words }) : words;
}

function recalled(session, event, number) {
  const { topic, number: of, title } = session.work.documents.get(event.document), button = element("button", tr("Judge again"));
  for (const [name, value] of Object.entries({ form: "about", formaction: "again", name: "number", value: number })) button.setAttribute(name, value);
  const about = element("div", tr("topic %(topic)s, document %(number)s: %(words)s", { topic: topic.name, number: of, words: inWords(session, event) }), " ");
  if (title) about.append(soft("bdi", title));
  if (event.note) about.append(" ", soft("span", tr("Your note:"), " ", element("bdi", event.note)));
  return element("li", button, " ", about);
}

function* laidOut({ text, structure }, marks, terms) { // numbers of the structure are characters of the text
  const spans = marks.map(({ start, end }) => [start, end, "evidence"]);
  for (const found of terms ? text.matchAll(highlighter(terms)) : []) spans.push([found.index, found.index + found[0].length, "highlighted"]);
  let at = 0;
  function* built(parts) {
    for (const part of parts) {
      if (typeof part === "number") { yield* pieces(text, at, at += part, spans); continue; }
      const [name, attributes, inside] = part, made = element(name, ...built(inside));
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key === "src" ? "data-src" : key, value);
      yield made;
    }
  }
  yield* built(structure ?? [text.length]);
}

function* pieces(text, from, to, spans) { // plain, marked as evidence, highlighted, or both
  const inner = spans.flatMap(([start, end]) => [start, end]).filter((place) => from < place && place < to);
  const cuts = [...new Set([from, to, ...inner])].sort((one, two) => one - two);
  for (let number = 0; number + 1 < cuts.length; number += 1) {
    const [start, end] = [cuts[number], cuts[number + 1]], kinds = spans.filter((span) => span[0] <= start && end <= span[1]).map((span) => span[2]);
    if (!kinds.length) { yield text.slice(start, end); continue; }
    const mark = element("mark", text.slice(start, end));
    mark.className = [...new Set(kinds)].join(" ");
    yield mark;
  }
}

function highlighter(terms) { // words that begin with one of the terms; case and white space do not matter
  const spelt = termsOf(terms).sort((one, two) => two.length - one.length).map((term) => escaped(term).join("\\s+"));
  return new RegExp(`(?<!${LETTER})(?:${spelt.join("|")})${LETTER}*`, "giu");
}
