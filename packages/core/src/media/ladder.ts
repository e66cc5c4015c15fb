/** One rendition of an asset. */
export interface Rung {
  /** Also the name of its folder: `720p`. */
  readonly name: string
  readonly width: number
  readonly height: number
  readonly videoKbps: number
  readonly audioKbps: number
}

/** From the lowest rung to the highest. */
export type Ladder = readonly Rung[]

export type LadderResult =
  | { readonly kind: 'ladder'; readonly ladder: Ladder }
  | { readonly kind: 'rejected'; readonly faults: readonly string[] }

/** More renditions cost more to encode than players gain from them. */
const RUNGS_MAXIMUM = 8

const bounds = {
  width: [32, 4_096],
  height: [32, 2_304],
  videoKbps: [20, 50_000],
  audioKbps: [32, 320],
} as const satisfies Partial<Record<keyof Rung, readonly [number, number]>>

const RUNG = /^(\d{1,5})x(\d{1,5})@(\d{1,6})\+(\d{1,4})$/

/** Reads a setting such as `640x360@800+96,1280x720@3000+128`: size, then kbit/s of video and audio. */
export function readLadder(text: string): LadderResult {
  const parts = text.split(',').map((part) => part.trim())
  const read = parts.map((part) => ({ part, rung: readRung(part) }))
  const rungs = read.flatMap(({ rung }) => (rung === undefined ? [] : [rung]))
  const faults = [
    ...(parts.length > RUNGS_MAXIMUM
      ? [`has ${parts.length} rungs; at most ${RUNGS_MAXIMUM} are allowed`]
      : []),
    ...read.flatMap(({ part, rung }) =>
      rung === undefined
        ? [`"${part}" is not WIDTHxHEIGHT@VIDEO+AUDIO`]
        : faultsOf(rung).map((fault) => `"${part}": ${fault}`),
    ),
    ...findRepeated(rungs.map(({ name }) => name)).map((name) => `${name} is repeated`),
  ]
  if (faults.length > 0) return { kind: 'rejected', faults }
  return { kind: 'ladder', ladder: rungs.toSorted((a, b) => a.videoKbps - b.videoKbps) }
}

/** The renditions that distributors' delivery specifications have in common. */
export const DEFAULT_LADDER: Ladder = [
  { name: '360p', width: 640, height: 360, videoKbps: 800, audioKbps: 96 },
  { name: '540p', width: 960, height: 540, videoKbps: 1_800, audioKbps: 128 },
  { name: '720p', width: 1_280, height: 720, videoKbps: 3_000, audioKbps: 128 },
  { name: '1080p', width: 1_920, height: 1_080, videoKbps: 5_500, audioKbps: 128 },
]

/** In the notation of the setting. */
export const printLadder = (ladder: Ladder): string =>
  ladder.map((rung) => `${rung.width}x${rung.height}@${rung.videoKbps}+${rung.audioKbps}`).join(',')

/** The rung for a single file for download: the highest up to 720p, otherwise the lowest. */
export function downloadRung(ladder: Ladder): Rung {
  return ladder.findLast(({ height }) => height <= 720) ?? ladder[0]!
}

function readRung(part: string): Rung | undefined {
  const match = RUNG.exec(part)
  if (match === null) return undefined
  const [width, height, videoKbps, audioKbps] = match.slice(1).map(Number) as [number, number, number, number]
  return { name: `${height}p`, width, height, videoKbps, audioKbps }
}

function faultsOf(rung: Rung): string[] {
  const outside = Object.entries(bounds).flatMap(([field, [least, most]]) => {
    const value = rung[field as keyof typeof bounds]
    return value < least || value > most ? [`${field} must be from ${least} to ${most}`] : []
  })
  // Chroma is subsampled in both directions, so an odd size cannot be encoded.
  const odd = (['width', 'height'] as const).flatMap((side) =>
    rung[side] % 2 === 1 ? [`${side} must be even`] : [],
  )
  return [...outside, ...odd]
}

const findRepeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) !== at)),
]
