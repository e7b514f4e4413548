"use strict";
// The log of this page in the browser's database: a line for each event, on disk before anything else is shown.
class StorageError extends Error {}
class BehindError extends Error {} // another window has recorded something since

const ON_DISK = { durability: "strict" }; // a transaction is complete once it is on disk, and not before

class Log {
  constructor(header) {
    this.header = header; // the first line of a download, as it was made
    this.about = JSON.parse(header);
    this.name = `cranfield ${this.about.page}`;
    this.lines = [];
    this.downloaded = undefined; // the line that the last download ended with
  }

  async read() { // what is there, from the first line on; a line that cannot be read is an error
    [this.lines, this.downloaded] = await this.change(async (lines, download) => {
      const kept = await answer(lines.getAll());
      if (!kept.length) kept.push(...this.older());
      kept.forEach((line, place) => lines.put(line, place + 1));
      return [kept, await answer(download.get("last"))];
    });
    return this.lines.map((line) => JSON.parse(line));
  }

  older() { // what this page kept in localStorage, as long as it used that
    const found = [];
    try {
      for (let line; (line = localStorage.getItem(`${this.name} ${found.length + 1}`)) !== null; ) found.push(line);
    } catch { /* it may not be used, so nothing is there */ }
    return found;
  }

  get unsaved() { // the events that are in no download
    return this.lines.slice(this.lines.lastIndexOf(this.downloaded) + 1).map((line) => JSON.parse(line));
  }

  async append(event) {
    const before = this.lines, number = before.length + 1, last = before.length ? JSON.parse(before.at(-1)).at : this.about.made;
    const at = new Date(Math.max(Date.now(), Date.parse(last))).toISOString().replace("Z", "+00:00");
    const whole = { ...event, number, event_id: fresh(), at }, after = [...before, JSON.stringify(whole)];
    await this.change(async (lines) => {
      const there = await answer(lines.count());
      const own = there < before.length || (there === before.length && (await answer(lines.get(there))) === before.at(-1));
      if (!own) throw new BehindError();
      after.slice(there).forEach((line, place) => lines.put(line, there + place + 1)); // all, if the data was cleared
    });
    this.lines = after;
    return whole;
  }

  async change(act) { // in one transaction, which is on disk when this returns
    let database;
    try {
      if (!globalThis.indexedDB) throw new Error(tr("it has no IndexedDB"));
      database = await answer(this.opened());
      const change = database.transaction(["lines", "download"], "readwrite", ON_DISK);
      if (change.durability !== "strict") throw new Error(tr("it does not report when data is on disk"));
      const [result] = await Promise.all([act(change.objectStore("lines"), change.objectStore("download")), complete(change)]);
      return result;
    } catch (error) {
      throw error instanceof BehindError ? error : new StorageError(error.message);
    } finally {
      database?.close(); // so that what clears the data need not wait
    }
  }

  opened() {
    const opening = indexedDB.open(this.name, 1);
    opening.onupgradeneeded = () => { for (const name of ["lines", "download"]) opening.result.createObjectStore(name); };
    return opening;
  }

  async download() { // at once, even if that it was made cannot be kept
    const text = [this.header, ...this.lines, ""].join("\n"), link = document.createElement("a"), last = this.lines.at(-1);
    const name = this.about.assessor.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60);
    link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    link.download = `${name}-${this.about.page.slice(0, 8)}-${this.lines.length}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    this.downloaded = last;
    if (last) await this.change((lines, download) => answer(download.put(last, "last")));
  }
}

const answer = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});
const complete = (transaction) => new Promise((done, failed) => {
  transaction.oncomplete = done;
  transaction.onabort = () => failed(transaction.error ?? new Error(tr("it was not saved")));
});
const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
