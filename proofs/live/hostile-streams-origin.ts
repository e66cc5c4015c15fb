import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { livePlaylist } from './broken-sources.ts'
import type { Mutant, Reply } from './hostile-mutants.ts'

export interface HostileOrigin {
  readonly host: string
  urlOf(mutant: Mutant): string
  /** Names of mutants that were requested, and of those whose media was. */
  readonly requested: ReadonlySet<string>
  readonly mediaRequested: ReadonlySet<string>
}

/** One server with a live stream for each mutant, made of the same segments. */
export async function startHostileStreams(
  opened: AsyncDisposableStack,
  mutants: readonly Mutant[],
  segments: readonly Buffer[],
): Promise<HostileOrigin> {
  const byName = new Map(mutants.map((mutant) => [mutant.name, mutant]))
  const requested = new Set<string>()
  const mediaRequested = new Set<string>()
  const server = createServer((request, response) => {
    const parts = (request.url ?? '').split('/')
    const mutant = byName.get(parts[1] ?? '')
    const file = parts.at(-1) ?? ''
    if (mutant === undefined) return void response.writeHead(404).end()
    requested.add(mutant.name)
    if (file.startsWith('index.m3u8')) return send(response, mutant.playlist(livePlaylist('')))
    mediaRequested.add(mutant.name)
    const number = Number(file.split('-')[1] ?? 0) || 0
    send(response, mutant.file(file, segments[number % segments.length]!))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, urlOf: ({ name }) => `http://${host}/${name}/index.m3u8`, requested, mediaRequested }
}

function send(response: ServerResponse, { bytes, claimed, location }: Reply): void {
  if (location !== undefined) return void response.writeHead(302, { location }).end()
  if (claimed === undefined) return void response.end(bytes)
  // Bypasses Node, which does not let a server state a wrong length.
  response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${claimed}\r\n\r\n`)
  response.socket?.end(bytes)
}
