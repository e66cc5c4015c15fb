import { sign, verify } from 'node:crypto'
import type { SigningKey } from '../../platform/signing-keys/keys-file.ts'

export type { SigningKey }

/** What an access credential says of its bearer. */
export interface TokenClaims {
  readonly accountId: string
  readonly subjectId: string
  readonly deviceId: string
  readonly sessionId: string
  readonly roles: readonly string[]
  /** Of the subject's credentials when the token was signed; ending them all counts it up. */
  readonly generation: number
  readonly issuedMs: number
  readonly expiresMs: number
}

export type TokenResult =
  | { readonly kind: 'valid'; readonly claims: TokenClaims; readonly key: SigningKey }
  | { readonly kind: 'refused'; readonly reason: 'invalid' | 'expired' }

/** RFC 9068 names this type for access tokens, so that no other token of ours can pass for one. */
const TOKEN_TYPE = 'at+jwt'

/** A token of ours has about 500 bytes; nothing longer is worth a look. */
const LENGTH_MAXIMUM = 4_096

/**
 * A signed token in the compact form of RFC 7515. Only EdDSA is ever made or accepted.
 *
 * Its times are whole seconds and its signature follows from its text, so only the id tells two tokens of one second
 * apart (RFC 7519 §4.1.7). Nobody reads it back: tokens of the release before have none.
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

/** The signature is checked first, so that nothing unsigned is ever interpreted further than its key id. */
export function verifyToken(
  keys: ReadonlyMap<string, SigningKey>,
  token: string,
  nowMs: number,
): TokenResult {
  const parts = token.length <= LENGTH_MAXIMUM ? TOKEN.exec(token) : null
  if (parts === null) return INVALID
  const [, header = '', payload = '', signature = ''] = parts
  const key = keys.get(String(decode(header)?.['kid']))
  // Its algorithm and type with it. Whatever else a header may ask for (RFC 7515 §4.1) we have never written.
  if (key === undefined || header !== headerOf(key)) return INVALID
  const signatureBytes = Buffer.from(signature, 'base64url')
  // 64 bytes leave four bits of the last character free; a token has one spelling all the same.
  if (signatureBytes.toString('base64url') !== signature) return INVALID
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify(null, signed, key.publicKey, signatureBytes)) return INVALID
  const claims = readClaims(decode(payload))
  if (claims === undefined) return INVALID
  if (nowMs >= claims.expiresMs) return { kind: 'refused', reason: 'expired' }
  return { kind: 'valid', claims, key }
}

const TOKEN = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
const INVALID = { kind: 'refused', reason: 'invalid' } as const satisfies TokenResult

/** A key writes one header, to the letter. */
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
