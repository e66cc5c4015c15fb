import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseVariant, readSourcePlaylist, type SourceMediaPlaylist } from './source-playlist.ts'

const URL = 'https://live.example/a/index.m3u8?token=1'

const media = (...lines: readonly string[]): SourceMediaPlaylist => {
  const read = readSourcePlaylist(['#EXTM3U', '#EXT-X-TARGETDURATION:6', ...lines].join('\n'), URL)
  if (read.kind !== 'media') throw new Error(JSON.stringify(read))
  return read
}

const rejectionOf = (...lines: readonly string[]): string => {
  const read = readSourcePlaylist(lines.join('\n'), URL)
  return read.kind === 'rejected' ? read.code : read.kind
}

test('segments have their number, address, length and time', () => {
  const { targetMs, segments, isEnded } = media(
    '#EXT-X-MEDIA-SEQUENCE:41',
    '#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05.500Z',
    '#EXTINF:5.96,title, with a comma',
    's41.ts',
    '',
    '# a remark',
    '#EXTINF:6',
    '/b/s42.ts?x=1',
    '#EXTINF:4.0004,',
    'https://other.example/s43.ts',
  )

  assert.equal(targetMs, 6_000)
  assert.equal(isEnded, false)
  const startMs = Date.UTC(2026, 0, 2, 3, 4, 5, 500)
  assert.deepEqual(
    segments.map(({ sequence, url, durationMs, programMs }) => [sequence, url, durationMs, programMs]),
    [
      [41, 'https://live.example/a/s41.ts', 5_960, startMs],
      [42, 'https://live.example/b/s42.ts?x=1', 6_000, startMs + 5_960],
      [43, 'https://other.example/s43.ts', 4_000, startMs + 11_960],
    ],
  )
})

test('a discontinuity applies to one segment, and ends the known program time', () => {
  const { segments } = media(
    '#EXT-X-DISCONTINUITY-SEQUENCE:7',
    '#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05Z',
    '#EXTINF:6,',
    'a.ts',
    '#EXT-X-DISCONTINUITY',
    '#EXTINF:6,',
    'b.ts',
    '#EXTINF:6,',
    'c.ts',
  )

  assert.deepEqual(
    segments.map(({ isDiscontinuous, programMs }) => [isDiscontinuous, programMs !== undefined]),
    [
      [false, true],
      [true, false],
      [false, false],
    ],
  )
})

test('a key applies until the next one, and the default IV is the media sequence number', () => {
  const { segments } = media(
    '#EXT-X-MEDIA-SEQUENCE:255',
    '#EXT-X-KEY:METHOD=AES-128,URI="keys/1?a=b,c"',
    '#EXTINF:6,',
    'a.ts',
    '#EXTINF:6,',
    'b.ts',
    '#EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/2",IV=0xABC',
    '#EXTINF:6,',
    'c.ts',
    '#EXT-X-KEY:METHOD=NONE',
    '#EXTINF:6,',
    'd.ts',
  )

  assert.deepEqual(
    segments.map(({ key }) => key),
    [
      { url: 'https://live.example/a/keys/1?a=b,c', iv: '000000000000000000000000000000ff' },
      { url: 'https://live.example/a/keys/1?a=b,c', iv: '00000000000000000000000000000100' },
      { url: 'https://keys.example/2', iv: '00000000000000000000000000000abc' },
      undefined,
    ],
  )
})

