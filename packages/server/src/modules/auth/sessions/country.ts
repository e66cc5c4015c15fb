import type { IpCountries } from '../../../platform/geo/ip-countries.ts'
import { readCountry } from '../../../platform/geo/ip-countries-code.ts'

export interface CountryClues {
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
