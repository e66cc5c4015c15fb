import { readFile } from 'node:fs/promises'
import { seal, unseal } from './seal.ts'

/** Encrypts secrets that the platform needs in plain text again, such as those that webhooks are signed with. */
export interface SecretBox {
  seal(plain: Buffer, context: string): Buffer
  /** Undefined where no key matches. */
  open(sealed: Buffer, context: string): Buffer | undefined
}

export type SecretKeysResult =
  | { readonly kind: 'read'; readonly box: SecretBox }
  | { readonly kind: 'rejected'; readonly fault: string }

const KEY_BYTES_LEAST = 32

/** Reads the key file: one key per line, in base64. The first one seals, every one opens. */
export async function readSecretKeys(path: string): Promise<SecretKeysResult> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (typeof text !== 'string') return rejected(path, `cannot be read (${text.code})`)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const keys = lines.map((line) => Buffer.from(line.trim(), 'base64'))
  const isWhole = keys.every((key, index) => isBase64(lines[index]!.trim(), key))
  if (keys.length === 0 || !isWhole || keys.some(({ length }) => length < KEY_BYTES_LEAST))
    return rejected(path, `must have one key of at least ${KEY_BYTES_LEAST} bytes in each line, in base64`)
  return { kind: 'read', box: createSecretBox(keys) }
}

export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  return {
    seal: (plain, context) => seal(keys[0]!, plain, context),
    open(sealed, context) {
      for (const key of keys) {
        const plain = unseal(key, sealed, context)
        if (plain !== undefined) return plain
      }
      return undefined
    },
  }
}

/** Undefined without a file; features that need it report that. */
export async function openSecretBox(path: string): Promise<SecretBox | undefined> {
  if (path === '') return undefined
  const read = await readSecretKeys(path)
  if (read.kind === 'rejected') throw new Error(read.fault)
  return read.box
}

const isBase64 = (text: string, bytes: Buffer): boolean => bytes.toString('base64') === text

const rejected = (path: string, why: string): SecretKeysResult => ({
  kind: 'rejected',
  fault: `SECRET_KEYS_FILE ${path} ${why}`,
})
