import { isAllowed } from '@continuity/core/channels/channel-status'
import type { Media } from '@continuity/core/media/media'
import { type PlanResult, planOverride, planRescue, planSchedule } from '@continuity/core/planning/plan'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import type { OnAir } from '@continuity/core/timeline/on-air'
import type { Run } from '@continuity/core/timeline/run'
import { type Program, startOfSegment } from '@continuity/core/timeline/span'
import type { Actor } from '../../platform/actor.ts'
import { isId, newId } from '../../platform/crypto/ids.ts'
import {
  executeTogether,
  postpone,
  type Statement,
  type Transaction,
} from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { auditStatement, recordAudit } from '../audit/index.ts'
import {
  type Channel,
  ChannelNotFound,
  ChannelNotOnAir,
  ChannelNotOverridden,
  channelAt,
  type OverrideChange,
  overrideStatements,
  selectChannelLocked,
} from '../channels/index.ts'
import { type EventRecord, eventStatement } from '../events/index.ts'
import { runStatements } from './commit-run.ts'
import { FillNotReady } from './errors.ts'
import { loadFill, loadSlates } from './load-schedule.ts'
import { type CommittedTimeline, timelineOf } from './load-timeline.ts'
import { LOOKBACK_MS, loadLive, loadSchedule, type PlanDeps } from './plan-channel.ts'
import { selectRuns, selectTimelineLocked } from './timeline-store.ts'

/** A channel that was cut to something else. */
export interface Cut {
  readonly channel: Channel
  /** When playlists show the first segment of it. */
  readonly onAirMs: number
}

export interface CutDeps extends PlanDeps {
  /** Slates that were loaded for other channels of the same call, by video; the account's own has no name. */
  readonly fills?: Map<string, Media> | undefined
}

/** What the audit record contains of a cut, besides when it is on air. */
export type AuditedCut = Readonly<Record<string, string>>

export interface SourceToShow {
  readonly sourceId: string
  readonly title: string
  readonly description: string
  readonly lock: SourceLock
}

/** Executed in one round trip with the locks of the channel; `check` throws where the source cannot be shown. */
export interface SourceLock {
  readonly statement: Statement
  check(rows: readonly unknown[]): void
}

/** Cuts the channel to a live source at the next boundary, until the next cut. */
export async function overrideChannel(
  tx: Transaction,
  deps: CutDeps,
  actor: Actor,
  channelId: string,
  { sourceId, title, description, lock }: SourceToShow,
  audited: AuditedCut,
): Promise<Cut> {
  const locked = await lockOnAir(tx, deps, actor, channelId, 'override', lock)
  const { channel, onAir, nowMs } = locked
  const fill = await loadFillOnce(tx, deps, channel)
  if (fill === undefined) throw FillNotReady()
  const program: Program = { id: newId(nowMs), title, description, startMs: nowMs, endMs: null }
  const slotMs = msOf(fill.segmentTicks)
  const result = planOverride(onAir, { sourceId, slotMs, fill, program, title })
  const override = { status: 'OVERRIDDEN', sourceId, scheduledMs: null } as const
  return commitCut(tx, actor, locked, result, override, audited)
}

/** Cuts the channel to its rescue slate at the next boundary, until the next cut. */
export async function rescueChannel(
  tx: Transaction,
  deps: PlanDeps,
  actor: Actor,
  channelId: string,
): Promise<Cut> {
  const locked = await lockOnAir(tx, deps, actor, channelId, 'rescue')
  const { channel, onAir, nowMs } = locked
  const slates = await loadSlates(tx, channel)
  if (slates === undefined) throw FillNotReady()
  const { title, description } = channel
  const program: Program = { id: newId(nowMs), title, description, startMs: nowMs, endMs: null }
  const result = planRescue(onAir, slates.rescue, program)
  return commitCut(tx, actor, locked, result, { status: 'OVERRIDDEN', sourceId: null, scheduledMs: null }, {})
}

/** How much of the schedule is planned with a return; a worker plans the rest right after. */
const RETURN_AHEAD_MS = 600_000

/** Returns the channel to its schedule at the next boundary, at the point where the schedule is by then. */
export async function returnChannel(
  tx: Transaction,
  deps: PlanDeps,
  actor: Actor,
  channelId: string,
  audited: AuditedCut = {},
): Promise<Cut> {
  const locked = await lockOnAir(tx, deps, actor, channelId, 'return')
  const { channel, onAir, before, nowMs } = locked
  if (channel.overrideStatus === 'SCHEDULED') throw ChannelNotOverridden()
  // The return is committed already.
  if (channel.overrideStatus === 'NOT_STARTED') {
    const cut = { channel, onAirMs: channel.scheduledMs ?? nowMs }
    await recordAudit(tx, actor, entryOf(cut, 'return', audited))
    return cut
  }
  const schedule = await loadSchedule(tx, channel, nowMs, RETURN_AHEAD_MS)
  if (schedule === undefined) throw FillNotReady()
  const result = planSchedule(onAir, schedule)
  const scheduledMs = result.kind === 'planned' ? shownMs(result.run) : null
  // Whatever has changed in the schedule meanwhile is planned with it.
  const unchanged = { ...before, record: { ...before.record, changedMs: null } }
  const { accountId } = channel
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
  const override = { status: 'NOT_STARTED', sourceId: null, scheduledMs } as const
  return commitCut(tx, actor, { ...locked, before: unchanged }, result, override, audited)
}

