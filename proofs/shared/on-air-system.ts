import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { aLink, type Link } from '@continuity/dev/a-link'
import type { Child } from '@continuity/dev/child-process'
import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { ensureFeedKeys } from '@continuity/dev/feed-keys'
import { waitForNode } from '@continuity/dev/node-process'
import { type Origin, startOrigin } from '@continuity/dev/origin'
import { startPlayout } from '@continuity/dev/playout-process'
import { makeSmallFiles } from '@continuity/dev/small-files'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { type IngestSystem, startIngestSystem } from './ingest-system.ts'
import { addressOf, fetchAnswer, type OutputRef, type WatchedOutput } from './outputs.ts'
import { PATIENCE_MS, until } from './until.ts'

export interface OnAirOptions {
  /** Controls the clock of all processes; without it they use real time. */
  readonly clock?: ClockControl
  /** One by default. */
  readonly natsServers?: number
  /** Whether the second node connects to NATS over a link that can be cut. */
  readonly isLinked?: boolean
  readonly settings?: Readonly<Record<string, string>>
  /** Renditions of all media; two by default. */
  readonly renditions?: 1 | 2
  /** Number of the partner's files; nine by default. */
  readonly clips?: number
  /** Hosts that may be fetched from besides the partner. */
  readonly allow?: readonly string[]
}

/** A complete system for channels, as processes that can be killed. */
export interface OnAirSystem extends IngestSystem {
  /** Of the second node to NATS, if it was asked for. */
  readonly link: Link | undefined
  readonly origin: Origin
  /** Names of the partner's files, of 6.4, 8 and 9.6 s alternately. */
  readonly clips: readonly string[]
  readonly nodes: readonly [PlayoutNode, PlayoutNode]
  readonly worker: Child
  /** The time on the clock of all processes. */
  nowMs(): number
  /** Kills PostgreSQL, NATS, the API and the worker by SIGKILL. Returns how many were running. */
  killControlRoom(): Promise<number>
}

/** Cheap to encode; with two renditions a player can switch. */
const ladders = { 1: '160x90@100+64', 2: '160x90@100+64,320x180@200+64' }

/** The lowest rung of both. */
export const RUNG = '90p'

/** Whole segments and halves; short, for frequent joins. */
export const CLIP_SECONDS = [6.4, 8, 9.6] as const

const CLIPS = 9

/** Starts PostgreSQL, NATS, an API process, a worker, two playout nodes, and a partner with some short clips. */
export async function startOnAirSystem(
  opened: AsyncDisposableStack,
  options: OnAirOptions = {},
): Promise<OnAirSystem> {
  const folder = await temporaryFolder(opened)
  const clips = await makeSmallFiles(join(folder, 'files'), options.clips ?? CLIPS, CLIP_SECONDS)
  const origin = opened.use(await startOrigin(join(folder, 'files')))
  const feedKeys = await ensureFeedKeys(folder)
  const { clock } = options
  const LADDER = ladders[options.renditions ?? 2]
  const settings = { LADDER, ...(clock && { CLOCK_CONTROL: clock.address }), ...options.settings }
  const system = await startIngestSystem(opened, {
    allow: [origin.host, ...(options.allow ?? [])],
    settings: { ...feedKeys.signing, ...settings },
    ...(options.natsServers && { natsServers: options.natsServers }),
  })

  const { urls, servers } = system.nats
  const link = options.isLinked === true ? opened.use(await aLink(servers[0]!.urls.playout_2)) : undefined
  const openNode = (name: string, natsUrl: string) =>
    openPlayoutNode(opened, join(folder, name), natsUrl, {
      MEDIA_STORE: system.mediaFolder,
      ...feedKeys.verifying,
      ...settings,
    })
  const [worker, first, second] = await Promise.all([
    system.startWorker('worker'),
    openNode('node-a', urls.playout_1),
    openNode('node-b', link?.url ?? urls.playout_2),
  ])
  return {
    ...system,
    link,
    origin,
    clips,
    worker,
    nodes: [first, second],
    nowMs: () => clock?.nowMs() ?? Date.now(),
    async killControlRoom() {
      const children = [system.postgres().child, system.api, worker].filter((child) => child.isRunning())
      await Promise.all([...children.map(killAtOnce), ...servers.map((server) => server.kill())])
      return servers.length + children.filter((child) => !child.isRunning()).length
    },
  }
}

