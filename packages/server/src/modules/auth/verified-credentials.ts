import { hash } from 'node:crypto'
import { type SigningKey, type TokenClaims, verifyToken } from './access-token.ts'

export interface VerifiedCredentialsOptions {
  /** The keys of now: whoever rotates them is heard at the next request. */
  readonly keys: () => ReadonlyMap<string, SigningKey>
  /** Whether the session was ended, though its token would still be good. */
  readonly isEnded: (claims: TokenClaims) => boolean
  /** How many tokens are remembered at most; 2 or more. */
  readonly capacity: number
}

export type CredentialResult =
  | { readonly kind: 'valid'; readonly principal: TokenClaims }
  | { readonly kind: 'refused'; readonly reason: 'invalid' | 'expired' }

export interface VerifiedCredentials {
  verify(credential: string, nowMs: number): CredentialResult
}

/** What stays true of a token: its signature. All else is looked at each time. */
interface Verified {
  readonly key: SigningKey
  readonly result: { readonly kind: 'valid'; readonly principal: TokenClaims }
}

/**
 * Checks access credentials, and remembers whose signature was good: checking
 * one takes longer than all the rest of a request.
 *
 * A refusal is never remembered, so that nobody without a credential can fill
 * the memory or push others out of it.
 */
export function createVerifiedCredentials(options: VerifiedCredentialsOptions): VerifiedCredentials {
  const { keys, isEnded } = options
  const remembered = createMemory<Verified>(options.capacity)

  const check = (digest: string, credential: string, nowMs: number): CredentialResult => {
    const result = verifyToken(keys(), credential, nowMs)
    if (result.kind === 'refused') return result
    if (isEnded(result.claims)) return INVALID
    const verified: Verified = { key: result.key, result: { kind: 'valid', principal: result.claims } }
    remembered.add(digest, verified)
    return verified.result
  }

  return {
    verify(credential, nowMs) {
      // A digest: it is short, and a dump of the memory holds no credential that could be used.
      const digest = hash('sha256', credential, 'base64url')
      const verified = remembered.find(digest)
      // The key itself and not its id alone, which could have been given to another key.
      if (verified === undefined || keys().get(verified.key.kid) !== verified.key) {
        return check(digest, credential, nowMs)
      }
      const { principal } = verified.result
      if (nowMs >= principal.expiresMs) return EXPIRED
      return isEnded(principal) ? INVALID : verified.result
    },
  }
}

const INVALID = { kind: 'refused', reason: 'invalid' } as const satisfies CredentialResult
const EXPIRED = { kind: 'refused', reason: 'expired' } as const satisfies CredentialResult

/**
 * Two maps of half the capacity each. When the young one is full it becomes
 * the old one, and the old one is dropped whole, with all that nobody asked
 * for meanwhile. So what was in use lately stays, as in a list kept in order
 * of use, but a look-up moves nothing: it is one or two readings of a map,
 * however much is remembered.
 */
function createMemory<T>(capacity: number) {
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
