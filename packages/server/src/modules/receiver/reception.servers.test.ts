import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import type { BreakLog } from '@continuity/core/live/break-log'
import type { SlotHealth } from '@continuity/core/live/input-health'
import type { SlotEntry, SlotLog } from '@continuity/core/live/slot-log'
import { segmentName, stillName } from '@continuity/core/media/segment-index'
import { isInTime, slotStartMs } from '@continuity/core/timeline/live-log'
import {
  startTestSource,
  type TestSource,
  type TestSourceOptions,
  usualSource,
} from '@continuity/test-source/test-source'
import { manageStreams } from '../../platform/feed/feed-stream.ts'
import { aConnectedBus, someNats, until } from '../../platform/feed/testing/a-feed-system.ts'
import { breakSubject, ensureLiveStreams, LIVE_LOG_STREAM } from '../../platform/live-bus/live-streams.ts'
import { readLast } from '../../platform/live-bus/publish-after.ts'
import { slotFolder } from '../../platform/live-bus/slot-folder.ts'
import { openDiskStore } from '../../platform/media-store/disk-store.ts'
import { createOutboundClient } from '../../platform/outbound/outbound-client.ts'
import { takeLease } from './lease-keeper.ts'
import { receive } from './reception.ts'
import type { SourceFault } from './source-fault.ts'
import { aLadder, runProgram, silent } from './testing/an-encoding.ts'

const run = promisify(execFile)
const SLOT_MS = 3_200

const ladder = aLadder('128x72@100+64')

/** A reception of a test source, with its own broker and store. */
async function aReception(t: TestContext, options: Partial<TestSourceOptions> = {}) {
  const source = await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1, ...options })
  t.after(() => source[Symbol.asyncDispose]())
  const nats = await someNats(t)
  const bus = await aConnectedBus(t, nats.servers[0]!.url)
  await ensureLiveStreams(bus.connection()!, 1)
  const root = await mkdtemp(join(tmpdir(), 'continuity-reception-'))
  const [scratchFolder, mediaFolder] = [join(root, 'scratch'), join(root, 'media')]
  await mkdir(scratchFolder)
  await mkdir(mediaFolder)
  const outboundClient = createOutboundClient({ allow: [new URL(source.url).host] })
  t.after(() => outboundClient.close())
  const input = { sourceId: randomUUID(), input: 0 as const }
  const clocks = { brokerMs: Date.now, steadyMs: () => performance.now() }
  const taken = await takeLease({ bus, holder: 'test', ...clocks }, input)
  assert.ok(taken.kind === 'taken')
  const { lease } = taken
  const renewing = setInterval(() => void lease.renew().catch(() => {}), 1_000)
  const stop = new AbortController()
  const slots: number[] = []
  const health: SlotHealth[] = []
  const faults: SourceFault[] = []
  const received = receive(
    {
      bus,
      outboundClient,
      store: openDiskStore(mediaFolder),
      runProgram,
      ladder,
      preset: 'ultrafast',
      scratchFolder,
      brokerMs: Date.now,
      logger: silent,
    },
    {
      ...input,
      accountId: randomUUID(),
      url: source.url,
      format: { frameRate: 30, segmentMs: SLOT_MS },
      loudnessLufs: null,
      lease,
      memory: {},
      cues: () => ({ slate: null }),
      signal: stop.signal,
      onSlot: (slot) => health.push(slot),
      onMedia: (slot) => slots.push(slot),
      onFault: (fault) => faults.push(fault),
    },
  )
  const end = async () => {
    clearInterval(renewing)
    stop.abort()
    await received
  }
  t.after(end)
  t.after(() => rm(root, { recursive: true, force: true }))
  /** The entries of the log, with the broker's time of each. */
  const readLog = async () => {
    const { streams } = await manageStreams(bus.connection()!)
    const { state } = await streams.info(LIVE_LOG_STREAM)
    const entries: (SlotEntry & { readonly storedMs: number; readonly path: string })[] = []
    for (let seq = 1; seq <= state.last_seq; seq += 1) {
      const message = await streams.getMessage(LIVE_LOG_STREAM, { seq })
      if (message === null) continue
      const { newest, folder } = message.json<SlotLog>()
      const path = slotFolder(folder, newest!.key, newest!.slot, SLOT_MS)
      entries.push({ ...newest!, path, storedMs: message.time.getTime() })
    }
    return entries
  }
  const readBreaks = async () =>
    (await readLast(bus, LIVE_LOG_STREAM, breakSubject(input.sourceId)))?.json<BreakLog>().breaks ?? []
  return { source, slots, health, faults, end, readLog, readBreaks, mediaFolder, scratchFolder, root }
}

