import type { Clock } from '../clock/clock.ts'
import { type Alarm, createAlarm } from '../concurrency/alarm.ts'
import { forEachConcurrent } from '../concurrency/for-each-concurrent.ts'
import { type Database, runTransaction, type Transaction } from '../database/database.ts'
import { createFaultLog } from '../log/fault-log.ts'
import type { Logger } from '../log/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type Due, type DueRow, dbOf, endDue, ensureDue, findDue, lockDue, postponeDue } from './due-rows.ts'

/**
 * Handles a due subject: short, in a transaction of its account. It enqueues a job or changes a state, and may set the
 * next time; otherwise the row is deleted. The function it returns runs after the commit, and may fail without harm.
 */
export type DueHandler = (
  tx: Transaction,
  due: Due<string>,
  nowMs: number,
) => Promise<void> | Promise<AfterCommit | undefined>

export type AfterCommit = () => Promise<void>

/** A handler for each kind: a kind without one does not compile. */
export type DueHandlers<Kind extends string> = Readonly<Record<Kind, DueHandler>>

export interface SweeperOptions<Kind extends string> {
  readonly handlers: DueHandlers<Kind>
  /** Kinds of which the platform always has one row. */
  readonly standing?: readonly Kind[]
  /** Kinds that do not wait for rows of the others, however many of those are due. */
  readonly urgent?: readonly Kind[]
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** While true nothing is looked up or handled. */
  readonly isPaused?: () => boolean
}

export interface Sweeper {
  /** Waits for the running handlers. */
  stop(): Promise<void>
}

/** With nothing due a loop costs one index lookup per interval. */
const POLL_MS = 1_000
const BATCH = 100
const AT_ONCE = 4

/** Longer than the database's statement and idle timeouts together, so that usually its own error arrives. */
const ROW_MS = 20_000

const LONGEST_PAUSE_MS = 300_000

/** Finds due rows by our clock and handles them. Every worker runs one; no row is handled by two. */
export function startSweeper<Kind extends string>(options: SweeperOptions<Kind>): Sweeper {
  const logFault = createFaultLog(options.logger, 'sweeper: could not read due rows; retrying')
  const stopping = new AbortController()

  const run = async ({ sweep, alarm }: Loop) => {
    while (!stopping.signal.aborted) {
      const isMore = await sweep().catch(logFault)
      if (isMore !== true) await alarm.wait(POLL_MS)
    }
  }
  const loops = createSweeps(options).map((sweep) => ({ sweep, alarm: createAlarm() }))
  const ran = Promise.all(loops.map(run))
  return {
    async stop() {
      stopping.abort()
      for (const { alarm } of loops) alarm.ring()
      await ran
    },
  }
}

/** One sweep over the rows that are due. Returns whether there may be more. */
type Sweep = () => Promise<boolean>

interface Loop {
  readonly sweep: Sweep
  readonly alarm: Alarm
}

/** The sweep of the urgent kinds, and that of all others. */
function createSweeps<Kind extends string>(options: SweeperOptions<Kind>): readonly Sweep[] {
  const { database, clock, logger, metrics } = options
  const handlers = options.handlers as DueHandlers<string>
  const urgent: readonly string[] = options.urgent ?? []
  const others = Object.keys(handlers).filter((kind) => !urgent.includes(kind))
  const swept = metrics.counter('due_rows_swept_total', 'Due rows handled, by outcome.')
  const groups = [urgent, others].filter((kinds) => kinds.length > 0)
  const lateMs = groups.map(() => 0)
  metrics.gauge(
    'due_rows_late_seconds',
    'Age of the oldest due row at the last sweep.',
    () => Math.max(...lateMs) / 1_000,
  )
  let hasStanding = options.standing === undefined

  const isPaused = options.isPaused ?? (() => false)

  const sweepRow = async (row: DueRow, nowMs: number): Promise<void> => {
    if (isPaused()) return
    const { kind, subjectId } = row
    try {
      const result = await within(ROW_MS, handleRow(database, handlers[kind]!, row, nowMs))
      if (result === undefined) return
      swept.series({ kind, outcome: 'done' }).add()
      await result
        .after?.()
        .catch((error: unknown) =>
          logger.warn(
            { err: error, kind, subject_id: subjectId },
            'sweeper: the after-commit step of a due row failed',
          ),
        )
    } catch (error) {
      swept.series({ kind, outcome: 'failed' }).add()
      logger.error(
        { err: error, kind, subject_id: subjectId, failures: row.failures + 1 },
        'sweeper: the handler of a due row failed; postponed',
      )
      await postponeDue(database.platform, row, nowMs + pauseMs(row.failures))
    }
  }

  return groups.map((kinds, at) => async () => {
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
    lateMs[at] = rows[0] === undefined ? 0 : nowMs - rows[0].dueMs
    await forEachConcurrent(rows, AT_ONCE, (row) => sweepRow(row, nowMs))
    return rows.length === BATCH && !isPaused()
  })
}

async function handleRow(
  database: Database,
  handler: DueHandler,
  row: DueRow,
  nowMs: number,
): Promise<{ readonly after: AfterCommit | undefined } | undefined> {
  const { kind, subjectId, accountId, dueMs } = row
  return runTransaction(dbOf(database, accountId), async (tx) => {
    const version = await lockDue(tx, row)
    if (version === undefined) return undefined
    const after = await handler(tx, { kind, subjectId, accountId, dueMs }, nowMs)
    await endDue(tx, row, version)
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
