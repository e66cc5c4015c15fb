import type { SigningKey, TokenClaims } from '../access-token.ts'
import { forgedAlgorithms } from './forged-algorithms.ts'
import { forgedClaims } from './forged-claims.ts'
import { forgedForms } from './forged-forms.ts'
import { forgedHeads } from './forged-heads.ts'
import { type Forgeries, openForge } from './forging.ts'

/**
 * Tokens that must be refused, by what is wrong with them: what can be made of
 * a good token of `key` that says `said`, with `other` as the forger's own key.
 */
export function forgedTokens(key: SigningKey, other: SigningKey, said: TokenClaims): Forgeries {
  const forge = openForge(key, other, said)
  return {
    ...forgedAlgorithms(forge),
    ...forgedHeads(forge),
    ...forgedClaims(forge),
    ...forgedForms(forge, said),
  }
}
