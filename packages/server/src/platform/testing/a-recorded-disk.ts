import type { Stats } from 'node:fs'
import fsPromises, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { TestContext } from 'node:test'

/** The files that would survive a power cut, by the syncs of their writers. */
export interface RecordedDisk {
  /** Every name created by a rename or a link, in order. */
  readonly named: readonly NamedFile[]
  /** Whether a file survives: all of its bytes, and its name in every folder below `root`. */
  survives(path: string, root: string): Promise<boolean>
}

export interface NamedFile {
  readonly path: string
  /** Whether all of its bytes were synced before it got the name. */
  readonly isSynced: boolean
}

export interface DiskWatcher {
  /** Called right after a file got a name. `syncedBytes` returns how much of any file is synced by then. */
  onNamed?(path: string, syncedBytes: (path: string) => Promise<number>): Promise<void>
}

/**
 * Records the file operations of this process until the test ends: they reach the real files, and only synced data
 * counts. Files are identified by their inodes, so that they keep their state when they are renamed.
 */
export async function aRecordedDisk(t: TestContext, watcher: DiskWatcher = {}): Promise<RecordedDisk> {
  const original = { ...fsPromises }
  const written = new Set<number>() // inodes with bytes that are not synced
  const syncedBytes = new Map<number, number>() // by inode
  const entries = new Map<string, Set<string>>() // paths that are not synced, by folder
  const named: NamedFile[] = []
  const find = (path: string): Promise<Stats | undefined> => original.stat(path).catch(() => undefined)

  const noteEntry = (path: string) => {
    const folder = dirname(resolve(path))
    entries.set(folder, (entries.get(folder) ?? new Set()).add(resolve(path)))
  }
  const noteName = async (path: string) => {
    const { ino } = await original.stat(path)
    noteEntry(path)
    named.push({ path, isSynced: !written.has(ino) })
    await watcher.onNamed?.(path, async (of) => syncedBytes.get((await find(of))?.ino ?? 0) ?? 0)
  }
  const replace = <Name extends 'open' | 'writeFile' | 'rename' | 'link' | 'mkdir'>(
    name: Name,
    implementation: (...args: never[]) => Promise<unknown>,
  ) => t.mock.method(fsPromises, name, implementation as never)

  replace('open', async (path: string, flags?: string, mode?: number) => {
    const isNew = (await find(path)) === undefined
    const handle = await original.open(path, flags, mode)
    paths.set(handle, resolve(path))
    if (isNew) noteEntry(path)
    return handle
  })
  replace('writeFile', async (path: string, ...rest: [string]) => {
    const isNew = (await find(path)) === undefined
    await original.writeFile(path, ...rest)
    written.add((await original.stat(path)).ino)
    if (isNew) noteEntry(path)
  })
  for (const name of ['rename', 'link'] as const)
    replace(name, async (from: string, to: string) => {
      await original[name](from, to)
      await noteName(to)
    })
  replace('mkdir', async (path: string, options?: { recursive: boolean }) => {
    const missing: string[] = []
    for (let above = resolve(path); (await find(above)) === undefined; above = dirname(above))
      missing.push(above)
    const made = await original.mkdir(path, options)
    for (const folder of missing) noteEntry(folder)
    return made
  })
  syncBuiltinESMExports()

  const paths = new WeakMap<FileHandle, string>()
  await using any = await original.open(import.meta.filename)
  const handles = Object.getPrototypeOf(any) as FileHandle
  const { stat } = handles
  for (const name of ['write', 'writeFile', 'appendFile', 'truncate'] as const) {
    const write = handles[name] as (...args: unknown[]) => Promise<unknown>
    t.mock.method(handles, name, async function (this: FileHandle, ...args: unknown[]) {
      const { ino } = (await stat.call(this)) as Stats
      // Also at its end: a sync in between does not cover it.
      written.add(ino)
      const result = await write.apply(this, args)
      written.add(ino)
      return result
    } as never)
  }
  for (const name of ['sync', 'datasync'] as const) {
    const sync = handles[name]
    t.mock.method(handles, name, async function (this: FileHandle) {
      const { ino, size } = (await stat.call(this)) as Stats
      await sync.call(this)
      written.delete(ino)
      syncedBytes.set(ino, size)
      if (name === 'sync') entries.delete(paths.get(this) ?? '')
    } as never)
  }
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })

  return {
    named,
    async survives(path, root) {
      if (written.has((await original.stat(path)).ino)) return false
      for (let at = resolve(path); at !== resolve(root); at = dirname(at))
        if (entries.get(dirname(at))?.has(at)) return false
      return true
    },
  }
}
