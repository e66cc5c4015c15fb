import { hkdfSync } from 'node:crypto'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import { followKeys } from '../../../platform/signing-keys/follow-keys.ts'
import type { SigningKey } from '../../../platform/signing-keys/keys-file.ts'
import { credentialKeys } from './credential-keys.ts'

/** The keys of a running process: those that are in the file now. */
export interface KeyRing {
  /** The keys that verify. */
  keys(): ReadonlyMap<string, SigningKey>
  /** The key that signs. */
  signingKey(nowMs: number): SigningKey
  /** A secret derived from each key, for page cursors: the first one seals them, all open them. */
  cursorSecrets(): readonly Buffer[]
  /** Reads the file at once. */
  refresh(): Promise<void>
  close(): void
}

export interface KeyRingOptions {
  readonly logger: Logger
  readonly clock: Clock
  readonly pollMs?: number
}

const CURSOR_LABEL = 'continuity page marks 1'
const SECRET_BYTES = 32

/** Opens the key file, and follows it while the process runs. */
export async function openKeyRing(path: string, options: KeyRingOptions): Promise<KeyRing> {
  const { clock } = options
  const { keys, refresh, close } = await followKeys(path, {
    ...options,
    parse: credentialKeys.parse,
    name: 'credential keys',
  })
  let derived: Derived | undefined // written by `cursorSecrets`

  const signingKey = (nowMs: number) => {
    const key = credentialKeys.choose(keys().values(), nowMs)
    if (key === undefined) throw new Error('the key ring is empty')
    return key
  }

  return {
    keys,
    signingKey,
    cursorSecrets() {
      const [signing, all] = [signingKey(clock()), keys()]
      if (derived?.signing !== signing || derived.keys !== all)
        derived = { signing, keys: all, secrets: deriveCursorSecrets(signing, all) }
      return derived.secrets
    },
    refresh,
    close,
  }
}

interface Derived {
  readonly signing: SigningKey
  readonly keys: ReadonlyMap<string, SigningKey>
  readonly secrets: readonly Buffer[]
}

function deriveCursorSecrets(signing: SigningKey, keys: ReadonlyMap<string, SigningKey>): readonly Buffer[] {
  const others = [...keys.values()].filter((key) => key !== signing)
  return [signing, ...others].map(({ privateKey }) => {
    const bytes = privateKey.export({ type: 'pkcs8', format: 'der' })
    return Buffer.from(hkdfSync('sha256', bytes, '', CURSOR_LABEL, SECRET_BYTES))
  })
}
