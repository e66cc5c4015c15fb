import { broken, dateOf, read, readText } from './an-ordinary-channel.ts'
import type { BrokenCase } from './broken-steps.ts'

const KEY = '#EXT-X-KEY:METHOD=AES-128,URI="key-1",IV=0x00000000000000000000000000000001'
const MAP = '#EXT-X-MAP:URI="init.mp4"'
const JOIN = '#EXT-X-DISCONTINUITY'
const STREAM = '#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401f,mp4a.40.2"'
const EVENT = { header: ['#EXT-X-PLAYLIST-TYPE:EVENT'] }
const VOD = { header: ['#EXT-X-PLAYLIST-TYPE:VOD'] }
const range = (...attributes: readonly string[]): string =>
  `#EXT-X-DATERANGE:ID="a",START-DATE="${dateOf(6)}",${attributes.join()}`
const ranges = (...attributes: readonly string[]) => ({ header: [range(...attributes)] })
const audio = { rendition: 'audio.m3u8' }

/** Playlists of other packagers, each with one fault; only rules of the specification apply. */
export const brokenOrdinary: readonly BrokenCase[] = [
  // One text.
  broken(
    'sequence-tag-late',
    read({ last: 6, header: ['#EXTINF:4,', 'x.ts'] }, [[/(#EXT-X-MEDIA-S.*\n)([\s\S]*x.ts\n)/, '$2$1']]),
  ),
  broken('sequence-tag-late', read({ last: 6, tags: { 4: [JOIN, '#EXT-X-DISCONTINUITY-SEQUENCE:1'] } })),
  broken('byterange-undefined', read({ last: 6, tags: { 4: ['#EXT-X-BYTERANGE:100'] } })),
  broken('malformed-value', read({ last: 6, tags: { 4: ['#EXT-X-BYTERANGE:100@'] } })),
  broken('malformed-value', read({ last: 6 }, [['#EXTINF:4.000,A title, with a comma', '#EXTINF:4.000']])),
  broken('malformed-value', read({ last: 6, tags: { 4: ['#EXT-X-KEY:METHOD=AES-128, URI="key"'] } })),
  broken('malformed-value', read({ last: 6, tags: { 2: ['#EXT-X-MAP:URI=init.mp4'] } })),
  broken('malformed-value', read({ last: 6, header: ['#EXT-X-PLAYLIST-TYPE:LIVE'] })),
  broken('malformed-value', read({ last: 6, ...ranges('END-DATE="tomorrow"') })),
  broken('attribute-missing', read({ last: 6, tags: { 4: ['#EXT-X-KEY:URI="key"'] } })),
  broken('attribute-missing', read({ last: 6, tags: { 4: ['#EXT-X-KEY:METHOD=AES-128'] } })),
  broken('attribute-missing', read({ last: 6, header: ['#EXT-X-START:PRECISE=YES'] })),
  broken('version-low', read({ last: 6, tags: { 2: [MAP] } }, [['VERSION:6', 'VERSION:5']])),
  broken(
    'version-low',
    read({ last: 6, tags: { 4: ['#EXT-X-BYTERANGE:100@0'] } }, [['VERSION:6', 'VERSION:3']]),
  ),
  broken('mixed-playlist', read({ last: 6, header: [STREAM] })),
  broken('mixed-playlist', readText(STREAM, 'a.m3u8', '#EXT-X-TARGETDURATION:4')),
  broken('part-inf-missing', read({ last: 6, tags: { 6: ['#EXT-X-PART:DURATION=1.0,URI="p.mp4"'] } })),
  broken(
    'part-hold-back',
    read({
      last: 6,
      header: ['#EXT-X-PART-INF:PART-TARGET=1.0', '#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=1.5'],
    }),
  ),
  broken('part-hold-back', read({ last: 6, header: ['#EXT-X-PART-INF:PART-TARGET=1.0'] })),
  broken(
    'part-too-long',
    read({
      last: 6,
      header: ['#EXT-X-PART-INF:PART-TARGET=1.0', '#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=3.0'],
      tags: { 6: ['#EXT-X-PART:DURATION=1.1,URI="p.mp4"'] },
    }),
  ),

  // Over time.
  broken(
    'not-updated',
    read({ last: 6 }),
    read({ last: 8, first: 2 }, [[/#EXTINF.*\n.*\n.*-7.*\n#EXTINF.*\n.*\n.*\n/, '']]),
  ),
  broken('window-short', read({ last: 6 }), read({ last: 7, first: 6 })),
  broken(
    'media-sequence-missing',
    read({ last: 6 }, [[/.*MEDIA-S.*\n/, '']]),
    read({ last: 7 }, [[/.*MEDIA-S.*\n/, '']]),
  ),
  broken(
    'uri-changed',
    read({ last: 6 }),
    read({ last: 7 }, [['segment-5.ts?token=1', 'segment-5.ts?token=2']]),
  ),
  broken(
    'uri-changed',
    read({ last: 6, isDated: false }),
    read({ last: 8, isDated: false }, [[/#EXTINF.*\n.*-5.*\n/, '']]),
  ),
  broken(
    'uri-changed',
    read({ last: 6, tags: { 5: ['#EXT-X-BYTERANGE:100@0'] } }),
    read({ last: 7, tags: { 5: ['#EXT-X-BYTERANGE:100@200'] } }),
  ),
  broken('pdt-changed', read({ last: 6 }), read({ last: 7 }, [['12:00:20.000Z', '12:00:20.040Z']])),
  broken('key-changed', read({ last: 6, tags: { 2: [KEY] } }), read({ last: 7 })),
  broken(
    'key-changed',
    read({ last: 6, tags: { 2: [KEY] } }),
    read({ last: 7, tags: { 3: [KEY.replace('key-1', 'key-2')] } }),
  ),
  broken('map-changed', read({ last: 6, tags: { 2: [MAP] } }), read({ last: 7 })),
  broken('playlist-type', read({ last: 6, ...EVENT }), read({ last: 7, ...EVENT })),
  broken('playlist-type', read({ last: 6, first: 0, ...VOD }), read({ last: 7, first: 0, ...VOD })),
  broken('discontinuity-sequence-missing', read({ last: 6, tags: { 2: [JOIN] } }), read({ last: 7 })),

  // Dates.
  broken(
    'pdt-missing',
    read({ last: 6, tags: { 4: [JOIN] } }, [[`#EXT-X-PROGRAM-DATE-TIME:${dateOf(4)}\n`, '']]),
  ),
  broken('pdt-drift', read({ last: 6 }, [[/#EXTINF:4.000/g, '#EXTINF:3.900']])),
  broken('pdt-drift', read({ last: 6 }, [[dateOf(4), '2026-03-01T12:00:16.900Z']])),
  broken('pdt-overlap', read({ last: 4, tags: { 4: [JOIN] } }, [[dateOf(4), '2026-03-01T12:00:14.000Z']])),

  // Renditions.
  broken('target-differs', read({ last: 6 }), read({ last: 6, ...audio }, [['DURATION:4', 'DURATION:6']])),
  broken('pdt-in-some-renditions', read({ last: 6 }), read({ last: 6, ...audio, isDated: false })),
  broken('renditions-out-of-step', read({ last: 9 }), read({ last: 7, first: 5, seen: 9, ...audio })),
  broken('renditions-out-of-step', read({ last: 9 }), read({ last: 9, first: 2, ...audio })),
  broken(
    'discontinuity-differs',
    read({ last: 6, tags: { 4: [JOIN] } }),
    read({ last: 6, tags: { 5: [JOIN] }, ...audio }),
  ),
  broken(
    'daterange-differs',
    read({ last: 7, ...ranges('X-A="1"') }),
    read({ last: 9, ...ranges('X-A="1"'), ...audio }),
    read({ last: 9, ...ranges('X-A="1"') }),
    read({ last: 10, ...ranges('X-A="2"'), rendition: 'other.m3u8' }),
  ),
  broken(
    'daterange-differs',
    read({ last: 7, ...ranges('X-A="1"') }),
    read({ last: 9, ...audio, header: [range('X-A="1"').replace('"a"', '"b"')] }),
  ),

  // Date ranges.
  broken('daterange-without-date', read({ last: 6, isDated: false, ...ranges('DURATION=2') })),
  broken('daterange-end', read({ last: 6, ...ranges(`END-DATE="${dateOf(5)}"`) })),
  broken('daterange-end', read({ last: 6, ...ranges(`END-DATE="${dateOf(7)}"`, 'DURATION=3.0') })),
  broken('daterange-end', read({ last: 6, ...ranges('END-ON-NEXT=YES') })),
  broken('daterange-end', read({ last: 6, ...ranges('END-ON-NEXT=YES', 'CLASS="c"', 'DURATION=4') })),
  broken(
    'daterange-changed',
    read({ last: 6, ...ranges('DURATION=4') }),
    read({ last: 7, header: [range('DURATION=4').replace(dateOf(6), dateOf(7))] }),
  ),
  broken('daterange-removed', read({ last: 6, ...ranges('DURATION=4') }), read({ last: 7 })),
  broken('daterange-removed', read({ last: 6, ...ranges('X-A="1"') }), read({ last: 7 })),
  broken(
    'daterange-id-reused',
    read({ last: 6, ...ranges('DURATION=4') }),
    read({ last: 16 }),
    read({ last: 17, header: [range('DURATION=4').replace(dateOf(6), dateOf(17))] }),
  ),

  // Multivariant playlists.
  broken(
    'attribute-missing',
    readText('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="a.m3u8"', STREAM, 'v.m3u8'),
  ),
  broken(
    'attribute-missing',
    readText('#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="a",NAME="n"', STREAM, 'v.m3u8'),
  ),
  broken(
    'group-missing',
    readText('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n"', `${STREAM},AUDIO="b"`, 'v.m3u8'),
  ),
  broken(
    'group-missing',
    readText('#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="a",NAME="n"', `${STREAM},AUDIO="a"`, 'v.m3u8'),
  ),
  broken(
    'group-conflict',
    readText(
      ...['"n"', '"n"'].map((name) => `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME=${name}`),
      STREAM,
      'v.m3u8',
    ),
  ),
  broken(
    'group-conflict',
    readText(
      ...['"m"', '"n"'].map((name) => `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME=${name},DEFAULT=YES`),
      STREAM,
      'v.m3u8',
    ),
  ),
]
