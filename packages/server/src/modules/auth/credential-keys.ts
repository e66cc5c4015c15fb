import { defineSigningKeys } from '../../platform/signing-keys/signing-keys.ts'

/** How long an access credential lives, and so how long after its last signature a key is asked for. */
const CREDENTIAL_MS = 60 * 60_000

/** For clocks that differ, and for a process that was slow to read the file. */
const PRUNE_MARGIN_MS = 10 * 60_000

/** The keys that sign credentials. */
export const credentialKeys = defineSigningKeys({
  setting: 'CREDENTIAL_KEYS_FILE',
  // Every process looks at the file every five seconds.
  signsAfterMs: 60_000,
  keptMs: CREDENTIAL_MS + PRUNE_MARGIN_MS,
})