test('a range without an offset continues the previous one of the same resource; a map applies until the next', () => {
  const { segments } = media(
    '#EXT-X-MAP:URI="init.mp4",BYTERANGE="700@20"',
    '#EXTINF:6,',
    '#EXT-X-BYTERANGE:1000@500',
    'all.mp4',
    '#EXTINF:6,',
    '#EXT-X-BYTERANGE:200',
    'all.mp4',
    '#EXT-X-MAP:URI="init2.mp4"',
    '#EXTINF:6,',
    '#EXT-X-BYTERANGE:300',
    'other.mp4',
    '#EXTINF:6,',
    'whole.mp4',
  )

  assert.deepEqual(
    segments.map(({ range }) => range && [range.from, range.to]),
    [[500, 1_500], [1_500, 1_700], [0, 300], undefined],
  )
  assert.deepEqual(
    segments.map(({ map }) => [map?.url.split('/').at(-1), map?.range]),
    [
      ['init.mp4', { from: 20, to: 720 }],
      ['init.mp4', { from: 20, to: 720 }],
      ['init2.mp4', undefined],
      ['init2.mp4', undefined],
    ],
  )
})

test('a playlist that has ended or is VOD is not live', () => {
  assert.equal(media('#EXTINF:6,', 'a.ts', '#EXT-X-ENDLIST').isEnded, true)
  assert.equal(media('#EXT-X-PLAYLIST-TYPE:VOD', '#EXTINF:6,', 'a.ts').isEnded, true)
  assert.equal(media('#EXT-X-PLAYLIST-TYPE:EVENT', '#EXTINF:6,', 'a.ts').isEnded, false)
})

test('a text that is not a playlist, or cannot be played, is rejected with a code', () => {
  assert.equal(rejectionOf('<!doctype html>'), 'source.not_hls')
  assert.equal(rejectionOf(''), 'source.not_hls')
  assert.equal(rejectionOf('#EXTM3U', '#EXTINF:6,', 'a.ts'), 'source.playlist_invalid')
  const target = '#EXT-X-TARGETDURATION:6'
  const encrypted = (key: string) => rejectionOf('#EXTM3U', target, `#EXT-X-KEY:${key}`, '#EXTINF:6,', 'a.ts')
  assert.equal(encrypted('METHOD=SAMPLE-AES,URI="k"'), 'source.encrypted')
  assert.equal(encrypted('METHOD=AES-128,URI="k",KEYFORMAT="com.example.drm"'), 'source.encrypted')
  assert.equal(encrypted('METHOD=AES-128'), 'source.playlist_invalid')
  assert.equal(encrypted('METHOD=AES-128,URI="k"'), 'media')
  assert.equal(rejectionOf('#EXTM3U', target, '#EXTINF:6,', 'file:///etc/passwd'), 'source.playlist_invalid')
  assert.equal(rejectionOf('#EXTM3U', target, '#EXT-X-MAP:URI="data:x,y"'), 'source.playlist_invalid')
  assert.equal(
    rejectionOf('#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=1', 'ftp://a/b'),
    'source.playlist_invalid',
  )
  const many = Array.from({ length: 5_001 }, (_, at) => `#EXTINF:6,\n${at}.ts`)
  assert.equal(rejectionOf('#EXTM3U', target, ...many), 'source.playlist_invalid')
  assert.equal(rejectionOf('#EXTM3U', target, ...many.slice(1)), 'media')
})

test('a byte order mark and CR LF line ends are accepted', () => {
  const text = '\uFEFF#EXTM3U\r\n#EXT-X-TARGETDURATION:6\r\n#EXTINF:6,\r\na.ts\r\n'

  const read = readSourcePlaylist(text, URL)

  assert.equal(read.kind === 'media' && read.segments[0]?.url, 'https://live.example/a/a.ts')
})

test('the best variant that fits is chosen, otherwise the smallest', () => {
  const read = readSourcePlaylist(
    [
      '#EXTM3U',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="en",URI="en.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="fr",DEFAULT=YES,URI="fr.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="sub",DEFAULT=YES,URI="sub.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=6000000,RESOLUTION=1920x1080,AUDIO="s"',
      '1080.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,AUDIO="s"',
      '720low.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1280x720',
      '720.m3u8',
    ].join('\n'),
    URL,
  )
  if (read.kind !== 'multivariant') throw new Error(read.kind)

  assert.deepEqual(chooseVariant(read, { height: 1_080 }), {
    url: 'https://live.example/a/1080.m3u8',
    bandwidth: 6_000_000,
    height: 1_080,
    audioUrl: 'https://live.example/a/fr.m3u8',
  })
  assert.deepEqual(chooseVariant(read, { height: 900 }), {
    url: 'https://live.example/a/720.m3u8',
    bandwidth: 3_000_000,
    height: 720,
    audioUrl: undefined,
  })
  assert.equal(chooseVariant(read, { height: 180 }).url, 'https://live.example/a/720low.m3u8')
})

