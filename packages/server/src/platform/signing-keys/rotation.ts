import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type KeyEntry, type KeysFile, readCreatedMs } from './credential-keys.ts'

/**
 * How long a new key only verifies. Every process looks at the file every five
 * seconds, so by then all of them accept what the first one signs with it.
 */
export const SIGNS_AFTER_MS = 60_000

/** How long an access credential lives, and so how long after its last signature a key is asked for. */
const CREDENTIAL_MS = 60 * 60_000

/** For clocks that differ, and for a process that was slow to read the file. */
const PRUNE_MARGIN_MS = 10 * 60_000

/** When a key was made, and its name to settle a tie: alike for every process that reads the file. */
export interface Dated {
  readonly kid: string
  readonly createdMs: number
}

export interface KeyState extends Dated {
  /** `next` waits for its time, `retired` still verifies what it signed. */
  readonly state: 'next' | 'signs' | 'retired'
  readonly signsFromMs: number
}

/**
 * The newest key whose time to sign has come. Where none's has, in the first
 * minute of a first file, it is the oldest: the one that was there before the others.
 */
export function chooseSigningKey<K extends Dated>(keys: Iterable<K>, nowMs: number): K | undefined {
  const byAge = [...keys].toSorted(olderFirst)
  return byAge.findLast(({ createdMs }) => createdMs + SIGNS_AFTER_MS <= nowMs) ?? byAge[0]
}

/** The file with a new key, at the end. It takes over by itself when its time has come. */
export function rotateKeys(file: KeysFile, nowMs: number): KeysFile {
  const { privateKey } = generateKeyPairSync('ed25519')
  const made: KeyEntry = {
    kid: randomUUID(),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    created_at: new Date(nowMs).toISOString(),
  }
  return { ...file, keys: [...file.keys, made] }
}

/** The file without the keys that nothing valid was signed with. The newest key always stays. */
export function pruneKeys(file: KeysFile, nowMs: number): KeysFile {
  const byAge = file.keys.map(toDated).toSorted(olderFirst)
  const isOver = (successor: Dated) =>
    nowMs > successor.createdMs + SIGNS_AFTER_MS + CREDENTIAL_MS + PRUNE_MARGIN_MS
  const dropped = new Set(
    byAge.slice(0, -1).flatMap(({ kid }, age) => {
      const successor = byAge[age + 1]
      return successor !== undefined && isOver(successor) ? [kid] : []
    }),
  )
  return { ...file, keys: file.keys.filter(({ kid }) => !dropped.has(kid)) }
}

/** The keys without their secrets, the oldest first, for people to look at. */
export function describeKeys(file: KeysFile, nowMs: number): readonly KeyState[] {
  const byAge = file.keys.map(toDated).toSorted(olderFirst)
  const signing = chooseSigningKey(byAge, nowMs)
  return byAge.map((key) => ({
    ...key,
    state:
      key === signing ? 'signs' : signing !== undefined && olderFirst(key, signing) < 0 ? 'retired' : 'next',
    signsFromMs: key.createdMs + SIGNS_AFTER_MS,
  }))
}

const toDated = (entry: KeyEntry): Dated => ({ kid: entry.kid, createdMs: readCreatedMs(entry) })

const olderFirst = (a: Dated, b: Dated) => a.createdMs - b.createdMs || (a.kid < b.kid ? -1 : 1)
