import { setTimeout } from 'node:timers/promises'
import type { SlotLog } from '@continuity/core/live/slot-log'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { createLiveLogs } from '../../packages/server/src/modules/playout/live-logs.ts'
import { openBus } from '../../packages/server/src/platform/bus/bus.ts'
import { createBrokerClock } from '../../packages/server/src/platform/clock/broker-time.ts'
import { followLatest } from '../../packages/server/src/platform/live-bus/follow-latest.ts'
import {
  ALL_LOG_SUBJECTS,
  LIVE_LOG_STREAM,
} from '../../packages/server/src/platform/live-bus/live-streams.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { quantile } from '../../tools/figures/figures.ts'
import { openStore, type StoreKind } from '../ingest-shapes/stores.ts'
import { temporaryFolder } from '../on-air/temporary-folder.ts'
import { proof } from '../proofs/proof.ts'
import { type LoneReceiver, SLOT_MS, startLoneReceiver } from './lone-receiver.ts'

interface LatencySize {
  readonly stores: readonly StoreKind[]
  /** Received at once by one receiver, which is the load. */
  readonly sources: number
  readonly slots: number
  /** On a busy machine the slowest slot is not checked. */
  readonly isAlone: boolean
}

/** The contract of the log: how long after the end of its slot an entry may come. */
const SETTLE_MS = 1_000
const PATIENCE_MS = 180_000

export const liveLatency = proof<LatencySize>({
  name: 'live-latency',
  title: 'How soon playout nodes receive a slot of a live source',
  promise:
    'One receiver receives several live sources at once and stores their segments, on disk and on S3 (radosgw). A follower ' +
    'with the code and the permissions of a playout node receives each entry of their logs. From the end of a slot by the clock of ' +
    'NATS to the time at which the node receives its entry, the 99th percentile is under a second, the time after which a slot ' +
    'without an entry is fill. Negative: the slot had not ended yet. Every slot between the first and the last of a source ' +
    'counts as missing where it has no entry.',
  watches: [
    'packages/core/src/live',
    'packages/server/src/modules/playout/live-logs.ts',
    'packages/server/src/modules/receiver',
    'packages/server/src/platform/live-bus',
    'packages/server/src/platform/media-store',
    'e2e/live/live-latency-proof.ts',
  ],
  sabotage: {
    title: 'segments are stored four and a half seconds late',
    changes: [
      {
        file: 'packages/server/src/modules/receiver/reception.ts',
        from: 'await storeSegment(deps',
        to: 'await setTimeout(4_500)\n        await storeSegment(deps',
      },
    ],
    missed: ['disk_p50_ms'],
  },
  sizes: {
    small: { stores: ['disk'], sources: 1, slots: 6, isAlone: false },
    full: { stores: ['disk', 's3'], sources: 10, slots: 500, isAlone: true },
  },
  async run({ size, log }) {
    const figures: Record<string, number> = {}
    const targets: Record<string, { atLeast: number } | { atMost: number } | { is: number }> = {}
    for (const store of size.stores) {
      const seen = await measureStore(store, size)
      const { latenciesMs } = seen
      Object.assign(figures, {
        [`${store}_slots`]: latenciesMs.length,
        [`${store}_sources`]: seen.sources,
        [`${store}_p50_ms`]: Math.round(quantile(latenciesMs, 0.5)),
        [`${store}_p99_ms`]: Math.round(quantile(latenciesMs, 0.99)),
        [`${store}_slowest_ms`]: Math.round(Math.max(...latenciesMs)),
        [`${store}_p99_after_the_start_ms`]: Math.round(quantile(latenciesMs, 0.99) + SLOT_MS),
        [`${store}_entries_that_came_too_late`]: seen.late,
        [`${store}_slots_missing`]: seen.missing,
      })
      Object.assign(targets, {
        [`${store}_slots`]: { atLeast: size.slots },
        [`${store}_sources`]: { is: size.sources },
        [`${store}_p50_ms`]: { atMost: SETTLE_MS },
        ...(size.isAlone && {
          [`${store}_p99_ms`]: { atMost: SETTLE_MS },
          [`${store}_entries_that_came_too_late`]: { atMost: size.slots / 100 },
          [`${store}_slots_missing`]: { atMost: size.slots / 100 },
        }),
      })
      log(`${store}: ${latenciesMs.length} slots, p50 ${figures[`${store}_p50_ms`]} ms after their end`)
    }
    return { figures, targets }
  },
})

interface SeenSlots {
  readonly latenciesMs: readonly number[]
  readonly sources: number
  /** Entries that the node has received too late to show them. */
  readonly late: number
  readonly missing: number
}

async function measureStore(kind: StoreKind, size: LatencySize): Promise<SeenSlots> {
  await using opened = new AsyncDisposableStack()
  const source = opened.use(await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 }))
  const store = await openStore[kind](opened, await temporaryFolder(opened))
  const receiver = await startLoneReceiver(opened, {
    allow: [new URL(source.url).host],
    settings: { ...store, LADDER: '160x90@100+64', ENCODER_PRESET: 'ultrafast' },
  })
  const node = await followAsNode(opened, receiver)
  for (let at = 0; at < size.sources; at += 1) await receiver.receive(source.url)
  const endMs = performance.now() + PATIENCE_MS + (2 * size.slots * SLOT_MS) / size.sources
  const slots = () => [...node.values()].flatMap((log) => [...log.values()])
  while (slots().length < size.slots && performance.now() < endMs) await setTimeout(200)
  const spans = [...node.values()].map((log) => Math.max(...log.keys()) - Math.min(...log.keys()) + 1)
  return {
    latenciesMs: slots().map(({ latencyMs }) => latencyMs),
    sources: node.size,
    late: slots().filter(({ isKnown }) => !isKnown).length,
    missing: spans.reduce((sum, span) => sum + span, 0) - slots().length,
  }
}

interface ReceivedSlot {
  readonly latencyMs: number
  readonly isKnown: boolean
}

/** Follows logs as nodes do; notes when each slot of a source was received. */
async function followAsNode(opened: AsyncDisposableStack, { natsUrls, bus: owner }: LoneReceiver) {
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const bus = openBus(natsUrls.playout_1, { name: 'node', logger })
  opened.defer(() => bus.close())
  await bus.opened
  const brokerMs = await createBrokerClock(owner, 1)()
  const originMs = brokerMs - performance.now()
  const logs = createLiveLogs((error) => {
    throw error
  })
  const received = new Map<string, Map<number, ReceivedSlot>>()
  const follower = followLatest(bus, {
    stream: LIVE_LOG_STREAM,
    subjects: ALL_LOG_SUBJECTS,
    onMessage(subject, text, storedMs) {
      logs.apply(subject, text, storedMs)
      const nowMs = performance.now() + originMs
      const sourceId = subject.split('.')[2]!
      const slot = (JSON.parse(text) as SlotLog).newest?.slot
      if (slot === undefined) return
      const slots = received.get(sourceId) ?? new Map<number, ReceivedSlot>()
      received.set(sourceId, slots)
      const isKnown = logs.view.findLog(sourceId)?.entryAt(slot) !== undefined
      slots.set(slot, { latencyMs: nowMs - (slot + 1) * SLOT_MS, isKnown })
    },
    logger,
  })
  opened.defer(() => follower.close())
  return received
}