function variantsOf(...lines: readonly string[]) {
  const read = readSourcePlaylist(['#EXTM3U', ...lines].join('\n'), URL)
  if (read.kind !== 'multivariant') throw new Error(read.kind)
  return read.variants
}

test('the audio of a variant is the first of its group, unless another is the default', () => {
  const sound = (name: string, more = '') =>
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="${name}",URI="${name}.m3u8"${more}`
  const audioOf = (...lines: readonly string[]) =>
    variantsOf(...lines, '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="s"', 'v.m3u8')[0]!
      .audioUrl?.split('/')
      .at(-1)

  assert.equal(audioOf(sound('en'), sound('fr')), 'en.m3u8')
  assert.equal(audioOf(sound('en', ',DEFAULT=YES'), sound('fr', ',DEFAULT=NO')), 'en.m3u8')
  assert.equal(audioOf(sound('en'), sound('fr', ',DEFAULT=YES')), 'fr.m3u8')
  // It is in the segments of the variant.
  assert.equal(audioOf('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="en"'), undefined)
  assert.equal(audioOf('#EXT-X-MEDIA:TYPE=AUDIO,NAME="en",URI="en.m3u8"'), undefined)
  assert.equal(audioOf(sound('en').replace('"s"', '"other"')), undefined)
})

test('the address of a variant follows its tag, after empty lines and remarks', () => {
  const tag = '#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=640x360'

  assert.deepEqual(
    variantsOf('stray.m3u8', tag, '', '# a remark#', '#EXT-X-OTHER', 'v.m3u8', 'stray.m3u8').map(
      ({ url }) => url,
    ),
    ['https://live.example/a/v.m3u8'],
  )
})

test('of many variants the first hundred are read', () => {
  const many = Array.from({ length: 101 }, (_, at) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${at}.m3u8`)

  assert.equal(variantsOf(...many).length, 100)
})

test('an attribute with an invalid value counts as missing', () => {
  const [variant] = variantsOf('#EXT-X-STREAM-INF:BANDWIDTH=1k,RESOLUTION=640x360p', 'v.m3u8')
  const ivOf = (iv: string) =>
    media(`#EXT-X-KEY:METHOD=AES-128,URI="k",IV=${iv}`, '#EXTINF:6,', 'a.ts').segments[0]!.key!.iv
  const rangeOf = (range: string) =>
    media('#EXTINF:6,', `#EXT-X-BYTERANGE:${range}`, 'a.ts').segments[0]!.range

  assert.deepEqual([variant!.bandwidth, variant!.height], [0, 0])
  assert.equal(variantsOf('#EXT-X-STREAM-INF:RESOLUTION=x640x360', 'v.m3u8')[0]!.height, 0)
  assert.equal(ivOf('0xff'), `${'0'.repeat(30)}ff`)
  for (const iv of ['00xff', '0xfg', 'ff', '0x']) assert.equal(ivOf(iv), '0'.repeat(32), iv)
  assert.deepEqual(rangeOf('10@5'), { from: 5, to: 15 })
  for (const range of ['x10@5', '10@5x', '10@', '']) assert.equal(rangeOf(range), undefined, range)
  assert.equal(media('#EXT-X-MEDIA-SEQUENCE:7x', '#EXTINF:6,', 'a.ts').segments[0]!.sequence, 0)
  assert.equal(media('#EXT-X-MEDIA-SEQUENCE:x7', '#EXTINF:6,', 'a.ts').segments[0]!.sequence, 0)
})

