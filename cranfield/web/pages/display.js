"use strict";
// How a page looks in this browser: theme, text size and width of the text, chosen in #display. It runs before the page
// is drawn, so that nothing is seen in another theme first. And a digit presses the button of a grade with data-press, on
// pages without forms.js.
const own = document.documentElement.dataset;
const HELD = 150; // ms after a page appears in which a grade was meant for the one before
let drawn = Infinity;

function remembered(name, choice) { // kept where the browser keeps anything
  try {
    if (choice) localStorage.setItem(name, choice);
    return localStorage.getItem(name);
  } catch { return choice; }
}

for (const name of ["theme", "size", "width"]) own[name] = remembered(`display-${name}`) ?? "";

function tick() {
  for (const one of document.querySelectorAll("#display fieldset")) {
    const choices = [...one.querySelectorAll("input")];
    (choices.find((input) => input.value === own[input.name.slice(8)]) ?? choices[0]).checked = true;
  }
}

addEventListener("DOMContentLoaded", () => {
  drawn = performance.now();
  tick();
  document.getElementById("part")?.addEventListener("shown", tick);
});
addEventListener("change", ({ target }) => {
  if (target.closest("#display")) own[target.name.slice(8)] = remembered(target.name, target.value);
});
addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey, repeat }) => {
  if (ctrlKey || metaKey || altKey || repeat || target.matches("input, textarea, select")) return;
  if (performance.now() - drawn < HELD || remembered("shortcuts") === "off") return;
  document.querySelector(`[data-press="${CSS.escape(key)}"]`)?.click();
});
