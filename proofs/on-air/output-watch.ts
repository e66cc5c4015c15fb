import {
  createPlaylistValidator,
  type PlaylistValidator,
  readSegments,
  type Segment,
} from '@continuity/playlist-validator'
import { addressOf, fetchAnswer, type OutputRef, rungsIn } from './fetch-playlist.ts'

/** The settings of an output: its window, how breaks are marked and when they end. */
export interface WatchedOutput extends OutputRef {
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

/** Checks all renditions of an output with the playlist validator, and records every listed segment. */
export interface OutputWatch {
  readonly output: WatchedOutput
  /** Checks the answer of a node for a rung. */
  checkMedia(atMs: number, rung: string, text: string): readonly Segment[]
  checkMultivariant(text: string): void
  /** Every listed segment, in order, of the rung that was checked first. */
  listed(): readonly Segment[]
  /** Planned durations of announced ad breaks, by ID. */
  breaks(): ReadonlyMap<string, number>
  /** Number of media playlists read, and of those that listed a segment. */
  checks(): number
  playlists(): number
  readonly faults: readonly string[]
}

/** Parsed here, not by the validator: values compared with the schedule should depend on as little code as possible. */
const ANNOUNCED = /^#EXT-X-DATERANGE:ID="([^"]+)".*PLANNED-DURATION=([\d.]+)/gm

export function createOutputWatch(output: WatchedOutput): OutputWatch {
  const validator = createPlaylistValidator({
    profile: 'house',
    targetDuration: 5,
    maxWindowMs: output.windowMs,
    markers: output.markers,
    breakPolicy: output.breakPolicy,
  })
  const remembered = new Map<string, Map<number, Segment>>()
  const faults: string[] = []
  const breaks = new Map<string, number>()
  let checks = 0
  let playlists = 0
  return {
    output,
    checkMedia(atMs, rung, text) {
      checks += 1
      const own = remembered.get(rung) ?? new Map<number, Segment>()
      remembered.set(rung, own)
      faults.push(...describeViolations(validator.checkMedia({ atMs, rendition: rung, text })))
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
    checkMultivariant(text) {
      faults.push(...describeViolations(validator.checkMultivariant(text)))
    },
    listed: () => [...(remembered.values().next().value?.values() ?? [])],
    breaks: () => breaks,
    checks: () => checks,
    playlists: () => playlists,
    faults,
  }
}

/** Checks every rendition once while the clock runs. No two checks share an instant unless the clock is stopped. */
export async function checkOnce(watch: OutputWatch, nodeUrl: string, nowMs: () => number): Promise<void> {
  const multivariant = await requirePlaylist(addressOf(nodeUrl, watch.output, 'index.m3u8'))
  watch.checkMultivariant(multivariant)
  for (const rung of rungsIn(multivariant)) {
    const text = await requirePlaylist(addressOf(nodeUrl, watch.output, `${rung}.m3u8`))
    watch.checkMedia(nowMs(), rung, text)
  }
}

/** The segments of a text with their numbers and times; empty if it is malformed, which the validator reports. */
export const segmentsIn = (text: string): readonly Segment[] => readSegments(text, 'house')

async function requirePlaylist(url: string): Promise<string> {
  const { status, text } = await fetchAnswer(url)
  if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 200)}`)
  return text
}

const describeViolations = (found: ReturnType<PlaylistValidator['checkMedia']>): string[] =>
  found.map(
    ({ rule, atMs, rendition, detail }) =>
      `${rule} at ${new Date(atMs).toISOString()} ${rendition}: ${detail}`,
  )
