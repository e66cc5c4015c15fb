import { type OperationId, operations } from '@continuity/contract'
import type { WireAnswer } from '../wire-fuzz/wire-request.ts'
import { describeAnswer, type Request, requestTo } from './call.ts'
import { countAnswers, type Difference, type Findings } from './differences.ts'
import { type FilledAccount, type Names, nobodysNames } from './filled-account.ts'
import { otherAccountTable, type Try } from './other-account-table.ts'
import { everyWay } from './requests.ts'
import { changedRows, rowsOf, type Traces, tracesOf } from './rows.ts'
import type { World } from './world.ts'

/**
 * One account asks for what is the other's, by every operation. It gets what
 * it would get for a name that nobody has, to the letter; no row of the other
 * account changes; and no answer holds an id or a text of it that was not sent.
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

  // First, while nothing of its own is called as the other's.
  for (const { operationId, request } of everyWay) {
    const asked = request(one.session.headers)
    if (asked.method === 'GET') await send(operationId, 'what is its own', asked)
  }
  const nobody = nobodysNames(other.names)
  for (const { id, tried } of everyTry) {
    const { what, stranger: expected } = tried
    const asked = await send(id, what, requestOf(id, tried, other.names, one))
    const unknown = await send(id, `${what}, but nobody's`, requestOf(id, tried, nobody, one))
    const got = describeAnswer(asked)
    if (got !== expected) differences.push({ operation: id, what, expected, got })
    const [shown, usual] = [withoutNames(asked, other.names), withoutNames(unknown, nobody)]
    if (shown !== usual)
      differences.push({ operation: id, what: `${what}, as if nobody's`, expected: usual, got: shown })
  }
  differences.push(...changedRows(before, await rowsOf(database, traces, one)))
  return { answers, differences }
}

/** What the owner of the names sees of itself: evidence that a leak and a changed row would have been found. */
export interface OwnFindings extends Findings {
  readonly textsSeen: number
  readonly rowsChanged: number
}

/**
 * The other account itself asks for the same. It shows that all those names
 * were good, and that a leak and a changed row would have been seen.
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

const everyTry = Object.entries(otherAccountTable).flatMap(([id, reach]) =>
  typeof reach === 'string' ? [] : reach.map((tried) => ({ id: id as OperationId, tried })),
)

function requestOf(id: OperationId, tried: Try, names: Names, self: FilledAccount): Request {
  const parts = tried.ask(names, self)
  // What takes no credential looks at none.
  return requestTo(operations[id], { ...parts, headers: self.session.headers })
}

/** What was sent may come back: it tells nothing. */
function findLeaks({ ids, texts }: Traces, { path, body }: Request, answer: WireAnswer): string[] {
  const sent = `${decodeURIComponent(path)} ${body?.toString() ?? ''}`
  const got = `${JSON.stringify(answer.headers)} ${answer.body.toString()}`
  return [...ids, ...texts].filter((trace) => got.includes(trace) && !sent.includes(trace))
}

/** An answer with the names that were sent, and whatever is new each time, taken out. */
function withoutNames({ status, headers, body }: WireAnswer, names: Names): string {
  const { date: _, 'x-request-id': __, 'content-length': ___, ...shown } = headers
  let text = `${status} ${JSON.stringify(shown)} ${body.toString()}`
  // The longest first, because one may stand in another.
  const values = Object.entries(names).toSorted(([, a], [, b]) => b.length - a.length)
  for (const [name, value] of values) {
    text = text.replaceAll(value, `<${name}>`).replaceAll(encodeURIComponent(value), `<${name}>`)
  }
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/sdk_[\w-]+/g, '<key>')
}
