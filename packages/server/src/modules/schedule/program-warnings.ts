import { layOut } from '@continuity/core/schedule/lay-out'
import type { Warning } from '@continuity/core/schedule/warning'
import { ticksOf } from '@continuity/core/time/ticks'
import type { Db } from '../../platform/database/database.ts'
import { findChannel } from '../channels/index.ts'
import { loadSlates, withItems } from './load-schedule.ts'
import { findProgram, type ProgramId } from './program-store.ts'

/** Warnings for the partner about a program whose videos are ready: what is cut, and what had to be filled. */
export async function findWarnings(db: Db, id: ProgramId): Promise<readonly Warning[]> {
  const program = await findProgram(db, id)
  if (program === undefined) return []
  const channel = await findChannel(db, id.accountId, program.channelId)
  const slates = channel && (await loadSlates(db, channel))
  if (slates === undefined) return []
  const programs = await withItems(db, id.accountId, [program])
  const { startMs, endMs } = program
  return layOut({ fromTicks: ticksOf(startMs), untilTicks: ticksOf(endMs), programs, slates }).warnings
}
