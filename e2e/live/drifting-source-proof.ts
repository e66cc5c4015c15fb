import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { compileCache } from '@continuity/dev/compile-cache'
import { findBeeps } from '@continuity/test-source/find-beeps'
import { openBus } from '../../packages/server/src/platform/bus/bus.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import type { Figures, Targets } from '../../tools/figures/figures.ts'
import { startNatsServer } from '../on-air/on-air-system.ts'
import { temporaryFolder } from '../on-air/temporary-folder.ts'
import { proof } from '../proofs/proof.ts'
import { checkDelays, checkFlashes, checkSegments, statedDelays } from './drifting-checks.ts'
import { type DriftingShape, makeDriftingMedia } from './drifting-media.ts'
import { type DriftingOptions, type DriftingReport, ORIGIN_MS } from './drifting-reception.ts'
import { readHouseEpochs } from './house-segments.ts'
import { type LoggedSlot, readLog } from './live-system.ts'

interface DriftSize {
  /** Of the clocks of both sources, one fast and one slow. */
  readonly percent: number
  readonly seconds: number
  /** Slots that are dropped or filled at least: otherwise the clocks did not drift. */
  readonly least: number
}

const PROJECT = join(import.meta.dirname, '../..')
const SLOT_MS = 3_200
const READ_LOG_MS = 15_000
const RUNG = '180p'
const LADDER = '320x180@200+64'

export const driftingSource = proof<DriftSize>({
  name: 'drifting-source',
  title: 'Sources whose clocks drift are never stretched',
  promise:
    'Two sources are received for an hour. The clock of one is 1 % fast, and it arrives in bursts of 6 s; that of the other is ' +
    '1 % slow, it arrives in bursts of 10 s, and its sound has a playlist of its own. Timestamps of both wrap in the middle. What ' +
    'is too much is dropped in whole slots, what is missing is filled, and nothing is stretched: every house segment has exactly ' +
    'its frames of picture and sound, and a flash and a beep of every second are where they were in the source, within 40 ms. ' +
    'The delay stays within what is stated, and memory does not grow. Real are the reader over HTTP, the buffer, ffmpeg, the media ' +
    'store and the log on NATS. Time is driven: it runs up to forty times as fast, and is stopped while something is fetched, ' +
    'encoded or stored. So whether entries of the log are in time is not part of this; nor are leases.',
  watches: [
    'packages/core/src/live',
    'packages/core/src/packaging',
    'packages/server/src/modules/receiver',
    'packages/cli/src/testsource',
    'e2e/live/drifting-source-proof.ts',
    'e2e/live/run-drifting-reception.ts',
  ],
  sabotage: {
    title: 'the picture of a source is stretched by one percent',
    changes: [
      {
        file: 'packages/core/src/packaging/package-command.ts',
        from: ':start_time=0`,',
        to: ':start_time=0,setpts=1.01*PTS,fps=25`,',
      },
    ],
    missed: ['fast_flashes_elsewhere', 'slow_flashes_elsewhere'],
  },
  sizes: {
    small: { percent: 20, seconds: 160, least: 1 },
    full: { percent: 1, seconds: 3_600, least: 5 },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const { percent, seconds, least } = size
    const nats = await startNatsServer(opened)
    const shapes = {
      fast: { speed: 1 + percent / 100, segmentSeconds: 6, audioSeconds: 0, seconds },
      slow: { speed: 1 - percent / 100, segmentSeconds: 10, audioSeconds: 4, seconds },
    }
    const [fast, slow] = await Promise.all([
      tryShape(opened, 'fast', shapes.fast, nats.url, log),
      tryShape(opened, 'slow', shapes.slow, nats.url, log),
    ])
    const slots = Math.floor((1_000 * seconds) / SLOT_MS)
    // What drifts away in the time, in slots. The buffer takes some of it, and when it is empty it is filled anew.
    const drift = Math.ceil((percent / 100) * slots)
    return {
      figures: {
        ...fast,
        fast_dropped_beyond_the_drift: Math.max(0, Number(fast['fast_segments_dropped']) - drift - BUFFERED),
        ...slow,
        slow_filled_beyond_the_drift: Math.max(0, Number(slow['slow_slots_filled']) - drift - BUFFERED),
      },
      targets: {
        fast_slots: { atLeast: slots - BUFFERED },
        fast_slots_filled: { is: 0 },
        fast_segments_dropped: { atLeast: least },
        fast_dropped_beyond_the_drift: { is: 0 },
        ...targetsOf('fast', shapes.fast),
        slow_slots: { atLeast: slots - drift - 2 * BUFFERED },
        slow_slots_filled: { atLeast: least },
        slow_filled_beyond_the_drift: { is: 0 },
        slow_segments_dropped: { is: 0 },
        ...targetsOf('slow', shapes.slow),
      },
    }
  },
})

/** Slots that wait in the buffer of the slow source, and some that its first segments take. */
const BUFFERED = 12

/** What memory at the end may be of what it was at the beginning. */
const GROWTH = 1.25

