import { isIP, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { sameSpelling } from './address-rules.ts'
import { forbidden, type ResolveOptions, resolveHost } from './resolve.ts'

export interface ConnectOptions extends ResolveOptions {
  readonly connectMs: number
  /** Certificates trusted instead of the system's own, as PEM. */
  readonly ca?: string | undefined
}

/** One dead address of a name should not fail a fetch, and twenty should not hold it up. */
const MOST_ADDRESSES = 3

/**
 * The only place where a connection is opened: it resolves, checks, and connects
 * to what it checked. Nothing else can put a socket into the client, so neither
 * a redirect nor a name that changes its mind gets around it.
 */
export function createConnector(options: ConnectOptions): buildConnector.connector {
  const open = buildConnector({
    allowH2: false,
    timeout: options.connectMs,
    maxCachedSessions: 0,
    // Said here so that no variable of the environment can turn it off.
    rejectUnauthorized: true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  return (asked, callback) => {
    connect(asked, open, options).then(
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

/** Certificates are asked of and checked against the name, although the connection goes to an address. */
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
      // Cannot happen while the client connects to an address; if it ever does, nothing is sent.
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
