import assert from 'node:assert/strict'
import {
  createPlaylistValidator,
  type PlaylistValidator,
  type Profile,
  type Rule,
  type ValidatorOptions,
  type Violation,
} from '../index.ts'
import { type ChannelOptions, deltaAt, START_MS, textAt } from './a-channel.ts'

/** A sequence of playlists that is valid up to its last step, which breaks one rule. */
export interface BrokenCase {
  readonly rule: Rule
  /** Whether only the house profile reports it, as it is stricter than the specification. */
  readonly isStrict?: boolean
  readonly options?: Partial<ValidatorOptions>
  readonly steps: readonly Step[]
}

export type Step = (validator: PlaylistValidator) => readonly Violation[]

export type Edit = readonly [from: string | RegExp, to: string]

interface StepOptions extends ChannelOptions {
  /** When the text is fetched, if that differs from the time it was rendered for. */
  readonly seenMs?: number
}

/** Validates the playlist rendered for that time, with edits. */
export const at =
  (ms: number, edits: readonly Edit[] = [], options: StepOptions = {}): Step =>
  (validator) =>
    validator.checkMedia({
      atMs: START_MS + (options.seenMs ?? ms),
      rendition: options.rendition ?? '720p',
      text: edit(textAt(ms, options), edits),
    })

export const deltaFrom =
  (ms: number, edits: readonly Edit[], options: ChannelOptions, full?: string): Step =>
  (validator) =>
    validator.checkDelta({
      atMs: START_MS + ms,
      rendition: '720p',
      text: edit(deltaAt(ms, options), edits),
      ...(full === undefined ? {} : { full }),
    })

export const multivariant =
  (edits: readonly Edit[] = []): Step =>
  (validator) =>
    validator.checkMultivariant(edit(MULTIVARIANT, edits))

export const restarted: Step = (validator) => {
  validator.restart()
  return []
}

const MULTIVARIANT = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=2800000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=25.000
720p.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=768x432,FRAME-RATE=25.000
432p.m3u8
`

/** Fails if an edit changes nothing: the test case would be wrong. */
export function edit(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, [from, to]) => {
    const after = before.replace(from, to)
    assert.notEqual(after, before, `${from} is not in the text:\n${before}`)
    return after
  }, text)
}

/** The rules that each step of a case violated. */
export function runCase({ options, steps }: BrokenCase, profile: Profile): readonly (readonly Rule[])[] {
  const limits = { targetDuration: 5, maxWindowMs: 48_000, markers: 'BOTH' as const, ...options }
  const validator = createPlaylistValidator(profile === 'house' ? { profile, ...limits } : {})
  return steps.map((step) => step(validator).map(({ rule }) => rule))
}
