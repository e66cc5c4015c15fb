import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * A refresh credential: its session, its number in the session, 256 random bits
 * and a MAC with the session's family secret.
 *
 * The session stores only a hash of the random bits. The MAC proves that an old
 * credential is genuine without a row for each one: a session that is refreshed
 * every hour for a year is one row.
 */
export interface RefreshCredential {
  readonly accountId: string
  readonly sessionId: string
  readonly number: number
  readonly secret: Buffer
  readonly mac: Buffer
}

const PREFIX = 'r_'
const SECRET_BYTES = 32
const MAC_BYTES = 16
const BYTES = 16 + 16 + 4 + SECRET_BYTES + MAC_BYTES

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)
export const hashSecret = (secret: Buffer): Buffer => createHash('sha256').update(secret).digest()

export function printRefreshCredential(
  { accountId, sessionId, number, secret }: Omit<RefreshCredential, 'mac'>,
  familySecret: Buffer,
): string {
  const parts = [idBytes(accountId), idBytes(sessionId), numberBytes(number), secret]
  const bytes = Buffer.concat([...parts, macOf(familySecret, number, secret)])
  return PREFIX + bytes.toString('base64url')
}

/** Undefined for text of another form. The result is not authenticated yet. */
export function readRefreshCredential(text: string): RefreshCredential | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  // A credential has one encoding.
  if (bytes.length !== BYTES || PREFIX + bytes.toString('base64url') !== text) return undefined
  return {
    accountId: idOf(bytes.subarray(0, 16)),
    sessionId: idOf(bytes.subarray(16, 32)),
    number: bytes.readUInt32BE(32),
    secret: bytes.subarray(36, 36 + SECRET_BYTES),
    mac: bytes.subarray(36 + SECRET_BYTES),
  }
}

export function hasValidMac({ number, secret, mac }: RefreshCredential, familySecret: Buffer): boolean {
  return timingSafeEqual(mac, macOf(familySecret, number, secret))
}

function macOf(familySecret: Buffer, number: number, secret: Buffer): Buffer {
  const hmac = createHmac('sha256', familySecret).update(numberBytes(number)).update(secret)
  return hmac.digest().subarray(0, MAC_BYTES)
}

function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}

export const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

export function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
