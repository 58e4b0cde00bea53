/** The page's one style sheet: system fonts, light and dark by the reader's setting, ink on white in print. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1b1f24; --faint: #57606a; --rule: #d5dae0; --soft: #f5f7f9; --link: #0b5cad;
  --good: #0b6b4f; --bad: #a3341b; --shade: #1b1f2438;
  --stimulus: #ffe2b8; --item: #d3e7f8; --read: #cdeedf; --target: #f3d3e6; --protocol: transparent; --template: #e9ecf0;
  --stimulus-line: #b45f06; --item-line: #0072b2; --read-line: #00734f; --target-line: #a03a78; --template-line: #818b96;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --ink: #e6e9ed; --faint: #a3abb5; --rule: #343b45; --soft: #1d2126; --link: #7cb8f0;
    --good: #4fd1a5; --bad: #ff9a80; --shade: #e6e9ed40;
    --stimulus: #4a3413; --item: #14354d; --read: #103f31; --target: #4b2440; --template: #2a3038;
    --stimulus-line: #f0a04b; --item-line: #56b4e9; --read-line: #3cc79f; --target-line: #d99bc0; --template-line: #808a96;
  }
}
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
main, header.page, footer { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem }
header.page { padding-top: 3rem }
footer { padding-top: 1.5rem; padding-bottom: 3rem; color: var(--faint); font-size: .875rem }
.skip { position: absolute; left: -999rem }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem .75rem; background: var(--page); outline: 2px solid var(--link) }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
a { color: var(--link) }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
h1 { font-size: clamp(1.6rem, 1.2rem + 2vw, 2.3rem); line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .75rem; text-wrap: balance }
h2 { font-size: 1.3rem; line-height: 1.3; letter-spacing: -.01em; margin: 3.25rem 0 .75rem; padding-top: .9rem; border-top: 1px solid var(--rule) }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem }
p { margin: 0 0 .9rem; max-width: 44rem }
p.lead { font-size: 1.08rem; color: var(--faint) }
code, pre, kbd { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .875em }
code { overflow-wrap: anywhere }
.eyebrow { color: var(--faint); font-size: .8rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; margin: 0 0 .6rem }
dl.facts { display: flex; flex-wrap: wrap; gap: .75rem 2.25rem; margin: 1.5rem 0 0; padding: 0 }
dl.facts dt { color: var(--faint); font-size: .8rem }
dl.facts div { max-width: 100%; min-width: 0 }
dl.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: 1.75rem 0 0; font-size: .9rem }
.notice { border: 1px solid var(--bad); border-left-width: .4rem; padding: .7rem 1rem; margin: 1.5rem 0 0; max-width: none }
.notice + p { margin-top: 1rem }
.verdicts { list-style: none; padding: 0; margin: 1rem 0 }
.verdicts li { display: flex; gap: .75rem; padding: .3rem 0; max-width: 48rem }
.verdict { flex: none; min-width: 5.4rem; font-weight: 650 }
.verdict.held { color: var(--good) } .verdict.missed { color: var(--bad) } .verdict.open { color: var(--faint) }
.scroll {
  position: relative; overflow-x: auto; margin: 1rem 0; container-type: inline-size;
  background:
    linear-gradient(to right, var(--page) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--page) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) left / 1rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) right / 1rem 100% no-repeat scroll;
}
table { border-collapse: collapse; width: 100%; font-size: .925rem }
caption { text-align: left; color: var(--faint); font-size: .875rem; padding-bottom: .6rem; caption-side: top }
caption span { display: block; position: sticky; left: 0; max-width: min(58rem, 100cqi) }
th, td { padding: .5rem .9rem .5rem 0; text-align: left; vertical-align: top; font-weight: 400 }
thead th { font-weight: 650; border-bottom: 2px solid var(--ink); vertical-align: bottom }
thead th a { color: inherit; text-decoration: underline dotted; text-underline-offset: .2em }
thead th .unit { display: block; font-weight: 400; font-size: .8125rem; color: var(--faint) }
button.sort { font: inherit; font-weight: 400; line-height: 1; color: var(--faint); background: none; border: 0; border-radius: .2rem; padding: .15rem .3rem; min-width: 1.5rem; min-height: 1.5rem; cursor: pointer }
button.sort:hover { background: var(--soft); color: var(--ink) }
[aria-sort=ascending] button.sort, [aria-sort=descending] button.sort { color: var(--ink); font-weight: 650 }
tbody tr { border-bottom: 1px solid var(--rule) }
tbody tr:last-child { border-bottom: 2px solid var(--ink) }
tbody th { max-width: 16rem; overflow-wrap: break-word }
table:not([data-sorted]) th.again { color: var(--faint) }
td.words { min-width: 12rem; max-width: 22rem; overflow-wrap: anywhere }
td > code, td > a > code { display: inline-block; min-width: 9rem }
abbr.mark { text-decoration: none; font-weight: 650; padding-left: .15em; cursor: help }
sup.note { line-height: 0; font-size: .75em; padding-left: .15em }
sup.note a { display: inline-block; min-width: 1rem; line-height: 1; text-align: center }
ul.lettered { list-style: none; padding: 0; max-width: 58rem }
ul.lettered li { margin: .2rem 0; padding-left: 1.4rem; text-indent: -1.4rem }
ul.lettered .letter { display: inline-block; min-width: 1.4rem; text-indent: 0; font-weight: 650 }
ul.notes { color: var(--faint); font-size: .875rem }
td.number, th.number { text-align: right }
.piece { white-space: nowrap }
td.number:last-child, th.number:last-child { padding-right: 0 }
td .estimate { font-weight: 650; font-size: 1rem }
td .interval { display: block; color: var(--faint); font-size: .8125rem }
td.none { color: var(--faint) }
table.plain { width: auto; min-width: min(100%, 34rem) }
table.plain td, table.plain th { font-size: .875rem }
.below { display: block; color: var(--faint); font-size: .8125rem; min-width: 7rem; max-width: 20rem }
.below code { display: inline-block; min-width: 9rem }
td.number .below { margin-left: auto; max-width: 11rem }
figure { margin: 1.25rem 0; break-inside: avoid }
figure .scroll { margin: 0 }
/* What a frame shades is below its figure, which has the page for its ground. */
figure .cfx-figure { min-width: 38rem } figure .cfx-f-page { display: none }
figcaption { color: var(--faint); font-size: .875rem; max-width: 44rem; margin-top: .25rem }
details { border: 1px solid var(--rule); border-radius: .5rem; margin: .6rem 0 }
summary { cursor: pointer; padding: .55rem .9rem; font-weight: 600 }
summary small { font-weight: 400; color: var(--faint); margin-left: .5rem }
details.trial > .body { border-top: 1px solid var(--rule); padding: .75rem .9rem }
details.trial > .body > :last-child { margin-bottom: 0 }
.detail { font-size: .875rem; color: var(--faint) }
details > pre { border-top: 1px solid var(--rule); margin: 0; padding: .9rem; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.75 }
pre { unicode-bidi: isolate }
pre.block { background: var(--soft); border-radius: .5rem; padding: .9rem; white-space: pre-wrap; overflow-wrap: anywhere }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.25rem; padding: 0; font-size: .875rem }
.from { unicode-bidi: isolate; padding: .05em 0 }
.from-stimulus { background: var(--stimulus); border-bottom: 2px solid var(--stimulus-line) }
.from-item { background: var(--item); border-bottom: 2px dotted var(--item-line) }
.from-read { background: var(--read); border-bottom: 3px double var(--read-line) }
.from-target { background: var(--target); border-bottom: 2px dashed var(--target-line); font-weight: 700 }
.from-template { color: var(--faint); background: var(--template); font-style: italic }
.hole { border: 1px solid var(--read-line); color: var(--read-line); border-radius: 3px; padding: 0 .35em; font-weight: 650 }
ul.plain { padding-left: 1.1rem; max-width: 48rem }
ul.plain li { margin: .25rem 0 }
ul.tagged { list-style: none; padding: 0; max-width: none }
ul.tagged li { display: grid; grid-template-columns: 8.5rem 1fr; margin: .25rem 0 }
.tag { font-weight: 600 }
@media (max-width: 40rem) {
  header.page { padding-top: 1.75rem }
  h2 { margin-top: 2.5rem }
  ul.tagged li { grid-template-columns: 1fr; margin: .6rem 0 }
}
@media print {
  :root {
    color-scheme: light; --page: #fff; --ink: #000; --faint: #333; --rule: #bbb; --soft: #fff; --link: #000; --good: #000; --bad: #000;
    --stimulus: #fff; --item: #fff; --read: #fff; --target: #fff; --template: #fff;
    --stimulus-line: #000; --item-line: #000; --read-line: #000; --target-line: #000; --template-line: #000;
  }
  body { font-size: 10pt }
  main, header.page, footer { max-width: none; padding-left: 0; padding-right: 0 }
  header.page { padding-top: 0 }
  nav, .skip, button.sort { display: none }
  h2, h3, caption, summary { break-after: avoid }
  tr, figure { break-inside: avoid }
  .scroll { overflow: visible; background: none } figure .cfx-figure { min-width: 0 }
  details { border: 0 } details > pre { border: 1px solid var(--rule) }
  details::details-content { content-visibility: visible; display: block; height: auto }
  @page { margin: 18mm 16mm }
}
`
