"""The page's look, in one style sheet: screen, phone, dark, print."""

CSS = """
:root {
  --ink: #1d232b; --mute: #5b6470; --paper: #ffffff; --soft: #f4f6f8; --line: #d5dae0; --link: #0b57a4;
  --good: #0a6b4b; --good-bg: #e3f4ec; --bad: #a3261b; --bad-bg: #fbe9e7; --open: #7a5200; --open-bg: #fdf3dc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e5e9ee; --mute: #a0a9b5; --paper: #14181d; --soft: #1d232a; --line: #38414c; --link: #8ec5ff;
    --good: #7fd9b4; --good-bg: #12352a; --bad: #ffa79d; --bad-bg: #44201c;
    --open: #f2cb7c; --open-bg: #3b2f12;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 .6rem; padding-bottom: .25rem;
  border-bottom: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.4rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
code { font: .88em/1.4 ui-monospace, "DejaVu Sans Mono", Consolas, monospace; overflow-wrap: anywhere; }
.mute { color: var(--mute); }
nav h3 { font-size: 1rem; margin: .8rem 0 .2rem; }
nav ul { list-style: none; padding: 0; margin: 0; }
nav li { padding: .2rem 0; }
section.figure { margin-top: 1.5rem; padding-bottom: 1.5rem; border-bottom: 1px solid var(--line); }
figure { margin: 0; }
figure img { display: block; width: 100%; max-width: 56rem; height: auto; margin: 0 auto; background: #fff;
  border: 1px solid var(--line); border-radius: 6px; padding: .5rem; }
figcaption { margin: .6rem 0; max-width: 48rem; }
.files a { margin-right: .6rem; }
.badge, .chip { border-radius: 4px; padding: .05rem .45rem; font-size: .88em; }
.badge { font-weight: 600; white-space: nowrap; }
.chip { white-space: nowrap; font-size: .78em; }
.good { color: var(--good); background: var(--good-bg); }
.bad { color: var(--bad); background: var(--bad-bg); }
.open { color: var(--open); background: var(--open-bg); }
span.badge.mute, span.chip.mute { background: var(--soft); }
.claim { border-left: 3px solid var(--line); padding: .1rem 0 .3rem .9rem; margin: .9rem 0; }
.claim .why { color: var(--mute); font-size: .88rem; }
.claim .why summary { font-weight: 400; }
.claim .why ul { margin: .3rem 0; padding-left: 1.2rem; }
.claim .origin { color: var(--mute); font-size: .8rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; }
thead th { color: var(--mute); font-weight: 600; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 400; }
tbody tr { border-top: 1px solid var(--line); }
tr.remarks { border-top: 0; break-before: avoid; }
tr.reading { break-after: avoid; }
tr.reading th { font-weight: 600; padding-top: .5rem; }
tr.remarks td { color: var(--mute); padding-top: 0; overflow-wrap: anywhere; }
details { margin: .8rem 0; }
summary { cursor: pointer; font-weight: 600; }
@media (max-width: 40rem) {
  main { padding: 1rem .8rem 3rem; }
  thead { display: none; }
  table, tbody, tr, td, tbody th, caption { display: block; width: 100%; }
  tbody tr { padding: .4rem 0; }
  th, td { padding: .1rem 0; }
  tbody th { font-weight: 600; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--mute); }
}
@media print {
  :root { color-scheme: light; --ink: #000; --mute: #444; --paper: #fff; --soft: #fff; --line: #bbb;
    --link: #000;
    --good: #000; --good-bg: #fff; --bad: #000; --bad-bg: #fff; --open: #000; --open-bg: #fff; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  section.figure { break-inside: auto; }
  figure, tr, .claim > p { break-inside: avoid; }
  h2, h3, h4, summary { break-after: avoid; }
  .badge, .chip { border: 1px solid #888; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""
