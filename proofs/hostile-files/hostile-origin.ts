import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HostileFile } from './hostile-file.ts'

export interface HostileOrigin extends AsyncDisposable {
  /** As the outbound client's allow list names it. */
  readonly host: string
  addressOf(name: string): string
}

/** The one server that may be fetched from; its answers are as hostile as its files. */
export async function startHostileOrigin(files: readonly HostileFile[]): Promise<HostileOrigin> {
  const byName = new Map(files.map((file) => [file.name, file]))
  const server = createServer((request, response) => {
    request.socket.on('error', () => {})
    const body = byName.get(decodeURIComponent(request.url?.slice(1) ?? ''))?.body
    if (body === undefined) response.writeHead(404).end()
    else if (typeof body === 'function') body(request, response)
    else response.writeHead(200, { 'content-length': body.length, 'content-type': 'video/mp4' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    addressOf: (name) => `http://${host}/${encodeURIComponent(name)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
