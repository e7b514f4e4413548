"use strict";
// What every page of a link has. How it looks in this browser: theme, text size and width of the text, chosen in #display.
// It runs before the page is drawn, so that nothing is seen in another theme first. #topic folds to a line, messages in
// #said go after a while, and #busy shows that a form is on its way. On pages without forms.js, a digit (after - for a
// grade below 0) presses the button of a grade, and another key what else has it as data-press.
const own = document.documentElement.dataset;

function remembered(name, choice) { // kept where the browser keeps anything
  try {
    if (choice) localStorage.setItem(name, choice);
    return localStorage.getItem(name);
  } catch { return choice; }
}

document.documentElement.classList.add("scripted");
for (const name of ["theme", "size", "width"]) own[name] = remembered(`display-${name}`) ?? "";

function tick() {
  for (const one of document.querySelectorAll("#display fieldset")) {
    const choices = [...one.querySelectorAll("input")];
    (choices.find((input) => input.value === own[input.name.slice(8)]) ?? choices[0]).checked = true;
  }
}

addEventListener("DOMContentLoaded", () => {
  appear();
  document.getElementById("part")?.addEventListener("shown", appear);
  addEventListener("keydown", grade);
  begun = performance.now();
});
addEventListener("change", ({ target }) => {
  if (target.closest("#display")) own[target.name.slice(8)] = remembered(target.name, target.value);
});

const MEANT = 150; // ms after a page appears in which a key was meant for the page before
let sign = "", begun = 0;

function grade({ key, target, ctrlKey, metaKey, altKey, repeat }) {
  if (ctrlKey || metaKey || altKey || repeat || target.matches("input, textarea, select")) return;
  if (key === "Enter" && target.closest("a, button, summary")) return; // the browser presses it
  const buttons = [...document.querySelectorAll("[data-press]")], typed = sign + key;
  sign = key === "-" ? key : "";
  if (buttons.some(({ dataset }) => /^-?[0-9]{2}/.test(dataset.press)) && /[0-9]/.test(key)) return; // a 1 could be the beginning of 10
  const pressed = remembered("shortcuts") !== "off" && buttons.find(({ dataset }) => dataset.press === typed);
  if (pressed && performance.now() - begun < MEANT) notice(tr("%(name)s was ignored, because the page had only just changed. Press it again.", { name: `"${typed}"` }));
  else if (pressed) pressed.click();
}

function appear() { // the page, or another part of it
  tick();
  fold(!document.getElementById("topic")?.open && folded());
  fade();
}

const BESIDE = matchMedia("(min-width: 60rem) and (min-height: 31.25rem)"); // where the topic is beside the document

function folded(chosen) { // whether the topic beside a document is folded; kept for the visit
  try {
    if (chosen !== undefined) sessionStorage.setItem("folded", chosen ? "yes" : "");
    return sessionStorage.getItem("folded") === "yes";
  } catch { return chosen ?? document.documentElement.classList.contains("folded"); }
}

function fold(chosen) {
  document.documentElement.classList.toggle("folded", chosen);
  folded(chosen);
}

function pin(topic) { // opened in the middle of a document, it stays in sight
  topic.toggleAttribute("data-pinned", scrollY > 0);
}

document.addEventListener("click", (event) => {
  const topic = event.target.closest("#topic"), summary = topic?.querySelector("summary");
  if (!summary?.contains(event.target)) return;
  pin(topic);
  if (!BESIDE.matches || topic.closest(".wide")) return;
  event.preventDefault(); // CSS shows what is beside a document, whether it is open or not
  fold(!folded());
  topic.open = !folded();
});
document.addEventListener("press", (event) => {
  if (!event.target.matches("#topic")) return;
  event.preventDefault();
  const topic = event.target, summary = topic.querySelector("summary");
  summary.click();
  const folds = BESIDE.matches && !topic.closest(".wide") ? folded() : !topic.open;
  (folds ? document.getElementById("document") : summary).focus({ preventScroll: true });
});

const LASTS = 4000, READING = 50; // ms that a message stays, and for each character
let going = 0;

function fade() { // a message goes, unless something in it was refused and may have to be copied
  const said = document.getElementById("said");
  clearTimeout(going);
  if (!said?.children.length || said.matches("[data-refused], :has(.kept)")) return;
  going = setTimeout(() => said.matches(":hover") ? fade() : said.classList.add("gone"), LASTS + READING * said.textContent.length);
}

function notice(text) { // added to what the page says
  const said = document.getElementById("said"), announced = document.getElementById("announced");
  if (announced) announced.textContent = text;
  if (!said) return;
  said.append(Object.assign(document.createElement("li"), { textContent: text }));
  said.classList.remove("gone");
  fade();
}

const SLOW = 80; // ms after which a form that is on its way shows
let left = -Infinity; // when a form without forms.js was sent

function busy(text) {
  const line = document.getElementById("busy") ?? document.body.appendChild(Object.assign(document.createElement("p"), { id: "busy", className: "said alone" }));
  line.textContent = text;
  line.hidden = !text;
  document.documentElement.toggleAttribute("data-busy", Boolean(text));
}

addEventListener("submit", (event) => {
  if (event.defaultPrevented) return; // by forms.js, which sends it
  const again = performance.now() - left < 10000;
  if (again) event.preventDefault();
  else left = performance.now();
  const text = event.target.method === "get" ? tr("Loading...") : tr("Saving...");
  setTimeout(() => busy(again ? `${text} ${tr("The second press was ignored.")}` : text), again ? 0 : SLOW);
});
addEventListener("pageshow", () => {
  left = -Infinity;
  if (document.getElementById("busy")) busy("");
});
