import { toErrorResponse } from './answers.ts'
import { type Content, type Html, html, join } from './html.ts'
import { isSuccess, type Reference, type ReferenceOperation, toAnchor } from './reference.ts'

/** A row of the error table. */
export interface ErrorKind {
  readonly code: string
  readonly status: number
  readonly title: string
}

interface CodeEntry {
  readonly code: string
  readonly statuses: ReadonlySet<number>
  readonly title: string | undefined
  readonly operations: readonly ReferenceOperation[]
}

/** Every code once, with its operations. Problems link here, so each has an anchor. */
export function errorCodes(reference: Reference, kinds: readonly ErrorKind[]): Html {
  const entries = collectCodes(reference, kinds)
  const hasTitles = kinds.length > 0
  return html`<section class="guide" id="error-codes">
    <h2>Error codes</h2>
    <p>Codes are stable: a program may branch on them. Every problem has one.</p>
    <table class="codes">
      <thead><tr><th scope="col">Code</th><th scope="col">Status</th>
      ${hasTitles ? html`<th scope="col">Meaning</th>` : undefined}<th scope="col">Answered by</th></tr></thead>
      <tbody>${entries.map((entry) => row(entry, hasTitles))}</tbody>
    </table>
  </section>`
}

function collectCodes(reference: Reference, kinds: readonly ErrorKind[]): CodeEntry[] {
  const byCode = new Map<string, { statuses: Set<number>; operations: Set<ReferenceOperation> }>()
  const entryOf = (code: string) => {
    const entry = byCode.get(code) ?? { statuses: new Set(), operations: new Set() }
    byCode.set(code, entry)
    return entry
  }
  for (const { code, status } of kinds) entryOf(code).statuses.add(status)
  for (const operation of reference.groups.flatMap(({ operations }) => operations)) {
    for (const [status, { description }] of Object.entries(operation.operation.responses)) {
      if (isSuccess(status)) continue
      for (const code of toErrorResponse(description).codes) {
        entryOf(code).statuses.add(Number(status))
        entryOf(code).operations.add(operation)
      }
    }
  }
  const titles = new Map(kinds.map(({ code, title }) => [code, title]))
  return [...byCode]
    .map(([code, { statuses, operations }]) => ({
      code,
      statuses,
      title: titles.get(code),
      operations: [...operations],
    }))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
}

function row({ code, statuses, title, operations }: CodeEntry, hasTitle: boolean): Html {
  return html`<tr>
    <th scope="row" id="${toAnchor(code)}"><code>${code}</code></th>
    <td>${[...statuses].toSorted((a, b) => a - b).join(', ')}</td>
    ${hasTitle ? html`<td>${title}</td>` : undefined}
    <td>${links(operations)}</td>
  </tr>`
}

// More would bury the rows below; they are a click away.
const LINKS_SHOWN = 8

function links(operations: readonly ReferenceOperation[]): Content {
  if (operations.length === 0) return 'any operation'
  const all = join(
    operations.map(({ anchor, id }) => html`<a href="#${anchor}"><code>${id}</code></a>`),
    ', ',
  )
  if (operations.length <= LINKS_SHOWN) return all
  return html`<details><summary>${operations.length} operations</summary>${all}</details>`
}
