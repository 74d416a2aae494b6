// How it looks. Colours say nothing that words or marks do not say too, and where the reader chooses them (forced colours),
// neither do backgrounds and shadows: what is chosen, or not proven, has a border of its own. Text from a record stays in
// its place: it neither turns what is beside it around nor paints over what is above it.
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --sheet: #ffffff; --ink: #1d1f22; --soft: #595d63; --rule: #dcd9d1; --link: #234f8c;
  --good: #1d6b3a; --good-tint: #e8f2ea; --open: #7d5300; --open-tint: #f8f0dc; --bad: #a3231b; --bad-tint: #fbe9e6;
  --after: #5c5f64; --after-tint: #eceae5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b; --sheet: #1d2024; --ink: #e8e6e1; --soft: #a6aab0; --rule: #373b41; --link: #9dbff2;
    --good: #86cf9d; --good-tint: #1c3224; --open: #e6bd6a; --open-tint: #372d17; --bad: #f59a90; --bad-tint: #421f1c;
    --after: #9a9da2; --after-tint: #282b2f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.55 Charter, 'Bitstream Charter', 'Iowan Old Style', 'Sitka Text', Cambria, Georgia, 'Liberation Serif', serif;
}
.bar, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding-block: 1.1rem; }
.bar .brand { font-weight: 700; letter-spacing: .01em; margin-right: auto; color: inherit; text-decoration: none; }
.bar nav { display: flex; gap: 1.4rem; }
.bar a[aria-current] { color: inherit; text-decoration: none; border-bottom: 2px solid currentColor; }
footer { padding-block: 3rem 2.5rem; color: var(--soft); font-size: .85rem; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
h2 { font-size: 1.3rem; margin: 0 0 .9rem; }
.side h3 { font: 600 .74rem/1.4 var(--sans); letter-spacing: .07em; text-transform: uppercase; color: var(--soft); margin: 0 0 .4rem; }
:root { --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1:focus, main:focus { outline: none; }
section { margin-top: 2.75rem; }
code, pre, .index, .latency, .hex { font-family: var(--mono); font-size: .82em; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; display: inline-block; margin-bottom: .5rem; }
.file, .of, .type, .name, .text, .literal, code { unicode-bidi: isolate; }
.file, .of, .value, .facts dd, .members, .list { overflow: clip; }
.note, .legend, .more { color: var(--soft); font-size: .88rem; }
.more { font-style: italic; }
p.more { margin: .25rem 0 0; }
.banner { border: 1px solid var(--rule); background: var(--sheet); padding: .8rem 1.1rem; margin: 1.5rem 0 0; font-size: .94rem; }
.banner p { margin: 0; }

.verdict { margin-top: 1.5rem; padding: 1.5rem 1.75rem 1.6rem; border-left: 6px solid; background: var(--tint); }
.verdict.valid { --tint: var(--good-tint); border-color: var(--good); }
.verdict.unverified { --tint: var(--open-tint); border-color: var(--open); }
.verdict.invalid { --tint: var(--bad-tint); border-color: var(--bad); }
.verdict h1 { font-size: clamp(2.2rem, 7vw, 3.3rem); margin: .1rem 0 .35rem; letter-spacing: -.01em; }
.verdict.valid h1 { color: var(--good); } .verdict.unverified h1 { color: var(--open); } .verdict.invalid h1 { color: var(--bad); }
.verdict .mark { margin-right: .35em; font-family: var(--sans); font-size: .8em; }
.verdict .file { margin: 0; font-family: var(--mono); font-size: .85rem; overflow-wrap: anywhere; }
.verdict .sentence { margin: 0; font-size: 1.15rem; max-width: 40em; text-wrap: pretty; }

.checks { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--rule); }
.checks li { display: grid; grid-template-columns: 1.4rem 6.5rem 4.5rem 1fr; gap: 0 .75rem; padding: .55rem 0; border-bottom: 1px solid var(--rule); align-items: baseline; }
.checks .mark { font-family: var(--sans); font-weight: 700; }
.checks .name { font-weight: 700; }
.checks .outcome { font: .85rem var(--sans); }
.passed-colour, .checks .valid .mark, .checks .valid .outcome { color: var(--good); }
.checks .unverified .mark, .checks .unverified .outcome { color: var(--open); }
.checks .invalid .mark, .checks .invalid .outcome { color: var(--bad); font-weight: 700; }
.checks .words { overflow-wrap: anywhere; }

.chain { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 6px 0; }
.chain li { display: flex; align-items: center; }
.chain li + li::before { content: ''; width: 8px; height: 2px; background: var(--rule); flex: none; }
.cell { display: inline-flex; align-items: center; justify-content: center; gap: .3em; min-width: 2.6rem; min-height: 2.1rem; padding: 0 .5rem; border: 1px solid var(--good); color: var(--good); background: var(--good-tint); border-radius: 3px; font: .82rem var(--mono); text-decoration: none; }
a.cell:hover { text-decoration: underline; }
.cell.end { border-style: double; border-width: 3px; font-family: var(--sans); }
.cell.broken { background: var(--bad); border-color: var(--bad); color: var(--sheet); font-weight: 700; min-height: 2.6rem; padding-inline: .8rem; }
.cell.after { background: var(--after-tint); border: 1px dotted transparent; color: var(--after); }
.legend { margin: .9rem 0 0; }

.timeline { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--rule); }
.timeline > li { border-bottom: 1px solid var(--rule); }
summary { cursor: pointer; }
.event > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .8rem; padding: .6rem 0; list-style: none; }
.event > summary::-webkit-details-marker { display: none; }
.event > summary::before { content: '▸'; font-family: var(--sans); color: var(--soft); width: .8em; }
.event[open] > summary::before { content: '▾'; }
.event .index { min-width: 2.2em; color: var(--soft); }
.event .type { font-weight: 700; }
.event .of { font-family: var(--mono); font-size: .85em; overflow-wrap: anywhere; }
.event .latency { margin-left: auto; color: var(--soft); }
.event .failed { color: var(--open); font: .85rem var(--sans); }
.event .state { font: .85rem var(--sans); }
.event.broken { border-left: 6px solid var(--bad); padding-left: .9rem; background: var(--bad-tint); padding-right: .9rem; }
.event.broken .state { color: var(--bad); font-weight: 700; }
.event .why { color: var(--bad); margin: 0 0 .8rem; }
.event .hashes { margin-bottom: 1rem; overflow-wrap: anywhere; }
.event.after { color: var(--after); }
.event.after .type, .event.after .state, .event.after h3, .event.after .index, .event.after .name, .event.after dt, .event.after .latency { color: var(--after); }
.event:target > summary { outline: 3px solid var(--link); outline-offset: -2px; }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem 2rem; padding: .2rem 0 .7rem; }
.sides:empty { display: none; }
.side { border-top: 2px solid var(--rule); padding-top: .5rem; min-width: 0; }
.event.broken .side { border-color: var(--bad); }
.value { font-size: .95rem; }
.value, .whole-event { overflow-wrap: anywhere; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.literal { font-family: var(--mono); font-size: .85em; }
.members { margin: 0; display: grid; align-items: baseline; grid-template-columns: fit-content(12rem) minmax(0, 1fr); gap: 0 .9rem; }
.members > div { display: contents; }
.members > div > dt { overflow-wrap: anywhere; color: var(--soft); font-family: var(--mono); font-size: .82em; line-height: 1.9; }
.members dd { margin: 0; min-width: 0; }
.list { margin: 0; padding: 0 0 0 .9rem; list-style: none; border-left: 1px solid var(--rule); }
.list > li + li { margin-top: .35rem; }
.list .name { font: 600 .8rem var(--sans); color: var(--soft); margin-right: .35em; }
.whole-event { padding-bottom: .8rem; font-size: .9rem; }
.whole-event > summary { color: var(--soft); font-size: .88rem; margin-bottom: .4rem; }
.pages { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: baseline; margin: .9rem 0; }

ul.open { margin: 0; padding-left: 1.1rem; max-width: 46em; }
ul.open li + li { margin-top: .4rem; }
.facts { margin: 0; border-top: 1px solid var(--rule); }
.facts > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 0 1rem; padding: .5rem 0; border-bottom: 1px solid var(--rule); }
.facts dt { font-weight: 700; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.facts ul { list-style: none; margin: 0; padding: 0; }
.facts .note { margin-left: .8rem; }
.hex span { display: inline-block; margin-right: .55em; }
pre.command { background: var(--sheet); border: 1px solid var(--rule); padding: .9rem 1.1rem; overflow-x: auto; font-size: .95rem; margin: .8rem 0; }

.drop { border: 2px dashed var(--soft); background: var(--sheet); padding: 1.75rem 1.75rem; margin-top: 1.25rem; }
.drop.over { border-color: var(--link); border-style: solid; }
.drop p { margin: 0 0 1rem; }
.drop.small { padding: .8rem 1.2rem; }
.drop.small p { display: none; }
.lead { font-size: 1.15rem; max-width: 36em; text-wrap: pretty; }
.lead + .lead { margin-top: -.4rem; }
h1.plain { font-size: clamp(1.8rem, 5vw, 2.5rem); margin: 1.5rem 0 .6rem; overflow-wrap: anywhere; }
input[type=file] { font: .95rem var(--sans); max-width: 100%; color: inherit; }
input[type=password], select { font: 1rem var(--sans); padding: .4rem .6rem; border: 1px solid var(--soft); background: var(--sheet); color: inherit; border-radius: 3px; }
input::file-selector-button, button { font: 600 .92rem var(--sans); color: var(--paper); background: var(--ink); border: 0; border-radius: 3px; padding: .6rem 1.1rem; cursor: pointer; }
input::file-selector-button { margin-right: .9rem; }
button.quiet { color: var(--ink); background: transparent; border: 1px solid var(--soft); padding: .4rem .9rem; }
button:disabled { opacity: .45; cursor: default; }
.files { list-style: none; margin: 1.25rem 0 0; padding: 0; border-top: 1px solid var(--rule); }
.files li { border-bottom: 1px solid var(--rule); }
.files button { all: unset; box-sizing: border-box; width: 100%; display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: .8rem; padding: .55rem 1rem; cursor: pointer; }
.files button:focus-visible { outline: 3px solid var(--link); }
.files button[aria-pressed=true] { background: var(--sheet); border-left: 4px solid var(--ink); padding-left: calc(1rem - 4px); }
.files .outcome { font-weight: 700; }
.files .valid .outcome { color: var(--good); } .files .unverified .outcome { color: var(--open); } .files .invalid .outcome, .files .problem .outcome { color: var(--bad); }
.files .file { font-family: var(--mono); font-size: .85rem; overflow-wrap: anywhere; align-self: center; }
.problem-text { color: var(--bad); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: left; padding: .5rem .8rem .5rem 0; border-bottom: 1px solid var(--rule); vertical-align: baseline; }
th { font: 600 .8rem var(--sans); color: var(--soft); white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td { white-space: nowrap; }
td.where { white-space: normal; overflow-wrap: anywhere; }
tr.differs td:first-child { box-shadow: inset 4px 0 var(--open); padding-left: .8rem; }
.partial, .missing { color: var(--open); font-weight: 700; }
form.inline { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; margin: 1rem 0; }

@media (max-width: 44rem) {
  body { font-size: 16px; }
  .sides, .facts > div { grid-template-columns: minmax(0, 1fr); }
  .members { grid-template-columns: fit-content(5.5rem) minmax(0, 1fr); }
  .members .members, .members .members > div { display: block; }
  .members .members dd { padding-left: .8rem; }
  .checks li { grid-template-columns: 1.4rem 1fr auto; }
  .checks .words { grid-column: 2 / -1; }
  .verdict { padding: 1.1rem 1.1rem 1.2rem; }
  .facts .note { display: block; margin: 0; }
  .event.broken { padding-inline: .6rem; }
  .files button { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
@media print {
  .bar, .skip, .drop, .pages, .whole-event { display: none; }
  .event, section { break-inside: avoid-page; }
}
`;
