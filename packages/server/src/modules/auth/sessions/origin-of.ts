import type { Db } from '../../../platform/database/database.ts'
import { readAddress } from '../../../platform/geo/ip-address.ts'
import type { IpCountries } from '../../../platform/geo/ip-countries.ts'
import { readCountry } from '../../../platform/geo/ip-countries-code.ts'
import { getAccount } from '../../accounts/read.ts'
import type { Origin } from './open-session.ts'

export interface CountrySources {
  /** The name of the country header of the operator's own proxy; empty for none. */
  readonly countryHeader: string
  readonly ipCountries: IpCountries | undefined
}

/** The fields of an HTTP call that are read here. */
interface OriginCall {
  readonly userAgent: string
  readonly clientAddress: string
  /** The call came through a trusted proxy. */
  readonly isForwarded: boolean
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly nowMs: number
}

/** Where a call comes from. The account's country is read only if there is no other source. */
export function originOf(call: OriginCall, { countryHeader, ipCountries }: CountrySources): Origin {
  const header = call.isForwarded && countryHeader !== '' ? call.headers[countryHeader] : undefined
  const trustedHeader = typeof header === 'string' ? header : undefined
  const { userAgent, clientAddress: address, nowMs } = call
  return {
    userAgent,
    addressGroup: addressGroup(address),
    nowMs,
    countryOf: async (db: Db, accountId: string) => {
      const known = chooseCountry({ trustedHeader, address, ipCountries, accountCountry: '' })
      return known === '' ? (await getAccount(db, accountId)).country : known
    },
  }
}

const words = new Uint32Array(4)

/**
 * The key by which attempts are counted: an IPv4 address or an IPv6 /64 network,
 * because a single customer connection has at least a /64 of addresses.
 */
export function addressGroup(address: string): string {
  if (readAddress(address, words) !== 4) return address
  return [words[0]!, words[1]!].map((word) => word.toString(16).padStart(8, '0')).join('')
}

interface CountryClues {
  /** The country header of the operator's own proxy; undefined if none is configured or sent. */
  readonly trustedHeader: string | undefined
  readonly address: string
  /** The operator's file, if there is one. */
  readonly ipCountries: Pick<IpCountries, 'countryOf'> | undefined
  readonly accountCountry: string
}

/**
 * The country of a session, in two capital letters.
 *
 * The proxy at the edge takes precedence over the file. Existing clients expect a
 * country, so the account's is the fallback.
 */
export function chooseCountry({ trustedHeader, address, ipCountries, accountCountry }: CountryClues): string {
  // Proxies send XX, ZZ or T1 for an unknown country and for Tor.
  const fromProxy = trustedHeader === undefined ? undefined : readCountry(trustedHeader.trim())
  return fromProxy ?? ipCountries?.countryOf(address) ?? accountCountry.toUpperCase()
}
