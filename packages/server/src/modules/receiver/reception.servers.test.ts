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
import { segmentName, stillName } from '@continuity/core/packaging/segment-index'
import { isInTime, slotStartMs } from '@continuity/core/timeline/live-log'
import {
  startTestSource,
  type TestSource,
  type TestSourceOptions,
  usualSource,
} from '../../../../cli/src/testsource/test-source.ts'
import { manageStreams } from '../../platform/feed/feed-stream.ts'
import { aConnectedBus, someNats, until } from '../../platform/feed/testing/a-feed-system.ts'
import { createGuard } from '../../platform/guarded-fetch/guarded-client.ts'
import { breakSubject, ensureLiveStreams, LIVE_LOG_STREAM } from '../../platform/live-bus/live-streams.ts'
import { readLast } from '../../platform/live-bus/publish-after.ts'
import { slotFolder } from '../../platform/live-bus/slot-folder.ts'
import { openDiskStore } from '../../platform/media-store/disk-store.ts'
import { takeLease } from './lease-keeper.ts'
import { receive } from './reception.ts'
import type { SourceFault } from './source-fault.ts'
import { aLadder, runProgram, silent } from './testing/an-encoding.ts'

const run = promisify(execFile)
const SLOT_MS = 3_200

const ladder = aLadder('128x72@100+64')

/** A source that is received by this process, with a broker and a store of its own. */
async function aReception(t: TestContext, options: Partial<TestSourceOptions> = {}) {
  const source = await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1, ...options })
  t.after(() => source[Symbol.asyncDispose]())
  const nats = await someNats(t)
  const bus = await aConnectedBus(t, nats.servers[0]!.url)
  await ensureLiveStreams(bus.connection()!, 1)
  const root = await mkdtemp(join(tmpdir(), 'continuity-reception-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const [scratchFolder, mediaFolder] = [join(root, 'scratch'), join(root, 'media')]
  await mkdir(scratchFolder)
  await mkdir(mediaFolder)
  const guard = createGuard({ allow: [new URL(source.url).host] })
  t.after(() => guard.close())
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
      guard,
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
  /** What the log holds, with the broker's time of each entry. */
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

/** Every slot is there once. The source is a moving picture with a tone, of some hundred kbit/s. */
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

// Each takes a quarter of a core: more at once would be late.
describe('a reception', { concurrency: 3 }, () => {
  for (const [name, options] of Object.entries({
    ts: {},
    fmp4: { container: 'fmp4' },
    'ts with packed sound of its own': { audio: 'packed', audioSegmentSeconds: 2 },
  } as const)) {
    test(`fills slot after slot from ${name}, each in its time, and ffmpeg decodes them as one stream`, async (t) => {
      const { slots, health, end, readLog, mediaFolder, scratchFolder, root } = await aReception(t, options)
      await until(() => slots.length >= 4)
      await end()

      const log = await readLog()
      assert.equal(new Set(log.map(({ epoch }) => epoch)).size, 1)
      for (const { slot, storedMs } of log) {
        assert.ok(storedMs >= slotStartMs(slot, SLOT_MS), 'stamped before its slot began')
      }
      // A busy machine misses the time of a slot now and then; how often a quiet one may is proved elsewhere.
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

  test('a source that fails is filled for, comes back by itself, and continues in another epoch', async (t) => {
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

  test('a cue in the playlist is a break of the source, from the slot that shows it to the one that shows its end', async (t) => {
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

  test('requests that fail for a moment cost no slot and no epoch', async (t) => {
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

  test('another format behind a discontinuity is another epoch', async (t) => {
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
