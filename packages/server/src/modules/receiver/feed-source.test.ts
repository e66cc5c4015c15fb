import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createOutboundClient } from '../../platform/outbound/outbound-client.ts'
import { aServer } from '../../platform/outbound/testing/a-server.ts'
import { feedSource, type Sink } from './feed-source.ts'
import type { SegmentProber } from './probe-segment.ts'
import type { ReceivedSegment } from './track-reader.ts'

const facts = {
  container: 'mpegts',
  video: {
    index: 0,
    codec: 'h264',
    width: 192,
    height: 108,
    rotation: 0,
    frameRate: 25,
    isInterlaced: false,
    matrix: 'bt709',
    isHdr: false,
  },
} as const

/** Segments in these tests contain only their first timestamp. */
const startOf = ({ bytes }: ReceivedSegment) => Number(Buffer.from(bytes).toString())

const prober: SegmentProber = {
  probe: async () => ({ ...facts, sound: { kind: 'muxed', index: 1 } }),
  probePicture: async (segment) => ({ ...facts, startMs: startOf(segment) }),
  probeSound: async (segment) => ({ container: 'mpegts', index: 0, startMs: startOf(segment) }),
}

/** What was written to each sink until the source ended, and the code that it ended with. */
async function feed(
  t: TestContext,
  files: Record<string, string>,
  write: Sink['write'] = () => Promise.resolve(),
) {
  const requests: string[] = []
  const server = await aServer((request, response) => {
    const path = (request.url ?? '').slice(1)
    requests.push(path)
    const file = files[path]
    if (file !== undefined) response.end(file)
    else if (/^[va]\d/.test(path)) response.end(path.slice(1))
    else response.writeHead(404).end()
  })
  t.after(() => server[Symbol.asyncDispose]())
  const outboundClient = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
  t.after(() => outboundClient.close())
  const sinks: string[][] = []
  const code = await feedSource({
    outboundClient,
    prober,
    url: `${server.origin}/index.m3u8`,
    height: 1_080,
    onAudioFault() {},
    signal: AbortSignal.timeout(60_000),
    async openSink({ sound }) {
      const sink = [`open ${sound.kind}${sound.kind === 'demuxed' ? ` ${sound.offsetMs}` : ''}`]
      sinks.push(sink)
      return {
        write(track, bytes, durationMs) {
          sink.push(`${track} ${Buffer.from(bytes).toString()}`)
          return write(track, bytes, durationMs, [])
        },
        endAudio: () => void sink.push('end audio'),
        end: () => void sink.push('end'),
      }
    },
  }).catch((error: { readonly code?: string }) => error.code)
  return { code, sinks, requests }
}

const playlist = (seconds: number, ...lines: readonly string[]) =>
  ['#EXTM3U', `#EXT-X-TARGETDURATION:${seconds}`, '#EXT-X-MEDIA-SEQUENCE:1', ...lines].join('\n')

const segments = (seconds: number, ...names: readonly string[]) =>
  names.flatMap((name) => [`#EXTINF:${seconds},`, name])

const MULTIVARIANT = [
  '#EXTM3U',
  '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="s",URI="a.m3u8"',
  '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="s"',
  'v.m3u8',
].join('\n')

describe('segments of a source', { concurrency: true }, () => {
  test('the track that is behind is written next, so that neither runs far ahead', async (t) => {
    const { code, sinks } = await feed(t, {
      'index.m3u8': MULTIVARIANT,
      'v.m3u8': playlist(2, ...segments(2, 'v2000', 'v4000', 'v6000')),
      'a.m3u8': playlist(1, ...segments(1, ...[0, 1, 2, 3, 4, 5, 6, 7].map((second) => `a${second}000`))),
    })

    assert.equal(code, 'source.frozen')
    // Audio that ends before the video starts is dropped.
    const written =
      'open demuxed 0; audio 2000; video 2000; audio 3000; audio 4000; video 4000; audio 5000; ' +
      'audio 6000; video 6000; audio 7000; end audio; end'
    assert.deepEqual(sinks, [written.split('; ')])
  })

  test('a discontinuity of the audio is a break of the video too', async (t) => {
    const { sinks } = await feed(t, {
      'index.m3u8': MULTIVARIANT,
      'v.m3u8': playlist(1, ...segments(1, 'v1000', 'v2000', 'v3000')),
      'a.m3u8': playlist(
        1,
        ...segments(1, 'a1000'),
        '#EXT-X-DISCONTINUITY',
        ...segments(1, 'a2000', 'a3000'),
      ),
    })

    assert.deepEqual(sinks, [
      ['open demuxed 0', 'audio 1000', 'video 1000', 'end'],
      ['open demuxed 0', 'audio 2000', 'video 2000', 'audio 3000', 'video 3000', 'end audio', 'end'],
    ])
  })

  test('missing audio is silence after two target durations, and is no longer requested once the video has failed', async (t) => {
    const { code, sinks, requests } = await feed(t, {
      'index.m3u8': MULTIVARIANT,
      'v.m3u8': playlist(1, ...segments(1, 'v1000', 'v2000', 'v3000')),
      'a.m3u8': playlist(1, ...segments(1, 'a1000')),
    })

    assert.equal(code, 'source.frozen')
    assert.deepEqual(sinks, [
      ['open demuxed 0', 'audio 1000', 'video 1000', 'end audio', 'video 2000', 'video 3000', 'end'],
    ])
    // A request may be in flight.
    await setTimeout(300)
    const before = requests.length
    await setTimeout(2_000)
    assert.equal(requests.length, before)
  })

  test('an encoder that falls further and further behind is too slow', async (t) => {
    const startMs = performance.now()
    const files = {
      // The source advances in real time, whatever the encoder does.
      get 'index.m3u8'() {
        const length = 3 + Math.floor((performance.now() - startMs) / 1_000)
        return playlist(1, ...segments(1, ...Array.from({ length }, (_, at) => `v${at}`)))
      },
    }

    const { code } = await feed(t, files, () => setTimeout(2_600))

    assert.equal(code, 'source.receiver_too_slow')
  })
})
