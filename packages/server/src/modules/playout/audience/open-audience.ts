import { randomBytes, randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type AudienceRow, encodeBatch } from '@continuity/core/audience/audience-batch'
import { type CellSources, createComponentCells } from '@continuity/core/audience/component-cells'
import type { Clock } from '../../../platform/clock/clock.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import { createSessionIds, type SessionIds } from '../../../platform/crypto/viewing-session-ids.ts'
import { createFaultLog } from '../../../platform/log/fault-log.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { type AudienceCounter, createAudienceCounter } from './audience-counter.ts'
import { openBatchSpool } from './batch-spool.ts'
import { type BatchSender, type SendBatch, startBatchSender } from './send-batches.ts'
import { createSessionTable } from './session-table.ts'
import { createOriginReader, type OriginRules } from './viewer-origin.ts'

export interface AudienceOptions extends CellSources, OriginRules {
  /** A folder of this node: pending batches, and the generated key if none is set. */
  readonly folder: string
  /** The same on all nodes; if empty, the node generates one and stores it in its folder. */
  readonly viewingKey: string
  /** If false, ids are signed nevertheless: access logs of caches are counted by them. */
  readonly isCounting: boolean
  /** Interval at which a batch is closed. */
  readonly batchMs: number
  readonly maximumSessions: number
  readonly maximumSpoolBytes: number
  readonly clock: Clock
  readonly systemClock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Counts a node's viewers, from the request to the batch that is sent. */
export interface Audience {
  readonly ids: SessionIds
  readonly counter: Pick<AudienceCounter, 'outputOf' | 'heartbeat' | 'events'>
  /** Whether the sender of a request is excluded by the rules. */
  isExcluded(request: IncomingMessage): boolean
  /** Evicts cached cells of a channel that has changed. */
  evict(channelId: string): void
  /** Starts sending batches. */
  follow(send: SendBatch): void
  /** Closes the last batch. */
  close(): Promise<void>
}

const SWEEP_MS = 500

/** A system clock that moved this much against the monotonic clock was set. */
const JUMP_MS = 1_000

/** At most 350 bytes a row, so that a batch fits into a NATS message, 1 MB by default. */
const ROWS_OF_A_BATCH = 2_500

/** Rows processed before yielding to the event loop. */
const ROWS_AT_ONCE = 5_000

/** Lines kept in memory if they cannot be written; above that the oldest are dropped. */
const UNWRITTEN_LINES = 1_000

const CELLS_KEPT_MS = 120_000

export async function openAudience(options: AudienceOptions): Promise<Audience> {
  const { clock, systemClock, logger, metrics } = options
  const spool = await openBatchSpool(options.folder, options.maximumSpoolBytes)
  const ids = createSessionIds(options.viewingKey === '' ? await ownKey(options.folder) : options.viewingKey)
  const cells = createComponentCells(options)
  const sessions = createSessionTable(randomInt(2 ** 32), options.maximumSessions)
  const originOf = createOriginReader(options)
  const counter = createAudienceCounter({ ids, sessions, cells, originOf, metrics })
  const lost = metrics
    .counter('audience_batches_lost_total', 'Audience batches dropped because the spool was full.')
    .series()
  metrics.gauge(
    'audience_spool_bytes',
    'Size of audience batches on disk that are not in the database yet.',
    spool.bytes,
  )
  const logFault = createFaultLog(logger, 'writing an audience batch to disk failed; retrying with the next')
  let sender: BatchSender | undefined // written once, by `follow`
  let unwritten: string[] = []
  let closing = Promise.resolve()

  const closed = metrics.counter('audience_batches_closed_total', 'Audience batches closed.').series()
  const closeBatch = async () => {
    const closedMs = clock()
    unwritten.push(...(await linesOf(counter, closedMs)))
    if (unwritten.length === 0) return closed.add()
    const isWritten = await spool.write(unwritten, closedMs).catch((error: unknown) => {
      logFault(error)
      return false
    })
    if (isWritten) {
      unwritten = []
      closed.add()
      sender?.ring()
    } else if (unwritten.length > UNWRITTEN_LINES) {
      lost.add(unwritten.length - UNWRITTEN_LINES)
      logger.error(
        { batches: unwritten.length - UNWRITTEN_LINES },
        'audience spool is full; dropping the oldest batches',
      )
      unwritten = unwritten.slice(-UNWRITTEN_LINES)
    }
  }
  const enqueueClose = () => {
    closing = closing.then(closeBatch).catch(logFault)
    return closing
  }
  const watchClock = createClockJumpWatch(systemClock)
  const timers = [
    setInterval(() => void enqueueClose(), options.batchMs),
    setInterval(() => {
      if (watchClock()) counter.restart(clock())
      counter.sweep(clock())
    }, SWEEP_MS),
    setInterval(cells.clear, CELLS_KEPT_MS),
  ]
  for (const timer of timers) timer.unref()

  return {
    ids,
    counter: {
      ...counter,
      outputOf: (channel, output) => (options.isCounting ? counter.outputOf(channel, output) : undefined),
    },
    isExcluded: (request) => originOf(request).isExcluded,
    evict: cells.drop,
    follow(send) {
      sender = startBatchSender({ spool, send, logger, metrics })
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await enqueueClose()
      await sender?.stop()
    },
  }
}

/** Everything that was counted, as batches of one account each. */
async function linesOf(counter: AudienceCounter, closedMs: number): Promise<string[]> {
  const lines: string[] = []
  const open = new Map<string, AudienceRow[]>()
  const end = (accountId: string, rows: readonly AudienceRow[]) =>
    lines.push(encodeBatch({ batchId: newId(closedMs), accountId, closedMs, rows }))
  let taken = 0
  for (const { accountId, row } of counter.take()) {
    const rows = open.get(accountId) ?? []
    open.set(accountId, rows)
    if (rows.push(row) === ROWS_OF_A_BATCH) {
      end(accountId, rows)
      open.delete(accountId)
    }
    taken += 1
    if (taken % ROWS_AT_ONCE === 0) await setImmediate()
  }
  for (const [accountId, rows] of open) end(accountId, rows)
  return lines
}

/** Returns whether the system clock was set since the last call. */
function createClockJumpWatch(systemClock: Clock): () => boolean {
  let aheadMs = systemClock() - performance.now()
  return () => {
    const nowAheadMs = systemClock() - performance.now()
    const isSet = Math.abs(nowAheadMs - aheadMs) > JUMP_MS
    aheadMs = nowAheadMs
    return isSet
  }
}

async function ownKey(folder: string): Promise<string> {
  const path = join(folder, 'viewing.key')
  const made = randomBytes(32).toString('base64url')
  // Keeps an existing key.
  await writeFile(path, made, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readFile(path, 'utf8')
}
