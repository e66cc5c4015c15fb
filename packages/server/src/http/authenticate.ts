import type { IncomingHttpHeaders } from 'node:http'
import { type Access, authHeader, deviceHeaders } from '@continuity/contract'
import { ExpiredCredential, InvalidCredential, MissingCredential, MissingRole } from './errors.ts'
import type { Principal, VerifyCredential } from './principal.ts'

const [deviceHeader, otherDeviceHeader] = deviceHeaders

/** Requires a valid credential that belongs to the sending device and has an allowed role. */
export function authenticate(
  access: Exclude<Access, 'public'>,
  verify: VerifyCredential,
  headers: IncomingHttpHeaders,
  nowMs: number,
): Principal {
  const credential = headers[authHeader]
  const device = headers[deviceHeader]
  const otherDevice = headers[otherDeviceHeader]
  const isNamed = device !== undefined || otherDevice !== undefined
  if (typeof credential !== 'string' || credential === '' || !isNamed) throw MissingCredential()

  const result = verify(credential, nowMs)
  if (result.kind === 'rejected')
    throw result.reason === 'expired' ? ExpiredCredential() : InvalidCredential()
  const { principal } = result
  const { deviceId } = principal
  // A repeated header arrives joined by a comma and so matches no device. Two spellings that differ are rejected too.
  if ((device ?? deviceId) !== deviceId || (otherDevice ?? deviceId) !== deviceId) throw InvalidCredential()
  if (access !== 'any' && !access.some((role) => principal.roles.includes(role))) throw MissingRole(access)
  return principal
}
