import { STATUS_CODES } from 'node:http'
import { answers } from './answers.ts'
import { commandPanel, jsonPanel } from './code-panel.ts'
import { curlCommand, type ExampleValues } from './curl.ts'
import { type Content, type Html, html, join } from './html.ts'
import { parameters } from './parameters.ts'
import { extensionChip, prose } from './prose.ts'
import { findOperation, type Reference, type ReferenceOperation, successOf } from './reference.ts'
import { schemaFields } from './schema-fields.ts'

export function operationSection(entry: ReferenceOperation, values: ExampleValues): Html {
  const { operation } = entry
  return html`<article class="operation" id="${entry.anchor}">
    <h3><a href="#${entry.anchor}">${operation.summary}</a></h3>
    <p class="address">${methodBadge(entry.method)} <code>${address(entry.address)}</code></p>
    ${entry.aliases.map(
      (alias) =>
        html`<p class="alias" id="${alias.anchor}">The same operation is also at <code>${address(alias.address)}</code>.</p>`,
    )}
    <div class="columns">
      <div class="text">
        ${operation.description === undefined ? undefined : html`<p>${prose(operation.description)}</p>`}
        ${facts(entry)}
        ${parameters(entry)}
        ${requestBody(entry)}
        ${answers(entry)}
      </div>
      <div class="shown">
        ${commandPanel('Request', `Example request of ${entry.id}`, curlCommand(entry, values))}
        ${exampleAnswer(entry)}
      </div>
    </div>
  </article>`
}

export function methodBadge(method: string): Html {
  return html`<span class="method method-${method.toLowerCase()}">${method}</span>`
}

/** A link by operationId, or the id alone where the documents have no such operation. */
export function operationLink(reference: Reference, id: string): Html {
  const entry = findOperation(reference, id)
  return entry === undefined
    ? html`<code>${id}</code>`
    : html`<a href="#${entry.anchor}"><code>${id}</code></a>`
}

/** Allows line breaks before each slash. */
function address(path: string): Content {
  return path.split(/(?=\/)/).map((part, index) => [index === 0 ? undefined : html`<wbr>`, pathPart(part)])
}

const pathPart = (part: string): Content =>
  part.startsWith('/{') ? ['/', html`<span class="variable">${part.slice(1)}</span>`] : part

function facts({ id, operation }: ReferenceOperation): Html {
  const isPaged = operation.parameters.some(({ name }) => name === 'page_offset')
  return html`<dl class="facts">
    <div><dt>Needs</dt><dd>${access(operation['x-access'])}</dd></div>
    <div><dt>Operation</dt><dd><code>${id}</code>${operation['x-ours'] === true ? [' ', extensionChip] : undefined}</dd></div>
    ${isPaged ? html`<div><dt>List</dt><dd>comes in pages, see <a href="#paging">Paging</a></dd></div>` : undefined}
  </dl>`
}

function access(needed: ReferenceOperation['operation']['x-access']): Content {
  if (needed === 'public') return html`<span class="chip">no credential</span>`
  if (needed === 'any') return html`<span class="chip">any valid credential</span>`
  return join(
    needed.map((role) => html`<span class="chip chip-role">${role}</span>`),
    ' or ',
  )
}

function requestBody({ operation, version }: ReferenceOperation): Content {
  if (operation.requestBody === undefined) return undefined
  const { required, content } = operation.requestBody
  const [mediaType, body] = Object.entries(content)[0] ?? []
  if (mediaType === undefined || body === undefined) return undefined
  return html`<h4>Body <small><code>${mediaType}</code>${required ? undefined : ', may be left out'}</small></h4>
    ${schemaFields(body.schema, version.schemas, 'sent')}`
}

function exampleAnswer({ id, operation }: ReferenceOperation): Content {
  const success = successOf(operation)
  if (success === undefined) return undefined
  const { status, response } = success
  const title = html`Answer <span class="status status-success">${status} ${STATUS_CODES[status]}</span>`
  const example = Object.values(response.content ?? {})[0]?.example
  if (example !== undefined) return jsonPanel(title, `Example answer of ${id}`, example)
  const text = response.content === undefined ? 'It has no body.' : response.description
  return html`<figure class="panel panel-empty"><figcaption>${title}</figcaption><p>${text}</p></figure>`
}
