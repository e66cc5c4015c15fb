import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { orAnyPort } from '@continuity/dev/ports'

/** Listens on loopback at a port, or at any where that is in use. Returns the port. */
export async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(await orAnyPort(port), '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
