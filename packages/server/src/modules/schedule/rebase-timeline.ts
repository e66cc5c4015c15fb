import type { ChannelState } from '@continuity/core/feed/channel-state'
import {
  type PlanResult,
  planContinue,
  planSchedule,
  planStart,
  planStop,
} from '@continuity/core/planning/plan'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import {
  addPacked,
  type PackedRun,
  type PackedTimeline,
  unpackBetween,
} from '@continuity/core/timeline/codec/packed'
import { decodeRun } from '@continuity/core/timeline/codec/run-codec'
import { plannedUntil } from '@continuity/core/timeline/planned-until'
import { endTicksOf, type Run, type Timeline } from '@continuity/core/timeline/run'
import { skipAhead } from '@continuity/core/timeline/skip-ahead'
import type { Span } from '@continuity/core/timeline/span'
import { platformActor } from '../../platform/actor.ts'
import { executeTogether, type Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { type Channel, changeStatus, findChannelLocked, type OverrideChange } from '../channels/index.ts'
import { insertAsRun } from './as-run-store.ts'
import { commitRun } from './commit-run.ts'
import { loadFeedChannel } from './feed-channel.ts'
import { deleteUpdates } from './feed-store.ts'
import { type CommittedTimeline, loadTimeline } from './load-timeline.ts'
import { setOffAir } from './off-air.ts'
import { LOOKBACK_MS, loadLive, loadSchedule, type PlanDeps } from './plan-channel.ts'
import { listAiredItems } from './program-store.ts'
import {
  type AiringTitle,
  listRuns,
  lockTimeline,
  packedOf,
  replaceRuns,
  type StoredRun,
  type TimelineId,
  type TimelineRecord,
  updateEnds,
  updateTimeline,
  voidRuns,
} from './timeline-store.ts'

/** By then every node has received the new epoch: what it lists until then is below the skipped numbers. */
const SKIP_MS = 300_000

/**
 * Brings the timeline of a restored channel in line with what was published, in the platform's epoch.
 *
 * Viewers have seen what the stream holds, and not what the restored rows contain: so the published runs replace the
 * restored ones, and a run of the restored schedule takes over half a minute later. Where the stream was lost too, it is
 * unknown what was published; the channel starts again with numbers above all that it can have used.
 */
export async function rebaseTimeline(
  tx: Transaction,
  deps: PlanDeps,
  id: TimelineId,
  /** As it was last published; undefined where the stream does not hold it. */
  published: ChannelState | undefined,
): Promise<void> {
  const channel = await findChannelLocked(tx, id.accountId, id.channelId)
  const record = await lockTimeline(tx, id)
  if (record === undefined || record.feedEpoch === record.currentEpoch) return
  const nowMs = deps.clock()
  const inEpoch = { ...record, feedEpoch: record.currentEpoch, isInLine: true, changedMs: null }
  const rebased =
    published === undefined
      ? await skipTimeline(tx, inEpoch, channel, nowMs)
      : await adoptTimeline(tx, inEpoch, published, nowMs)
  await updateTimeline(tx, rebased)
  if (channel !== undefined) await planOn(tx, deps, channel, rebased, nowMs)
  // Nodes take a snapshot first in a new epoch; it is published after the transaction.
  await deleteUpdates(tx, id, Number.MAX_SAFE_INTEGER)
  // Also of a channel that is off the air by now: what it has aired since the backup is not recorded yet.
  const { accountId, channelId } = id
  await setDue(tx, { kind: 'record_as_run', subjectId: channelId, accountId, dueMs: nowMs + AS_RUN_AFTER_MS })
}

/** Replaces the restored runs by the published ones. */
async function adoptTimeline(
  tx: Transaction,
  record: TimelineRecord,
  { version, timeline }: ChannelState,
  nowMs: number,
): Promise<TimelineRecord> {
  const restored = await listRuns(tx, record, 0)
  const [first] = timeline.runs
  const firstNumber = first?.number ?? timeline.version + 1
  const before = restored.filter(({ number }) => number < firstNumber)
  const kept = packedOf(firstNumber - 1, before)
  const adopted = timeline.runs.reduce(addPacked, kept)

  await executeTogether(tx, [
    ...(first === undefined ? [] : [voidRuns(record, first.firstSequence, firstNumber)]),
    voidRuns(record, 0, Number.MAX_SAFE_INTEGER, firstNumber),
    ...updateEnds(record, endsOf(kept, adopted)),
  ])
  await replaceRuns(tx, record, await withTitles(tx, record, timeline.runs, restored), nowMs)
  const aired = await closeUnknown(tx, record, first?.firstSequence ?? 0)
  const untilTicks = plannedUntilOfPacked(timeline)
  return {
    ...record,
    ...aired,
    version: Math.max(record.version, timeline.version),
    feedVersion: Math.max(record.feedVersion, version),
    plannedUntilMs: untilTicks === undefined ? null : msOf(untilTicks),
  }
}

/** Runs before the published ones whose end has changed. */
const endsOf = (before: PackedTimeline, after: PackedTimeline): readonly PackedRun[] => {
  const known = new Map(before.runs.map((run) => [run.number, run.endSequence]))
  return after.runs.filter(
    ({ number, endSequence }) => known.has(number) && known.get(number) !== endSequence,
  )
}

function plannedUntilOfPacked({ runs, version }: PackedTimeline): number | undefined {
  const last = runs.at(-1)
  if (last === undefined) return undefined
  const unpacked = unpackBetween({ version, runs: [last] }, last.startTicks, Number.MAX_SAFE_INTEGER)
  return unpacked === undefined ? undefined : plannedUntil(unpacked)
}

/** Voids what was restored: none of it is known to have been published. */
async function skipTimeline(
  tx: Transaction,
  record: TimelineRecord,
  channel: Channel | undefined,
  nowMs: number,
): Promise<TimelineRecord> {
  const [first] = await listRuns(tx, record, 0)
  // One that has no run in the backup may have been started since, but not before it was created.
  const unknown = { firstSequence: 0, discontinuity: 0, startTicks: ticksOf(channel?.createdMs ?? nowMs) }
  const skipTo = skipAhead(first ?? unknown, ticksOf(nowMs + SKIP_MS))
  await executeTogether(tx, [voidRuns(record, 0, Number.MAX_SAFE_INTEGER)])
  const aired = await closeUnknown(tx, record, skipTo.sequence)
  return { ...record, ...aired, plannedUntilMs: null, skipTo }
}

/** What was aired up to a number and is not recorded yet is unknown: the record has a gap there. */
async function closeUnknown(
  tx: Transaction,
  record: TimelineRecord,
  sequence: number,
): Promise<Pick<TimelineRecord, 'recordedSequence' | 'openEntry'>> {
  const { recordedSequence, openEntry } = record
  if (recordedSequence >= sequence) return { recordedSequence, openEntry }
  if (openEntry !== null) await insertAsRun(tx, record, [openEntry])
  return { recordedSequence: sequence, openEntry: null }
}

/** Plans the channel from what is published on, by its restored schedule and status. */
async function planOn(
  tx: Transaction,
  deps: PlanDeps,
  channel: Channel,
  record: TimelineRecord,
  nowMs: number,
): Promise<void> {
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const isShown = isOnAir(before.timeline, nowMs)
  const status = statusOf(channel, isShown, nowMs)
  const override = isShown ? overrideIn(before.timeline) : undefined
  // The last command of an operator is on air, whether it is in the backup or not.
  if (status === 'ON_AIR' && override !== undefined) return keepOverride(tx, channel, override, nowMs)
  const run = await planRun(tx, deps, channel, before, { status, isShown }, nowMs)
  if (run === undefined) return
  const { accountId, channelId } = channel
  const committed = await commitRun(tx, before, run, await loadFeedChannel(tx, channel), nowMs)
  if (status === 'PENDING_OFFLINE') await setOffAir(tx, channel, committed, nowMs)
  if (status !== 'ON_AIR') return
  // One whose start was pending when the backup was made has been started since, and one that was overridden returned.
  if (channel.status !== 'ON_AIR' || channel.overrideStatus === 'OVERRIDDEN') {
    const started = { status: 'ON_AIR', offAirMs: null, override: FOLLOWING } as const
    await changeStatus(tx, platformActor(accountId, nowMs), channel, started)
  }
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
}

/** What overrides the channel at the end of a timeline: a live source, or its rescue slate. */
function overrideIn(timeline: Timeline): OverrideChange | undefined {
  if (plannedUntil(timeline) !== undefined) return undefined
  const show = timeline.runs.at(-1)!.spans.at(-1)!.show
  return { status: 'OVERRIDDEN', sourceId: show.kind === 'live' ? show.sourceId : null, scheduledMs: null }
}

async function keepOverride(
  tx: Transaction,
  channel: Channel,
  override: OverrideChange,
  nowMs: number,
): Promise<void> {
  const { accountId, channelId } = channel
  const change = { status: 'ON_AIR', offAirMs: null, override } as const
  await changeStatus(tx, platformActor(accountId, nowMs), channel, change)
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
}

const FOLLOWING = { status: 'SCHEDULED', sourceId: null, scheduledMs: null } as const

const AS_RUN_AFTER_MS = 60_000

/** The status that the channel gets: on the air, about to go off, or off the air. */
function statusOf(
  { status, offAirMs }: Channel,
  isShown: boolean,
  nowMs: number,
): 'ON_AIR' | 'PENDING_OFFLINE' | 'OFFLINE' {
  if (status === 'ON_AIR' || (status === 'PENDING_ON_AIR' && isShown)) return 'ON_AIR'
  return status === 'PENDING_OFFLINE' && (offAirMs ?? 0) > nowMs ? 'PENDING_OFFLINE' : 'OFFLINE'
}

/** In time for every node, also where this worker is killed before it has published the run and another one does. */
const TAKEOVER_MS = 30_000

async function planRun(
  tx: Transaction,
  deps: PlanDeps,
  channel: Channel,
  before: CommittedTimeline,
  { status, isShown }: { readonly status: ReturnType<typeof statusOf>; readonly isShown: boolean },
  nowMs: number,
): Promise<Run | undefined> {
  const { timeline, record } = before
  const onAir = { timeline, live: await loadLive(tx, deps, before), nowMs }
  if (status === 'OFFLINE') return isShown ? planned(planStop(onAir)) : undefined
  const schedule = await loadSchedule(tx, channel, nowMs)
  if (schedule === undefined) {
    // What is published continues, up to its rescue slate. Where it is unknown, nodes keep what they have meanwhile.
    if (isShown) return undefined
    throw new Error(`the slates of channel ${channel.channelId} are not ready`)
  }
  if (!isShown) return planStart(onAir, schedule, record.skipTo ?? undefined)
  return (
    planned(planSchedule(onAir, schedule, nowMs + TAKEOVER_MS)) ??
    planned(planSchedule(onAir, schedule)) ??
    // Of one that is about to end, no segment may be left to cut at.
    planned(planContinue(onAir, schedule))
  )
}

const planned = (result: PlanResult): Run | undefined => (result.kind === 'planned' ? result.run : undefined)

function isOnAir({ runs }: Timeline, nowMs: number): boolean {
  const last = runs.at(-1)
  return last !== undefined && !(last.isEnd && endTicksOf(last) <= ticksOf(nowMs))
}

/** Published runs do not contain the titles of their components: the restored rows have them, of the same run or asset. */
async function withTitles(
  tx: Transaction,
  { accountId }: TimelineId,
  published: readonly PackedRun[],
  restored: readonly StoredRun[],
): Promise<readonly StoredRun[]> {
  const known = new Map(restored.map((run) => [run.number, run]))
  const spansOf = (run: PackedRun) => decodeRun(run.bytes)?.spans ?? []
  const isKnown = (run: PackedRun) => isSame(known.get(run.number)?.bytes, run.bytes)
  const assetIds = published.filter((run) => !isKnown(run)).flatMap((run) => spansOf(run).flatMap(assetOf))
  const items = await listAiredItems(tx, accountId, [...new Set(assetIds)])
  const titleOf = (span: Span): AiringTitle => {
    const item = span.airing.type === 'SLATE' ? undefined : items.get(assetOf(span)[0] ?? '')
    return [item?.videoId ?? null, item?.title ?? '']
  }
  return published.map((run) => ({
    ...run,
    airings: isKnown(run) ? known.get(run.number)!.airings : spansOf(run).map(titleOf),
  }))
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one !== undefined && Buffer.compare(one, other) === 0

/** `assets/{account}/{asset}/{package}`, see `Media`. */
function assetOf({ show }: Span): string[] {
  const assetId = show.kind === 'asset' ? show.media.path.split('/')[2] : undefined
  return assetId !== undefined && UUID.test(assetId) ? [assetId] : []
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
