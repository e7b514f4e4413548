"use strict";
// Answers the forms of forms.js in the page itself: an event is kept, then the next document is shown.
const content = JSON.parse(document.getElementById("work").textContent), log = new Log(content.header);
const OTHERS = tr("Another window with this page recorded a decision in the meantime, so nothing was recorded here. The current document is shown.");
const windows = new BroadcastChannel(log.name); // all windows with this page
let session = null, said = [], refused = "";

async function post(action, fields) {
  try {
    await obey(action.split("/").pop(), Object.fromEntries(fields));
  } catch (error) {
    if (error instanceof BehindError) { await begin(OTHERS); return false; }
    if (error instanceof StorageError) { unkept(error); return false; }
    if (!(error instanceof RefusedError)) throw error;
    [said, refused] = [[tr("Not recorded: %(why)s.", { why: error.message })], "own"];
    refresh();
    return false;
  }
  refresh();
  return true;
}

async function obey(command, fields) {
  session.newTopic = false;
  if (!session.here && !ANYWHERE.includes(command)) refuse(tr("everything is done; there is no document on screen"));
  const event = COMMANDS[command](session, fields);
  if (event) {
    const whole = await log.append(event);
    session.recorded(whole);
    windows.postMessage(whole.number);
  }
  said = command === "undo" ? [tr("Undone.")] : session.again ? [tr("Judge it again, or leave it as it is (under Recent).")] : [];
  const last = session.work.done.at(-1);
  if (!event || !content.decides.includes(command) || !last || last.document === session.here) return;
  const { topic, number } = session.work.documents.get(last.document);
  said = [tr("Recorded: topic %(topic)s, document %(number)s: %(words)s.", { topic: topic.name, number, words: inWords(session, last) })];
  if (!session.work.isOpen(topic)) said.push(tr("Topic %(topic)s is done: download your work now.", { topic: topic.name }));
  if (session.newTopic && session.shown) said.push(tr("Next topic: %(title)s.", { title: session.shown.topic.title }));
}

function refresh() {
  document.getElementById("unkept").hidden = true;
  show(filled(session, log, said, refused));
  refused = "";
}

async function begin(...texts) { // from what is on disk
  try {
    session = new Session(content, await log.read());
    [said, refused] = [texts, texts.length ? "all" : ""];
    refresh();
  } catch (error) {
    if (!(error instanceof StorageError || error instanceof SyntaxError)) throw error;
    unkept(error);
  }
}

function unkept(error) {
  const write = (id, text) => { document.getElementById(id).textContent = text; };
  write("what", session ? tr("Not recorded: this browser did not save your action.") : tr("This page cannot start, because this browser does not save your work."));
  write("why", error.message);
  write("then", session ? tr("Download what was recorded before, then try again.") : tr("Open the file in a window that is not private, or in another browser."));
  document.getElementById("rescue").hidden = !log.lines.length;
  document.getElementById("unkept").hidden = false;
  document.getElementById("unkept").focus();
}

document.addEventListener("click", (event) => { if (event.target.closest("[data-download]")) download(); });

async function download() {
  try {
    await log.download();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error; // the download is there, only that it was made is not kept
  }
  said = [];
  if (session) refresh();
}

windows.addEventListener("message", async ({ data }) => {
  if (sending || !session || data <= log.lines.length) return; // what is being recorded is refused, and says so
  sending = true;
  await begin(tr("Another window with this page recorded a decision. The current document is shown."));
  sending = false;
});
watch(() => session?.time);
begin();
