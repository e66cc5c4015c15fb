import type { ServerResponse } from 'node:http'
import type { Bait, HostileFile, Serve } from './hostile-file.ts'

/** Misbehaving servers. Those that are retried come first: they take longest. */
export function badServers({ pipe, forbiddenHosts: [unknownHost, otherPortHost] }: Bait): HostileFile[] {
  const slow = ['fetch.timeout', 'fetch.too_slow', 'fetch.broken']
  const servers: readonly (readonly [string, Serve, readonly string[]])[] = [
    ['a-byte-a-second.mp4', (_, response) => drip(response), slow],
    ['silent.mp4', () => {}, slow],
    ['longer-than-sent.mp4', (_, response) => claim(response, 100_000, 10), slow],
    ['shorter-than-sent.mp4', (_, response) => claim(response, 10, 100_000), [...slow, 'media.unreadable']],
    ['cut-off.mp4', (request) => void request.socket.destroy(), slow],
    ['bad-chunks.mp4', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n'), slow],
    ['endless.mp4', (_, response) => pour(response), ['fetch.too_large']],
    ['claims-much.mp4', (_, response) => claim(response, 900_000_000_000, 10), ['fetch.too_large']],
    ['endless-headers.mp4', raw(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(100_000)}`), ['fetch.too_large']],
    ['compressed.mp4', (_, response) => compress(response), ['fetch.encoded']],
    ['to-a-file.mp4', redirect(`file://${pipe}`), ['address.invalid', 'address.forbidden']],
    ['to-an-unknown-host.mp4', redirect(`http://${unknownHost}/a.mp4`), ['address.forbidden']],
    ['to-another-port.mp4', redirect(`http://${otherPortHost}/a.mp4`), ['address.forbidden']],
    [
      'round-and-round.mp4',
      (request, response) => redirect(request.url ?? '')(request, response),
      ['fetch.too_many_redirects'],
    ],
    ['missing.mp4', (_, response) => void response.writeHead(404).end(), ['fetch.status']],
  ]
  return servers.map(([name, body, codes]) => ({ name, kind: 'server', body, codes }))
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 100_000 })
  const timer = setInterval(() => response.write('a'), 1_000)
  response.on('close', () => clearInterval(timer))
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

/** Declares one length and sends another. */
function claim(response: ServerResponse, declared: number, sent: number): void {
  response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${declared}\r\n\r\n`)
  response.socket?.end(Buffer.alloc(sent, 'a'))
}

function compress(response: ServerResponse): void {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(1_000))
}

const raw =
  (text: string): Serve =>
  ({ socket }) =>
    void socket.end(text)

const redirect =
  (location: string): Serve =>
  (_, response) =>
    void response.writeHead(302, { location }).end()
