import type { Cut, Media } from '../../media/media.ts'
import type { Program } from '../span.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'

/** Values that the spans of a run use more than once, each written once. */
export interface TableWriter {
  readonly texts: Table<string>
  readonly media: Table<Media>
  readonly programs: Table<Program>
}

export interface Tables {
  readonly texts: readonly string[]
  readonly media: readonly Media[]
  readonly programs: readonly Program[]
}

export interface Table<T> {
  readonly rows: T[]
  add(row: T): void
  indexOf(row: T): number
}

export const openTables = (): TableWriter => ({
  texts: openTable((text) => text),
  media: openTable(({ path }) => path),
  programs: openTable((program) => JSON.stringify(program)),
})

function openTable<T>(keyOf: (row: T) => string): Table<T> {
  const rows: T[] = []
  const indexes = new Map<string, number>()
  // Most rows are added again as the same object, and computing keys takes most of the time.
  const known = new Map<T, number>()
  return {
    rows,
    add(row) {
      if (known.has(row)) return
      const key = keyOf(row)
      const index = indexes.get(key) ?? rows.push(row) - 1
      indexes.set(key, index)
      known.set(row, index)
    },
    indexOf: (row) => known.get(row)!,
  }
}

export function writeTables(
  writer: ByteWriter,
  { texts, media, programs }: TableWriter,
  hasCuts: boolean,
): void {
  // Packages of an account share the outer folders of their paths.
  for (const { path } of media.rows) for (const name of path.split('/')) texts.add(name)
  writer.count(texts.rows.length)
  for (const text of texts.rows) writeText(writer, text)
  writer.count(media.rows.length)
  for (const it of media.rows) {
    writeMedia(writer, texts, it)
    if (hasCuts) writeCuts(writer, it.cuts ?? [])
  }
  writer.count(programs.rows.length)
  for (const program of programs.rows) writeProgram(writer, program)
}

export function readTables(reader: ByteReader, hasCuts: boolean): Tables {
  const texts = readRows(reader, () => readText(reader))
  const media = readRows(reader, () => {
    const it = readMedia(reader, texts)
    const cuts = hasCuts ? readCuts(reader) : []
    return cuts.length === 0 ? it : { ...it, cuts }
  })
  const programs = readRows(reader, () => readProgram(reader))
  return { texts, media, programs }
}

function readRows<T>(reader: ByteReader, read: () => T): T[] {
  const rows: T[] = []
  const count = reader.count()
  while (rows.length < count && !reader.isCorrupt()) rows.push(read())
  return rows
}

function writeMedia(writer: ByteWriter, texts: Table<string>, media: Media): void {
  const names = media.path.split('/')
  writer.count(names.length)
  for (const name of names) writer.count(texts.indexOf(name))
  writer.count(media.segmentTicks)
  writer.count(media.segmentCount)
  writer.count(media.durationTicks)
}

function readMedia(reader: ByteReader, texts: readonly string[]): Media {
  const names = readRows(reader, () => texts[reader.count()] ?? '')
  const segmentTicks = reader.count()
  const segmentCount = reader.count()
  return { path: names.join('/'), segmentTicks, segmentCount, durationTicks: reader.count() }
}

/** Each relative to the one before. */
function writeCuts(writer: ByteWriter, cuts: readonly Cut[]): void {
  writer.count(cuts.length)
  let before = { segment: 0, ticks: 0 }
  for (const cut of cuts) {
    writer.count(cut.segment - before.segment)
    writer.count(cut.ticks - before.ticks)
    before = cut
  }
}

function readCuts(reader: ByteReader): readonly Cut[] {
  let [segment, ticks] = [0, 0]
  return readRows(reader, () => {
    segment += reader.count()
    ticks += reader.count()
    return { segment, ticks }
  })
}

function writeProgram(
  writer: ByteWriter,
  { id, title, description, startMs, endMs, details }: Program,
): void {
  for (const text of [id, title, description]) writeText(writer, text)
  writer.count(startMs)
  writer.count(endMs === null ? 0 : endMs + 1)
  writeText(writer, details === undefined ? '' : JSON.stringify(details))
}

function readProgram(reader: ByteReader): Program {
  const [id, title, description] = [readText(reader), readText(reader), readText(reader)] as const
  const startMs = reader.count()
  const end = reader.count()
  const details = readText(reader)
  const program = { id, title, description, startMs, endMs: end === 0 ? null : end - 1 }
  return details === ''
    ? program
    : { ...program, details: JSON.parse(details) as NonNullable<Program['details']> }
}

const encoder = new TextEncoder()
// Otherwise the decoder drops a leading byte order mark (U+FEFF).
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ID_BYTES = 16

/** A text; a UUID takes 16 bytes instead of 36 characters. */
export function writeText(writer: ByteWriter, text: string): void {
  if (ID.test(text)) {
    writer.count(0)
    writer.bytes(bytesOfId(text))
    return
  }
  const bytes = encoder.encode(text)
  writer.count(bytes.length + 1)
  writer.bytes(bytes)
}

export function readText(reader: ByteReader): string {
  const length = reader.count()
  return length === 0 ? idOfBytes(reader.bytes(ID_BYTES)) : decoder.decode(reader.bytes(length - 1))
}

function bytesOfId(id: string): Uint8Array {
  const digits = id.replaceAll('-', '')
  const bytes = new Uint8Array(ID_BYTES)
  for (let at = 0; at < ID_BYTES; at += 1)
    bytes[at] = 16 * digitAt(digits, 2 * at) + digitAt(digits, 2 * at + 1)
  return bytes
}

/** `parseInt` takes ten times as long, and half of the text of a run is ids. */
function digitAt(digits: string, at: number): number {
  const code = digits.charCodeAt(at)
  return code < LETTER_A ? code - DIGIT_0 : code - LETTER_A + 10
}

const DIGIT_0 = 0x30
const LETTER_A = 0x61

function idOfBytes(bytes: Uint8Array): string {
  let text = ''
  for (const [at, byte] of bytes.entries()) {
    text += (at === 4 || at === 6 || at === 8 || at === 10 ? '-' : '') + hexPairs[byte]!
  }
  return text
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
