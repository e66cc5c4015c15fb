import { startClockControl } from '../../packages/server/src/platform/clock/clock-control.ts'
import { createDraw, type Draw } from '../draw.ts'
import { proof } from '../proofs/proof.ts'
import { askBoth, findRungs } from './ask-both.ts'
import { type DaySize, putDayOnAir } from './full-day.ts'
import { startOnAirSystem } from './on-air-system.ts'
import type { WatchedOutput } from './output-watch.ts'

interface TwoNodesSize extends DaySize {
  readonly tuples: number
}

const HOUR_MS = 3_600_000

/** The farthest that the clock is driven: the schedule goes on behind it. */
const DRIVEN_MS = 20 * HOUR_MS

export const twoNodes = proof<TwoNodesSize>({
  name: 'two-nodes',
  title: 'Two nodes, the same bytes',
  promise:
    'Channels with programs by chance are on air on two nodes. Channel, output, rendition, time and how far back a ' +
    'viewer looks are drawn by chance, with and without delta updates. Both nodes answer the same status, headers and ' +
    'bytes, also after one of them was killed and came back from its disk.',
  sizes: {
    small: { tuples: 200, channels: 2, programs: 6, itemsOfEach: 40 },
    full: { tuples: 2_000, channels: 4, programs: 24, itemsOfEach: 200 },
  },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.order({ kind: 'rate', rate: 1 })
    const system = await startOnAirSystem(opened, { clock })
    const draw = createDraw(seed)
    const { outputs } = await putDayOnAir(system, draw, size)
    say('a day is on air')
    await clock.order({ kind: 'rate', rate: 0 })

    const { nodes } = system
    const rungs = await findRungs(nodes, outputs[0]!)
    const startMs = clock.nowMs()
    const instants = draw.some(size.tuples, size.tuples, () => startMs + draw.below(DRIVEN_MS))
    const differences: string[] = []
    let played = 0
    for (const [at, atMs] of instants.toSorted((a, b) => a - b).entries()) {
      if (at === size.tuples >> 1) await nodes[1].kill().then(() => nodes[1].startAgain())
      await clock.order({ kind: 'set', toMs: atMs })
      const { output, file } = drawAsked(draw, outputs, rungs, atMs - startMs)
      const { answer, isSame } = await askBoth(nodes, output, file)
      if (answer.status === 200) played += 1
      if (!isSame) differences.push(`${output.distributor}/${file} at ${atMs}`)
    }
    for (const difference of differences.slice(0, 10)) say(difference)
    return {
      figures: {
        channels: size.channels,
        outputs: outputs.length,
        answers_of_each: instants.length,
        of_these_playlists: played,
        differences: differences.length,
      },
      targets: {
        answers_of_each: { is: size.tuples },
        of_these_playlists: { atLeast: size.tuples * 0.9 },
        differences: { is: 0 },
      },
    }
  },
})

/** A third looks back, by a number of tens of seconds. */
function drawAsked(
  draw: Draw,
  outputs: readonly WatchedOutput[],
  rungs: readonly string[],
  sinceMs: number,
): { readonly output: WatchedOutput; readonly file: string } {
  const query = new URLSearchParams()
  if (draw.chance(0.5)) query.set('sid', `viewer-${draw.below(1_000)}`)
  if (draw.chance(0.3)) query.set('shift_ms', `${draw.below(1 + Math.floor(sinceMs / 10_000)) * 10_000}`)
  if (draw.chance(0.3)) query.set('_HLS_skip', draw.one(['YES', 'v2']))
  const asked = query.size === 0 ? '' : `?${query.toString()}`
  return { output: draw.one(outputs), file: `${draw.one(rungs)}.m3u8${asked}` }
}
