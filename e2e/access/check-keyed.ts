import { randomUUID } from 'node:crypto'
import { operations } from '@continuity/contract'
import { describeAnswer } from './call.ts'
import { countAnswers, type Difference, type Findings } from './differences.ts'
import type { FilledAccount } from './filled-account.ts'
import { type KeyedRequest, keyedTable } from './keyed-table.ts'
import { ownRowsOf } from './rows.ts'
import type { World } from './world.ts'

/** Both accounts use the same Idempotency-Key: each request takes effect and gets its own answer. */
export async function checkKeyed(world: World): Promise<Findings> {
  const differences: Difference[] = []
  const { answers, count } = countAnswers()
  for (const [id, makeParts] of Object.entries(keyedTable)) {
    if (typeof makeParts === 'string') continue
    const faults = await checkOperation(world, id as keyof typeof operations, makeParts, () => count(id))
    differences.push(...faults)
  }
  return { answers, differences }
}

async function checkOperation(
  world: World,
  id: keyof typeof operations,
  makeParts: KeyedRequest,
  countAnswer: () => void,
): Promise<Difference[]> {
  const { api, database, one, other } = world
  const [key, otherKey] = [randomUUID(), randomUUID()]
  const send = async (self: FilledAccount, word: string, key: string) => {
    const parts = makeParts(self, word)
    const headers = { ...self.session.headers, 'idempotency-key': key }
    const answer = await api.call(operations[id], { ...parts, headers })
    countAnswer()
    return { shown: describeAnswer(answer), text: answer.body.toString() }
  }
  const rowsOf = (account: FilledAccount) => ownRowsOf(database, account)

  const theirs = await send(other, 'first', key)
  const [before, rowsBefore] = [await rowsOf(other), await rowsOf(one)]
  const ours = await send(one, 'first', key)
  const rowsAfter = await rowsOf(one)
  const again = await send(one, 'first', key)
  const rowsAgain = await rowsOf(one)
  const reused = await send(one, 'second', key)
  const after = await rowsOf(other)
  await send(other, 'third', otherKey)
  const different = await send(one, 'fourth', otherKey)
  const theirsAgain = await send(other, 'first', key)

  const done = `${operations[id].answer.status}`
  const expectations: readonly [what: string, expected: unknown, got: unknown][] = [
    ['the first account to use a key', done, theirs.shown],
    ['another account with the same key', done, ours.shown],
    ['the second account: new rows', true, rowsAfter.length > rowsBefore.length],
    ['the second account repeats: same answer', ours.text, again.text],
    ['the second account repeats: no new rows', rowsAfter.join('\n'), rowsAgain.join('\n')],
    ['the second account, another request with the key', '422 idempotency.key_reused', reused.shown],
    ['another account with the same key for something else', done, different.shown],
    ['rows of the first account', before.join('\n'), after.join('\n')],
    ['the first account repeats: same answer', theirs.text, theirsAgain.text],
  ]
  return expectations
    .filter(([, expected, got]) => expected !== got)
    .map(([what, expected, got]) => ({ operation: id, what, expected: String(expected), got: String(got) }))
}
