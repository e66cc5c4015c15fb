import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { LEASE_MS } from '@continuity/core/live/lease'
import type { SlotLog } from '@continuity/core/live/slot-log'
import type { Bus } from '../../platform/bus/bus.ts'
import { manageStreams } from '../../platform/feed/feed-stream.ts'
import { aConnectedBus, someNats } from '../../platform/feed/testing/a-feed-system.ts'
import {
  ensureLiveStreams,
  LIVE_LOG_STREAM,
  LIVE_STREAM,
  type LiveInput,
} from '../../platform/live-bus/live-streams.ts'
import { type HeldLease, takeLease } from './lease-keeper.ts'
import { type LogMemory, openLogWriter } from './log-writer.ts'

/** Receivers on one broker. The test controls the clocks of broker and processes. */
async function someReceivers(t: TestContext) {
  const nats = await someNats(t)
  const { url } = nats.servers[0]!
  const owner = await aConnectedBus(t, url)
  await ensureLiveStreams(owner.connection()!, 1)
  // The offset of the broker's clock from the real one, by which messages are stamped.
  const time = { aheadMs: 0, steadyMs: 0 }
  const receiver = async (holder: string) => {
    const bus = await aConnectedBus(t, url)
    const clock = { steadyMs: () => time.steadyMs }
    const options = { bus, holder, brokerMs: () => Date.now() + time.aheadMs, ...clock }
    const take = async (input: LiveInput) => {
      const result = await takeLease(options, input)
      return result.kind === 'taken' ? result.lease : undefined
    }
    return { bus, take }
  }
  return { time, receiver, owner }
}

const anInput = (): LiveInput => ({ sourceId: randomUUID(), input: 0 })

const held = (lease: HeldLease | undefined): HeldLease => {
  assert.ok(lease !== undefined, 'the lease is not held')
  return lease
}

test('one of several concurrent receivers gets the lease, and another only after it expires', async (t) => {
  const { time, receiver } = await someReceivers(t)
  const receivers = await Promise.all(['a', 'b', 'c', 'd'].map(receiver))
  const input = anInput()

  const taken = await Promise.all(receivers.map(({ take }) => take(input)))

  const holder = taken.findIndex((lease) => lease !== undefined)
  assert.equal(taken.filter((lease) => lease !== undefined).length, 1)
  const other = receivers[(holder + 1) % 4]!
  assert.equal(await other.take(input), undefined)
  time.aheadMs = LEASE_MS - 2_000
  assert.equal(await other.take(input), undefined)
  time.aheadMs = LEASE_MS + 1_000
  const next = held(await other.take(input))
  assert.ok(next.token > taken[holder]!.token)
  assert.equal(await taken[holder]!.renew(), false)
  assert.equal(taken[holder]!.isValid(), false)
})

test('a renewed lease is kept, and a released one can be taken immediately', async (t) => {
  const { time, receiver } = await someReceivers(t)
  const [a, b] = [await receiver('a'), await receiver('b')]
  const input = anInput()
  const lease = held(await a.take(input))

  time.steadyMs += 2_900
  assert.equal(lease.isValid(), true)
  assert.equal(await lease.renew(), true)
  time.steadyMs += 2_900
  assert.equal(lease.isValid(), true)
  time.steadyMs += 1_000
  assert.equal(lease.isValid(), false)
  assert.equal(await lease.renew(), true)
  assert.equal(lease.isValid(), true)
  assert.equal(await b.take(input), undefined)
  await lease.release()

  const next = held(await b.take(input))
  assert.ok(next.token > lease.token)
  assert.equal(lease.isValid(), false)
})

test('tokens increase even after the broker has lost all leases', async (t) => {
  const { receiver, owner } = await someReceivers(t)
  const [a, b] = [await receiver('a'), await receiver('b')]
  const input = anInput()
  const lease = held(await a.take(input))
  const { streams } = await manageStreams(owner.connection()!)
  await streams.purge(LIVE_STREAM)
  await new Promise((resolve) => setTimeout(resolve, 5))

  const next = held(await b.take(input))

  assert.ok(next.token > lease.token)
  assert.equal(await lease.renew(), false)
})

const SLOT_MS = 3_200
const openLog = (bus: Bus, input: LiveInput, lease: HeldLease, memory: LogMemory = {}) =>
  openLogWriter({ bus, ...input, lease, folder: 'live/a/s', slotMs: SLOT_MS, brokerMs: Date.now, memory })

