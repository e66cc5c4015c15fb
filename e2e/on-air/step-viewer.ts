import type { ClockControl } from '../../packages/server/src/platform/clock/clock-control.ts'
import type { Draw } from '../draw.ts'
import { askBoth, findRungs } from './ask-both.ts'
import type { OnAirSystem } from './on-air-system.ts'
import type { OutputWatch } from './output-watch.ts'

/** Drives the clock in short steps, and reads from both nodes at each. */
export interface StepViewer {
  readonly watch: OutputWatch
  /** Where nodes did not return the same. */
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
  const look = async (rung: string, atMs: number) => {
    const { answer, other, isSame } = await askBoth(nodes, watch.output, `${rung}.m3u8`)
    if (!isSame) differences.push(`${rung} at ${atMs}: nodes differ`)
    if ([answer, other].every(({ status, text }) => status === 200 && text.includes('#EXTINF:')))
      playlists += 1
    watch.see(atMs, rung, answer.text)
  }
  return {
    watch,
    differences,
    playlists: () => playlists,
    async watchUntil(ms) {
      await clock.order({ kind: 'rate', rate: 0 })
      while (clock.nowMs() < ms) {
        await clock.order({ kind: 'advance', byMs: 500 + draw.below(2_500) })
        for (const rung of rungs) await look(rung, clock.nowMs())
      }
    },
  }
}
