import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'

/** A partner's server: files of a folder, with ranges and entity tags. */
export interface Origin extends AsyncDisposable {
  /** As the outbound client's allow list names it. */
  readonly host: string
  addressOf(name: string): string
  /** Number of requests for a file. */
  timesOf(name: string): number
  /** Serves so many different files from now on; requests for others wait. */
  serveAtMost(files: number): void
}

export async function startOrigin(folder: string): Promise<Origin> {
  const times = new Map<string, number>()
  const served = new Set<string>()
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  let limit = Number.POSITIVE_INFINITY
  const server = createServer(async (request, response) => {
    const name = basename(decodeURIComponent(request.url ?? ''))
    times.set(name, (times.get(name) ?? 0) + 1)
    if (served.size < limit) served.add(name)
    if (!served.has(name)) {
      const release = waiting.get(name) ?? Promise.withResolvers<void>()
      waiting.set(name, release)
      await release.promise
    }
    serve(join(folder, name), request, response).catch(() => response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    addressOf: (name) => `http://${host}/${encodeURIComponent(name)}`,
    timesOf: (name) => times.get(name) ?? 0,
    serveAtMost(files) {
      limit = files
      for (const [name, release] of waiting) {
        if (served.size >= limit) break
        served.add(name)
        waiting.delete(name)
        release.resolve()
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function serve(file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { size, mtimeMs } = await stat(file)
  const etag = `"${size}-${mtimeMs}"`
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const isPart = from > 0 && from < size && request.headers['if-range'] === etag
  const headers = { etag, 'accept-ranges': 'bytes', 'content-length': size - (isPart ? from : 0) }
  if (isPart) response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${size - 1}/${size}` })
  else response.writeHead(200, headers)
  createReadStream(file, { start: isPart ? from : 0 }).pipe(response)
}
