"use strict";
// What only judging has, beside forms.js: a long text arrives in blocks, selected words are evidence.
const judged = document.getElementById("part");
const AGAIN = 2000; // ms after which the rest of a text is asked for again

async function blocksFrom(address) {
  for (;; await new Promise((done) => setTimeout(done, AGAIN))) {
    try {
      const answer = await fetch(address);
      if (answer.ok) return new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.status < 500) return null;
    } catch { /* the server is away: forms.js says so as soon as it matters */ }
  }
}

async function fetchRest() {
  const text = document.getElementById("text");
  for (let link; (link = text?.isConnected && judged.querySelector("[data-rest]")); ) {
    const more = await blocksFrom(link.dataset.rest);
    if (!more || !text.isConnected) return;
    for (const block of more.querySelectorAll(".block")) put(text, block);
    const next = more.querySelector("[data-rest]");
    if (next) link.dataset.rest = next.dataset.rest;
    else link.closest("p").remove();
    judged.dispatchEvent(new Event("text"));
  }
}

function put(text, block) {
  const before = text.querySelector(`[data-block="${block.dataset.block}"]`);
  if (!before) text.append(block);
  else if (!before.isEqualNode(block)) before.replaceWith(block);
}

function keep(before) { // the blocks that were there, until those that look otherwise have arrived
  const text = document.getElementById("text"), old = before.querySelector("#text");
  if (!text || !old) return;
  const complete = !before.querySelector("[data-rest]");
  text.append(...[...old.children].slice(text.children.length));
  if (complete && text.dataset.looks === old.dataset.looks) judged.querySelector("[data-rest]")?.closest("p").remove();
}

judged.addEventListener("shown", ({ detail: { before, other } }) => {
  if (!other) keep(before);
  fetchRest();
});
fetchRest();

function selection() {
  const text = document.getElementById("text"), chosen = getSelection();
  if (!text || !chosen.rangeCount || !chosen.getRangeAt(0).intersectsNode(text)) return null;
  const range = chosen.getRangeAt(0).cloneRange(), upTo = document.createRange();
  upTo.selectNodeContents(text);
  if (range.compareBoundaryPoints(Range.START_TO_START, upTo) < 0) range.setStart(text, 0);
  if (range.compareBoundaryPoints(Range.END_TO_END, upTo) > 0) range.setEnd(text, text.childNodes.length);
  upTo.setEnd(range.startContainer, range.startOffset);
  const start = upTo.toString().length, length = range.toString().length;
  return length ? { start, end: start + length } : null;
}

function mark(event) {
  const chosen = selection(), panel = judged.querySelector("#evidence .panel"), button = panel.querySelector("button");
  if (!chosen) return;
  event.preventDefault();
  for (const end of ["start", "end"]) panel.querySelector(`[name=${end}]`).value = chosen[end];
  button.form.requestSubmit(button);
}

document.addEventListener("press", (event) => { if (event.target.matches("#evidence")) mark(event); });
document.addEventListener("click", (event) => { if (event.target.closest("#evidence > summary")) mark(event); });
document.addEventListener("mousedown", (event) => {
  if (event.target.closest("#more > summary, #evidence > summary")) event.preventDefault(); // keeps the selection
});
