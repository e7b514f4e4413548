"use strict";
// What only judging has, beside forms.js: selected words are evidence, and signs of life.
const judged = document.getElementById("part");

function selection() {
  const text = document.getElementById("text"), chosen = getSelection();
  if (!text || !chosen.rangeCount || chosen.isCollapsed) return null;
  const range = chosen.getRangeAt(0);
  if (!text.contains(range.startContainer) || !text.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  return { start, end: start + range.toString().length };
}

function mark(event) {
  const chosen = selection(), form = judged.querySelector("#evidence form");
  if (!chosen) return;
  event.preventDefault();
  form.elements.start.value = chosen.start;
  form.elements.end.value = chosen.end;
  form.requestSubmit();
}

document.addEventListener("press", (event) => { if (event.target.matches("#evidence")) mark(event); });
document.addEventListener("click", (event) => { if (event.target.closest("#evidence > summary")) mark(event); });
document.addEventListener("mousedown", (event) => {
  if (event.target.closest("#evidence > summary")) event.preventDefault(); // keeps the selection
});

function sign(name) {
  const form = judged.querySelector("[name=form]")?.value;
  if (form) navigator.sendBeacon(`/active/${name}`, new URLSearchParams({ form }));
}

document.addEventListener("visibilitychange", () => sign(document.hidden ? "hidden" : "returned"));
let quiet = 0;
document.addEventListener("scroll", () => {
  if (performance.now() - quiet < 30000) return;
  quiet = performance.now();
  sign("reading");
}, { passive: true });
