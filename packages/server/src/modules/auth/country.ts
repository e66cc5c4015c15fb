import type { IpCountries } from '../../platform/ip-countries.ts'
import { readCountry } from '../../platform/ip-countries-code.ts'

export interface CountryClues {
  /** The header in which the operator's own proxy tells the country; undefined where none is named or sent. */
  readonly trustedHeader: string | undefined
  readonly address: string
  /** The operator's file, if there is one. */
  readonly ipCountries: Pick<IpCountries, 'countryOf'> | undefined
  readonly accountCountry: string
}

/**
 * The country of a session, in two capital letters.
 *
 * The proxy at the edge knows best, then the file. A country is always given,
 * because clients in the field do not expect it to be missing: at last, it is
 * the account's.
 */
export function chooseCountry({ trustedHeader, address, ipCountries, accountCountry }: CountryClues): string {
  // XX, ZZ and T1 are how a proxy says that it does not know, or that a country would mislead.
  const told = trustedHeader === undefined ? undefined : readCountry(trustedHeader.trim())
  return told ?? ipCountries?.countryOf(address) ?? accountCountry.toUpperCase()
}
