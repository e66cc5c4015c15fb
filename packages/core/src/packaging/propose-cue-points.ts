/** From a start to an end. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/** The shortest black that separates two scenes: shorter ones are blinks and flashes. */
const LEAST_MS = 300

/** Acts are minutes long; a black closer than this to another belongs to the same titles or montage. */
const APART_MS = 60_000

/** More than the cue points of a video, and less than what a hostile file could fill the memory with. */
const KEPT_MAXIMUM = 10_000

const printed = (key: string) => `print:key=lavfi.${key}:file=-:direct=1`

/** Prints where the picture is black. A branch of the frames of the lowest rung. */
export const BLACK_METER = [
  'blackdetect=d=0.1',
  `metadata=${printed('black_start')}`,
  `metadata=${printed('black_end')}`,
  'nullsink',
].join(',')

/** Prints where there is no sound. It passes the sound on. */
export const SILENCE_METER = [
  'silencedetect=n=-50dB:d=0.1',
  `ametadata=${printed('silence_start')}`,
  `ametadata=${printed('silence_end')}`,
]

export interface StretchReader {
  read(line: string): void
  /** Those that have ended, in order. */
  stretches(): readonly Stretch[]
}

/** Reads what a meter prints; other lines are ignored. */
export function createStretchReader(what: 'black' | 'silence'): StretchReader {
  const pattern = new RegExp(`^lavfi\\.${what}_(start|end)=(-?\\d+(?:\\.\\d+)?)$`)
  const found: Stretch[] = []
  let startMs: number | undefined // of the stretch that has not ended
  return {
    read(line) {
      const match = pattern.exec(line)
      if (match === null) return
      const ms = Math.round(Number(match[2]) * 1_000)
      if (match[1] === 'start') startMs = ms
      else if (startMs !== undefined && ms - startMs >= LEAST_MS && found.length < KEPT_MAXIMUM)
        found.push({ startMs, endMs: ms })
    },
    stretches: () => found,
  }
}

/**
 * Where a break would fit: in the middle of black and silence together. `silences` is null for a file without sound.
 * Black without silence is a cut to a dark room as often as the end of an act.
 */
export function proposeCuePoints(
  blacks: readonly Stretch[],
  silences: readonly Stretch[] | null,
  durationMs: number,
): readonly number[] {
  const proposed: number[] = []
  for (const black of blacks) {
    const quiet = silences === null ? black : longestOverlap(black, silences)
    if (quiet === undefined || quiet.endMs - quiet.startMs < LEAST_MS) continue
    const atMs = Math.round((quiet.startMs + quiet.endMs) / 2)
    if (atMs - (proposed.at(-1) ?? 0) >= APART_MS && durationMs - atMs >= APART_MS) proposed.push(atMs)
  }
  return proposed
}

function longestOverlap(black: Stretch, silences: readonly Stretch[]): Stretch | undefined {
  const overlaps = silences
    .map(({ startMs, endMs }) => ({
      startMs: Math.max(startMs, black.startMs),
      endMs: Math.min(endMs, black.endMs),
    }))
    .filter(({ startMs, endMs }) => endMs > startMs)
  return overlaps.toSorted((one, other) => other.endMs - other.startMs - (one.endMs - one.startMs))[0]
}
