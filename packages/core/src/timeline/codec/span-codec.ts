import type { Media } from '../../media/media.ts'
import {
  type AdBreak,
  type Airing,
  type ComponentType,
  endOfSpan,
  type Program,
  type Show,
  type Span,
} from '../span.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import { openTables, readTables, type Tables, type TableWriter, writeTables } from './tables.ts'

/** Start times and sequence numbers are not written: each span begins where the previous one ends. */
export function writeSpans(writer: ByteWriter, spans: readonly Span[], hasCuts: boolean): void {
  const tables = openTables()
  for (const span of spans) enter(tables, span)
  writeTables(writer, tables, hasCuts)
  writer.count(spans.length)
  let discontinuity = 0
  for (const span of spans) {
    writer.count(span.segments)
    writer.count(span.discontinuity - discontinuity)
    discontinuity = span.discontinuity
    writeShow(writer, tables, span.show)
    writeAiring(writer, tables, span.airing)
    writeBreak(writer, span)
  }
}

export function readSpans(
  reader: ByteReader,
  from: Pick<Span, 'firstSequence' | 'startTicks'>,
  hasCuts: boolean,
): Span[] {
  const tables = readTables(reader, hasCuts)
  const count = reader.count()
  const spans: Span[] = []
  let { firstSequence, startTicks } = from
  let discontinuity = 0
  for (let at = 0; at < count && !reader.isCorrupt(); at += 1) {
    const segments = reader.count()
    discontinuity += reader.count()
    const show = readShow(reader, tables)
    const airing = readAiring(reader, tables)
    const adBreak = readBreak(reader, firstSequence, startTicks)
    const span = { startTicks, segments, firstSequence, discontinuity, show, airing, adBreak }
    spans.push(span)
    firstSequence += segments
    startTicks = endOfSpan(span)
  }
  return spans
}

const types: readonly ComponentType[] = ['VIDEO', 'AD_POD', 'INTERSTITIAL', 'TIME_FILL', 'LIVE', 'SLATE']
const kinds = { asset: 0, looped: 1, live: 2 } as const

const mediaOf = (show: Show): Media => (show.kind === 'live' ? show.fill : show.media)

/** Whether the media of a span has parts. */
export const showsCuts = ({ show }: Span): boolean => mediaOf(show).cuts !== undefined

function enter({ texts, media, programs }: TableWriter, { show, airing }: Span): void {
  media.add(mediaOf(show))
  if (show.kind === 'live') texts.add(show.sourceId)
  if (airing.program !== null) programs.add(airing.program)
  if (airing.referenceId !== null) texts.add(airing.referenceId)
  texts.add(airing.title)
}

function writeShow(writer: ByteWriter, { texts, media }: TableWriter, show: Show): void {
  if (show.kind === 'live') {
    writer.count(kinds.live)
    writer.count(media.indexOf(show.fill))
    writer.count(show.firstSlot)
    writer.count(show.firstSlot - show.joinedSlot)
    writer.count(show.slotTicks)
    writer.count(texts.indexOf(show.sourceId))
  } else {
    writer.count(show.isLooped ? kinds.looped : kinds.asset)
    writer.count(media.indexOf(show.media))
    writer.count(show.firstSegment)
  }
}

function readShow(reader: ByteReader, { texts, media }: Tables): Show {
  const kind = reader.count()
  const it = media[reader.count()] ?? nothing
  const first = reader.count()
  if (kind !== kinds.live)
    return { kind: 'asset', media: it, firstSegment: first, isLooped: kind === kinds.looped }
  const joinedSlot = first - reader.count()
  const slotTicks = reader.count()
  const sourceId = texts[reader.count()] ?? ''
  return { kind: 'live', sourceId, firstSlot: first, joinedSlot, slotTicks, fill: it }
}

function writeAiring(writer: ByteWriter, { texts, programs }: TableWriter, airing: Airing): void {
  writer.count(airing.program === null ? 0 : programs.indexOf(airing.program) + 1)
  writer.count(airing.component)
  writer.count(types.indexOf(airing.type))
  writer.count(airing.referenceId === null ? 0 : texts.indexOf(airing.referenceId) + 1)
  writer.count(texts.indexOf(airing.title))
}

function readAiring(reader: ByteReader, { texts, programs }: Tables): Airing {
  const program: Program | null = programs[reader.count() - 1] ?? null
  const component = reader.count()
  const type = types[reader.count()] ?? 'SLATE'
  const referenceId = texts[reader.count() - 1] ?? null
  return { program, component, type, referenceId, title: texts[reader.count()] ?? '' }
}

/** Segments from the start of the break to the span, plus one; 0 if the span is in no break. */
function writeBreak(writer: ByteWriter, { adBreak, firstSequence, startTicks }: Span): void {
  writer.count(adBreak === null ? 0 : firstSequence - adBreak.sequence + 1)
  if (adBreak === null) return
  writer.count(startTicks - adBreak.startTicks)
  writer.count(adBreak.plannedTicks)
}

function readBreak(reader: ByteReader, firstSequence: number, startTicks: number): AdBreak | null {
  const into = reader.count()
  if (into === 0) return null
  const sequence = firstSequence - into + 1
  return { sequence, startTicks: startTicks - reader.count(), plannedTicks: reader.count() }
}

/** Used if corrupt bytes refer to a missing row; such a run is rejected as a whole. */
const nothing: Media = { path: '', segmentTicks: 1, segmentCount: 1, durationTicks: 1 }
