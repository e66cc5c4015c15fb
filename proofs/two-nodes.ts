import { createDraw, type Draw } from '@continuity/dev/draw'
import { measured } from '@continuity/dev/measured'
import { proof } from './proof.ts'
import { readFigure } from './shared/node-figures.ts'
import { startClock, startOnAirSystem } from './shared/on-air-system.ts'
import { fetchFromBoth, findRungs, type WatchedOutput } from './shared/outputs.ts'
import { type DaySize, putDayOnAir } from './shared/programs.ts'
import { becomes } from './shared/until.ts'

interface TwoNodesSize extends DaySize {
  readonly tuples: number
  readonly renditions: 1 | 2
  readonly clips: number
}

const HOUR_MS = 3_600_000

/** The latest time that the clock is set to; the schedule covers more. */
const DRIVEN_MS = 20 * HOUR_MS

export const twoNodes = proof<TwoNodesSize>({
  name: 'two-nodes',
  title: 'Two nodes, the same bytes',
  promise:
    'Channels with random programs are on air on two nodes. Channel, output, rendition, time and how far back a viewer ' +
    'looks are random, with and without delta updates. Both nodes return the same status, headers and bytes. Half way ' +
    'one of them is killed and started again without a connection to the feed: it has all channels from its disk, and ' +
    'returns the same as the other one still, before it is connected again and after.',
  sizes: {
    small: { tuples: 120, channels: 2, programs: 6, itemsOfEach: 20, renditions: 1, clips: 4 },
    full: { tuples: 2_000, channels: 4, programs: 24, itemsOfEach: 200, renditions: 2, clips: 9 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClock(opened)
    const system = await startOnAirSystem(opened, { clock, isLinked: true, ...size })
    const link = system.link!
    const draw = createDraw(seed)
    const { outputs } = await putDayOnAir(system, draw, size)
    log('a day is on air')
    await clock.steer({ kind: 'rate', rate: 0 })

    const { nodes } = system
    const [, second] = nodes
    const rungs = await findRungs(nodes, outputs[0]!)
    const startMs = clock.nowMs()
    const instants = draw.some(size.tuples, size.tuples, () => startMs + draw.below(DRIVEN_MS))
    const differences: string[] = []
    const counts = { playlists: 0, playlistsFromDisk: 0, differencesFromDisk: 0 }
    let restored = { channels: 0, messages: Number.NaN }
    let after = { opened: 0, messages: 0 }
    const [killedAt, connectedAt] = [size.tuples >> 1, Math.floor(size.tuples * 0.75)]
    for (const [at, atMs] of instants.toSorted((a, b) => a - b).entries()) {
      if (at === killedAt) {
        await second.kill()
        await link.goDown()
        await second.startAgain()
      }
      if (at === connectedAt) {
        restored = {
          channels: await readFigure(second.url(), 'playout_channels'),
          messages: await readFigure(second.url(), 'feed_steps_total'),
        }
        await link.restore()
        after = {
          opened: await untilCounted(second.url(), 'feed_opened_total'),
          messages: await untilCounted(second.url(), 'feed_steps_total'),
        }
      }
      const isFromDisk = at >= killedAt && at < connectedAt
      await clock.steer({ kind: 'set', toMs: atMs })
      const { output, file } = drawRequest(draw, outputs, rungs, atMs - startMs)
      const { answer, other, isSame } = await fetchFromBoth(nodes, output, file)
      const isPlaylist = [answer, other].every(
        ({ status, text }) => status === 200 && text.includes('#EXTINF:'),
      )
      if (isPlaylist) counts.playlists += 1
      if (isPlaylist && isFromDisk) counts.playlistsFromDisk += 1
      if (isSame) continue
      differences.push(`${output.distributor}/${file} at ${atMs}: ${answer.status} and ${other.status}`)
      if (isFromDisk) counts.differencesFromDisk += 1
    }
    for (const difference of differences.slice(0, 10)) log(difference)
    return measured({
      playlists_of_both: [counts.playlists, { atLeast: size.tuples * 0.9 }],
      differences: [differences.length, { is: 0 }],
      channels_restored_from_disk: [restored.channels, { is: size.channels }],
      feed_messages_before_that: [restored.messages, { is: 0 }],
      feeds_opened_after_that: [after.opened, { atLeast: 1 }],
      // Also shows that the zero before was not that of a metric without this name.
      feed_messages_after_that: [after.messages, { atLeast: 1 }],
      playlists_of_both_while_from_disk: [counts.playlistsFromDisk, { atLeast: size.tuples * 0.2 }],
      differences_while_from_disk: [counts.differencesFromDisk, { is: 0 }],
    })
  },
})

/** The first count above zero, or zero if it stays there. */
async function untilCounted(nodeUrl: string, name: string): Promise<number> {
  await becomes(async () => (await readFigure(nodeUrl, name)) > 0)
  return readFigure(nodeUrl, name)
}

/** A third of the requests are time-shifted, by a multiple of ten seconds. */
function drawRequest(
  draw: Draw,
  outputs: readonly WatchedOutput[],
  rungs: readonly string[],
  sinceMs: number,
): { readonly output: WatchedOutput; readonly file: string } {
  const query = new URLSearchParams()
  if (draw.chance(0.5)) query.set('sid', `viewer-${draw.below(1_000)}`)
  if (draw.chance(0.3)) query.set('shift_ms', `${draw.below(1 + Math.floor(sinceMs / 10_000)) * 10_000}`)
  if (draw.chance(0.3)) query.set('_HLS_skip', draw.one(['YES', 'v2']))
  const suffix = query.size === 0 ? '' : `?${query.toString()}`
  return { output: draw.one(outputs), file: `${draw.one(rungs)}.m3u8${suffix}` }
}
