import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { jetstream } from '@nats-io/jetstream'
import { createBrokerTime } from '../../platform/clock/broker-time.ts'
import { manageStreams } from '../../platform/feed/feed-stream.ts'
import { aConnectedBus, someNats, until } from '../../platform/feed/testing/a-feed-system.ts'
import { followLatest } from '../../platform/live-bus/follow-latest.ts'
import {
  CONFIG_SUBJECTS,
  configSubject,
  ensureLiveStreams,
  healthSubject,
  LIVE_LOG_STREAM,
  LIVE_STREAM,
  LOG_SUBJECTS,
  logSubject,
  REPORT_SUBJECTS,
  reportSubject,
} from '../../platform/live-bus/live-streams.ts'
import { createLatestReader } from '../../platform/live-bus/read-latest.ts'
import { takeLease } from './lease-keeper.ts'
import { openLogWriter } from './log-writer.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

test('the NATS users of worker and receiver have the permissions they need, and the receiver no others', async (t) => {
  const nats = await someNats(t)
  const { urls } = nats.servers[0]!
  const worker = await aConnectedBus(t, urls.worker)
  const receiver = await aConnectedBus(t, urls.receiver_1)
  await ensureLiveStreams(worker.connection()!, 1)
  // A worker also reads the time of NATS, which creates the stream that receivers use for it.
  assert.ok((await createBrokerTime(worker, 1)()) !== undefined)
  const input = { sourceId: randomUUID(), input: 0 as const }
  const [configs, reports]: [string[], string[]] = [[], []]
  const follow = (bus: typeof worker, subjects: string, received: string[]) => {
    const onMessage = (_: string, text: string) => void received.push(text)
    const follower = followLatest(bus, { subjects, onMessage, logger: silent })
    t.after(() => follower.close())
  }
  follow(receiver, CONFIG_SUBJECTS, configs)
  follow(worker, REPORT_SUBJECTS, reports)

  await jetstream(worker.connection()!).publish(configSubject(input.sourceId), 'receive it')
  await until(() => configs.length === 1)
  const clocks = { brokerMs: Date.now, steadyMs: () => performance.now() }
  const taken = await takeLease({ bus: receiver, holder: 'r', ...clocks }, input)
  assert.ok(taken.kind === 'taken')
  const { lease } = taken
  const writer = await openLogWriter({
    bus: receiver,
    ...input,
    lease,
    folder: 'live/a/s',
    slotMs: 3_200,
    brokerMs: Date.now,
    memory: {},
  })
  const isWritten = await writer.write({ slot: 1, epoch: writer.firstEpoch })
  await jetstream(receiver.connection()!).publish(reportSubject(input), 'it is received')
  await until(() => reports.length === 1)

  assert.deepEqual([configs, reports, isWritten], [['receive it'], ['it is received'], true])
  assert.ok((await createBrokerTime(receiver, 1)()) !== undefined)
  const asReceiver = receiver.connection()!
  const { streams } = await manageStreams(asReceiver)
  const forbidden: Record<string, () => Promise<unknown>> = {
    'a configuration': () =>
      jetstream(asReceiver).publish(configSubject(input.sourceId), 'another', { timeout: 500, retries: 1 }),
    'an update of a channel': () =>
      jetstream(asReceiver).publish('feed.channel.a.b', 'x', { timeout: 500, retries: 1 }),
    'an empty stream': () => streams.purge(LIVE_STREAM),
  }
  for (const [what, attempt] of Object.entries(forbidden)) await assert.rejects(attempt(), what)
  assert.deepEqual(configs, ['receive it'])
})

test('the NATS user of the API can read the health of an input, and cannot write it', async (t) => {
  const nats = await someNats(t)
  const { urls } = nats.servers[0]!
  const [api, worker, receiver] = [
    await aConnectedBus(t, urls.api),
    await aConnectedBus(t, urls.worker),
    await aConnectedBus(t, urls.receiver_1),
  ]
  const readLatest = createLatestReader(api)
  const subject = healthSubject({ sourceId: randomUUID(), input: 0 })
  const beforeTheStream = await readLatest(LIVE_STREAM, subject)
  await ensureLiveStreams(worker.connection()!, 1)
  const beforeAnything = await readLatest(LIVE_STREAM, subject)
  await jetstream(receiver.connection()!).publish(subject, 'well')

  assert.deepEqual(
    [beforeTheStream, beforeAnything, await readLatest(LIVE_STREAM, subject)],
    [undefined, undefined, 'well'],
  )
  const asApi = jetstream(api.connection()!)
  await assert.rejects(asApi.publish(subject, 'mine', { timeout: 500, retries: 1 }))
})

test('the NATS user of a playout node can read live logs, and cannot write them', async (t) => {
  const nats = await someNats(t)
  const { urls } = nats.servers[0]!
  const [worker, receiver, node] = [
    await aConnectedBus(t, urls.worker),
    await aConnectedBus(t, urls.receiver_1),
    await aConnectedBus(t, urls.playout_1),
  ]
  await ensureLiveStreams(worker.connection()!, 1)
  const subject = logSubject({ sourceId: randomUUID(), input: 0 })
  await jetstream(receiver.connection()!).publish(subject, 'before')
  const received: string[] = []
  const follower = followLatest(node, {
    stream: LIVE_LOG_STREAM,
    subjects: LOG_SUBJECTS,
    onMessage: (_, text, storedMs) => received.push(`${text} ${Math.abs(Date.now() - storedMs) < 60_000}`),
    logger: silent,
  })
  t.after(() => follower.close())
  await until(() => received.length === 1)
  await jetstream(receiver.connection()!).publish(subject, 'after')
  await until(() => received.length === 2)

  assert.deepEqual(received, ['before true', 'after true'])
  const asNode = node.connection()!
  const forbidden: Record<string, () => Promise<unknown>> = {
    'a log': () => jetstream(asNode).publish(subject, 'mine', { timeout: 500, retries: 1 }),
    'a lease': () => jetstream(asNode).publish('live.lease.a.0', 'mine', { timeout: 500, retries: 1 }),
    'a consumer of leases': async () =>
      (await manageStreams(asNode)).consumers.add(LIVE_STREAM, {
        deliver_subject: 'live.deliver.playout_1.x',
      }),
  }
  for (const [what, attempt] of Object.entries(forbidden)) await assert.rejects(attempt(), what)
})
