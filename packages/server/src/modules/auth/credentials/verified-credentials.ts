import { hash } from 'node:crypto'
import { type SigningKey, type TokenClaims, verifyToken } from './access-token.ts'

export interface VerifiedCredentialsOptions {
  /** The current keys: a rotation takes effect at the next request. */
  readonly keys: () => ReadonlyMap<string, SigningKey>
  /** Whether the credential was revoked before it expired. */
  readonly isEnded: (claims: TokenClaims) => boolean
  /** The largest number of cached tokens; 2 or more. */
  readonly capacity: number
}

export type CredentialResult =
  | { readonly kind: 'valid'; readonly principal: TokenClaims }
  | { readonly kind: 'rejected'; readonly reason: 'invalid' | 'expired' }

export interface VerifiedCredentials {
  verify(credential: string, nowMs: number): CredentialResult
}

/** A token whose signature was verified. Everything else is checked each time. */
interface Verified {
  readonly key: SigningKey
  readonly result: { readonly kind: 'valid'; readonly principal: TokenClaims }
}

/**
 * Verifies access credentials and caches valid signatures: verifying one takes
 * longer than the rest of a request.
 *
 * Rejected tokens are not cached, so that callers without a credential cannot
 * fill the cache or evict others.
 */
export function createVerifiedCredentials(options: VerifiedCredentialsOptions): VerifiedCredentials {
  const { keys, isEnded } = options
  const cached = createCache<Verified>(options.capacity)

  const check = (digest: string, credential: string, nowMs: number): CredentialResult => {
    const result = verifyToken(keys(), credential, nowMs)
    if (result.kind === 'rejected') return result
    if (isEnded(result.claims)) return INVALID
    const verified: Verified = { key: result.key, result: { kind: 'valid', principal: result.claims } }
    cached.add(digest, verified)
    return verified.result
  }

  return {
    verify(credential, nowMs) {
      // A digest is short, and a memory dump contains no usable credential.
      const digest = hash('sha256', credential, 'base64url')
      const verified = cached.find(digest)
      // Compares the key itself: another key may have been given its id.
      if (verified === undefined || keys().get(verified.key.kid) !== verified.key) {
        return check(digest, credential, nowMs)
      }
      const { principal } = verified.result
      if (nowMs >= principal.expiresMs) return EXPIRED
      return isEnded(principal) ? INVALID : verified.result
    },
  }
}

const INVALID = { kind: 'rejected', reason: 'invalid' } as const satisfies CredentialResult
const EXPIRED = { kind: 'rejected', reason: 'expired' } as const satisfies CredentialResult

/**
 * An approximate LRU cache: two maps of half the capacity each. When the young
 * one is full it replaces the old one, which is dropped with everything unused
 * since. A look-up costs one or two reads of a map.
 */
function createCache<T>(capacity: number) {
  const half = Math.floor(capacity / 2)
  let young = new Map<string, T>()
  let old = new Map<string, T>()

  const add = (digest: string, value: T) => {
    if (young.size >= half) {
      old = young
      young = new Map()
    }
    young.set(digest, value)
  }
  const find = (digest: string): T | undefined => {
    const found = young.get(digest)
    if (found !== undefined) return found
    const aged = old.get(digest)
    if (aged !== undefined) add(digest, aged)
    return aged
  }
  return { add, find }
}
