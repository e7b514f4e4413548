"use strict";
// Finds words in #text: #find is the bar, #words what is looked for, #found how many there are.
const bar = document.getElementById("find"), words = document.getElementById("words"), found = document.getElementById("found");
const around = document.getElementById("part");
const DRAWN = 500; // matches before and after the current one that are highlighted
const TYPED = 150; // ms without a letter after which the words are looked for
const SLICE = 8, PIECE = 1 << 16; // ms of a search between which the page can be used; characters looked through at once
let matches = [], at = -1, text = null, search = null, timer = 0; // the text as it was read, and the search under way

const pattern = (sought) => new RegExp(
  sought.trim().split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"), "giu");

function* searched(sought) { // to its end, it has taken in what it found
  const spans = [];
  if (sought.trim()) {
    text ??= document.getElementById("text")?.textContent ?? "";
    const over = 2 * sought.length + 2000; // a match may go on in the next piece
    for (let start = 0, end = PIECE; start < text.length; [start, end] = [Math.max(end, spans.at(-1)?.[1] ?? 0), end + PIECE]) {
      for (const one of text.slice(start, end + over).matchAll(pattern(sought))) {
        const from = start + one.index;
        if (from >= end) break;
        spans.push([from, from + one[0].length]);
      }
      yield;
    }
  }
  matches = spans;
  at = Math.min(at, matches.length - 1);
  draw();
}

function look(pause = 0) {
  clearTimeout(timer);
  search = searched(words.value);
  timer = setTimeout(continueSearch, pause, search);
}

function continueSearch(one) {
  const until = performance.now() + SLICE;
  while (one === search && performance.now() < until) if (one.next().done) search = null;
  if (one === search) timer = setTimeout(continueSearch, 0, one);
}

function finish() { // now, as what comes next needs the matches
  clearTimeout(timer);
  while (search) if (search.next().done) search = null;
}

function read() { // the text anew
  text = null;
  look();
}

function draw() {
  const near = matches.slice(Math.max(0, at - DRAWN), Math.max(0, at) + DRAWN);
  highlight("found", bar.hidden ? [] : rangesOf(near));
  highlight("current", bar.hidden || at < 0 ? [] : rangesOf([matches[at]]));
  found.textContent = bar.hidden || !words.value.trim() ? "" : counted();
}

function counted() {
  const isPart = around.querySelector("[data-rest]") !== null, numbers = { number: at + 1, total: matches.length };
  if (at >= 0) return isPart ? tr("match %(number)s of %(total)s so far", numbers) : tr("match %(number)s of %(total)s", numbers);
  if (matches.length === 1) return isPart ? tr("1 match so far") : tr("1 match");
  return isPart ? tr("%(total)s matches so far", numbers) : tr("%(total)s matches", numbers);
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
  finish();
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
  finish();
  bar.hidden = !open;
  around.querySelector("[aria-controls=find]")?.setAttribute("aria-expanded", open);
  if (open) { words.focus(); words.select(); }
  else if (at >= 0) select(rangesOf([matches[at]])[0]);
  else around.querySelector("[aria-controls=find]")?.focus();
  look();
}

words.addEventListener("input", () => { at = -1; look(TYPED); });
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
around.addEventListener("text", read);
around.addEventListener("shown", ({ detail: { other } }) => {
  if (other) { bar.hidden = true; words.value = ""; }
  read();
});
