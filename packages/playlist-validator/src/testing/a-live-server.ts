import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Gets the number of the last segment that has ended: one every second since the first request
 * for this file, or for any in its folder. */
export type Route = (last: number, response: ServerResponse) => string | undefined

export interface LiveServer extends AsyncDisposable {
  readonly url: string
}

/** The last segment at the first request. */
const FIRST = 10

/** Serves playlists over loopback; a route answers with a text, or by itself. */
export async function startLiveServer(routes: Readonly<Record<string, Route>>): Promise<LiveServer> {
  const startMs = new Map<string, number>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const route = routes[pathname]
    if (route === undefined) {
      response.writeHead(404).end('there is no such file')
      return
    }
    const [, clock = ''] = pathname.split('/')
    const nowMs = performance.now()
    const fromMs = startMs.get(clock) ?? nowMs
    startMs.set(clock, fromMs)
    const text = route(FIRST + Math.floor((nowMs - fromMs) / 1_000), response)
    if (text !== undefined) response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const BEGIN_MS = Date.parse('2026-03-01T12:00:00.000Z')

export interface LiveOptions {
  readonly first?: number
  readonly target?: number
  readonly header?: readonly string[]
  readonly edit?: (line: string, number: number) => string
}

/** A live playlist of segments of one second, up to a segment. */
export function liveText(
  last: number,
  { first = last - 5, target = 1, header = [], edit = (lines) => lines }: LiveOptions = {},
): string {
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const segments = numbers.map((number) => {
    const date = new Date(BEGIN_MS + number * 1_000).toISOString()
    return edit(`#EXT-X-PROGRAM-DATE-TIME:${date}\n#EXTINF:1.000,\nsegment-${number}.ts\n`, number)
  })
  const tags = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
  ]
  return `${[...tags, ...header].join('\n')}\n${segments.join('')}`
}
