"use strict";
// Sends the forms of the page without leaving it, and presses their buttons by key. Without it they are plain forms.
const part = document.getElementById("judge"), lost = document.getElementById("lost");
const HELD = 150; // ms after a document appears in which a decision was meant for the one before
let shown = performance.now(), sending = false, minus = false;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const typing = (target) => target.matches("input:not([type=radio]), textarea");

async function answered(action, fields) {
  const body = new URLSearchParams(fields);
  for (;;) {
    try {
      const answer = await fetch(action, { method: "POST", body, headers: { "X-Part": "1" } });
      if (answer.status !== 503) return answer;
      lost.textContent = "Another program is writing to the store. Your decision is sent again until it is recorded.";
    } catch {
      lost.textContent = "The server cannot be reached. Your decision is sent as soon as it is back; leave this page open.";
    }
    lost.hidden = false;
    await wait(1000);
  }
}

async function send(form, button) {
  if (sending) return;
  sending = true;
  const fields = new FormData(form, button), here = fields.get("document");
  const answer = await answered(button?.hasAttribute("formaction") ? button.formAction : form.action, fields);
  lost.hidden = true;
  const html = await answer.text();
  if (answer.ok) show(html, here);
  else document.documentElement.replaceChildren(...new DOMParser().parseFromString(html, "text/html").documentElement.children);
  sending = false;
}

function show(html, before) {
  part.innerHTML = html;
  const now = part.querySelector("[name=document]")?.value;
  const said = [...part.querySelectorAll("#said li")].map((one) => one.textContent);
  document.getElementById("announced").textContent = [...said, part.querySelector(".place").textContent].join(" ");
  if (now === before) return;
  shown = performance.now();
  scrollTo(0, 0);
  document.getElementById("document").focus({ preventScroll: true });
}

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  event.preventDefault();
  if (button?.hasAttribute("data-decides") && performance.now() - shown < HELD) return;
  send(event.target, button);
});

function press(key) {
  const found = [...part.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (!found) return false;
  if (found.matches("button")) found.click();
  else if (found.matches("input")) { found.closest("details").open = true; found.focus(); }
  else if (key === part.querySelector("#evidence")?.dataset.key && selection()) mark();
  else unfold(found);
  return true;
}

function unfold(details) {
  details.open = !details.open;
  if (details.open) (details.querySelector("input:not([type=hidden]), textarea, button") ?? details).focus();
}

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

function mark() {
  const form = part.querySelector("#evidence form"), chosen = selection();
  form.elements.start.value = chosen?.start ?? "";
  form.elements.end.value = chosen?.end ?? "";
  form.requestSubmit();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    const open = event.target.closest(".more details[open]") ?? part.querySelector(".more details[open]");
    if (open) { open.open = false; open.querySelector("summary").focus(); }
    return;
  }
  if (event.repeat || typing(event.target)) return;
  const key = minus ? `-${event.key}` : event.key;
  minus = event.key === "-";
  if (!minus && press(key)) event.preventDefault();
});

document.addEventListener("mousedown", (event) => {
  if (event.target.closest("#evidence")) event.preventDefault(); // keeps the selection
});
document.addEventListener("click", (event) => {
  if (event.target.closest("#evidence > summary") && selection()) { event.preventDefault(); mark(); }
});

function sign(name) {
  const form = part.querySelector("[name=form]")?.value;
  if (form) navigator.sendBeacon(`/active/${name}`, new URLSearchParams({ form }));
}
document.addEventListener("visibilitychange", () => sign(document.hidden ? "hidden" : "returned"));
let quiet = 0;
document.addEventListener("scroll", () => {
  if (performance.now() - quiet < 30000) return;
  quiet = performance.now();
  sign("reading");
}, { passive: true });
