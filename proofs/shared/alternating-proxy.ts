import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A plain round-robin load balancer in front of nodes: every request goes to the next one. */
export interface AlternatingProxy extends AsyncDisposable {
  readonly url: string
  /** Requests per node. */
  requests(): readonly number[]
  /** Requests that got no answer. */
  failures(): number
}

/** Of one connection, and of what is decoded on the way. */
const OWN = /^(host|connection|keep-alive|transfer-encoding|accept-encoding|content-encoding|content-length)$/

export async function startAlternatingProxy(nodeUrls: readonly (() => string)[]): Promise<AlternatingProxy> {
  const requests = nodeUrls.map(() => 0)
  let [count, failures] = [0, 0]
  const server = createServer(async (request, response) => {
    const at = count % nodeUrls.length
    count += 1
    requests[at]! += 1
    try {
      const kept = Object.entries(request.headers).filter(([name]) => !OWN.test(name))
      const answer = await fetch(new URL(request.url ?? '/', nodeUrls[at]!()), {
        headers: kept as [string, string][],
        redirect: 'manual',
      })
      const body = Buffer.from(await answer.arrayBuffer())
      response.writeHead(
        answer.status,
        [...answer.headers].filter(([name]) => !OWN.test(name)),
      )
      response.end(body)
    } catch {
      failures += 1
      response.writeHead(502).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    failures: () => failures,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
