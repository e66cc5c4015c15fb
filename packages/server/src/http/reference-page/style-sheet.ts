/**
 * The style sheet of the reference page. A string and not a file, so that serving it reads no disk. Sizes are in rem, so
 * that a reader's own text size scales everything. Text has a contrast of 4.5 to 1 or better in both colour schemes.
 */
export const styleSheet = `
:root {
  color-scheme: light dark;
  --ground: #ffffff;
  --tint: #f6f8fa;
  --line: #e1e6ec;
  --ink: #19212d;
  --soft: #545f6e;
  --accent: #0a5a94;
  --required: #a0461a;
  --extension: #6b3fb0;
  --json-key: #19212d;
  --json-string: #0a6847;
  --json-literal: #8a4b00;
  --get: #0a6847;
  --get-tint: #e3f4eb;
  --post: #1d4fb8;
  --post-tint: #e6edfb;
  --put: #855000;
  --put-tint: #fbf0da;
  --patch: #6b3fb0;
  --patch-tint: #f1eafb;
  --delete: #a8242a;
  --delete-tint: #fce9e9;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151c;
    --tint: #171e28;
    --line: #2a3441;
    --ink: #dde4ec;
    --soft: #9ca9b8;
    --accent: #7fbdf2;
    --required: #f0a07a;
    --extension: #c2a3f5;
    --json-key: #dde4ec;
    --json-string: #7fd6ab;
    --json-literal: #f0b96b;
    --get: #7fd6ab;
    --get-tint: #14302a;
    --post: #9dbcff;
    --post-tint: #1a2a4d;
    --put: #f0c078;
    --put-tint: #372a13;
    --patch: #c9adf7;
    --patch-tint: #2c2244;
    --delete: #ff9f9f;
    --delete-tint: #421f22;
  }
}

* { box-sizing: border-box; }

html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }

body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 0.9375rem/1.6 var(--sans);
  overflow-wrap: break-word;
}

/* Far enough below the line that the underscores of a wire word stay visible. */
a { color: var(--accent); text-underline-offset: 0.3em; text-decoration-thickness: 0.06em; }
a:hover { text-decoration-thickness: 0.12em; }
:focus-visible { outline: 0.15rem solid var(--accent); outline-offset: 0.15rem; border-radius: 0.2rem; }
main:focus { outline: none; }

code, pre { font-family: var(--mono); font-size: 0.875em; }
p code, li code, td code, dd code { overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0; font-size: 2.125rem; font-weight: 650; letter-spacing: -0.02em; }
h2 { margin: 0 0 0.75rem; font-size: 1.5rem; font-weight: 650; letter-spacing: -0.012em; }
h3 { margin: 0; font-size: 1.1875rem; font-weight: 620; }
h4 { margin: 2rem 0 0.5rem; font-size: 0.9375rem; font-weight: 620; }
h4 small { color: var(--soft); font-size: 0.875rem; font-weight: 400; }
p { margin: 0 0 0.875rem; }
ol, ul { padding-left: 1.25rem; }
ol > li { margin-bottom: 0.75rem; }

.skip { position: absolute; left: -100rem; padding: 0.5rem 1rem; background: var(--ground); z-index: 2; }
.skip:focus { left: 0.5rem; top: 0.5rem; }

/* Contents */
.sidebar { display: none; }
.sidebar ul, .folded ul { margin: 0; padding: 0; list-style: none; }
.sidebar a, .folded a { display: block; padding: 0.2rem 0.5rem; color: var(--soft); text-decoration: none; border-radius: 0.25rem; }
.sidebar a:hover, .folded a:hover { color: var(--ink); background: var(--line); }
.sidebar .group, .folded .group { margin-top: 1.125rem; color: var(--ink); font-weight: 620; }
.sidebar .entry, .folded .entry { display: flex; gap: 0.5rem; align-items: baseline; justify-content: space-between; }
.entry .method { padding: 0; background: none; font-size: 0.625rem; }
.folded { margin: 0 0 2.5rem; border: 1px solid var(--line); border-radius: 0.5rem; }
.folded summary { padding: 0.75rem 1rem; font-weight: 620; }
.folded details > ul { padding: 0 0.5rem 1rem; }

/* Text */
.page { min-width: 0; max-width: 84rem; padding: 2rem 1.25rem 6rem; }
.masthead { margin-bottom: 2.5rem; }
.purpose { max-width: 44rem; margin: 0.75rem 0 1.25rem; color: var(--soft); font-size: 1.125rem; line-height: 1.5; }
.versions { margin: 0; padding: 0; list-style: none; }
.versions li { margin-bottom: 0.25rem; }
.versions span { color: var(--soft); }
.guide { padding: 2.5rem 0 1.5rem; border-top: 1px solid var(--line); }
.guide > p, .guide .text { max-width: 46rem; }
.group > header { margin-top: 3rem; padding: 2.5rem 0 0; border-top: 0.2rem solid var(--line); }
.group > header h2 { margin: 0 0 0.25rem; font-size: 1.75rem; }
.group > header p { color: var(--soft); }
.operation { padding: 2.5rem 0; }
.operation + .operation { border-top: 1px solid var(--line); }
.operation h3 a { color: inherit; text-decoration: none; }
.operation h3 a:hover::after { content: " #"; color: var(--soft); }
.address { margin: 0.5rem 0 1rem; font-size: 0.9375rem; }
.address code { overflow-wrap: anywhere; }
.alias { margin-top: -0.5rem; color: var(--soft); }
.variable { color: var(--accent); }

.terms { max-width: 46rem; margin: 0; }
.terms dt { font-weight: 620; }
.terms dd { margin: 0 0 0.75rem; }

.facts { margin: 0 0 1rem; }
.facts div { display: flex; gap: 0.75rem; margin-bottom: 0.375rem; }
.facts dt { flex: 0 0 5rem; color: var(--soft); }
.facts dd { margin: 0; }

.method, .chip, .status {
  display: inline-block;
  padding: 0.1rem 0.4rem;
  border-radius: 0.25rem;
  font: 600 0.75rem/1.4 var(--mono);
  white-space: nowrap;
}
.method-get { color: var(--get); background: var(--get-tint); }
.method-post { color: var(--post); background: var(--post-tint); }
.method-put { color: var(--put); background: var(--put-tint); }
.method-patch { color: var(--patch); background: var(--patch-tint); }
.method-delete { color: var(--delete); background: var(--delete-tint); }
.chip { border: 1px solid var(--line); background: var(--tint); color: var(--ink); font-weight: 500; text-decoration: none; }
.chip-extension { border-color: currentColor; background: none; color: var(--extension); font-family: var(--sans); }
.status-success { color: var(--get); background: var(--get-tint); }
.status-error { color: var(--ink); background: var(--tint); }

/* Tables become stacks of rows where they would be too narrow to read. */
table { width: 100%; margin: 0.5rem 0 1rem; border-collapse: collapse; font-size: 0.875rem; line-height: 1.5; }
th, td { padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { padding-top: 0; color: var(--soft); font-weight: 500; }
tbody th { font-weight: 500; white-space: nowrap; }
td p { margin: 0; }
td.type, td.location { color: var(--soft); }
.parameters th .required { display: block; }
.parameters td:last-child { min-width: 50%; }
.answers th:first-child { width: 4.5rem; }
.answers td a { white-space: nowrap; }
.codes td:last-child code { font-size: 0.8125em; }
.none { color: var(--soft); }
.required { color: var(--required); font-size: 0.75rem; }
.bounds { color: var(--soft); font-size: 0.8125rem; }
.type { color: var(--soft); }

/* Fields */
.type-line { margin: 0 0 0.25rem; font-size: 0.875rem; }
.fields { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.field { padding: 0.625rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; line-height: 1.5; }
.field p { margin: 0; }
.field-head { display: flex; flex-wrap: wrap; gap: 0 0.5rem; align-items: baseline; }
.field-name { font-weight: 600; }
.field-text { margin: 0.125rem 0; font-size: 0.875rem; }
.field-any { color: var(--soft); }
.nested { margin: 0.5rem 0 0; border: 1px solid var(--line); border-radius: 0.375rem; }
.nested > :not(summary) { margin-left: 0.875rem; margin-right: 0.875rem; }
.nested > .field-text { margin-bottom: 0.5rem; }
.nested > .fields > .field:last-child { border-bottom: 0; }

summary { padding: 0.375rem 0.875rem; color: var(--accent); font-size: 0.875rem; cursor: pointer; }
.fold > summary { padding-left: 0; padding-right: 0; }
td summary { padding: 0; }

/* Examples */
.panel { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--tint); overflow: hidden; }
.panel figcaption {
  display: flex;
  gap: 0.5rem;
  align-items: center;
  justify-content: space-between;
  padding: 0.4rem 0.875rem;
  border-bottom: 1px solid var(--line);
  color: var(--soft);
  font-size: 0.8125rem;
  font-weight: 500;
}
.panel pre {
  margin: 0;
  padding: 0.75rem 0.875rem;
  max-height: 26rem;
  overflow: auto;
  scrollbar-width: thin;
  font-size: 0.78125rem;
  line-height: 1.6;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.panel pre code { font-size: inherit; }
.panel pre:focus-visible { outline-offset: -0.15rem; }
.panel p { margin: 0; padding: 0.75rem 0.875rem; color: var(--soft); font-size: 0.875rem; }
.panel .together { white-space: nowrap; }
.panel .key { color: var(--json-key); }
.panel i { color: var(--json-string); font-style: normal; }
.panel b { color: var(--json-literal); font-weight: inherit; }

:target > h3, th:target { text-decoration: underline 0.15rem var(--accent); text-underline-offset: 0.3rem; }

@media (max-width: 40rem) {
  thead { position: absolute; left: -100rem; }
  tbody, tr, tbody th, td { display: block; width: auto; }
  tr { padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
  tbody th, td { padding: 0; border: 0; white-space: normal; }
  .nested > :not(summary) { margin-left: 0.5rem; margin-right: 0.5rem; }
  .nested > summary { padding-left: 0.5rem; padding-right: 0.5rem; }
  .answers th:first-child { width: auto; }
  .parameters th .required, td.type, td.location { display: inline-block; margin-right: 0.5rem; }
  td:has(> .none:only-child) { display: none; }
}

@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  .sidebar {
    display: block;
    position: sticky;
    top: 0;
    height: 100vh;
    padding: 1.5rem 0.75rem 3rem;
    overflow-y: auto;
    border-right: 1px solid var(--line);
    background: var(--tint);
    font-size: 0.84375rem;
    line-height: 1.4;
    scrollbar-width: thin;
    scroll-target-group: auto;
  }
  .sidebar .name { margin-bottom: 1rem; color: var(--ink); font-size: 1rem; font-weight: 650; }
  .sidebar .name span { color: var(--soft); font-weight: 400; }
  .sidebar li a:target-current { color: var(--accent); background: var(--line); }
  .folded, .to-contents { display: none; }
  .page { padding: 3rem 3rem 8rem; }
}

@media (max-width: 79.99rem) {
  .columns > .shown { margin-top: 1.5rem; }
}

@media (min-width: 80rem) {
  .columns { display: grid; grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); gap: 0 3rem; }
  .columns > .shown { position: sticky; top: 1.5rem; align-self: start; }
  .operation .panel pre { max-height: calc(50vh - 4.5rem); }
  .terms { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 2rem; }
}

@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}

@media print {
  .sidebar, .folded, .skip, .to-contents { display: none; }
  .panel pre { max-height: none; }
}
`
