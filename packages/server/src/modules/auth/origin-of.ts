import type { Db } from '../../platform/database/database.ts'
import type { IpCountries } from '../../platform/ip-countries.ts'
import { getAccount } from '../accounts/read.ts'
import { addressGroup } from './address-group.ts'
import { chooseCountry } from './country.ts'
import type { Origin } from './open-session.ts'

export interface CountrySources {
  /** The header in which the operator's own proxy tells the country; empty for none. */
  readonly countryHeader: string
  readonly ipCountries: IpCountries | undefined
}

/** What is read of a call; those of http have it. */
interface OriginCall {
  readonly userAgent: string
  readonly clientAddress: string
  /** It came through a proxy that is trusted. */
  readonly isForwarded: boolean
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly nowMs: number
}

/** Where a call comes from. The account's own country is looked up only where nobody knows better. */
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
