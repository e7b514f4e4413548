"use strict";
// The log of this page in the storage of the browser: an entry for each event, written before anything else is shown.
class StorageError extends Error {}

class Log {
  constructor(header) {
    this.header = header; // the first line of a download, as it was made
    this.about = JSON.parse(header);
    this.prefix = `cranfield ${this.about.page} `;
    this.lines = [];
    this.kept = true; // whether the storage is used
    this.saved = 0; // how many lines were downloaded
  }

  read() { // what is there, from the first line on; an entry that cannot be read is an error
    if (!this.kept) return this.lines.map((line) => JSON.parse(line));
    this.lines = [];
    while (this.at(this.lines.length + 1) !== null) this.lines.push(this.at(this.lines.length + 1));
    this.saved = Number(localStorage.getItem(`${this.prefix}saved`));
    return this.lines.map((line) => JSON.parse(line));
  }

  at(number) {
    try {
      return localStorage.getItem(this.prefix + number);
    } catch (error) {
      throw new StorageError(error.message);
    }
  }

  get behind() { // whether another window has written since
    return this.kept && this.at(this.lines.length + 1) !== null;
  }

  get unsaved() {
    return this.lines.length - this.saved;
  }

  append(event) {
    const number = this.lines.length + 1, last = this.lines.length ? JSON.parse(this.lines.at(-1)).at : this.about.made;
    const at = new Date(Math.max(Date.now(), Date.parse(last))).toISOString().replace("Z", "+00:00");
    const whole = { ...event, number, event_id: fresh(), at }, line = JSON.stringify(whole);
    if (this.kept) this.keep(number, line);
    this.lines.push(line);
    return whole;
  }

  keep(number, line) {
    const lost = number > 1 && this.at(number - 1) !== this.lines.at(-1); // the browser's data was cleared meanwhile
    if (lost) this.lines.forEach((one, place) => this.put(place + 1, one));
    this.put(number, line);
    if (this.at(number) !== line) throw new StorageError("it was not there when it was read again");
  }

  put(name, value) {
    try {
      localStorage.setItem(this.prefix + name, value);
    } catch (error) {
      throw new StorageError(error.message);
    }
  }

  download() {
    const text = [this.header, ...this.lines, ""].join("\n"), link = document.createElement("a");
    const name = this.about.assessor.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60);
    link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    link.download = `${name}-${this.about.page.slice(0, 8)}-${this.lines.length}.jsonl`;
    link.click();
    this.saved = this.lines.length;
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    if (this.kept) this.put("saved", this.saved);
  }
}

const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
