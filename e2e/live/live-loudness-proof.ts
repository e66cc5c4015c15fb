import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startLiveEncoder } from '../../packages/server/src/modules/receiver/live-encoder.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { createProgramRunner } from '../../packages/server/src/platform/programs/run-program.ts'
import { temporaryFolder } from '../on-air/temporary-folder.ts'
import { proof } from '../proofs/proof.ts'

const run = promisify(execFile)
const SLOT_MS = 3_200
const TARGET_LUFS = -23
/** After another programme has begun, it is measured from so many slots later on. */
const CHANGE_SLOTS = 5

interface LoudnessSize {
  /** How much of each source is measured. */
  readonly slots: number
}

interface Source {
  readonly name: string
  /** The gain of pink noise over time, in ffmpeg's language; at `changeS` its second programme begins. */
  readonly volume: (changeS: number) => string
  readonly isChanging: boolean
}

/** Very quiet; very loud; both alternating, 15 dB apart; and one that becomes 9 dB quieter. */
const sources: readonly Source[] = [
  { name: 'quiet', volume: () => '0.02', isChanging: false },
  { name: 'loud', volume: () => '1.2', isChanging: false },
  { name: 'dynamic', volume: () => 'if(lt(mod(t,16),8),0.5,0.12*abs(sin(6*t)))', isChanging: false },
  { name: 'changed', volume: (changeS) => `if(lt(t,${changeS}),0.6,0.2)*abs(sin(5*t))`, isChanging: true },
]

export const liveLoudness = proof<LoudnessSize>({
  name: 'live-loudness',
  title: 'Normalised sound of live sources',
  promise:
    'The encoder of a receiver brings the sound of a source to -23 LUFS, within 1.5 LU: of a quiet one, of a loud one, of one ' +
    'that changes between music and speech, and of one 16 s after it has become 9 dB softer. The house segments are joined ' +
    "and measured with ffmpeg's ebur128, which has no part in the normalisation.",
  watches: [
    'packages/core/src/packaging/live-level.ts',
    'packages/core/src/packaging/live-command.ts',
    'packages/core/src/packaging/loudness.ts',
    'packages/server/src/modules/receiver/live-encoder.ts',
    'e2e/live/live-loudness-proof.ts',
  ],
  sabotage: {
    title: 'the gain is not applied',
    changes: [
      {
        file: 'packages/core/src/packaging/live-level.ts',
        from: '[sound][gain]amultiply,',
        to: '[gain]anullsink;[sound]',
      },
    ],
    missed: ['quiet_off_target_lu', 'loud_off_target_lu', 'changed_off_target_lu'],
  },
  sizes: { small: { slots: 6 }, full: { slots: 19 } },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const root = await temporaryFolder(opened)
    const found = new Map<string, Measurement & { readonly before: Measurement; readonly slots: number }>()
    for (const source of sources) {
      const folder = join(root, source.name)
      await mkdir(folder)
      const normalised = await normalise(source, size.slots, folder)
      found.set(source.name, normalised)
      log(`${source.name}: from ${normalised.before.lufs} to ${normalised.lufs} LUFS`)
    }
    const all = [...found.values()]
    const offTarget = [...found].map(([name, { lufs }]) => [
      `${name}_off_target_lu`,
      Number(Math.abs(lufs - TARGET_LUFS).toFixed(1)),
    ])
    return {
      figures: {
        slots_measured: all.reduce((sum, { slots }) => sum + slots, 0),
        quiet_source_lufs: found.get('quiet')!.before.lufs,
        loud_source_lufs: found.get('loud')!.before.lufs,
        ...(Object.fromEntries(offTarget) as Record<string, number>),
        highest_peak_db: Math.max(...all.map(({ peakDb }) => peakDb)),
      },
      targets: {
        slots_measured: { is: sources.length * size.slots },
        quiet_source_lufs: { atMost: -45 },
        loud_source_lufs: { atLeast: -16 },
        ...Object.fromEntries(sources.map(({ name }) => [`${name}_off_target_lu`, { atMost: 1.5 }])),
        highest_peak_db: { atMost: -1 },
      },
    }
  },
})

/** What a source was, and what the segments are that a receiver's encoder makes of it. */
async function normalise({ volume, isChanging }: Source, slots: number, folder: string) {
  const firstSlot = isChanging ? slots + CHANGE_SLOTS : 0
  const source = join(folder, 'source.ts')
  await makeSource(source, ((firstSlot + slots) * SLOT_MS) / 1_000 + 1, volume((slots * SLOT_MS) / 1_000))
  const before = await measure(source, (firstSlot * SLOT_MS) / 1_000)
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  await using encoder = await startLiveEncoder({
    container: 'mpegts',
    video,
    sound: { kind: 'muxed', index: 1 },
    format: { frameRate: 25, segmentMs: SLOT_MS },
    ladder: [{ name: '36p', width: 64, height: 36, videoKbps: 50, audioKbps: 128 }],
    preset: 'ultrafast',
    loudnessLufs: TARGET_LUFS,
    folder: join(folder, 'live'),
    runProgram: createProgramRunner({ path: process.env['PATH'] ?? '', logger }),
    signal: AbortSignal.timeout(300_000),
  })
  await encoder.write('video', await readFile(source))
  encoder.end()
  const segments: Buffer[] = []
  for await (const { files } of encoder.segments()) segments.push(await readFile(files['36p']!))
  const measured = segments.slice(firstSlot, firstSlot + slots)
  const joined = join(folder, 'joined.ts')
  await writeFile(joined, Buffer.concat(measured))
  return { ...(await measure(joined, 0)), before, slots: measured.length }
}

const video = {
  index: 0,
  codec: 'h264',
  width: 64,
  height: 36,
  rotation: 0,
  frameRate: 25,
  isInterlaced: false,
  matrix: 'bt709',
  isHdr: false,
} as const

async function makeSource(file: string, seconds: number, volume: string): Promise<void> {
  const noise = `anoisesrc=color=pink:r=48000:seed=1:amplitude=0.8,volume='${volume}':eval=frame`
  const inputs = ['color=gray:size=64x36:rate=25', noise].flatMap((input) => ['-f', 'lavfi', '-i', input])
  const coded = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-c:a',
    'mp2',
    '-b:a',
    '256k',
    '-ac',
    '2',
  ]
  await run('ffmpeg', ['-v', 'error', ...inputs, '-t', `${seconds}`, ...coded, '-f', 'mpegts', file])
}

interface Measurement {
  readonly lufs: number
  readonly peakDb: number
}

async function measure(file: string, fromS: number): Promise<Measurement> {
  // Of samples: finding true peaks would take longer than all the rest.
  const filter = `atrim=start=${fromS},ebur128=peak=sample:framelog=verbose`
  const { stderr } = await run('ffmpeg', [
    '-hide_banner',
    '-nostats',
    '-i',
    file,
    '-af',
    filter,
    '-f',
    'null',
    '-',
  ])
  const read = (name: string) => Number(new RegExp(`^\\s+${name}:\\s+(\\S+)`, 'm').exec(stderr)?.[1])
  return { lufs: read('I'), peakDb: read('Peak') }
}
