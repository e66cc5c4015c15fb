import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { START_MS, textAt } from './a-channel.ts'
import { createPlaylistValidator } from './validator.ts'

/** Segments of whole frames, in 90 kHz ticks; some begin with a join. */
const segments = fc.array(fc.record({ frames: fc.integer({ min: 48, max: 143 }), isJoin: fc.boolean() }), {
  minLength: 20,
  maxLength: 50,
})

test('times rounded or truncated to milliseconds are no violation', () => {
  const rounding = fc.constantFrom(Math.round, Math.floor)
  fc.assert(
    fc.property(segments, rounding, fc.nat(89_999), (list, round, startTicks) => {
      const channel = placeTicks(list, startTicks)
      const validator = createPlaylistValidator({ targetDuration: 5 })

      for (let last = 11; last < channel.length; last++) {
        const atMs = Math.ceil(channel[last]!.endTicks / 90)
        validator.checkMedia({
          atMs,
          rendition: '720p',
          text: render(channel.slice(last - 11, last + 1), round),
        })
      }

      assert.deepEqual(validator.violations, [])
    }),
    { numRuns: 100 },
  )
})

interface TickSegment {
  readonly sequence: number
  readonly discontinuity: number
  readonly isJoin: boolean
  readonly startTicks: number
  readonly endTicks: number
}

function placeTicks(
  list: readonly { readonly frames: number; readonly isJoin: boolean }[],
  startTicks: number,
): readonly TickSegment[] {
  let [endTicks, discontinuity] = [START_MS * 90 + startTicks, 0]
  return list.map(({ frames, isJoin }, sequence) => {
    const from = endTicks
    endTicks += frames * 3_000
    discontinuity += isJoin ? 1 : 0
    return { sequence, discontinuity, isJoin, startTicks: from, endTicks }
  })
}

function render(window: readonly TickSegment[], round: (ms: number) => number): string {
  const [first] = window
  const lines = window.flatMap((segment) => [
    ...(segment.isJoin && segment !== first ? ['#EXT-X-DISCONTINUITY'] : []),
    ...(segment.isJoin || segment === first
      ? [`#EXT-X-PROGRAM-DATE-TIME:${new Date(round(segment.startTicks / 90)).toISOString()}`]
      : []),
    `#EXTINF:${((segment.endTicks - segment.startTicks) / 90_000).toFixed(6)},`,
    `${segment.sequence}.ts`,
  ])
  return `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-TARGETDURATION:5
#EXT-X-MEDIA-SEQUENCE:${first?.sequence}
#EXT-X-DISCONTINUITY-SEQUENCE:${first?.discontinuity}
${lines.join('\n')}
`
}

test('the validator does not throw on any text', () => {
  const lines = textAt(100_000, { canSkip: true }).split('\n')
  const change = fc.tuple(
    fc.nat(lines.length - 1),
    fc.nat(lines.length - 1),
    fc.constantFrom('drop', 'swap', 'cut'),
  )
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), fc.boolean(), (changes, isDelta) => {
      const validator = createPlaylistValidator({ targetDuration: 5 })
      validator.checkMedia({ atMs: START_MS + 99_000, rendition: '720p', text: textAt(99_000) })
      const text = changes.reduce(apply, lines).join('\n')

      validator.checkMedia({ atMs: START_MS + 100_000, rendition: '720p', text, isDelta })

      assert.ok(validator.count() < 30)
    }),
    { numRuns: 300 },
  )
})

function apply(
  lines: readonly string[],
  [one, other, kind]: readonly [number, number, string],
): readonly string[] {
  if (kind === 'drop') return lines.toSpliced(one, 1)
  if (kind === 'cut') return lines.with(one % lines.length, (lines[one % lines.length] ?? '').slice(0, other))
  return lines.with(one % lines.length, lines[other % lines.length] ?? '')
}
