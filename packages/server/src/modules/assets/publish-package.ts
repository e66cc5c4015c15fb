import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { forEachConcurrent } from '../../platform/concurrency/for-each-concurrent.ts'
import type { MediaStore } from '../../platform/media-store/media-store.ts'

/** Enough to hide the latency of a distant store, with few files in memory. */
const AT_ONCE = 8

/**
 * Puts every file of a package into the store, the index last: a package with an index is complete. A repeat puts only the
 * missing files.
 */
export async function publishPackage(
  store: MediaStore,
  { folder, path }: { readonly folder: string; readonly path: string },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<void> {
  const files = await listFiles(folder)
  const [last, rest] = [files.filter(isIndex), files.filter((file) => !isIndex(file))]
  let done = 0
  const put = async (file: string) => {
    signal.throwIfAborted()
    const key = `${path}/${relative(folder, file)}`
    if (!(await store.has(key))) await store.put(key, { file }, signal)
    done += 1
    onProgress(done / files.length)
  }
  await forEachConcurrent(rest, AT_ONCE, put)
  await forEachConcurrent(last, 1, put)
}

const isIndex = (file: string) => file.endsWith('/index.json')

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
