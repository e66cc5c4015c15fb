import fc from 'fast-check'
import type { Cut, Media } from '../../media/media.ts'
import type { Run } from '../run.ts'
import type { AdBreak, Airing, Program, Show, Span } from '../span.ts'
import { endOfSpan } from '../span.ts'

/** Texts that a decoder could misread. */
export const awkwardTexts: readonly string[] = [
  '',
  '/',
  '//a/',
  '\0',
  '\uFEFFwith a mark in front',
  'Ängste 東京 🎬',
  '"quoted", and \\ with\nlines',
  '0b1e3f8a-1111-4222-8333-444455556666',
  '0B1E3F8A-1111-4222-8333-444455556666',
  '0b1e3f8a-1111-4222-8333-444455556666\n',
  '0b1e3f8a-1111-4222-8333-44445555666g',
]

/** A record with the usual prototype. */
const aRecord = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(fields, { noNullPrototype: true })

const anyText = fc.oneof(fc.constantFrom(...awkwardTexts), fc.uuid(), fc.string({ unit: 'binary' }))
const anyCount = fc.oneof(fc.nat(200), fc.nat(2 ** 31))

/** The last segment of a part has any length. */
const anyMedia: fc.Arbitrary<Media> = fc
  .tuple(
    anyText,
    fc.integer({ min: 1, max: 600_000 }),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.nat(400_000)), { minLength: 1, maxLength: 3 }),
  )
  .map(([path, segmentTicks, parts]) => {
    const ends: Cut[] = []
    let [segment, ticks] = [0, 0]
    for (const [count, tail] of parts) {
      segment += count
      ticks += (count - 1) * segmentTicks + 1 + tail
      ends.push({ segment, ticks })
    }
    const media = { path, segmentTicks, segmentCount: segment, durationTicks: ticks }
    return ends.length === 1 ? media : { ...media, cuts: ends.slice(0, -1) }
  })

const anyDetails = fc.record(
  { seriesTitle: anyText, seasonNumber: fc.nat(), genres: fc.array(anyText), imageUrl: anyText },
  { requiredKeys: [], noNullPrototype: true },
)

const anyProgram: fc.Arbitrary<Program> = fc
  .tuple(
    aRecord({
      id: anyText,
      title: anyText,
      description: anyText,
      startMs: anyCount,
      endMs: fc.option(anyCount),
    }),
    fc.option(anyDetails),
  )
  .map(([program, details]) => (details === null ? program : { ...program, details }))

const anyAiring = (programs: readonly Program[]): fc.Arbitrary<Airing> =>
  aRecord({
    program: fc.constantFrom(null, ...programs),
    component: fc.nat(300),
    type: fc.constantFrom('VIDEO', 'AD_POD', 'INTERSTITIAL', 'TIME_FILL', 'LIVE', 'SLATE'),
    referenceId: fc.option(anyText),
    title: anyText,
  })

const anyShow = (media: readonly Media[]): fc.Arbitrary<Show> =>
  fc.oneof(
    aRecord({
      kind: fc.constant('asset' as const),
      media: fc.constantFrom(...media),
      firstSegment: fc.nat(100),
      isLooped: fc.boolean(),
    }),
    fc
      .tuple(fc.constantFrom(...media), anyText, anyCount, fc.nat(50), fc.integer({ min: 1, max: 600_000 }))
      .map(([fill, sourceId, slot, visited, slotTicks]) => ({
        kind: 'live' as const,
        sourceId,
        firstSlot: slot + visited,
        joinedSlot: slot,
        slotTicks,
        fill,
      })),
  )

interface Loose {
  readonly show: Show
  readonly airing: Airing
  readonly segments: number
  readonly discontinuities: number
  readonly adBreak: {
    readonly into: number
    readonly ticksInto: number
    readonly plannedTicks: number
  } | null
}

const anyLoose = (media: readonly Media[], programs: readonly Program[]): fc.Arbitrary<Loose> =>
  aRecord({
    show: anyShow(media),
    airing: anyAiring(programs),
    segments: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(2 ** 31)),
    discontinuities: fc.nat(300),
    adBreak: fc.option(aRecord({ into: fc.nat(90), ticksInto: fc.nat(9_000_000), plannedTicks: anyCount })),
  })

/** A run that could be committed, except that its content makes no sense. */
export const anyRun: fc.Arbitrary<Run> = fc
  .tuple(
    fc.uniqueArray(anyMedia, { selector: ({ path }) => path, minLength: 1, maxLength: 4 }),
    fc.array(anyProgram, { maxLength: 3 }),
  )
  .chain(([media, programs]) =>
    aRecord({
      number: anyCount,
      firstSequence: fc.integer({ min: 100, max: 2 ** 40 }),
      startTicks: fc.integer({ min: 90_000_000, max: 2 ** 48 }),
      discontinuity: fc.option(anyCount),
      shownFromTicks: fc.option(fc.nat(2 ** 31)),
      spans: fc.array(anyLoose(media, programs), { maxLength: 8 }),
      isEnd: fc.boolean(),
    }),
  )
  .map((run) => ({ ...run, spans: inARow(run.spans, run) }))

function inARow(loose: readonly Loose[], from: Pick<Span, 'firstSequence' | 'startTicks'>): Span[] {
  const spans: Span[] = []
  let discontinuity = 0
  for (const { show, airing, segments, discontinuities, adBreak } of loose) {
    const before = spans.at(-1)
    const firstSequence = before === undefined ? from.firstSequence : before.firstSequence + before.segments
    const startTicks = before === undefined ? from.startTicks : endOfSpan(before)
    const begun: AdBreak | null =
      adBreak === null
        ? null
        : {
            sequence: firstSequence - adBreak.into,
            startTicks: startTicks - adBreak.ticksInto,
            plannedTicks: adBreak.plannedTicks,
          }
    spans.push({ startTicks, segments, firstSequence, discontinuity, show, airing, adBreak: begun })
    discontinuity += discontinuities
  }
  return spans
}
