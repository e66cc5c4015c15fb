import { textAt } from './a-channel.ts'
import { at, type BrokenCase, deltaFrom, restarted } from './broken-steps.ts'

const low = { rendition: '432p' }
const long = { windowMs: 48_000, canSkip: true }

/** Playlist sequences with a fault in sequence numbers, times or the window. */
export const brokenNumbers: readonly BrokenCase[] = [
  { rule: 'media-sequence-missing', steps: [at(40_000, [['#EXT-X-MEDIA-SEQUENCE:102\n', '']])] },
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
  { rule: 'appended-out-of-order', steps: [at(57_000, [['14:00:50.400Z', '14:00:47.900Z']])] },
  { rule: 'uri-changed', steps: [at(40_000), at(42_000, [['a05.ts', 'x05.ts']])] },
  { rule: 'uri-changed', steps: [at(40_000), at(42_000, [['SEQUENCE:103', 'SEQUENCE:102']])] },
  {
    rule: 'uri-changed',
    steps: [at(60_000, [], { isEnded: true }), restarted, at(62_000, [['b02.ts', 'x02.ts']])],
  },
  {
    rule: 'duration-changed',
    steps: [at(40_000), at(42_000, [['3.200000,\n../720p/a05', '3.199000,\n../720p/a05']])],
  },
  { rule: 'discontinuity-changed', steps: [at(57_000), at(60_000, [['#EXT-X-DISCONTINUITY\n', '']])] },
  { rule: 'pdt-changed', steps: [at(57_000), at(60_000, [['50.400Z', '50.401Z']])] },
  { rule: 'pdt-changed', steps: [at(40_000), at(42_000, [['09.600Z', '09.640Z']])] },
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
  { rule: 'renditions-out-of-step', steps: [at(57_000), at(57_000, [[/\.400Z/g, '.440Z']], low)] },
  { rule: 'renditions-out-of-step', steps: [at(57_000), at(54_000, [], { ...low, seenMs: 57_000 })] },
  {
    rule: 'renditions-out-of-step',
    steps: [at(57_000), at(57_000, [['#EXTINF:3.200000,\n../432p/b01.ts\n', '']], low)],
  },
  { rule: 'pdt-missing', steps: [at(40_000, [[/#EXT-X-PROGRAM.*\n/, '']])] },
  { rule: 'pdt-missing', steps: [at(57_000, [[/(#EXT-X-DISCONTINUITY\n)#EXT-X-PROGRAM.*\n/, '$1']])] },
  {
    rule: 'pdt-drift',
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
  { rule: 'window-short', steps: [at(40_000, [], { windowMs: 9_600 })] },
  { rule: 'window-short', steps: [at(40_000, [[/#EXT-X-PROGRAM[\s\S]*$/, '']])] },
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
