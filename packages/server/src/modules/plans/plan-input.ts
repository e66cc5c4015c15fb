import type { RecordedProgram } from '@continuity/core/rules/memory'
import type { FixedProgram } from '@continuity/core/rules/plan-input'
import type { Db } from '../../platform/database/database.ts'
import { type Channel, channelAt } from '../channels/index.ts'
import { listOverlapping } from '../ingest/index.ts'
import {
  findCommittedUntil,
  findReplaceableFrom,
  listCancelledWindows,
  listProgramItems,
  listPrograms,
  type Window,
} from '../schedule/index.ts'
import type { ChannelPlan } from './plan-store.ts'

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** The longest separation of rules. */
const SEPARATION_MS = 7 * DAY_MS

/** A program that starts at the end of the range ends so much later at most. */
const LOOK_AHEAD_MS = 26 * HOUR_MS

/**
 * From reading the schedule to writing the plan, with a wait for another account's plan. A program that began earlier could
 * no longer be placed by then, and a channel off the air would lose its first one.
 */
const PLANNING_MS = 15_000

/** What is in the schedule of a channel, for the planner. */
export interface PlannedAround {
  readonly known: readonly RecordedProgram[]
  readonly fixed: readonly FixedProgram[]
  /** Requests of partners that are not placed yet. */
  readonly taken: readonly Window[]
  readonly replaceableMs: number
  /** Nothing of the channel is on the air: its first program may begin at once. */
  readonly isOffAir: boolean
}

export function isChannelOffAir(channel: Channel, nowMs: number): boolean {
  const { status } = channelAt(channel, nowMs)
  return status === 'OFFLINE' || status === 'PENDING_ON_AIR'
}

export async function readPlannedAround(
  db: Db,
  channel: Channel,
  { stateMs }: Pick<ChannelPlan, 'stateMs'>,
  toMs: number,
  nowMs: number,
): Promise<PlannedAround> {
  const programs = await listPrograms(
    db,
    channel,
    Math.min(stateMs, nowMs - SEPARATION_MS),
    Number.MAX_SAFE_INTEGER,
  )
  const isOffAir = isChannelOffAir(channel, nowMs)
  const replaceableMs = isOffAir
    ? Math.max(nowMs, await findCommittedUntil(db, channel))
    : await findReplaceableFrom(db, channel, nowMs + PLANNING_MS)
  const others = programs.filter(({ origin }) => origin !== 'RULE')
  const items = Map.groupBy(
    await listProgramItems(
      db,
      channel.accountId,
      others.map(({ programId }) => programId),
    ),
    ({ programId }) => programId,
  )
  const window = { ...channel, startMs: nowMs, endMs: toMs + LOOK_AHEAD_MS }
  const taken = (await listOverlapping(db, window)).map(({ startMs, endMs }) => ({ startMs, endMs }))
  const cancelled = await listCancelledWindows(db, channel, nowMs)
  return {
    replaceableMs,
    isOffAir,
    taken,
    known: programs.flatMap(({ rule, startMs, endMs }) =>
      rule == null || startMs < stateMs
        ? []
        : [{ start_ms: startMs, end_ms: endMs, rule: rule.id, video_id: rule.video_id, basis: rule.basis }],
    ),
    fixed: [
      ...others.map(({ programId, startMs, endMs }) => ({
        start_ms: startMs,
        end_ms: endMs,
        video_ids: (items.get(programId) ?? []).flatMap(({ videoId }) => videoId ?? []),
      })),
      ...[...taken, ...cancelled].map(({ startMs, endMs }) => ({ start_ms: startMs, end_ms: endMs })),
    ],
  }
}
