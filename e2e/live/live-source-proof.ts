import { execFile } from 'node:child_process'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AnswerOf, Operations } from '@continuity/contract'
import { pollUntil } from '@continuity/dev/waiting'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { temporaryFolder } from '../on-air/temporary-folder.ts'
import { proof } from '../proofs/proof.ts'
import {
  childrenOf,
  type LiveSystem,
  type LoggedSlot,
  PATIENCE_MS,
  RUNG,
  startLiveSystem,
} from './live-system.ts'

const run = promisify(execFile)
const SLOT_MS = 3_200
/** The contract of the log: how long after the end of its slot an entry may come. */
const SETTLE_MS = 1_000

interface LiveSourceSize {
  readonly slots: number
  /** Slots that a busy machine may miss or fill late. */
  readonly lateSlots: number
}

/** Statuses of the source: after activation, once validated, after deactivation, and in the end. */
const STATES = ['PROCESSING', 'ACTIVE', 'PROCESSING', 'IDLE']

export const liveSource = proof<LiveSourceSize>({
  name: 'live-source',
  title: 'A live source from activation to its last slot',
  promise:
    'A source is activated through the API, becomes ACTIVE, and its receiver fills slot after slot with house segments ' +
    'that ffmpeg decodes as one stream; every entry of the log is stamped in its time. Deactivated, it becomes IDLE, and ' +
    'nothing that the receiver had started still runs.',
  watches: [
    'packages/core/src/live',
    'packages/server/src/modules/live',
    'packages/server/src/modules/receiver',
    'packages/server/src/platform/live-bus',
    'e2e/live/live-source-proof.ts',
  ],
  sabotage: {
    title: 'every other slot is passed over',
    changes: [
      {
        file: 'packages/server/src/modules/receiver/reception.ts',
        from: '; ; slot += 1)',
        to: '; ; slot += 2)',
      },
    ],
    missed: ['slots_missing'],
  },
  sizes: { small: { slots: 6, lateSlots: 2 }, full: { slots: 38, lateSlots: 0 } },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const source = opened.use(await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 }))
    const system = await startLiveSystem(opened, { allow: [new URL(source.url).host] })
    const receiver = await system.startReceiver('one')
    const sourceId = await system.createSource('Harbour', source.url)

    const startMs = performance.now()
    const activated = await system.activate(sourceId)
    const active = await system.untilStatus(sourceId, 'ACTIVE', PATIENCE_MS)
    log(`${activated.status}, then ${active.status} after ${Math.round(performance.now() - startMs)} ms`)
    const enough = async () => {
      const entries = await system.readLog(sourceId)
      return entries.length >= size.slots ? entries : undefined
    }
    const liveLog = (await pollUntil(enough, PATIENCE_MS + 2 * size.slots * SLOT_MS)) ?? []
    const encoders = (await childrenOf(receiver.pid)).length
    const signal = await readSignal(system, sourceId)

    const deactivated = await system.deactivate(sourceId)
    const idle = await system.untilStatus(sourceId, 'IDLE', PATIENCE_MS)
    const states = [activated, active, deactivated, idle].map(({ status }) => status)
    log(`then ${states.slice(2).join(', ')}`)
    const left = await childrenOf(receiver.pid)
    const folder = await temporaryFolder(opened)
    const joined = join(folder, 'joined.ts')
    let stills = 0
    for (const { path, slot } of liveLog) {
      await appendFile(joined, await readFile(join(system.mediaFolder, path, RUNG, `${slot}.ts`)))
      stills += (await stat(join(system.mediaFolder, path, 'stills', `${slot}.jpg`))).size > 0 ? 1 : 0
    }
    const { stderr } = await run('ffmpeg', ['-v', 'error', '-i', joined, '-f', 'null', '-'])
    return {
      figures: {
        states_as_promised: states.filter((state, at) => state === STATES[at]).length,
        encoders_while_active: encoders,
        slots_in_health: signal.slots,
        slots_in_health_without_signal: signal.without,
        preview_files: signal.previewFiles,
        slots: liveLog.length,
        slots_missing: countHoles(liveLog),
        slots_stamped_out_of_time: liveLog.filter((entry) => !isInTime(entry)).length,
        timestamp_breaks: new Set(liveLog.map(({ epoch }) => epoch)).size - 1,
        stills,
        lines_of_the_decoder: stderr === '' ? 0 : stderr.split('\n').length,
        processes_left: left.length,
      },
      targets: {
        states_as_promised: { is: STATES.length },
        encoders_while_active: { atLeast: 1 },
        // Health is published every four slots.
        slots_in_health: { atLeast: Math.max(1, size.slots - 4 - size.lateSlots) },
        slots_in_health_without_signal: { is: 0 },
        preview_files: { is: 2 },
        slots: { atLeast: size.slots },
        slots_missing: { atMost: size.lateSlots },
        slots_stamped_out_of_time: { atMost: size.lateSlots },
        timestamp_breaks: { is: 0 },
        stills: { is: liveLog.length },
        lines_of_the_decoder: { is: 0 },
        processes_left: { is: 0 },
      },
    }
  },
})

/** What the API returns for the signal of a source with motion and a tone. */
async function readSignal({ call, mediaFolder }: LiveSystem, sourceId: string) {
  const address = `/api/2.3/live_sources/${sourceId}`
  const health = await call<AnswerOf<Operations['getLiveSourceHealth']>>('GET', `${address}/health`)
  const { slot } = await call<AnswerOf<Operations['getLiveSourcePreview']>>('GET', `${address}/preview`)
  const media = health.inputs.flatMap(({ slots }) => slots.filter(({ fill }) => !fill))
  const isSignal = ({ black, frozen, silent, bitrate_kbps }: (typeof media)[number]) =>
    !black && !frozen && !silent && bitrate_kbps! > 0
  let previewFiles = 0
  for (const url of [slot?.still_url, slot?.segment_url]) {
    const path = /live\/.*/.exec(url ?? '')?.[0]
    if (path !== undefined && (await stat(join(mediaFolder, path))).size > 0) previewFiles += 1
  }
  return { slots: media.length, without: media.filter((it) => !isSignal(it)).length, previewFiles }
}

const countHoles = (log: readonly LoggedSlot[]): number =>
  log.slice(1).reduce((holes, { slot }, at) => holes + slot - log[at]!.slot - 1, 0)

/** Whether its time is neither before its slot began nor too late for it. */
const isInTime = ({ slot, storedMs }: LoggedSlot): boolean =>
  storedMs >= slot * SLOT_MS && storedMs <= (slot + 1) * SLOT_MS + SETTLE_MS
