"use strict";
// Answers the forms of forms.js in the page itself: an event is kept, then the next document is shown.
const content = JSON.parse(document.getElementById("work").textContent), log = new Log(content.header);
const OTHERS = "Another window with this page recorded something meanwhile, so nothing was recorded here. This is the current document.";
const windows = new BroadcastChannel(log.name); // all windows with this page
let session = null, said = [], refused = "";

async function post(action, fields) {
  try {
    await obey(action.split("/").pop(), Object.fromEntries(fields));
  } catch (error) {
    if (error instanceof BehindError) { await begin(OTHERS); return false; }
    if (error instanceof StorageError) { unkept(error); return false; }
    if (!(error instanceof RefusedError)) throw error;
    [said, refused] = [[`Not recorded: ${error.message}.`], "own"];
    refresh();
    return false;
  }
  refresh();
  return true;
}

async function obey(command, fields) {
  session.newTopic = false;
  if (!session.here && !ANYWHERE.includes(command)) refuse("everything is done; there is no document on screen");
  const event = COMMANDS[command](session, fields);
  if (event) {
    const whole = await log.append(event);
    session.recorded(whole);
    windows.postMessage(whole.number);
  }
  said = command === "undo" ? ["Undone."] : session.again ? ["Judge it again, or leave it as it is (under Recent)."] : [];
  const last = session.work.done.at(-1);
  if (!event || !content.decides.includes(command) || !last || last.document === session.here) return;
  const { topic, number } = session.work.documents.get(last.document);
  said = [`Recorded: topic ${topic.name}, document ${number}: ${inWords(session, last)}.`];
  if (!session.work.isOpen(topic)) said.push(`Topic ${topic.name} is done: download your work now.`);
  if (session.newTopic && session.shown) said.push(`Next topic: ${session.shown.topic.title}.`);
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
  write("what", session ? "Not recorded: this browser did not keep it." : "This page does not start, because this browser does not keep your work.");
  write("why", error.message);
  write("then", session ? "Download what was recorded before, then try again." : "Open the file in a window that is not private, or in another or newer browser.");
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
  await begin("Another window with this page recorded something. This is the current document.");
  sending = false;
});
watch(() => session?.time);
begin();
