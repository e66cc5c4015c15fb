import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChannelOptions, deltaAt, START_MS, textAt } from './a-channel.ts'
import { createPlaylistValidator, type PlaylistValidator } from './validator.ts'

const FIRST_MS = 40_000
const LAST_MS = 205_600
const limits = { targetDuration: 5, maxWindowMs: 32_000 }

function validateAll(validator: PlaylistValidator, options: ChannelOptions, everyMs: number): void {
  for (let ms = FIRST_MS; ms <= LAST_MS; ms += everyMs) {
    for (const rendition of ['720p', '432p', '240p']) {
      validator.checkMedia({ atMs: START_MS + ms, rendition, text: textAt(ms, { ...options, rendition }) })
    }
  }
}

for (const markers of ['BOTH', 'DATERANGE', 'CUE', 'NONE'] as const) {
  for (const breakPolicy of ['ACTUAL', 'FULL_LENGTH'] as const) {
    test(`accepts joins, a complete break and one cut short with ${markers} and ${breakPolicy}`, () => {
      const validator = createPlaylistValidator({ ...limits, markers, breakPolicy })

      validateAll(validator, { markers, breakPolicy }, 800)

      assert.deepEqual(validator.violations, [])
    })
  }
}

test('accepts renditions fetched one after another, with date ranges in any order', () => {
  const validator = createPlaylistValidator(limits)
  const swapped = (text: string) => text.replace(/(#EXT-X-DATERANGE.*\n)(#EXT-X-DATERANGE.*\n)/, '$2$1')
  const see = (ms: number, rendition: string, edit = (text: string) => text) =>
    validator.checkMedia({ atMs: START_MS + ms, rendition, text: edit(textAt(ms, { rendition })) })
  assert.notEqual(swapped(textAt(127_000)), textAt(127_000))

  see(120_000, '720p')
  see(124_000, '432p')
  see(127_000, '720p')
  see(127_000, '432p', swapped)

  assert.deepEqual(validator.violations, [])
})

test('accepts date ranges among the tags of a segment, and two tags with one ID', () => {
  const validator = createPlaylistValidator(limits)
  const moved = (text: string) =>
    text
      .replace(/(#EXT-X-DATERANGE.*)(,DURATION.*)\n/, '$1\n#EXT-X-DATERANGE:ID="break-121"$2\n')
      .replace(/((?:#EXT-X-DATERANGE.*\n)+)((?:.*\n)*#EXT-X-CUE-IN\n)/, '$2$1')

  for (const ms of [98_000, 100_000, 100_800, 104_000]) {
    validator.checkMedia({ atMs: START_MS + ms, rendition: '720p', text: moved(textAt(ms)) })
  }

  assert.deepEqual(validator.violations, [])
  assert.match(moved(textAt(104_000)), /CUE-IN\n#EXT-X-DATERANGE.*\n#EXT-X-DATERANGE.*\n#EXTINF/)
})

test('accepts a break directly after another', () => {
  const validator = createPlaylistValidator({ ...limits, markers: 'CUE' })
  const joined = (text: string) =>
    text
      .replace('#EXT-X-CUE-IN', '#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:DURATION=3.200')
      .replace('#EXTINF:3.200000,\n../720p/b01', '#EXT-X-CUE-IN\n#EXTINF:3.200000,\n../720p/b01')

  for (let ms = 104_000; ms <= 130_000; ms += 800) {
    const text = joined(textAt(ms, { markers: 'CUE' }))
    validator.checkMedia({ atMs: START_MS + ms, rendition: '720p', text })
  }

  assert.deepEqual(validator.violations, [])
})

test('accepts a break that ends an earlier full-length break', () => {
  const options = { breakPolicy: 'FULL_LENGTH' } as const
  const text = textAt(146_000, options)
  const [range = '', start = '', section = ''] =
    /#EXT-X-DATERANGE:ID="break-150",(START-DATE=".*?"),.*SCTE35-OUT=(.*)/.exec(text) ?? []
  const next = range.replace('150', '158').replace(start, 'START-DATE="2026-11-15T14:02:21.600Z"')
  const both = text
    .replace(range, `${range},DURATION=12.800,SCTE35-IN=${section}\n${next}`)
    .replace(/#EXT-X-CUE-OUT-CONT:ElapsedTime=12.800.*/, '#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:DURATION=33.600')
    .replace(/ElapsedTime=16.000/, 'ElapsedTime=3.200')
  const validator = createPlaylistValidator({ ...limits, ...options })

  validator.checkMedia({ atMs: START_MS + 146_000, rendition: '720p', text: both })

  assert.match(both, /CUE-IN\n#EXT-X-CUE-OUT/)
  assert.deepEqual(validator.violations, [])
})

test('accepts rare and irregular requests', () => {
  for (const everyMs of [3_201, 4_999, 7_300]) {
    const validator = createPlaylistValidator(limits)

    validateAll(validator, {}, everyMs)

    assert.deepEqual(validator.violations, [], `every ${everyMs} ms`)
  }
})

test('accepts a tag before the first segment in place of a discontinuity sequence that is one higher', () => {
  const validator = createPlaylistValidator(limits)

  let tagged = 0
  for (let ms = FIRST_MS; ms <= LAST_MS; ms += 800) {
    const text = withFirstTag(textAt(ms))
    if (text !== textAt(ms)) tagged++
    validator.checkMedia({ atMs: START_MS + ms, rendition: '720p', text })
  }

  assert.deepEqual(validator.violations, [])
  assert.ok(tagged > 5, `${tagged} texts`)
})

/** Marks a join at the start of the window by a tag. */
function withFirstTag(text: string): string {
  const first = text.split('\n').find((line) => !line.startsWith('#')) ?? ''
  if (!/\/(b|c|slate)00\.ts$/.test(first)) return text
  return text
    .replace(/(DISCONTINUITY-SEQUENCE:)(\d+)/, (_, name: string, number) => `${name}${Number(number) - 1}`)
    .replace('#EXT-X-PROGRAM', '#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM')
}

test('delta updates merge to the full playlists', () => {
  const validator = createPlaylistValidator({ targetDuration: 5, maxWindowMs: 48_000 })
  const options = { windowMs: 48_000, canSkip: true }
  validator.checkMedia({ atMs: START_MS + 60_000, rendition: '720p', text: textAt(60_000, options) })

  for (let ms = 60_800; ms <= LAST_MS; ms += 800) {
    const full = textAt(ms, options)
    validator.checkDelta({ atMs: START_MS + ms, rendition: '720p', text: deltaAt(ms, options), full })
  }

  assert.deepEqual(validator.violations, [])
})

test('a delta update that skips date ranges keeps those it does not list as removed', () => {
  const validator = createPlaylistValidator({ targetDuration: 5 })
  const options = { windowMs: 48_000, canSkip: true }
  const see = (ms: number) =>
    validator.checkMedia({ atMs: START_MS + ms, rendition: '720p', text: textAt(ms, options) })
  const merge = (ms: number, removed: string) => {
    const text = deltaAt(ms, options)
      .replace('VERSION:9', 'VERSION:10')
      .replace(/#EXT-X-DATERANGE.*\n/, '')
      .replace(/SKIPPED-SEGMENTS=\d+/, (skip) => `${skip},RECENTLY-REMOVED-DATERANGES="${removed}"`)
    validator.checkDelta({ atMs: START_MS + ms, rendition: '720p', text, full: textAt(ms, options) })
  }

  see(120_000)
  merge(124_800, '')
  see(144_000)
  merge(146_000, 'break-121')

  assert.deepEqual(validator.violations, [])
})

test('rejects changes after the end, and accepts a new session with higher numbers', () => {
  const validator = createPlaylistValidator(limits)
  const see = (atMs: number, text: string) =>
    validator.checkMedia({ atMs: START_MS + atMs, rendition: '720p', text })
  const end = textAt(60_000, { isEnded: true })

  see(58_000, textAt(58_000))
  see(60_000, end)
  see(90_000, end)
  see(91_000, `${end}# the same\n`)
  validator.restart()
  see(150_000, textAt(150_000))
  see(152_000, textAt(152_000))

  assert.deepEqual(validator.violations, [])
})

test('ignores the viewing session in multivariant playlists', () => {
  const validator = createPlaylistValidator(limits)
  const text = (query: string) =>
    `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-STREAM-INF:BANDWIDTH=2500000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720\n720p.m3u8${query}\n`

  for (const query of ['?sid=1', '?sid=2', '', '?sid=3']) validator.checkMultivariant(text(query))

  assert.deepEqual(validator.violations, [])
})

test('the stored violations are limited, the count is not', () => {
  const validator = createPlaylistValidator(limits)

  for (let at = 0; at < 1_200; at++)
    validator.checkMedia({ atMs: at, rendition: '720p', text: `no playlist ${at}` })

  assert.equal(validator.violations.length, 1_000)
  assert.equal(validator.count(), 1_200)
})
