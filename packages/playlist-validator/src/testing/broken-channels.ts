import { textAt } from './a-channel.ts'
import { at, type BrokenCase, deltaFrom, type Edit, multivariant, restarted } from './broken-steps.ts'

const low = { rendition: '432p' }
const long = { windowMs: 48_000, canSkip: true }

/** For every rule about a playlist and its segments: one broken text, or two that contradict each other. */
const brokenPlaylists: readonly BrokenCase[] = [
  { rule: 'first-line', steps: [at(40_000, [['#EXTM3U\n', '']])] },
  { rule: 'first-line', steps: [at(40_000, [['#EXTM3U', '\uFEFF#EXTM3U']])] },
  { rule: 'first-line', steps: [at(40_000, [[/^[\s\S]*$/, '']])] },
  { rule: 'first-line', steps: [multivariant([['#EXTM3U\n', '']])] },
  { rule: 'unknown-tag', steps: [at(40_000, [['#EXT-X-IND', '#EXT-X-BITRATE:2000\n#EXT-X-IND']])] },
  { rule: 'unknown-tag', steps: [multivariant([['#EXT-X-IND', '#EXT-X-TARGETDURATION:5\n#EXT-X-IND']])] },
  {
    rule: 'tag-order',
    steps: [
      at(40_000, [
        ['#EXT-X-INDEPENDENT-SEGMENTS\n', ''],
        ['a05.ts\n', 'a05.ts\n#EXT-X-INDEPENDENT-SEGMENTS\n'],
      ]),
    ],
  },
  { rule: 'tag-order', steps: [at(40_000, [['../720p/a05.ts', '#EXT-X-DISCONTINUITY\n../720p/a05.ts']])] },
  { rule: 'extinf-missing', steps: [at(40_000, [['a05.ts\n', 'a05.ts\n../720p/x.ts\n']])] },
  { rule: 'tag-order', steps: [at(40_000, [['a11.ts\n', 'a11.ts\n#EXT-X-DISCONTINUITY\n']])] },
  {
    rule: 'tag-order',
    steps: [
      multivariant([
        ['720p.m3u8\n', '#EXT-X-INDEPENDENT-SEGMENTS\n720p.m3u8\n'],
        ['#EXT-X-INDEPENDENT-SEGMENTS\n', ''],
      ]),
    ],
  },
  { rule: 'uri-missing', steps: [multivariant([['720p.m3u8\n', '']])] },
  { rule: 'uri-missing', steps: [multivariant([['432p.m3u8\n', '']])] },
  { rule: 'stream-inf-missing', steps: [multivariant([['720p.m3u8\n', '720p.m3u8\n240p.m3u8\n']])] },
  { rule: 'duplicate-tag', steps: [at(40_000, [['#EXT-X-IND', '#EXT-X-VERSION:6\n#EXT-X-IND']])] },
  { rule: 'uri-missing', steps: [at(40_000, [['../720p/a05.ts', '#EXTINF:3.200000,\n../720p/a05.ts']])] },
  { rule: 'uri-missing', steps: [at(40_000, [[/[^\n]*a11.ts\n/, '']])] },
  {
    rule: 'duplicate-tag',
    isStrict: true,
    steps: [at(57_000, [['#EXT-X-DISCONTINUITY\n', '#EXT-X-DISCONTINUITY\n'.repeat(2)]])],
  },
  { rule: 'duplicate-tag', isStrict: true, steps: [at(40_000, [[/(#EXT-X-PROGRAM.*\n)/, '$1$1']])] },
  { rule: 'duplicate-tag', isStrict: true, steps: [at(72_000, [[/(#EXT-X-CUE-OUT:.*\n)/, '$1$1']])] },
  { rule: 'duplicate-tag', steps: [multivariant([['#EXT-X-IND', '#EXT-X-VERSION:6\n#EXT-X-IND']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['#EXTINF:3.200000,', '#EXTINF:3.200000']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['#EXTINF:3.200000,', '#EXTINF:-1,']])] },
  { rule: 'malformed-value', isStrict: true, steps: [at(40_000, [['#EXTINF:3.200000,', '#EXTINF:0,']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['a05.ts', 'a 05.ts']])] },
  { rule: 'malformed-value', isStrict: true, steps: [at(40_000, [['06.400Z', '06.400']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['T14:00:06.400Z', ' 14:00:06']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['SEQUENCE:102', 'SEQUENCE:102.0']])] },
  { rule: 'malformed-value', steps: [multivariant([['RESOLUTION=', 'RESOLUTION']])] },
  { rule: 'version-low', steps: [at(40_000, [['VERSION:6', 'VERSION:2']])] },
  { rule: 'version-low', steps: [at(40_000, [['#EXT-X-VERSION:6\n', '']])] },
  { rule: 'version-changed', steps: [at(40_000), at(42_000, [['VERSION:6', 'VERSION:7']])] },
  { rule: 'target-missing', steps: [at(40_000, [['#EXT-X-TARGETDURATION:5\n', '']])] },
  { rule: 'target-changed', steps: [at(40_000), at(42_000, [['DURATION:5', 'DURATION:6']])] },
  { rule: 'target-differs', steps: [at(40_000), at(40_000, [['DURATION:5', 'DURATION:6']], low)] },
  {
    rule: 'segment-too-long',
    steps: [
      at(40_000, [['#EXTINF:3.200000,\n../720p/a11', '#EXTINF:5.500000,\n../720p/a11']], { seenMs: 41_400 }),
    ],
  },
  {
    rule: 'playlist-type',
    isStrict: true,
    steps: [at(40_000, [['#EXT-X-IND', '#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-IND']])],
  },
  { rule: 'endlist-place', steps: [at(40_000, [['a05.ts\n', 'a05.ts\n#EXT-X-ENDLIST\n']])] },
  { rule: 'endlist-place', steps: [at(40_000, [['a11.ts\n', 'a11.ts\n#EXT-X-ENDLIST\n../720p/a12.ts\n']])] },
  { rule: 'changed-after-end', steps: [at(60_000, [], { isEnded: true }), at(62_000)] },
  {
    rule: 'changed-after-end',
    steps: [at(60_000, [], { isEnded: true }), at(60_000, [['a12', 'x12']], { isEnded: true })],
  },
  { rule: 'hold-back-low', steps: [at(40_000, [['HOLD-BACK=15', 'HOLD-BACK=9']], { canSkip: true })] },
  { rule: 'skip-boundary-low', steps: [at(40_000, [['UNTIL=30', 'UNTIL=20']], { canSkip: true })] },
  { rule: 'attribute-missing', steps: [multivariant([['BANDWIDTH=900000,', '']])] },
  { rule: 'resolution-missing', steps: [multivariant([[',RESOLUTION=768x432', '']])] },
  { rule: 'codecs-missing', steps: [multivariant([['CODECS="avc1.64001e,mp4a.40.2",', '']])] },
  { rule: 'variant-missing', steps: [multivariant([[/#EXT-X-STREAM[\s\S]*/, '']])] },
  { rule: 'variant-uri-repeated', steps: [multivariant([['432p.m3u8', '720p.m3u8']])] },
  {
    rule: 'variant-uri-repeated',
    steps: [
      multivariant([
        ['720p.m3u8', '720p.m3u8?sid=1'],
        ['432p', '720p'],
      ]),
    ],
  },
  { rule: 'multivariant-changed', steps: [multivariant(), multivariant([['900000', '800000']])] },
  { rule: 'multivariant-changed', steps: [multivariant(), multivariant([['432p.m3u8', '432p.m3u8?id=1']])] },
]

/** Playlist sequences with a fault in sequence numbers, times or the window. */
const brokenNumbers: readonly BrokenCase[] = [
  {
    rule: 'media-sequence-missing',
    isStrict: true,
    steps: [at(40_000, [['#EXT-X-MEDIA-SEQUENCE:102\n', '']])],
  },
  { rule: 'media-sequence-fell', steps: [at(42_000), at(40_000, [], { seenMs: 42_800 })] },
  { rule: 'media-sequence-fell', steps: [at(40_000), at(42_000, [['SEQUENCE:103', 'SEQUENCE:0']])] },
  {
    rule: 'media-sequence-fell',
    steps: [
      at(60_000, [], { isEnded: true }),
      restarted,
      at(150_000, [['MEDIA-SEQUENCE:146', 'MEDIA-SEQUENCE:1']]),
    ],
  },
  {
    rule: 'segments-taken-back',
    steps: [at(42_000), at(42_000, [['#EXTINF:3.200000,\n../720p/a12.ts\n', '']], { seenMs: 42_400 })],
  },
  { rule: 'pdt-overlap', steps: [at(57_000, [['14:00:50.400Z', '14:00:47.900Z']])] },
  { rule: 'uri-changed', steps: [at(40_000), at(42_000, [['a05.ts', 'x05.ts']])] },
  { rule: 'media-sequence-wrong', steps: [at(40_000), at(42_000, [['SEQUENCE:103', 'SEQUENCE:102']])] },
  { rule: 'uri-changed', steps: [at(40_000), at(42_000, [['SEQUENCE:103', 'SEQUENCE:104']])] },
  {
    rule: 'uri-changed',
    steps: [at(60_000, [], { isEnded: true }), restarted, at(62_000, [['b02.ts', 'x02.ts']])],
  },
  {
    rule: 'duration-changed',
    steps: [at(40_000), at(42_000, [['3.200000,\n../720p/a05', '3.199000,\n../720p/a05']])],
  },
  { rule: 'discontinuity-changed', steps: [at(57_000), at(60_000, [['#EXT-X-DISCONTINUITY\n', '']])] },
  { rule: 'pdt-changed', isStrict: true, steps: [at(57_000), at(60_000, [['50.400Z', '50.401Z']])] },
  { rule: 'pdt-changed', isStrict: true, steps: [at(40_000), at(42_000, [['09.600Z', '09.640Z']])] },
  {
    rule: 'cue-changed',
    options: { markers: 'CUE' },
    steps: [
      at(68_000, [], { markers: 'CUE' }),
      at(68_400, [['OUT:DURATION=30.400', 'OUT:DURATION=30.500']], { markers: 'CUE' }),
    ],
  },
  {
    rule: 'discontinuity-sequence-missing',
    isStrict: true,
    steps: [at(40_000, [['#EXT-X-DISCONTINUITY-SEQUENCE:7\n', '']])],
  },
  {
    rule: 'discontinuity-sequence-wrong',
    steps: [at(40_000), at(42_000, [['DISCONTINUITY-SEQUENCE:7', 'DISCONTINUITY-SEQUENCE:8']])],
  },
  {
    rule: 'discontinuity-sequence-wrong',
    steps: [at(57_000), at(57_000, [['DISCONTINUITY-SEQUENCE:7', 'DISCONTINUITY-SEQUENCE:8']])],
  },
  {
    rule: 'discontinuity-sequence-wrong',
    steps: [
      at(100_000, [], long),
      deltaFrom(101_000, [['DISCONTINUITY-SEQUENCE:8', 'DISCONTINUITY-SEQUENCE:7']], long),
    ],
  },
  // The join has left the window, but EXT-X-DISCONTINUITY-SEQUENCE did not rise.
  {
    rule: 'discontinuity-sequence-wrong',
    steps: [at(84_000), at(86_000, [['DISCONTINUITY-SEQUENCE:8', 'DISCONTINUITY-SEQUENCE:7']])],
  },
  {
    rule: 'discontinuity-sequence-wrong',
    steps: [
      at(100_000, [], long),
      deltaFrom(101_000, [['DISCONTINUITY-SEQUENCE:8', 'DISCONTINUITY-SEQUENCE:9']], long),
    ],
  },
  {
    rule: 'discontinuity-sequence-fell',
    steps: [at(60_000), at(150_000, [['SEQUENCE:10\n', 'SEQUENCE:3\n']])],
  },
  {
    rule: 'discontinuity-differs',
    steps: [at(57_000), at(57_000, [['DISCONTINUITY-SEQUENCE:7', 'DISCONTINUITY-SEQUENCE:8']], low)],
  },
  { rule: 'sequences-differ', steps: [at(57_000), at(57_000, [[/\.400Z/g, '.440Z']], low)] },
  { rule: 'sequences-differ', steps: [at(57_000), at(54_000, [], { ...low, seenMs: 57_000 })] },
  {
    rule: 'sequences-differ',
    steps: [at(57_000), at(57_000, [['#EXTINF:3.200000,\n../432p/b01.ts\n', '']], low)],
  },
  { rule: 'pdt-missing', isStrict: true, steps: [at(40_000, [[/#EXT-X-PROGRAM.*\n/, '']])] },
  { rule: 'pdt-missing', steps: [at(57_000, [[/(#EXT-X-DISCONTINUITY\n)#EXT-X-PROGRAM.*\n/, '$1']])] },
  {
    rule: 'pdt-drift',
    isStrict: true,
    steps: [
      at(40_000, [
        [
          '#EXTINF:3.200000,\n../720p/a05',
          '#EXT-X-PROGRAM-DATE-TIME:2026-11-15T14:00:16.005Z\n#EXTINF:3.200000,\n../720p/a05',
        ],
      ]),
    ],
  },
  { rule: 'pdt-hole', steps: [at(57_000, [['50.400Z', '50.450Z']])] },
  { rule: 'not-updated', steps: [at(40_000), at(40_000, [], { seenMs: 47_600 })] },
  { rule: 'window-short', isStrict: true, steps: [at(40_000, [], { windowMs: 9_600 })] },
  { rule: 'window-short', isStrict: true, steps: [at(40_000, [[/#EXT-X-PROGRAM[\s\S]*$/, '']])] },
  { rule: 'window-long', steps: [at(70_000, [], { windowMs: 60_000 })] },
  { rule: 'edge-late', steps: [at(40_000, [], { seenMs: 44_000 })] },
  { rule: 'listed-early', steps: [at(42_000, [], { seenMs: 40_000 })] },
  { rule: 'skip-unrequested', steps: [at(100_000, [], long), unrequestedSkip(101_000)] },
  {
    rule: 'skip-not-offered',
    steps: [at(100_000, [], { windowMs: 48_000 }), deltaFrom(101_000, [[/#EXT-X-SERVER.*\n/, '']], long)],
  },
  {
    rule: 'skip-too-recent',
    steps: [at(100_000, [], long), deltaFrom(101_000, [['UNTIL=30', 'UNTIL=36']], long)],
  },
  {
    rule: 'malformed-value',
    steps: [at(100_000, [], long), deltaFrom(101_000, [['SEGMENTS=7', 'SEGMENTS=0']], long)],
  },
  { rule: 'skip-unmergeable', steps: [deltaFrom(101_000, [], long)] },
  {
    rule: 'version-low',
    steps: [at(100_000, [], long), deltaFrom(101_000, [['VERSION:9', 'VERSION:8']], long)],
  },
  {
    rule: 'version-low',
    steps: [
      at(100_000, [], long),
      deltaFrom(101_000, [[/(SEGMENTS=\d+)/, '$1,RECENTLY-REMOVED-DATERANGES=""']], long),
    ],
  },
  {
    rule: 'uri-changed',
    steps: [at(100_000, [], long), deltaFrom(101_000, [['slate05.ts', 'x05.ts']], long)],
  },
  {
    rule: 'delta-differs',
    steps: [at(100_000, [], long), deltaFrom(101_000, [], long, textAt(104_200, long))],
  },
  {
    rule: 'delta-differs',
    steps: [
      at(100_000, [], long),
      deltaFrom(101_000, [], long, textAt(101_000, long).replace('slate05', 'x')),
    ],
  },
]

function unrequestedSkip(ms: number) {
  return at(ms, [['#EXT-X-IND', '#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXT-X-IND']], long)
}

const cue = { markers: 'CUE' } as const
const range = { markers: 'DATERANGE' } as const
const noRange: Edit = [/#EXT-X-DATERANGE.*\n/, '']
const noEnd: Edit = [/,DURATION=.*/, '']

/** A case with date ranges only, and one with cue tags only. */
const inRanges = (
  rule: BrokenCase['rule'],
  ...updates: readonly (readonly [number, ...Edit[]])[]
): BrokenCase => ({
  rule,
  options: range,
  steps: updates.map(([ms, ...edits]) => at(ms, edits, range)),
})
const inCues = (
  rule: BrokenCase['rule'],
  ...updates: readonly (readonly [number, ...Edit[]])[]
): BrokenCase => ({
  rule,
  options: cue,
  steps: updates.map(([ms, ...edits]) => at(ms, edits, cue)),
})

/** Playlist sequences with a fault in the markers of ad breaks. */
const brokenMarkers: readonly BrokenCase[] = [
  inRanges('malformed-value', [70_000, ['ID="break-121"', 'ID="break-121']]),
  inRanges('malformed-value', [70_000, ['DURATION=30.400', 'DURATION="30.400"']]),
  inRanges('malformed-value', [70_000, ['ID="break-121"', 'ID="break-121",ID="break-122"']]),
  { ...inCues('malformed-value', [72_000, [',Duration=30.400', '']]), isStrict: true },
  inRanges('daterange-incomplete', [70_000, ['ID="break-121",', '']]),
  inRanges('daterange-incomplete', [70_000, [/START-DATE="[^"]*",/, '']]),
  inRanges('daterange-changed', [70_000], [72_000, ['DURATION=30.400', 'DURATION=30.500']]),
  inRanges('daterange-changed', [70_000, ['ID="break-121"', 'ID="break-121",CLASS="ad"']], [72_000]),
  inRanges('daterange-changed', [
    70_000,
    [/(#EXT-X-DATERANGE:.*\n)/, '$1#EXT-X-DATERANGE:ID="break-121",PLANNED-DURATION=1\n'],
  ]),
  inRanges('daterange-id-reused', [70_000], [130_000, ['break-150', 'break-121']]),
  {
    rule: 'daterange-id-reused',
    options: range,
    steps: [
      at(70_000, [], range),
      at(130_000, [], range),
      restarted,
      at(150_000, [['break-150', 'break-121']], range),
    ],
  },
  { rule: 'daterange-id-reused', steps: [at(70_000), restarted, at(72_000)] },
  inRanges('daterange-removed', [70_000], [72_000, noRange]),
  inRanges('daterange-off-boundary', [
    70_000,
    ['START-DATE="2026-11-15T14:01:06.400Z', 'START-DATE="2026-11-15T14:01:07.000Z'],
  ]),
  inRanges('daterange-off-boundary', [146_000, [',DURATION=12.800', ',DURATION=13.800']]),
  inRanges('daterange-out-form', [70_000, ['PLANNED-DURATION=30.400,', '']]),
  inRanges('daterange-out-form', [70_000, ['PLANNED-', 'DURATION=30.400,PLANNED-']]),
  inRanges('daterange-out-form', [70_000, ['PLANNED-', 'END-DATE="2026-11-15T14:01:36.800Z",PLANNED-']]),
  inRanges('daterange-in-form', [98_000, [',DURATION=30.400', '']]),
  inRanges('daterange-in-form', [98_000, [/,SCTE35-OUT=[^,]*/, '']]),
  inRanges('daterange-in-form', [98_000, [',DURATION=30.400', ',DURATION=32.000']]),
  inRanges('daterange-out-late', [67_000, noRange], [68_000]),
  inRanges('daterange-in-late', [146_000, noEnd], [148_000]),
  inRanges('daterange-in-missing', [101_000, noEnd]),
  {
    rule: 'daterange-differs',
    isStrict: true,
    options: range,
    steps: [at(70_000, [], range), at(70_000, [noRange], { ...range, rendition: '432p' })],
  },
  inRanges('scte35-undecodable', [70_000, ['OUT=0xFC', 'OUT=0xFB']]),
  inRanges('scte35-undecodable', [70_000, ['OUT=0xFC30', 'OUT=0xFC31']]),
  inRanges('scte35-undecodable', [70_000, [/7E$/m, '7F']]),
  inRanges('scte35-undecodable', [70_000, [/7E$/m, '7E00']]),
  inRanges('scte35-undecodable', [70_000, ['OUT=0x', 'OUT=']]),
  inCues('cue-order', [72_000, [/#EXT-X-CUE-OUT-CONT:ElapsedTime=1.600.*\n/, '']]),
  inCues('cue-order', [72_000, [/#EXT-X-CUE-OUT:.*\n/, '']]),
  inCues('cue-order', [72_000, [/#EXT-X-CUE-OUT-CONT:.*/, '#EXT-X-CUE-OUT:DURATION=30.400']]),
  inCues('cue-order', [
    57_000,
    ['#EXTINF:3.200000,\n../720p/b01', '#EXT-X-CUE-IN\n#EXTINF:3.200000,\n../720p/b01'],
  ]),
  inCues('cue-order', [101_000, ['#EXT-X-CUE-IN\n', '']]),
  inCues('cue-elapsed', [72_000, ['ElapsedTime=1.600', 'ElapsedTime=2.600']]),
  inCues('cue-elapsed', [72_000, ['1.600,Duration=30.400', '1.600,Duration=28.800']]),
  inCues('cue-elapsed', [
    101_000,
    ['#EXT-X-CUE-IN', '#EXT-X-CUE-OUT-CONT:ElapsedTime=30.400,Duration=30.400'],
  ]),
  {
    rule: 'cue-daterange-disagree',
    steps: [
      at(72_000, [
        ['OUT:DURATION=30.400', 'OUT:DURATION=30.500'],
        [/Duration=30.400/g, 'Duration=30.500'],
      ]),
    ],
  },
  { rule: 'cue-daterange-disagree', steps: [at(72_000, [], range)] },
  { rule: 'cue-daterange-disagree', steps: [at(72_000, [], cue)] },
  // The cue tags end the break, but its date range stays open.
  { rule: 'cue-daterange-disagree', steps: [at(146_000, [noEnd])] },
  // The date range ends the break, but the cue tags have no CUE-IN.
  {
    rule: 'cue-daterange-disagree',
    steps: [at(101_000, [[/#EXT-X-CUE.*\n/g, '']])],
  },
  { rule: 'break-cut-short', options: { breakPolicy: 'FULL_LENGTH' }, steps: [at(146_000)] },
  { rule: 'break-cut-short', options: { ...cue, breakPolicy: 'FULL_LENGTH' }, steps: [at(146_000, [], cue)] },
  {
    rule: 'break-cut-short',
    options: { ...range, breakPolicy: 'FULL_LENGTH' },
    steps: [at(146_000, [], range)],
  },
  { rule: 'markers-unexpected', options: { markers: 'NONE' }, steps: [at(70_000)] },
  { rule: 'markers-unexpected', options: range, steps: [at(70_000, [], cue)] },
  { rule: 'markers-unexpected', options: cue, steps: [at(70_000, [], range)] },
]

/** Playlists of a channel of this project, each with one fault. */
export const brokenChannels: readonly BrokenCase[] = [...brokenPlaylists, ...brokenNumbers, ...brokenMarkers]
