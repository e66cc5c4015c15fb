import { generateKeyPairSync } from 'node:crypto'
import { type SigningKey, signToken, type TokenClaims, verifyToken } from '../../modules/auth/index.ts'
import type { VerifyCredential } from '../principal.ts'

/** The time of every test server. */
export const NOW_MS = Date.parse('2026-03-01T18:00:00Z')

export function aSigningKey(kid = 'key-1'): SigningKey {
  return { kid, createdMs: NOW_MS, ...generateKeyPairSync('ed25519') }
}

export function someClaims(over: Partial<TokenClaims> = {}): TokenClaims {
  return {
    accountId: 'account-1',
    subjectId: 'user-1',
    deviceId: 'device-1',
    sessionId: 'session-1',
    generation: 0,
    roles: ['ROLE_ADMIN'],
    issuedMs: NOW_MS,
    expiresMs: NOW_MS + 3_600_000,
    ...over,
  }
}

const key = aSigningKey()
const keys = new Map([[key.kid, key]])

export const aToken = (over: Partial<TokenClaims> = {}): string => signToken(key, someClaims(over))

/** The headers of a client that is logged in. */
export const credentialHeaders = (over: Partial<TokenClaims> = {}): Record<string, string> => ({
  'x-service-auth': aToken(over),
  'x-service-device': someClaims(over).deviceId,
})

export const verifyCredential: VerifyCredential = (credential, nowMs) => {
  const result = verifyToken(keys, credential, nowMs)
  return result.kind === 'valid' ? { kind: 'valid', principal: result.claims } : result
}
