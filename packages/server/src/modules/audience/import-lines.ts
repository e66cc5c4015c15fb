import { createComponentCells } from '@continuity/core/audience/component-cells'
import {
  importHeartbeats,
  neededBlocks,
  type SessionChange,
} from '@continuity/core/audience/import-heartbeats'
import { holdBackMs } from '@continuity/core/audience/watched-parts'
import { createWatchedSums } from '@continuity/core/audience/watched-sums'
import { targetDurationOf } from '@continuity/core/media/house-format'
import type { Actor } from '../../platform/actor.ts'
import type { SessionIds } from '../../platform/crypto/viewing-session-ids.ts'
import { type Database, type Db, runTransaction, type Transaction } from '../../platform/database/database.ts'
import { getAccount } from '../accounts/read.ts'
import { recordAudit } from '../audit/index.ts'
import { listOutputsOf } from '../channels/index.ts'
import { loadAired, type ScheduleRouteDeps } from '../schedule/index.ts'
import { DAY_MS } from './audience-days.ts'
import { ImportBusy, TooManyChannels, ViewingKeyMissing } from './errors.ts'
import { AUDIENCE_CHANNELS } from './import-limits.ts'
import { lockImport, readBlocks, saveBlocks } from './log-block-store.ts'
import { type IgnoreReason, type LoggedSession, type LogLine, readLines } from './read-lines.ts'
import type { References } from './references.ts'
import { addRows, makeDay } from './store.ts'

export interface ImportDeps {
  readonly database: Database
  /** Undefined if VIEWING_KEY is not set. */
  readonly viewingIds: SessionIds | undefined
  readonly references: References
  readonly loadLiveView: ScheduleRouteDeps['loadLiveView']
}

