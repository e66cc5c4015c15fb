import type { IncomingHttpHeaders } from 'node:http'
import { type Access, authHeader, deviceHeaders } from '@continuity/contract'
import { ExpiredCredential, InvalidCredential, MissingCredential, MissingRole } from './errors.ts'
import type { Principal, VerifyCredential } from './principal.ts'

/** Requires a credential that is valid, belongs to the device that sends it, and holds a role that is let in. */
export function authenticate(
  access: Exclude<Access, 'public'>,
  verify: VerifyCredential,
  headers: IncomingHttpHeaders,
  nowMs: number,
): Principal {
  const credential = headers[authHeader]
  const deviceIds = deviceHeaders.map((name) => headers[name]).filter((value) => value !== undefined)
  if (typeof credential !== 'string' || credential === '' || deviceIds.length === 0) throw MissingCredential()

  const result = verify(credential, nowMs)
  if (result.kind === 'refused') throw result.reason === 'expired' ? ExpiredCredential() : InvalidCredential()
  const { principal } = result
  // A repeated header arrives joined by a comma, and so is no device's id. Two spellings that differ are refused too.
  if (deviceIds.some((deviceId) => deviceId !== principal.deviceId)) throw InvalidCredential()
  if (access !== 'any' && !access.some((role) => principal.roles.includes(role))) throw MissingRole(access)
  return principal
}
