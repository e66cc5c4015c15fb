/** A handwritten channel of a few minutes: assets, joins, one complete ad break and one that is cut short. */
export const START_MS = Date.parse('2026-11-15T14:00:00.000Z')

interface Listed {
  readonly sequence: number
  readonly startMs: number
  readonly endMs: number
  readonly name: string
  readonly discontinuity: number
  readonly isJoin: boolean
}

interface Break {
  readonly id: string
  readonly startMs: number
  readonly plannedMs: number
  readonly actualMs: number
}

export interface ChannelOptions {
  readonly rendition?: string
  readonly windowMs?: number
  readonly breakPolicy?: 'ACTUAL' | 'FULL_LENGTH'
  readonly markers?: 'DATERANGE' | 'CUE' | 'BOTH' | 'NONE'
  readonly canSkip?: boolean
  readonly isEnded?: boolean
}

// Each part begins with a join. Entries: name, number of segments, length of a segment in ms.
const parts: readonly (readonly [string, number, number])[][] = [
  [
    ['a', 15, 3_200],
    ['a-tail', 1, 2_400],
  ],
  [['b', 5, 3_200]],
  [['slate', 19, 1_600]],
  [['b', 10, 3_200]],
  [['slate', 8, 1_600]],
  [['c', 20, 3_200]],
]

const breaks: readonly Break[] = [
  { id: 'break-121', startMs: 66_400, plannedMs: 30_400, actualMs: 30_400 },
  { id: 'break-150', startMs: 128_800, plannedMs: 33_600, actualMs: 12_800 },
]

const listed: readonly Listed[] = layOut()

function layOut(): readonly Listed[] {
  const all: Listed[] = []
  for (const [discontinuity, part] of parts.entries()) {
    for (const [at, [name, count, lengthMs]] of part.entries()) {
      for (let index = 0; index < count; index++) {
        const startMs = all.at(-1)?.endMs ?? 0
        all.push({
          sequence: 100 + all.length,
          startMs,
          endMs: startMs + lengthMs,
          name: `${name}${String(index).padStart(2, '0')}.ts`,
          discontinuity: 7 + discontinuity,
          isJoin: discontinuity > 0 && at === 0 && index === 0,
        })
      }
    }
  }
  return all
}

// Sections of SCTE 35 §14: start and end of a placement opportunity.
const OUT = hexOf('/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==')
const IN = hexOf('/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g=')

function hexOf(base64: string): string {
  return `0x${Buffer.from(base64, 'base64').toString('hex').toUpperCase()}`
}

const dateOf = (ms: number): string => new Date(START_MS + ms).toISOString()
const seconds = (ms: number, digits: number): string => (ms / 1_000).toFixed(digits)

/** The media playlist at a time, in milliseconds since the channel began. */
export function textAt(nowMs: number, options: ChannelOptions = {}): string {
  const window = windowAt(nowMs, options.windowMs ?? 32_000)
  const first = window[0]!
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    '#EXT-X-TARGETDURATION:5',
    `#EXT-X-MEDIA-SEQUENCE:${first.sequence}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${first.discontinuity}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(options.canSkip === true ? ['#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=30.000,HOLD-BACK=15.000'] : []),
    ...rangesOf(window, options),
    ...window.flatMap((segment) => linesOf(segment, segment === first, options)),
    ...(options.isEnded === true ? ['#EXT-X-ENDLIST'] : []),
    '',
  ].join('\n')
}

/** The delta update at that time: segments that end more than 30 s before the last one are skipped. */
export function deltaAt(nowMs: number, options: ChannelOptions): string {
  const window = windowAt(nowMs, options.windowMs ?? 32_000)
  const untilMs = window.at(-1)!.endMs - 30_000
  const skipped = window.filter(({ endMs }) => endMs <= untilMs).length
  const lines = textAt(nowMs, { canSkip: true, ...options }).split('\n')
  const isSegment = (line: string) => /^#EXT(INF|-X-DISCONTINUITY$|-X-PROGRAM|-X-CUE)|^[^#]/.test(line)
  const header = lines.filter((line) => !isSegment(line) && line !== '').map(raise)
  const kept = window.slice(skipped).flatMap((segment) => linesOf(segment, false, options))
  return [...header, `#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`, ...kept, ''].join('\n')
}

const raise = (line: string): string => line.replace('EXT-X-VERSION:6', 'EXT-X-VERSION:9')

function windowAt(nowMs: number, windowMs: number): readonly Listed[] {
  const ended = listed.filter(({ endMs }) => endMs <= nowMs)
  const edgeMs = ended.at(-1)?.endMs ?? 0
  return ended.filter(({ endMs }) => endMs > edgeMs - windowMs)
}

const lengthOf = (pause: Break, options: ChannelOptions): number =>
  options.breakPolicy === 'FULL_LENGTH' ? pause.plannedMs : pause.actualMs

function rangesOf(window: readonly Listed[], options: ChannelOptions): string[] {
  if (options.markers === 'CUE' || options.markers === 'NONE') return []
  const [first, last] = [window[0]!, window.at(-1)!]
  return breaks
    .filter((pause) => last.endMs >= pause.startMs - 3_200)
    .filter((pause) => pause.startMs + lengthOf(pause, options) > first.startMs)
    .map((pause) => rangeOf(pause, last.endMs, options))
}

function rangeOf(pause: Break, edgeMs: number, options: ChannelOptions): string {
  const lengthMs = lengthOf(pause, options)
  const end = edgeMs >= pause.startMs + lengthMs ? `,DURATION=${seconds(lengthMs, 3)},SCTE35-IN=${IN}` : ''
  const start = `ID="${pause.id}",START-DATE="${dateOf(pause.startMs)}"`
  return `#EXT-X-DATERANGE:${start},PLANNED-DURATION=${seconds(pause.plannedMs, 3)},SCTE35-OUT=${OUT}${end}`
}

function linesOf(segment: Listed, isFirst: boolean, options: ChannelOptions): string[] {
  const isDated = isFirst || segment.isJoin
  return [
    ...(segment.isJoin && !isFirst ? ['#EXT-X-DISCONTINUITY'] : []),
    ...(isDated ? [`#EXT-X-PROGRAM-DATE-TIME:${dateOf(segment.startMs)}`] : []),
    ...(options.markers === 'DATERANGE' || options.markers === 'NONE' ? [] : cueOf(segment, options)),
    `#EXTINF:${seconds(segment.endMs - segment.startMs, 6)},`,
    `../${options.rendition ?? '720p'}/${segment.name}`,
  ]
}

function cueOf({ startMs, sequence }: Listed, options: ChannelOptions): string[] {
  const before = listed[sequence - 101]?.startMs ?? -1
  for (const pause of breaks) {
    const elapsedMs = startMs - pause.startMs
    const lengthMs = lengthOf(pause, options)
    const planned = seconds(pause.plannedMs, 3)
    if (elapsedMs === 0) return [`#EXT-X-CUE-OUT:DURATION=${planned}`]
    if (elapsedMs > 0 && elapsedMs < lengthMs) {
      return [`#EXT-X-CUE-OUT-CONT:ElapsedTime=${seconds(elapsedMs, 3)},Duration=${planned}`]
    }
    if (elapsedMs >= lengthMs && before < pause.startMs + lengthMs) return ['#EXT-X-CUE-IN']
  }
  return []
}
