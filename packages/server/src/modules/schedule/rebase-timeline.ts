import type { ChannelState } from '@continuity/core/feed/channel-state'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import { decodeRun } from '@continuity/core/timeline/codec/run-codec'
import { noLive } from '@continuity/core/timeline/discontinuity'
import {
  addPacked,
  type PackedRun,
  type PackedTimeline,
  unpackBetween,
} from '@continuity/core/timeline/packed'
import {
  type PlanResult,
  planContinue,
  planSchedule,
  planStart,
  planStop,
} from '@continuity/core/timeline/plan'
import { reachOf } from '@continuity/core/timeline/reach'
import { endTicksOf, type Run, type Timeline } from '@continuity/core/timeline/run'
import { skipAhead } from '@continuity/core/timeline/skip-ahead'
import type { Span } from '@continuity/core/timeline/span'
import type { Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { type Channel, findChannelLocked } from '../channels/index.ts'
import { insertAsRun } from './as-run-store.ts'
import { commitRun } from './commit-run.ts'
import { loadFeedChannel } from './feed-channel.ts'
import { deleteSteps } from './feed-store.ts'
import { type CommittedTimeline, loadTimeline } from './load-timeline.ts'
import { setOffAir } from './off-air.ts'
import { LOOKBACK_MS, loadSchedule, type PlanDeps } from './plan-channel.ts'
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

/** How the channel was last published; undefined where the stream does not hold it. */
export type ReadPublished = () => Promise<ChannelState | undefined>

/** By then every node has received the new epoch: what it lists until it does stays below the numbers skipped. */
const SKIP_MS = 300_000

/**
 * Brings the timeline of a restored channel in line with what was published, in the platform's epoch.
 *
 * Viewers have seen what the stream holds, and not what the restored rows say: so the published runs replace the restored
 * ones, and a run of the restored schedule takes over at the next boundary that no viewer can have seen. Where the stream
 * was lost too, no one knows what was published; the channel starts again with numbers above all that it can have used.
 *
 * False where the timeline is in line already.
 */
export async function rebaseTimeline(
  tx: Transaction,
  deps: PlanDeps,
  id: TimelineId,
  readPublished: ReadPublished,
): Promise<boolean> {
  const channel = await findChannelLocked(tx, id.accountId, id.channelId)
  const record = await lockTimeline(tx, id)
  if (record === undefined || record.feedEpoch === record.currentEpoch) return false
  const published = await readPublished()
  const nowMs = deps.clock()
  const inEpoch: TimelineRecord = { ...record, feedEpoch: record.currentEpoch, changedMs: null }
  const rebased =
    published === undefined
      ? await skipTimeline(tx, inEpoch, nowMs)
      : await adoptTimeline(tx, inEpoch, published, nowMs)
  await updateTimeline(tx, rebased.record)
  if (channel !== undefined) await planOn(tx, deps, channel, rebased, nowMs)
  // Nodes take a snapshot first in a new epoch; it is published after the transaction.
  await deleteSteps(tx, id, Number.MAX_SAFE_INTEGER)
  return true
}

interface Rebased {
  readonly record: TimelineRecord
  /** Where nothing of the published timeline is known, the numbers to start with. */
  readonly numbers?: ReturnType<typeof skipAhead>
}

/** Replaces the restored runs by the published ones. */
async function adoptTimeline(
  tx: Transaction,
  record: TimelineRecord,
  { version, timeline }: ChannelState,
  nowMs: number,
): Promise<Rebased> {
  const restored = await listRuns(tx, record, 0)
  const [first] = timeline.runs
  const firstNumber = first?.number ?? timeline.version + 1
  const before = restored.filter(({ number }) => number < firstNumber)
  const kept = packedOf(firstNumber - 1, before)
  const adopted = timeline.runs.reduce(addPacked, kept)

  if (first !== undefined) await voidRuns(tx, record, first.firstSequence, firstNumber)
  await voidRuns(tx, record, 0, Number.MAX_SAFE_INTEGER, firstNumber)
  await updateEnds(tx, record, endsOf(kept, adopted))
  await replaceRuns(tx, record, await withTitles(tx, record, timeline.runs, restored), nowMs)
  const aired = await closeUnknown(tx, record, first?.firstSequence ?? 0)
  const reach = reachOfPacked(timeline)
  return {
    record: {
      ...record,
      ...aired,
      version: Math.max(record.version, timeline.version),
      feedVersion: Math.max(record.feedVersion, version),
      reachMs: reach === undefined ? null : msOf(reach),
    },
  }
}

/** What ended of the runs before the published ones. */
const endsOf = (before: PackedTimeline, after: PackedTimeline): readonly PackedRun[] => {
  const known = new Map(before.runs.map((run) => [run.number, run.endSequence]))
  return after.runs.filter(
    ({ number, endSequence }) => known.has(number) && known.get(number) !== endSequence,
  )
}

function reachOfPacked({ runs, version }: PackedTimeline): number | undefined {
  const last = runs.at(-1)
  if (last === undefined) return undefined
  const unpacked = unpackBetween({ version, runs: [last] }, last.startTicks, Number.MAX_SAFE_INTEGER)
  return unpacked === undefined ? undefined : reachOf(unpacked)
}

/** Voids what was restored: none of it is known to have been published. */
async function skipTimeline(tx: Transaction, record: TimelineRecord, nowMs: number): Promise<Rebased> {
  const [first] = await listRuns(tx, record, 0)
  if (first === undefined) return { record }
  const numbers = skipAhead(first, ticksOf(nowMs + SKIP_MS))
  await voidRuns(tx, record, 0, Number.MAX_SAFE_INTEGER)
  return {
    record: { ...record, ...(await closeUnknown(tx, record, numbers.sequence)), reachMs: null },
    numbers,
  }
}

/** What was aired up to a number and is not recorded yet will never be known: the record has a gap there. */
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

/** Plans the channel on from what is published, to what the restored record says of it. */
async function planOn(
  tx: Transaction,
  deps: PlanDeps,
  channel: Channel,
  { record, numbers }: Rebased,
  nowMs: number,
): Promise<void> {
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const run = await planRun(tx, deps, channel, before, numbers, nowMs)
  const { accountId, channelId } = channel
  if (run === undefined) return
  const committed = await commitRun(tx, before, run, await loadFeedChannel(tx, channel), nowMs)
  if (channel.status === 'PENDING_OFFLINE') await setOffAir(tx, channel, committed, nowMs)
  if (channel.status === 'PENDING_ON_AIR' || channel.status === 'OFFLINE') return
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
  await setDue(tx, { kind: 'record_as_run', subjectId: channelId, accountId, dueMs: nowMs + AS_RUN_AFTER_MS })
}

const AS_RUN_AFTER_MS = 60_000

async function planRun(
  tx: Transaction,
  deps: PlanDeps,
  channel: Channel,
  { timeline }: CommittedTimeline,
  numbers: Rebased['numbers'],
  nowMs: number,
): Promise<Run | undefined> {
  const onAir = { timeline, live: noLive, nowMs }
  const isShown = isOnAir(timeline, nowMs)
  const isWanted =
    channel.status === 'ON_AIR' || (channel.status === 'PENDING_OFFLINE' && (channel.offAirMs ?? 0) > nowMs)
  // One that was ordered on the air starts from here by itself, as one that is going off does.
  if (!isWanted) return isShown ? planned(planStop(onAir)) : undefined
  const schedule = await loadSchedule(tx, deps, channel, nowMs)
  // Without slates nothing can be planned; what is published goes on, up to its rescue slate.
  if (schedule === undefined) return undefined
  if (!isShown) return planStart(onAir, schedule, numbers)
  // Of one that is about to end, no segment may be left to cut at.
  return planned(planSchedule(onAir, schedule)) ?? planned(planContinue(onAir, schedule))
}

const planned = (result: PlanResult): Run | undefined => (result.kind === 'planned' ? result.run : undefined)

function isOnAir({ runs }: Timeline, nowMs: number): boolean {
  const last = runs.at(-1)
  return last !== undefined && !(last.isEnd && endTicksOf(last) <= ticksOf(nowMs))
}

/** Published runs do not carry what their components are called: the restored rows know it, of the same run or asset. */
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
