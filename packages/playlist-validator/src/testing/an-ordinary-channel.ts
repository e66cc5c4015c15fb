import { type BrokenCase, type Edit, edit, type Step } from './broken-steps.ts'

/** Segments of four seconds in a window of five, as many packagers list them. */
export const BEGIN_MS = Date.parse('2026-03-01T12:00:00.000Z')
const SEGMENT_MS = 4_000

export interface OrdinaryOptions {
  /** The number of the last segment; the text is read when it ends. */
  readonly last: number
  readonly first?: number
  readonly isDated?: boolean
  /** Lines before the EXTINF of a segment, by its number. */
  readonly tags?: Readonly<Record<number, readonly string[]>>
  /** Lines before the first segment. */
  readonly header?: readonly string[]
  readonly rendition?: string
  /** The number of the last segment elsewhere, if the text is read when that ends. */
  readonly seen?: number
}

export function ordinaryText(options: OrdinaryOptions): string {
  const { last, first = Math.max(0, last - 4), isDated = true, tags = {}, header = [] } = options
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    '#EXT-X-TARGETDURATION:4',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    '## written by a packager',
    '#EXT-X-ALLOW-CACHE:NO',
    ...header,
    ...numbers.flatMap((number) => [
      ...(tags[number] ?? []),
      '#EXTINF:4.000,A title, with a comma',
      ...(isDated ? [`#EXT-X-PROGRAM-DATE-TIME:${dateOf(number)}`] : []),
      `segment-${number}.ts?token=1`,
    ]),
    '',
  ].join('\n')
}

export const dateOf = (number: number): string => new Date(BEGIN_MS + number * SEGMENT_MS).toISOString()

/** Reads the playlist at the end of its last segment. */
export const read =
  (options: OrdinaryOptions, edits: readonly Edit[] = []): Step =>
  (validator) =>
    validator.checkMedia({
      atMs: BEGIN_MS + ((options.seen ?? options.last) + 1) * SEGMENT_MS,
      rendition: options.rendition ?? 'video.m3u8',
      text: edit(ordinaryText(options), edits),
    })

/** Reads a multivariant playlist. */
export const readText =
  (...lines: readonly string[]): Step =>
  (validator) =>
    validator.checkMultivariant(['#EXTM3U', ...lines, ''].join('\n'))

export const broken = (rule: BrokenCase['rule'], ...steps: readonly Step[]): BrokenCase => ({ rule, steps })
