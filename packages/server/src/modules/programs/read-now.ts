import type { AsRunEntry } from '@continuity/core/as-run/as-run'
import { ticksOf } from '@continuity/core/time/ticks'
import type { Db } from '../../platform/database/database.ts'
import type { Channel } from '../channels/index.ts'
import { type AiredDeps, airedEntries } from '../schedule/read.ts'
import { airingPrograms } from './list-programs.ts'
import type { ListedProgram } from './listed-program.ts'

export interface Now {
  readonly program: ListedProgram | null
  readonly component: AsRunEntry | null
  readonly next: ListedProgram | null
}

/** How far ahead the next program is looked for. */
const AHEAD_MS = 8 * 86_400_000

/** What a channel shows at a time, and the program after it. */
export async function readNow(
  db: Db,
  deps: Omit<AiredDeps, 'clock'>,
  channel: Channel,
  nowMs: number,
): Promise<Now> {
  const component = await findComponent(db, deps, channel, nowMs)
  const range = { fromMs: nowMs, untilMs: nowMs + AHEAD_MS, nowMs }
  let program: ListedProgram | null = null
  for await (const listed of airingPrograms(db, deps, channel, range)) {
    if (listed.state === 'ON_AIR') program = listed
    else if (listed.startMs >= nowMs || listed.state !== 'AIRED') return { program, component, next: listed }
  }
  return { program, component, next: null }
}

/** Time without a program has a component too. */
async function findComponent(
  db: Db,
  deps: Omit<AiredDeps, 'clock'>,
  channel: Channel,
  nowMs: number,
): Promise<AsRunEntry | null> {
  const nowTicks = ticksOf(nowMs)
  const aired = { ...deps, clock: () => nowMs }
  for await (const entry of airedEntries(db, aired, channel, nowMs, nowMs + 1, true)) {
    if (entry.startTicks > nowTicks) return null
    if (entry.endTicks > nowTicks && entry.segments > 0) return entry
  }
  return null
}
