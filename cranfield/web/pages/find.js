"use strict";
// Finds words in #text: #find is the bar, #words what is looked for, #found how many there are.
const bar = document.getElementById("find"), words = document.getElementById("words"), found = document.getElementById("found");
const around = document.getElementById("part");
const DRAWN = 500; // matches before and after the current one that are highlighted
let matches = [], at = -1;

const pattern = (sought) => new RegExp(
  sought.trim().split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"), "giu");

function look() {
  const text = document.getElementById("text")?.textContent ?? "", sought = words.value;
  matches = sought.trim() ? [...text.matchAll(pattern(sought))].map((one) => [one.index, one.index + one[0].length]) : [];
  at = Math.min(at, matches.length - 1);
  draw();
}

function draw() {
  const near = matches.slice(Math.max(0, at - DRAWN), Math.max(0, at) + DRAWN);
  highlight("found", bar.hidden ? [] : rangesOf(near));
  highlight("current", bar.hidden || at < 0 ? [] : rangesOf([matches[at]]));
  found.textContent = bar.hidden || !words.value.trim() ? "" : counted();
}

function counted() {
  const soFar = around.querySelector("[data-rest]") ? " so far" : "";
  if (at >= 0) return `match ${at + 1} of ${matches.length}${soFar}`;
  return (matches.length === 1 ? "1 match" : `${matches.length} matches`) + soFar;
}

function highlight(name, ranges) {
  CSS.highlights?.set(name, new Highlight(...ranges));
}

function rangesOf(spans) {
  const ranges = [], walker = document.createTreeWalker(document.getElementById("text") ?? around, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode(), start = 0;
  const place = (offset) => {
    for (; node && offset > start + node.length; node = walker.nextNode()) start += node.length;
    return [node, offset - start];
  };
  for (const [from, to] of spans) {
    const range = document.createRange();
    range.setStart(...place(from));
    range.setEnd(...place(to));
    ranges.push(range);
  }
  return ranges;
}

function go(step) {
  if (!matches.length) return draw();
  at = at < 0 ? (step > 0 ? 0 : matches.length - 1) : (at + step + matches.length) % matches.length;
  draw();
  const [range] = rangesOf([matches[at]]), box = range.getBoundingClientRect();
  if (!document.documentElement.classList.contains("no-keys") || bar.hidden) select(range);
  scrollBy({ top: box.top - innerHeight / 3, behavior: "instant" });
}

function select(range) { // so that the key of evidence marks it
  document.getElementById("document").focus({ preventScroll: true });
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}

function toggle(open) {
  bar.hidden = !open;
  around.querySelector("[aria-controls=find]")?.setAttribute("aria-expanded", open);
  if (open) { words.focus(); words.select(); }
  else if (at >= 0) select(rangesOf([matches[at]])[0]);
  else around.querySelector("[aria-controls=find]")?.focus();
  look();
}

words.addEventListener("input", () => { at = -1; look(); });
words.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  go(event.shiftKey ? -1 : 1);
});
bar.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) button.id === "unfind" ? toggle(false) : go(Number(button.dataset.step));
});
document.addEventListener("click", (event) => { if (event.target.closest("[aria-controls=find]")) toggle(true); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !bar.hidden) toggle(false); });
around.addEventListener("text", look);
around.addEventListener("shown", ({ detail: { other } }) => {
  if (other) { bar.hidden = true; words.value = ""; }
  look();
});
