import { parseMedia } from '../walker/parse-media.ts'
import { placeSegments } from '../walker/place-segments.ts'
import type { Segment } from '../walker/playlist.ts'
import { createWalker, type Walker } from '../walker/walker.ts'
import { addressOf, fetchAnswer, type OutputPlace, rungsIn } from './fetch-playlist.ts'

/** What is known of an output: its window, how breaks are marked and when they end. */
export interface WatchedOutput extends OutputPlace {
  readonly windowMs: number
  readonly markers: 'DATERANGE' | 'CUE' | 'BOTH' | 'NONE'
  readonly breakPolicy: 'ACTUAL' | 'FULL_LENGTH'
}

export const directOf = (channelId: string): WatchedOutput => ({
  channelId,
  distributor: 'direct',
  windowMs: 32_000,
  markers: 'BOTH',
  breakPolicy: 'ACTUAL',
})

/** Reads all renditions of an output with the playlist validator, and keeps everything that was ever listed. */
export interface OutputWatch {
  readonly output: WatchedOutput
  /** Takes what a node answered for a rung at a time. */
  see(atMs: number, rung: string, text: string): readonly Segment[]
  seeMultivariant(text: string): void
  /** Everything that was ever listed, in its order, of the rung that was seen first. */
  listed(): readonly Segment[]
  /** Ad breaks that were announced, by id: how long they were to be. */
  breaks(): ReadonlyMap<string, number>
  /** Media playlists that were read, and those of them that listed a segment. */
  looks(): number
  playlists(): number
  readonly faults: readonly string[]
}

/** Read here, and not by the validator: what is compared with an order should pass through as little as possible. */
const ANNOUNCED = /^#EXT-X-DATERANGE:ID="([^"]+)".*PLANNED-DURATION=([\d.]+)/gm

export function createOutputWatch(output: WatchedOutput): OutputWatch {
  const walker = createWalker({
    targetDuration: 5,
    maxWindowMs: output.windowMs,
    markers: output.markers,
    breakPolicy: output.breakPolicy,
  })
  const remembered = new Map<string, Map<number, Segment>>()
  const faults: string[] = []
  const breaks = new Map<string, number>()
  let looks = 0
  let playlists = 0
  return {
    output,
    see(atMs, rung, text) {
      looks += 1
      const own = remembered.get(rung) ?? new Map<number, Segment>()
      remembered.set(rung, own)
      faults.push(...tellViolations(walker.see({ atMs, rendition: rung, text })))
      const segments = segmentsIn(text)
      if (segments.length > 0) playlists += 1
      for (const [, id, seconds] of text.matchAll(ANNOUNCED)) breaks.set(id!, Number(seconds) * 1_000)
      for (const segment of segments) {
        const before = own.get(segment.sequence)
        if (before === undefined) own.set(segment.sequence, segment)
        else if (before.uri !== segment.uri)
          faults.push(`${rung}: ${segment.sequence} is ${segment.uri} and was ${before.uri}`)
      }
      return segments
    },
    seeMultivariant(text) {
      faults.push(...tellViolations(walker.seeMultivariant(text)))
    },
    listed: () => [...(remembered.values().next().value?.values() ?? [])],
    breaks: () => breaks,
    looks: () => looks,
    playlists: () => playlists,
    faults,
  }
}

/** Looks at every rendition once, as the clock goes on. No two looks share an instant unless the clock stands still. */
export async function lookOnce(watch: OutputWatch, nodeUrl: string, nowMs: () => number): Promise<void> {
  const multivariant = await requirePlaylist(addressOf(nodeUrl, watch.output, 'index.m3u8'))
  watch.seeMultivariant(multivariant)
  for (const rung of rungsIn(multivariant)) {
    const text = await requirePlaylist(addressOf(nodeUrl, watch.output, `${rung}.m3u8`))
    watch.see(nowMs(), rung, text)
  }
}

/** The segments of a text with their places; none of one that is misspelt, which the walker tells. */
export function segmentsIn(text: string): readonly Segment[] {
  const ignore = () => {}
  const playlist = parseMedia(text, ignore, () => undefined)
  if (playlist?.discontinuitySequence === undefined) return []
  return placeSegments(
    playlist.segments,
    { discontinuity: playlist.discontinuitySequence, before: undefined },
    ignore,
  )
}

async function requirePlaylist(url: string): Promise<string> {
  const { status, text } = await fetchAnswer(url)
  if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 200)}`)
  return text
}

const tellViolations = (found: ReturnType<Walker['see']>): string[] =>
  found.map(
    ({ rule, atMs, rendition, detail }) =>
      `${rule} at ${new Date(atMs).toISOString()} ${rendition}: ${detail}`,
  )
