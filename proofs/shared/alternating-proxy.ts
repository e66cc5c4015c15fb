import {
  Agent,
  createServer,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A plain round-robin load balancer in front of nodes: every request goes to the next one. */
export interface AlternatingProxy extends AsyncDisposable {
  readonly url: string
  /** Requests per node. */
  requests(): readonly number[]
  /** Requests per node that got no answer. */
  failures(): number
}

export async function startAlternatingProxy(nodeUrls: readonly (() => string)[]): Promise<AlternatingProxy> {
  const agent = new Agent({ keepAlive: true })
  const requests = nodeUrls.map(() => 0)
  let count = 0
  let failures = 0
  const fail = (response: ServerResponse) => {
    failures += 1
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  }
  const server = createServer((request, response) => {
    const at = count % nodeUrls.length
    count += 1
    requests[at]! += 1
    pass(new URL(request.url ?? '/', nodeUrls[at]!()), request, response, agent, () => fail(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    failures: () => failures,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}

function pass(
  address: URL,
  { method = 'GET', headers }: IncomingMessage,
  response: ServerResponse,
  agent: Agent,
  onFailure: () => void,
): void {
  const { host: _host, connection: _connection, ...kept } = headers
  const onward = openRequest(address, { method, headers: kept, agent }, (answer) => {
    const { connection: _theirs, 'keep-alive': _lasting, ...answerHeaders } = answer.headers
    response.writeHead(answer.statusCode ?? 502, answerHeaders)
    answer.pipe(response)
  })
  // A viewer that disconnects is not a failure.
  onward.on('error', () => response.closed || onFailure())
  response.on('close', () => onward.destroy())
  onward.end()
}
