import { createCipheriv, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { isId } from './ids.ts'
import { inOrder } from './in-order.ts'

/** Where a page ends: the values that its list is sorted by, those of the last row. */
export type PageKey = readonly (string | number | null)[]

/** The one list that a mark is good for. */
export interface PageScope {
  readonly accountId: string
  readonly operationId: string
  /** Everything that decides on which rows are listed, and in what order. */
  readonly filter: unknown
}

export interface PageMarks {
  seal(scope: PageScope, key: PageKey): string
  /** The key, or undefined for whatever is not a mark of ours for this list. */
  open(scope: PageScope, mark: string): PageKey | undefined
}

/** As long as the contract lets a mark be. A key of a title and an id stays well below. */
const MARK_LENGTH_MAXIMUM = 2_048

/** Half of the hash. Nobody guesses 128 bits, and marks stand in addresses, which should be short. */
const TAG_BYTES = 16

/** What is signed begins with this, so that nothing else that one of the secrets signs is ever a mark. The number makes old marks void. */
const LABEL = 'continuity page mark 2'

/**
 * Marks are signed and not kept: any process opens what another has sealed.
 * The signature holds a mark to its account and list, and so a caller can only
 * ever go on where it was, never name a place of its own making.
 *
 * Words in a mark are masked: a search that took a word for others names them
 * all in it, those too that only stand where the caller may not look. Numbers
 * and ids are those of a row that the caller was shown, and stay as they are:
 * masking costs as much as all the rest.
 *
 * The first secret signs, each one opens: marks outlive the change of a secret.
 */
export function createPageMarks(secrets: () => readonly Buffer[]): PageMarks {
  return {
    seal: (scope, key) => {
      const [secret] = secrets()
      if (secret === undefined) throw new Error('there is no secret to sign marks with')
      const text = writeKey(key)
      const tag = signatureOf(secret, scope, text)
      const body = isPlain(key) ? [PLAIN, text] : [MASKED, mask(secret, tag, text)]
      const mark = Buffer.concat([tag, ...body]).toString('base64url')
      if (mark.length > MARK_LENGTH_MAXIMUM) throw new RangeError('the key of a page is too long for a mark')
      return mark
    },

    open: (scope, mark) => {
      if (mark.length > MARK_LENGTH_MAXIMUM) return undefined
      const bytes = Buffer.from(mark, 'base64url')
      // Decoding forgives: it passes over strange characters, and over bits that the last one has too many.
      if (bytes.length <= TAG_BYTES + 1 || bytes.toString('base64url') !== mark) return undefined
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

/** Masks a text, and unmasks it. The tag of each text is its own, so that no two are masked alike (RFC 5297 does the same). */
function mask(secret: Buffer, tag: Buffer, text: Buffer): Buffer {
  const key = createHmac('sha256', keyOf(secret)).update(`${LABEL} mask`).digest()
  return createCipheriv('aes-256-ctr', key, tag).update(text)
}

function signatureOf(secret: Buffer, { accountId, operationId, filter }: PageScope, text: Buffer): Buffer {
  // JSON holds no NUL, so that none of these can be taken for the beginning of the next.
  const list = JSON.stringify([LABEL, accountId, operationId, inOrder(filter ?? null)])
  return createHmac('sha256', keyOf(secret)).update(`${list}\0`).update(text).digest().subarray(0, TAG_BYTES)
}

/** Node takes five times as long for a key that is bytes as for one that was made of them. */
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

/** Values stand apart by NUL, which no text of the database holds. JSON would blow some of them up sixfold. */
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
