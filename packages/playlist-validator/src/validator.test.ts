import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMemory } from './check-changes.ts'
import { createPlaylistValidator, type PlaylistValidator } from './index.ts'
import { parseMedia, readSegments } from './parse-media.ts'
import { placeSegments } from './playlist.ts'
import { type ChannelOptions, deltaAt, START_MS, textAt } from './testing/a-channel.ts'
import { BEGIN_MS, dateOf, ordinaryText } from './testing/an-ordinary-channel.ts'
import { agreeOn } from './testing/other-parsers.ts'

const FIRST_MS = 40_000
const LAST_MS = 205_600
const house = { profile: 'house', targetDuration: 5, markers: 'BOTH' } as const
const limits = { ...house, maxWindowMs: 32_000 }

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
  const validator = createPlaylistValidator({ ...house, maxWindowMs: 48_000 })
  const options = { windowMs: 48_000, canSkip: true }
  validator.checkMedia({ atMs: START_MS + 60_000, rendition: '720p', text: textAt(60_000, options) })

  for (let ms = 60_800; ms <= LAST_MS; ms += 800) {
    const full = textAt(ms, options)
    validator.checkDelta({ atMs: START_MS + ms, rendition: '720p', text: deltaAt(ms, options), full })
  }

  assert.deepEqual(validator.violations, [])
})

