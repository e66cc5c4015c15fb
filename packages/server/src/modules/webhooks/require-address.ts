import { checkAddress } from '../../platform/outbound/check-address.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import { AddressRejected } from './errors.ts'

/** Rejects an invalid URL. The worker checks the resolved address at each connection. */
export function requireAddress(url: string): void {
  try {
    checkAddress(url, [])
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.code === 'address.invalid') throw AddressRejected(error.message)
  }
}
