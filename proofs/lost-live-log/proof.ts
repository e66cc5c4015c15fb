import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterServer, startPrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { startTestSource, type TestSource, usualSource } from '@continuity/test-source/test-source'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { sql } from 'kysely'
import { openBus } from '../../packages/server/src/platform/bus/bus.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { kindsOf, untilListed } from '../live/cut-stages.ts'
import { PATIENCE_MS, receiversOf, sourcesOf } from '../live/live-system.ts'
import { putOnAir, urlsOf } from '../on-air/channels.ts'
import { type OnAirSystem, startOnAirSystem } from '../on-air/on-air-system.ts'
import { createOutputWatch, directOf } from '../on-air/output-watch.ts'
import { killAtOnce } from '../on-air/playout-node.ts'
import { watchContinuously } from '../on-air/watch-continuously.ts'
import { proof } from '../proof.ts'

interface LossSize {
  /** Losses of NATS with all that it has stored; in every second one the receiver is killed too. */
  readonly losses: number
}

const SETTINGS = { ENCODER_PRESET: 'ultrafast', LADDER: '160x90@100+64' }

export const lostLiveLog = proof<LossSize>({
  name: 'lost-live-log',
  title: 'NATS loses its store while a channel is live',
  promise:
    'A channel shows a live source whose signal was lost for a while. NATS is killed, its store is deleted, and it starts again ' +
    'with nothing. The receiver writes the log again from its memory; in every second loss it is killed as well, and the log is ' +
    'published from its copy in PostgreSQL. Every slot that was decided has the same verdict as before, the channel is live ' +
    'again, and the playlist validator finds nothing.',
  sizes: { small: { losses: 2 }, full: { losses: 20 } },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const source = opened.use(await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 }))
    const allow = [new URL(source.url).host]
    const home = await temporaryFolder(opened)
    const searchPath = process.env['PATH'] ?? ''
    const nats = await startPrivateNatsCluster({ home, size: 1, searchPath, log: () => {} })
    opened.defer(() => nats.stop())
    const natsUrls = nats.urls
    const system = await startOnAirSystem(opened, {
      renditions: 1,
      allow,
      settings: SETTINGS,
      clips: 1,
      natsUrls,
    })
    const { mediaFolder, channelId } = system
    const receivers = receiversOf(opened, { natsUrls, mediaFolder, settings: SETTINGS, allow })
    let receiver = await receivers.startReceiver('one')
    const sources = sourcesOf(system)
    const sourceId = await sources.createSource('Harbour', source.url)
    await sources.activate(sourceId)
    const watch = createOutputWatch(directOf(channelId))
    await putOnAir(system, watch.output)
    await sources.untilStatus(sourceId, 'ACTIVE', PATIENCE_MS)
    const cut = [{ linear_channel_id: channelId }]
    await system.call('POST', `/api/2.3/linear_channels/override/${sourceId}`, cut)
    await untilListed(system, watch, 'live')
    await interrupt(source)
    await untilListed(system, watch, 'live')
    log('the channel is live, after a loss of the signal')

    const reader = openBus(nats.url, { name: 'proof', logger: silent })
    opened.defer(() => reader.close())
    await reader.opened
    const readLog = async () => {
      const nc = reader.connection()
      return nc && readVerdicts(nc, sourceId).catch(() => undefined)
    }
    const watching = watchContinuously(watch, () => urlsOf(system)[watch.checks() % 2]!)
    const counts = { decided: 0, fill: 0, changed: 0, restored: 0 }
    let liveAgain = 0
    for (let loss = 0; loss < size.losses; loss += 1) {
      const isReceiverKilled = loss % 2 === 1
      const before = await readLog()
      if (before === undefined) break
      const newest = Math.max(...before.keys())
      // What was written since the last copy is only in the memory of the receiver.
      if (isReceiverKilled) await untilCopied(system, sourceId, newest)
      await loseStore(nats.servers[0]!)
      if (isReceiverKilled) await killAtOnce(receiver)
      await nats.servers[0]!.start()
      if (isReceiverKilled) receiver = await receivers.startReceiver('one')
      const after = await pollUntil(async () => {
        const found = await readLog()
        // The receiver has continued the log.
        return found !== undefined && Math.max(...found.keys()) > newest ? found : undefined
      }, PATIENCE_MS)
      for (const [slot, path] of before) {
        counts.decided += 1
        counts.fill += path === undefined ? 1 : 0
        counts.changed += after?.get(slot) === path ? 0 : 1
      }
      counts.restored += after === undefined ? 0 : 1
      liveAgain += (await untilListed(system, watch, 'live')) ? 1 : 0
      await sleep(4 * SLOT_MS)
      log(`${loss + 1} losses: ${counts.decided} slots compared, ${counts.changed} changed`)
    }
    await watching[Symbol.asyncDispose]()
    for (const line of [...watch.faults, ...watching.failures].slice(0, 10)) log(line)
    const kinds = kindsOf(watch.listed())
    return {
      figures: {
        losses: size.losses,
        logs_restored: counts.restored,
        live_again: liveAgain,
        slots_decided_before: counts.decided,
        slots_without_media_before: counts.fill,
        slots_whose_verdict_changed: counts.changed,
        segments_listed: kinds.length,
        segments_live: kinds.filter((kind) => kind === 'live').length,
        violations: watch.faults.length,
        requests_without_a_playlist: watching.failures.length,
      },
      targets: {
        logs_restored: { is: size.losses },
        live_again: { is: size.losses },
        slots_decided_before: { atLeast: 5 * size.losses },
        slots_without_media_before: { atLeast: size.losses },
        slots_whose_verdict_changed: { is: 0 },
        segments_live: { atLeast: 5 * size.losses },
        violations: { is: 0 },
        requests_without_a_playlist: { is: 0 },
      },
    }
  },
})

