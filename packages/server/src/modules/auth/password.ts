import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { parseHash, printHash, type StoredHash } from './password-phc.ts'
import { normalizePassword } from './password-rules.ts'

/** OWASP's least for argon2id: 19 MiB and two passes. More memory would let fewer people log in at once. */
const COST = { memoryKib: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32

/** What nobody's password is compared with when there is nobody; it costs what a real one costs. */
const NOBODY: StoredHash = { ...COST, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) }

/** The password as it may be stored. It takes tens of milliseconds of a thread: call it inside a lane. */
export async function hashPassword(password: string): Promise<string> {
  const made = { ...COST, salt: randomBytes(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) }
  return printHash({ ...made, tag: await compute(password, made) })
}

/**
 * Whether this is the password that was stored. Without a stored one, when
 * nobody has that name, it takes the same time and the answer is no: how long a
 * login takes must not tell which names exist.
 *
 * A stored hash that cannot be read is a fault of ours and is thrown. Answered
 * with no, it would lock a person out and nobody would learn of it.
 */
export async function checkPassword(password: string, stored: string | undefined): Promise<boolean> {
  const hash = stored === undefined ? NOBODY : parseHash(stored)
  if (hash === undefined) throw new Error('A stored password hash cannot be read')
  const tag = await compute(password, hash)
  return timingSafeEqual(tag, hash.tag) && stored !== undefined
}

/** Whether a hash was made at another cost than today's. Only a login knows the password to make a new one from. */
export function needsRehash(stored: string): boolean {
  const hash = parseHash(stored)
  if (hash === undefined) return true
  return (
    hash.memoryKib !== COST.memoryKib ||
    hash.passes !== COST.passes ||
    hash.parallelism !== COST.parallelism ||
    hash.salt.length !== SALT_BYTES ||
    hash.tag.length !== TAG_BYTES
  )
}

const computeArgon2 = promisify(argon2)

const compute = (password: string, hash: StoredHash): Promise<Buffer> =>
  computeArgon2('argon2id', {
    message: normalizePassword(password),
    nonce: hash.salt,
    parallelism: hash.parallelism,
    tagLength: hash.tag.length,
    memory: hash.memoryKib,
    passes: hash.passes,
  })
