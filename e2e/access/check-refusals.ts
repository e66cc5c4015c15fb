import { jsonOf, type WireAnswer } from '../wire-fuzz/wire-request.ts'
import { accessTable } from './access-table.ts'
import { type Api, describeAnswer, forEachAtOnce, type Request } from './call.ts'
import { countAnswers, type Difference, type Findings } from './differences.ts'
import type { RefusedCredential } from './refused-credentials.ts'
import { everyWay } from './requests.ts'

/**
 * Sends every credential to every operation. Each is refused with 401, and in
 * the same words as the first of its code: nobody learns from an answer how
 * near a forgery came. What takes no credential does not look at it.
 *
 * With `nth`, every operation sees that part of the credentials, and each
 * credential that part of the operations.
 */
export async function checkRefusals(
  api: Api,
  credentials: Iterable<RefusedCredential>,
  nth = 1,
): Promise<Findings> {
  const open = new Set(accessTable.filter(({ isOpen }) => isOpen).map(({ operationId }) => operationId))
  const firstWords = new Map<string, string>()
  const differences: Difference[] = []
  const { answers, count } = countAnswers()

  const check = async ([number, credential]: [number, RefusedCredential]) => {
    const ways = everyWay.filter((_, index) => (index + number) % nth === 0)
    for (const { operationId, name, request } of ways) {
      const sent = request(credential.headers)
      const answer = await api.send(sent)
      count(operationId)
      const isHead = sent.method === 'HEAD'
      const refusal = open.has(operationId) ? `400 request.invalid` : `401 ${credential.code}`
      const expected = isHead ? refusal.slice(0, 3) : refusal
      const got = describeAnswer(answer)
      const found = { operation: name, what: credential.name }
      if (got !== expected) {
        differences.push({ ...found, expected, got })
        continue
      }
      const kind = open.has(operationId) ? name : `${refusal} ${isHead}`
      const words = wordsOf(sent, answer)
      if (!firstWords.has(kind)) firstWords.set(kind, words)
      const usual = firstWords.get(kind) ?? ''
      if (words !== usual) differences.push({ ...found, expected: usual, got: words })
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

/** All that an answer tells, but for the time and what it repeats of its own request. */
function wordsOf({ path }: Request, answer: WireAnswer): string {
  const { date: _, 'x-request-id': requestId, 'content-length': __, ...shown } = answer.headers
  const told = JSON.stringify([answer.status, shown])
  if (answer.body.length === 0) return told
  const { request_id, instance, ...problem } = jsonOf(answer) as Record<string, unknown>
  const isItsOwn = instance === path.split('?')[0] && request_id === requestId
  return `${told} ${JSON.stringify(problem)}${isItsOwn ? '' : ` at ${String(instance)}`}`
}