test('what has no duration above zero is not a segment', () => {
  const count = (tag: string) => media(tag, 'a.ts').segments.length

  assert.equal(count('#EXTINF:12.5,'), 1)
  for (const tag of ['#EXTINF:0,', '#EXTINF:-1,', '#EXTINF:x1,', '#EXTINF', '#EXTM3U'])
    assert.equal(count(tag), 0, tag)
})

test('between the duration of a segment and its address there may be empty lines and remarks', () => {
  const { segments } = media('#EXTINF:6,', '', '# remark', '#remark#', 'a.ts')

  assert.deepEqual(
    segments.map(({ url }) => url),
    ['https://live.example/a/a.ts'],
  )
})

test('addresses are those of HTTP and HTTPS', () => {
  const urlOf = (address: string) => media('#EXTINF:6,', address).segments[0]!.url

  assert.equal(urlOf('http://plain.example/a.ts'), 'http://plain.example/a.ts')
  assert.equal(urlOf('//other.example/a.ts'), 'https://other.example/a.ts')
  for (const address of ['xhttp://a/b', 'httpsx://a/b', 'http:'])
    assert.equal(
      rejectionOf('#EXTM3U', '#EXT-X-TARGETDURATION:6', '#EXTINF:6,', address),
      'source.playlist_invalid',
      address,
    )
  assert.equal(
    rejectionOf('#EXTM3U', '#EXT-X-TARGETDURATION:6', '#EXT-X-MAP:URI=""'),
    'source.playlist_invalid',
  )
})

test('spaces around lines do not matter', () => {
  assert.equal(rejectionOf(' #EXTM3U ', '\t#EXT-X-TARGETDURATION:6 ', ' #EXTINF:6, ', ' a.ts '), 'media')
})

test('an audio-only variant is skipped, unless there is no other', () => {
  const soundAlone = ['#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2, ec-3"', 'sound.m3u8']
  const large = [
    '#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1280x720,CODECS="avc1.64001f,mp4a.40.2"',
    '720.m3u8',
  ]
  const chosenOf = (...lines: readonly string[]) => {
    const read = readSourcePlaylist(['#EXTM3U', ...lines].join('\n'), URL)
    return read.kind === 'multivariant' && chooseVariant(read, { height: 180 }).url.split('/').at(-1)
  }

  assert.equal(chosenOf(...soundAlone, ...large), '720.m3u8')
  assert.equal(chosenOf(...soundAlone), 'sound.m3u8')
})

test('it does not throw for any text, and returns HTTP addresses only', () => {
  const anyLine = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '#EXTM3U',
      '#EXT-X-TARGETDURATION:6',
      '#EXTINF:6,',
      '#EXTINF:-1,',
      '#EXTINF:1e999,',
      '#EXT-X-BYTERANGE:1@99999999999999999999',
      '#EXT-X-KEY:METHOD=AES-128,URI="javascript:1"',
      '#EXT-X-MAP:URI="//[::1"',
      '#EXT-X-MEDIA-SEQUENCE:999999999999999999999',
      '#EXT-X-PROGRAM-DATE-TIME:never',
      '#EXT-X-STREAM-INF:BANDWIDTH=x,RESOLUTION=1x',
      'file:///etc/passwd',
      'http://127.0.0.1/x',
    ),
  )
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 20 }), (lines) => {
      const read = readSourcePlaylist(['#EXTM3U', ...lines].join('\n'), URL)
      const parts =
        read.kind === 'media'
          ? read.segments.flatMap(({ url, map, key }) => [url, map?.url ?? url, key?.url ?? url])
          : []
      assert.ok(parts.every((url) => /^https?:\/\//.test(url)))
      if (read.kind === 'media') {
        for (const { durationMs, range, sequence } of read.segments) {
          assert.ok(durationMs > 0 && Number.isSafeInteger(sequence))
          assert.ok(range === undefined || (range.from >= 0 && range.to >= range.from))
        }
      }
    }),
  )
})
