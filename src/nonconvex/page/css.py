"""The page's look, in one style sheet: screen, phone, dark, print.

Outcomes differ in sign and words, and in how they are filled: verdicts are solid, tendencies tinted,
surrogates dashed, findings round. Blue and vermilion keep apart for colour-blind eyes; in the small pictures
dots and hatching keep the regions apart without any colour.
"""

CSS = """
:root {
  --ink: #1d232b; --mute: #5b6470; --paper: #ffffff; --soft: #f4f6f8; --line: #d5dae0; --link: #0b57a4;
  --good: #0a4f80; --good-bg: #e2eff9; --bad: #9c3510; --bad-bg: #fdeadf; --open: #5f5200; --open-bg: #f6f1d3;
  --good-solid: #0a5a92; --bad-solid: #a83a12; --open-solid: #6b5c00; --mute-solid: #5b6470;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e5e9ee; --mute: #a0a9b5; --paper: #14181d; --soft: #1d232a; --line: #38414c; --link: #8ec5ff;
    --good: #8cc8f5; --good-bg: #12304a; --bad: #ffab85; --bad-bg: #47210f;
    --open: #e6d271; --open-bg: #383110;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 3.2rem; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: 1.35rem; margin: 2.8rem 0 .6rem; padding-bottom: .25rem;
  border-bottom: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.4rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code { font: .88em/1.4 ui-monospace, "DejaVu Sans Mono", Consolas, monospace; overflow-wrap: anywhere; }
details { margin: .6rem 0; }
summary { cursor: pointer; font-weight: 600; font-size: .92rem; }
.mute { color: var(--mute); }
.origin { color: var(--mute); font-size: .8rem; overflow-wrap: anywhere; }

.bar { position: sticky; top: 0; z-index: 1; padding: .5rem 1.25rem; background: var(--paper);
  border-bottom: 1px solid var(--line); font-size: .85rem; white-space: nowrap; overflow-x: auto; }
.bar a { padding: .15rem .3rem; text-decoration: none; }
.bar a:focus-visible { outline-offset: -2px; }
.bar a:hover { text-decoration: underline; }
.bar a[href^="#chapter"], .bar a[href^="#other"] { font-weight: 600; margin-left: .7rem; }

.badge, .chip { border: 1px solid transparent; border-radius: 4px; padding: .05rem .45rem;
  text-decoration: none; }
.badge { display: inline-block; font-weight: 600; font-size: .85em; line-height: 1.45; }
.chip { white-space: nowrap; font-size: .75em; }
.good { color: var(--good); background: var(--good-bg); }
.bad { color: var(--bad); background: var(--bad-bg); }
.open { color: var(--open); background: var(--open-bg); }
.badge.mute, .chip.mute { background: var(--soft); }
.verdict { color: #fff; }
.verdict.good { background: var(--good-solid); }
.verdict.bad { background: var(--bad-solid); }
.verdict.open { background: var(--open-solid); }
.badge.verdict.mute, .chip.verdict.mute { color: #fff; background: var(--mute-solid); }
.surrogate { background: none; border: 1px dashed currentColor; }
.finding { border: 1px solid currentColor; border-radius: 1rem; }

.in-short { margin: 1.2rem 0 0; }
.lead { font-size: 1.15rem; max-width: 52rem; margin: 0 0 .8rem; }
.beside { font-size: .92rem; }
.answers { list-style: none; margin: 0; padding: 0; font-size: .95rem; }
.answer { background: none; color: var(--ink); border-left: 4px solid var(--line); margin: .5rem 0;
  padding: .05rem 0 .05rem .8rem; }
.answer .sign { display: inline-block; min-width: 1.1em; }
.answer .one { display: block; }
.answer.good { border-color: var(--good); }
.answer.bad { border-color: var(--bad); border-left-style: double; border-left-width: 6px; }
.answer.open { border-color: var(--open); border-left-style: dashed; }
.answer.finding { border: 0; border-left: 4px dotted var(--mute); border-radius: 0; }

.group h3 { margin-bottom: 0; }
.per { color: var(--mute); font-size: .85rem; font-weight: 400; }
h3 .per { margin-left: .7rem; }
.count { margin: 0; padding: .3rem 0; border-top: 1px solid var(--line); }
.count summary, .count.none { display: grid; grid-template-columns: 1rem 19.5rem 2.2rem 9rem 1fr;
  align-items: baseline; font-weight: 400; font-size: .95rem; }
.count summary::before { content: "▸"; color: var(--mute); }
.count[open] summary::before { content: "▾"; }
.count.none::before { content: ""; }
.count summary:focus-visible { outline-offset: -1px; }
.count .badge { justify-self: start; }
.count.none { color: var(--mute); }
.count summary::-webkit-details-marker { display: none; }
.count ul { margin: .3rem 0 .6rem; padding-left: 2.2rem; font-size: .92rem; }

.cards { list-style: none; margin: .4rem 0; padding: 0; display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); }
.cards > li { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.cards > li > a { display: block; text-decoration: none; font-size: .9rem; line-height: 1.35; }
.cards > li > a:focus-visible { outline-offset: -4px; }
.cards > li > a:hover { text-decoration: underline; }
.cards img { display: block; width: 100%; height: 8.5rem; object-fit: contain; background: #fff;
  padding: .3rem; border-bottom: 1px solid var(--line); }
.cards a > span { display: block; padding: .4rem .6rem .1rem; }
.signs { margin: .1rem .6rem .5rem; line-height: 1.7; }

section.figure { margin-top: 1.5rem; padding-bottom: 1.8rem; border-bottom: 1px solid var(--line); }
figure { margin: 0; }
figure img { display: block; width: 100%; max-width: 56rem; height: auto; margin: 0 auto; background: #fff;
  border: 1px solid var(--line); border-radius: 6px; padding: .5rem; }
figcaption { margin: .6rem 0; max-width: 52rem; }
.files a { margin-right: .6rem; }
.remark { max-width: 52rem; padding: .4rem .8rem; border-left: 4px double var(--open);
  background: var(--soft); font-size: .92rem; }

.claim { border-left: 3px solid var(--line); padding: .1rem 0 .3rem .9rem; margin: 1.3rem 0; }
.claim .head { font-size: .92rem; }
.claim .top { display: grid; grid-template-columns: minmax(0, 1fr) auto; column-gap: 1.5rem; }
.deciding { width: 20rem; max-width: 100%; }
.deciding figcaption { color: var(--mute); font-size: .8rem; line-height: 1.4; margin: .1rem 0 0; }
.interval { display: block; max-width: 100%; height: auto; }
.interval text { font-size: 11px; fill: var(--ink); }
.interval .axis { fill: var(--mute); }
.interval path { fill: none; stroke-width: 1; }
.patterns { position: absolute; }
.holds rect { fill: var(--good-bg); }
.holds .dots { fill: var(--good); }
.fails rect { fill: var(--bad-bg); }
.fails .hatching { stroke: var(--bad); stroke-width: 1; }
.interval .border { stroke: var(--ink); }
.interval .halo { stroke: var(--paper); stroke-width: 9; stroke-linejoin: round; }
.interval .reach { stroke: var(--ink); stroke-width: 4; }
.interval .ends { stroke: var(--ink); stroke-width: 2; }
.interval .dot { fill: var(--ink); stroke: var(--paper); stroke-width: 2; }
.unclear > summary { color: var(--open); }
.claim .statement { max-width: 52rem; font-size: 1.03rem; }
.claim .note, .claim .why { max-width: 52rem; font-size: .88rem; }
.claim .why { color: var(--mute); }
.claim .why summary { font-weight: 400; font-size: 1em; }
.claim .why ul { margin: .3rem 0; padding-left: 1.2rem; }
.claim .differ { font-weight: 600; font-size: .92rem; }
.readings { list-style: none; margin: .5rem 0; padding: 0; display: grid; gap: .6rem;
  grid-template-columns: repeat(auto-fit, minmax(14.5rem, 1fr)); font-size: .88rem; }
.readings > li { background: var(--soft); border-radius: 6px; padding: .4rem .7rem .5rem; }
.readings .badge { display: block; width: fit-content; margin-bottom: .25rem; }
.scroll { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; }
sub, sup { line-height: 0; }
.parameters td:last-child { white-space: nowrap; }
.numbers .interval { width: 17rem; max-width: none; }
.numbers td { overflow-wrap: break-word; min-width: 4rem; }
tr.reading .mute { font-weight: 400; }
td ul { margin: 0; padding-left: 1.1rem; }
thead th { color: var(--mute); font-weight: 600; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 400; }
tbody tr { border-top: 1px solid var(--line); }
tr.remarks { border-top: 0; break-before: avoid; }
tr.reading { break-after: avoid; }
tr.reading th { font-weight: 600; padding-top: .7rem; }
tr.remarks td { color: var(--mute); font-size: .8rem; padding-top: 0; overflow-wrap: anywhere; }
@media screen and (max-width: 48rem) {
  main { padding: 1rem .8rem 3rem; }
  .bar { padding: .5rem .6rem; }
  .count summary, .count.none { display: flex; flex-wrap: wrap; column-gap: .5rem; }
  .count summary > :last-child, .count.none > :last-child { flex-basis: 100%; font-size: .88rem; }
  .cards { grid-template-columns: repeat(auto-fill, minmax(min(9.5rem, 100%), 1fr)); gap: .6rem; }
  .claim .top { grid-template-columns: minmax(0, 1fr); }
  .numbers .interval { max-width: 100%; }
  .lead { font-size: 1.05rem; }
  .cards img { height: 6rem; }
  thead { display: none; }
  table, tbody, tr, td, tbody th, caption { display: block; width: 100%; }
  tbody tr { padding: .4rem 0; }
  th, td { padding: .1rem 0; }
  tbody th { font-weight: 600; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--mute); }
}
@media print {
  :root { color-scheme: light; --ink: #000; --mute: #444; --paper: #fff; --soft: #fff; --line: #bbb;
    --link: #000; --good: #000; --good-bg: #fff; --bad: #000; --bad-bg: #fff; --open: #000; --open-bg: #fff;
    --good-solid: #fff; --bad-solid: #fff; --open-solid: #fff; --mute-solid: #fff; }
  body { font-size: 9.5pt; }
  .cards { grid-template-columns: repeat(5, 1fr); gap: .5rem; }
  .cards img { height: 5rem; }
  main { max-width: none; padding: 0; }
  .bar { display: none; }
  .scroll { overflow: visible; }
  .parameters td:last-child { white-space: normal; }
  .numbers .interval { width: 12rem; }
  .interval { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  figure, tr, .cards > li, .answer, .claim > p { break-inside: avoid; }
  h2, h3, h4, summary { break-after: avoid; }
  .badge, .chip, .badge.verdict.mute, .chip.verdict.mute { color: #000; border-color: #888; }
  .verdict { border-width: 2px; border-color: #000; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""
