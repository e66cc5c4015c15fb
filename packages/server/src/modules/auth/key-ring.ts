import { hkdfSync } from 'node:crypto'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/logger.ts'
import { followKeys } from '../../platform/signing-keys/follow-keys.ts'
import type { SigningKey } from '../../platform/signing-keys/keys-file.ts'
import { credentialKeys } from './credential-keys.ts'

/** The keys of a running process: those that are in the file now. */
export interface KeyRing {
  /** Those that verify. */
  keys(): ReadonlyMap<string, SigningKey>
  /** The one that signs. */
  signingKey(nowMs: number): SigningKey
  /** A secret derived from each key, for the marks of pages: the first one makes them, all open them. */
  markSecrets(): readonly Buffer[]
  /** Looks at the file at once. */
  refresh(): Promise<void>
  close(): void
}

export interface KeyRingOptions {
  readonly logger: Logger
  readonly clock: Clock
  readonly pollMs?: number
}

const MARK_LABEL = 'continuity page marks 1'
const MARK_BYTES = 32

/** Opens the file of the keys that sign credentials, and follows it while the process runs. */
export async function openKeyRing(path: string, options: KeyRingOptions): Promise<KeyRing> {
  const { clock } = options
  const { keys, refresh, close } = await followKeys(path, {
    ...options,
    parse: credentialKeys.parse,
    name: 'credential keys',
  })
  let marks: Marks | undefined // written by `markSecrets`

  const signingKey = (nowMs: number) => {
    const key = credentialKeys.choose(keys().values(), nowMs)
    if (key === undefined) throw new Error('A ring without a key was opened')
    return key
  }

  return {
    keys,
    signingKey,
    markSecrets() {
      const [signing, all] = [signingKey(clock()), keys()]
      if (marks?.signing !== signing || marks.keys !== all)
        marks = { signing, keys: all, secrets: deriveMarkSecrets(signing, all) }
      return marks.secrets
    },
    refresh,
    close,
  }
}

interface Marks {
  readonly signing: SigningKey
  readonly keys: ReadonlyMap<string, SigningKey>
  readonly secrets: readonly Buffer[]
}

function deriveMarkSecrets(signing: SigningKey, keys: ReadonlyMap<string, SigningKey>): readonly Buffer[] {
  const others = [...keys.values()].filter((key) => key !== signing)
  return [signing, ...others].map(({ privateKey }) => {
    const bytes = privateKey.export({ type: 'pkcs8', format: 'der' })
    return Buffer.from(hkdfSync('sha256', bytes, '', MARK_LABEL, MARK_BYTES))
  })
}
