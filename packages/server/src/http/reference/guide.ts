import type { Version } from '@continuity/contract'
import { documentedHeaders } from '@continuity/contract'
import type { DocumentedError } from '../../platform/errors.ts'

/** What every operation has in common, in Markdown, before the operations of a document. */
export function guideOf(version: Version, errors: readonly DocumentedError[]): string {
  const { auth, device } = documentedHeaders[version]
  return `
# Getting started

1. **Log in.** \`login\` of 2.1 accepts an account, an e-mail address and a password and returns a session. An app
   without a user calls \`registerDevice\` with its SDK key instead and gets a session that can read public content.
   Keep three values of the answer: \`token.token_access\`, \`device_id\` and \`token.token_refresh\`.
2. **Read.** Every other call has two headers: the access credential in \`${auth}\` and the device id that it was issued
   for in \`${device}\`. One without the other, or with another device, is 401. The spellings of 2.1 and 2.3 are accepted
   by both, in any case.
3. **Refresh.** An access credential lasts 60 minutes. \`refreshSession\` returns a new pair; the refresh credential lasts
   30 days and can be used once, so store the new one each time. Using an old one again ends the session, because only a
   thief or a mix-up does that. A client that lost the answer may repeat the call within 10 seconds and gets the same
   new pair.

To send requests from this page, enter the two values under Authentication and press Test Request. They are sent to
this installation only, and dropped when the page is closed.

# Conventions

- **Roles** are shown with each operation: a credential must have one of them. It can access only its own account; an id
  of another account is 404, as if it did not exist.
- **Extensions** are additions of Continuity to the interface that partner systems already use. A client written for that
  interface alone can ignore every extension: none changes the meaning of the rest.
- **Operation ids** are the names of the methods in the SDK.
- **Time.** Timestamps are ISO 8601 in UTC and end in \`Z\`. A field that ends in \`_ms\` is in milliseconds, a \`duration\`
  in whole seconds. The days of a report are UTC days.
- **Ids** are opaque strings. Ids assigned by a partner are stored as they were sent.
- **Unknown input.** A query parameter that is not listed is ignored. A body field that is not listed is rejected, unless
  the body allows further fields. A value out of bounds is 400 and never adjusted silently.

# Paging

A list answers \`hits\`, \`page\` and \`total\`. To get the next page, send \`page.page_mark\` back as \`page_offset\`, with the
same filter and sort; when it is \`null\` that was the last page. \`page_size\` is 30 by default, and 50 at most.

In the catalog a mark is opaque and signed: it encodes a position, not a number, so a page neither skips nor repeats a
record while others are added or removed. Live sources count instead: their \`page_offset\` is the number of results to
skip. \`listLinearChannels\` returns a plain array.

\`total\` is exact for a list. In a search, and for anonymous sessions, it is counted up to 10,000; past that it stays there
and \`total_relation\` is \`gte\`.

# Idempotency

A call whose answer was lost can be sent again safely. Put a value of your own, such as a UUID, in the \`Idempotency-Key\`
header: for 24 hours the same key gives the same answer and has no second effect, since the key is recorded together with
the effect. Every POST and PUT supports it, except sessions and search, whose answers are not stored.

To detect concurrent changes of a record use \`If-Match\`: send the \`ETag\` that you read, and the change is rejected with
412 if the record has changed meanwhile.

# Errors

Every error response is a problem by RFC 9457, of type \`application/problem+json\`. Branch on \`code\`, which never changes
its meaning; show \`detail\` to people; give \`request_id\` to support. Where fields are invalid, \`errors\` names each of them.
Calls on several channels at once answer 200 with a \`status\` for each of them: one that fails changes nothing for the
others.

| Status | Meaning |
|---|---|
| 400 | Malformed, or a value out of bounds. Correct it before you send it again. |
| 401 | No valid credential. Refresh, or log in. |
| 403 | The credential is valid and lacks a required role. |
| 404 | Does not exist, or is not in your account. |
| 409 | The state of the record does not allow it now. |
| 412 | The record has changed since you read it. |
| 413, 415 | The body is too large, or not JSON. |
| 422 | Valid, but impossible to execute. |
| 429, 503 | Overloaded or unavailable: nothing was done, retry after the time in \`Retry-After\`. After \`server.deadline\` or \`feed.unavailable\` the effect is unknown. |

# Error codes

${[...Map.groupBy(errors.toSorted(byCode), ({ code }) => areaOf(code))].map(([area, kinds]) => codeTable(area, kinds)).join('\n')}`
}

/** The part of a code before its dot: the heading of the table that lists it. */
export const areaOf = (code: string): string => code.slice(0, code.indexOf('.'))

const byCode = (a: DocumentedError, b: DocumentedError) => (a.code < b.code ? -1 : 1)

function codeTable(area: string, kinds: readonly DocumentedError[]): string {
  const rows = kinds.map(
    ({ code, status, title, remedy }) => `| \`${code}\` | ${status} | ${title} | ${remedy} |`,
  )
  return `## ${area}\n\n| Code | Status | Meaning | What to do |\n|---|---|---|---|\n${rows.join('\n')}\n`
}
