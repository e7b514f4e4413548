"use strict";
// How a page looks in this browser: theme, text size and width of the text, chosen in #display. It runs before the page
// is drawn, so that nothing is seen in another theme first. And a digit, after - for a grade below 0, presses the button of
// a grade with data-press, on pages without forms.js.
const own = document.documentElement.dataset;

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
  tick();
  document.getElementById("part")?.addEventListener("shown", tick);
  setTimeout(() => addEventListener("keydown", grade), 150); // until then a key was meant for the page before
});
addEventListener("change", ({ target }) => {
  if (target.closest("#display")) own[target.name.slice(8)] = remembered(target.name, target.value);
});

let sign = "";

function grade({ key, target, ctrlKey, metaKey, altKey, repeat }) {
  if (ctrlKey || metaKey || altKey || repeat || target.matches("input, textarea, select")) return;
  const buttons = [...document.querySelectorAll("[data-press]")], typed = sign + key;
  sign = key === "-" ? key : "";
  if (buttons.some(({ dataset }) => !/^-?[0-9]$/.test(dataset.press))) return; // a 1 could be the beginning of 10
  if (remembered("shortcuts") !== "off") buttons.find(({ dataset }) => dataset.press === typed)?.click();
}
