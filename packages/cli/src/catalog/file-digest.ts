import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/**
 * Identifies the content of a file. Hashes all of it: an edit in the middle may
 * change neither its beginning nor its size.
 */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
