import { createCipheriv, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { inOrder } from '../concurrency/in-order.ts'
import { isId } from './ids.ts'

/** The end of a page: the values of its last row that the list is sorted by. */
export type PageKey = readonly (string | number | null)[]

/** The list that a cursor is valid for. */
export interface PageScope {
  readonly accountId: string
  readonly operationId: string
  /** Everything that determines the rows of the list and their order. */
  readonly filter: unknown
}

export interface PageCursors {
  seal(scope: PageScope, key: PageKey): string
  /** The key, or undefined for anything that is not a cursor of ours for this list. */
  open(scope: PageScope, cursor: string): PageKey | undefined
}

/** As the contract limits it. A key of a title and an id is much shorter. */
const CURSOR_LENGTH_MAXIMUM = 2_048

/** Half of the hash: 128 bits are enough, and cursors are part of addresses, which should be short. */
const TAG_BYTES = 16

/** Signed with every cursor, so that no other signature of the same secrets is a valid one. The number is its version. */
const LABEL = 'continuity page mark 2'

/**
 * Cursors are signed and not stored: any process opens a cursor of another. The signature binds a cursor to its account
 * and list, so that a caller can only continue its list and never construct a position.
 *
 * Texts in a cursor are encrypted: a cursor of a fuzzy search contains all matched terms, including those of rows that
 * the caller may not see. Numbers and ids are those of a row that the caller has seen, and stay plain: encryption would
 * double the cost.
 *
 * The first secret signs, every secret opens: cursors survive the rotation of a secret.
 */
export function createPageCursors(secrets: () => readonly Buffer[]): PageCursors {
  return {
    seal: (scope, key) => {
      const [secret] = secrets()
      if (secret === undefined) throw new Error('there is no secret to sign cursors with')
      const text = writeKey(key)
      const tag = signatureOf(secret, scope, text)
      const body = isPlain(key) ? [PLAIN, text] : [MASKED, mask(secret, tag, text)]
      const cursor = Buffer.concat([tag, ...body]).toString('base64url')
      if (cursor.length > CURSOR_LENGTH_MAXIMUM)
        throw new RangeError('the key of a page is too long for a cursor')
      return cursor
    },

    open: (scope, cursor) => {
      if (cursor.length > CURSOR_LENGTH_MAXIMUM) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      // Decoding is lenient: it skips invalid characters, and surplus bits of the last one.
      if (bytes.length <= TAG_BYTES + 1 || bytes.toString('base64url') !== cursor) return undefined
      const tag = bytes.subarray(0, TAG_BYTES)
      const isMasked = bytes[TAG_BYTES] === MASKED[0]
      if (!isMasked && bytes[TAG_BYTES] !== PLAIN[0]) return undefined
      const body = bytes.subarray(TAG_BYTES + 1)
      for (const secret of secrets()) {
        const text = isMasked ? mask(secret, tag, body) : body
        if (timingSafeEqual(signatureOf(secret, scope, text), tag)) return readKey(text)
      }
      return undefined
    },
  }
}

const PLAIN = Buffer.from([0])
const MASKED = Buffer.from([1])

const isPlain = (key: PageKey) => key.every((value) => typeof value !== 'string' || isId(value))

/** Encrypts and decrypts a text. Its tag serves as the nonce, so that no two texts share a key stream (as in RFC 5297). */
function mask(secret: Buffer, tag: Buffer, text: Buffer): Buffer {
  const key = createHmac('sha256', keyOf(secret)).update(`${LABEL} mask`).digest()
  return createCipheriv('aes-256-ctr', key, tag).update(text)
}

function signatureOf(secret: Buffer, { accountId, operationId, filter }: PageScope, text: Buffer): Buffer {
  // JSON contains no NUL, so the list and the text cannot be confused.
  const list = JSON.stringify([LABEL, accountId, operationId, inOrder(filter ?? null)])
  return createHmac('sha256', keyOf(secret)).update(`${list}\0`).update(text).digest().subarray(0, TAG_BYTES)
}

/** Node takes five times as long with raw bytes as with a KeyObject. */
function keyOf(secret: Buffer): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(secret)
  keys.set(secret, key)
  return key
}

const keys = new WeakMap<Buffer, KeyObject>()

const NUMBER = '#'
const STRING = '='
const NULL = '-'

/** Values are separated by NUL, which no text of the database contains. JSON would make some of them six times as long. */
function writeKey(key: PageKey): Buffer {
  const values = key.map((value) => {
    if (value === null) return NULL
    return typeof value === 'number' ? `${NUMBER}${value}` : `${STRING}${value}`
  })
  return Buffer.from(values.join('\0'))
}

function readKey(text: Buffer): PageKey {
  const values = text.toString().split('\0')
  return values.map((value) => {
    if (value === NULL) return null
    return value.startsWith(NUMBER) ? Number(value.slice(1)) : value.slice(1)
  })
}
