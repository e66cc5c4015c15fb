import type { AsRunEntry } from '@continuity/core/as-run/as-run'
import { airingOf, continuesAiring, type ProgramAiring } from '@continuity/core/as-run/program-airing'

/** Groups entries into airings, up to the last that begins before a time. */
export async function* programAirings(
  entries: AsyncIterable<AsRunEntry>,
  untilTicks: number,
): AsyncGenerator<ProgramAiring> {
  let open: AsRunEntry[] = []
  for await (const entry of entries) {
    const last = open.at(-1)
    if (last !== undefined && continuesAiring(last, entry)) {
      open.push(entry)
      continue
    }
    if (last !== undefined) yield airingOf(open)
    open = []
    if (entry.startTicks >= untilTicks) return
    open = [entry]
  }
  if (open.length > 0) yield airingOf(open)
}
