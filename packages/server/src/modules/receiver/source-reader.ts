import { createDecipheriv } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  chooseVariant,
  readSourcePlaylist,
  type SourceKey,
  type SourceMediaPlaylist,
  type SourcePart,
  type SourceSegment,
} from '@continuity/core/live/source-playlist'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import { fetchBytes } from './fetch-bytes.ts'
import { SourceFault } from './source-fault.ts'

export interface SourceReaderOptions {
  readonly guard: Guard
  readonly url: string
  /** Of the best rendition that is made of it. */
  readonly height: number
  readonly signal: AbortSignal
}

/** A segment of the source, decrypted. */
export interface ReceivedSegment {
  readonly bytes: Buffer
  /** What fMP4 needs before the first segment, and again when it changes; empty for MPEG-TS. */
  readonly map: Buffer
  /** Its timestamps or its format do not continue those of the segment before. */
  readonly isBreak: boolean
  readonly durationMs: number
  readonly programMs: number | undefined
  readonly targetMs: number
}

/** As players do: three segments back, so that there is something to begin with. */
const FIRST_BACK = 3
/** A source that brings nothing new for so many target durations stands still, and a receiver that is so far behind is too slow. */
const FROZEN_TARGETS = 3

const PLAYLIST_BYTES = 1_000_000
const SEGMENT_BYTES = 64_000_000
const MAP_BYTES = 1_000_000
const KEY_BYTES = 16
const FETCH_MS = 15_000

/**
 * Reads a live source from near its end on, segment by segment, for as long as it moves. Throws a SourceFault when it cannot
 * be read or stands still; a caller that waits for it to come back reads it again.
 */
export async function* readSource(options: SourceReaderOptions): AsyncGenerator<ReceivedSegment, void> {
  const { guard, signal } = options
  const fetched = createFetcher(guard, signal)
  const found = await openPlaylist(options)
  let { playlist } = found
  let last: SourceSegment | undefined
  let mapUrl: string | undefined
  let movedMs = performance.now()
  let behindMs = 0 // by so much segments took longer to be taken than they last
  for (;;) {
    if (playlist.isEnded) throw new SourceFault('source.not_live', 'The playlist ends: it is a recording.')
    const fresh = freshSegments(playlist, last)
    for (const segment of fresh) {
      const received = await fetched.receive(segment)
      const isBreak =
        last !== undefined &&
        (segment.isDiscontinuous || segment.sequence !== last.sequence + 1 || segment.map?.url !== mapUrl)
      last = segment
      mapUrl = segment.map?.url
      const givenMs = performance.now()
      yield { ...received, isBreak, targetMs: playlist.targetMs }
      // The time that an encoder takes is not the source's.
      movedMs = performance.now()
      behindMs = Math.max(0, behindMs + movedMs - givenMs - segment.durationMs)
      if (behindMs > FROZEN_TARGETS * playlist.targetMs) throw tooSlow()
    }
    if (performance.now() - movedMs > FROZEN_TARGETS * playlist.targetMs) {
      throw new SourceFault('source.frozen', 'The playlist of the source brings no new segments.')
    }
    // Twice in a target duration: RFC 8216 asks for no less where nothing was new (§6.3.4).
    await setTimeout(playlist.targetMs / 2, undefined, { signal })
    playlist = await readMediaPlaylist(options, found.url)
  }
}

const tooSlow = () =>
  new SourceFault(
    'source.receiver_too_slow',
    'The receiver encodes slower than the source plays. Give it more cores, a faster ENCODER_PRESET or a smaller LADDER.',
  )

/** What was not read yet. A source whose numbers begin anew is read from near its end again. */
function freshSegments(
  { segments }: SourceMediaPlaylist,
  last: SourceSegment | undefined,
): readonly SourceSegment[] {
  if (last === undefined) return segments.slice(-FIRST_BACK)
  const newest = segments.at(-1)?.sequence ?? last.sequence
  if (newest < last.sequence) return segments.slice(-FIRST_BACK)
  return segments.filter(({ sequence }) => sequence > last.sequence)
}

/** The media playlist that the address leads to, by way of the variant that fits. */
async function openPlaylist(
  options: SourceReaderOptions,
): Promise<{ readonly url: string; readonly playlist: SourceMediaPlaylist }> {
  const { url } = options
  const playlist = await readPlaylist(options, url)
  if (playlist.kind === 'media') return { url, playlist }
  const variant = chooseVariant(playlist, options)
  return { url: variant.url, playlist: await readMediaPlaylist(options, variant.url) }
}

async function readMediaPlaylist(options: SourceReaderOptions, url: string): Promise<SourceMediaPlaylist> {
  const playlist = await readPlaylist(options, url)
  if (playlist.kind === 'media') return playlist
  throw new SourceFault('source.playlist_invalid', 'A variant of the source is a multivariant playlist.')
}

async function readPlaylist({ guard, signal }: SourceReaderOptions, url: string) {
  const bytes = await fetchBytes(guard, { url, mostBytes: PLAYLIST_BYTES, limitMs: FETCH_MS, signal })
  const read = readSourcePlaylist(bytes.toString('utf8'), url)
  if (read.kind === 'refused') throw new SourceFault(read.code, read.message)
  return read
}

/** Keys and maps hold for many segments, and are fetched once. */
function createFetcher(guard: Guard, signal: AbortSignal) {
  let key: { readonly url: string; readonly bytes: Buffer } | undefined
  let map: { readonly part: SourcePart; readonly bytes: Buffer } | undefined
  const get = (part: SourcePart, mostBytes: number) =>
    fetchBytes(guard, { ...part, mostBytes, limitMs: FETCH_MS, signal })

  const keyOf = async ({ url }: SourceKey): Promise<Buffer> => {
    if (key?.url === url) return key.bytes
    const bytes = await get({ url, range: undefined }, KEY_BYTES)
    if (bytes.length !== KEY_BYTES) {
      throw new SourceFault('source.key_invalid', 'The key of the source is not 16 bytes long.')
    }
    key = { url, bytes }
    return bytes
  }
  const mapOf = async (part: SourcePart | undefined): Promise<Buffer> => {
    if (part === undefined) return Buffer.alloc(0)
    const isSame = map?.part.url === part.url && map.part.range?.from === part.range?.from
    if (map === undefined || !isSame) map = { part, bytes: await get(part, MAP_BYTES) }
    return map.bytes
  }
  return {
    async receive(segment: SourceSegment) {
      const bytes = await get(segment, SEGMENT_BYTES)
      const plain =
        segment.key === undefined ? bytes : decrypt(bytes, await keyOf(segment.key), segment.key.iv)
      const { durationMs, programMs } = segment
      return { bytes: plain, map: await mapOf(segment.map), durationMs, programMs }
    },
  }
}

function decrypt(bytes: Buffer, key: Buffer, iv: string): Buffer {
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(iv, 'hex'))
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch (cause) {
    throw new SourceFault('source.key_invalid', 'A segment of the source does not fit its key.', { cause })
  }
}
