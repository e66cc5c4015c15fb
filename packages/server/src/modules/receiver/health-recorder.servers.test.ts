import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { readHealth, type SlotHealth } from '@continuity/core/live/input-health'
import { manageStreams } from '../../platform/feed/feed-stream.ts'
import { aConnectedBus, someNats } from '../../platform/feed/testing/a-feed-system.ts'
import { ensureLiveStreams, healthSubject, LIVE_STREAM } from '../../platform/live-bus/live-streams.ts'
import { readLast } from '../../platform/live-bus/publish-after.ts'
import { createHealthRecorder } from './health-recorder.ts'
import { aLadder } from './testing/an-encoding.ts'

const SLOT_MS = 3_200
const NOW_SLOT = 557_000_000
const ladder = aLadder('128x72@100+64')

/** An input with recorders, each with the connection of a receiver. */
async function anInput(t: TestContext) {
  const nats = await someNats(t)
  const { urls } = nats.servers[0]!
  const worker = await aConnectedBus(t, urls.worker)
  await ensureLiveStreams(worker.connection()!, 1)
  const input = { sourceId: randomUUID(), input: 0 as const }
  const aRecorder = async (slot = NOW_SLOT) => {
    const bus = await aConnectedBus(t, urls.receiver_1)
    const recorder = createHealthRecorder({
      ...input,
      bus,
      ladder,
      slotMs: SLOT_MS,
      brokerMs: () => slot * SLOT_MS,
    })
    // By the time this is answered, the recorder has loaded the previous message.
    await readLast(bus, LIVE_STREAM, healthSubject(input))
    return { ...recorder, sent: () => bus.connection()!.flush() }
  }
  const slots = async () => {
    const message = await readLast(worker, LIVE_STREAM, healthSubject(input))
    return message === null
      ? undefined
      : readHealth(message.string())?.slots.map(({ slot }) => slot - NOW_SLOT)
  }
  return { worker, aRecorder, slots }
}

const fill = (slot: number): SlotHealth => ({ slot: NOW_SLOT + slot, media: null })

test('one message holds the recent slots, is sent every few slots, and is continued after a takeover', async (t) => {
  const { aRecorder, slots } = await anInput(t)
  const one = await aRecorder()
  for (const slot of [0, 1, 2]) one.add(fill(slot))
  await one.sent()
  assert.equal(await slots(), undefined)
  one.add(fill(3))
  await one.sent()
  assert.deepEqual(await slots(), [0, 1, 2, 3])

  const two = await aRecorder(NOW_SLOT + 6)
  for (const slot of [6, 7, 8, 9]) two.add(fill(slot))
  await two.sent()

  assert.deepEqual(await slots(), [0, 1, 2, 3, 6, 7, 8, 9])
})

test('slots older than ten minutes are dropped, and clear() empties the message', async (t) => {
  const { aRecorder, slots } = await anInput(t)
  const one = await aRecorder()
  for (const slot of [0, 1, 2, 3]) one.add(fill(slot))
  await one.sent()

  const two = await aRecorder(NOW_SLOT + 188)
  for (const slot of [188, 189, 190, 191]) two.add(fill(slot))
  await two.sent()
  const kept = await slots()
  two.clear()
  await two.sent()

  assert.deepEqual(kept, [188, 189, 190, 191])
  assert.deepEqual(await slots(), [])
})

test('signal problems that last over a minute survive a takeover', async (t) => {
  const { aRecorder } = await anInput(t)
  const media = { bitrateKbps: 900, delayMs: 5_000, loudnessLufs: -23, isFrozen: false, isSilent: false }
  const black = (slot: number): SlotHealth => ({ slot: NOW_SLOT + slot, media: { ...media, isBlack: true } })
  const one = await aRecorder()
  for (let slot = 0; slot < 20; slot += 1) one.add(black(slot))
  await one.sent()
  assert.deepEqual(one.troubles(), ['black'])

  const two = await aRecorder(NOW_SLOT + 22)
  assert.deepEqual(two.troubles(), ['black'])
  const three = await aRecorder(NOW_SLOT + 500)
  assert.deepEqual(three.troubles(), [])
})

test('a stream of an earlier version is updated to accept health, without losing messages', async (t) => {
  const { worker, aRecorder, slots } = await anInput(t)
  const { streams } = await manageStreams(worker.connection()!)
  const { config } = await streams.info(LIVE_STREAM)
  const earlier = config.subjects.filter((subject) => !subject.startsWith('live.health'))
  await streams.update(LIVE_STREAM, { ...config, subjects: earlier })

  const made = await ensureLiveStreams(worker.connection()!, 1)

  assert.equal(made, 0)
  const recorder = await aRecorder()
  for (const slot of [0, 1, 2, 3]) recorder.add(fill(slot))
  await recorder.sent()
  assert.deepEqual(await slots(), [0, 1, 2, 3])
})
