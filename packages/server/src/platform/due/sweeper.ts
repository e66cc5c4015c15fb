import { createAlarm } from '../alarm.ts'
import type { Clock } from '../clock/clock.ts'
import { type Database, runTransaction, type Transaction } from '../database/database.ts'
import { forEachConcurrent } from '../for-each-concurrent.ts'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import { tellFaults } from '../told-faults.ts'
import { type Due, type DueRow, dbOf, endDue, ensureDue, findDue, holdDue, postponeDue } from './due-rows.ts'

/**
 * What is done when a subject falls due: short, in the transaction of its account.
 * It leaves a job or changes a state, and may set the next time; without one the
 * row is gone. What it gives is done after the transaction, and may fail without harm.
 */
export type DueHandler = (
  tx: Transaction,
  due: Due<string>,
  nowMs: number,
) => Promise<void> | Promise<AfterCommit>

export type AfterCommit = () => Promise<void>

/** A handler for each kind: a kind without one does not compile. */
export type DueHandlers<Kind extends string> = Readonly<Record<Kind, DueHandler>>

export interface SweeperOptions<Kind extends string> {
  readonly handlers: DueHandlers<Kind>
  /** Kinds of which the platform always has one row. */
  readonly standing?: readonly Kind[]
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** While it is so nothing is looked up or handled. */
  readonly isPaused?: () => boolean
}

export interface Sweeper {
  /** Lets what runs end. */
  stop(): Promise<void>
}

/** With nothing due this is all that a sweeper costs: one look at an index a second. */
const LOOK_MS = 1_000
const BATCH = 100
const AT_ONCE = 4

/** More than the database allows a transaction to idle and a statement to take, so that most often it speaks first. */
const ROW_MS = 20_000

const LONGEST_PAUSE_MS = 300_000

/** Looks for what is due, on our clock, and sees to it. Every worker has one; no row is handled by two. */
export function startSweeper<Kind extends string>(options: SweeperOptions<Kind>): Sweeper {
  const alarm = createAlarm()
  const tell = tellFaults(options.logger, 'what is due cannot be looked up')
  const sweep = createSweep(options)
  const stopping = new AbortController()

  const run = async () => {
    while (!stopping.signal.aborted) {
      const isMore = await sweep().catch(tell)
      if (isMore !== true) await alarm.wait(LOOK_MS)
    }
  }
  const ran = run()
  return {
    async stop() {
      stopping.abort()
      alarm.ring()
      await ran
    },
  }
}

/** One look, and all that it finds. Tells whether there may be more. */
function createSweep<Kind extends string>(options: SweeperOptions<Kind>): () => Promise<boolean> {
  const { database, clock, logger, metrics } = options
  const handlers = options.handlers as DueHandlers<string>
  const kinds = Object.keys(handlers)
  const swept = metrics.counter('due_rows_swept_total', 'Rows that fell due, by how that went.')
  let lateMs = 0
  metrics.gauge(
    'due_rows_late_seconds',
    'How late the oldest row was at the last look.',
    () => lateMs / 1_000,
  )
  let hasStanding = options.standing === undefined

  const isPaused = options.isPaused ?? (() => false)

  const sweepRow = async (row: DueRow, nowMs: number): Promise<void> => {
    if (isPaused()) return
    const { kind, subjectId } = row
    try {
      const carried = await within(ROW_MS, carryOut(database, handlers[kind]!, row, nowMs))
      if (carried === undefined) return
      swept.series({ kind, outcome: 'done' }).add()
      await carried
        .after?.()
        .catch((error: unknown) =>
          logger.warn({ err: error, kind, subject_id: subjectId }, 'what follows what fell due failed'),
        )
    } catch (error) {
      swept.series({ kind, outcome: 'failed' }).add()
      logger.error(
        { err: error, kind, subject_id: subjectId, failures: row.failures + 1 },
        'what fell due failed',
      )
      await postponeDue(database.platform, row, nowMs + pauseMs(row.failures))
    }
  }

  return async () => {
    if (isPaused()) return false
    const nowMs = clock()
    if (!hasStanding) {
      for (const kind of options.standing ?? []) {
        await ensureDue(database.platform, {
          kind,
          subjectId: 'platform',
          accountId: undefined,
          dueMs: nowMs,
        })
      }
      hasStanding = true
    }
    const rows = await findDue(database.platform, kinds, nowMs, BATCH)
    lateMs = rows[0] === undefined ? 0 : nowMs - rows[0].dueMs
    await forEachConcurrent(rows, AT_ONCE, (row) => sweepRow(row, nowMs))
    return rows.length === BATCH && !isPaused()
  }
}

async function carryOut(
  database: Database,
  handler: DueHandler,
  row: DueRow,
  nowMs: number,
): Promise<{ readonly after: AfterCommit | undefined } | undefined> {
  const { kind, subjectId, accountId, dueMs } = row
  return runTransaction(dbOf(database, accountId), async (tx) => {
    const writing = await holdDue(tx, row)
    if (writing === undefined) return undefined
    const after = await handler(tx, { kind, subjectId, accountId, dueMs }, nowMs)
    await endDue(tx, row, writing)
    return { after: typeof after === 'function' ? after : undefined }
  })
}

const pauseMs = (failures: number) => Math.min(1_000 * 2 ** failures, LONGEST_PAUSE_MS)

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`not done within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
