// What interacts on a page, by data attributes; the page is complete without it.
const tr = globalThis.tr ?? ((text, values = {}) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name])); // of texts.js
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const boxOf = (table) => table.closest(".scroll") ?? table;

// The controls of a table stand above it.
const controlsOf = (table) => {
  const box = boxOf(table);
  const before = box.previousElementSibling;
  if (before?.classList.contains("controls")) return before;
  const controls = make("div", { className: "controls" });
  box.before(controls);
  return controls;
};
const field = (table, text, control) => {
  controlsOf(table).append(make("label", {}, text, control));
  return control;
};
const select = (table, text, options, chosen, act) => {
  const control = make("select", {}, ...options.map(([value, name]) => new Option(name, value, false, value === chosen)));
  control.addEventListener("change", () => act(control.value));
  return field(table, text, control);
};

// The head of a table that fits stays in sight; what does not fit fades where it goes on.
const clip = (box) => box.classList.toggle("clipped", box.scrollWidth - box.clientWidth - Math.abs(box.scrollLeft) > 2);
const fit = () => {
  for (const box of all(".scroll")) box.classList.toggle("fits", box.scrollWidth <= box.parentElement.clientWidth);
  all(".scroll, nav ul, figure").forEach(clip);
};
addEventListener("resize", fit);
addEventListener("scroll", ({ target }) => { if (target.matches?.(".scroll, nav ul, figure")) clip(target); }, true);
addEventListener("toggle", fit, true);

// Sorting: a button in each heading.
const keyOf = (row, column) => {
  const cell = row.cells[column];
  return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
};
const inOrder = (one, other) =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : String(one).localeCompare(String(other), "en", { numeric: true });
const reorder = (table, key, down, missingLast) => {
  const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
  const missing = (value) => missingLast && (typeof value !== "number" || Number.isNaN(value));
  rows.sort(([one], [other]) =>
    missing(one) || missing(other) ? missing(one) - missing(other) : inOrder(one, other) * (down ? -1 : 1));
  table.tBodies[0].append(...rows.map(([, row]) => row));
};
const sortBy = (table, heading, down) => {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const column = headings.indexOf(heading);
  reorder(table, (row) => keyOf(row, column), down, heading.classList.contains("number"));
};
for (const table of all("table.sortable")) {
  for (const heading of table.tHead.rows[0].cells) {
    if (!heading.textContent.trim() || all("tbody tr:first-child svg", table).some((svg) =>
      svg.closest("td")?.cellIndex === heading.cellIndex)) continue;
    const button = make("button", { type: "button" }, ...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const was = heading.getAttribute("aria-sort");
      sortBy(table, heading, was ? was === "ascending" : heading.classList.contains("number"));
    });
  }
}

// Long tables show their first rows; printed they are whole.
const unfold = (table) => {
  table.classList.remove("folded");
  boxOf(table).parentElement.querySelector(`[data-unfolds="${table.id}"]`)?.remove();
};
for (const table of all("table[data-fold]")) {
  table.classList.add("folded");
  const more = make("button", { type: "button", className: "more" }, tr("Show all %(number)s rows", { number: table.tBodies[0].rows.length }));
  more.dataset.unfolds = table.id;
  more.addEventListener("click", () => unfold(table));
  boxOf(table).after(more);
}

