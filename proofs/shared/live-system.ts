import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnswerOf, Operations } from '@continuity/contract'
import type { Child } from '@continuity/dev/child-process'
import { waitForNode } from '@continuity/dev/node-process'
import { startReceiverProcess } from '@continuity/dev/receiver-process'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import type { Segment } from '@continuity/playlist-validator'
import { startTestSource, type TestSource, usualSource } from '@continuity/test-source/test-source'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { type IngestSystem, startIngestSystem } from './ingest-system.ts'
import { type OnAirSystem, putOnAir, RUNG, startOnAirSystem, urlsOf } from './on-air-system.ts'
import { createOutputWatch, type OutputWatch, segmentsIn } from './output-watch.ts'
import { addressOf, directOf, fetchAnswer } from './outputs.ts'
import { becomes, PATIENCE_MS } from './until.ts'

type WireSource = AnswerOf<Operations['activateLiveSource']>

/** Of sources and channels. */
export const SLOT_MS = 3_200

const SETTINGS = { ENCODER_PRESET: 'ultrafast', LADDER: '160x90@100+64' }

export const startSmallSource = (): Promise<TestSource> =>
  startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 })

export const hostOf = ({ url }: TestSource): string => new URL(url).host

export interface LiveSystem extends IngestSystem, Receivers, Sources {
  /** As the owner of NATS. */
  readonly bus: NatsConnection
}

/** The usual system with NATS and a worker, without channels; receivers are started by the proof. */
export async function startLiveSystem(
  opened: AsyncDisposableStack,
  allow: readonly string[],
): Promise<LiveSystem> {
  const system = await startIngestSystem(opened, { allow, settings: SETTINGS })
  await system.startWorker('worker')
  const bus = await connectNats(system.nats.url)
  opened.defer(() => bus.close())
  return { ...system, ...receiversOf(opened, system, allow), ...sourcesOf(system), bus }
}

/** A channel on the air, and sources that are active. */
export interface LiveChannel {
  readonly system: OnAirSystem
  readonly sources: readonly TestSource[]
  readonly sourceIds: readonly string[]
  readonly receivers: Receivers
  /** The processes, in the order of their names: one, two. */
  readonly receiving: readonly Child[]
  readonly watch: OutputWatch
}

export async function startLiveChannel(
  opened: AsyncDisposableStack,
  { sources: count = 1, receivers: most = 1 } = {},
): Promise<LiveChannel> {
  const sources: TestSource[] = []
  while (sources.length < count) sources.push(opened.use(await startSmallSource()))
  const allow = sources.map(hostOf)
  const system = await startOnAirSystem(opened, { renditions: 1, clips: 1, allow, settings: SETTINGS })
  const receivers = receiversOf(opened, system, allow)
  const names = (['one', 'two'] as const).slice(0, most)
  const receiving = await Promise.all(names.map((name) => receivers.startReceiver(name)))
  const { createSource, activate, untilStatus } = sourcesOf(system)
  const sourceIds: string[] = []
  for (const { url } of sources) {
    const id = await createSource(`Source ${sourceIds.length}`, url)
    await activate(id)
    sourceIds.push(id)
  }
  const watch = createOutputWatch(directOf(system.channelId))
  await putOnAir(system, watch.output)
  for (const id of sourceIds) await untilStatus(id, 'ACTIVE')
  return { system, sources, sourceIds, receivers, receiving, watch }
}

interface Receivers {
  /** Under the same name its folder is the same one. */
  startReceiver(name: 'one' | 'two'): Promise<Child>
  receiverFolder(name: 'one' | 'two'): string
}

function receiversOf(
  opened: AsyncDisposableStack,
  { nats, mediaFolder }: IngestSystem,
  allow: readonly string[],
): Receivers {
  const homes = new Map<string, string>()
  return {
    async startReceiver(name) {
      const home = homes.get(name) ?? (await temporaryFolder(opened))
      homes.set(name, home)
      const own = { MEDIA_STORE: mediaFolder, OUTBOUND_ALLOW: allow.join(','), RECEIVER_INPUTS: '40' }
      const child = await startReceiverProcess({
        home,
        natsUrl: nats.urls[`receiver_${name === 'one' ? 1 : 2}`],
        settings: { ...SETTINGS, ...own },
      })
      opened.defer(() => child.stop())
      await waitForNode(child)
      return child
    },
    receiverFolder: (name) => homes.get(name)!,
  }
}

interface Sources {
  createSource(name: string, url: string, feature?: object): Promise<string>
  activate(sourceId: string): Promise<WireSource>
  deactivate(sourceId: string): Promise<WireSource>
  /** The source once its status is the wanted one, or as it is when the time is over. */
  untilStatus(sourceId: string, status: WireSource['status']): Promise<WireSource>
}