const targetsOf = (name: string, shape: DriftingShape): Targets => {
  const { leastFirstMs, mostFirstMs, mostMs } = statedDelays(shape)
  return {
    [`${name}_encoders`]: { is: 1 },
    [`${name}_faults`]: { is: 0 },
    [`${name}_segments_with_other_frames`]: { is: 0 },
    [`${name}_timestamps_that_jump`]: { is: 0 },
    [`${name}_drops_of_parts`]: { is: 0 },
    [`${name}_flashes`]: { atLeast: Math.floor(0.7 * shape.seconds * Math.min(1, shape.speed)) },
    [`${name}_flashes_elsewhere`]: { is: 0 },
    [`${name}_beeps_elsewhere`]: { is: 0 },
    [`${name}_first_delay_ms`]: { atLeast: leastFirstMs },
    [`${name}_first_delay_beyond_${mostFirstMs}_ms`]: { is: 0 },
    [`${name}_least_delay_ms`]: { atLeast: SLOT_MS },
    [`${name}_most_delay_ms`]: { atMost: mostMs },
    [`${name}_segments_waiting`]: { atMost: Math.ceil(mostMs / SLOT_MS) + 2 },
    [`${name}_receiver_memory_ratio`]: { atMost: GROWTH },
    [`${name}_encoder_memory_ratio`]: { atMost: GROWTH },
  }
}

/** Receives one source in a process of its own, and checks the result. */
async function tryShape(
  opened: AsyncDisposableStack,
  name: string,
  shape: DriftingShape,
  natsUrl: string,
  log: (line: string) => void,
): Promise<Figures> {
  const folder = await temporaryFolder(opened)
  const [sourceFolder, mediaFolder, checked] = ['source', 'media', 'checked'].map((it) => join(folder, it))
  for (const it of [sourceFolder!, mediaFolder!, checked!]) await mkdir(it)
  await makeDriftingMedia(sourceFolder!, shape)
  log(`${name}: the source is made`)
  const { report, log: liveLog } = await receiveInDrivenTime(opened, {
    shape,
    natsUrl,
    sourceId: name,
    sourceFolder: sourceFolder!,
    mediaFolder: mediaFolder!,
    scratchFolder: join(folder, 'scratch'),
    ladder: LADDER,
  })
  log(`${name}: ${liveLog.length} slots are received`)
  const epochs = await readHouseEpochs(liveLog, { mediaFolder: mediaFolder!, rung: RUNG, folder: checked! })
  const segments = epochs.flatMap((epoch) => epoch.segments)
  const { slots, filled, dropped, otherFrames, jumps, oddDrops } = checkSegments(epochs)
  let [flashes, flashesElsewhere, beepsElsewhere] = [0, 0, 0]
  for (const epoch of epochs) {
    const { flashesMs, beepsMs } = await findBeeps(epoch.file)
    const seen = checkFlashes(epoch, segments[0]!.picture[0]!, flashesMs)
    flashes += seen.expected
    flashesElsewhere += seen.wrong
    beepsElsewhere += checkFlashes(epoch, segments[0]!.picture[0]!, beepsMs).wrong
  }
  const { firstMs, leastMs, mostMs } = checkDelays(shape, segments, ORIGIN_MS)
  const { mostFirstMs } = statedDelays(shape)
  const figures = {
    encoders: report.encoders,
    faults: report.faults.length,
    slots,
    slots_filled: filled,
    segments_dropped: dropped,
    segments_with_other_frames: otherFrames,
    timestamps_that_jump: jumps,
    drops_of_parts: oddDrops,
    flashes,
    flashes_elsewhere: flashesElsewhere,
    beeps_elsewhere: beepsElsewhere,
    first_delay_ms: Math.round(firstMs),
    [`first_delay_beyond_${mostFirstMs}_ms`]: Math.max(0, Math.round(firstMs) - mostFirstMs),
    least_delay_ms: Math.round(leastMs),
    most_delay_ms: Math.round(mostMs),
    segments_waiting: report.mostWaiting,
    receiver_memory_ratio: growthOf(report.samples.map(({ receiverBytes }) => receiverBytes)),
    encoder_memory_ratio: growthOf(report.samples.map(({ encoderBytes }) => encoderBytes)),
  }
  return Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${name}_${key}`, value]))
}

/** The least of the last third over the most of the first: what is collected now and then does not count as growth. */
function growthOf(bytes: readonly number[]): number {
  const third = Math.ceil(bytes.length / 3)
  return Number((Math.min(...bytes.slice(-third)) / Math.max(...bytes.slice(0, third))).toFixed(2))
}

async function receiveInDrivenTime(
  opened: AsyncDisposableStack,
  options: DriftingOptions,
): Promise<{ readonly report: DriftingReport; readonly log: readonly LoggedSlot[] }> {
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const reader = openBus(options.natsUrl, { name: 'proof', logger })
  opened.defer(() => reader.close())
  await reader.opened
  const child = fork(join(import.meta.dirname, 'run-drifting-reception.ts'), [JSON.stringify(options)], {
    env: { ...process.env, ...compileCache(PROJECT) },
  })
  opened.defer(() => void child.kill('SIGKILL'))
  let report: DriftingReport | undefined
  child.once('message', (message) => {
    report = message as DriftingReport
  })
  const ended = once(child, 'exit')
  // The stream keeps the last thousand messages of a log.
  const log = new Map<number, LoggedSlot>()
  for (let isOver = false; !isOver; ) {
    isOver = await Promise.race([ended.then(() => true), setTimeout(READ_LOG_MS, false)])
    const slots = await readLog(reader.connection()!, `live.log.${options.sourceId}.0`)
    for (const slot of slots) log.set(slot.slot, slot)
  }
  if (report === undefined) throw new Error(`the reception of ${options.sourceId} ended early`)
  return { report, log: [...log.values()] }
}
