import { defineSigningKeys } from '../../../platform/signing-keys/signing-keys.ts'

/** The lifetime of an access credential: how long a key must verify after its last signature. */
const CREDENTIAL_MS = 60 * 60_000

/** For clock skew, and for processes that read the file late. */
const PRUNE_MARGIN_MS = 10 * 60_000

/** The keys that sign credentials. */
export const credentialKeys = defineSigningKeys({
  setting: 'CREDENTIAL_KEYS_FILE',
  // Every process reads the file every five seconds.
  signsAfterMs: 60_000,
  keptMs: CREDENTIAL_MS + PRUNE_MARGIN_MS,
})
