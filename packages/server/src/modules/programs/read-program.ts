import { ticksOf } from '@continuity/core/time/ticks'
import type { Db } from '../../platform/database/database.ts'
import type { Channel } from '../channels/index.ts'
import type { StoredProgram } from '../schedule/index.ts'
import { type AiredDeps, listDeclaredEntries } from '../schedule/read.ts'
import { airingPrograms } from './list-programs.ts'
import type { ListedProgram } from './listed-program.ts'

/** Segments are longer than a program is early. */
const MARGIN_MS = 10_000

/** A program as the list has it: the last of its parts, where an override interrupted it. */
export async function readProgram(
  db: Db,
  deps: Omit<AiredDeps, 'clock'>,
  channel: Channel,
  program: StoredProgram,
  nowMs: number,
): Promise<ListedProgram> {
  const { programId, startMs, endMs } = program
  const range = { fromMs: startMs - MARGIN_MS, untilMs: endMs + MARGIN_MS, nowMs }
  let found: ListedProgram | undefined
  for await (const listed of airingPrograms(db, deps, channel, range))
    if (listed.programId === programId) found = listed
  return found ?? asScheduled(db, program, nowMs)
}

/** Not listed: its start has passed, and the channel did not show it. */
async function asScheduled(db: Db, program: StoredProgram, nowMs: number): Promise<ListedProgram> {
  const { programId, title, description, startMs, endMs } = program
  const about = { programId, title, description, startMs, endMs }
  const key = [ticksOf(startMs), programId, 'AIRING'] as const
  if (startMs >= nowMs)
    return { ...about, key, state: 'PLANNED', entries: await listDeclaredEntries(db, program) }
  return { ...about, key, state: 'FAILED', entries: [], reason: NOT_AIRED }
}

const NOT_AIRED = {
  code: 'program.not_aired',
  message: 'Its start has passed, and the channel was off air or overridden.',
}