// Filters: rows whose name, or small print, has the words.
const filter = (table, what) => {
  const control = field(table, tr("Filter %(what)s", { what }), make("input", { type: "search", autocomplete: "off" }));
  control.addEventListener("input", () => {
    const words = control.value.toLowerCase().split(/\s+/);
    if (control.value) unfold(table);
    for (const row of table.tBodies[0].rows) {
      const text = row.cells[0].textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
};
for (const table of all("table[data-filter]")) filter(table, table.dataset.filter);

// A tip beside the pointer.
const tip = make("div", { className: "tip", hidden: true });
tip.setAttribute("role", "status");
document.body.append(tip);
const tell = (words, x, y) => {
  tip.hidden = !words;
  if (!words) return;
  tip.textContent = words;
  const below = y + 18 + tip.offsetHeight < innerHeight;
  tip.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${below ? y + 18 : y - 12 - tip.offsetHeight}px`;
};
const quiet = () => { tip.hidden = true; };
const tipsOf = (table, say) => {
  table.addEventListener("pointermove", (event) => {
    const cell = event.target.closest("td, th");
    tell(cell && say(cell), event.clientX, event.clientY);
  });
  table.addEventListener("pointerleave", quiet);
};

// The values of a chart: the one nearest to the pointer, and by the arrows one after the other.
const placeOf = (point, x) => {
  const box = point.getBoundingClientRect(), path = point.querySelector("path:not(.mark)");
  if (!path) return point.querySelector("path").getBoundingClientRect();
  const share = box.width ? Math.min(Math.max((x - box.left) / box.width, 0), 1) : 0;
  return path.getPointAtLength(share * path.getTotalLength()).matrixTransform(path.getScreenCTM());
};
const middleOf = (place) => [place.x + (place.width ?? 0) / 2, place.y + (place.height ?? 0) / 2];
for (const chart of all("svg.chart")) {
  const points = all(".point", chart);
  if (!points.length) continue;
  for (const point of points) {
    const title = point.querySelector("title");
    point.dataset.about = title.textContent;
    title.remove();
  }
  let at = -1;
  const leave = () => {
    points[at]?.classList.remove("at");
    at = -1;
    quiet();
  };
  const go = (to, x) => {
    leave();
    at = to;
    points[at].classList.add("at");
    tell(points[at].dataset.about, ...middleOf(placeOf(points[at], x ?? points[at].getBoundingClientRect().left)));
  };
  chart.addEventListener("pointermove", ({ clientX, clientY }) => {
    const gaps = points.map((point) => {
      const [x, y] = middleOf(placeOf(point, clientX));
      return Math.hypot(x - clientX, y - clientY);
    });
    const nearest = gaps.indexOf(Math.min(...gaps));
    if (gaps[nearest] < 20) go(nearest, clientX);
    else leave();
  });
  chart.addEventListener("pointerleave", leave);
  chart.addEventListener("blur", leave);
  chart.tabIndex = 0;
  chart.addEventListener("keydown", (event) => {
    const [after, before] = [at + 1, Math.max(at, 0) - 1];
    const to = { ArrowRight: after, ArrowDown: after, ArrowLeft: before, ArrowUp: before, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape") leave();
    if (to === undefined) return;
    event.preventDefault();
    go((to + points.length) % points.length);
  });
}

// The scores of runs by topic, which other tables show parts of.
const map = document.querySelector("table.heatmap[data-measure]");
const links = map ? all("th.topic a", map).map((link) => link.getAttribute("href")) : [];
const topics = map ? all("th.topic", map).map((heading) => heading.dataset.about) : [];
const runs = map ? [...map.tBodies[0].rows].map((row) => row.dataset.name) : [];
const scores = new Map(map ? [...map.tBodies[0].rows].map((row) =>
  [row.dataset.name, row.dataset.scores.split(" ").map((score) => (score === "-" ? NaN : Number(score)))]) : []);
const decimals = (value) => (Number.isNaN(value) ? "-" : value.toFixed(4));
const signed = (value) => {
  const text = decimals(value);
  return /[1-9]/.test(text) ? (value > 0 ? `+${text}` : text) : text.replace("-0", "0");
};
const setNumber = (cell, value, text) => {
  cell.textContent = text;
  if (Number.isNaN(value)) delete cell.dataset.value;
  else cell.dataset.value = value;
};
const names = runs.map((run) => [run, run]);

if (map) {
  filter(map, "runs");
  const heads = () => all("th.topic", map);
  const fixed = map.tHead.rows[0].cells.length - topics.length;
  const place = new Map(links.map((link, at) => [link, at]));
  const own = (heading) => place.get(heading.querySelector("a").getAttribute("href"));
  const choices = [["mean", tr("mean")], ["name", tr("name")], ...topics.map((topic, at) => [String(at), topic])];
  select(map, tr("Sort runs by"), choices, "mean", (by) => {
    if (by === "name") reorder(map, (row) => row.dataset.name, false, false);
    else if (by === "mean") reorder(map, (row) => runs.indexOf(row.dataset.name), false, false);
    else reorder(map, (row) => scores.get(row.dataset.name)[by], true, true);
  });
  const mean = (at) => runs.reduce((sum, run) => sum + (scores.get(run)[at] || 0), 0) / runs.length;
  select(map, tr("Sort topics by"), [["given", tr("name")], ["easy", tr("easiest first")], ["hard", tr("hardest first")]], "given", (by) => {
    const order = topics.map((_, at) => at);
    if (by !== "given") order.sort((one, other) => (mean(other) - mean(one)) * (by === "easy" ? 1 : -1));
    const was = heads().map(own);
    for (const row of [map.tHead.rows[0], ...map.tBodies[0].rows]) {
      const cells = [...row.cells].slice(fixed);
      row.append(...order.map((at) => cells[was.indexOf(at)]));
    }
  });
  const wide = topics.length > 32;
  map.classList.toggle("compact", wide);
  const numbers = make("input", { type: "checkbox", checked: !wide });
  const check = make("label", { className: "check" }, numbers, tr("Show numbers"));
  controlsOf(map).append(check);
  numbers.addEventListener("change", () => {
    map.classList.toggle("compact", !numbers.checked);
    fit();
  });
  tipsOf(map, (cell) => {
    const heading = map.tHead.rows[0].cells[cell.cellIndex];
    if (!heading?.classList.contains("topic")) return "";
    const run = cell.closest("tr").dataset.name;
    return run ? `${run}, ${heading.dataset.about}: ${map.dataset.measure} ${decimals(scores.get(run)[own(heading)])}`
      : heading.dataset.about;
  });
}

// Two runs compared.
for (const table of all("table[data-compare]")) {
  if (!map) continue;
  const chosen = { first: table.dataset.first, second: table.dataset.second };
  const summary = document.querySelector(`[data-summary="${table.id}"]`);
  summary.setAttribute("aria-live", "polite");
  const compare = () => {
    const [first, second] = [scores.get(chosen.first), scores.get(chosen.second)];
    const differences = first.map((score, at) => score - second[at]);
    const defined = differences.filter((difference) => !Number.isNaN(difference));
    const largest = Math.max(...defined.map(Math.abs)) || 1;
    for (const row of table.tBodies[0].rows) {
      const at = links.indexOf(row.querySelector("a").getAttribute("href"));
      const difference = differences[at];
      const cell = (kind) => row.querySelector(`[data-kind=${kind}]`);
      setNumber(cell("first"), first[at], decimals(first[at]));
      setNumber(cell("second"), second[at], decimals(second[at]));
      setNumber(cell("difference"), difference, signed(difference));
      const bar = row.querySelector("rect");
      const width = (100 * Math.abs(difference || 0)) / largest;
      bar.setAttribute("class", difference < 0 ? "down" : "up");
      bar.setAttribute("x", difference < 0 ? 100 - width : 100);
      bar.setAttribute("width", width);
    }
    const headings = all("thead th", table);
    for (const [place, run] of [[1, chosen.first], [2, chosen.second]]) {
      (headings[place].querySelector("button") ?? headings[place]).textContent = run;
    }
    sortBy(table, headings[3], true);
    const better = defined.filter((difference) => difference > 0).length;
    const worse = defined.filter((difference) => difference < 0).length;
    const mean = defined.length ? signed(defined.reduce((sum, each) => sum + each, 0) / defined.length) : "undefined";
    const values = { ...chosen, better, worse, equal: defined.length - better - worse, mean };
    summary.textContent = better === 1
      ? tr("%(first)s is better on %(better)s topic, %(second)s on %(worse)s, and they are equal on %(equal)s; mean difference %(mean)s", values)
      : tr("%(first)s is better on %(better)s topics, %(second)s on %(worse)s, and they are equal on %(equal)s; mean difference %(mean)s", values);
  };
  for (const which of ["first", "second"]) {
    select(table, which === "first" ? tr("First run") : tr("Second run"), names, chosen[which], (run) => {
      chosen[which] = run;
      compare();
    });
  }
}

// The point and the score of one run among all, by topic.
const owns = map ? all("[data-kind=score]") : [];
if (owns.length) {
  const table = owns[0].closest("table");
  select(table, tr("Highlight run"), names, runs[0], (run) => {
    for (const cell of owns) {
      const row = cell.closest("tr");
      const score = scores.get(run)[links.indexOf(`#${row.id}`)];
      setNumber(cell, score, decimals(score));
      const box = row.querySelector("svg.box");
      const point = box?.querySelector(".point");
      if (!point) continue;
      const [low, high] = [Number(box.dataset.low), Number(box.dataset.high)];
      point.setAttribute("cx", 6 + ((score - low) / (high - low || 1)) * 188);
      point.setAttribute("visibility", Number.isNaN(score) ? "hidden" : "visible");
    }
    table.querySelector("caption span").textContent =
      table.querySelector("caption span").textContent.replace(/ of .*?, in the picture/, () => ` of ${run}, in the picture`);
  });
}

