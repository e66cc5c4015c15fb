import { layOut } from '@continuity/core/schedule/lay-out'
import type { Warning } from '@continuity/core/schedule/warning'
import { ticksOf } from '@continuity/core/time/ticks'
import type { Db } from '../../platform/database/database.ts'
import { findChannel } from '../channels/index.ts'
import { loadSlates, withItems } from './load-schedule.ts'
import type { PackageReader } from './packages.ts'
import { findProgram, type ProgramId } from './program-store.ts'

/** What a partner should know of a program whose videos are ready: what is cut of it, and what had to be filled. */
export async function findWarnings(
  db: Db,
  packages: PackageReader,
  id: ProgramId,
): Promise<readonly Warning[]> {
  const program = await findProgram(db, id)
  if (program === undefined) return []
  const channel = await findChannel(db, id.accountId, program.channelId)
  const slates = channel && (await loadSlates(db, packages, channel))
  if (slates === undefined) return []
  const programs = await withItems(db, packages, id.accountId, [program])
  const { startMs, endMs } = program
  return layOut({ fromTicks: ticksOf(startMs), untilTicks: ticksOf(endMs), programs, slates }).warnings
}
