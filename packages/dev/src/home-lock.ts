import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './fault.ts'
import { birthOf } from './left-behind.ts'
import { writePrivateFile } from './private-file.ts'

export interface HomeLock {
  release(): Promise<void>
}

/**
 * Takes the home for this process, or throws when a living one holds it.
 *
 * Two on one home would share a data folder, and each would take the other's
 * servers for leftovers and end them.
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const path = join(home, 'lock')
  const ours = JSON.stringify({ pid: process.pid, born: await birthOf(process.pid) })
  const candidate = `${path}.${randomUUID()}`
  await writePrivateFile(candidate, ours)
  try {
    // A link appears with its content or not at all, and never replaces one that is there.
    while (!(await tryToLink(candidate, path))) await removeStaleLock(home, path)
  } finally {
    await rm(candidate, { force: true })
  }
  return { release: () => rm(path, { force: true }) }
}

async function tryToLink(candidate: string, path: string): Promise<boolean> {
  try {
    await link(candidate, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function removeStaleLock(home: string, path: string): Promise<void> {
  const found = await readFile(path, 'utf8').catch(() => undefined)
  if (found === undefined) return
  await throwIfLocked(home, found)
  // Moved aside before it goes: had another starter been quicker, what we
  // moved is its fresh lock and must go back.
  const aside = `${path}.${randomUUID()}`
  await rename(path, aside).catch(() => undefined)
  const moved = await readFile(aside, 'utf8').catch(() => undefined)
  if (moved !== undefined && moved !== found) await tryToLink(aside, path)
  await rm(aside, { force: true })
}

async function throwIfLocked(home: string, lock: string): Promise<void> {
  const { pid, born }: { pid: number; born?: string } = JSON.parse(lock)
  if ((await birthOf(pid)) !== born) return
  throw new Error(
    `${home} is in use by process ${pid}. Stop that one, or set CONTINUITY_HOME and PORT to run a second.`,
  )
}
