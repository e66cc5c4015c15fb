import { type buildConnector, Client } from 'undici'

export interface Clients {
  open(origin: string): Client
  close(client: Client): void
  closeAll(): Promise<void>
}

const MOST_HEADER_BYTES = 16_384

/**
 * A client for each request, with one connection. A pool would keep one for
 * every host that was ever asked, and strangers choose the hosts.
 */
export function createClients(
  connect: buildConnector.connector,
  limits: { readonly headersMs: number },
): Clients {
  const open = new Set<Client>()
  const close = (client: Client) => {
    open.delete(client)
    return client.destroy()
  }
  return {
    open(origin) {
      const client = new Client(origin, {
        connect,
        // Undici's way to say that a connection is not kept.
        pipelining: 0,
        maxHeaderSize: MOST_HEADER_BYTES,
        headersTimeout: limits.headersMs,
        // The pace of the body is watched in read-body.ts, which also notices silence.
        bodyTimeout: 0,
      })
      open.add(client)
      return client
    },
    close: (client) => void close(client),
    closeAll: async () => void (await Promise.all([...open].map(close))),
  }
}