// The first ranks of one topic, from the table of all.
const every = document.querySelector("table.all-ranks");
const grid = document.querySelector("table.ranks");
if (every && grid && map) {
  const rel = Number(grid.dataset.relevant);
  const look = (token) => (token === "?" ? "hole" : token === "·" ? "nothing"
    : `g${Math.min(Math.max(Math.floor(Number(token)) - rel + 1, 0), 3)}`);
  const found = new Map([...every.tBodies[0].rows].map((row) => [row.dataset.name, row]));
  const caption = grid.querySelector("caption span");
  const start = caption.textContent.lastIndexOf(" on topic ");
  const prefix = caption.textContent.slice(0, start);
  const initial = caption.textContent.slice(start + 10);
  const ids = all("thead th", every).slice(1).map((heading) => heading.textContent);
  let at = Math.max(ids.indexOf(initial), 0);
  const show = () => {
    for (const row of grid.tBodies[0].rows) {
      const tokens = found.get(row.dataset.name).cells[at + 1].textContent.split(" ");
      tokens.forEach((token, rank) => {
        const cell = row.cells[rank + 1];
        cell.textContent = token;
        cell.className = look(token);
      });
    }
    caption.textContent = `${prefix} on topic ${ids[at]}`;
    reorder(grid, (row) => (by.value === "mean" ? runs.indexOf(row.dataset.name) : -scores.get(row.dataset.name)[at]), false, true);
  };
  filter(grid, "runs");
  const topic = select(grid, tr("Topic"), topics.map((about, place) => [String(place), about]), String(at), (chosen) => {
    at = Number(chosen);
    show();
  });
  const by = select(grid, tr("Sort runs by"), [["mean", tr("mean over topics")], ["topic", tr("this topic")]], "mean", show);
  const words = (token) => ({ "?": tr("not judged"), "·": tr("nothing retrieved") }[token] ?? tr("grade %(grade)s", { grade: token }));
  tipsOf(grid, (cell) => (cell.tagName === "TD"
    ? tr("%(run)s, rank %(rank)s: %(words)s", { run: cell.closest("tr").dataset.name, rank: cell.cellIndex, words: words(cell.textContent) }) : ""));
  const fold = make("details", {}, make("summary", {}, tr("First ranks of every topic, as text")));
  boxOf(every).before(fold);
  fold.append(boxOf(every));
  addEventListener("hashchange", () => {
    const place = links.indexOf(location.hash);
    if (place >= 0) {
      at = place;
      topic.value = String(at);
      show();
    }
  });
}

