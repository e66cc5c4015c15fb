import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, onDisk } from './disk-faults.ts'
import type { MediaBody } from './media-store.ts'

/** Hidden, so that no key can name it, and in the store, so that a draft can be linked to its path. */
const DRAFTS = '.drafts'

/** No writer takes that long; older drafts were left by killed ones. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1_000

const CHUNK_BYTES = 1024 * 1024

/** Readable for others: nginx may serve the folder as another user. */
const FILE_MODE = 0o644

/** Writes an invisible file, calls `use` once it is synced to disk, and removes it. */
export async function withDraft(
  folder: string,
  body: MediaBody,
  signal: AbortSignal | undefined,
  use: (draft: string) => Promise<void>,
): Promise<void> {
  // Not recursive: a missing store folder means an unmounted disk, and the folder below the mount point would be filled.
  await onDisk(mkdir(join(folder, DRAFTS)).catch(ignoreExisting))
  const draft = join(folder, DRAFTS, randomUUID())
  try {
    await writeDraft(draft, body, signal)
    await use(draft)
  } finally {
    // A draft that cannot be removed now is removed later by `removeLeftBehind`.
    await rm(draft, { force: true }).catch(() => {})
  }
}

async function writeDraft(draft: string, body: MediaBody, signal: AbortSignal | undefined): Promise<void> {
  const file = await onDisk(open(draft, 'wx', FILE_MODE))
  try {
    if ('bytes' in body) await onDisk(file.writeFile(body.bytes))
    else await copyInto(file, body.file, signal)
    await onDisk(file.sync())
  } finally {
    await onDisk(file.close())
  }
  signal?.throwIfAborted()
}

/** In chunks, so that it can be aborted, and so that a fault of the source is not reported as one of the store. */
async function copyInto(file: FileHandle, source: string, signal: AbortSignal | undefined): Promise<void> {
  await using from = await open(source)
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (;;) {
    signal?.throwIfAborted()
    const { bytesRead } = await from.read(buffer, 0, CHUNK_BYTES)
    if (bytesRead === 0) return
    await onDisk(file.writeFile(buffer.subarray(0, bytesRead)))
  }
}

/**
 * Removes the drafts of killed writers.
 *
 * Their age is measured by the clock of the disk, with a file that was just written: ours may be steered, and that of a
 * network disk may differ.
 */
export async function removeLeftBehind(folder: string): Promise<void> {
  await withDraft(folder, { bytes: new Uint8Array() }, undefined, async (draft) => {
    const { mtimeMs: nowMs } = await stat(draft)
    const names = await readdir(join(folder, DRAFTS))
    for (const path of names.map((name) => join(folder, DRAFTS, name))) {
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined && nowMs - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true })
    }
  })
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}
