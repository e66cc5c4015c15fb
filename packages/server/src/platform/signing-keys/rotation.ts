import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type KeyEntry, type KeysFile, readCreatedMs } from './keys-file.ts'

/** What one kind of keys is set with. */
export interface KeyTimes {
  /** How long a new key only verifies, so that every process accepts it before the first one signs with it. */
  readonly signsAfterMs: number
  /** How long after its successor began to sign a key is still needed to verify. */
  readonly keptMs: number
}

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
 * The newest key whose time to sign has come. Where none's has, shortly after a first file was made, it is the oldest:
 * the one that was there before the others.
 */
export function chooseSigningKey<K extends Dated>(
  { signsAfterMs }: KeyTimes,
  keys: Iterable<K>,
  nowMs: number,
): K | undefined {
  const byAge = [...keys].toSorted(olderFirst)
  return byAge.findLast(({ createdMs }) => createdMs + signsAfterMs <= nowMs) ?? byAge[0]
}

/** The file with a new key, at the end. It takes over by itself when its time has come. */
export function rotateKeys<File extends KeysFile>(file: File, nowMs: number): File {
  const { privateKey } = generateKeyPairSync('ed25519')
  const made: KeyEntry = {
    kid: randomUUID(),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    created_at: new Date(nowMs).toISOString(),
  }
  return { ...file, keys: [...file.keys, made] }
}

/** The file without the keys that nothing valid was signed with. The newest key always stays. */
export function pruneKeys({ signsAfterMs, keptMs }: KeyTimes, file: KeysFile, nowMs: number): KeysFile {
  const byAge = file.keys.map(toDated).toSorted(olderFirst)
  const isOver = (successor: Dated) => nowMs > successor.createdMs + signsAfterMs + keptMs
  const dropped = new Set(
    byAge.slice(0, -1).flatMap(({ kid }, age) => {
      const successor = byAge[age + 1]
      return successor !== undefined && isOver(successor) ? [kid] : []
    }),
  )
  return { ...file, keys: file.keys.filter(({ kid }) => !dropped.has(kid)) }
}

/** The keys without their secrets, the oldest first, for people to look at. */
export function describeKeys(times: KeyTimes, file: KeysFile, nowMs: number): readonly KeyState[] {
  const byAge = file.keys.map(toDated).toSorted(olderFirst)
  const signing = chooseSigningKey(times, byAge, nowMs)
  return byAge.map((key) => ({
    ...key,
    state:
      key === signing ? 'signs' : signing !== undefined && olderFirst(key, signing) < 0 ? 'retired' : 'next',
    signsFromMs: key.createdMs + times.signsAfterMs,
  }))
}

const toDated = (entry: KeyEntry): Dated => ({ kid: entry.kid, createdMs: readCreatedMs(entry) })

const olderFirst = (a: Dated, b: Dated) => a.createdMs - b.createdMs || (a.kid < b.kid ? -1 : 1)
