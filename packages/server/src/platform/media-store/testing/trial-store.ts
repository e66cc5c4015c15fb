import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { ByteRange, MediaStore } from '../media-store.ts'

/** A store under test, with a view from outside. */
export interface TrialStore {
  readonly store: MediaStore
  /** The setting with which another process opens it. */
  readonly mediaStore: string
  readonly env: Readonly<Record<string, string>>
  /** Whether a write is in progress, as seen from outside. */
  isWriting(): Promise<boolean>
}

/** More than one part of an upload, and not a whole number of them. */
export const LARGE_BYTES = 20 * 1024 * 1024 + 7

export const someBytes = (length: number) => randomBytes(length)

export async function aFile(t: Pick<TestContext, 'after'>, bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-file-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'source')
  await writeFile(file, bytes)
  return file
}

export async function readBack(
  store: MediaStore,
  key: string,
  range?: ByteRange,
): Promise<Buffer | undefined> {
  const opened = await store.open(key, range)
  return opened && buffer(opened.stream)
}