/** A clock for all processes, which runs from now on at that rate. */
export async function startClock(opened: AsyncDisposableStack, rate = 1): Promise<ClockControl> {
  const clock = await startClockControl(Date.now())
  opened.defer(() => clock.close())
  await clock.steer({ kind: 'rate', rate })
  return clock
}

/** A playout node that can be killed and restarted with its disk. */
export interface PlayoutNode {
  /** Changes with every start. */
  url(): string
  kill(): Promise<void>
  startAgain(): Promise<void>
  /** Deletes the snapshot of a stopped node: it restarts empty. */
  deleteSnapshot(): Promise<void>
}

async function openPlayoutNode(
  opened: AsyncDisposableStack,
  home: string,
  natsUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<PlayoutNode> {
  await mkdir(join(home, 'logs'), { recursive: true })
  const start = async () => {
    const child = await startPlayout({ home, natsUrl, settings })
    opened.defer(() => child.stop())
    return { child, url: await waitForNode(child) }
  }
  let running = await start()
  return {
    url: () => running.url,
    kill: () => killAtOnce(running.child),
    async startAgain() {
      running = await start()
    },
    deleteSnapshot: () => rm(join(home, 'snapshot'), { recursive: true, force: true }),
  }
}

/** Kills by SIGKILL. */
export async function killAtOnce(child: Child): Promise<void> {
  if (!child.isRunning()) return
  process.kill(child.pid, 'SIGKILL')
  await child.exited
}

type Calling = Pick<OnAirSystem, 'call'>

const channelPath = (channelId: string): string => `/api/2.3/linear_channels/${channelId}`

export async function createChannel(
  { call }: Calling,
  draft: Readonly<Record<string, unknown>>,
): Promise<string> {
  const made = await call<{ linear_channel_id: string }>('POST', '/api/2.3/linear_channels', draft)
  return made.linear_channel_id
}

export async function createOutput({ call }: Calling, output: WatchedOutput): Promise<void> {
  const { channelId, distributor, windowMs, markers, breakPolicy } = output
  const draft = { distributor, window_ms: windowMs, markers, break_policy: breakPolicy }
  await call('POST', `${channelPath(channelId)}/outputs`, draft)
}

export async function startChannel({ call }: Calling, channelId: string): Promise<void> {
  await call('PUT', `${channelPath(channelId)}/start`)
}

/** Starts the channel of an output, and waits until every node serves it. */
export async function putOnAir(system: OnAirSystem, { channelId, distributor }: OutputRef): Promise<void> {
  await startChannel(system, channelId)
  await untilOnAir(system, channelId)
  await untilAnswered(urlsOf(system), { channelId, distributor })
}

export const urlsOf = ({ nodes }: Pick<OnAirSystem, 'nodes'>): string[] => nodes.map(({ url }) => url())

export async function untilOnAir({ call }: Calling, channelId: string, withinMs = PATIENCE_MS) {
  const readStatus = () => call<{ status: string }>('GET', channelPath(channelId))
  await until(
    `channel ${channelId} is on air`,
    async () => (await readStatus()).status === 'ON_AIR',
    withinMs,
  )
}

/** Waits until every node serves an output; returns the time it took. */
export async function untilAnswered(
  nodeUrls: readonly string[],
  output: OutputRef,
  withinMs = PATIENCE_MS,
): Promise<number> {
  const startedMs = performance.now()
  const isServed = (url: string) =>
    fetchAnswer(addressOf(url, output, 'index.m3u8')).then(
      ({ status }) => status === 200,
      () => false,
    )
  const areServing = async () => (await Promise.all(nodeUrls.map(isServed))).every((isSo) => isSo)
  await until(`nodes serve ${output.channelId}/${output.distributor}`, areServing, withinMs)
  return performance.now() - startedMs
}

/** Waits until the schedule of every channel is committed up to a time and published on the feed. */
export async function untilPlanned({ sql }: OnAirSystem, untilMs: number): Promise<void> {
  await until('the schedule is committed', async () => {
    const [row] = await sql.query<{ missing: number }>(
      `select (select count(*) from timelines where reach_ms is null or reach_ms < $1 or changed_ms is not null)
            + (select count(*) from feed_steps) as missing`,
      [untilMs],
    )
    return row!.missing === 0
  })
}
