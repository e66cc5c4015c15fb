import { checkAddress } from '../../platform/guarded-fetch/check-address.ts'
import { OutboundRefused } from '../../platform/guarded-fetch/outbound-refused.ts'
import { AddressRefused } from './errors.ts'

/** Rejects what cannot be an address. Where it may lead is checked by the worker, at each connection. */
export function requireAddress(url: string): void {
  try {
    checkAddress(url, [])
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error
    if (error.code === 'address.invalid') throw AddressRefused(error.message)
  }
}
