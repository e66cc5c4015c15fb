import { isIP, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { sameSpelling } from './address-rules.ts'
import { forbidden, type ResolveOptions, resolveHost } from './resolve.ts'

export interface ConnectOptions extends ResolveOptions {
  readonly connectMs: number
  /** PEM certificates trusted instead of the system's own. */
  readonly ca?: string | undefined
}

/** One dead address of a name should not fail a fetch, and twenty should not delay it. */
const MOST_ADDRESSES = 3

/**
 * The only code that opens a connection: it resolves, checks, and connects to the address that it checked. The HTTP
 * client gets its sockets only from here, so neither a redirect nor DNS rebinding bypasses the check.
 */
export function createConnector(options: ConnectOptions): buildConnector.connector {
  const open = buildConnector({
    allowH2: false,
    timeout: options.connectMs,
    maxCachedSessions: 0,
    // Set here so that no environment variable can turn it off.
    rejectUnauthorized: true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  return (target, callback) => {
    connect(target, open, options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }
}

async function connect(
  { hostname, protocol, port }: buildConnector.Options,
  open: buildConnector.connector,
  options: ConnectOptions,
): Promise<Socket> {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  const addresses = await resolveHost(hostname, number, options)
  const target = { protocol, port: String(number), ...nameFor(protocol, hostname) }
  let fault: unknown
  for (const address of addresses.slice(0, MOST_ADDRESSES)) {
    try {
      return await openTo(address, target, open)
    } catch (error) {
      fault = error
    }
  }
  throw fault
}

/** Certificates are requested for and verified against the name, although the connection goes to an address. */
const nameFor = (protocol: string, hostname: string): { servername?: string } =>
  protocol === 'https:' && isIP(hostname) === 0 ? { servername: hostname } : {}

function openTo(
  address: string,
  target: { readonly protocol: string; readonly port: string; readonly servername?: string },
  open: buildConnector.connector,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    open({ ...target, hostname: address }, (error, socket) => {
      if (error !== null) return reject(error)
      // Cannot happen while the client connects to an address; if it does, nothing is sent.
      if (!isAt(socket, address)) {
        socket.destroy()
        return reject(forbidden(`connected to ${socket.remoteAddress} instead of ${address}`))
      }
      resolve(socket)
    })
  })
}

const isAt = ({ remoteAddress }: Socket, address: string): boolean =>
  remoteAddress !== undefined && sameSpelling(remoteAddress) === sameSpelling(address)
