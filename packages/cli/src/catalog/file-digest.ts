import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/**
 * Tells a file from any other, and from itself after it was mended. Of all of
 * it: a digit mended in the middle changes neither its beginning nor its size.
 */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
