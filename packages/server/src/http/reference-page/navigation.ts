import { guideSections } from './guide.ts'
import { type Html, html } from './html.ts'
import { methodBadge } from './operation.ts'
import type { Reference, ReferenceGroup } from './reference.ts'

/**
 * The contents, twice: beside the text where there is room, and folded above it where there is none. The style sheet
 * shows one of the two. Without scripts a single list cannot be open in one layout and closed in the other.
 */
export function sidebar(reference: Reference): Html {
  return html`<nav class="sidebar" aria-label="Contents">
    <a class="name" href="#top">Continuity <span>API reference</span></a>
    ${list(reference)}
  </nav>`
}

export function foldedContents(reference: Reference): Html {
  return html`<nav class="folded" id="contents" aria-label="Contents">
    <details><summary>Contents</summary>${list(reference)}</details>
  </nav>`
}

function list({ groups, versions }: Reference): Html {
  return html`<ul>
    ${guideSections.map(([anchor, title]) => html`<li><a href="#${anchor}">${title}</a></li>`)}
    ${groups.map(groupItem)}
    <li><a class="group" href="#error-codes">Error codes</a></li>
    ${versions.map(({ name }) => html`<li><a href="${documentAddress(name)}">OpenAPI ${name}</a></li>`)}
  </ul>`
}

export const documentAddress = (version: string): string => `/openapi/${encodeURIComponent(version)}.json`

function groupItem({ name, anchor, operations }: ReferenceGroup): Html {
  return html`<li><a class="group" href="#${anchor}">${name}</a><ul>${operations.map(
    (entry) =>
      html`<li><a class="entry" href="#${entry.anchor}"><span>${entry.operation.summary}</span>${methodBadge(entry.method)}</a></li>`,
  )}</ul></li>`
}
