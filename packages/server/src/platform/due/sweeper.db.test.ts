import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { aCapturedLog, type CapturedLog } from '../../http/testing/captured-log.ts'
import type { Transaction } from '../database/database.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { clearDue, type Due, setDue } from './due-rows.ts'
import { type DueHandlers, startSweeper } from './sweeper.ts'

const { database } = await aReleasedDatabase()
const START_MS = Date.parse('2026-03-01T18:00:00Z')
const HOUR_MS = 3_600_000

type Kind = 'alarm' | 'egg'

let nowMs = START_MS
beforeEach(async () => {
  nowMs = START_MS
  await sql`delete from due_rows`.execute(database.platform)
})

const egg = (over: Partial<Due<Kind>> = {}): Due<Kind> => ({
  kind: 'egg',
  subjectId: 'one',
  accountId: undefined,
  dueMs: START_MS,
  ...over,
})

const inTransaction = (work: (tx: Transaction) => Promise<void>) =>
  database.platform.transaction().execute(work)
const set = (due: Due<Kind>) => inTransaction((tx) => setDue<Kind>(tx, due))

async function rows(): Promise<unknown[]> {
  const result = await sql`
    select kind, subject_id as "subjectId", due_ms - ${START_MS} as "inMs", failures
      from due_rows order by kind, subject_id`.execute(database.platform)
  return result.rows
}

function aSweeper(
  t: TestContext,
  handlers: Partial<DueHandlers<Kind>>,
  standing?: Kind[],
  isPaused?: () => boolean,
  urgent?: Kind[],
): { log: CapturedLog; metrics: Metrics } {
  const log = aCapturedLog()
  const metrics = createMetrics()
  const unexpected = () => Promise.reject(new Error('nothing of this kind was expected'))
  const sweeper = startSweeper<Kind>({
    handlers: { alarm: unexpected, egg: unexpected, ...handlers },
    database,
    clock: () => nowMs,
    logger: log.logger,
    metrics,
    ...(standing === undefined ? {} : { standing }),
    ...(isPaused === undefined ? {} : { isPaused }),
    ...(urgent === undefined ? {} : { urgent }),
  })
  t.after(() => sweeper.stop())
  return { log, metrics }
}

