import { type buildConnector, Client } from 'undici'

export interface Clients {
  open(origin: string): Client
  close(client: Client): void
  closeAll(): Promise<void>
}

const MOST_HEADER_BYTES = 16_384

/**
 * A client per request, with one connection. A pool would keep one for every host ever used, and customers choose the
 * hosts.
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
        // Disables keep-alive in undici.
        pipelining: 0,
        maxHeaderSize: MOST_HEADER_BYTES,
        headersTimeout: limits.headersMs,
        // The rate of the body is checked in read-body.ts, which also notices silence.
        bodyTimeout: 0,
      })
      open.add(client)
      return client
    },
    close: (client) => void close(client),
    closeAll: async () => void (await Promise.all([...open].map(close))),
  }
}
