import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Poll interval. A disk that writes 1 GB/s overshoots the limit by 2 GB at most. */
const POLL_EVERY_MS = 2_000

/** Calls `onFull` once when the files of a folder exceed that many bytes. */
export function watchFolder(
  { path, bytes }: { readonly path: string; readonly bytes: number },
  onFull: () => void,
): Disposable {
  let isOver = false // written by the dispose below only
  let timer: NodeJS.Timeout | undefined
  const poll = async () => {
    const startMs = performance.now()
    if ((await sizeOfFolder(path)) > bytes) return isOver || onFull()
    // A folder with very many files takes long to read; it must not take up all the time.
    const waitMs = Math.max(POLL_EVERY_MS, 20 * (performance.now() - startMs))
    if (!isOver) timer = setTimeout(poll, waitMs)
  }
  timer = setTimeout(poll, POLL_EVERY_MS)
  return {
    [Symbol.dispose]: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** The bytes of all files in a folder. A file deleted meanwhile counts 0. */
export async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}
