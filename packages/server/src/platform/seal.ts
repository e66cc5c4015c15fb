import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The first byte, so that another form can come later beside this one. */
const FORM = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES
const KEY_BYTES = 32
const KEY_LABEL = 'continuity seal 1'

/** The key is stretched from the secret, not strengthened: what can be guessed, such as a password, is no secret here. */
const SECRET_BYTES_LEAST = 16

/**
 * Makes a value readable only to who presents the secret again, so that it can
 * be stored where the secret is known by its hash alone.
 *
 * AES-256-GCM under a key derived from the secret: form, nonce, text, tag. The
 * context says what the value is and whose. It is not stored; a value sealed
 * for one place does not open in another.
 */
export function seal(secret: Buffer | string, plain: Buffer, context: string): Buffer {
  const key = deriveKey(secret)
  if (key === undefined) throw new RangeError(`A secret has at least ${SECRET_BYTES_LEAST} bytes`)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(FORM), nonce, text, cipher.getAuthTag()])
}

/** The value, or undefined for whatever is wrong: nobody learns which part it was. */
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
    // The only thing that `final` throws for is a tag that does not fit.
    return undefined
  }
}

function deriveKey(secret: Buffer | string): Buffer | undefined {
  const bytes = Buffer.from(secret)
  if (bytes.length < SECRET_BYTES_LEAST) return undefined
  return Buffer.from(hkdfSync('sha256', bytes, '', KEY_LABEL, KEY_BYTES))
}
