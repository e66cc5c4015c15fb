import { join } from 'node:path'
import type { ClockControl } from '../../packages/server/src/platform/clock/clock-control.ts'
import type { Child } from '../../tools/dev-stack/child-process.ts'
import { ensureFeedKeys, type FeedKeySettings } from '../../tools/dev-stack/feed-keys.ts'
import type { NatsUrls } from '../../tools/dev-stack/nats-users.ts'
import { startPrivateNats } from '../../tools/dev-stack/private-nats.ts'
import { type IngestSystem, startIngestSystem } from '../ingest/ingest-system.ts'
import { type Origin, startOrigin } from '../ingest/origin.ts'
import { makeSmallFiles } from '../ingest-kills/small-files.ts'
import { killAtOnce, openPlayoutNode, type PlayoutNode } from './playout-node.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface OnAirOptions {
  /** Steers all processes; they go by the real time where there is none. */
  readonly clock?: ClockControl
  /** Of NATS servers that the caller has started; one of the system's own where there is none. */
  readonly natsUrls?: NatsUrls
  /** How the second node reaches NATS, where it is not as the others do. */
  readonly secondNatsUrl?: string
  readonly settings?: Readonly<Record<string, string>>
  /** Renditions of all media: two where it is not given. */
  readonly renditions?: 1 | 2
  /** How many files the partner has; nine where it is not given. */
  readonly clips?: number
  /** What may be fetched from besides the partner. */
  readonly allow?: readonly string[]
}

/** All that puts channels on the air, as processes that can be killed. */
export interface OnAirSystem extends IngestSystem {
  readonly natsUrls: NatsUrls
  readonly feedKeys: FeedKeySettings
  readonly origin: Origin
  /** Names of the partner's files, of 6.4, 8 and 9.6 s by turns. */
  readonly clips: readonly string[]
  readonly nodes: readonly [PlayoutNode, PlayoutNode]
  readonly worker: Child
  /** What the clock of all processes shows. */
  nowMs(): number
  /** PostgreSQL, the system's own NATS, the API and the worker, all by SIGKILL. Gives how many ran and are gone. */
  killControlRoom(): Promise<number>
}

/** Next to nothing to encode; with two a player has something to change between. */
const ladders = { 1: '160x90@100+64', 2: '160x90@100+64,320x180@200+64' }

/** Whole segments and halves of them, and the joins come often. */
export const CLIP_SECONDS = [6.4, 8, 9.6] as const

const CLIPS = 9

/** PostgreSQL, NATS, an API process, a worker and two playout nodes, and a partner with some short clips. */
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
    allow: [origin.place, ...(options.allow ?? [])],
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

/** One server, in a folder of its own. */
export async function startNatsServer(opened: AsyncDisposableStack) {
  const home = await temporaryFolder(opened)
  const nats = await startPrivateNats({ home, searchPath: process.env['PATH'] ?? '', log: () => {} })
  opened.defer(() => nats.stop())
  return nats
}
