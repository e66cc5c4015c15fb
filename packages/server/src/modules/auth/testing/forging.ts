import { createHmac, type KeyObject, sign } from 'node:crypto'
import { type SigningKey, signToken, type TokenClaims } from '../credentials/access-token.ts'

/** Forged tokens by what is wrong with them. */
export type Forgeries = Readonly<Record<string, string>>

/** A valid token with its parts, and the keys to forge others from it. */
export interface Forge {
  /** Our own key: tokens that we never sign must be rejected even with its signature. */
  readonly key: SigningKey
  /** The forger's own. */
  readonly other: SigningKey
  readonly token: string
  readonly header: string
  readonly payload: string
  readonly signature: string
  readonly head: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

export function openForge(key: SigningKey, other: SigningKey, source: TokenClaims): Forge {
  const token = signToken(key, source)
  const [header, payload, signature] = token.split('.') as [string, string, string]
  return { key, other, token, header, payload, signature, head: decode(header), claims: decode(payload) }
}

/** A string is encoded as it is, for JSON that no object can express, such as a duplicate member. */
export function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

export function signed(head: unknown, claims: unknown, privateKey: KeyObject): string {
  const text = `${encode(head)}.${encode(claims)}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

/** Accepted by a verifier that lets the token choose its algorithm. */
export function hmac(head: object, payload: string, hash: string, secret: string | Buffer): string {
  const text = `${encode(head)}.${payload}`
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}

const decode = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
