import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SigningKey } from './access-token.ts'

export type KeysResult =
  | { readonly kind: 'read'; readonly keys: ReadonlyMap<string, SigningKey> }
  | { readonly kind: 'refused'; readonly fault: string }

/**
 * Reads the signing keys from their file: `{"keys": [{"kid", "private_key", "created_at"}]}`,
 * each an Ed25519 key as PKCS #8 PEM. The first signs; all verify, so that keys
 * can be rotated with both valid meanwhile.
 *
 * A fault names the file and never quotes it: what is wrong may be a piece of a key.
 */
export async function readCredentialKeys(path: string): Promise<KeysResult> {
  const refused = (why: string): KeysResult => ({
    kind: 'refused',
    fault: `CREDENTIAL_KEYS_FILE ${path} ${why}`,
  })
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return refused('cannot be read')
  const entries = parseEntries(text)
  if (entries === undefined) return refused('is not of the form {"keys": [{"kid", "private_key"}]}')
  if (entries.length === 0) return refused('holds no key')

  const keys = new Map<string, SigningKey>()
  for (const [index, { kid, private_key }] of entries.entries()) {
    const key = toSigningKey(kid, private_key)
    if (key === undefined) return refused(`holds something that is not an Ed25519 key, at place ${index + 1}`)
    if (keys.has(kid)) return refused(`holds two keys with the same kid, at place ${index + 1}`)
    keys.set(kid, key)
  }
  return { kind: 'read', keys }
}

interface Entry {
  readonly kid: string
  readonly private_key: string
}

function parseEntries(text: string): Entry[] | undefined {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown }
    const isEntry = (value: unknown): value is Entry => {
      const { kid, private_key } = (value ?? {}) as Partial<Entry>
      return typeof kid === 'string' && kid !== '' && typeof private_key === 'string'
    }
    return Array.isArray(keys) && keys.every(isEntry) ? keys : undefined
  } catch {
    return undefined
  }
}

function toSigningKey(kid: string, pem: string): SigningKey | undefined {
  try {
    const privateKey = createPrivateKey(pem)
    if (privateKey.asymmetricKeyType !== 'ed25519') return undefined
    return { kid, privateKey, publicKey: createPublicKey(privateKey) }
  } catch {
    return undefined
  }
}
