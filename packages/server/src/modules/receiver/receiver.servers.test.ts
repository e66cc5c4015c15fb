import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { printHealth } from '@continuity/core/live/input-health'
import { isHeld, type Lease } from '@continuity/core/live/lease'
import type { SlotLog } from '@continuity/core/live/slot-log'
import type { SourceConfig } from '@continuity/core/live/source-config'
import type { SourceReport } from '@continuity/core/live/source-report'
import { startTestSource, type TestSourceOptions, usualSource } from '@continuity/test-source/test-source'
import { jetstream } from '@nats-io/jetstream'
import { aConnectedBus, someNats, until } from '../../platform/feed/testing/a-feed-system.ts'
import {
  configSubject,
  ensureLiveStreams,
  healthSubject,
  LIVE_LOG_STREAM,
  LIVE_STREAM,
  leaseSubject,
  logSubject,
  reportSubject,
} from '../../platform/live-bus/live-streams.ts'
import { readLast } from '../../platform/live-bus/publish-after.ts'
import { openDiskStore } from '../../platform/media-store/disk-store.ts'
import { createOutboundClient } from '../../platform/outbound/outbound-client.ts'
import { startReceiver } from './receiver.ts'
import { aLadder, runProgram, silent } from './testing/an-encoding.ts'

async function aSource(t: TestContext, options: Partial<TestSourceOptions> = {}) {
  const source = await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1, ...options })
  t.after(() => source[Symbol.asyncDispose]())
  return source
}

/** A broker, with receivers that the test starts and stops. */
async function aFleet(t: TestContext, hosts: readonly string[]) {
  const nats = await someNats(t)
  const bus = await aConnectedBus(t, nats.servers[0]!.url)
  await ensureLiveStreams(bus.connection()!, 1)
  const root = await mkdtemp(join(tmpdir(), 'continuity-fleet-'))
  const outboundClient = createOutboundClient({ allow: hosts })
  const closings: (() => Promise<void>)[] = []
  t.after(async () => {
    // First of all: a receiver writes into the folder until it is closed.
    await Promise.all(closings.map((close) => close()))
    await outboundClient.close()
    await rm(root, { recursive: true, force: true })
  })
  await mkdir(join(root, 'media'))
  const start = async (holder: string, mostInputs = 4) => {
    const scratchFolder = join(root, holder)
    await mkdir(scratchFolder)
    const receiver = startReceiver({
      bus: await aConnectedBus(t, nats.servers[0]!.url),
      outboundClient,
      store: openDiskStore(join(root, 'media')),
      runProgram,
      ladder: aLadder('128x72@100+64'),
      preset: 'ultrafast',
      scratchFolder,
      holder,
      mostInputs,
      brokerMs: Date.now,
      steadyMs: () => performance.now(),
      logger: silent,
    })
    let closing: Promise<void> | undefined
    const close = () => (closing ??= receiver.close())
    closings.push(close)
    return { ...receiver, close }
  }
  let generation = 0
  const sourceId = randomUUID()
  const publish = (over: Partial<SourceConfig>) => {
    generation += 1
    const config: SourceConfig = {
      accountId: 'a',
      sourceId,
      generation,
      reception: 'receive',
      urls: [],
      frameRate: 30,
      segmentMs: 3_200,
      loudnessLufs: null,
      cues: null,
      ...over,
    }
    return jetstream(bus.connection()!).publish(configSubject(sourceId), JSON.stringify(config))
  }
  const last = async <T>(stream: string, subject: string) => (await readLast(bus, stream, subject))?.json<T>()
  return {
    start,
    publish,
    publishText: (text: string) => jetstream(bus.connection()!).publish(configSubject(randomUUID()), text),
    generation: () => generation,
    reportOf: (input: 0 | 1) => last<SourceReport>(LIVE_STREAM, reportSubject({ sourceId, input })),
    publishHealth: (text: string) =>
      jetstream(bus.connection()!).publish(healthSubject({ sourceId, input: 0 }), text),
    healthOf: (input: 0 | 1) => last(LIVE_STREAM, healthSubject({ sourceId, input })),
    holderOf: async (input: 0 | 1) => {
      const lease = await last<Lease>(LIVE_STREAM, leaseSubject({ sourceId, input }))
      return lease !== undefined && isHeld(lease) ? lease.holder : undefined
    },
    lastSlotOf: async (input: 0 | 1) =>
      (await last<SlotLog>(LIVE_LOG_STREAM, logSubject({ sourceId, input })))?.newest?.slot ?? 0,
  }
}

