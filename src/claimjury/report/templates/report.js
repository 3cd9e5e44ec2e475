// Comfort only: the page says the same without it. Adds a filter over all claims, and sorting to the tables of verdicts.
"use strict";
(() => {
  const rows = [...document.querySelectorAll("table.verdicts > tbody > tr")];
  const parts = new Map();
  for (const part of document.querySelectorAll("[data-claim]")) {
    const of = parts.get(part.dataset.claim) ?? [];
    of.push(part);
    parts.set(part.dataset.claim, of);
  }
  const make = (name, properties, ...inside) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...inside);
    return element;
  };

  const search = make("input", { type: "search", autocomplete: "off" });
  const words = ["REFUTED", "NEEDS_REVIEW", "CONFIRMED"].filter((word) => rows.some((row) => row.dataset.verdict === word));
  const boxes = words.map((word) => make("input", { type: "checkbox", checked: true, value: word }));
  const status = make("p", {});
  status.setAttribute("role", "status");
  const tools = make(
    "section", { className: "tools" },
    make("label", {}, "Filter claims ", search),
    ...boxes.map((box) => make("label", {}, box, box.value)),
    status,
  );
  tools.setAttribute("aria-label", "Filter");

  const filter = () => {
    const text = search.value.trim().toLowerCase();
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    for (const row of rows) {
      const of = parts.get(row.dataset.claim);
      const hit = wanted.has(row.dataset.verdict)
        && (text === "" || of.some((part) => part.textContent.toLowerCase().includes(text)));
      for (const part of of) part.hidden = !hit;
      shown += hit;
    }
    status.textContent = `${shown} of ${rows.length} claims shown`;
  };
  // A link to a claim that is filtered out, or to a line in a source that is folded, shows it.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) {
      search.value = "";
      for (const box of boxes) box.checked = true;
      filter();
    }
    const folded = target.closest("details");
    if (folded) folded.open = true;
    target.scrollIntoView();
  };

  const sortable = (table) => {
    const body = table.tBodies[0];
    const first = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = make("button", { type: "button" }, head.textContent);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        // Up, down, then worst first again.
        const next = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
        const order = next === undefined ? "ascending" : next;
        for (const other of heads) other.removeAttribute("aria-sort");
        const sorted = [...first];
        if (order) {
          head.setAttribute("aria-sort", order);
          const by = new Intl.Collator(undefined, { numeric: true });
          sorted.sort((a, b) => by.compare(a.cells[column].textContent, b.cells[column].textContent));
          if (order === "descending") sorted.reverse();
        }
        body.append(...sorted);
      });
    });
  };

  if (rows.length > 1) {
    search.addEventListener("input", filter);
    for (const box of boxes) box.addEventListener("change", filter);
    const tables = document.querySelectorAll("table.verdicts");
    if (document.querySelectorAll("section.run").length === 1) tables[0].before(tools);
    else document.querySelector("main").prepend(tools);
    filter();
    tables.forEach(sortable);
  }
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();
})();
