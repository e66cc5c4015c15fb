/** What an object is, by the ending of its key. An ending that is not here is no media of ours. */
const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  ts: 'video/mp2t',
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  json: 'application/json',
}

/** Enough for three ids, a rung and a file; short enough for every store and for an address. */
const KEY_LENGTH = 512

/** Of a folder or a file. The first character is no dot, so `..` and hidden files cannot be spelled. */
const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/

/** Whether a text may name an object: parts with slashes between them, and an ending that we know. */
export function isMediaKey(text: string): boolean {
  return isPath(text) && findContentType(text) !== undefined
}

/** Whether a text may name a group of objects: parts that each end with a slash. */
export function isMediaPrefix(text: string): boolean {
  return text.endsWith('/') && isPath(text.slice(0, -1))
}

export function contentTypeOf(key: string): string {
  requireMediaKey(key)
  return findContentType(key)!
}

/** Keys are made by us: one that is refused is a bug, and must not become a path. */
export function requireMediaKey(key: string): void {
  if (!isMediaKey(key)) throw new Error(`${JSON.stringify(key.slice(0, KEY_LENGTH))} is no key of media`)
}

export function requireMediaPrefix(prefix: string): void {
  if (!isMediaPrefix(prefix))
    throw new Error(`${JSON.stringify(prefix.slice(0, KEY_LENGTH))} is no prefix of media`)
}

function isPath(text: string): boolean {
  return text.length <= KEY_LENGTH && text.split('/').every((part) => PART.test(part))
}

function findContentType(key: string): string | undefined {
  const ending = key.slice(key.lastIndexOf('.') + 1)
  return Object.hasOwn(contentTypes, ending) && key.length > ending.length ? contentTypes[ending] : undefined
}
