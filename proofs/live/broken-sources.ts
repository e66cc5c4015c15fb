import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@continuity/dev/temporary-folder'

const run = promisify(execFile)

/** A source with one fault, and the code that names it. */
export interface BrokenSource {
  readonly name: string
  readonly url: string
  readonly code: string
}

/** What is sent for an address below a source's; undefined for the usual response. */
type Answer = (response: ServerResponse, file: string) => void

/** Seconds of a good stream that the segments are cut from; served over and over. */
const SECONDS = 12
const WINDOW = 5

/** One server with a source for each way in which a source can be broken. */
export async function startBrokenSources(opened: AsyncDisposableStack) {
  const folder = await temporaryFolder(opened)
  const media = {
    good: await makeSegments(folder, 'good', []),
    silent: await makeSegments(folder, 'silent', ['-an']),
    blind: await makeSegments(folder, 'blind', ['-vn']),
    sparse: await makeSegments(folder, 'sparse', ['-g', '900', '-keyint_min', '900', '-sc_threshold', '0']),
  }
  const answers = new Map<string, Answer>()
  const server = createServer((request, response) => {
    const [, name = '', file = ''] = (request.url ?? '').split('/')
    const answer = answers.get(name)
    if (answer === undefined) response.writeHead(404).end()
    else answer(response, file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const sources: BrokenSource[] = []
  const add = (code: string, name: string, answer: Answer) => {
    answers.set(name, answer)
    sources.push({ name, code, url: `http://${host}/${name}/index.m3u8` })
  }
  /** A stream that moves, of which some addresses are answered in another way. */
  const live =
    (segments: readonly Buffer[], special: Record<string, Answer> = {}, tags = ''): Answer =>
    (response, file) => {
      const kind = file.split('-')[0]!
      const own = special[kind]
      if (own !== undefined) own(response, file)
      else if (file === 'index.m3u8') sendPlaylist(response, livePlaylist(tags))
      else send(response, segments[Number(file.split('-')[1]) % segments.length]!)
    }
  const bytes =
    (value: Buffer | string): Answer =>
    (response) =>
      send(response, Buffer.from(value))
  const playlist =
    (text: string): Answer =>
    (response) =>
      sendPlaylist(response, text)
  const status =
    (code: number): Answer =>
    (response) =>
      void response.writeHead(code).end('not here')

  add('source.status', 'not-found', status(404))
  add('source.status', 'forbidden', status(403))
  add('source.status', 'unavailable', status(503))
  add('source.status', 'segments-missing', live(media.good, { segment: status(404) }))
  add('source.not_hls', 'html', bytes('<!doctype html><title>Log in</title>'))
  add('source.not_hls', 'empty', bytes(''))
  add('source.not_hls', 'video-file', bytes(media.good[0]!))
  add('source.playlist_invalid', 'no-target', playlist('#EXTM3U\n#EXTINF:1,\nsegment-0\n'))
  add('source.playlist_invalid', 'nested', nested)
  add('source.not_live', 'recording', playlist(`${livePlaylist('')}#EXT-X-ENDLIST\n`))
  add('source.frozen', 'frozen', frozen(media.good))
  add('source.no_audio', 'no-audio', live(media.silent))
  add('source.no_video', 'no-video', live(media.blind))
  add('source.no_key_frame', 'sparse-key-frames', live(media.sparse.slice(2)))
  add('source.undecodable', 'noise', live([randomBytes(200_000)]))
  add('source.undecodable', 'html-segments', live([Buffer.from('<html>please log in</html>'.repeat(50))]))
  const sampleAes = '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="key"\n'
  add('source.encrypted', 'sample-aes', playlist(livePlaylist(sampleAes)))
  const aes = '#EXT-X-KEY:METHOD=AES-128,URI="key"\n'
  add('source.key_invalid', 'short-key', live(media.good, { key: bytes('short') }, aes))
  add('source.key_invalid', 'wrong-key', live(media.good, { key: bytes(randomBytes(16)) }, aes))
  add(
    'source.redirects',
    'redirects',
    (response) =>
      void response.writeHead(302, { location: `/redirects/${randomBytes(4).toString('hex')}` }).end(),
  )
  add('source.too_slow', 'byte-a-second', drip)
  add('source.too_slow', 'never-answers', () => {})
  add('source.too_large', 'gigabyte-playlist', endless('#EXTM3U\n'))
  add('source.too_large', 'gigabyte-segment', live(media.good, { segment: endless('') }))
  sources.push(
    { name: 'private-address', code: 'source.address_forbidden', url: 'http://10.11.12.13/live.m3u8' },
    { name: 'closed-port', code: 'source.unreachable', url: 'http://127.0.0.1:9/live.m3u8' },
  )
  return { sources, hosts: [host, '127.0.0.1:9'] }
}

/** A window of one-second segments that ends now. */
export function livePlaylist(tags: string): string {
  const last = Math.floor(Date.now() / 1_000)
  const first = last - WINDOW + 1
  const segments = Array.from({ length: WINDOW }, (_, at) => `#EXTINF:1.0,\nsegment-${first + at}\n`)
  return `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:${first}\n${tags}${segments.join('')}`
}

function frozen(segments: readonly Buffer[]): Answer {
  const text = livePlaylist('')
  return (response, file) =>
    file === 'index.m3u8' ? sendPlaylist(response, text) : send(response, segments[0]!)
}

const nested: Answer = (response) =>
  sendPlaylist(response, '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,RESOLUTION=160x90\nindex.m3u8\n')

const drip: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' })
  const timer = setInterval(() => response.write('#'), 1_000)
  response.once('close', () => clearInterval(timer))
}

/** As fast as it is read, and for as long. */
const endless =
  (head: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' })
    response.write(head)
    const chunk = Buffer.alloc(256 * 1_024, '# more\n')
    const fill = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', fill)
    fill()
  }

const send = (response: ServerResponse, bytes: Buffer) =>
  void response.writeHead(200, { 'content-type': 'video/mp2t', 'content-length': bytes.length }).end(bytes)

const sendPlaylist = (response: ServerResponse, text: string) =>
  void response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(text)

export async function makeSegments(
  folder: string,
  name: string,
  options: readonly string[],
): Promise<readonly Buffer[]> {
  const input = ['-f', 'lavfi', '-i', 'testsrc=s=160x90:r=30', '-f', 'lavfi', '-i', 'sine=r=48000']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '30', '-c:a', 'aac', '-ac', '2']
  const cut = [
    '-f',
    'segment',
    '-segment_time',
    '1',
    '-segment_format',
    'mpegts',
    '-break_non_keyframes',
    '1',
  ]
  const files = join(folder, `${name}-%02d.ts`)
  const args = ['-v', 'error', ...input, '-t', `${SECONDS}`, ...codecs, ...options, ...cut, files]
  await run('ffmpeg', args)
  return Promise.all(
    Array.from({ length: SECONDS }, (_, at) =>
      readFile(join(folder, `${name}-${`${at}`.padStart(2, '0')}.ts`)),
    ),
  )
}
