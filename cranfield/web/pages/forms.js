"use strict";
// Sends the forms of #part without leaving the page, and presses its buttons by key. Without it they are plain forms.
//
// The page has #part, which an answer replaces, #announced, a live region, and #lost, an alert. The part may have
//   [data-item]     what the forms are about: when another is shown, it is scrolled to and gets the focus
//   [data-key]      what a key presses, opens or goes to; a "press" event comes first, which can be cancelled
//   [data-decides]  a button that decides about the item, and is ignored until the item can have been seen
//   [data-keep]     a form whose text is sent before any other form, so that nothing typed is lost
//   [data-own]      a part of a form with a button of its own, which Enter presses
//   .panel          inside an open <details>: no key presses anything else while it has the focus, or has choices
//   [data-choice]   a radio button of a panel that a key chooses and sends; data-asks names a field that is asked for first
//   #shortcuts      a checkbox: whether single keys do anything (WCAG 2.1.4); remembered in this browser
//   [data-script]   what is of no use without script
//   #said, .place   what is announced: what came of the form, and where one is
//   [data-refused]  #said where a form was refused: what was typed beside its button is still there, with "words" those
//                   of evidence, too, and with "all", when nothing was recorded, or in a form that is sent before,
//                   everything that was typed and is not recorded; of another item it is listed, to be copied
// So is what is typed while an answer is on its way, and whoever types goes on in that field: none of it is taken for keys.
// A page without a server declares a `post` of its own after this script, which answers the form and calls `show`.
// "sent" goes to #part before a form does; its detail are the fields, to which a page may add.
// "shown" is sent to #part whenever it has been replaced; its detail is the part before, and whether the item is another.
const part = document.getElementById("part"), lost = document.getElementById("lost");
const HELD = 150; // ms after an item appears in which a decision was meant for the one before
const PAUSE = 1000; // ms without a key after which one is not of a text that was being typed
const AWAY = [408, 429, 502, 503, 504]; // answers after which the same form is sent again
const TRIES = { every: 1000, patience: 30000 }; // ms
const root = document.documentElement.classList;
let shown = performance.now(), sending = false, minus = false, pressed = null;
let unsent = null, first = false; // while sending: what was typed and not recorded, and whether a form is sent before its own
let texts = new Map(), focus = null; // as they were when a form was sent: the fields, and which one had the focus
let ignored = ""; // while sending: what was pressed
let hushed = -Infinity; // when a key was last pressed that was meant for a field

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const typing = (target) => target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
const item = (of) => of.querySelector("[data-item]")?.dataset.item;

function single(chosen) { // whether single keys do anything; kept where the browser keeps anything
  try {
    if (chosen !== undefined) localStorage.setItem("shortcuts", chosen ? "on" : "off");
    return localStorage.getItem("shortcuts") !== "off";
  } catch {
    return chosen ?? !root.contains("no-keys");
  }
}

function settled() {
  const box = document.getElementById("shortcuts");
  if (box) box.checked = single();
  root.toggle("no-keys", !single());
}

settled();
part.addEventListener("shown", settled);
part.addEventListener("change", (event) => {
  if (event.target.id !== "shortcuts") return;
  root.toggle("no-keys", !single(event.target.checked));
});

function warn(text) {
  lost.textContent = text;
  lost.hidden = !text;
}

async function answered(action, fields) {
  for (;; await wait(TRIES.every)) {
    try {
      const answer = await fetch(action, {
        method: "POST", body: new URLSearchParams(fields), headers: { "X-Part": "1" },
        signal: AbortSignal.timeout(TRIES.patience),
      });
      if (!AWAY.includes(answer.status)) return { ok: answer.ok, html: await answer.text() };
      warn(tr("The server is busy. Your action is sent again until it is recorded; leave this page open."));
    } catch {
      warn(tr("The server cannot be reached. Your action will be sent as soon as the server is back; leave this page open."));
    }
  }
}

