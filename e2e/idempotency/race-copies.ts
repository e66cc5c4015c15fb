import { randomUUID } from 'node:crypto'
import { severalAtOnce } from '../sessions/several-at-once.ts'
import { countClearSecrets } from './clear-secrets.ts'
import { carriedOutBy, type Effects } from './effects.ts'
import type { Account, IdempotencySystem } from './idempotency-system.ts'
import {
  anWrite,
  manyWrites,
  secretsOf,
  sendWrite,
  shown,
  type Write,
  type WriteAnswer,
  writeKinds,
} from './writes.ts'

/** Concurrent keys. Their copies together are more than the database connections of both processes. */
const KEYS_AT_ONCE = 4

export interface Raced {
  readonly answers: number
  /** Keys whose copies had all been sent before the first of them was answered. */
  readonly atOnce: number
  /** Keys whose copies did not all get the same successful answer. */
  readonly unequal: number
  /** Keys with audit entries of exactly one copy. */
  readonly doneByOne: number
  readonly wrongRows: number
  /** Other requests with a used key, and how many of them were rejected with idempotency.key_reused. */
  readonly otherRequests: number
  readonly otherRequestsRejected: number
  /** The same keys and writes in another account: how many were carried out there as well. */
  readonly otherAccountDone: number
  readonly secrets: number
  readonly secretsInClear: number
  /** Texts of the writes that are in the database: a control of the search for secrets. */
  readonly textsInClear: number
}

/** Sends all copies of a write at once, to both processes alternately. Then reuses each key for other requests. */
export async function raceCopies(
  it: IdempotencySystem,
  effects: Effects,
  { keys, copies, log }: { readonly keys: number; readonly copies: number; log(line: string): void },
): Promise<Raced> {
  const writes = manyWrites(keys)
  const before = await effects.count()
  const raced = await severalAtOnce(KEYS_AT_ONCE, writes, async (write) => {
    const key = randomUUID()
    return { write, key, answers: await sendCopies(it, it.one, key, write, copies) }
  })
  const others = await severalAtOnce(KEYS_AT_ONCE, raced, async ({ key, write }, i) => {
    const sending = { api: it.apis[i % 2]!, account: it.one, key }
    const otherKind = writeKinds[(writeKinds.indexOf(write.kind) + 1) % writeKinds.length]!
    return [
      await sendWrite({ ...sending, write: anWrite(write.kind) }),
      await sendWrite({ ...sending, write: anWrite(otherKind) }),
    ]
  })
  const foreign = await severalAtOnce(KEYS_AT_ONCE, raced, ({ key, write }) =>
    sendCopies(it, it.other, key, write, 2),
  )
  const carriers = await severalAtOnce(KEYS_AT_ONCE, raced, ({ answers }) =>
    carriedOutBy(
      it.database,
      answers.map(({ requestId }) => requestId),
    ),
  )
  const secrets = raced.flatMap(({ write, answers }) => secretsOf(write, answers[0]!.text))
  const unequal = raced.filter(({ answers }) => !areAlike(answers))
  for (const { write, answers } of unequal.slice(0, 5)) {
    log(`copies of one ${write.kind}: ${answers.map(shown).join(' | ').slice(0, 500)}`)
  }
  return {
    answers: raced.flatMap(({ answers }) => answers).length,
    atOnce: raced.filter(({ answers }) => areAtOnce(answers)).length,
    unequal: unequal.length,
    doneByOne: carriers.filter((ids) => ids.length === 1).length,
    wrongRows: await effects.countWrongRows(before, [...writes, ...writes]),
    otherRequests: others.flat().length,
    otherRequestsRejected: others.flat().filter(({ code }) => code === 'idempotency.key_reused').length,
    otherAccountDone: foreign.filter(areAlike).length,
    secrets: secrets.length,
    secretsInClear: await countClearSecrets(it.database, secrets),
    textsInClear: await countClearSecrets(
      it.database,
      writes.flatMap(({ text }) => text),
    ),
  }
}

const sendCopies = (it: IdempotencySystem, account: Account, key: string, write: Write, copies: number) =>
  Promise.all(
    Array.from({ length: copies }, (_, i) => sendWrite({ api: it.apis[i % 2]!, account, key, write })),
  )

const areAtOnce = (answers: readonly WriteAnswer[]): boolean =>
  Math.max(...answers.map(({ sentMs }) => sentMs)) < Math.min(...answers.map(({ endedMs }) => endedMs))

const areAlike = (answers: readonly WriteAnswer[]): boolean =>
  answers[0]!.status === 201 && answers.every((answer) => shown(answer) === shown(answers[0]!))
