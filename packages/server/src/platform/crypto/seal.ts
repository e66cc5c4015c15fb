import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The first byte: the version of the format. */
const FORM = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES
const KEY_BYTES = 32
const KEY_LABEL = 'continuity seal 1'

/** The key is derived without stretching: a guessable secret, such as a password, must not be used. */
const SECRET_BYTES_LEAST = 16

/**
 * Encrypts a value for a client that presents the secret again, so that it can be stored where only a hash of the secret
 * is known.
 *
 * AES-256-GCM with a key derived from the secret: format, nonce, text, tag. The context names the purpose and the owner
 * of the value. It is not stored; a value sealed for one context does not open in another.
 */
export function seal(secret: Buffer | string, plain: Buffer, context: string): Buffer {
  const key = deriveKey(secret)
  if (key === undefined) throw new RangeError(`a secret needs at least ${SECRET_BYTES_LEAST} bytes`)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(FORM), nonce, text, cipher.getAuthTag()])
}

/** The value, or undefined for any fault: the caller does not learn which one. */
export function unseal(secret: Buffer | string, sealed: Buffer, context: string): Buffer | undefined {
  const key = deriveKey(secret)
  if (key === undefined || sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== FORM) return undefined
  const nonce = sealed.subarray(1, HEAD_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    // `final` throws only when the tag does not match.
    return undefined
  }
}

function deriveKey(secret: Buffer | string): Buffer | undefined {
  const bytes = Buffer.from(secret)
  if (bytes.length < SECRET_BYTES_LEAST) return undefined
  return Buffer.from(hkdfSync('sha256', bytes, '', KEY_LABEL, KEY_BYTES))
}