async function post(action, fields) {
  const { ok, html } = await answered(action, fields);
  const page = new DOMParser().parseFromString(html, "text/html");
  const why = page.querySelector("[role=alert]")?.textContent ?? tr("The server encountered an error. Reload the page.");
  warn(ok ? "" : tr("Not recorded: %(why)s", { why }));
  if (ok) show(page.getElementById(part.id) ?? page.body); // a form may lead to a whole page
  return ok;
}

async function send(form, button) {
  if (sending) { ignored = nameOf(button); busy(tr("Saving... %(name)s was ignored.", { name: ignored })); return; }
  sending = true;
  pressed = button;
  const slow = setTimeout(() => { busy(tr("Saving...")); announce(tr("Saving...")); }, SLOW);
  const fields = new FormData(form, button), about = item(part);
  const action = button?.hasAttribute("formaction") ? button.formAction : form.action;
  const kept = [...part.querySelectorAll("form[data-keep]")].filter((one) => one !== form && changed(one));
  let good = true;
  unsent = typed(part.querySelectorAll("input, textarea"));
  [texts, focus] = [new Map(unsent.map((one) => [one, one.value])), document.activeElement];
  for (const [where, what, from] of [...kept.map((one) => [one.action, new FormData(one), one]), [action, fields]]) {
    if (!good || item(part) !== about) break;
    for (const one of kept.length ? part.querySelector("form").querySelectorAll("[type=hidden]") : []) what.set(one.name, one.value);
    first = from !== undefined;
    good = await sent(where, what);
    unsent = unsent.filter((one) => one.form !== from);
  }
  clearTimeout(slow);
  busy("");
  if (ignored) notice(tr("%(name)s was ignored, because the action before it was still being saved.", { name: ignored }));
  [sending, unsent, first, texts, ignored] = [false, null, false, new Map(), ""];
}

const nameOf = (button) => `"${button?.dataset.key ?? button?.textContent.trim() ?? "Enter"}"`;

function sent(action, fields) {
  part.dispatchEvent(new CustomEvent("sent", { detail: fields }));
  return post(action, fields);
}

const typed = (elements) => [...elements].filter((one) => typing(one) && one.type !== "hidden" && one.value !== one.defaultValue);
const changed = (form) => typed(form.elements).length > 0;

function show(body) {
  const before = document.createElement("div"), at = document.activeElement, focused = keyOf(at);
  const writes = part.contains(at) && typing(at) && sending && (at !== focus || late(at));
  before.append(...part.childNodes);
  part.append(...body.childNodes);
  const other = item(part) !== item(before);
  restore(before, other);
  const said = [...part.querySelectorAll("#said li"), ...part.querySelectorAll(".place")].map((one) => one.textContent);
  announce(said.join(" "));
  if (other) shown = performance.now();
  part.dispatchEvent(new CustomEvent("shown", { detail: { before, other } }));
  if (other) scrollTo(0, 0);
  if (writes) return goOn(at, same(at, before), other);
  const next = (!other && keyed(focused)) || part.querySelector("[data-item]");
  next?.focus({ preventScroll: true });
}

function goOn(at, field, other) { // whoever is typing
  if (!field) { hushed = performance.now(); return; }
  reveal(field);
  field.focus({ preventScroll: true });
  if (!other) field.setSelectionRange(at.selectionStart, at.selectionEnd);
}

const alike = (root, one) => [...root.querySelectorAll(`${one.localName}[name="${one.name}"]`)];
const late = (one) => one.value !== (texts.get(one) ?? one.defaultValue); // typed since a form was sent

function same(one, before) { // the field that stands for one of before
  const [now, then] = [alike(part, one), alike(before, one)];
  return now.length === then.length ? now[then.indexOf(one)] : now.length === 1 ? now[0] : undefined;
}

