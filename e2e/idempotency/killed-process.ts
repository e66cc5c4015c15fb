import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type AnotherApi, startAnotherApi } from '../another-api.ts'
import { blockWrites } from './block-writes.ts'
import { carriedOutBy, type Effects } from './effects.ts'
import type { IdempotencySystem } from './idempotency-system.ts'
import { anWrite, manyWrites, sendWrite, shown, type WriteAnswer } from './writes.ts'

export interface Killed {
  /** Writes in progress in the process, whose clients got no answer. */
  readonly unanswered: number
  /** How the process ended. */
  readonly exit: string
  /** Rows that the killed process left of a write that it had not committed. */
  readonly rowsLeft: number
  /** The copy that waited for its key has carried the write out. */
  readonly isDoneByCopy: boolean
  readonly wrongRows: number
}

/** Kills a process while it has locked the key of a write and a copy of the write waits for that key. */
export async function killWhileBlocked(
  it: IdempotencySystem,
  effects: Effects,
  name: string,
): Promise<Killed> {
  await using victim = await startVictim(it, name)
  const [waited, repeated] = [anWrite('channel'), anWrite('appKey')]
  const before = await effects.count()
  const block = await blockWrites(it)
  const waiting = { account: it.one, key: randomUUID(), write: waited }
  const later = { account: it.one, key: randomUUID(), write: repeated }
  const lost = [waiting, later].map((sending) =>
    sendWrite({ ...sending, api: victim.baseUrl }).catch(() => undefined),
  )
  let copy: Promise<WriteAnswer>
  let unanswered = 0
  try {
    await block.untilBlocked(2)
    process.kill(victim.child.pid, 'SIGKILL')
    unanswered = (await Promise.all(lost)).filter((answer) => answer === undefined).length
    await victim.child.exited
    copy = sendWrite({ ...waiting, api: it.apis[0] })
    await block.untilWaiting(1)
  } finally {
    await block.release()
  }
  const answer = await copy
  await untilDisconnected(it, name)
  const rowsLeft = await effects.countWrongRows(before, [waited])
  const again = await sendWrite({ ...waiting, api: it.apis[1] })
  const repeat = await sendWrite({ ...later, api: it.apis[1] })
  const [by] = await carriedOutBy(it.database, [answer.requestId])
  const areDone = answer.status === 201 && repeat.status === 201 && shown(again) === shown(answer)
  return {
    unanswered,
    exit: await victim.child.exited,
    rowsLeft,
    isDoneByCopy: areDone && by === answer.requestId,
    wrongRows: await effects.countWrongRows(before, [waited, repeated]),
  }
}

export interface KilledUnderLoad {
  readonly writes: number
  /** Writes that the process had answered before it was killed, and that got another answer afterwards. */
  readonly answeredOtherwise: number
  readonly notDone: number
  readonly wrongRows: number
  /** Writes that were answered with success before the process was killed, and those whose answer was lost with it. */
  readonly answered: number
  readonly unanswered: number
}

interface LoadedKill {
  readonly name: string
  readonly writes: number
  /** The process is killed after so many answers. */
  readonly afterAnswers: number
}

/** Kills a process with writes in progress, at any moment, and repeats all of them with other processes. */
export async function killUnderLoad(
  it: IdempotencySystem,
  effects: Effects,
  { name, writes: count, afterAnswers }: LoadedKill,
): Promise<KilledUnderLoad> {
  await using victim = await startVictim(it, name)
  const before = await effects.count()
  const writes = manyWrites(count).map((write) => ({ account: it.one, key: randomUUID(), write }))
  let answered = 0
  const first = writes.map(async (write) => {
    const answer = await sendWrite({ ...write, api: victim.baseUrl }).catch(() => undefined)
    answered += 1
    if (answered === afterAnswers) process.kill(victim.child.pid, 'SIGKILL')
    return answer
  })
  const answers = await Promise.all(first)
  const repeats = await Promise.all(writes.map((write, i) => sendWrite({ ...write, api: it.apis[i % 2]! })))
  const isOther = (answer: WriteAnswer | undefined, i: number) =>
    answer?.status === 201 && shown(answer) !== shown(repeats[i]!)
  return {
    writes: count,
    answeredOtherwise: answers.filter(isOther).length,
    notDone: repeats.filter(({ status }) => status !== 201).length,
    wrongRows: await effects.countWrongRows(
      before,
      writes.map(({ write }) => write),
    ),
    answered: answers.filter((answer) => answer?.status === 201).length,
    unanswered: answers.filter((answer) => answer === undefined).length,
  }
}

const startVictim = (it: IdempotencySystem, name: string): Promise<AnotherApi> =>
  startAnotherApi(it.system, {
    name,
    databaseUrl: `${it.system.databaseUrl}?application_name=${name}`,
    settings: it.settings,
  })

/** Resolves when the database has closed the connections of the process. */
async function untilDisconnected({ database }: IdempotencySystem, name: string): Promise<void> {
  const lateMs = performance.now() + 10_000
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity where application_name = ${name}`.execute(
      database.platform,
    )
    if (rows.length === 0) return
    if (performance.now() > lateMs)
      throw new Error(`The database still has ${rows.length} connections of ${name}.`)
  }
}