export interface ImportResult {
  readonly counted: number
  readonly repeated: number
  readonly ignored: Readonly<Record<IgnoreReason, number>>
  readonly watchedMs: number
  readonly starts: number
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A session and how it changes. */
interface Changed extends SessionChange {
  readonly session: LoggedSession
}

/**
 * Counts lines of access logs, each once, however often and in whatever order they are sent. The stored heartbeats and
 * the sums change in one transaction.
 */
export async function importLines(
  deps: ImportDeps,
  actor: Actor,
  lines: readonly LogLine[],
): Promise<ImportResult> {
  const { accountId, nowMs } = actor
  if (deps.viewingIds === undefined) throw ViewingKeyMissing()
  const channelIds = [...new Set(lines.map(({ channelId }) => channelId))]
  if (channelIds.length > AUDIENCE_CHANNELS) throw TooManyChannels(channelIds.length)
  const db = deps.database.forAccount(accountId)
  // Malformed ids match no channel.
  const outputs = await listOutputsOf(
    db,
    accountId,
    channelIds.filter((channelId) => UUID.test(channelId)),
  )
  const read = readLines(lines, outputs, deps.viewingIds, nowMs)
  if (read.sessions.length === 0) {
    return { counted: 0, repeated: 0, ignored: read.ignored, watchedMs: 0, starts: 0 }
  }
  const { segmentMs } = await getAccount(db, accountId)
  const behindMs = holdBackMs(targetDurationOf(segmentMs) * 1_000)
  await makeDays(db, read.sessions, behindMs)

  const sums = await runTransaction(db, async (tx) => {
    if (!(await lockImport(tx, accountId))) throw ImportBusy()
    const changes = await changeSessions(tx, accountId, read.sessions, behindMs)
    await saveBlocks(
      tx,
      accountId,
      changes.flatMap(({ session, blocks }) => blocks.map((block) => ({ ...block, session: session.key }))),
    )
    const rows = await sumChanges(tx, deps, accountId, changes, behindMs)
    if (rows.length > 0) await addRows(tx, accountId, await deps.references.add(tx, accountId, rows))
    const counts = {
      counted: changes.reduce((sum, { heartbeats }) => sum + heartbeats, 0),
      watchedMs: rows.reduce((sum, row) => sum + row.cmcdV2Ms + row.cmcdV1Ms + row.heartbeatMs, 0),
      starts: rows.reduce((sum, row) => sum + row.starts, 0),
    }
    if (counts.counted > 0) await recordImport(tx, actor, read.sessions, counts)
    return counts
  })
  return { ...sums, repeated: read.lines - sums.counted, ignored: read.ignored }
}

/** What changed reports: who counted which hours of which channels. Lines that were counted before change nothing. */
async function recordImport(
  tx: Transaction,
  actor: Actor,
  sessions: readonly LoggedSession[],
  { counted, watchedMs, starts }: Pick<ImportResult, 'counted' | 'watchedMs' | 'starts'>,
): Promise<void> {
  const times = sessions.flatMap(({ heartbeats }) => heartbeats.map(({ atMs }) => atMs))
  const after = {
    from: new Date(times.reduce((least, atMs) => Math.min(least, atMs))).toISOString(),
    to: new Date(times.reduce((most, atMs) => Math.max(most, atMs))).toISOString(),
    linear_channel_ids: [...new Set(sessions.map(({ output }) => output.channelId))].toSorted(),
    counted,
    watched_ms: watchedMs,
    starts,
  }
  const subject = { subjectType: 'account', subjectId: actor.accountId }
  await recordAudit(tx, actor, { action: 'audience.import', ...subject, before: null, after })
}

/** Before the transaction, because creating a partition locks the table. */
async function makeDays(db: Db, sessions: readonly LoggedSession[], behindMs: number): Promise<void> {
  const days = new Set<number>()
  for (const { heartbeats, output } of sessions) {
    for (const { atMs, shiftMs } of heartbeats) {
      const watchedMs = atMs - shiftMs - output.delayMs - behindMs
      days.add(Math.floor(watchedMs / DAY_MS))
      // An interval that ends at it may have begun the day before.
      days.add(Math.floor((watchedMs - behindMs) / DAY_MS))
    }
  }
  for (const day of days) await makeDay(db, day)
}

async function changeSessions(
  tx: Transaction,
  accountId: string,
  sessions: readonly LoggedSession[],
  maxGapMs: number,
): Promise<readonly Changed[]> {
  const changes: Changed[] = []
  let open = sessions.map((session) => ({ session, missing: [] as readonly number[] }))
  while (open.length > 0) {
    const wanted = open.map(({ session, missing }) => ({
      session: session.key,
      ...neededBlocks(session.heartbeats, missing),
    }))
    const kept = await readBlocks(tx, accountId, wanted)
    const again: typeof open = []
    open.forEach(({ session, missing }, at) => {
      const { key, heartbeats, mintedMs } = session
      const rules = { maxGapMs, mintedMs }
      const change = importHeartbeats(kept.get(key) ?? new Map(), wanted[at]!.whole, heartbeats, rules)
      if (change.missing.length === 0) changes.push({ ...change, session })
      else again.push({ session, missing: [...missing, ...change.missing] })
    })
    open = again
  }
  return changes
}

/** The difference that the changes make to the sums, by what was on air. */
async function sumChanges(
  tx: Transaction,
  { loadLiveView }: Pick<ImportDeps, 'loadLiveView'>,
  accountId: string,
  changes: readonly Changed[],
  behindMs: number,
) {
  const sums = createWatchedSums()
  const changed = changes.filter(({ gone, added }) => gone.length + added.length > 0)
  for (const [channelId, ofChannel] of Map.groupBy(changed, ({ session }) => session.output.channelId)) {
    let fromMs = Number.POSITIVE_INFINITY
    let toMs = 0
    for (const { session, gone, added } of ofChannel) {
      for (const { startMs, endMs, shiftMs } of [...gone, ...added]) {
        const agoMs = shiftMs + session.output.delayMs + behindMs
        fromMs = Math.min(fromMs, startMs - agoMs)
        toMs = Math.max(toMs, endMs - agoMs)
      }
    }
    const aired = await loadAired(tx, { loadLiveView }, { accountId, channelId }, fromMs, toMs)
    if (aired === undefined) continue
    const cells = createComponentCells({ timelineAt: () => aired.timeline, live: aired.live })
    const findCell = (atMs: number) => cells.find(channelId, atMs, toMs)
    for (const { session, gone, added } of ofChannel) {
      const { distributor, delayMs } = session.output
      const output = { channelId, distributor, holdBackMs: behindMs, delayMs }
      for (const interval of gone) sums.add(output, interval, -1, findCell)
      for (const interval of added) sums.add(output, interval, 1, findCell)
    }
  }
  return sums.rows()
}
