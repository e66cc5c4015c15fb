import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Child } from '@continuity/dev/child-process'
import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { type Figures, median, round } from '@continuity/dev/figures'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { startNginx, startSite } from '@continuity/dev/nginx'
import { pollUntil } from '@continuity/dev/waiting'
import type { BenchContext } from '../bench.ts'
import { ratiosOf, runRounds } from '../engine/compare.ts'
import type { Load } from '../engine/load.ts'
import {
  type Measurable,
  type MeasuredServer,
  readCpuSeconds,
  SERVER_CORE,
  startMeasuredServer,
} from '../engine/measured-server.ts'
import { type OnAir, planChannel } from './bench-channel.ts'
import { type BenchHome, openBenchHome } from './bench-home.ts'
import { fetchMedian, fetchPlaylist } from './fetch-playlist.ts'
import { asViewers, writeLoad } from './load-script.ts'
import { type PlannedChannels, planChannels } from './planned-channels.ts'
import { requestMany } from './request-many.ts'
import { installRival } from './rival/install-rival.ts'
import { startVodOrigin } from './rival/vod-origin.ts'

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

/** After its start a node first catches up with the feed and collects garbage. */
const SETTLING_MS = 5_000

/** Memory and processor time of a node without viewers. */
async function measureAtRest(node: MeasuredServer, seconds: number): Promise<Figures> {
  await setTimeout(SETTLING_MS)
  const before = node.cpuSeconds()
  await setTimeout(seconds * 1_000)
  const used = node.cpuSeconds() - before
  return { rss_mb: await readRssMb(node), idle_cpu_percent: round((used / seconds) * 100, 2) }
}

async function readRssMb({ pid }: MeasuredServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return round((Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024) / 1e6, 1)
}

/** Longer than any segment: every playlist changes. */
const STEP_MS = 5_000

interface Boundary {
  readonly node: Measurable
  /** The node's clock. It is stopped, so that there is only one boundary. */
  readonly clock: ClockControl
  readonly paths: readonly string[]
  readonly requests: number
}

/** How often a playlist is rendered when all of its viewers request the next one at once. */
async function countRenders({ node, clock, paths, requests }: Boundary): Promise<Figures> {
  await requestMany(node.url, paths, paths.length)
  const before = await readCounts(node)
  await clock.steer({ kind: 'advance', byMs: STEP_MS })
  await requestMany(node.url, paths, requests)
  const { rendered } = countsSince(before, await readCounts(node))
  return {
    boundary_requests: requests,
    boundary_playlists: paths.length,
    renders_per_playlist: rendered / paths.length,
  }
}

const ENGINE = join(import.meta.dirname, 'rival/engine-server.ts')

/** As long as the window of our outputs. */
const WINDOW_SECONDS = '32'

/** It loads a video for each channel before it can answer. */
const READY_MS = 60_000

/** Media playlists that a node serves for each one of channel-engine, with as many channels of the same videos. */
async function compareWithRival(
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

const run = promisify(execFile)

/** Playlists that nginx serves with our configuration and a node behind it, for each one served from a file. */
async function compareWithFiles(loaded: LoadedNode, context: BenchContext): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(inMemory(), 'continuity-bench-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const files = join(folder, 'files')
  for (const path of loaded.paths) await copyPlaylist(loaded.node.url, path, files)
  const use = async (nginx: Promise<Child>, port: number) => {
    const child = await nginx
    opened.defer(() => child.stop())
    return toMeasurable(child, port)
  }
  const [edgePort, filesPort, tunedPort] = await findLastingPorts()
  const nodePort = Number(new URL(loaded.node.url).port)
  const nodes = [nodePort, nodePort] as const
  const edgeOptions = { folder: join(folder, 'edge'), port: edgePort, apiPorts: nodes, keepaliveMs: 5_000 }
  const load = await writeLoad(loaded.folder, 'nginx', asViewers(loaded.paths))
  const site = (port: number, more: string) =>
    startSite(join(folder, `${port}`), port, printSite(port, files, more))
  const sides = {
    files: { server: await use(site(filesPort, 'sendfile on;'), filesPort), load },
    tuned: { server: await use(site(tunedPort, TUNED), tunedPort), load },
    edge: { server: await use(startNginx(edgeOptions), edgePort), load },
  }
  const rates = await runRounds(sides, context)
  return {
    edge_ratio: round(median(ratiosOf(rates.edge, rates.files)), 3),
    edge_per_cpu_second: Math.round(median(rates.edge)),
    files_per_cpu_second: Math.round(median(rates.files)),
    edge_ratio_to_tuned_files: round(median(ratiosOf(rates.edge, rates.tuned)), 3),
    edge_playlists: loaded.paths.length,
  }
}

/** With our configuration's settings for playlists: no sendfile, and files stay open. */
const TUNED = 'sendfile off; open_file_cache max=400 inactive=10s;'

const printSite = (port: number, root: string, more: string): string => `server {
    listen 127.0.0.1:${port};
    root ${root};
    types { application/vnd.apple.mpegurl m3u8; }
    add_header Cache-Control max-age=1;
    add_header Access-Control-Allow-Origin *;
    ${more}
}
`

/** Playlists are cached in memory, for both sides alike. */
const inMemory = (): string => (existsSync('/dev/shm') ? '/dev/shm' : tmpdir())

async function copyPlaylist(url: string, path: string, root: string): Promise<void> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, (await fetchPlaylist(url + path)).body)
}

