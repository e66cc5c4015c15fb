import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSegmentTexts } from '@continuity/core/hls/segment-texts'
import type { Media } from '@continuity/core/media/media'
import { type BenchChannel, RUNG } from '../bench-channel.ts'

export interface VodOrigin extends AsyncDisposable {
  readonly url: string
}

/** Serves the videos of channels as VOD playlists, `/{channel}/{number}/index.m3u8`, repeating. */
export async function startVodOrigin(channels: readonly BenchChannel[]): Promise<VodOrigin> {
  const texts = createSegmentTexts({ mediaBase: '/media/', keptCharacters: 10_000_000 })
  const videos = channels.map(videosOf)
  const server = createServer(({ url = '' }, response) => {
    const [, channel, number, file] = url.split('/')
    const ofChannel = videos[Number(channel)]!
    const media = ofChannel[Number(number) % ofChannel.length]!
    response.setHeader('content-type', 'application/vnd.apple.mpegurl')
    response.end(file === 'index.m3u8' ? MULTIVARIANT : printVod(media))
  })
  const printVod = (media: Media): string => {
    const lines: string[] = []
    texts.addTexts(lines, media, RUNG, 0, media.segmentCount)
    return `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:5\n${lines.join('')}#EXT-X-ENDLIST\n`
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

const videosOf = ({ day }: BenchChannel): Media[] =>
  day.spans.flatMap(({ show, airing }) =>
    show.kind === 'asset' && airing.type === 'VIDEO' ? [show.media] : [],
  )

const MULTIVARIANT = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=3128000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720
${RUNG}.m3u8
`
