import type { ClockControl } from '@continuity/dev/clock-control'
import type { Draw } from '../draw.ts'
import { fetchFromBoth, findRungs } from './fetch-from-both.ts'
import type { OnAirSystem } from './on-air-system.ts'
import type { OutputWatch } from './output-watch.ts'

/** Advances the clock in short steps and reads from both nodes at each. */
export interface StepViewer {
  readonly watch: OutputWatch
  /** Differences between the answers of the nodes. */
  readonly differences: readonly string[]
  /** Media playlists that both nodes returned. */
  playlists(): number
  watchUntil(ms: number): Promise<void>
}

export async function openStepViewer(
  { nodes }: OnAirSystem,
  clock: ClockControl,
  draw: Draw,
  watch: OutputWatch,
): Promise<StepViewer> {
  const rungs = await findRungs(nodes, watch.output)
  const differences: string[] = []
  let playlists = 0
  const check = async (rung: string, atMs: number) => {
    const { answer, other, isSame } = await fetchFromBoth(nodes, watch.output, `${rung}.m3u8`)
    if (!isSame) differences.push(`${rung} at ${atMs}: nodes differ`)
    if ([answer, other].every(({ status, text }) => status === 200 && text.includes('#EXTINF:')))
      playlists += 1
    watch.checkMedia(atMs, rung, answer.text)
  }
  return {
    watch,
    differences,
    playlists: () => playlists,
    async watchUntil(ms) {
      await clock.steer({ kind: 'rate', rate: 0 })
      while (clock.nowMs() < ms) {
        await clock.steer({ kind: 'advance', byMs: 500 + draw.below(2_500) })
        for (const rung of rungs) await check(rung, clock.nowMs())
      }
    },
  }
}
