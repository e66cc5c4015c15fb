import { GUIDE_AHEAD_MS } from '@continuity/core/guide/planned-ahead'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { ensureDue, readDueVersion, setDueBy, setUnchanged } from '../../platform/due/due-rows.ts'
import type { AfterCommit } from '../../platform/due/sweeper.ts'
import { GUIDE_PROGRAMS_MAXIMUM, packGuide } from '../../platform/feed/guide-codec.ts'
import type { GuidePublisher } from '../../platform/feed/guide-publisher.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type Channel, findChannel } from '../channels/index.ts'
import { listProgramsBetween, type ProgramRecord } from './program-store.ts'
import { nextGuideVersion, type TimelineId } from './timeline-store.ts'

export interface GuideDeps {
  readonly database: Pick<Database, 'forAccount'>
  readonly clock: Clock
  readonly logger: Logger
  readonly guides: Pick<GuidePublisher, 'publishGuide'>
  /** Whether the feed accepted the last message. */
  readonly isFeedUp: () => boolean
}

/** Changes of a channel within this time are one message, and a channel has at most one message in it. */
const TOGETHER_MS = 10_000

/** When a guide that was not published is published again. */
const AGAIN_MS = 30_000

/** A guide is published again before nodes, which list 14 days, reach its end. */
const RENEW_MS = 6 * 3_600_000
const SPREAD_MS = 3_600_000
const REACH_MS = GUIDE_AHEAD_MS + RENEW_MS + SPREAD_MS

/** Has the guide of a channel published, in the transaction that has changed its schedule. An earlier time stays. */
export const noteGuideChange = (
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  nowMs: number,
): Promise<void> =>
  setDueBy(tx, 'publish_guide', [{ subjectId: channelId, accountId, dueMs: nowMs + TOGETHER_MS }])

/** Has the guide of a channel on the air published, unless that is due anyway. */
export const ensureGuide = (
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  nowMs: number,
): Promise<void> => ensureDue(tx, { kind: 'publish_guide', subjectId: channelId, accountId, dueMs: nowMs })

/**
 * Publishes the planned programs of a channel, after the transaction. The due row stays until that is done: a process that
 * is killed in between publishes them later. No two processes read the same channel at once, because its row is locked.
 */
export async function publishGuide(
  tx: Transaction,
  deps: GuideDeps,
  id: TimelineId,
): Promise<AfterCommit | undefined> {
  const { accountId, channelId: subjectId } = id
  const nowMs = deps.clock()
  const due = { kind: 'publish_guide', subjectId, dueMs: nowMs + AGAIN_MS } as const
  const before = await readDueVersion(tx, due)
  const channel = await findChannel(tx, accountId, id.channelId)
  const isPublished = deps.isFeedUp()
  const programs = isPublished && channel !== undefined ? await listPlanned(tx, id, nowMs) : []
  // Last, because cuts wait for the row of the timeline; before the due row, as in a change of the schedule.
  const version = await nextGuideVersion(tx, id)
  // A channel that was never started is not published.
  if (version === undefined) return undefined
  // A change since the programs were read has written the row, which then keeps its time.
  const writing = await setUnchanged(tx, due, before)
  if (!isPublished) return undefined
  return async () => {
    const guide = await packGuide(version, programs.map(programOf))
    if (guide.count < programs.length)
      deps.logger.warn(
        { channel_id: id.channelId, programs: programs.length, published: guide.count },
        'guide: too many planned programs, the last ones are left out',
      )
    await deps.guides.publishGuide(id, guide)
    const db = deps.database.forAccount(accountId)
    await setUnchanged(db, { ...due, dueMs: renewMs(channel, nowMs) }, writing)
  }
}

/** One more than the limit, so that it is noticed. */
const listPlanned = (tx: Transaction, id: TimelineId, nowMs: number): Promise<readonly ProgramRecord[]> =>
  listProgramsBetween(tx, id, nowMs, nowMs + REACH_MS, GUIDE_PROGRAMS_MAXIMUM + 1)

const programOf = ({ programId, title, description, startMs, endMs, details }: ProgramRecord) => ({
  id: programId,
  title,
  description,
  startMs,
  endMs,
  details,
})

/** That of a channel off the air is published again when it has changed or starts, and once in a while. */
function renewMs(channel: Channel | undefined, nowMs: number): number {
  if (channel === undefined || channel.status === 'OFFLINE') return nowMs + GUIDE_AHEAD_MS
  const spread = Number.parseInt(channel.channelId.slice(-4), 16) / 65_536
  return nowMs + RENEW_MS + Math.floor(spread * SPREAD_MS)
}