test('a log keeps slots that were in time as ranges, and its folders cannot be guessed', async (t) => {
  const { receiver, owner } = await someReceivers(t)
  const a = await receiver('a')
  const input = anInput()
  const writer = await openLog(a.bus, input, held(await a.take(input)))
  const now = Math.floor(Date.now() / SLOT_MS)
  assert.equal(await writer.write({ slot: now - 3, epoch: 1 }), true)
  assert.equal(await writer.write({ slot: now, epoch: 1 }), true)
  assert.equal(await writer.write({ slot: now + 40, epoch: 2 }), true)
  assert.equal(await writer.write({ slot: now + 41, epoch: 2 }), true)

  const { streams } = await manageStreams(owner.connection()!)
  const last = await streams.getMessage(LIVE_LOG_STREAM, { last_by_subj: `live.log.${input.sourceId}.0` })
  const { ranges } = last!.json<SlotLog>()
  // The first was too late, and the last two came before their slots began.
  assert.deepEqual(
    ranges.map(({ firstSlot, endSlot }) => [firstSlot, endSlot]),
    [[now, now + 1]],
  )
  const folders = [5, 6, 7].map((slot) => writer.folderOf({ slot, epoch: 3 }))
  assert.equal(new Set(folders).size, 3)
  assert.notEqual(writer.folderOf({ slot: 5, epoch: 4 }), folders[0])
  for (const folder of folders) assert.match(folder, /^live\/a\/s\/\d+\/[\w-]{22}$/)
})

test('a lost log is restored from memory with the next slot, without changing verdicts', async (t) => {
  const { receiver, owner } = await someReceivers(t)
  const a = await receiver('a')
  const input = anInput()
  const memory: LogMemory = {}
  const now = Math.floor(Date.now() / SLOT_MS)
  const writer = await openLog(a.bus, input, held(await a.take(input)), memory)
  await writer.write({ slot: now - 5, epoch: 1 }) // too late
  await writer.write({ slot: now, epoch: 1 }) // in time by the clock of the writer, when the store is lost
  const { streams } = await manageStreams(owner.connection()!)
  await streams.purge(LIVE_STREAM)
  await streams.purge(LIVE_LOG_STREAM)
  assert.equal(await writer.write({ slot: now + 1, epoch: 1 }), false)

  const again = await openLog(a.bus, input, held(await a.take(input)), memory)
  assert.deepEqual([again.firstSlot, again.firstEpoch], [now + 1, 2])
  await again.write({ slot: now + 50, epoch: 2 })

  const last = await streams.getMessage(LIVE_LOG_STREAM, { last_by_subj: `live.log.${input.sourceId}.0` })
  const log = last!.json<SlotLog>()
  assert.deepEqual(
    log.ranges.map(({ firstSlot, endSlot, epoch }) => [firstSlot, endSlot, epoch]),
    [[now, now + 1, 1]],
  )
  assert.equal(log.knownFrom, now - 5)
})

test('a log is written slot by slot, and a new writer continues after it in a new epoch', async (t) => {
  const { time, receiver, owner } = await someReceivers(t)
  const [a, b] = [await receiver('a'), await receiver('b')]
  const input = anInput()
  const first = await openLog(a.bus, input, held(await a.take(input)))
  assert.deepEqual([first.firstSlot, first.firstEpoch], [0, 1])
  assert.equal(await first.write({ slot: 100, epoch: 1 }), true)
  assert.equal(await first.write({ slot: 102, epoch: 1 }), true)
  await assert.rejects(first.write({ slot: 102, epoch: 1 }), /102/)
  time.aheadMs = LEASE_MS + 1_000

  const second = await openLog(b.bus, input, held(await b.take(input)))

  assert.deepEqual([second.firstSlot, second.firstEpoch], [103, 2])
  assert.equal(await second.write({ slot: 103, epoch: 2 }), true)
  const { streams } = await manageStreams(owner.connection()!)
  const last = await streams.getMessage(LIVE_LOG_STREAM, { last_by_subj: `live.log.${input.sourceId}.0` })
  const log = last!.json<SlotLog>()
  assert.deepEqual([log.newest?.slot, log.newest?.epoch, log.folder], [103, 2, 'live/a/s'])
  // These slots are of 1970, so all were late.
  assert.deepEqual(log.ranges, [])
})

test('a process that was paused past its lease writes nothing afterwards', async (t) => {
  const { time, receiver, owner } = await someReceivers(t)
  const [paused, other] = [await receiver('paused'), await receiver('other')]
  const input = anInput()
  const lease = held(await paused.take(input))
  const writer = await openLog(paused.bus, input, lease)
  await writer.write({ slot: 1, epoch: 1 })
  time.aheadMs = LEASE_MS + 1_000
  const next = await openLog(other.bus, input, held(await other.take(input)))
  await next.write({ slot: 2, epoch: 2 })

  // Its own clock did not advance during the pause: the broker rejects the write.
  assert.equal(lease.isValid(), true)
  assert.equal(await writer.write({ slot: 3, epoch: 1 }), false)
  assert.equal(await writer.write({ slot: 4, epoch: 1 }), false)
  // If its clock did advance, nothing is sent.
  time.steadyMs += LEASE_MS
  assert.equal(await writer.write({ slot: 5, epoch: 1 }), false)

  const { streams } = await manageStreams(owner.connection()!)
  const { state } = await streams.info(LIVE_LOG_STREAM)
  assert.equal(state.messages, 2)
})
