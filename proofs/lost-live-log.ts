import { setTimeout as sleep } from 'node:timers/promises'
import { measured } from '@continuity/dev/measured'
import type { ClusterServer } from '@continuity/dev/private-nats-cluster'
import type { TestSource } from '@continuity/test-source/test-source'
import type { NatsConnection } from '@nats-io/transport-node'
import { proof } from './proof.ts'
import {
  connectNats,
  countLive,
  readLastLog,
  SLOT_MS,
  startLiveChannel,
  untilListed,
} from './shared/live-system.ts'
import { killAtOnce, type OnAirSystem, urlsOf } from './shared/on-air-system.ts'
import { watchContinuously } from './shared/output-watch.ts'
import { until } from './shared/until.ts'

interface LossSize {
  /** Losses of NATS with all that it has stored; in every second one the receiver is killed too. */
  readonly losses: number
}

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
    const live = await startLiveChannel(opened)
    const { system, sources, sourceIds, receivers, watch } = live
    const [server] = system.nats.servers as [ClusterServer]
    let receiver = live.receiving[0]!
    const [source, sourceId] = [sources[0]!, sourceIds[0]!]
    const cut = [{ linear_channel_id: system.channelId }]
    await system.call('POST', `/api/2.3/linear_channels/override/${sourceId}`, cut)
    await untilListed(system, watch, 'live')
    await interrupt(source)
    await untilListed(system, watch, 'live')
    log('the channel is live, after a loss of the signal')

    const bus = await connectNats(system.nats.url)
    opened.defer(() => bus.close())
    const read = () => readVerdicts(bus, sourceId).catch(() => undefined)
    const watching = watchContinuously(watch, () => urlsOf(system)[watch.checks() % 2]!)
    const counts = { decided: 0, fill: 0, changed: 0, restored: 0, liveAgain: 0 }
    for (let loss = 0; loss < size.losses; loss += 1) {
      const isReceiverKilled = loss % 2 === 1
      const before = await read()
      if (before === undefined) break
      const newest = Math.max(...before.keys())
      // What was written since the last copy is only in the memory of the receiver.
      if (isReceiverKilled) await untilCopied(system, sourceId, newest)
      await server.kill()
      await server.deleteStore()
      if (isReceiverKilled) await killAtOnce(receiver)
      await server.start()
      if (isReceiverKilled) receiver = await receivers.startReceiver('one')
      const after = await until('the receiver continues the log', async () => {
        const found = await read()
        return found !== undefined && Math.max(...found.keys()) > newest ? found : undefined
      })
      counts.restored += 1
      for (const [slot, verdict] of before) {
        counts.decided += 1
        if (verdict === undefined) counts.fill += 1
        if (after.get(slot) !== verdict) counts.changed += 1
      }
      if (await untilListed(system, watch, 'live')) counts.liveAgain += 1
      await sleep(4 * SLOT_MS)
      log(`${loss + 1} losses: ${counts.decided} slots compared, ${counts.changed} changed`)
    }
    await watching[Symbol.asyncDispose]()
    for (const line of [...watch.faults, ...watching.failures].slice(0, 10)) log(line)
    return measured({
      logs_restored: [counts.restored, { is: size.losses }],
      live_again: [counts.liveAgain, { is: size.losses }],
      slots_decided_before: [counts.decided, { atLeast: 5 * size.losses }],
      slots_without_media_before: [counts.fill, { atLeast: size.losses }],
      slots_whose_verdict_changed: [counts.changed, { is: 0 }],
      segments_live: [countLive(watch.listed()), { atLeast: 5 * size.losses }],
      violations: [watch.faults.length, { is: 0 }],
      requests_without_a_playlist: [watching.failures.length, { is: 0 }],
    })
  },
})

/** Long enough for some slots without media. */
async function interrupt(source: TestSource): Promise<void> {
  source.stall()
  await sleep(5 * SLOT_MS)
  source.resume()
  await sleep(2 * SLOT_MS)
}

const untilCopied = ({ sql }: OnAirSystem, sourceId: string, slot: number) =>
  until('the log is copied', async () => {
    const [row] = await sql.query<{ end: number | null }>(
      `select max((range ->> 'endSlot')::int) as end from live_logs, jsonb_array_elements(log::jsonb -> 'ranges') range
        where live_source_id = $1`,
      [sourceId],
    )
    return (row?.end ?? 0) > slot
  })

/**
 * What the log has for each slot since its first: its epoch and key, or undefined without media. The newest slot is not
 * decided yet. Undefined where the bus has no log.
 */
async function readVerdicts(bus: NatsConnection, sourceId: string) {
  const log = await readLastLog(bus, sourceId)
  const last = log?.ranges.at(-1)
  if (log === undefined || last === undefined) return undefined
  const verdicts = new Map<number, string | undefined>()
  for (let slot = log.knownFrom; slot < last.endSlot; slot += 1) {
    const range = log.ranges.find(({ firstSlot, endSlot }) => slot >= firstSlot && slot < endSlot)
    verdicts.set(slot, range && `${range.epoch} ${range.key}`)
  }
  return verdicts
}
