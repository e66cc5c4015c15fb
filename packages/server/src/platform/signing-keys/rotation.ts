import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type KeyEntry, type KeysFile, readCreatedMs } from './keys-file.ts'

/** The rotation times of one kind of keys. */
export interface KeyTimes {
  /** How long a new key only verifies, so that every process accepts it before the first one signs with it. */
  readonly signsAfterMs: number
  /** How long a key is needed to verify after its successor started to sign. */
  readonly keptMs: number
}

/** The creation time of a key, and its id to break a tie: the same for every process that reads the file. */
export interface Dated {
  readonly kid: string
  readonly createdMs: number
}

export interface KeyState extends Dated {
  /** `next` does not sign yet, `retired` still verifies. */
  readonly state: 'next' | 'signs' | 'retired'
  readonly signsFromMs: number
}

/**
 * The newest key that may sign. Where none may yet, shortly after the first file was created, it is the oldest.
 */
export function chooseSigningKey<K extends Dated>(
  { signsAfterMs }: KeyTimes,
  keys: Iterable<K>,
  nowMs: number,
): K | undefined {
  const byAge = [...keys].toSorted(olderFirst)
  return byAge.findLast(({ createdMs }) => createdMs + signsAfterMs <= nowMs) ?? byAge[0]
}

/** The file with a new key at the end. It takes over by itself after `signsAfterMs`. */
export function rotateKeys<File extends KeysFile>(file: File, nowMs: number): File {
  const { privateKey } = generateKeyPairSync('ed25519')
  const made: KeyEntry = {
    kid: randomUUID(),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    created_at: new Date(nowMs).toISOString(),
  }
  return { ...file, keys: [...file.keys, made] }
}

/** The file without keys that no valid signature needs. The newest key always stays. */
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

/** The keys without their secrets, the oldest first, for display. */
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
