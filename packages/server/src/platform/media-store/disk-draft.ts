import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, onDisk } from './disk-faults.ts'
import type { MediaBody } from './media-store.ts'

/** Hidden, so that no key can name it, and in the store, so that a draft can be linked to its place. */
const DRAFTS = '.drafts'

/** No writer takes that long; what is older was left by one that was killed. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1_000

const CHUNK_BYTES = 1024 * 1024

/** Others read it: nginx may serve the folder as a user of its own. */
const FILE_MODE = 0o644

/** Writes a file that nobody sees, hands it to `use` when it is safely on the disk, and removes it. */
export async function withDraft(
  folder: string,
  body: MediaBody,
  signal: AbortSignal | undefined,
  use: (draft: string) => Promise<void>,
): Promise<void> {
  // Not its parents: the store's own folder missing means that its disk is, and the one below would be filled instead.
  await onDisk(mkdir(join(folder, DRAFTS)).catch(ignoreExisting))
  const draft = join(folder, DRAFTS, randomUUID())
  try {
    await writeDraft(draft, body, signal)
    await use(draft)
  } finally {
    // What cannot be removed now is removed as left behind.
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

/** Chunk by chunk, so that it can be given up, and a fault of the source is not taken for one of the store. */
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
 * Removes what killed writers have left.
 *
 * Their age is told by the clock of the disk, off a file that was just written:
 * ours may be steered, and that of a disk on another machine may differ.
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
