import { STATUS_CODES } from 'node:http'
import { type Content, type Html, html, join } from './html.ts'
import { prose } from './prose.ts'
import { isSuccess, type OpenApiResponse, type ReferenceOperation, successOf, toAnchor } from './reference.ts'
import { schemaFields } from './schema-fields.ts'
import { structureOf } from './schema-shape.ts'

/** The description of an error response, split into its stable codes and its text. */
export interface ErrorResponse {
  readonly codes: readonly string[]
  readonly text: string
}

export function toErrorResponse(description: string): ErrorResponse {
  const parts = description.replace(/\.$/, '').split('; ')
  const codes = parts.filter(isCode).map((part) => part.slice(1, -1))
  const text = parts.filter((part) => !isCode(part)).join('; ')
  return { codes, text: text.charAt(0).toUpperCase() + text.slice(1) }
}

const isCode = (part: string) => /^`[^`]+`$/.test(part)

/**
 * The answers by status. Those with their own codes are shown; those that most operations share are folded.
 */
export function answers({ operation, version }: ReferenceOperation): Html {
  const all = Object.entries(operation.responses)
  const usual = all.filter((answer) => !isOwn(answer))
  const content = Object.values(successOf(operation)?.response.content ?? {})[0]
  const event = content?.['x-event']
  const schema = event ?? content?.schema
  return html`<h4>Answers</h4>
    ${table(all.filter(isOwn))}
    ${usual.length === 0 ? undefined : usualErrors(usual)}
    ${
      schema === undefined || structureOf(schema, version.schemas) === undefined
        ? undefined
        : html`<details class="fold"><summary>${event === undefined ? 'Fields of the answer' : 'Kinds of events, and the fields of their data'}</summary>
          ${schemaFields(schema, version.schemas, 'answered')}</details>`
    }`
}

const isOwn = ([status, { description }]: [string, OpenApiResponse]) =>
  isSuccess(status) || toErrorResponse(description).codes.length > 0

function usualErrors(usual: readonly [string, OpenApiResponse][]): Html {
  const statuses = usual.map(([status]) => status).join(', ')
  return html`<details class="fold"><summary>Common error responses: ${statuses}</summary>${table(usual)}</details>`
}

function table(rows: readonly [string, OpenApiResponse][]): Html {
  return html`<table class="answers">
    <thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${rows.map(([status, response]) => row(status, response))}</tbody>
  </table>`
}

function row(status: string, response: OpenApiResponse): Html {
  const kind = isSuccess(status) ? 'success' : 'error'
  const { codes, text } = toErrorResponse(response.description)
  const meaning = isSuccess(status) ? response.description : text
  return html`<tr>
    <th scope="row"><span class="status status-${kind}">${status}</span></th>
    <td>${codes.length === 0 ? html`<span class="none">–</span>` : codeLinks(codes)}</td>
    <td>${meaning === '' ? STATUS_CODES[status] : prose(meaning)}${isSuccess(status) ? mediaTypes(response) : undefined}</td>
  </tr>`
}

function codeLinks(codes: readonly string[]): Content {
  return join(
    codes.map((code) => html`<a href="#${toAnchor(code)}"><code>${code}</code></a>`),
    html`<br>`,
  )
}

/** Shown where there is a choice, or where it is not JSON. */
function mediaTypes({ content = {} }: OpenApiResponse): Content {
  const types = Object.keys(content)
  if (types.length === 0 || (types.length === 1 && types[0] === 'application/json')) return undefined
  const text = types.map((type) => html`<code>${type}</code>`)
  return html`<br><span class="bounds">As ${join(text, ', ')}${types.length > 1 ? '; the first unless Accept names another' : ''}.</span>`
}
