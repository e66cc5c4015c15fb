import { hkdfSync } from 'node:crypto'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/logger.ts'
import type { SigningKey } from './access-token.ts'
import { parseCredentialKeys, readKeysText } from './credential-keys.ts'
import { chooseSigningKey } from './credential-keys-rotation.ts'

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

const POLL_MS = 5_000
const MARK_LABEL = 'continuity page marks 1'
const MARK_BYTES = 32

/**
 * Opens the file of keys and follows it while the process runs, so that keys
 * are rotated without a restart. A file that cannot be read now is thrown; one
 * that breaks later is logged, and the last good keys stay.
 *
 * The text is compared and not the time of the file: it is small, and a file
 * that is written twice within a tick of the disk's clock has one time.
 */
export async function openKeyRing(path: string, options: KeyRingOptions): Promise<KeyRing> {
  const { logger, clock } = options
  let text = await readKeysText(path) // written by `look` only
  const first = parseCredentialKeys(path, text)
  if (first.kind === 'refused') throw new Error(first.fault)
  let keys = first.keys // written by `look` only
  let marks: Marks | undefined // written by `markSecrets`, and cleared by `look`

  const look = async () => {
    const found = await readKeysText(path)
    if (found === text) return
    text = found
    const result = parseCredentialKeys(path, found)
    if (result.kind === 'refused') {
      logger.error({ fault: result.fault }, 'the credential keys have a fault: the last good ones stay')
      return
    }
    keys = keepSame(keys, result.keys)
    marks = undefined
    logger.info({ kids: [...keys.keys()] }, 'the credential keys have changed')
  }

  // One look after the other, so that an older text never replaces a newer one.
  let looked = Promise.resolve()
  const refresh = () => {
    looked = looked.then(look)
    return looked
  }
  const timer = setInterval(() => void refresh(), options.pollMs ?? POLL_MS).unref()

  const signingKey = (nowMs: number) => {
    const key = chooseSigningKey(keys.values(), nowMs)
    if (key === undefined) throw new Error('A ring without a key was opened')
    return key
  }

  return {
    keys: () => keys,
    signingKey,
    markSecrets() {
      const signing = signingKey(clock())
      if (marks?.signing !== signing) marks = { signing, secrets: deriveMarkSecrets(signing, keys) }
      return marks.secrets
    },
    refresh,
    close: () => clearInterval(timer),
  }
}

interface Marks {
  readonly signing: SigningKey
  readonly secrets: readonly Buffer[]
}

/** A key that is still the same stays the same object, by which others know what they have verified with it. */
function keepSame(
  before: ReadonlyMap<string, SigningKey>,
  after: ReadonlyMap<string, SigningKey>,
): ReadonlyMap<string, SigningKey> {
  const kept = [...after].map(([kid, key]): [string, SigningKey] => {
    const old = before.get(kid)
    const isSame = old?.createdMs === key.createdMs && old.privateKey.equals(key.privateKey)
    return [kid, isSame ? old : key]
  })
  return new Map(kept)
}

function deriveMarkSecrets(signing: SigningKey, keys: ReadonlyMap<string, SigningKey>): readonly Buffer[] {
  const others = [...keys.values()].filter((key) => key !== signing)
  return [signing, ...others].map(({ privateKey }) => {
    const bytes = privateKey.export({ type: 'pkcs8', format: 'der' })
    return Buffer.from(hkdfSync('sha256', bytes, '', MARK_LABEL, MARK_BYTES))
  })
}
