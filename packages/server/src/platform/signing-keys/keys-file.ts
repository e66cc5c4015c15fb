import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly createdMs: number
}

/** A key that can verify and not sign. */
export type VerifyingKey = Omit<SigningKey, 'privateKey'>

/** A file of Ed25519 keys as PKCS #8 PEM, in any order. */
export interface KeysFile {
  readonly keys: readonly KeyEntry[]
}

export interface KeyEntry extends DatedEntry {
  readonly private_key: string
}

/** The same keys without their private parts, as SPKI PEM. */
export interface PublicKeysFile {
  readonly keys: readonly (DatedEntry & { readonly public_key: string })[]
}

interface DatedEntry {
  readonly kid: string
  /** RFC 3339. It determines when the key starts to sign. */
  readonly created_at: string
}

export type KeysResult<Key, File> =
  | { readonly kind: 'read'; readonly keys: ReadonlyMap<string, Key>; readonly file: File }
  | { readonly kind: 'rejected'; readonly fault: string }

export const readKeysText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(() => undefined)

/** Reads the keys of a file that the setting names. All of them verify; `chooseSigningKey` selects the one that signs. */
export const parseSigningKeys = (
  setting: string,
  path: string,
  text: string | undefined,
): KeysResult<SigningKey, KeysFile> =>
  parseKeys<SigningKey, KeysFile>(setting, path, text, 'private_key', (pem) => {
    const privateKey = createPrivateKey(pem)
    return { privateKey, publicKey: createPublicKey(privateKey) }
  })

/** A file with a private key is rejected: it was copied to a machine that must not be able to sign. */
export function parsePublicKeys(
  setting: string,
  path: string,
  text: string | undefined,
): KeysResult<VerifyingKey, PublicKeysFile> {
  if (text?.includes('PRIVATE KEY') === true)
    return { kind: 'rejected', fault: `${setting} ${path} contains a private key` }
  return parseKeys<VerifyingKey, PublicKeysFile>(setting, path, text, 'public_key', (pem) => ({
    publicKey: createPublicKey(pem),
  }))
}

export const publicKeysOf = ({ keys }: KeysFile): PublicKeysFile => ({
  keys: keys.map(({ kid, private_key, created_at }) => ({
    kid,
    public_key: createPublicKey(private_key).export({ type: 'spki', format: 'pem' }) as string,
    created_at,
  })),
})

/** With an offset, since a time without one depends on the machine; NaN for anything else. */
export const readCreatedMs = ({ created_at }: Pick<DatedEntry, 'created_at'>): number =>
  RFC_3339.test(created_at) ? Date.parse(created_at) : Number.NaN

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

type KeyField = 'private_key' | 'public_key'
type Entry = DatedEntry & Readonly<Record<KeyField, string>>

/** A fault names the file and never quotes it: the faulty text may be part of a key. */
function parseKeys<Key extends VerifyingKey, File>(
  setting: string,
  path: string,
  text: string | undefined,
  field: KeyField,
  toKey: (pem: string) => Omit<Key, 'kid' | 'createdMs'>,
): KeysResult<Key, File> {
  const rejected = (why: string) => ({ kind: 'rejected', fault: `${setting} ${path} ${why}` }) as const
  if (text === undefined) return rejected('cannot be read')
  const file = parseFile(text, field)
  if (file === undefined) return rejected(`is not of the form {"keys": [{"kid", "${field}", "created_at"}]}`)
  if (file.keys.length === 0) return rejected('contains no key')

  const keys = new Map<string, Key>()
  for (const [index, entry] of file.keys.entries()) {
    const at = `at index ${index}`
    const pair = orUndefined(() => toKey(entry[field]))
    if (pair?.publicKey.asymmetricKeyType !== 'ed25519')
      return rejected(`contains a value that is not an Ed25519 key, ${at}`)
    const createdMs = readCreatedMs(entry)
    if (Number.isNaN(createdMs)) return rejected(`contains a key whose created_at is not a time, ${at}`)
    if (keys.has(entry.kid)) return rejected(`contains two keys with the same kid, ${at}`)
    keys.set(entry.kid, { kid: entry.kid, createdMs, ...pair } as Key)
  }
  return { kind: 'read', keys, file: file as File }
}

function parseFile(text: string, field: KeyField): { readonly keys: readonly Entry[] } | undefined {
  const file = orUndefined(() => JSON.parse(text) as { keys?: unknown } | null)
  const isEntry = (value: unknown): value is Entry => {
    const { kid, [field]: key, created_at } = (value ?? {}) as Partial<Entry>
    return [kid, key, created_at].every((part) => typeof part === 'string' && part !== '')
  }
  return Array.isArray(file?.keys) && file.keys.every(isEntry) ? { ...file, keys: file.keys } : undefined
}

function orUndefined<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
