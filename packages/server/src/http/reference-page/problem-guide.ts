import { jsonPanel } from './code-panel.ts'
import { type Html, html } from './html.ts'
import type { Reference } from './reference.ts'
import { schemaFields } from './schema-fields.ts'

/** A typical first error: a number that is too large. */
export const exampleProblem = {
  type: '/docs#request.invalid',
  title: 'Fields are missing or out of bounds',
  status: 400,
  detail: '#query/page_size must be <= 50',
  instance: '/api/2.1/videos',
  message: '#query/page_size must be <= 50',
  code: 'request.invalid',
  request_id: '0195c1de-6f00-7a10-8000-000000002001',
  errors: [{ pointer: '#query/page_size', code: 'maximum', message: 'must be <= 50' }],
}

const statusMeanings = [
  ['400', 'Malformed, or a value out of bounds. Correct it before you send it again.'],
  ['401', 'No valid credential. Refresh, or log in.'],
  ['403', 'The credential is valid and lacks a required role.'],
  ['404', 'Does not exist, or is not in your account.'],
  ['409', 'The state of the record does not allow it now.'],
  ['412', 'The record has changed since you read it.'],
  ['413, 415', 'The body is too large, or not JSON.'],
  ['422', 'Valid, but impossible to execute.'],
  [
    '429, 503',
    'Overloaded or unavailable: nothing was done, retry after the time in Retry-After. After `server.deadline` or `feed.unavailable` the effect is unknown.',
  ],
] as const

export function problemGuide({ versions }: Reference): Html {
  const version = versions.find(({ schemas }) => schemas.Problem !== undefined)
  const problem = version?.schemas.Problem
  return html`<section class="guide" id="errors">
    <h2>Errors</h2>
    <div class="columns"><div class="text">
      <p>Every error response is a problem by RFC 9457, of type <code>application/problem+json</code>. Branch on
      <code>code</code>, which never changes its meaning; show <code>detail</code> to people; give
      <code>request_id</code> to support. Where fields are invalid, <code>errors</code> names each of them.</p>
      <p>Each operation lists its own codes, and <a href="#error-codes">Error codes</a> lists them all with
      the operations that return them. Calls on several channels at once answer 200 with a <code>status</code> for
      each of them: one that fails changes nothing for the others.</p>
      <table>
        <thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
        <tbody>${statusMeanings.map(
          ([status, meaning]) => html`<tr><th scope="row">${status}</th><td>${meaning}</td></tr>`,
        )}</tbody>
      </table>
      ${
        problem === undefined || version === undefined
          ? undefined
          : html`<details class="fold"><summary>Fields of a problem</summary>
            ${schemaFields(problem, version.schemas, 'answered')}</details>`
      }
    </div><div class="shown">${jsonPanel('A problem', 'Example of a problem', exampleProblem)}</div></div>
  </section>`
}
