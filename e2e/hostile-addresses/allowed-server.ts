import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GOOD } from './lying-names.ts'

export interface AllowedServer extends AsyncDisposable {
  readonly port: number
  readonly origin: string
}

/** The one allowed server. It redirects to the address in its query, to itself, or answers. */
export async function startAllowedServer(): Promise<AllowedServer> {
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '', 'http://server')
    const host = request.headers.host ?? ''
    const location = {
      '/': url.searchParams.get('to') ?? undefined,
      '/again': `http://${host}/`,
      '/loop': '/loop',
    }[url.pathname]
    if (location === undefined) reply.end('here')
    // Raw bytes: a redirect may contain non-ASCII characters.
    else reply.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end()
  })
  server.listen(0, GOOD)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://${GOOD}:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
