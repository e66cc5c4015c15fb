import { createDecipheriv } from 'node:crypto'
import { createAudioUnpacker } from '@continuity/core/live/packed-audio'
import type { SourceKey, SourcePart, SourceSegment } from '@continuity/core/live/source-playlist'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { fetchBytes } from './fetch-bytes.ts'
import { SourceFault } from './source-fault.ts'

const SEGMENT_BYTES = 64_000_000
const MAP_BYTES = 1_000_000
const KEY_BYTES = 16

/** Fetches the segments of a playlist and decrypts them. Keys and maps are cached, since many segments share them. */
export function createSegmentFetcher(outboundClient: OutboundClient, signal: AbortSignal) {
  let key: { readonly url: string; readonly bytes: Buffer } | undefined
  let map: { readonly part: SourcePart; readonly bytes: Buffer } | undefined
  const unpack = createAudioUnpacker()
  const get = (part: SourcePart, mostBytes: number, limitMs: number) =>
    fetchBytes(outboundClient, { ...part, mostBytes, limitMs, signal })

  const keyOf = async ({ url }: SourceKey, limitMs: number): Promise<Buffer> => {
    if (key?.url === url) return key.bytes
    const bytes = await get({ url, range: undefined }, KEY_BYTES, limitMs)
    if (bytes.length !== KEY_BYTES) {
      throw new SourceFault('source.key_invalid', 'The key of the source is not 16 bytes long.')
    }
    key = { url, bytes }
    return bytes
  }
  const mapOf = async (part: SourcePart | undefined, limitMs: number): Promise<Buffer> => {
    if (part === undefined) return Buffer.alloc(0)
    if (map === undefined || !isSamePart(map.part, part)) {
      map = { part, bytes: await get(part, MAP_BYTES, limitMs) }
    }
    return map.bytes
  }
  return {
    async fetch(segment: SourceSegment, limitMs: number) {
      const { key: itsKey, durationMs, programMs } = segment
      const bytes = await get(segment, SEGMENT_BYTES, limitMs)
      const plain = itsKey === undefined ? bytes : decrypt(bytes, await keyOf(itsKey, limitMs), itsKey.iv)
      return { bytes: unpack(plain), map: await mapOf(segment.map, limitMs), durationMs, programMs }
    },
  }
}

export const isSamePart = (one: SourcePart | undefined, other: SourcePart | undefined): boolean =>
  one?.url === other?.url && one?.range?.from === other?.range?.from

function decrypt(bytes: Buffer, key: Buffer, iv: string): Buffer {
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(iv, 'hex'))
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch (cause) {
    throw new SourceFault('source.key_invalid', 'A segment of the source does not fit its key.', { cause })
  }
}
