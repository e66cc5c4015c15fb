import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * A refresh credential: which session it is for, its number there, 256 random
 * bits, and the mark of the session's family.
 *
 * The bits are what it is worth, and the session keeps only their hash. The
 * mark makes an old credential recognisable as genuine without a row for each
 * that ever was: a session that is refreshed every hour for a year is one row.
 */
export interface RefreshCredential {
  readonly accountId: string
  readonly sessionId: string
  readonly number: number
  readonly secret: Buffer
  readonly mark: Buffer
}

const PREFIX = 'r_'
const SECRET_BYTES = 32
const MARK_BYTES = 16
const BYTES = 16 + 16 + 4 + SECRET_BYTES + MARK_BYTES

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)
export const hashSecret = (secret: Buffer): Buffer => createHash('sha256').update(secret).digest()

export function printRefreshCredential(
  { accountId, sessionId, number, secret }: Omit<RefreshCredential, 'mark'>,
  familySecret: Buffer,
): string {
  const parts = [idBytes(accountId), idBytes(sessionId), numberBytes(number), secret]
  const bytes = Buffer.concat([...parts, markOf(familySecret, number, secret)])
  return PREFIX + bytes.toString('base64url')
}

/** Undefined for whatever is no refresh credential of ours. Nothing is known yet of one that is. */
export function readRefreshCredential(text: string): RefreshCredential | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  // One credential has one spelling.
  if (bytes.length !== BYTES || PREFIX + bytes.toString('base64url') !== text) return undefined
  return {
    accountId: idOf(bytes.subarray(0, 16)),
    sessionId: idOf(bytes.subarray(16, 32)),
    number: bytes.readUInt32BE(32),
    secret: bytes.subarray(36, 36 + SECRET_BYTES),
    mark: bytes.subarray(36 + SECRET_BYTES),
  }
}

export function isMarked({ number, secret, mark }: RefreshCredential, familySecret: Buffer): boolean {
  return timingSafeEqual(mark, markOf(familySecret, number, secret))
}

function markOf(familySecret: Buffer, number: number, secret: Buffer): Buffer {
  const mac = createHmac('sha256', familySecret).update(numberBytes(number)).update(secret)
  return mac.digest().subarray(0, MARK_BYTES)
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
