import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SEGMENT_SECONDS = 2
const WINDOW = 6

/** A film in segments: a live source lists them one by one; concatenated they are the file. */
export interface LiveFilm {
  readonly file: string
  readonly host: string
  /** The address of a new live stream, which begins with the film at the first request. */
  newStream(): string
}

export interface FilmOptions {
  readonly folder: string
  readonly seconds: number
  readonly size: string
}

export async function makeLiveFilm(opened: AsyncDisposableStack, options: FilmOptions): Promise<LiveFilm> {
  const count = Math.ceil(options.seconds / SEGMENT_SECONDS)
  await run('ffmpeg', filmArguments(options, count * SEGMENT_SECONDS))
  const names = Array.from({ length: count }, (_, at) => `film-${at}.ts`)
  const segments = await Promise.all(names.map((name) => readFile(join(options.folder, name))))
  const file = join(options.folder, 'film.ts')
  await writeFile(file, Buffer.concat(segments))

  const startsMs = new Map<string, number>()
  const server = createServer((request, response) => {
    const [, stream = '', name = ''] = (request.url ?? '').split('/')
    if (name !== 'index.m3u8') {
      response.end(segments[names.indexOf(name)])
      return
    }
    if (!startsMs.has(stream)) startsMs.set(stream, performance.now())
    const playedMs = performance.now() - startsMs.get(stream)!
    response.setHeader('content-type', 'application/vnd.apple.mpegurl')
    response.end(printWindow(names, playedMs))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  let streams = 0
  return {
    file,
    host,
    newStream() {
      streams += 1
      return `http://${host}/${streams}/index.m3u8`
    },
  }
}

/** A full window at the start, and one more segment whenever one has played. */
function printWindow(names: readonly string[], playedMs: number): string {
  const end = Math.min(names.length, WINDOW + Math.floor(playedMs / (1_000 * SEGMENT_SECONDS)))
  const first = Math.max(0, end - WINDOW)
  const listed = names.slice(first, end).map((name) => `#EXTINF:${SEGMENT_SECONDS},\n${name}\n`)
  const head = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:${SEGMENT_SECONDS}\n`
  return `${head}#EXT-X-MEDIA-SEQUENCE:${first}\n${listed.join('')}`
}

function filmArguments({ folder, size }: FilmOptions, seconds: number): readonly string[] {
  const gop = `${30 * SEGMENT_SECONDS}`
  return [
    ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=${size}:r=30`],
    ['-f', 'lavfi', '-i', "aevalsrc='0.1*sin(600*t)*(1+sin(t))|0.1*random(0)*sin(0.3*t):s=48000'"],
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-b:v', '8M', '-maxrate', '8M'],
    ['-bufsize', '8M', '-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-c:a', 'aac'],
    // As of a broadcaster. Without them a small picture is taken for BT.601, whose conversion costs half of the encoding.
    ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
    ['-t', `${seconds}`, '-f', 'hls', '-hls_time', `${SEGMENT_SECONDS}`, '-hls_list_size', '0'],
    ['-hls_segment_filename', join(folder, 'film-%d.ts'), join(folder, 'film.m3u8')],
  ].flat()
}