type CutAction = 'override' | 'rescue' | 'return'

interface LockedOnAir {
  readonly action: CutAction
  readonly channel: Channel
  readonly before: CommittedTimeline
  readonly onAir: OnAir
  readonly nowMs: number
}

async function lockOnAir(
  tx: Transaction,
  deps: PlanDeps,
  { accountId }: Actor,
  channelId: string,
  action: CutAction,
  source?: SourceLock,
): Promise<LockedOnAir> {
  if (!isId(channelId)) throw ChannelNotFound()
  const id = { accountId, channelId }
  const locks = [
    selectChannelLocked(tx, accountId, channelId),
    selectTimelineLocked(id),
    selectRuns(id, ticksOf(deps.clock() - LOOKBACK_MS)),
  ] as const
  const [[locked], [record], runs] = await executeAfter(tx, source, locks)
  if (locked === undefined) throw ChannelNotFound()
  // Read when the locks are held: the boundary at which the cut is follows from it.
  const nowMs = deps.clock()
  const channel = channelAt(locked, nowMs)
  if (record === undefined || !isAllowed(action, channel.status)) throw ChannelNotOnAir(channel.status)
  const before = timelineOf(record, runs)
  const live = await loadLive(tx, deps, before)
  return { action, channel, before, onAir: { timeline: before.timeline, live, nowMs }, nowMs }
}

/** The source is locked before the channel, as where it is deactivated. */
async function executeAfter<const S extends readonly Statement[]>(
  tx: Transaction,
  source: SourceLock | undefined,
  statements: S,
): ReturnType<typeof executeTogether<S>> {
  if (source === undefined) return executeTogether(tx, statements)
  const [rows, ...others] = await executeTogether(tx, [source.statement, ...statements])
  source.check(rows)
  return others
}

async function commitCut(
  tx: Transaction,
  actor: Actor,
  { action, channel, before, nowMs }: LockedOnAir,
  result: PlanResult,
  override: OverrideChange,
  audited: AuditedCut,
): Promise<Cut> {
  if (result.kind === 'rejected') throw ChannelNotOnAir(channel.status)
  const now = { ...actor, nowMs }
  const run = runStatements(before, result.run, null, nowMs, PUBLISH_AFTER_MS)
  const { after, statements } = overrideStatements(tx, now, channel, override)
  const cut = { channel: after, onAirMs: shownMs(result.run) }
  await postpone(tx, [
    ...run.statements,
    ...statements,
    eventStatement(tx, now, cutEvent(cut, override)),
    auditStatement(tx, actor, entryOf(cut, action, audited)),
  ])
  return cut
}

export function cutEvent(
  { channel, onAirMs }: Cut,
  { status, sourceId }: Pick<OverrideChange, 'status' | 'sourceId'>,
): EventRecord {
  const { channelId: subjectId, title } = channel
  const data = { linear_channel_id: subjectId, title, on_air_at: new Date(onAirMs).toISOString() }
  if (status !== 'OVERRIDDEN') return { kind: 'override.ended', subjectId, data }
  return { kind: 'override.started', subjectId, data: { ...data, live_source_id: sourceId } }
}

const entryOf = ({ channel, onAirMs }: Cut, action: CutAction, audited: AuditedCut) => ({
  action: `channel.${action}`,
  subjectType: 'linear_channel',
  subjectId: channel.channelId,
  before: null,
  after: { ...audited, on_air: new Date(onAirMs).toISOString() },
})

/** The slate of a channel; read once for all channels of a call that share it. */
async function loadFillOnce(
  tx: Transaction,
  { fills }: CutDeps,
  channel: Channel,
): Promise<Media | undefined> {
  const key = channel.rescueSlateVideoId ?? ''
  const fill = fills?.get(key) ?? (await loadFill(tx, channel))
  if (fill !== undefined) fills?.set(key, fill)
  return fill
}

/** Early enough for the cut to be in time, and late enough for the caller to have published it. */
const PUBLISH_AFTER_MS = 500

/** When the first segment of a run is published. */
export const shownMs = ({ spans }: Run): number => msOf(startOfSegment(spans[0]!, 1))
