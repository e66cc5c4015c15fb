import type { Logger } from '../logger.ts'
import { type KeysResult, readKeysText, type VerifyingKey } from './keys-file.ts'

/** The keys of a running process: those that are in the file now. */
export interface FollowedKeys<Key> {
  /** Another map after every change; a key that is still the same stays the same object. */
  keys(): ReadonlyMap<string, Key>
  /** Reads the file at once. */
  refresh(): Promise<void>
  close(): void
}

export interface FollowKeysOptions<Key> {
  readonly parse: (path: string, text: string | undefined) => KeysResult<Key, unknown>
  /** As the log names them. */
  readonly name: string
  readonly logger: Logger
  readonly pollMs?: number
}

const POLL_MS = 5_000

/**
 * Opens a file of keys and follows it while the process runs, so that keys are rotated without a restart. A file that
 * cannot be read now is thrown; one that breaks later is logged, and the last good keys stay.
 *
 * The text is compared and not the time of the file: it is small, and a file that is written twice within a tick of the
 * disk's clock has one time.
 */
export async function followKeys<Key extends VerifyingKey>(
  path: string,
  { parse, name, logger, pollMs = POLL_MS }: FollowKeysOptions<Key>,
): Promise<FollowedKeys<Key>> {
  let text = await readKeysText(path) // written by `look` only, like the keys
  const first = parse(path, text)
  if (first.kind === 'refused') throw new Error(first.fault)
  let keys = first.keys

  const look = async () => {
    const found = await readKeysText(path)
    if (found === text) return
    text = found
    const result = parse(path, found)
    if (result.kind === 'refused') {
      logger.error({ fault: result.fault }, `the ${name} have a fault: the last good ones stay`)
      return
    }
    keys = keepSame(keys, result.keys)
    logger.info({ kids: [...keys.keys()] }, `the ${name} have changed`)
  }

  // One look after the other, so that an older text never replaces a newer one.
  let looked = Promise.resolve()
  const refresh = () => {
    looked = looked.then(look)
    return looked
  }
  const timer = setInterval(() => void refresh(), pollMs).unref()
  return { keys: () => keys, refresh, close: () => clearInterval(timer) }
}

/** A key that is still the same stays the same object, by which others know what they have verified with it. */
function keepSame<Key extends VerifyingKey>(
  before: ReadonlyMap<string, Key>,
  after: ReadonlyMap<string, Key>,
): ReadonlyMap<string, Key> {
  const kept = [...after].map(([kid, key]): [string, Key] => {
    const old = before.get(kid)
    const isSame = old?.createdMs === key.createdMs && old.publicKey.equals(key.publicKey)
    return [kid, isSame ? old : key]
  })
  return new Map(kept)
}
