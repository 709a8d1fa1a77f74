// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The style sheet of the page. Colours are variables that a dark scheme
/// redefines; --v0 to --v7 are those of shared variables.
//===----------------------------------------------------------------------===//

#include "Html.h"

namespace cudaopt {

llvm::StringRef getStyle() {
  return R"css(:root {
  color-scheme: light dark;
  --back: #ffffff; --panel: #f6f8fa; --text: #1f2328; --quiet: #57606a;
  --rule: #d0d7de; --link: #0550ae; --good: #116329; --bad: #b3261e;
  --hit: #0969da; --clash: #cf3a00; --grid: #d8dee4;
  --add: #dafbe1; --add-mark: #a6e9b5; --del: #ffebe9; --del-mark: #ffc4bd;
  --v0: #4c8edb; --v1: #d9822b; --v2: #3a9d5d; --v3: #b05cc6;
  --v4: #c9a227; --v5: #2a9fa8; --v6: #d1495b; --v7: #7d8597;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0d1117; --panel: #161b22; --text: #e6edf3; --quiet: #9aa5b1;
    --rule: #30363d; --link: #79b8ff; --good: #56d364; --bad: #ff8a80;
    --hit: #58a6ff; --clash: #ff8f50; --grid: #2a313a;
    --add: #12301d; --add-mark: #1f6b38; --del: #3a1719; --del-mark: #87302f;
    --v0: #4787cf; --v1: #c9772a; --v2: #389258; --v3: #a45bb8;
    --v4: #b8952a; --v5: #2c949c; --v6: #c24c5c; --v7: #737b8c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem; max-width: 72rem;
  background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
}
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .2rem; overflow-wrap: anywhere; }
h3 { font-size: 1.1rem; margin: 0; display: inline; }
h4 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
p { margin: .3rem 0; }
header p, small, footer, .remedy, figcaption { color: var(--quiet); }
small { font-size: .85em; }
a { color: var(--link); }
code { font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace;
  font-size: .88em; overflow-wrap: anywhere; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); }
.scroll { overflow-x: auto; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; }
.index { width: 100%; margin-top: 1rem; font-size: .93rem; }
.index th, .index td { text-align: left; padding: .3rem .8rem .3rem 0;
  border-bottom: 1px solid var(--rule); vertical-align: baseline; }
.index tr > :first-child { min-width: 9rem; }
.index thead th { color: var(--quiet); font-weight: 600; }
.index .number, .index th:nth-child(2), .index th:nth-child(3),
.index th:nth-child(4) { text-align: right; }
.index .number { white-space: nowrap; font-variant-numeric: tabular-nums; }
details > summary { cursor: pointer; padding: .35rem 0; }
.kernel { margin: 1rem 0; padding: .5rem 1rem 1rem; border: 1px solid var(--rule);
  border-radius: 8px; }
.kernel:not([open]) { padding-bottom: .5rem; }
.kernel details { border-top: 1px solid var(--rule); margin-top: .7rem; }
.kernel details > summary { font-weight: 600; }
.kernel details > summary code { font-weight: 400; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: .6rem 0; }
.facts dt { color: var(--quiet); font-size: .8rem; }
.facts dd { margin: 0; font-variant-numeric: tabular-nums; }
.findings { list-style: none; margin: .8rem 0; padding: 0; }
.findings li { margin: .35rem 0; padding-left: 5.3rem; text-indent: -5.3rem; }
.findings li > * { text-indent: 0; }
.tag { display: inline-block; min-width: 4.7rem; margin-right: .3rem;
  padding: 0 .5rem; border-radius: 1em; border: 1px solid currentColor;
  font-size: .78rem; text-align: center; text-indent: 0; }
.index .tag { min-width: 0; }
.done .tag { color: var(--good); }
.missed .tag { color: var(--quiet); }
.id { color: var(--quiet); }
.remedy { font-size: .9rem; }
.bad { color: var(--bad); }
.diff { width: 100%; background: var(--panel); font: .83rem/1.45 ui-monospace,
  "SF Mono", Menlo, "DejaVu Sans Mono", monospace; tab-size: 4; }
.diff td { padding: 0 .5rem; white-space: pre; }
.diff td:last-child { width: 100%; padding-left: 0; }
.diff .no { text-align: right; color: var(--quiet); user-select: none;
  min-width: 3.2rem; }
.diff .sign { user-select: none; }
.diff .add { background: var(--add); }
.diff .del { background: var(--del); }
.diff mark { color: inherit; border-radius: 2px; }
.diff .add mark { background: var(--add-mark); }
.diff .del mark { background: var(--del-mark); }
.diff tbody + tbody tr:first-child td { border-top: 1px dashed var(--rule); }
.pair { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: flex-start; }
.cards { display: flex; flex-wrap: wrap; gap: .3rem 2.5rem; }
.access { margin: .4rem 0 .8rem; max-width: 100%; }
figure { margin: .4rem 0; max-width: 100%; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { font-size: .85rem; }
figcaption b { color: var(--text); }
figcaption b.bad { color: var(--bad); }
.legend svg { display: inline-block; vertical-align: -1px; }
.legend { list-style: none; margin: .2rem 0; padding: 0; font-size: .82rem;
  display: flex; flex-wrap: wrap; gap: .1rem 1rem; max-width: 26rem; }
text { fill: var(--text); font: 11px system-ui, "DejaVu Sans", sans-serif; }
.axis { fill: var(--quiet); font-size: 10px; }
.end { text-anchor: end; }
.mid { text-anchor: middle; }
.paper { fill: var(--panel); stroke: var(--rule); }
.grid { stroke: var(--grid); fill: none; }
.hit { fill: var(--hit); }
.clash { fill: var(--clash); }
.line { stroke: var(--quiet); fill: none; }
.limit { stroke: var(--quiet); fill: none; stroke-dasharray: 4 3; }
.barrier { stroke: var(--back); fill: none; opacity: .7; }
.busy { stroke: none; }
.kept { fill-opacity: .16; stroke-opacity: .6; }
.v0 { fill: var(--v0); stroke: var(--v0); } .v1 { fill: var(--v1); stroke: var(--v1); }
.v2 { fill: var(--v2); stroke: var(--v2); } .v3 { fill: var(--v3); stroke: var(--v3); }
.v4 { fill: var(--v4); stroke: var(--v4); } .v5 { fill: var(--v5); stroke: var(--v5); }
.v6 { fill: var(--v6); stroke: var(--v6); } .v7 { fill: var(--v7); stroke: var(--v7); }
.stairs { stroke: var(--hit); stroke-width: 2; fill: none; }
.point { stroke: var(--clash); stroke-width: 2; fill: var(--back); }
.point.after, .point.now { fill: var(--clash); }
.label { font-weight: 600; }
footer { margin-top: 3rem; font-size: .85rem; }
@media print {
  body { max-width: none; }
  .kernel { break-inside: avoid; }
}
)css";
}

} // namespace cudaopt
