import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figures, median, round } from '@continuity/dev/figures'
import { createSessionIds } from '../../packages/server/src/platform/crypto/viewing-session-ids.ts'
import type { BenchContext } from '../bench.ts'
import { ratiosOf, runRounds } from '../engine/compare.ts'
import type { Load } from '../engine/load.ts'
import { openBenchHome } from '../playout/bench-home.ts'
import { writeLoad } from '../playout/load-script.ts'
import { planChannels } from '../playout/planned-channels.ts'
import { requestMany } from '../playout/request-many.ts'

export interface CountingSizes {
  readonly channels: number
  readonly viewersOfEach: number
  readonly hours: number
}

const KEY = 'bench'

/** Media playlists for each second of processor time with counting, against a node that does not count. */
export async function compareCounting(sizes: CountingSizes, context: BenchContext): Promise<Figures> {
  await using home = await openBenchHome()
  const nowMs = Date.now()
  const channels = await planChannels(home.folder, sizes.channels, { nowMs, hours: sizes.hours })
  const ids = createSessionIds(KEY)
  const paths = channels.paths.slice(0, sizes.channels)
  // Round-robin over the channels, so that a viewer returns after all others.
  const viewers = Array.from({ length: sizes.viewersOfEach }, () =>
    paths.map((path) => `${path}?sid=${ids.mint(outputOf(path), nowMs)}`),
  ).flat()
  const load: Load = { ...(await writeLoad(home.folder, 'viewers', viewers)), warmUpSeconds: 1 }
  await writeFile(join(home.folder, 'viewers.txt'), `${viewers.length}`)
  const start = (counting: 'on' | 'off') =>
    home.startNode(channels, sizes.channels, { AUDIENCE_COUNTING: counting, VIEWING_KEY: KEY })
  await using counting = await start('on')
  await using plain = await start('off')
  for (const { url } of [counting, plain]) await requestMany(url, paths, paths.length)
  const rates = await runRounds({ off: { server: plain, load }, on: { server: counting, load } }, context)
  const metrics = await (await fetch(`${counting.url}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1])
  return {
    viewers: viewers.length,
    counting_ratio: round(median(ratiosOf(rates.on, rates.off)), 3),
    per_cpu_second_counting: Math.round(median(rates.on)),
    per_cpu_second_without: Math.round(median(rates.off)),
    // All of them were counted, or nothing was measured.
    viewers_counted: figure('audience_sessions'),
    heartbeats_counted: figure('audience_heartbeats_total'),
  }
}

const outputOf = (path: string): string => path.split('/').slice(2, 4).join('/')
