import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type KeysFile,
  type KeysResult,
  type PublicKeysFile,
  parseSigningKeys,
  publicKeysOf,
  readKeysText,
  type SigningKey,
} from './keys-file.ts'
import {
  chooseSigningKey,
  type Dated,
  describeKeys,
  type KeyState,
  type KeyTimes,
  pruneKeys,
  rotateKeys,
} from './rotation.ts'

/** Keys of one kind: those that sign credentials, or those that sign the feed. */
export interface SigningKeys {
  read(path: string): Promise<KeysResult<SigningKey, KeysFile>>
  parse(path: string, text: string | undefined): KeysResult<SigningKey, KeysFile>
  choose<K extends Dated>(keys: Iterable<K>, nowMs: number): K | undefined
  prune(file: KeysFile, nowMs: number): KeysFile
  describe(file: KeysFile, nowMs: number): readonly KeyState[]
  /** Creates a file with one key, which signs at once. An existing file is rejected. */
  createFile(path: string, nowMs: number, publicPath?: string): Promise<RotationResult>
  /** Adds a key and removes those that are not needed any more. Running processes notice it by themselves. */
  rotateFile(path: string, nowMs: number, publicPath?: string): Promise<RotationResult>
}

export type RotationResult =
  | { readonly kind: 'rotated'; readonly keys: readonly KeyState[] }
  | { readonly kind: 'rejected'; readonly fault: string }

export interface KeyKind extends KeyTimes {
  /** The setting that names their file. */
  readonly setting: string
}

export function defineSigningKeys(kind: KeyKind): SigningKeys {
  const parse: SigningKeys['parse'] = (path, text) => parseSigningKeys(kind.setting, path, text)
  const read: SigningKeys['read'] = async (path) => parse(path, await readKeysText(path))
  /** The public file first: a key that only verifies does no harm, one that signs and is unknown does. */
  const write = async (file: KeysFile, nowMs: number, path: string, publicPath: string | undefined) => {
    if (publicPath !== undefined) await writeKeysFile(publicPath, publicKeysOf(file), 0o644)
    await writeKeysFile(path, file)
    return { kind: 'rotated', keys: describeKeys(kind, file, nowMs) } as const
  }
  return {
    read,
    parse,
    choose: (keys, nowMs) => chooseSigningKey(kind, keys, nowMs),
    prune: (file, nowMs) => pruneKeys(kind, file, nowMs),
    describe: (file, nowMs) => describeKeys(kind, file, nowMs),
    async createFile(path, nowMs, publicPath) {
      if ((await readKeysText(path)) !== undefined)
        return { kind: 'rejected', fault: `${kind.setting} ${path} exists` }
      return write(rotateKeys({ keys: [] }, nowMs), nowMs, path, publicPath)
    },
    async rotateFile(path, nowMs, publicPath) {
      const found = await read(path)
      if (found.kind === 'rejected') return found
      return write(rotateKeys(pruneKeys(kind, found.file, nowMs), nowMs), nowMs, path, publicPath)
    },
  }
}

/**
 * Writes a key file atomically: a reader finds the old file or the new one, also after a power cut.
 *
 * An existing file keeps its owner and mode: keys are often rotated by another user than the one that a process runs as,
 * and that process must still be able to read them. Where that is impossible, nothing is changed. A symlink stays one.
 */
export async function writeKeysFile(
  path: string,
  file: KeysFile | PublicKeysFile,
  mode = 0o600,
): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const temporary = `${target}.${randomUUID()}.tmp`
  const handle = await open(temporary, 'wx', mode)
  try {
    try {
      await handle.writeFile(`${JSON.stringify(file, null, 2)}\n`)
      await keepOwner(target, handle)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(target))
}

async function keepOwner(target: string, handle: FileHandle): Promise<void> {
  const before = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (before === undefined) return
  await handle.chown(before.uid, before.gid)
  await handle.chmod(before.mode & 0o777)
}

/** A rename is durable only after its folder was synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