async function untilSo(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!(await isSo())) {
    assert.ok(performance.now() < endMs, 'timed out')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('a receiver', { concurrency: true }, () => {
  test('receives configured sources and reports on them; another takes over when it stops; unused leases are released', async (t) => {
    const source = await aSource(t)
    const fleet = await aFleet(t, [new URL(source.url).host])
    const one = await fleet.start('one')
    for (const text of ['', 'receive it', '{}']) await fleet.publishText(text)
    await fleet.publish({ urls: [source.url] })
    await untilSo(async () => (await fleet.reportOf(0))?.condition === 'receiving')
    assert.equal(await fleet.holderOf(0), 'one')
    assert.equal(one.held(), 1)

    const two = await fleet.start('two')
    const before = await fleet.lastSlotOf(0)
    await one.close()
    assert.equal(one.held(), 0)
    await untilSo(async () => (await fleet.holderOf(0)) === 'two')
    await untilSo(async () => (await fleet.lastSlotOf(0)) > before)

    await fleet.publish({ urls: [source.url], reception: 'none' })
    await untilSo(async () => (await fleet.holderOf(0)) === undefined)
    await until(() => two.held() === 0)
    assert.equal(two.wanted(), 0)
    assert.deepEqual(await fleet.healthOf(0), { slotMs: 3_200, rung: '72p', first: 0, slots: [] })
  })

  test('reports why a source cannot be received; with reception watch it only probes it', async (t) => {
    const source = await aSource(t)
    source.fail(404)
    const fleet = await aFleet(t, [new URL(source.url).host])
    await fleet.start('one')
    await fleet.publish({ urls: [source.url] })
    await untilSo(async () => (await fleet.reportOf(0))?.condition === 'failed')
    const report = await fleet.reportOf(0)
    assert.deepEqual(
      [report?.code, report?.message],
      ['source.status', 'The server of the source answers 404.'],
    )

    await fleet.publish({ urls: [source.url], reception: 'watch' })
    await untilSo(async () => (await fleet.reportOf(0))?.generation === fleet.generation())
    source.heal()
    await untilSo(async () => (await fleet.reportOf(0))?.condition === 'receiving')
    assert.equal(await fleet.lastSlotOf(0), 0)
  })

  test('reports signal problems seen by another receiver until the signal is good for ten seconds', async (t) => {
    const source = await aSource(t)
    const fleet = await aFleet(t, [new URL(source.url).host])
    const lastSlot = Math.floor(Date.now() / 3_200)
    const media = { bitrateKbps: 900, delayMs: 5_000, loudnessLufs: -70, isFrozen: false, isSilent: true }
    const black = { ...media, isBlack: true }
    const slots = Array.from({ length: 20 }, (_, at) => ({ slot: lastSlot - 20 + at, media: black }))
    await fleet.publishHealth(printHealth({ slotMs: 3_200, slots }))

    await fleet.start('one')
    await fleet.publish({ urls: [source.url] })
    await untilSo(async () => (await fleet.reportOf(0))?.condition === 'receiving')
    assert.deepEqual((await fleet.reportOf(0))?.troubles, ['black', 'silent'])
    await untilSo(async () => (await fleet.reportOf(0))?.troubles?.length === 0)

    assert.equal((await fleet.reportOf(0))?.condition, 'receiving')
  })

  test('two inputs go to two receivers, and a full receiver takes none', async (t) => {
    const source = await aSource(t)
    const fleet = await aFleet(t, [new URL(source.url).host])
    const [full, one, two] = [
      await fleet.start('full', 0),
      await fleet.start('one'),
      await fleet.start('two'),
    ]
    await fleet.publish({ urls: [source.url, source.url] })
    await untilSo(async () => (await fleet.reportOf(0))?.condition === 'receiving')
    await untilSo(async () => (await fleet.reportOf(1))?.condition === 'receiving')

    assert.deepEqual([full.held(), one.held(), two.held()], [0, 1, 1])
    const slot = await fleet.lastSlotOf(0)
    await fleet.publish({ urls: [source.url] })
    await untilSo(async () => (await fleet.holderOf(1)) === undefined)
    await untilSo(async () => (await fleet.lastSlotOf(0)) > slot + 1)
    await untilSo(async () => (await fleet.reportOf(0))?.generation === fleet.generation())
  })

  test('the only receiver takes both inputs of a source', async (t) => {
    const source = await aSource(t)
    const fleet = await aFleet(t, [new URL(source.url).host])
    const one = await fleet.start('one')
    await fleet.publish({ urls: [source.url, source.url] })
    await untilSo(async () => (await fleet.reportOf(0))?.condition === 'receiving')
    await untilSo(async () => (await fleet.reportOf(1))?.condition === 'receiving')

    assert.equal(one.held(), 2)
  })
})
