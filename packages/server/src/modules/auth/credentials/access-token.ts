import { sign, verify } from 'node:crypto'
import type { SigningKey } from '../../../platform/signing-keys/keys-file.ts'

export type { SigningKey }

/** The claims of an access credential. */
export interface TokenClaims {
  readonly accountId: string
  readonly subjectId: string
  readonly deviceId: string
  readonly sessionId: string
  readonly roles: readonly string[]
  /** The subject's generation when the token was signed; ending all its credentials increments it. */
  readonly generation: number
  readonly issuedMs: number
  readonly expiresMs: number
}

export type TokenResult =
  | { readonly kind: 'valid'; readonly claims: TokenClaims; readonly key: SigningKey }
  | { readonly kind: 'rejected'; readonly reason: 'invalid' | 'expired' }

/** The type of access tokens (RFC 9068): no other token of ours can be used as one. */
const TOKEN_TYPE = 'at+jwt'

/** Our tokens have about 500 bytes. */
const LENGTH_MAXIMUM = 4_096

/**
 * A signed token in the compact form of RFC 7515. Only EdDSA is signed or accepted.
 *
 * Its times are whole seconds and its signature is deterministic, so only the id (RFC 7519 §4.1.7) distinguishes two
 * tokens of the same second. The id is not read: tokens of the previous release have none.
 */
export function signToken(key: SigningKey, claims: TokenClaims, tokenId?: string): string {
  const header = headerOf(key)
  const payload = encode({
    sub: claims.subjectId,
    acc: claims.accountId,
    dev: claims.deviceId,
    sid: claims.sessionId,
    roles: claims.roles,
    gen: claims.generation,
    iat: Math.floor(claims.issuedMs / 1_000),
    exp: Math.floor(claims.expiresMs / 1_000),
    jti: tokenId,
  })
  const signature = sign(null, Buffer.from(`${header}.${payload}`), key.privateKey)
  return `${header}.${payload}.${signature.toString('base64url')}`
}

/** Checks the signature first: of an unsigned token, only the key id is read. */
export function verifyToken(
  keys: ReadonlyMap<string, SigningKey>,
  token: string,
  nowMs: number,
): TokenResult {
  const parts = token.length <= LENGTH_MAXIMUM ? TOKEN.exec(token) : null
  if (parts === null) return INVALID
  const [, header = '', payload = '', signature = ''] = parts
  const key = keys.get(String(decode(header)?.['kid']))
  // The whole header must match, with algorithm and type; other header parameters (RFC 7515 §4.1) are never ours.
  if (key === undefined || header !== headerOf(key)) return INVALID
  const signatureBytes = Buffer.from(signature, 'base64url')
  // 64 bytes leave four unused bits in the last character; only one encoding is accepted.
  if (signatureBytes.toString('base64url') !== signature) return INVALID
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify(null, signed, key.publicKey, signatureBytes)) return INVALID
  const claims = readClaims(decode(payload))
  if (claims === undefined) return INVALID
  if (nowMs >= claims.expiresMs) return { kind: 'rejected', reason: 'expired' }
  return { kind: 'valid', claims, key }
}

const TOKEN = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
const INVALID = { kind: 'rejected', reason: 'invalid' } as const satisfies TokenResult

/** The one header that a key signs. */
const headerOf = ({ kid }: SigningKey) => encode({ alg: 'EdDSA', typ: TOKEN_TYPE, kid })

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function readClaims(payload: Record<string, unknown> | undefined): TokenClaims | undefined {
  const { sub, acc, dev, sid, roles, gen, iat, exp } = payload ?? {}
  const isComplete =
    [sub, acc, dev, sid].every((value) => typeof value === 'string' && value !== '') &&
    Array.isArray(roles) &&
    roles.every((role) => typeof role === 'string') &&
    [gen, iat, exp].every((value) => Number.isSafeInteger(value) && (value as number) >= 0)
  if (!isComplete) return undefined
  return {
    subjectId: sub as string,
    accountId: acc as string,
    deviceId: dev as string,
    sessionId: sid as string,
    roles,
    generation: gen as number,
    issuedMs: (iat as number) * 1_000,
    expiresMs: (exp as number) * 1_000,
  }
}
