import assert from 'node:assert/strict'
import { type ChannelOptions, deltaAt, START_MS, textAt } from './a-channel.ts'
import type { WalkerOptions } from './look.ts'
import type { Rule, Violation } from './rules.ts'
import { createWalker, type Walker } from './walker.ts'

/** A walk that is in order up to its last step, which breaks one rule. */
export interface BrokenCase {
  readonly rule: Rule
  readonly options?: Partial<WalkerOptions>
  readonly steps: readonly Step[]
}

export type Step = (walker: Walker) => readonly Violation[]

export type Edit = readonly [from: string | RegExp, to: string]

interface Look extends ChannelOptions {
  /** When the text is fetched, where that is not when it was right. */
  readonly seenMs?: number
}

/** Looks at the playlist of that time, with edits. */
export const at =
  (ms: number, edits: readonly Edit[] = [], look: Look = {}): Step =>
  (walker) =>
    walker.see({
      atMs: START_MS + (look.seenMs ?? ms),
      rendition: look.rendition ?? '720p',
      text: edit(textAt(ms, look), edits),
    })

export const deltaFrom =
  (ms: number, edits: readonly Edit[], look: ChannelOptions, full?: string): Step =>
  (walker) =>
    walker.seeDelta({
      atMs: START_MS + ms,
      rendition: '720p',
      text: edit(deltaAt(ms, look), edits),
      ...(full === undefined ? {} : { full }),
    })

export const multivariant =
  (edits: readonly Edit[] = []): Step =>
  (walker) =>
    walker.seeMultivariant(edit(MULTIVARIANT, edits))

export const restarted: Step = (walker) => {
  walker.restart()
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

/** An edit that changes nothing is a mistake of the case. */
function edit(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, [from, to]) => {
    const after = before.replace(from, to)
    assert.notEqual(after, before, `${from} is not in the text:\n${before}`)
    return after
  }, text)
}

/** What every step of a case gave, by the names of the rules. */
export function walkCase({ options, steps }: BrokenCase): readonly (readonly Rule[])[] {
  const walker = createWalker({ targetDuration: 5, maxWindowMs: 48_000, ...options })
  return steps.map((step) => step(walker).map(({ rule }) => rule))
}
