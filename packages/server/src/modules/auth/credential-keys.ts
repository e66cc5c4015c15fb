import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SigningKey } from './access-token.ts'

/**
 * Reads the signing keys from their file: `{"keys": [{"kid", "private_key", "created_at"}]}`,
 * each an Ed25519 key as PKCS #8 PEM. The first signs; all verify, so that keys
 * can be rotated with both valid meanwhile.
 */
export async function readCredentialKeys(path: string): Promise<ReadonlyMap<string, SigningKey>> {
  const text = await readFile(path, 'utf8')
  const { keys } = JSON.parse(text) as { keys: { kid: string; private_key: string }[] }
  const entries = keys.map(({ kid, private_key }) => {
    const privateKey = createPrivateKey(private_key)
    if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error(`Key ${kid} in ${path} is not Ed25519`)
    return [kid, { kid, privateKey, publicKey: createPublicKey(privateKey) }] as const
  })
  if (entries.length === 0) throw new Error(`There is no key in ${path}`)
  return new Map(entries)
}