// The depths of a pool on a slider, each with its panel.
for (const dial of all("[data-dial]")) {
  const links = dial.querySelector("nav"), panels = all("[data-depth]", dial), last = panels.length - 1;
  const slider = make("input", { type: "range", min: 0, max: last, step: 1, value: panels.findIndex((one) => !one.hidden) });
  const shown = make("output");
  const show = () => {
    const at = Number(slider.value), { depth, href } = panels[at].dataset;
    panels.forEach((panel, place) => { panel.hidden = place !== at; });
    shown.textContent = depth;
    slider.setAttribute("aria-valuetext", tr("depth %(depth)s", { depth }));
    return href;
  };
  slider.addEventListener("input", () => history.replaceState(null, "", show()));
  show();
  links.hidden = true;
  links.after(make("label", { className: "depth" }, tr("Pool depth"), slider, shown));
}

// A link to a row that is folded away unfolds its table.
const reach = () => {
  const row = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  const table = row && row.closest("table.folded");
  if (!table) return;
  unfold(table);
  row.scrollIntoView();
};
addEventListener("hashchange", reach);
reach();

// Where one is on the page.
const sections = new Map(all('nav a[href^="#"]').map((link) => [document.querySelector(link.getAttribute("href")), link]));
if ("IntersectionObserver" in window) {
  const watch = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      const link = sections.get(target.querySelector("h2"));
      if (isIntersecting) link?.setAttribute("aria-current", "true");
      else link?.removeAttribute("aria-current");
    }
  }, { rootMargin: "-15% 0px -80% 0px" });
  for (const heading of sections.keys()) watch.observe(heading.closest("section"));
}
fit();
