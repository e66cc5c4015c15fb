import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Beeps {
  /** When flashes and beeps begin, by the timestamps of the file. */
  readonly flashesMs: readonly number[]
  readonly beepsMs: readonly number[]
}

/** Samples per measurement: 5 ms. */
const SAMPLES = 240
const BRIGHT = 200
const LOUD_DB = -20

const LUMA = 'lavfi.signalstats.YAVG'
const PEAK = 'lavfi.astats.Overall.Peak_level'

/** Decodes a file or a URL and finds the flashes and beeps of a test source. */
export async function findBeeps(input: string, ...options: readonly string[]): Promise<Beeps> {
  const picture = `scale=32:18,signalstats,settb=1/90000,metadata=print:key=${LUMA}:file='pipe\\:1'`
  const sound = [
    `aresample=48000,asetnsamples=n=${SAMPLES}:p=0`,
    'astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=Peak_level',
    'asettb=1/90000',
    // On another pipe, so that lines do not mix.
    `ametadata=print:key=${PEAK}:file='pipe\\:2'`,
  ].join(',')
  const outputs = ['-map', '0:v', '-vf', picture, '-map', '0:a', '-af', sound, '-f', 'null', '-']
  const args = ['-v', 'error', '-copyts', ...options, '-i', input, ...outputs]
  const { stdout, stderr } = await run('ffmpeg', args, { maxBuffer: 2 ** 29 })
  return { flashesMs: findStarts(stdout, BRIGHT), beepsMs: findStarts(stderr, LOUD_DB) }
}

/** When a printed value rises above a limit. */
function findStarts(printed: string, limit: number): number[] {
  // Ticks, because seconds are printed with only six digits.
  const frames = [...printed.matchAll(/pts:(-?\d+)\s.*\s+lavfi[\w.]+=(\S+)/g)].map(([, ticks, value]) => ({
    ms: Number(ticks) / 90,
    isAbove: Number(value) > limit,
  }))
  return frames.filter(({ isAbove }, at) => isAbove && frames[at - 1]?.isAbove !== true).map(({ ms }) => ms)
}

/** For each beep between the first and the last flash, its delay to the nearest flash. */
export const soundDelays = ({ flashesMs, beepsMs }: Beeps): number[] =>
  beepsMs
    .filter((ms) => ms > flashesMs[0]! - EDGE_MS && ms < flashesMs.at(-1)! + EDGE_MS)
    .map((beepMs) =>
      flashesMs
        .map((flashMs) => beepMs - flashMs)
        .reduce((least, delayMs) => (Math.abs(delayMs) < Math.abs(least) ? delayMs : least)),
    )

/** Half of the shortest time between two flashes. */
const EDGE_MS = 100
