import { type OperationId, operations } from '@continuity/contract'
import type { WireAnswer } from '../../proofs/wire-fuzz/wire-request.ts'
import { describeAnswer, type Request, requestTo } from './call.ts'
import { countAnswers, type Difference, type Findings } from './differences.ts'
import { type FilledAccount, type Names, unusedNames } from './filled-account.ts'
import { otherAccountTable, type Try } from './other-account-table.ts'
import { everyWay } from './requests.ts'
import { changedRows, rowsOf, type Traces, tracesOf } from './rows.ts'
import type { World } from './world.ts'

/**
 * One account requests records of the other, with every operation. It gets the
 * answer for unused names, to the byte; no row of the other account changes;
 * and no answer contains an id or a text of it that was not sent.
 */
export async function checkOtherAccount({ api, database, one, other }: World): Promise<Findings> {
  const differences: Difference[] = []
  const { answers, count } = countAnswers()
  const traces = await tracesOf(database, other)
  const before = await rowsOf(database, traces, one)

  const send = async (operation: string, what: string, request: Request): Promise<WireAnswer> => {
    const answer = await api.send(request)
    count(operation)
    const leaks = findLeaks(traces, request, answer)
    if (leaks.length > 0)
      differences.push({ operation, what, expected: 'nothing of the other account', got: leaks.join(' ') })
    return answer
  }

  // First, before this account creates records with the names of the other.
  for (const { operationId, request } of everyWay) {
    const own = request(one.session.headers)
    if (own.method === 'GET') await send(operationId, 'its own records', own)
  }
  const unused = unusedNames(other.names)
  for (const { id, tried } of everyTry) {
    const { what, otherAccount: expected } = tried
    const answer = await send(id, what, requestOf(id, tried, other.names, one))
    const unknown = await send(id, `${what}, unused`, requestOf(id, tried, unused, one))
    const got = describeAnswer(answer)
    if (got !== expected) differences.push({ operation: id, what, expected, got })
    const [shown, usual] = [withoutNames(answer, other.names), withoutNames(unknown, unused)]
    if (shown !== usual)
      differences.push({
        operation: id,
        what: `${what}, compared with an unused one`,
        expected: usual,
        got: shown,
      })
  }
  differences.push(...changedRows(before, await rowsOf(database, traces, one)))
  return { answers, differences }
}

/** What the other account sees of itself: evidence that a leak or a changed row would have been found. */
export interface OwnFindings extends Findings {
  readonly textsSeen: number
  readonly rowsChanged: number
}

/**
 * The other account sends the same requests. This shows that all those names
 * are valid, and that a leak or a changed row would have been found.
 */
export async function checkOwnAccount({ api, database, one, other }: World): Promise<OwnFindings> {
  const differences: Difference[] = []
  const traces = await tracesOf(database, other)
  const before = await rowsOf(database, traces, one)
  const { answers, count } = countAnswers()
  let textsSeen = 0
  for (const { id, tried } of everyTry) {
    const request = requestOf(id, tried, other.names, other)
    const answer = await api.send(request)
    count(id)
    textsSeen += findLeaks(traces, request, answer).length
    const [expected, got] = [tried.own, describeAnswer(answer)]
    if (got !== expected) differences.push({ operation: id, what: `${tried.what}, its own`, expected, got })
  }
  const rowsChanged = changedRows(before, await rowsOf(database, traces, one)).length
  return { answers, differences, textsSeen, rowsChanged }
}

/** Operations that another account's ids, names or credentials can be sent to. */
export const triedOperations: readonly OperationId[] = (
  Object.keys(otherAccountTable) as OperationId[]
).filter((id) => typeof otherAccountTable[id] !== 'string')

const everyTry = Object.entries(otherAccountTable).flatMap(([id, attempts]) =>
  typeof attempts === 'string' ? [] : attempts.map((tried) => ({ id: id as OperationId, tried })),
)

function requestOf(id: OperationId, tried: Try, names: Names, self: FilledAccount): Request {
  const parts = tried.request(names, self)
  // Operations without a credential ignore it.
  return requestTo(operations[id], { ...parts, headers: self.session.headers })
}

/** Texts that were sent may come back. */
function findLeaks({ ids, texts }: Traces, { path, body }: Request, answer: WireAnswer): string[] {
  const sent = `${decodeURIComponent(path)} ${body?.toString() ?? ''}`
  const got = `${JSON.stringify(answer.headers)} ${answer.body.toString()}`
  return [...ids, ...texts].filter((trace) => got.includes(trace) && !sent.includes(trace))
}

/** An answer without the names that were sent, and without ids and times. */
function withoutNames({ status, headers, body }: WireAnswer, names: Names): string {
  const { date: _, 'x-request-id': __, 'content-length': ___, ...shown } = headers
  let text = `${status} ${JSON.stringify(shown)} ${body.toString()}`
  // The longest first, because one may be a part of another.
  const values = Object.entries(names).toSorted(([, a], [, b]) => b.length - a.length)
  for (const [name, value] of values) {
    text = text.replaceAll(value, `<${name}>`).replaceAll(encodeURIComponent(value), `<${name}>`)
  }
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/sdk_[\w-]+/g, '<key>')
}
