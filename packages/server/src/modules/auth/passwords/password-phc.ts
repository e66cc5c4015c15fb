/** A stored hash: its parameters, salt and tag. */
export interface StoredHash {
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  readonly tag: Buffer
}

/** Far above our own parameters, but harmless: the most expensive hash costs 64 MiB and about a second. */
const MEMORY_KIB_MAXIMUM = 65_536
const PASSES_MAXIMUM = 10
const PARALLELISM_MAXIMUM = 4

/** RFC 9106 §3.1 requires 8 bytes of salt; a tag of fewer than 16 bytes could be guessed. */
const SALT_BYTES = { least: 8, most: 64 }
const TAG_BYTES = { least: 16, most: 64 }

/** In the PHC string format. */
export function printHash({ memoryKib, passes, parallelism, salt, tag }: StoredHash): string {
  const cost = `m=${memoryKib},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${cost}$${encode(salt)}$${encode(tag)}`
}

/**
 * Parses argon2id hashes of `printHash` and of other libraries, and nothing else.
 *
 * Rows are not trusted: a hash that needs a gigabyte would need it at every login,
 * so parameters beyond the bounds are rejected.
 */
export function parseHash(text: string): StoredHash | undefined {
  const [, memory = '', passes = '', parallelism = '', salt = '', tag = ''] = PHC.exec(text) ?? []
  const hash = {
    memoryKib: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
  const isOneSpelling = encode(hash.salt) === salt && encode(hash.tag) === tag
  return isOneSpelling && isWithinBounds(hash) ? hash : undefined
}

const PHC =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,5}),t=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{1,88})\$([A-Za-z0-9+/]{1,88})$/

/** RFC 9106 §3.1: eight blocks of memory for each lane at least. */
const isWithinBounds = ({ memoryKib, passes, parallelism, salt, tag }: StoredHash) =>
  isBetween(memoryKib, 8 * parallelism, MEMORY_KIB_MAXIMUM) &&
  isBetween(passes, 1, PASSES_MAXIMUM) &&
  isBetween(parallelism, 1, PARALLELISM_MAXIMUM) &&
  isBetween(salt.length, SALT_BYTES.least, SALT_BYTES.most) &&
  isBetween(tag.length, TAG_BYTES.least, TAG_BYTES.most)

const isBetween = (value: number, least: number, most: number) => value >= least && value <= most

const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