/** Polls until the condition holds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!(await isSo())) {
    assert.ok(performance.now() < endMs, 'condition not met within 60 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const untilRows = (expected: readonly unknown[]) =>
  until(async () => isDeepStrictEqual(await rows(), expected))
const untilEmpty = () => untilRows([])

test('a due row is handled once, as its account, and deleted', async (t) => {
  const seen: unknown[] = []
  const accountId = randomUUID()
  await set(egg({ accountId, dueMs: START_MS - 5 }))

  aSweeper(t, {
    egg: async (tx, due, atMs) => {
      const { rows: found } = await sql<{ id: string }>`select current_account() as id`.execute(tx)
      seen.push([due, atMs, found[0]?.id])
    },
  })
  await untilEmpty()

  assert.deepEqual(seen, [[egg({ accountId, dueMs: START_MS - 5 }), START_MS, accountId]])
})

test('rows fall due by our clock', async (t) => {
  const handled = Promise.withResolvers<number>()
  await set(egg({ dueMs: START_MS + HOUR_MS }))
  await set(egg({ kind: 'alarm' }))

  const first = Promise.withResolvers<void>()
  aSweeper(t, {
    alarm: async () => first.resolve(),
    egg: async (_tx, _due, atMs) => handled.resolve(atMs),
  })
  await first.promise
  await until(async () => (await rows()).length === 1)
  nowMs = START_MS + HOUR_MS

  assert.equal(await handled.promise, START_MS + HOUR_MS)
})

test('no row is handled while paused, including rows found before, and all are handled afterwards', async (t) => {
  let isPaused = false
  const handled: string[] = []
  // Four rows are handled concurrently, and the first of them pauses the rest.
  for (let at = 0; at < 12; at += 1) await set(egg({ subjectId: `egg-${at}`, dueMs: START_MS - 12 + at }))
  aSweeper(
    t,
    {
      egg: async (_tx, { subjectId }) => {
        isPaused = handled.length === 0 ? true : isPaused
        handled.push(subjectId)
      },
    },
    ['alarm'],
    () => isPaused,
  )
  await until(async () => handled.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  const whilePaused = handled.length

  isPaused = false
  await until(async () => handled.length === 12)

  assert.ok(whilePaused <= 4, `${whilePaused}`)
})

test('a handler that sets the next time keeps its row', async (t) => {
  await set(egg())

  aSweeper(t, { egg: async (tx, _due, atMs) => setDue<Kind>(tx, egg({ dueMs: atMs + HOUR_MS })) })

  await untilRows([{ kind: 'egg', subjectId: 'one', inMs: HOUR_MS, failures: 0 }])
})

test('a row whose handler fails is postponed, longer each time, and blocks no other', async (t) => {
  await set(egg({ subjectId: 'bad', dueMs: START_MS - 10 }))
  await set(egg({ subjectId: 'good' }))

  const { log, metrics } = aSweeper(t, {
    egg: async (tx, { subjectId }) => {
      if (subjectId === 'good') return
      await setDue<Kind>(tx, egg({ subjectId: 'half done', dueMs: START_MS + HOUR_MS }))
      throw new Error('the shell broke')
    },
  })
  await untilRows([{ kind: 'egg', subjectId: 'bad', inMs: 1_000, failures: 1 }])
  nowMs += 1_000
  await untilRows([{ kind: 'egg', subjectId: 'bad', inMs: 3_000, failures: 2 }])

  await log.find(({ failures }) => failures === 2)
  assert.match(metrics.print(), /due_rows_swept_total\{kind="egg",outcome="failed"\} 2/)
  assert.match(metrics.print(), /due_rows_swept_total\{kind="egg",outcome="done"\} 1/)
})

test('three sweepers handle each of hundreds of rows once', async (t) => {
  const seen: string[] = []
  await sql`
    insert into due_rows (kind, subject_id, due_ms)
    select 'egg', n, ${START_MS}::bigint - n from generate_series(1, 300) n`.execute(database.platform)

  for (let i = 0; i < 3; i += 1) {
    aSweeper(t, { egg: async (_tx, { subjectId }) => void seen.push(subjectId) })
  }
  await untilEmpty()

  assert.equal(seen.length, 300)
  assert.equal(new Set(seen).size, 300)
})

test('an urgent row does not wait for rows of other kinds that fell due before it', async (t) => {
  const entered = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  t.after(() => resume.resolve())
  for (let at = 0; at < 12; at += 1) await set(egg({ subjectId: `egg-${at}`, dueMs: START_MS - 12 + at }))
  const alarms: Due<string>[] = []
  const { metrics } = aSweeper(
    t,
    {
      egg: async () => {
        entered.resolve()
        await resume.promise
      },
      alarm: async (_tx, due) => void alarms.push(due),
    },
    undefined,
    undefined,
    ['alarm'],
  )
  await entered.promise

  await set(egg({ kind: 'alarm' }))
  await until(async () => (await rows()).length === 12)
  const whileOthersWait = [...alarms]
  const late = /^due_rows_late_seconds (.*)$/m.exec(metrics.print())?.[1]
  resume.resolve()
  await untilEmpty()

  assert.deepEqual(whileOthersWait, [egg({ kind: 'alarm' })])
  // Of the kind that is behind, although the urgent one is not.
  assert.equal(late, '0.012')
  assert.equal(alarms.length, 1)
})

test('a time set while the handler runs is kept', async (t) => {
  const entered = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  await set(egg())
  aSweeper(t, {
    egg: async () => {
      entered.resolve()
      await resume.promise
    },
  })
  await entered.promise

  const setting = set(egg({ dueMs: START_MS + HOUR_MS }))
  resume.resolve()
  await setting

  assert.deepEqual(await rows(), [{ kind: 'egg', subjectId: 'one', inMs: HOUR_MS, failures: 0 }])
})

test('a row that was set again has its new time and no failures; one that was cleared is gone', async () => {
  await set(egg({ subjectId: 'again' }))
  await sql`update due_rows set failures = 3`.execute(database.platform)
  await set(egg({ subjectId: 'cleared' }))

  await set(egg({ subjectId: 'again', dueMs: START_MS + 7 }))
  await inTransaction((tx) => clearDue<Kind>(tx, { kind: 'egg', subjectId: 'cleared' }))

  assert.deepEqual(await rows(), [{ kind: 'egg', subjectId: 'again', inMs: 7, failures: 0 }])
})

test('a standing kind gets its row at the first sweep, and an existing row keeps its time', async (t) => {
  await set(egg({ kind: 'alarm', subjectId: 'platform', dueMs: START_MS + 5 }))
  const handled = Promise.withResolvers<Due<string>>()

  aSweeper(t, { egg: async (_tx, due) => handled.resolve(due) }, ['alarm', 'egg'])

  assert.deepEqual(await handled.promise, egg({ subjectId: 'platform' }))
  await until(async () => (await rows()).length === 1)
  assert.deepEqual(await rows(), [{ kind: 'alarm', subjectId: 'platform', inMs: 5, failures: 0 }])
})
