// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/style.hpp"

namespace coulomb::html {

std::string_view style_sheet() {
  return R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --soft: #595959; --rule: #d4d4d4;
  --panel: #f4f4f4; --quiet: #a8a8a8; --plain: #4d8fcc; --strong: #123f73; --alarm: #a63500; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181b; --ink: #e6e6e6; --soft: #a9a9a9; --rule: #3a3e43; --panel: #212429;
    --quiet: #666b71; --plain: #4d8fcc; --strong: #cfe4fa; --alarm: #ff9d66; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui,
  -apple-system, "Segoe UI", "DejaVu Sans", "Liberation Sans", Arial, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.6em; line-height: 1.2; margin: 0.4em 0 0.2em; overflow-wrap: anywhere; }
h2 { font-size: 1.2em; margin: 2em 0 0.4em; border-bottom: 1px solid var(--rule); }
p { margin: 0.4em 0; max-width: 75ch; overflow-wrap: anywhere; }
.soft, figcaption { color: var(--soft); }
.notice { border-left: 4px solid var(--alarm); background: var(--panel); padding: 8px 12px;
  max-width: none; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 16px 0; }
.tile { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px;
  padding: 8px 14px; min-width: 150px; }
.tile b { display: block; font-size: 1.5em; line-height: 1.3; }
.tile span { color: var(--soft); font-size: 0.9em; }
pre { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: 8px 12px;
  margin: 0.4em 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
.chart, .scroll { overflow-x: auto; margin: 8px 0; }
svg { display: block; width: 100%; height: auto; font-size: 12px; }
svg text { fill: var(--ink); }
svg .halo { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis { stroke: var(--soft); stroke-width: 1; }
.dot { fill: var(--plain); }
.dots { stroke: var(--plain); stroke-width: 5; stroke-linecap: round; fill: none; }
.ring { fill: var(--paper); stroke: var(--strong); stroke-width: 2; }
.step { fill: none; stroke: var(--strong); stroke-width: 2; }
.strip { fill: var(--panel); }
.tick { stroke: var(--alarm); stroke-width: 1.5; fill: none; }
.bar { fill: var(--plain); stroke: var(--plain); }
.faint { fill: none; stroke-dasharray: 3 2; stroke: var(--soft); }
.quiet { fill: none; stroke: var(--quiet); stroke-width: 1; stroke-opacity: 0.55; }
.plain { fill: none; stroke: var(--plain); stroke-width: 1.5; stroke-opacity: 0.8; }
.strong { fill: none; stroke: var(--strong); stroke-width: 3; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 3px 10px; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
.scroll th, .scroll td { overflow-wrap: normal; white-space: nowrap; }
thead th { vertical-align: bottom; border-bottom: 2px solid var(--soft); }
th small { display: block; font-weight: normal; color: var(--soft); }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
tbody tr:nth-child(even) { background: var(--panel); }
th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid var(--plain); }
th button::after { content: " \2195"; color: var(--soft); }
th[aria-sort=ascending] button::after { content: " \2191"; }
th[aria-sort=descending] button::after { content: " \2193"; }
.facts { display: grid; grid-template-columns: minmax(110px, max-content) 1fr; margin: 0; }
.facts dt { color: var(--soft); padding-right: 16px; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
details pre { max-height: 300px; overflow-y: auto; }
@media print {
  main { max-width: none; padding: 0; }
  .chart, .scroll { overflow: visible; }
  .chart svg { min-width: 0 !important; }
  section { break-inside: avoid-page; }
}
)css";
}

std::string_view table_script() {
  return R"js(
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.title = "sort by this column";
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      const body = table.tBodies[0];
      const key = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        return x === "" || y === "" || isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y;
      };
      body.append(...[...body.rows].sort((a, b) => (falling ? order(b, a) : order(a, b))));
    };
  });
}
)js";
}

} // namespace coulomb::html
