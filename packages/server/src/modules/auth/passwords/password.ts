import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { parseHash, printHash, type StoredHash } from './password-phc.ts'
import { normalizePassword } from './password-rules.ts'

/** OWASP's minimum for argon2id: 19 MiB and two passes. More memory would allow fewer concurrent logins. */
const COST = { memoryKib: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32

/** Compared with the password of an unknown user, so that both cases take the same time. */
const DUMMY_HASH: StoredHash = { ...COST, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) }

/** The hash to store. It occupies a thread for tens of milliseconds: call it in a hash lane. */
export async function hashPassword(password: string): Promise<string> {
  const made = { ...COST, salt: randomBytes(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) }
  return printHash({ ...made, tag: await compute(password, made) })
}

/**
 * Whether the password matches the stored hash. Without one (an unknown user), the
 * check takes the same time and returns false: the duration of a login must not
 * reveal which users exist.
 *
 * Throws if the stored hash cannot be parsed: returning false would silently lock
 * the user out.
 */
export async function checkPassword(password: string, stored: string | undefined): Promise<boolean> {
  const hash = stored === undefined ? DUMMY_HASH : parseHash(stored)
  if (hash === undefined) throw new Error('A stored password hash cannot be read')
  const tag = await compute(password, hash)
  return timingSafeEqual(tag, hash.tag) && stored !== undefined
}

/** Whether a hash has other parameters than new ones. Only a login has the password to compute a new one. */
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
