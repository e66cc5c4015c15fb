import { commandPanel } from './code-panel.ts'
import { curlCommand, type ExampleValues } from './curl.ts'
import { gettingStarted } from './getting-started.ts'
import { type Content, type Html, html } from './html.ts'
import { operationLink } from './operation.ts'
import { problemGuide } from './problem-guide.ts'
import { findOperation, type Reference } from './reference.ts'

/** The sections before the operations, by anchor and title, in order. */
export const guideSections = [
  ['getting-started', 'Getting started'],
  ['conventions', 'Conventions'],
  ['errors', 'Errors'],
  ['paging', 'Paging'],
  ['idempotency', 'Idempotency'],
] as const

export function guide(reference: Reference, values: ExampleValues): Content {
  return [
    gettingStarted(reference, values),
    conventions(),
    problemGuide(reference),
    paging(reference, values),
    idempotency(),
  ]
}

function conventions(): Html {
  return html`<section class="guide" id="conventions">
    <h2>Conventions</h2>
    <dl class="terms">
      <dt>Needs</dt>
      <dd>A credential must have one of these roles. It can access only its own account; an id of another
      account is 404, as if it did not exist.</dd>
      <dt><span class="chip chip-extension">extension</span></dt>
      <dd>An addition of Continuity to the interface that partner systems already use. A client written for that
      interface alone can ignore every extension: none changes the meaning of the rest.</dd>
      <dt>Operation</dt>
      <dd>The <code>operationId</code> of the OpenAPI document, and the name of the method in the SDK.</dd>
      <dt>Time</dt>
      <dd>Timestamps are ISO 8601 in UTC and end in <code>Z</code>. A field that ends in <code>_ms</code> is in
      milliseconds, a <code>duration</code> in whole seconds. The days of a report are UTC days.</dd>
      <dt>Ids</dt>
      <dd>Opaque strings. Ids assigned by a partner are stored as they were sent.</dd>
      <dt>Maps</dt>
      <dd>A <code>map of</code> something is an object whose field names are free and whose values are all of that type.</dd>
      <dt>Unknown input</dt>
      <dd>A query parameter that is not listed is ignored. A body field that is not listed is rejected, unless the body
      allows further fields. A value out of bounds is 400 and never adjusted silently.</dd>
    </dl>
  </section>`
}

function paging(reference: Reference, values: ExampleValues): Html {
  const list = findOperation(reference, 'listVideos')
  const next = list && curlCommand(list, values, ['page_size=50', 'page_offset=$MARK'])
  return html`<section class="guide" id="paging">
    <h2>Paging</h2>
    <div class="columns"><div class="text">
      <p>A list answers <code>hits</code>, <code>page</code> and <code>total</code>. To get the next page, send
      <code>page.page_mark</code> back as <code>page_offset</code>, with the same filter and sort; when it is
      <code>null</code> that was the last page. <code>page_size</code> is 30 by default, and 50 at most.</p>
      <p>In the catalog a mark is opaque and signed: it encodes a position, not a number, so a page neither skips nor
      repeats a record while others are added or removed. Live sources count instead: their <code>page_offset</code>
      is the number of results to skip. ${operationLink(reference, 'listLinearChannels')} returns a plain array.</p>
      <p><code>total</code> is exact for a list. In a search, and for anonymous sessions, it is counted up to 10,000;
      past that it stays there and <code>total_relation</code> is <code>gte</code>.</p>
    </div><div class="shown">${next === undefined ? undefined : commandPanel('The next page', 'Next page, example', next)}</div></div>
  </section>`
}

function idempotency(): Html {
  return html`<section class="guide" id="idempotency">
    <h2>Idempotency</h2>
    <p>A call whose answer was lost can be sent again safely. Put a value of your own, such as a UUID, in the
    <code>Idempotency-Key</code> header: for 24 hours the same key gives the same answer and has no second effect, since
    the key is recorded together with the effect. Every POST and PUT supports it, except sessions and search, whose answers
    are not stored.</p>
    <p>To detect concurrent changes of a record use <code>If-Match</code>: send the
    <code>ETag</code> that you read, and the change is rejected with 412 if the record has changed meanwhile.</p>
  </section>`
}