/** Asserts that every slot occurs once. The source is a moving picture with a tone, of some hundred kbit/s. */
function assertHealth(health: readonly SlotHealth[], slots: readonly number[]) {
  for (const [at, { slot }] of health.entries()) assert.equal(slot, health[0]!.slot + at)
  const withMedia = health.filter(({ media }) => media !== null)
  assert.ok(
    2 * withMedia.length >= slots.length,
    `${withMedia.length} of ${slots.length} slots have media in time`,
  )
  for (const { slot, media } of withMedia) {
    const { bitrateKbps, delayMs, loudnessLufs, ...flags } = media!
    assert.ok(slots.includes(slot))
    assert.deepEqual(flags, { isBlack: false, isFrozen: false, isSilent: false })
    assert.ok(bitrateKbps > 50 && bitrateKbps < 5_000, `${bitrateKbps} kbit/s`)
    assert.ok(delayMs > 0 && delayMs < 20_000, `${delayMs} ms`)
    assert.ok(loudnessLufs! > -40 && loudnessLufs! < -10, `${loudnessLufs} LUFS`)
  }
}

const heal = async (source: TestSource, ms: number, doing: () => void) => {
  doing()
  await new Promise((resolve) => setTimeout(resolve, ms))
  source.heal()
}

// Each uses a quarter of a core: with more of them slots would be late.
describe('a reception', { concurrency: 3 }, () => {
  for (const [name, options] of Object.entries({
    ts: {},
    fmp4: { container: 'fmp4' },
    'ts with demuxed packed audio': { audio: 'packed', audioSegmentSeconds: 2 },
  } as const)) {
    test(`fills consecutive slots in time from ${name}, which ffmpeg decodes as one stream`, async (t) => {
      const { slots, health, end, readLog, mediaFolder, scratchFolder, root } = await aReception(t, options)
      await until(() => slots.length >= 4)
      await end()

      const log = await readLog()
      assert.equal(new Set(log.map(({ epoch }) => epoch)).size, 1)
      for (const { slot, storedMs } of log) {
        assert.ok(storedMs >= slotStartMs(slot, SLOT_MS), 'stamped before its slot began')
      }
      // A busy machine sometimes misses a slot; a proof measures how often an idle one does.
      const inTime = log.filter(({ slot, storedMs }) => isInTime(slot, SLOT_MS, storedMs)).length
      const slotsPassed = log.at(-1)!.slot - log[0]!.slot + 1
      assert.ok(2 * inTime >= slotsPassed, `${inTime} of ${slotsPassed} slots have media in time`)
      const joined = join(root, 'joined.ts')
      for (const { path, slot } of log) {
        await appendFile(joined, await readFile(join(mediaFolder, path, '72p', segmentName(slot))))
        await readFile(join(mediaFolder, path, 'stills', stillName(slot)))
      }
      const decoded = await run('ffmpeg', ['-v', 'error', '-i', joined, '-f', 'null', '-'])
      assert.equal(decoded.stderr, '')
      assert.deepEqual(await readdir(scratchFolder), [])
      assertHealth(health, slots)
    })
  }

  test('a failed source is replaced by fill, recovers, and continues in a new epoch', async (t) => {
    const { source, slots, health, faults, end, readLog } = await aReception(t)
    await until(() => slots.length >= 2)
    const before = slots.length
    await heal(source, 9_000, () => source.fail(503))
    await until(() => slots.length >= before + 4)
    await end()

    const log = await readLog()
    assert.equal(faults[0]?.code, 'source.status')
    const holes = log.slice(1).filter(({ slot }, at) => slot !== log[at]!.slot + 1)
    assert.ok(holes.length >= 1)
    const firstMedia = health.findIndex(({ media }) => media !== null)
    assert.ok(health.slice(firstMedia).some(({ media }) => media === null))
    assert.ok(log.at(-1)!.epoch > log[0]!.epoch)
  })

  test('a cue in the playlist becomes a break of the source, from the slot of its start to that of its end', async (t) => {
    const { source, slots, end, readBreaks } = await aReception(t)
    await until(() => slots.length >= 1)
    source.cue(10, false)
    await until(async () => (await readBreaks()).length === 1)
    const [opened] = await readBreaks()
    await until(() => slots.at(-1)! >= opened!.firstSlot + 5)
    await end()

    const breaks = await readBreaks()
    assert.equal(breaks.length, 1)
    const { origin, plannedSlots, firstSlot, endSlot } = breaks[0]!
    // Planned at 120 s. Its end, 10 s later, is nearest to the third slot or the fourth.
    assert.deepEqual([origin, plannedSlots], ['MANIFEST', 38])
    assert.ok([3, 4].includes(endSlot - firstSlot), `${endSlot - firstSlot} slots`)
    assert.ok(slots.includes(firstSlot))
  })

  test('temporary request failures lose no slot and start no epoch', async (t) => {
    const { source, slots, faults, end, readLog } = await aReception(t)
    await until(() => slots.length >= 2)
    for (const names of [/m3u8$/, /ts$/]) {
      const before = slots.length
      source.fail(503, { names, times: 2 })
      await until(() => slots.length >= before + 2)
    }
    await end()

    const log = await readLog()
    assert.deepEqual(faults, [])
    assert.equal(new Set(log.map(({ epoch }) => epoch)).size, 1)
  })

  test('a new format after a discontinuity starts a new epoch', async (t) => {
    const { source, slots, end, readLog } = await aReception(t)
    await until(() => slots.length >= 2)
    await source.changeFormat('192x108')
    const before = slots.length
    await until(() => slots.length >= before + 4)
    await end()

    const log = await readLog()
    assert.equal(log.at(-1)!.epoch, log[0]!.epoch + 1)
  })
})
