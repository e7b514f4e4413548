"use strict";
// Answers the forms of forms.js in the page itself: an event is kept, then the next document is shown.
const content = JSON.parse(document.getElementById("work").textContent), log = new Log(content.header);
const OTHERS = "Another window with this page recorded something meanwhile, so nothing was recorded here. This is the current document.";
const NOT_KEPT = "This browser keeps nothing of this page. Download your work before you close it.";
const decides = ["grade", "later", "cannot-judge", "redo"];
let session = null, said = [];

async function post(action, fields) {
  const command = action.split("/").pop();
  warn(log.kept ? "" : NOT_KEPT);
  try {
    if (log.behind) {
      begin(OTHERS);
      return false;
    }
    obey(command, Object.fromEntries(fields));
  } catch (error) {
    if (error instanceof StorageError) { unkept(error); return false; }
    if (!(error instanceof RefusedError)) throw error;
    said = [`Not recorded: ${error.message}.`];
  }
  refresh();
  return true;
}

function obey(command, fields) {
  session.newTopic = false;
  if (!session.here && !ANYWHERE.includes(command)) refuse("everything is done; there is no document on screen");
  const event = COMMANDS[command](session, fields);
  said = command === "undo" ? ["Undone."] : session.again ? ["Judge it again, or leave it as it is (under Recent)."] : [];
  if (!event) return;
  session.recorded(log.append(event));
  const last = session.work.done.at(-1);
  if (!decides.includes(command) || !last || last.document === session.here) return;
  const { topic, number } = session.work.documents.get(last.document);
  said = [`Recorded: topic ${topic.name}, document ${number}: ${inWords(session, last)}.`];
  if (session.newTopic && session.shown) said.push(`Next topic: ${session.shown.topic.title}.`);
}

function refresh() {
  document.getElementById("unkept").hidden = true;
  show(filled(session, log, said));
}

function begin(...texts) {
  session = new Session(content, log.read());
  said = texts;
  refresh();
}

function unkept(error) {
  document.getElementById("what").textContent = session ? "Your last action was not recorded." : "Nothing can be recorded yet.";
  document.getElementById("why").textContent = error.message;
  document.getElementById("unkept").hidden = false;
  document.getElementById("rescue").focus();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-download]")) download();
  if (event.target.closest("#unkept-go-on")) goOn();
});

function download() {
  try {
    log.download();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error; // the download is there, only that it was made is not kept
  }
  said = [];
  if (session) refresh();
}

function goOn() {
  log.kept = false;
  document.getElementById("unkept").hidden = true;
  if (!session) start();
  warn(NOT_KEPT);
}

addEventListener("storage", (event) => {
  if (log.kept && event.key?.startsWith(log.prefix) && log.behind) begin("Another window with this page recorded something. This is the current document.");
});
addEventListener("beforeunload", (event) => {
  if (!log.kept && log.unsaved) event.preventDefault();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) session?.time.seconds();
  else session?.time.skip();
});
for (const sign of ["scroll", "keydown", "pointerdown"]) document.addEventListener(sign, () => session?.time.seconds(), { passive: true });

function start() {
  try {
    begin();
  } catch (error) {
    if (!(error instanceof StorageError || error instanceof SyntaxError)) throw error;
    unkept(error);
  }
}

start();
