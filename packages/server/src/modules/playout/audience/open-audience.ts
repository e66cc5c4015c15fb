import { randomBytes, randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type AudienceRow, encodeBatch } from '@continuity/core/audience/audience-batch'
import { type CellSources, createComponentCells } from '@continuity/core/audience/component-cells'
import type { Clock } from '../../../platform/clock/clock.ts'
import { newId } from '../../../platform/ids.ts'
import type { Logger } from '../../../platform/logger.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { tellFaults } from '../../../platform/told-faults.ts'
import { createSessionIds, type SessionIds } from '../../../platform/viewing-session-ids.ts'
import { type AudienceCounter, createAudienceCounter } from './audience-counter.ts'
import { openBatchSpool } from './batch-spool.ts'
import { type BatchSender, type SendBatch, startBatchSender } from './send-batches.ts'
import { createSessionTable } from './session-table.ts'
import { createOriginReader, type OriginRules } from './viewer-origin.ts'

export interface AudienceOptions extends CellSources, OriginRules {
  /** Of this node alone: batches that wait, and the key where none is set. */
  readonly folder: string
  /** The same on all nodes; empty: one that the node makes and keeps in its folder. */
  readonly viewingKey: string
  /** Where it does not count, its ids are signed all the same: logs of caches are counted by them. */
  readonly isCounting: boolean
  /** How often a batch is closed. */
  readonly batchMs: number
  readonly maximumSessions: number
  readonly maximumSpoolBytes: number
  readonly clock: Clock
  readonly systemClock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

/** The counting of a node's viewers, from the request to the batch that is sent. */
export interface Audience {
  readonly ids: SessionIds
  readonly counter: Pick<AudienceCounter, 'outputOf' | 'heartbeat' | 'events'>
  /** Whether who sends a request is left out by rule. */
  isExcluded(request: IncomingMessage): boolean
  /** A channel has changed. */
  forget(channelId: string): void
  /** From now on batches are sent. */
  follow(send: SendBatch): void
  /** Closes the last batch. */
  close(): Promise<void>
}

const LOOK_MS = 500

/** A clock that moved so much against the one that counts on was set. */
const JUMP_MS = 1_000

/** At 350 bytes a row at most, a batch fits into a message of NATS, which is 1 MB by default. */
const ROWS_OF_A_BATCH = 2_500

/** After so many rows others have their turn. */
const ROWS_AT_ONCE = 5_000

/** Lines that could not be written wait here; past that the oldest are lost. */
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
    .counter(
      'audience_batches_lost_total',
      'Audience batches dropped, as there was no room for them on disk.',
    )
    .series()
  metrics.gauge('audience_spool_bytes', 'Audience batches on disk that wait for the database.', spool.bytes)
  const tell = tellFaults(logger, 'an audience batch cannot be written, retrying with the next')
  let sender: BatchSender | undefined // written once, by `follow`
  let unwritten: string[] = []
  let closing = Promise.resolve()

  const closed = metrics
    .counter('audience_batches_closed_total', 'Times that what was counted was written to disk.')
    .series()
  const closeBatch = async () => {
    const closedMs = clock()
    unwritten.push(...(await linesOf(counter, closedMs)))
    if (unwritten.length === 0) return closed.add()
    const isWritten = await spool.write(unwritten, closedMs).catch((error: unknown) => {
      tell(error)
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
        'audience batches are lost: the spool is full',
      )
      unwritten = unwritten.slice(-UNWRITTEN_LINES)
    }
  }
  const closeInTurn = () => {
    closing = closing.then(closeBatch).catch(tell)
    return closing
  }
  const watchClock = createClockJumpWatch(systemClock)
  const timers = [
    setInterval(() => void closeInTurn(), options.batchMs),
    setInterval(() => {
      if (watchClock()) counter.restart(clock())
      counter.sweep(clock())
    }, LOOK_MS),
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
    forget: cells.forget,
    follow(send) {
      sender = startBatchSender({ spool, send, logger, metrics })
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await closeInTurn()
      await sender?.stop()
    },
  }
}

/** Batches of everything that was counted, each of one account. */
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

/** Tells whether the system's clock was set since the last look. */
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
  // Written only where there is none.
  await writeFile(path, made, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readFile(path, 'utf8')
}
