import { at, type BrokenCase, multivariant } from './broken-steps.ts'

const low = { rendition: '432p' }

/** For every rule about a playlist and its segments: one broken text, or two that contradict each other. */
export const brokenPlaylists: readonly BrokenCase[] = [
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
  { rule: 'tag-order', steps: [at(40_000, [['a05.ts\n', 'a05.ts\n../720p/x.ts\n']])] },
  { rule: 'tag-order', steps: [at(40_000, [['a11.ts\n', 'a11.ts\n#EXT-X-DISCONTINUITY\n']])] },
  { rule: 'tag-order', steps: [multivariant([['720p.m3u8\n', '']])] },
  { rule: 'tag-order', steps: [multivariant([['432p.m3u8\n', '']])] },
  { rule: 'tag-order', steps: [multivariant([['720p.m3u8\n', '720p.m3u8\n240p.m3u8\n']])] },
  { rule: 'duplicate-tag', steps: [at(40_000, [['#EXT-X-IND', '#EXT-X-VERSION:6\n#EXT-X-IND']])] },
  { rule: 'duplicate-tag', steps: [at(40_000, [['../720p/a05.ts', '#EXTINF:3.200000,\n../720p/a05.ts']])] },
  {
    rule: 'duplicate-tag',
    steps: [at(57_000, [['#EXT-X-DISCONTINUITY\n', '#EXT-X-DISCONTINUITY\n'.repeat(2)]])],
  },
  { rule: 'duplicate-tag', steps: [at(40_000, [[/(#EXT-X-PROGRAM.*\n)/, '$1$1']])] },
  { rule: 'duplicate-tag', steps: [at(72_000, [[/(#EXT-X-CUE-OUT:.*\n)/, '$1$1']])] },
  { rule: 'duplicate-tag', steps: [multivariant([['#EXT-X-IND', '#EXT-X-VERSION:6\n#EXT-X-IND']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['#EXTINF:3.200000,', '#EXTINF:3.200000']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['#EXTINF:3.200000,', '#EXTINF:-1,']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['#EXTINF:3.200000,', '#EXTINF:0,']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['a05.ts', 'a 05.ts']])] },
  { rule: 'malformed-value', steps: [at(40_000, [['06.400Z', '06.400']])] },
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
  { rule: 'playlist-type', steps: [at(40_000, [['#EXT-X-IND', '#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-IND']])] },
  { rule: 'endlist-place', steps: [at(40_000, [['a05.ts\n', 'a05.ts\n#EXT-X-ENDLIST\n']])] },
  { rule: 'endlist-place', steps: [at(40_000, [['a11.ts\n', 'a11.ts\n#EXT-X-ENDLIST\n../720p/a12.ts\n']])] },
  { rule: 'changed-after-end', steps: [at(60_000, [], { isEnded: true }), at(62_000)] },
  {
    rule: 'changed-after-end',
    steps: [at(60_000, [], { isEnded: true }), at(60_000, [['a12', 'x12']], { isEnded: true })],
  },
  { rule: 'hold-back-low', steps: [at(40_000, [['HOLD-BACK=15', 'HOLD-BACK=9']], { canSkip: true })] },
  { rule: 'skip-boundary-low', steps: [at(40_000, [['UNTIL=30', 'UNTIL=20']], { canSkip: true })] },
  { rule: 'variant-incomplete', steps: [multivariant([['BANDWIDTH=900000,', '']])] },
  { rule: 'variant-incomplete', steps: [multivariant([[',RESOLUTION=768x432', '']])] },
  { rule: 'variant-incomplete', steps: [multivariant([['CODECS="avc1.64001e,mp4a.40.2",', '']])] },
  { rule: 'variant-incomplete', steps: [multivariant([[/#EXT-X-STREAM[\s\S]*/, '']])] },
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
