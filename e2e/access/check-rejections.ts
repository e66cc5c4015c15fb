import { jsonOf, type WireAnswer } from '../../proofs/wire-fuzz/wire-request.ts'
import { accessTable } from './access-table.ts'
import { type Api, describeAnswer, forEachAtOnce, type Request } from './call.ts'
import { countAnswers, type Difference, type Findings } from './differences.ts'
import type { RejectedCredential } from './rejected-credentials.ts'
import { everyWay } from './requests.ts'

/**
 * Sends every credential to every operation. Each is rejected with 401, with
 * the same text for the same code: no answer shows how close a forgery came.
 * Operations that take no credential ignore it.
 *
 * With `nth`, every operation gets one in so many credentials, and each
 * credential is sent to one in so many operations.
 */
export async function checkRejections(
  api: Api,
  credentials: Iterable<RejectedCredential>,
  nth = 1,
): Promise<Findings> {
  const open = new Set(accessTable.filter(({ isOpen }) => isOpen).map(({ operationId }) => operationId))
  const firstTexts = new Map<string, string>()
  const differences: Difference[] = []
  const { answers, count } = countAnswers()

  const check = async ([number, credential]: [number, RejectedCredential]) => {
    const ways = everyWay.filter((_, index) => (index + number) % nth === 0)
    for (const { operationId, name, request } of ways) {
      const sent = request(credential.headers)
      const answer = await api.send(sent)
      count(operationId)
      const isHead = sent.method === 'HEAD'
      const rejection = open.has(operationId) ? `400 request.invalid` : `401 ${credential.code}`
      const expected = isHead ? rejection.slice(0, 3) : rejection
      const got = describeAnswer(answer)
      const found = { operation: name, what: credential.name }
      if (got !== expected) {
        differences.push({ ...found, expected, got })
        continue
      }
      const kind = open.has(operationId) ? name : `${rejection} ${isHead}`
      const text = textOf(sent, answer)
      if (!firstTexts.has(kind)) firstTexts.set(kind, text)
      const usual = firstTexts.get(kind) ?? ''
      if (text !== usual) differences.push({ ...found, expected: usual, got: text })
    }
  }

  await forEachAtOnce(numbered(credentials), check)
  return { answers, differences }
}

function* numbered<T>(items: Iterable<T>): Generator<[number, T]> {
  let number = 0
  for (const item of items) {
    yield [number, item]
    number += 1
  }
}

/** All of an answer but the time and what it repeats of its request. */
function textOf({ path }: Request, answer: WireAnswer): string {
  const { date: _, 'x-request-id': requestId, 'content-length': __, ...shown } = answer.headers
  const head = JSON.stringify([answer.status, shown])
  if (answer.body.length === 0) return head
  const { request_id, instance, ...problem } = jsonOf(answer) as Record<string, unknown>
  const isItsOwn = instance === path.split('?')[0] && request_id === requestId
  return `${head} ${JSON.stringify(problem)}${isItsOwn ? '' : ` at ${String(instance)}`}`
}
