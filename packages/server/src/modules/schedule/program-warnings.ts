import { layOut } from '@continuity/core/schedule/lay-out'
import type { Warning } from '@continuity/core/schedule/warning'
import { ticksOf } from '@continuity/core/time/ticks'
import type { Db } from '../../platform/database/database.ts'
import { type Channel, findChannel } from '../channels/index.ts'
import { loadSlates, withItems } from './load-schedule.ts'
import { findProgram, listProgramsById, type ProgramId } from './program-store.ts'

/** Warnings for the partner about a program whose videos are ready: what is cut, and what had to be filled. */
export async function findWarnings(db: Db, id: ProgramId): Promise<readonly Warning[]> {
  const program = await findProgram(db, id)
  if (program === undefined) return []
  const channel = await findChannel(db, id.accountId, program.channelId)
  if (channel === undefined) return []
  return (await listWarnings(db, channel, [id.programId])).get(id.programId) ?? []
}

/** Warnings about programs of a channel that have their time slots, by program. */
export async function listWarnings(
  db: Db,
  channel: Channel,
  programIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Warning[]>> {
  if (programIds.length === 0) return new Map()
  const { accountId } = channel
  const slates = await loadSlates(db, channel)
  if (slates === undefined) return new Map()
  const records = await listProgramsById(db, accountId, programIds)
  const programs = await withItems(db, accountId, records)
  return new Map(
    programs.map((scheduled) => {
      const { id, startMs, endMs } = scheduled.program
      const window = { fromTicks: ticksOf(startMs), untilTicks: ticksOf(endMs) }
      return [id, layOut({ ...window, programs: [scheduled], slates }).warnings]
    }),
  )
}

/** A warning as text; `items` is the name of the items in the request. */
export function toReason(
  { code, item, ticks }: Warning,
  items: 'videos' | 'items',
): { readonly code: string; readonly message: string } {
  const pointer = `/${items}/${item ?? 0}`
  const seconds = (ticks / 90_000).toFixed(1)
  const messages: Readonly<Record<Warning['code'], string>> = {
    item_not_ready: `${pointer} is not ready: its time is filled until it is.`,
    item_cut: `${pointer} is cut by ${seconds} s at the end of the window: it is longer than was declared.`,
    item_left_out: `${pointer} has no room in the window: what comes before it is longer than was declared.`,
    no_filler: `${seconds} s of the window are filled with the rescue slate: the channel has no fillers.`,
  }
  return { code: `program.${code}`, message: messages[code] }
}
