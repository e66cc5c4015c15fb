import { msOf, ticksOf } from '@continuity/core/time/ticks'
import type { Db } from '../../platform/database/database.ts'
import type { Channel } from '../channels/index.ts'
import { type FailedProgram, listFailedPrograms } from '../ingest/read.ts'
import { type AiredDeps, airedEntries, NO_END, programAirings } from '../schedule/read.ts'
import { airingState, type ListedProgram, type ProgramKey } from './listed-program.ts'

export interface ProgramRange {
  readonly fromMs: number
  readonly untilMs: number
  readonly nowMs: number
}

/** More than a partner that submits a failing program again every two minutes of the range. */
const FAILED_MAXIMUM = 10_000

export interface ProgramList {
  /** Those after the key, in order, and at most as many as were wanted. */
  readonly programs: readonly ListedProgram[]
  readonly total: number
}

/** A page of the programs of a channel in a range. All of them are read, because they are counted as well. */
export async function listPrograms(
  db: Db,
  deps: Omit<AiredDeps, 'clock'>,
  channel: Channel,
  range: ProgramRange,
  after: ProgramKey | undefined,
  most: number,
): Promise<ProgramList> {
  const programs: ListedProgram[] = []
  let total = 0
  for await (const program of programsIn(db, deps, channel, range)) {
    total += 1
    if (programs.length < most && (after === undefined || compareKeys(after, program.key) < 0))
      programs.push(program)
  }
  return { programs, total }
}

/** In the order of their keys: what airs, and what failed. */
async function* programsIn(
  db: Db,
  deps: Omit<AiredDeps, 'clock'>,
  channel: Channel,
  range: ProgramRange,
): AsyncGenerator<ListedProgram> {
  const { fromMs, untilMs } = range
  const failed = (await listFailedPrograms(db, channel, fromMs, untilMs, FAILED_MAXIMUM)).map(failedOf)
  let at = 0
  for await (const program of airingPrograms(db, deps, channel, range)) {
    while (at < failed.length && compareKeys(failed[at]!.key, program.key) < 0) yield failed[at++]!
    yield program
  }
  yield* failed.slice(at)
}

/** The programs of a channel that aired, are on air or are scheduled. */
export async function* airingPrograms(
  db: Db,
  deps: Omit<AiredDeps, 'clock'>,
  channel: Channel,
  { fromMs, untilMs, nowMs }: ProgramRange,
): AsyncGenerator<ListedProgram> {
  const fromTicks = ticksOf(fromMs)
  const aired = { ...deps, clock: () => nowMs }
  const entries = airedEntries(db, aired, channel, fromMs, untilMs, true)
  for await (const airing of programAirings(entries, ticksOf(untilMs))) {
    const { program, startTicks, endTicks } = airing
    // What has no end is not expected to last to any later time.
    const lastTicks = endTicks === NO_END ? Math.max(startTicks, ticksOf(nowMs)) + 1 : endTicks
    if (program === null || lastTicks <= fromTicks) continue
    const state = airingState(airing, nowMs)
    // A program of a channel that is off air, or covered by an override, is not going to start any more.
    if (state === 'MISSED') continue
    const { id: programId, title, description } = program
    const key: ProgramKey = [startTicks, programId, 'AIRING']
    yield { key, programId, title, description, state, ...timesOf(airing, state), entries: airing.entries }
  }
}

/** Placements are on segment boundaries, so that a program begins and ends this near to its window. */
const NEAR_MS = 6_400

/** What has begun has the times at which it airs, what is to come those of its window. */
function timesOf(
  { program, startTicks, endTicks }: Parameters<typeof airingState>[0],
  state: ListedProgram['state'],
): Pick<ListedProgram, 'startMs' | 'endMs'> {
  const startMs = msOf(startTicks)
  const endMs = endTicks === NO_END ? null : msOf(endTicks)
  if (program === null || program.endMs === null || endMs === null || state === 'AIRED' || state === 'ON_AIR')
    return { startMs, endMs }
  return { startMs: nearest(program.startMs, startMs), endMs: nearest(program.endMs, endMs) }
}

/** Part of a program that an override interrupts is far from one of the ends of its window. */
const nearest = (windowMs: number, airedMs: number): number =>
  Math.abs(airedMs - windowMs) <= NEAR_MS ? windowMs : airedMs

const failedOf = ({ reason, ...program }: FailedProgram): ListedProgram => ({
  ...program,
  key: [ticksOf(program.startMs), program.programId, 'FAILED'],
  state: 'FAILED',
  entries: [],
  reason,
})

function compareKeys(one: ProgramKey, other: ProgramKey): number {
  for (const [at, value] of one.entries()) {
    const its = other[at]!
    if (value !== its) return value < its ? -1 : 1
  }
  return 0
}