function restore(before, other) { // what was typed and not recorded
  const now = typed(before.querySelectorAll("input, textarea")), panel = pressed?.closest("[data-own], .panel");
  const what = part.querySelector("[data-refused]")?.dataset.refused;
  const refused = (one) => what === "all" || first || panel?.contains(one) || one.name === what;
  for (const one of new Set([...(what ? (unsent ?? now).filter(refused) : []), ...(sending ? now.filter(late) : [])])) {
    const field = other ? undefined : same(one, before) ?? alike(part, one)[0];
    if (field) field.value = one.value;
    else if (one.value.trim()) part.querySelector("#said").append(Object.assign(document.createElement("li"), { className: "kept", textContent: tr("Not recorded: %(why)s", { why: one.value }) }));
  }
}

function announce(text) {
  document.getElementById("announced").textContent = text;
}

const keyed = (key) => {
  const found = [...part.querySelectorAll("[data-key]:not(:disabled, input)")].find((one) => one.dataset.key === key);
  return found?.matches("details") ? found.querySelector("summary") : found;
};
const keyOf = (element) => element?.closest("[data-key]")?.dataset.key;

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (event.defaultPrevented || !part.contains(event.target)) return;
  event.preventDefault();
  if (button?.hasAttribute("data-decides") && performance.now() - shown < HELD) return notice(tr("%(name)s was ignored, because the page had only just changed. Press it again.", { name: nameOf(button) }));
  send(event.target, button);
});

addEventListener("beforeunload", (event) => {
  if (sending) event.preventDefault();
});

const HUSHED = tr("Keys are ignored for a second, because you were typing when the page changed.");

function hush() {
  if (![...part.querySelectorAll("#said li")].some((one) => one.textContent === HUSHED)) notice(HUSHED);
}

function press(key) {
  const found = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (!found) return false;
  if (!found.dispatchEvent(new CustomEvent("press", { bubbles: true, cancelable: true }))) return true;
  if (found.matches("button, a")) found.click();
  else if (found.matches("details")) unfold(found);
  else {
    reveal(found);
    found.focus({ preventScroll: true });
    if (typing(found)) found.scrollIntoView({ block: "nearest" });
  }
  return true;
}

function unfold(details) {
  if (details.open && details.checkVisibility()) return close(details);
  reveal(details);
  const first = details.querySelector("input:not([type=hidden]), textarea, button") ?? details.querySelector("summary");
  first.focus({ preventScroll: true });
  if (first.matches("textarea")) first.setSelectionRange(first.value.length, first.value.length);
}

function reveal(inside) { // opens whatever it is in
  for (let one = inside.closest("details"); one; one = one.parentElement.closest("details")) {
    if (one.id === "topic" && !one.open) pin(one);
    one.open = true;
  }
}

function choose(panel, key) {
  const chosen = [...panel.querySelectorAll("[data-choice]")].find((one) => one.dataset.choice === key);
  if (!chosen && panel.closest("[data-key]")?.dataset.key !== key) return false;
  if (!chosen) { close(panel); return true; }
  chosen.checked = true;
  if (chosen.dataset.asks) chosen.form.elements[chosen.dataset.asks].focus();
  else chosen.form.requestSubmit(panel.querySelector("button"));
  return true;
}

function close(target) {
  let open = target.closest("details[open]") ?? part.querySelector(".more > details[open]");
  if (!open) return;
  open.open = false;
  for (let outer; (outer = open.parentElement.closest(".more > details")); open = outer) outer.open = false;
  open.querySelector("summary").focus({ preventScroll: true });
  if (typing(document.activeElement)) document.activeElement.blur(); // its button is not to be seen
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape") return close(event.target);
  if (event.key === "Enter" && event.target.matches("[data-own] input")) {
    event.preventDefault();
    return event.target.closest("[data-own]").querySelector("button").click();
  }
  if (performance.now() - hushed < PAUSE) { hushed = performance.now(); return hush(); }
  if (event.repeat || typing(event.target) || !single()) return;
  const key = minus ? `-${event.key}` : event.key;
  minus = event.key === "-";
  if (minus) return;
  const panel = event.target.closest(".panel") ?? part.querySelector("[open] > .panel:has([data-choice])");
  if (panel ? choose(panel, key) : press(key)) event.preventDefault();
});
