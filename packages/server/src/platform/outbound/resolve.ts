import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress, sameSpelling } from './address-rules.ts'
import { type AllowList, isAllowed } from './allow-list.ts'
import { OutboundError } from './outbound-error.ts'

/** All addresses of a name, best first. */
export type Lookup = (name: string) => Promise<readonly string[]>

export interface ResolveOptions {
  readonly allow: AllowList
  readonly lookup: Lookup
  readonly lookupMs: number
  /** Addresses of this machine; a public one of them would bypass the firewall. */
  readonly ownAddresses: () => readonly string[]
}

/**
 * The addresses of a host. All of them have passed the rules: a name with an allowed and a forbidden address is
 * rejected.
 */
export async function resolveHost(
  host: string,
  port: number,
  options: ResolveOptions,
): Promise<readonly string[]> {
  const { allow } = options
  const addresses = isIP(host) === 0 ? await lookUp(host, options) : [host]
  if (isAllowed(allow, host, port)) return addresses
  const own = new Set(options.ownAddresses())
  const isFine = (address: string) =>
    isAllowed(allow, address, port) || (isPublicAddress(address) && !own.has(sameSpelling(address)))
  const bad = addresses.find((address) => !isFine(address))
  if (bad !== undefined) throw forbidden(`${host} is at ${bad}`)
  return addresses
}

/**
 * Resolves like every program of this machine, including its hosts file, where operators name their own stores. libuv
 * uses at most half of its threads for lookups, so a slow DNS server cannot block file operations.
 */
export const lookupBySystem: Lookup = async (name) =>
  (await systemLookup(name, { all: true })).map(({ address }) => address)

export const addressesOfThisMachine = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses.map(({ address }) => address))
    .filter((address) => isIP(address) !== 0)
    .map(sameSpelling)

export const forbidden = (found: string): OutboundError =>
  new OutboundError(
    'address.forbidden',
    'The address does not lead to the public internet. Files are fetched from public servers only, ' +
      'unless the operator allows a host in OUTBOUND_ALLOW.',
    { isFinal: true, cause: new Error(found) },
  )

async function lookUp(name: string, { lookup, lookupMs }: ResolveOptions): Promise<readonly string[]> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${lookupMs} ms`)), lookupMs)
  try {
    const addresses = await Promise.race([lookup(name), late])
    if (addresses.length === 0) throw new Error('no addresses')
    return addresses
  } catch (cause) {
    const isFinal = (cause as { code?: unknown }).code === 'ENOTFOUND'
    const message = `The host ${name} could not be resolved; check that the name is correct and in the public DNS.`
    throw new OutboundError('address.unresolvable', message, { isFinal, cause })
  } finally {
    clearTimeout(timer)
  }
}
