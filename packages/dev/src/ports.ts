import { once } from 'node:events'
import { createServer } from 'node:net'
import { codeOf } from './fault.ts'

/** A port of the loopback that was free a moment ago; another process may take it before the caller does. */
export async function findFreePort(): Promise<number> {
  return tryToListen(0)
}

/** Checked before anything starts, so that a port in use is reported at once and by its name. */
export async function requireFreePort(port: number): Promise<void> {
  try {
    await tryToListen(port)
  } catch (cause) {
    const reason = codeOf(cause)
    const what =
      reason === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${String(reason)})`
    throw new Error(`Port ${port} ${what}. Set PORT to another one, or to 0 for any free port.`, { cause })
  }
}

/** The port itself, or 0 for any where it is taken. */
export async function orAnyPort(port: number): Promise<number> {
  return tryToListen(port).catch(() => 0)
}

async function tryToListen(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string')
    throw new Error('the server listens on a path, not on a port')
  return address.port
}
