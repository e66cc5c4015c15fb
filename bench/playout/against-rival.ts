import { join } from 'node:path'
import { type Figures, median, round } from '@continuity/dev/figures'
import { pollUntil } from '@continuity/dev/waiting'
import type { BenchContext } from '../bench.ts'
import { ratiosOf, runRounds } from '../engine/compare.ts'
import { startMeasuredServer } from '../engine/measured-server.ts'
import type { LoadedNode } from './against-bare.ts'
import { type OnAir, planChannel } from './bench-channel.ts'
import { fetchMedian } from './fetch-playlist.ts'
import { asViewers, writeLoad } from './load-script.ts'
import { startVodOrigin } from './rival/vod-origin.ts'

const ENGINE = join(import.meta.dirname, 'rival/engine-server.ts')

/** As long as the window of our outputs. */
const WINDOW_SECONDS = '32'

/** It loads a video for each channel before it can answer. */
const READY_MS = 60_000

/** Media playlists that a node serves for each one of channel-engine, with as many channels of the same videos. */
export async function compareWithRival(
  { folder, node, paths, onAir }: LoadedNode & { readonly onAir: OnAir },
  context: BenchContext,
): Promise<Figures> {
  await using vods = await startVodOrigin(paths.map((_, number) => planChannel(number, onAir)))
  const env = { VOD_URL: vods.url, CHANNELS: `${paths.length}`, SEQUENCE_DURATION: WINDOW_SECONDS }
  await using rival = await startMeasuredServer(ENGINE, join(folder, 'rival.log'), { env })
  const rivalPaths = paths.map((_, at) => `/channels/${at}/master3128000.m3u8;session=${at}`)
  await waitForAll(rival.url, rivalPaths)
  const bytes = {
    ours: (await fetchMedian(node.url, paths)).body.length,
    rival: (await fetchMedian(rival.url, rivalPaths)).body.length,
  }
  const sides = {
    rival: { server: rival, load: await writeLoad(folder, 'rival', rivalPaths) },
    ours: { server: node, load: await writeLoad(folder, 'ours-and-rival', asViewers(paths)) },
  }
  const rates = await runRounds(sides, context)
  return {
    times_channel_engine: round(median(ratiosOf(rates.ours, rates.rival)), 2),
    channel_engine_channels: paths.length,
    channel_engine_per_cpu_second: Math.round(median(rates.rival)),
    ours_per_cpu_second: Math.round(median(rates.ours)),
    channel_engine_bytes: bytes.rival,
    our_bytes: bytes.ours,
  }
}

async function waitForAll(url: string, paths: readonly string[]): Promise<void> {
  const poll = async () => {
    const answers = await Promise.all(paths.map((path) => fetch(url + path)))
    const texts = await Promise.all(answers.map((it) => it.text()))
    return texts.every((text) => text.includes('#EXTINF')) || undefined
  }
  if ((await pollUntil(poll, READY_MS)) === undefined) throw new Error('channel-engine serves no playlists')
}
