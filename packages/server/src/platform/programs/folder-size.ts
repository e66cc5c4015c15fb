import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Between two looks. A disk of 1 GB/s is filled by no more than what is looked for here. */
const LOOK_EVERY_MS = 2_000

/** Calls once when the files of a folder are too many bytes. */
export function watchFolder(
  { path, bytes }: { readonly path: string; readonly bytes: number },
  onFull: () => void,
): Disposable {
  let isOver = false // written by the dispose below only
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const startMs = performance.now()
    if ((await sizeOfFolder(path)) > bytes) return isOver || onFull()
    // A folder of very many files takes long to look at, which must not become all that is done.
    const waitMs = Math.max(LOOK_EVERY_MS, 20 * (performance.now() - startMs))
    if (!isOver) timer = setTimeout(look, waitMs)
  }
  timer = setTimeout(look, LOOK_EVERY_MS)
  return {
    [Symbol.dispose]: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** The bytes of all files in a folder. What vanishes meanwhile counts nothing. */
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
