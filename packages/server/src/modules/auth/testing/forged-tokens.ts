import type { SigningKey, TokenClaims } from '../credentials/access-token.ts'
import { forgedAlgorithms } from './forged-algorithms.ts'
import { forgedClaims } from './forged-claims.ts'
import { forgedForms } from './forged-forms.ts'
import { forgedHeads } from './forged-heads.ts'
import { type Forgeries, openForge } from './forging.ts'

/**
 * Tokens that must be rejected, by what is wrong with them: forged from a token of
 * `key` with the claims `source`, with `other` as the forger's own key.
 */
export function forgedTokens(key: SigningKey, other: SigningKey, source: TokenClaims): Forgeries {
  const forge = openForge(key, other, source)
  return {
    ...forgedAlgorithms(forge),
    ...forgedHeads(forge),
    ...forgedClaims(forge),
    ...forgedForms(forge, source),
  }
}
