import type { Logger } from '../log/logger.ts'
import { type KeysResult, readKeysText, type VerifyingKey } from './keys-file.ts'

/** The keys of a running process: those in the file now. */
export interface FollowedKeys<Key> {
  /** A new map after every change; an unchanged key stays the same object. */
  keys(): ReadonlyMap<string, Key>
  /** Reads the file now. */
  refresh(): Promise<void>
  close(): void
}

export interface FollowKeysOptions<Key> {
  readonly parse: (path: string, text: string | undefined) => KeysResult<Key, unknown>
  /** Their name in the log. */
  readonly name: string
  readonly logger: Logger
  readonly pollMs?: number
}

const POLL_MS = 5_000

/**
 * Opens a key file and polls it while the process runs, so that keys are rotated without a restart. An invalid file is
 * thrown at the start; later it is logged, and the last valid keys stay in use.
 *
 * The text is compared, not the modification time: the file is small, and two writes within a tick of the disk's clock
 * have the same time.
 */
export async function followKeys<Key extends VerifyingKey>(
  path: string,
  { parse, name, logger, pollMs = POLL_MS }: FollowKeysOptions<Key>,
): Promise<FollowedKeys<Key>> {
  let text = await readKeysText(path) // set by `poll` only, like the keys
  const first = parse(path, text)
  if (first.kind === 'rejected') throw new Error(first.fault)
  let keys = first.keys

  const poll = async () => {
    const found = await readKeysText(path)
    if (found === text) return
    text = found
    const result = parse(path, found)
    if (result.kind === 'rejected') {
      logger.error({ fault: result.fault }, `invalid ${name} file; keeping the last valid keys`)
      return
    }
    keys = keepSame(keys, result.keys)
    logger.info({ kids: [...keys.keys()] }, `${name} changed`)
  }

  // One after another, so that an older text never replaces a newer one.
  let polled = Promise.resolve()
  const refresh = () => {
    polled = polled.then(poll)
    return polled
  }
  const timer = setInterval(() => void refresh(), pollMs).unref()
  return { keys: () => keys, refresh, close: () => clearInterval(timer) }
}

/** An unchanged key stays the same object, by which callers cache what they have verified with it. */
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
