import type { Db } from '../../../platform/database/database.ts'
import type { IpCountries } from '../../../platform/geo/ip-countries.ts'
import { getAccount } from '../../accounts/read.ts'
import { addressGroup } from './address-group.ts'
import { chooseCountry } from './country.ts'
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
