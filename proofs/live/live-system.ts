import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnswerOf, Operations } from '@continuity/contract'
import type { Child } from '@continuity/dev/child-process'
import type { NatsUrls } from '@continuity/dev/nats-users'
import { waitForNode } from '@continuity/dev/node-process'
import { startReceiverProcess } from '@continuity/dev/receiver-process'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { openBus } from '../../packages/server/src/platform/bus/bus.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { type IngestSystem, startIngestSystem } from '../ingest/ingest-system.ts'
import { startNatsServer } from '../on-air/on-air-system.ts'

export type WireSource = AnswerOf<Operations['activateLiveSource']>

/** An entry of a log, read with a client of our own. */
export interface LoggedSlot {
  readonly slot: number
  readonly epoch: number
  readonly path: string
  readonly token: number
  readonly storedMs: number
}

export interface LiveSystem extends IngestSystem {
  /** The process and its folder, under the same name the same one. */
  startReceiver(name: string): Promise<Child>
  receiverFolder(name: string): string
  createSource(name: string, url: string, feature?: object): Promise<string>
  activate(sourceId: string): Promise<WireSource>
  deactivate(sourceId: string): Promise<WireSource>
  readSource(sourceId: string): Promise<WireSource>
  /** The source once its status is the wanted one, or as it is when the time is over. */
  untilStatus(sourceId: string, status: WireSource['status'], limitMs: number): Promise<WireSource>
  readLog(sourceId: string, input?: number): Promise<readonly LoggedSlot[]>
}

export const RUNG = '90p'

/** How long a slow machine may take for a step that takes seconds. */
export const PATIENCE_MS = 120_000

/** The usual system with NATS and a worker; receivers are started by the proof. */
export async function startLiveSystem(
  opened: AsyncDisposableStack,
  { allow }: { readonly allow: readonly string[] },
): Promise<LiveSystem> {
  const nats = await startNatsServer(opened)
  const settings = { LADDER: '160x90@100+64', ENCODER_PRESET: 'ultrafast' }
  const system = await startIngestSystem(opened, { allow, natsUrls: nats.urls, settings })
  await system.startWorker('worker')
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const reader = openBus(nats.url, { name: 'proof', logger })
  opened.defer(() => reader.close())
  await reader.opened
  return {
    ...system,
    ...receiversOf(opened, { natsUrls: nats.urls, mediaFolder: system.mediaFolder, settings, allow }),
    ...sourcesOf(system),
    readLog: (sourceId, input = 0) => readLog(reader.connection()!, `live.log.${sourceId}.${input}`),
  }
}

type Receivers = Pick<LiveSystem, 'startReceiver' | 'receiverFolder'>

/** Receivers of a system, in folders of their own. */
export function receiversOf(
  opened: AsyncDisposableStack,
  options: {
    readonly natsUrls: NatsUrls
    readonly mediaFolder: string
    readonly settings: Readonly<Record<string, string>>
    readonly allow: readonly string[]
  },
): Receivers {
  const receivers = new Map<string, { readonly user: 'receiver_1' | 'receiver_2'; readonly home: string }>()
  return {
    async startReceiver(name) {
      const user = receivers.size === 0 ? 'receiver_1' : 'receiver_2'
      const known = receivers.get(name) ?? { user, home: await temporaryFolder(opened) }
      receivers.set(name, known)
      const child = await startReceiverProcess({
        home: known.home,
        natsUrl: options.natsUrls[known.user],
        settings: {
          ...options.settings,
          MEDIA_STORE: options.mediaFolder,
          OUTBOUND_ALLOW: options.allow.join(','),
          RECEIVER_INPUTS: '40',
        },
      })
      opened.defer(() => child.stop())
      await waitForNode(child)
      return child
    },
    receiverFolder: (name) => receivers.get(name)!.home,
  }
}

type Sources = Pick<LiveSystem, 'createSource' | 'activate' | 'deactivate' | 'readSource' | 'untilStatus'>

/** The operations of live sources. */
export function sourcesOf({ call }: Pick<IngestSystem, 'call'>): Sources {
  const path = (sourceId: string) => `/api/2.3/live_sources/${sourceId}`
  const readSource = (sourceId: string) => call<WireSource>('GET', path(sourceId))
  return {
    async createSource(name, url, feature = {}) {
      const body = { name, type: 'HLS_PULL', metadata: { input_url: url }, feature }
      return (await call<WireSource>('POST', '/api/2.3/live_sources', body)).live_source_id
    },
    activate: (sourceId) => call('PUT', `${path(sourceId)}/activate`),
    deactivate: (sourceId) => call('PUT', `${path(sourceId)}/deactivate`),
    readSource,
    async untilStatus(sourceId, status, limitMs) {
      const isSo = async () => {
        const source = await readSource(sourceId)
        return source.status === status ? source : undefined
      }
      return (await pollUntil(isSo, limitMs)) ?? (await readSource(sourceId))
    },
  }
}

/** A log as it is on the bus. */
interface LogMessage {
  readonly token: number
  readonly folder: string
  readonly slotMs: number
  readonly newest: { readonly slot: number; readonly epoch: number; readonly key: string } | null
}

export async function readLog(nc: NatsConnection, subject: string): Promise<readonly LoggedSlot[]> {
  const { streams } = await jetstreamManager(nc)
  const info = await streams.info('LIVE_LOG').catch(() => undefined)
  const slots: LoggedSlot[] = []
  for (let seq = Math.max(1, info?.state.first_seq ?? 1); seq <= (info?.state.last_seq ?? 0); seq += 1) {
    const message = await streams.getMessage('LIVE_LOG', { seq })
    if (message?.subject !== subject) continue
    const { token, folder, slotMs, newest } = message.json<LogMessage>()
    // A log that was published again from its copy.
    if (newest === null) continue
    const { slot, epoch, key } = newest
    const hour = Math.floor((slot * slotMs) / 3_600_000)
    const name = createHmac('sha256', key).update(`${slot}`).digest('base64url').slice(0, 22)
    slots.push({ slot, epoch, token, path: `${folder}/${hour}/${name}`, storedMs: message.time.getTime() })
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
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(parent) !== pid || state === 'Z') continue
    found.push(
      await readFile(join('/proc', entry, 'comm'), 'utf8').then(
        (name) => name.trim(),
        () => '',
      ),
    )
  }
  return found
}
