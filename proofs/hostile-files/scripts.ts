import { type Bait, type HostileFile, texts } from './hostile-file.ts'

/** Scripts that ffmpeg or similar programs would execute. */
export const scripts = ({ pipe, video, forbiddenHosts: [unknownHost, otherPortHost] }: Bait): HostileFile[] =>
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
export const manifests = ({
  pipe,
  video,
  forbiddenHosts: [unknownHost, otherPortHost],
}: Bait): HostileFile[] =>
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
