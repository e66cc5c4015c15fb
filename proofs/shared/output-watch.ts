import { setTimeout as sleep } from 'node:timers/promises'
import { keepDoing } from '@continuity/dev/keep-doing'
import {
  createPlaylistValidator,
  type PlaylistValidator,
  readSegments,
  type Segment,
} from '@continuity/playlist-validator'
import { addressOf, fetchAnswer, rungsIn, type WatchedOutput } from './outputs.ts'

/** Checks all renditions of an output with the playlist validator, and records every listed segment. */
export type OutputWatch = ReturnType<typeof createOutputWatch>

/** Parsed here, not by the validator: values compared with the schedule should depend on as little code as possible. */
const ANNOUNCED = /^#EXT-X-DATERANGE:ID="([^"]+)".*PLANNED-DURATION=([\d.]+)/gm

export function createOutputWatch(output: WatchedOutput) {
  const { windowMs: maxWindowMs, markers, breakPolicy } = output
  const validator = createPlaylistValidator({
    profile: 'house',
    targetDuration: 5,
    maxWindowMs,
    markers,
    breakPolicy,
  })
  const remembered = new Map<string, Map<number, Segment>>()
  const faults: string[] = []
  const breaks = new Map<string, number>()
  let checks = 0
  let playlists = 0
  return {
    output,
    /** Checks the answer of a node for a rung. */
    checkMedia(atMs: number, rung: string, text: string): readonly Segment[] {
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
    checkMultivariant(text: string): void {
      faults.push(...describeViolations(validator.checkMultivariant(text)))
    },
    /** Every listed segment, in order, of the rung that was checked first. */
    listed: (): readonly Segment[] => [...(remembered.values().next().value?.values() ?? [])],
    /** Planned durations of announced ad breaks, by ID. */
    breaks: (): ReadonlyMap<string, number> => breaks,
    /** Media playlists read, and those that listed a segment. */
    checks: () => checks,
    playlists: () => playlists,
    faults: faults as readonly string[],
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

const EVERY_MS = 1_000

/** Checks an output every second, as players do, until it is disposed of. */
export function watchContinuously(watch: OutputWatch, nodeUrl: () => string, nowMs: () => number = Date.now) {
  /** Checks that got no answer, or one that is not a playlist. */
  const failures: string[] = []
  let lastMs = 0
  // A time that always increases: two answers of one millisecond may differ by a boundary.
  const atMs = () => {
    lastMs = Math.max(lastMs + 1, nowMs())
    return lastMs
  }
  const watching = keepDoing(async () => {
    const nextMs = performance.now() + EVERY_MS
    await checkOnce(watch, nodeUrl(), atMs).catch((error: unknown) => failures.push(String(error)))
    await sleep(Math.max(0, nextMs - performance.now()))
  })
  return { failures, [Symbol.asyncDispose]: watching.stop }
}

/** This long after its start a program is in all playlists. */
export const SHOWN_MS = 15_000

/** Whether viewers saw different media before and after a time. */
export function isShown(watch: OutputWatch, startMs: number): boolean {
  const folderOf = (uri: string) => uri.slice(0, uri.lastIndexOf('/'))
  const listed = watch.listed()
  const [before, after] = [
    listed.findLast((it) => it.startMs < startMs - 2_000),
    listed.find((it) => it.startMs > startMs + 2_000),
  ]
  return before !== undefined && after !== undefined && folderOf(before.uri) !== folderOf(after.uri)
}
