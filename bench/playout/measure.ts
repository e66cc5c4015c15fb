import { startClockControl } from '@continuity/dev/clock-control'
import type { Figures } from '@continuity/dev/figures'
import type { BenchContext } from '../bench.ts'
import { compareWithBare } from './against-bare.ts'
import { compareWithFiles } from './against-nginx.ts'
import { compareWithRival } from './against-rival.ts'
import { measureAtRest, readRssMb } from './at-rest.ts'
import type { OnAir } from './bench-channel.ts'
import { type BenchHome, openBenchHome } from './bench-home.ts'
import { countRenders } from './on-a-boundary.ts'
import { type PlannedChannels, planChannels } from './planned-channels.ts'
import { installRival } from './rival/install-rival.ts'

export interface PlayoutSizes {
  readonly hours: number
  /** Channels of a node with the maximum number, and of one with some. */
  readonly all: number
  readonly some: number
  readonly behindNginx: number
  /** Number of channels for channel-engine; 0 leaves it out. */
  readonly rival: number
  readonly idleSeconds: number
  readonly boundaryRequests: number
}

interface Prepared {
  readonly home: BenchHome
  readonly channels: PlannedChannels
  readonly onAir: OnAir
  readonly sizes: PlayoutSizes
  readonly context: BenchContext
}

export async function measurePlayout(sizes: PlayoutSizes, context: BenchContext): Promise<Figures> {
  if (sizes.rival > 0) await installRival(context.log)
  await using home = await openBenchHome()
  const onAir = { nowMs: Date.now(), hours: sizes.hours }
  context.log(`planning ${sizes.all} channels`)
  const channels = await planChannels(home.folder, sizes.all, onAir)
  const prepared = { home, channels, onAir, sizes, context }
  return {
    ...(await measureAll(prepared)),
    ...(await measureSome(prepared)),
    ...(sizes.rival > 0 ? await measureRival(prepared) : {}),
    ...(await measureBoundary(prepared)),
  }
}

async function measureAll({ home, channels, sizes, context }: Prepared): Promise<Figures> {
  await using node = await home.startNode(channels, sizes.all)
  context.log(`${sizes.all} channels at rest`)
  const atRest = await measureAtRest(node, sizes.idleSeconds)
  const loaded = { folder: home.folder, node, paths: channels.paths.slice(0, sizes.all) }
  const compared = await compareWithBare(loaded, context)
  return {
    channels: sizes.all,
    hours: sizes.hours,
    ...atRest,
    ...compared,
    hot_rss_mb: await readRssMb(node),
  }
}

async function measureSome({ home, channels, sizes, context }: Prepared): Promise<Figures> {
  await using node = await home.startNode(channels, sizes.some)
  const loaded = { folder: home.folder, node, paths: channels.paths.slice(0, sizes.some) }
  const compared = await compareWithBare(loaded, context)
  context.log('behind nginx')
  const behind = { ...loaded, paths: loaded.paths.slice(0, sizes.behindNginx) }
  return { ...compared, ...(await compareWithFiles(behind, context)) }
}

async function measureRival({ home, channels, onAir, sizes, context }: Prepared): Promise<Figures> {
  await using node = await home.startNode(channels, sizes.rival)
  context.log('channel-engine')
  const loaded = { folder: home.folder, node, paths: channels.paths.slice(0, sizes.rival), onAir }
  return await compareWithRival(loaded, context)
}

async function measureBoundary({ home, channels, onAir, sizes }: Prepared): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const clock = await startClockControl(onAir.nowMs)
  opened.defer(() => clock.close())
  const count = Math.min(sizes.some, 100)
  const node = opened.use(await home.startNode(channels, count, { CLOCK_CONTROL: clock.address }))
  const paths = channels.paths.slice(0, count)
  return await countRenders({ node, clock, paths, requests: sizes.boundaryRequests })
}