const FORK_MS = 60_000

function listChildren(pid: number): readonly number[] | undefined {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? undefined : text.split(' ').map(Number)
}

/** nginx works in its child processes, all of which are pinned to the server core. */
async function toMeasurable({ pid }: Child, port: number): Promise<Measurable> {
  // nginx listens before it has forked them.
  const children = await pollUntil(async () => listChildren(pid), FORK_MS)
  if (children === undefined) throw new Error('nginx has no worker')
  for (const child of children) await run('taskset', ['-cp', SERVER_CORE, `${child}`])
  const cpuSeconds = () => children.reduce((sum, child) => sum + readCpuSeconds(child), 0)
  return { url: `http://127.0.0.1:${port}`, cpuSeconds }
}

const BARE = join(import.meta.dirname, 'bare-server.ts')

interface LoadedNode {
  readonly folder: string
  readonly node: MeasuredServer
  /** Paths of the requested playlists. */
  readonly paths: readonly string[]
}

/** Media playlists that a node serves for each answer of bare node:http, requested round-robin. */
async function compareWithBare({ folder, node, paths }: LoadedNode, context: BenchContext): Promise<Figures> {
  const name = `of_${paths.length}`
  const answer = await fetchMedian(node.url, paths)
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify(answer))
  await using bare = await startMeasuredServer(BARE, `${file}.log`, { env: { BARE_ANSWER: file } })
  // Segments end during a pause: without a warm-up nearly every playlist would be rendered for its only viewer.
  const load: Load = { ...(await writeLoad(folder, name, asViewers(paths))), warmUpSeconds: 1 }
  // The first request of a channel unpacks its timeline, which happens once in five minutes.
  await requestMany(node.url, paths, paths.length)
  const before = await readCounts(node)
  const rates = await runRounds({ bare: { server: bare, load }, ours: { server: node, load } }, context)
  const { served, rendered } = countsSince(before, await readCounts(node))
  return {
    [`ratio_${name}`]: round(median(ratiosOf(rates.ours, rates.bare)), 3),
    [`bare_per_cpu_second_${name}`]: Math.round(median(rates.bare)),
    [`ours_per_cpu_second_${name}`]: Math.round(median(rates.ours)),
    // The share of rendered playlists: work for all viewers. It is larger at fewer requests per second.
    [`rendered_percent_${name}`]: round((rendered / served) * 100, 1),
    [`bytes_${name}`]: answer.body.length,
  }
}

/** Counters of a node since its start. */
interface NodeCounts {
  readonly served: number
  readonly rendered: number
}

async function readCounts({ url }: Measurable): Promise<NodeCounts> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return { served: read(text, 'playlists_served_total'), rendered: read(text, 'playlists_rendered_total') }
}

const countsSince = (before: NodeCounts, after: NodeCounts): NodeCounts => ({
  served: after.served - before.served,
  rendered: after.rendered - before.rendered,
})

function read(text: string, name: string): number {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`the node has no metric ${name}`)
  return Number(value)
}
