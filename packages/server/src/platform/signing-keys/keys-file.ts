import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SigningKey } from './access-token.ts'

/** What the file holds: Ed25519 keys as PKCS #8 PEM, in any order. */
export interface KeysFile {
  readonly keys: readonly KeyEntry[]
}

export interface KeyEntry {
  readonly kid: string
  readonly private_key: string
  /** RFC 3339. It decides when the key begins to sign, and so which one does. */
  readonly created_at: string
}

export type KeysResult =
  | { readonly kind: 'read'; readonly keys: ReadonlyMap<string, SigningKey>; readonly file: KeysFile }
  | { readonly kind: 'refused'; readonly fault: string }

/** Reads the signing keys from their file. All of them verify; `chooseSigningKey` says which one signs. */
export async function readCredentialKeys(path: string): Promise<KeysResult> {
  return parseCredentialKeys(path, await readKeysText(path))
}

export const readKeysText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(() => undefined)

/** A fault names the file and never quotes it: what is wrong may be a piece of a key. */
export function parseCredentialKeys(path: string, text: string | undefined): KeysResult {
  const refused = (why: string): KeysResult => ({
    kind: 'refused',
    fault: `CREDENTIAL_KEYS_FILE ${path} ${why}`,
  })
  if (text === undefined) return refused('cannot be read')
  const file = parseFile(text)
  if (file === undefined)
    return refused('is not of the form {"keys": [{"kid", "private_key", "created_at"}]}')
  if (file.keys.length === 0) return refused('holds no key')

  const keys = new Map<string, SigningKey>()
  for (const [index, entry] of file.keys.entries()) {
    const at = `at place ${index + 1}`
    const key = toSigningKey(entry)
    if (key === undefined) return refused(`holds something that is not an Ed25519 key, ${at}`)
    if (Number.isNaN(key.createdMs)) return refused(`holds a key whose created_at is not a time, ${at}`)
    if (keys.has(key.kid)) return refused(`holds two keys with the same kid, ${at}`)
    keys.set(key.kid, key)
  }
  return { kind: 'read', keys, file }
}

/** With an offset, since a time without one means another instant on every machine; NaN for anything else. */
export const readCreatedMs = ({ created_at }: Pick<KeyEntry, 'created_at'>): number =>
  RFC_3339.test(created_at) ? Date.parse(created_at) : Number.NaN

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function parseFile(text: string): KeysFile | undefined {
  try {
    const file = JSON.parse(text) as { keys?: unknown }
    return Array.isArray(file.keys) && file.keys.every(isEntry) ? { ...file, keys: file.keys } : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is KeyEntry {
  const { kid, private_key, created_at } = (value ?? {}) as Partial<KeyEntry>
  return [kid, private_key, created_at].every((field) => typeof field === 'string' && field !== '')
}

function toSigningKey(entry: KeyEntry): SigningKey | undefined {
  try {
    const privateKey = createPrivateKey(entry.private_key)
    if (privateKey.asymmetricKeyType !== 'ed25519') return undefined
    const publicKey = createPublicKey(privateKey)
    return { kid: entry.kid, privateKey, publicKey, createdMs: readCreatedMs(entry) }
  } catch {
    return undefined
  }
}
