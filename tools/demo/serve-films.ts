import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { listenOn } from './listen-on.ts'

export interface FilmServer {
  readonly port: number
  urlOf(name: string): string
  close(): void
}

/** Serves files of a folder on loopback, with ranges, as a partner would. A file that is not made yet is waited for. */
export async function serveFilms(
  folder: string,
  port: number,
  made: (name: string) => Promise<void>,
): Promise<FilmServer> {
  const server = createServer((request, response) => {
    sendFile(folder, made, request, response).catch(() => response.destroy())
  })
  const used = await listenOn(server, port)
  return {
    port: used,
    urlOf: (name) => `http://127.0.0.1:${used}/${name}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function sendFile(
  folder: string,
  made: (name: string) => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = basename(new URL(request.url ?? '/', 'http://127.0.0.1').pathname)
  await made(name)
  const path = join(folder, name)
  const size = await stat(path).then(
    (it) => it.size,
    () => undefined,
  )
  if (size === undefined) return void response.writeHead(404).end()
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const start = Number(range?.[1] ?? 0)
  const end = Math.min(range?.[2] ? Number(range[2]) : size - 1, size - 1)
  if (start > end) return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end()
  response.writeHead(range === null ? 200 : 206, {
    'content-type': 'video/mp4',
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    ...(range !== null && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  if (request.method === 'HEAD') return void response.end()
  await pipeline(createReadStream(path, { start, end }), response)
}