/** The operations of live sources. */
function sourcesOf({ call }: Pick<IngestSystem, 'call'>): Sources {
  const path = (sourceId: string) => `/api/2.3/live_sources/${sourceId}`
  return {
    async createSource(name, url, feature = {}) {
      const metadata = { input_url: url, scte_35_source: 'MANIFEST' }
      const body = { name, type: 'HLS_PULL', metadata, feature }
      return (await call<WireSource>('POST', '/api/2.3/live_sources', body)).live_source_id
    },
    activate: (sourceId) => call('PUT', `${path(sourceId)}/activate`),
    deactivate: (sourceId) => call('PUT', `${path(sourceId)}/deactivate`),
    async untilStatus(sourceId, status) {
      const read = () => call<WireSource>('GET', path(sourceId))
      const isSo = async () => {
        const source = await read()
        return source.status === status ? source : undefined
      }
      return (await pollUntil(isSo, PATIENCE_MS)) ?? read()
    },
  }
}

/** The kind of a segment by its address: of a live source, a slate that replaces it, or an asset. */
export type SegmentKind = 'live' | 'fill' | 'slate'

export const kindsOf = (segments: readonly Pick<Segment, 'uri'>[]): SegmentKind[] =>
  segments.map(({ uri }) => (uri.includes('/live/') ? 'live' : uri.includes('/slots/') ? 'fill' : 'slate'))

export const countLive = (segments: readonly Segment[]): number =>
  kindsOf(segments).filter((kind) => kind === 'live').length

export const readPlaylist = async (nodeUrl: string, { output }: OutputWatch): Promise<string> =>
  (await fetchAnswer(addressOf(nodeUrl, output, `${RUNG}.m3u8`))).text

/** Waits until the last segment that both nodes list is of a kind. */
export function untilListed(system: OnAirSystem, watch: OutputWatch, kind: SegmentKind): Promise<boolean> {
  return becomes(async () => {
    const texts = await Promise.all(urlsOf(system).map((url) => readPlaylist(url, watch)))
    return texts.every((text) => kindsOf(segmentsIn(text)).at(-1) === kind)
  }, 60_000)
}

/** A client of our own, which connects again whenever the server is back. */
export function connectNats(url: string): Promise<NatsConnection> {
  const { username, password, host } = new URL(url)
  return connect({ servers: host, user: username, pass: password, maxReconnectAttempts: -1 })
}

/** A log as it is on the bus, declared again here. */
interface LogMessage {
  readonly token: number
  readonly newest: { readonly slot: number; readonly epoch: number } | null
  readonly knownFrom: number
  readonly ranges: readonly {
    readonly firstSlot: number
    readonly endSlot: number
    readonly epoch: number
    readonly key: string
  }[]
}

/** The log of a source as it is now; undefined where the bus has none. */
export async function readLastLog(bus: NatsConnection, sourceId: string): Promise<LogMessage | undefined> {
  const { streams } = await jetstreamManager(bus)
  const message = await streams.getMessage('LIVE_LOG', { last_by_subj: `live.log.${sourceId}.0` })
  return message?.json<LogMessage>()
}

/** A slot as it was written to a log. */
export interface LoggedSlot {
  readonly slot: number
  readonly epoch: number
  readonly token: number
  readonly storedMs: number
}

/** Every slot that was written to the log of an input. */
export async function readLog(
  { bus }: LiveSystem,
  sourceId: string,
  input = 0,
): Promise<readonly LoggedSlot[]> {
  const { streams } = await jetstreamManager(bus)
  const info = await streams.info('LIVE_LOG').catch(() => undefined)
  const slots: LoggedSlot[] = []
  for (let seq = Math.max(1, info?.state.first_seq ?? 1); seq <= (info?.state.last_seq ?? 0); seq += 1) {
    const message = await streams.getMessage('LIVE_LOG', { seq })
    if (message?.subject !== `live.log.${sourceId}.${input}`) continue
    const { token, newest } = message.json<LogMessage>()
    // A log that was published again from its copy has no newest one.
    if (newest !== null) slots.push({ ...newest, token, storedMs: message.time.getTime() })
  }
  return slots
}

/** Processes that a process has started and that still run, by their command. */
export async function childrenOf(pid: number): Promise<readonly string[]> {
  const found: string[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(join('/proc', entry, 'stat'), 'utf8').catch(() => '')
    // The name is in parentheses, and may contain anything.
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(parent) === pid && state !== 'Z') found.push(name)
  }
  return found
}
