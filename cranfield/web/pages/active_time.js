"use strict";
// Seconds of work on what is shown, by the rule of judging/session/pace.py: what passes between two signs of life
// counts, unless it is `idle` seconds or more, or the page was not in front in between.
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "scroll"];
const OFTEN = 30000; // ms between two reports of signs of life
const inFront = () => !document.hidden && document.hasFocus();

class ActiveTime {
  constructor(idle, clock = () => performance.now() / 1000) {
    this.idle = idle;
    this.clock = clock;
    this.away = !inFront();
    this.start();
  }

  start() { // at zero: something else is shown
    this.seen = this.clock();
    this.total = 0;
  }

  leave() { // something else is in front
    this.seconds();
    this.away = true;
  }

  back() { // the time since the last sign of life does not count
    this.seen = this.clock();
    this.away = false;
  }

  seconds() { // so far; asking is a sign of life
    const now = this.clock(), passed = Math.max(now - this.seen, 0);
    if (passed < this.idle && !this.away) this.total += passed;
    this.seen = now;
    this.away = false;
    return Math.round(this.total * 1000) / 1000;
  }
}

function watch(time, report = () => {}) { // tells `time()` what happens in this window; reports signs of life and leaving
  const leave = () => { time()?.leave(); report(true); };
  for (const left of ["blur", "pagehide"]) addEventListener(left, leave);
  addEventListener("focus", () => time()?.back());
  document.addEventListener("visibilitychange", () => {
    if (!inFront()) leave();
    else time()?.back();
  });
  for (const sign of SIGNS) addEventListener(sign, () => {
    if (!inFront()) return;
    time()?.seconds();
    report(false);
  }, { passive: true, capture: true });
}

function measure(timed) { // a page of the server: the active time of each part goes with its forms and, now and then, alone
  const time = new ActiveTime(Number(timed.dataset.idle)), role = location.pathname.split("/")[1];
  let told = performance.now();
  timed.addEventListener("shown", () => time.start());
  timed.addEventListener("sent", ({ detail: fields }) => fields.set("seconds", time.seconds()));
  watch(() => time, (left) => {
    if (!left && performance.now() - told < OFTEN) return;
    told = performance.now();
    const hidden = [...timed.querySelectorAll("#about [type=hidden]")].map(({ name, value }) => [name, value]);
    navigator.sendBeacon(`/active/${role}`, new URLSearchParams([...hidden, ["seconds", time.total.toFixed(3)]]));
  });
}

for (const timed of document.querySelectorAll("#part[data-idle]")) measure(timed);