const SLOT_MS = 3_200
const { logger: silent } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })

/** Long enough for some slots without media. */
async function interrupt(source: TestSource): Promise<void> {
  source.stall()
  await sleep(5 * SLOT_MS)
  source.resume()
  await sleep(2 * SLOT_MS)
}

async function loseStore(server: ClusterServer): Promise<void> {
  await server.kill()
  await server.deleteStore()
}

async function untilCopied({ database }: OnAirSystem, sourceId: string, slot: number): Promise<void> {
  const isCopied = async () => {
    const { rows } = await sql<{ readonly end: number | null }>`
      select max((range ->> 'endSlot')::int) as end from live_logs, jsonb_array_elements(log::jsonb -> 'ranges') range
       where live_source_id = ${sourceId}`.execute(database.platform)
    return (rows[0]?.end ?? 0) > slot || undefined
  }
  if (!(await pollUntil(isCopied, PATIENCE_MS))) throw new Error('the log is not copied in time')
}

/** As it is on the bus, declared again here. */
interface LogMessage {
  readonly knownFrom: number
  readonly ranges: readonly {
    readonly firstSlot: number
    readonly endSlot: number
    readonly epoch: number
    readonly key: string
  }[]
}

/**
 * What the log has for each slot since its first, by a client of our own: its epoch and key, or undefined without media.
 * The newest slot is not decided yet. Undefined where the bus has no log.
 */
async function readVerdicts(
  nc: NatsConnection,
  sourceId: string,
): Promise<ReadonlyMap<number, string | undefined> | undefined> {
  const { streams } = await jetstreamManager(nc)
  const message = await streams.getMessage('LIVE_LOG', { last_by_subj: `live.log.${sourceId}.0` })
  const log = message?.json<LogMessage>()
  const last = log?.ranges.at(-1)
  if (log === undefined || last === undefined) return undefined
  const verdicts = new Map<number, string | undefined>()
  for (let slot = log.knownFrom; slot < last.endSlot; slot += 1) {
    const range = log.ranges.find(({ firstSlot, endSlot }) => slot >= firstSlot && slot < endSlot)
    verdicts.set(slot, range && `${range.epoch} ${range.key}`)
  }
  return verdicts
}
