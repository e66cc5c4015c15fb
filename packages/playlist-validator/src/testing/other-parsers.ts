import { parse, setOptions, types } from 'hls-parser'
import { Parser } from 'm3u8-parser'
import { parseMedia } from '../parse-media.ts'
import type { Rule } from '../rules.ts'

/** The values that all parsers must agree on. */
interface Found {
  readonly mediaSequence: number | undefined
  readonly discontinuitySequence: number | undefined
  readonly target: number | undefined
  readonly segments: readonly FoundSegment[]
}

interface FoundSegment {
  readonly uri: string
  readonly durationMs: number
  readonly isTagged: boolean
  readonly pdtMs: number | undefined
}

/** Parses a media playlist with third-party parsers; returns their errors and the values that differ from ours. */
export function agreeOn(text: string): readonly string[] {
  const faults: string[] = []
  const ours = findOurs(text, faults)
  if (ours === undefined) return faults
  for (const [name, find] of [
    ['hls-parser', findByHlsParser],
    ['m3u8-parser', findByM3u8Parser],
  ] as const) {
    const theirs: string[] = []
    const found = find(text, theirs)
    if (found !== undefined) theirs.push(...compare(ours, found))
    faults.push(...theirs.map((fault) => `${name}: ${fault}`))
  }
  return faults
}

function findOurs(text: string, faults: string[]): Found | undefined {
  const report = (rule: Rule, detail: string) => faults.push(`${rule}: ${detail}`)
  const playlist = parseMedia(text, { isHouse: true, report })
  return playlist && toFound(playlist, playlist.segments)
}

function toFound(header: Omit<Found, 'segments'>, segments: readonly FoundSegment[]): Found {
  const { mediaSequence, discontinuitySequence, target } = header
  return {
    mediaSequence,
    discontinuitySequence,
    target,
    segments: segments.map(({ uri, durationMs, isTagged, pdtMs }) => ({ uri, durationMs, isTagged, pdtMs })),
  }
}

/** In strict mode hls-parser throws where it would otherwise only print a warning. */
function findByHlsParser(text: string, faults: string[]): Found | undefined {
  setOptions({ strictMode: true })
  try {
    const playlist = parse(withoutControl(text))
    if (!(playlist instanceof types.MediaPlaylist)) throw new Error('parsed as a multivariant playlist')
    return toFound(
      {
        mediaSequence: playlist.mediaSequenceBase,
        discontinuitySequence: playlist.discontinuitySequenceBase,
        target: playlist.targetDuration,
      },
      playlist.segments.map((segment) => ({
        uri: segment.uri,
        durationMs: segment.duration * 1_000,
        isTagged: segment.discontinuity === true,
        pdtMs: segment.programDateTime?.getTime(),
      })),
    )
  } catch (error) {
    faults.push(String(error))
    return undefined
  }
}

/** hls-parser takes EXT-X-SERVER-CONTROL as a sign of low latency, which HLS §4.4.3.8 does not imply. */
const withoutControl = (text: string): string =>
  text.replace(/^#EXT-X-SERVER-CONTROL:(?!.*CAN-BLOCK-RELOAD).*\n/m, '')

function findByM3u8Parser(text: string, faults: string[]): Found {
  const parser = new Parser()
  parser.on('warn', ({ message }) => faults.push(message))
  parser.on('error', ({ message }) => faults.push(message))
  parser.push(text)
  parser.end()
  const { mediaSequence, discontinuitySequence, targetDuration, segments } = parser.manifest
  return toFound(
    { mediaSequence, discontinuitySequence, target: targetDuration },
    segments.map(({ uri, duration, discontinuity, dateTimeObject }) => ({
      uri,
      durationMs: duration * 1_000,
      isTagged: discontinuity === true,
      pdtMs: dateTimeObject?.getTime(),
    })),
  )
}

function compare(ours: Found, theirs: Found): string[] {
  const differing = (['mediaSequence', 'discontinuitySequence', 'target'] as const).filter(
    (name) => ours[name] !== theirs[name],
  )
  const faults = differing.map((name) => `${name} is ${theirs[name]}, expected ${ours[name]}`)
  if (ours.segments.length !== theirs.segments.length) {
    return [...faults, `${theirs.segments.length} segments, expected ${ours.segments.length}`]
  }
  for (const [at, segment] of ours.segments.entries()) {
    const [one, other] = [JSON.stringify(segment), JSON.stringify(theirs.segments[at])]
    if (one !== other) faults.push(`${other}, expected ${one}`)
  }
  return faults
}
