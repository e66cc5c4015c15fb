import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress, sameSpelling } from './address-rules.ts'
import { type AllowList, isAllowed } from './allow-list.ts'
import { OutboundRefused } from './outbound-refused.ts'

/** All addresses of a name, best first. */
export type Lookup = (name: string) => Promise<readonly string[]>

export interface ResolveOptions {
  readonly allow: AllowList
  readonly lookup: Lookup
  readonly lookupMs: number
  /** Addresses of this machine; a public one of them would lead in behind the firewall. */
  readonly ownAddresses: () => readonly string[]
}

/**
 * The addresses that a host may be reached at. Every one of them has passed, so
 * that a name with a good and a bad address gets nowhere, whichever is tried.
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
 * As every program of this machine resolves a name, its hosts file included:
 * that is where operators name their own stores. libuv lets lookups have half of
 * its threads at most, so a slow name server cannot stop the disk.
 */
export const lookupBySystem: Lookup = async (name) =>
  (await systemLookup(name, { all: true })).map(({ address }) => address)

export const addressesOfThisMachine = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses.map(({ address }) => address))
    .filter((address) => isIP(address) !== 0)
    .map(sameSpelling)

export const forbidden = (found: string): OutboundRefused =>
  new OutboundRefused(
    'address.forbidden',
    'The address does not lead to the public internet. Files are fetched from public servers only, ' +
      'unless the operator allows a host by OUTBOUND_ALLOW.',
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
    const message = `The host ${name} could not be resolved; check that the name is right and known in the public DNS.`
    throw new OutboundRefused('address.unresolvable', message, { isFinal, cause })
  } finally {
    clearTimeout(timer)
  }
}
