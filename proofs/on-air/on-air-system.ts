import { join } from 'node:path'
import type { Child } from '@continuity/dev/child-process'
import type { ClockControl } from '@continuity/dev/clock-control'
import { ensureFeedKeys, type FeedKeySettings } from '@continuity/dev/feed-keys'
import type { NatsUrls } from '@continuity/dev/nats-users'
import { type Origin, startOrigin } from '@continuity/dev/origin'
import { startPrivateNats } from '@continuity/dev/private-nats'
import { makeSmallFiles } from '@continuity/dev/small-files'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { type IngestSystem, startIngestSystem } from '../ingest/ingest-system.ts'
import { killAtOnce, openPlayoutNode, type PlayoutNode } from './playout-node.ts'

export interface OnAirOptions {
  /** Controls the clock of all processes; without it they use real time. */
  readonly clock?: ClockControl
  /** Of NATS servers started by the caller; by default the system starts one. */
  readonly natsUrls?: NatsUrls
  /** The NATS URL of the second node, if it differs from the others. */
  readonly secondNatsUrl?: string
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
  readonly natsUrls: NatsUrls
  readonly feedKeys: FeedKeySettings
  readonly origin: Origin
  /** Names of the partner's files, of 6.4, 8 and 9.6 s alternately. */
  readonly clips: readonly string[]
  readonly nodes: readonly [PlayoutNode, PlayoutNode]
  readonly worker: Child
  /** The time on the clock of all processes. */
  nowMs(): number
  /** Kills PostgreSQL, the system's own NATS, the API and the worker by SIGKILL. Returns how many were running. */
  killControlRoom(): Promise<number>
}

/** Cheap to encode; with two renditions a player can switch. */
const ladders = { 1: '160x90@100+64', 2: '160x90@100+64,320x180@200+64' }

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
  const nats = options.natsUrls === undefined ? await startNatsServer(opened) : undefined
  const natsUrls = options.natsUrls ?? nats!.urls
  const feedKeys = await ensureFeedKeys(folder)
  const { clock } = options
  const LADDER = ladders[options.renditions ?? 2]
  const settings = { LADDER, ...(clock && { CLOCK_CONTROL: clock.address }), ...options.settings }
  const system = await startIngestSystem(opened, {
    allow: [origin.host, ...(options.allow ?? [])],
    natsUrls,
    settings: { ...feedKeys.signing, ...settings },
  })

  const openNode = (name: string, url: string) =>
    openPlayoutNode(opened, {
      home: join(folder, name),
      mediaFolder: system.mediaFolder,
      natsUrl: url,
      settings: { ...feedKeys.verifying, ...settings },
    })
  const [worker, first, second] = await Promise.all([
    system.startWorker('worker'),
    openNode('node-a', natsUrls.playout_1),
    openNode('node-b', options.secondNatsUrl ?? natsUrls.playout_2),
  ])
  return {
    ...system,
    natsUrls,
    feedKeys,
    origin,
    clips,
    worker,
    nodes: [first, second],
    nowMs: () => clock?.nowMs() ?? Date.now(),
    async killControlRoom() {
      const servers = [system.postgres().child, nats?.child].filter((child) => child !== undefined)
      const running = [...servers, system.api, worker].filter((child) => child.isRunning())
      await Promise.all(running.map(killAtOnce))
      return running.filter((child) => !child.isRunning()).length
    },
  }
}

/** Starts one server in its own folder. */
export async function startNatsServer(opened: AsyncDisposableStack) {
  const home = await temporaryFolder(opened)
  const nats = await startPrivateNats({ home, searchPath: process.env['PATH'] ?? '', log: () => {} })
  opened.defer(() => nats.stop())
  return nats
}
