import type { IncomingMessage, ServerResponse } from 'node:http'
import { aServer, type TestServer } from './a-server.ts'

export interface ServedFile {
  content: Buffer
  etag?: string
  lastModified?: string
  hasRanges: boolean
  /** A server may answer a range with less of it (RFC 9110 §15.3.7). */
  mostOfRange?: number
  /** How many bytes each of the next answers sends before it stalls. */
  readonly silentAfter: number[]
}

export interface FileServer extends TestServer {
  readonly file: ServedFile
  /** The Range of each request, in order. */
  readonly requestedRanges: (string | undefined)[]
  /** Breaks the connection of a stalled answer, once all of its bytes have arrived. */
  breakAt(arrivedBytes: number): void
}

/** Serves one file with ranges (RFC 9110 §14). */
export async function aFileServer(given: Partial<ServedFile> & { content: Buffer }): Promise<FileServer> {
  const file: ServedFile = { etag: '"1"', hasRanges: true, silentAfter: [], ...given }
  const requestedRanges: (string | undefined)[] = []
  let silent: Silent | undefined
  const server = await aServer((request, reply) => {
    requestedRanges.push(request.headers.range)
    silent = serve(file, request, reply)
  })
  const breakAt = (arrivedBytes: number) => {
    if (silent?.atByte === arrivedBytes) silent.reply.destroy()
  }
  return { ...server, file, requestedRanges, breakAt }
}

interface Silent {
  readonly atByte: number
  readonly reply: ServerResponse
}

function serve(file: ServedFile, request: IncomingMessage, reply: ServerResponse): Silent | undefined {
  const { content, etag, lastModified } = file
  if (etag !== undefined) reply.setHeader('etag', etag)
  if (lastModified !== undefined) reply.setHeader('last-modified', lastModified)
  reply.setHeader('content-type', 'video/mp4')
  const from = rangeFor(file, request)
  if (from !== undefined && from >= content.length) {
    reply.writeHead(416, { 'content-range': `bytes */${content.length}` }).end()
    return undefined
  }
  const body = content.subarray(
    from ?? 0,
    from === undefined ? undefined : from + (file.mostOfRange ?? Infinity),
  )
  reply.writeHead(from === undefined ? 200 : 206, {
    'content-length': body.length,
    ...(from === undefined
      ? {}
      : { 'content-range': `bytes ${from}-${from + body.length - 1}/${content.length}` }),
  })
  const silentAfter = file.silentAfter.shift()
  if (silentAfter === undefined) reply.end(body)
  else reply.write(body.subarray(0, silentAfter))
  return silentAfter === undefined ? undefined : { atByte: (from ?? 0) + silentAfter, reply }
}

function rangeFor(file: ServedFile, { headers }: IncomingMessage): number | undefined {
  const from = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]
  const isSame = headers['if-range'] === file.etag || headers['if-range'] === file.lastModified
  return file.hasRanges && isSame && from !== undefined ? Number(from) : undefined
}
