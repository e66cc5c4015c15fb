import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { idBytes, idOf } from './refresh-credential.ts'

/** An SDK key: its account, its id and 256 random bits, of which only the hash is stored. */
export interface SdkKey {
  readonly accountId: string
  readonly appKeyId: string
  readonly secret: Buffer
}

const PREFIX = 'sdk_'
const SECRET_BYTES = 32

export function newSdkKey(
  accountId: string,
  appKeyId: string,
): { readonly text: string; readonly hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES)
  const bytes = Buffer.concat([idBytes(accountId), idBytes(appKeyId), secret])
  return { text: PREFIX + bytes.toString('base64url'), hash: hashOf(secret) }
}

export function readSdkKey(text: string): SdkKey | undefined {
  const bytes = text.startsWith(PREFIX) ? Buffer.from(text.slice(PREFIX.length), 'base64url') : undefined
  if (bytes?.length !== 32 + SECRET_BYTES || PREFIX + bytes.toString('base64url') !== text) return undefined
  const [accountId, appKeyId] = [idOf(bytes.subarray(0, 16)), idOf(bytes.subarray(16, 32))]
  return { accountId, appKeyId, secret: bytes.subarray(32) }
}

export const isSecretOf = (hash: Buffer, { secret }: SdkKey): boolean => timingSafeEqual(hash, hashOf(secret))

const hashOf = (secret: Buffer) => createHash('sha256').update(secret).digest()
