import { type BreakEntry, type BreakLog, breakMs } from '@continuity/core/live/break-log'
import { type SlotLog, settledLog } from '@continuity/core/live/slot-log'
import { receptionOf } from '@continuity/core/live/source-state'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import {
  breakSubject,
  LIVE_LOG_STREAM,
  LOG_KEPT_MS,
  logSubject,
} from '../../platform/live-bus/live-streams.ts'
import { publishAfter, readLast } from '../../platform/live-bus/publish-after.ts'
import { hourOf } from '../../platform/live-bus/slot-folder.ts'
import { recordEvent } from '../events/index.ts'
import { type InputLog, listBreaks, listLogs, saveBreaks, saveLog } from './log-store.ts'
import { lockSweptHour, updateSweptHour } from './store.ts'
import type { SourceId } from './sync-source.ts'

/** Copy interval of a log that is being written. */
const RECEIVED_MS = 30_000
const IDLE_MS = 3_600_000
const RETRY_MS = 5_000

/** Hours whose segments are deleted per run: a platform that was down for days catches up over the next runs. */
const HOURS_AT_ONCE = 24

type FoundLog = Omit<InputLog, 'sourceId'>

/**
 * Copies the logs and breaks of a source from the bus into the database, publishes them again if the bus has lost
 * them, and enqueues the deletion of segments that are too old to be requested.
 */
export async function keepLog(tx: Transaction, bus: Bus, id: SourceId, nowMs: number): Promise<void> {
  const runAgain = (inMs: number) =>
    setDue(tx, {
      kind: 'live_log',
      subjectId: id.sourceId,
      accountId: id.accountId,
      dueMs: nowMs + inMs,
    })
  // Read before taking locks: the bus may be slow.
  const found = await readBus(bus, id.sourceId).catch(() => undefined)
  if (found === undefined) return runAgain(RETRY_MS)
  const source = await lockSweptHour(tx, id.accountId, id.sourceId)
  if (source === undefined) return
  const known = await listLogs(tx, id.accountId, [id.sourceId])
  const [breaks] = await listBreaks(tx, id.accountId, [id.sourceId])
  for (const log of found.logs)
    await saveLog(
      tx,
      id,
      known.find(({ input }) => input === log.input),
      log,
    )
  if (found.breaks !== undefined) {
    await saveBreaks(tx, id, found.breaks)
    await recordCueBreaks(tx, id, breaks, found.breaks, nowMs)
  }
  await refill(bus, id, found, { logs: known, breaks }, nowMs)
  const sweptHour = await sweepHours(tx, id, source.sweptHour, nowMs)
  const isReceived = receptionOf(source.state, source.alwaysKeepReceiverActive) === 'receive'
  if (isReceived && !source.isDeleted) return runAgain(RECEIVED_MS)
  const lastMs = Math.max(0, ...[...known, ...found.logs].map(({ storedMs }) => storedMs))
  if (hourOf(lastMs) >= sweptHour) return runAgain(IDLE_MS)
}

interface Kept {
  readonly logs: readonly FoundLog[]
  readonly breaks: BreakLog | undefined
}

async function readBus(bus: Bus, sourceId: string): Promise<Kept> {
  const read = (subject: string) => readLast(bus, LIVE_LOG_STREAM, subject)
  const [first, second, breaks] = await Promise.all([
    read(logSubject({ sourceId, input: 0 })),
    read(logSubject({ sourceId, input: 1 })),
    read(breakSubject(sourceId)),
  ])
  const logs = [first, second].flatMap((message, at) =>
    message === null
      ? []
      : [
          {
            input: at === 1 ? (1 as const) : (0 as const),
            log: message.json<SlotLog>(),
            storedMs: message.time.getTime(),
          },
        ],
  )
  return { logs, breaks: breaks?.json<BreakLog>() }
}

/** Breaks inserted through the API are recorded by the request; those from the source's playlist here. */
async function recordCueBreaks(
  tx: Transaction,
  { accountId, sourceId }: SourceId,
  known: BreakLog | undefined,
  { version, breaks, slotMs }: BreakLog,
  nowMs: number,
): Promise<void> {
  if (known?.version === version) return
  const record = (
    kind: 'ad_break.inserted' | 'ad_break.ended',
    data: { readonly begins: string; readonly duration: number },
  ) =>
    recordEvent(
      tx,
      { accountId, userId: null, requestId: null, nowMs },
      {
        kind,
        subjectId: sourceId,
        data: { live_source_id: sourceId, origin: 'MANIFEST', ...data },
      },
    )
  for (const entry of breaks) {
    const before = known?.breaks.findLast(({ key }) => key === entry.key)
    if (entry.origin !== 'MANIFEST' || before?.endSlot === entry.endSlot) continue
    const begins = new Date(entry.firstSlot * slotMs).toISOString()
    const planned = { ...entry, endSlot: entry.firstSlot + entry.plannedSlots }
    const secondsOf = (it: BreakEntry) => Math.ceil(breakMs(it, slotMs) / 1_000)
    if (before === undefined) await record('ad_break.inserted', { begins, duration: secondsOf(planned) })
    if (entry.endSlot !== planned.endSlot)
      await record('ad_break.ended', { begins, duration: secondsOf(entry) })
  }
}

/** Publishes only to empty subjects: what a receiver has written since is newer than the copy. */
async function refill(
  bus: Bus,
  { sourceId }: SourceId,
  found: Kept,
  known: Kept,
  nowMs: number,
): Promise<void> {
  const publish = (subject: string, value: object) =>
    publishAfter(bus, subject, JSON.stringify(value), 0).catch(() => undefined)
  for (const log of known.logs) {
    const isPublished = found.logs.some(({ input }) => input === log.input)
    if (isPublished || log.storedMs < nowMs - LOG_KEPT_MS) continue
    await publish(logSubject({ sourceId, input: log.input }), settledLog(log))
  }
  if (found.breaks === undefined && known.breaks !== undefined) {
    const { version, slotMs, breaks } = known.breaks
    await publish(breakSubject(sourceId), { version, slotMs, breaks })
  }
}

async function sweepHours(
  tx: Transaction,
  { accountId, sourceId }: SourceId,
  sweptHour: number | null,
  nowMs: number,
): Promise<number> {
  const from = sweptHour ?? hourOf(nowMs)
  const until = Math.min(Math.max(from, hourOf(nowMs - LOG_KEPT_MS)), from + HOURS_AT_ONCE)
  for (let hour = from; hour < until; hour += 1) {
    await enqueue(
      tx,
      'delete_live_segments',
      { live_source_id: sourceId, hour },
      { accountId, requestId: undefined },
    )
  }
  if (until !== sweptHour) await updateSweptHour(tx, accountId, sourceId, until)
  return until
}