test('a delta update that skips date ranges keeps those it does not list as removed', () => {
  const validator = createPlaylistValidator(house)
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

test('a fault that lasts is reported when it begins, and again after a text without it', () => {
  const validator = createPlaylistValidator(limits)
  const text = textAt(60_000)
  const see = (seen: string) =>
    validator.checkMedia({ atMs: START_MS + 60_000, rendition: '720p', text: seen }).map(({ rule }) => rule)

  assert.deepEqual(
    [see('<html>'), see('<HTML>'), see(text), see('<html>')],
    [['first-line'], [], [], ['first-line']],
  )
})

test('the stored violations are limited, the count is not', () => {
  const validator = createPlaylistValidator(limits)
  const text = textAt(60_000)

  for (let at = 0; at < 2_400; at++) {
    validator.checkMedia({ atMs: START_MS + 60_000, rendition: '720p', text: at % 2 === 0 ? '<html>' : text })
  }

  assert.equal(validator.violations.length, 1_000)
  assert.equal(validator.count(), 1_200)
})

const KEY = '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://1",KEYFORMAT="com.apple.streamingkeydelivery"'
const accepted: Readonly<Record<string, (last: number) => string>> = {
  'without dates': (last) => ordinaryText({ last, isDated: false }),
  'with line ends of Windows': (last) => ordinaryText({ last }).replaceAll('\n', '\r\n'),
  'with joins and gaps': (last) => {
    const options = {
      last,
      tags: { 9: ['#EXT-X-DISCONTINUITY'], 14: ['#EXT-X-GAP'], 15: ['#EXT-X-BITRATE:800'] },
    }
    return ordinaryText({ ...options, header: [`#EXT-X-DISCONTINUITY-SEQUENCE:${last - 4 > 9 ? 1 : 0}`] })
  },
  'with keys of two systems and an fMP4 header': (last) =>
    ordinaryText({
      last,
      tags: {
        [last - 4]: [
          KEY,
          KEY.replace('com.apple.streamingkeydelivery', 'com.example'),
          '#EXT-X-MAP:URI="init.mp4"',
        ],
      },
    }),
  'with byte ranges, of which only the first has an offset': (last) => {
    const ranges = Array.from({ length: last + 1 }, (_, at) => (at === last - 4 ? `100@${100 * at}` : '100'))
    const tags = Object.fromEntries(ranges.map((range, at) => [at, [`#EXT-X-BYTERANGE:${range}`]]))
    return ordinaryText({ last, tags }).replaceAll(/segment-\d+/g, 'all')
  },
  'with partial segments': (last) =>
    ordinaryText({
      last,
      header: [
        '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3.0',
        '#EXT-X-PART-INF:PART-TARGET=1.004',
      ],
      tags: {
        [last]: [
          '#EXT-X-PART:DURATION=1.004,URI="p1.mp4",INDEPENDENT=YES',
          '#EXT-X-PART:DURATION=1.0,URI="p2.mp4"',
        ],
      },
    }) +
    '#EXT-X-PROGRAM-DATE-TIME:2026-03-01T12:00:00.000Z\n#EXT-X-PART:DURATION=1.0,URI="p3.mp4"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p4.mp4"\n',
  'with cue tags, dates without a zone and unknown tags': (last) =>
    ordinaryText({
      last,
      tags: { 8: ['#EXT-X-CUE-OUT:30'], 9: ['#EXT-X-CUE-OUT-CONT:4/30'], 10: ['#EXT-OATCLS-SCTE35:/DAl'] },
    }).replaceAll('.000Z', ''),
  'with date ranges of unknown length': (last) =>
    ordinaryText({
      last,
      header: last > 10 ? [] : [`#EXT-X-DATERANGE:ID="a",START-DATE="${dateOf(5)}",X-A="1"`],
    }),
  'as an event': (last) => ordinaryText({ last, first: 0, header: ['#EXT-X-PLAYLIST-TYPE:EVENT'] }),
}

for (const [name, textOf] of Object.entries(accepted)) {
  test(`accepts the playlists of another packager ${name}`, () => {
    const validator = createPlaylistValidator({})

    for (let last = 5; last < 30; last++) {
      const text = textOf(last)
      for (const rendition of ['video.m3u8', 'audio.m3u8']) {
        validator.checkMedia({ atMs: BEGIN_MS + (last + 1) * 4_000, rendition, text })
      }
    }

    assert.deepEqual(validator.violations, [])
  })
}

test('an answer that was long under way is not taken for an old one', () => {
  const validator = createPlaylistValidator({})
  const see = (rendition: string, last: number, sentAfter: number, arrivedAfter: number) =>
    validator.checkMedia({
      sentMs: BEGIN_MS + sentAfter * 4_000,
      atMs: BEGIN_MS + arrivedAfter * 4_000,
      rendition,
      text: ordinaryText({ last }),
    })

  see('video.m3u8', 8, 9, 9)
  // Written when the other had no more either, it arrives after it.
  assert.deepEqual(see('audio.m3u8', 5, 6, 9.2), [])
  const [behind] = see('audio.m3u8', 5, 9.2, 9.2)
  assert.deepEqual(behind?.detail, 'it ends 12 s before video.m3u8')
})

test('a text that is read with the memory of earlier ones is read as it is alone', () => {
  const texts: Readonly<Record<string, (at: number) => string>> = {
    ...accepted,
    house: (at) => textAt(40_000 + 800 * at, { canSkip: true }),
  }
  for (const [name, textOf] of Object.entries(texts)) {
    const memory = createMemory()
    let remembered = 0
    for (let at = 5; at < 30; at++) {
      const alone = readSegments(textOf(at))
      const playlist = parseMedia(textOf(at), { isHouse: false, recall: memory.recall })
      const origin = { discontinuity: playlist?.discontinuitySequence ?? 0, before: undefined }
      const together = placeSegments(playlist?.segments ?? [], origin, false, () => {})
      remembered += together.filter((segment) => segment === memory.recall(segment.sequence)).length
      memory.remember(together)

      assert.deepEqual(together, alone, name)
    }
    // Segments that once had byte ranges without offsets or partial segments are read every time.
    const isSlow = /byte ranges|partial segments/.test(name)
    assert.ok(isSlow || remembered > 20, `${name}: ${remembered} segments`)
  }
})

test('the memory keeps two windows before the current one, and no more than four', () => {
  const [segment] = readSegments(textAt(60_000))
  const windowAt = (first: number) =>
    Array.from({ length: 10 }, (_, at) => ({ ...segment!, sequence: first + at, uri: `${first + at}.ts` }))
  const memory = createMemory()

  for (let first = 0; first <= 10_000; first++) memory.remember(windowAt(first))

  assert.equal(memory.last()?.sequence, 10_009)
  assert.equal(memory.recall(9_990)?.uri, '9990.ts')
  assert.equal(memory.recall(9_960), undefined)
  // A gap: what was before it is forgotten.
  memory.remember(windowAt(20_000))
  assert.equal(memory.recall(10_005), undefined)
  assert.equal(memory.recall(20_000)?.sequence, 20_000)
})

test('other parsers parse all playlists of a channel to the same result', () => {
  for (const markers of ['BOTH', 'DATERANGE', 'CUE', 'NONE'] as const) {
    for (let ms = 40_000; ms <= 205_600; ms += 1_600) {
      const text = textAt(ms, { markers, canSkip: true, isEnded: ms > 200_000 })

      assert.deepEqual(agreeOn(text), [], text)
    }
  }
})

test('reports an error of another parser', () => {
  const text = textAt(57_000).replace('TARGETDURATION:5', 'TARGETDURATION:2')

  assert.match(agreeOn(text).join('\n'), /hls-parser: .*EXTINF duration/)
})

test('reports a value that another parser reads differently', () => {
  // Without EXT-X-MEDIA-SEQUENCE other parsers assume 0, ours returns undefined.
  const text = textAt(57_000).replace(/#EXT-X-MEDIA-SEQUENCE.*\n/, '')

  assert.match(agreeOn(text).join('\n'), /m3u8-parser: mediaSequence is 0, expected undefined/)
})

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
      const validator = createPlaylistValidator(house)

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
      const validator = createPlaylistValidator(isDelta ? {} : house)
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
