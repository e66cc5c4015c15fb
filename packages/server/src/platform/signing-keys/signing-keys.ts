import {
  type KeysFile,
  type KeysResult,
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
import { writeKeysFile } from './write-keys-file.ts'

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
