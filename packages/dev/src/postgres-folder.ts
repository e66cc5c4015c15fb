import { createHash } from 'node:crypto'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'
import { findSystemUser, isRoot, type SystemUser } from './system-user.ts'

export interface PostgresPlace {
  readonly parent: string // exists; the user below may enter it
  readonly user: SystemUser | undefined // undefined for the one we are
}

/**
 * Where the database lives and who runs it.
 *
 * PostgreSQL does not run as root, so root runs it as user postgres. When
 * that user cannot reach our home (a folder of root's that is closed to
 * others), the data goes to a place of its own outside.
 */
export async function choosePostgresPlace(home: string, log: (line: string) => void): Promise<PostgresPlace> {
  if (!isRoot()) return { parent: home, user: undefined }
  const user = await requirePostgresUser()
  if (await canEnter(user, home)) return { parent: home, user }
  const parent = await ensureOutsideFolder(home, user)
  log(`User ${user.name} cannot enter ${home}, so the database is kept in ${parent}`)
  return { parent, user }
}

export function outsideFolderOf(home: string): string {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16)
  return join('/var/tmp', `continuity-${name}`)
}

async function requirePostgresUser(): Promise<SystemUser> {
  const user = await findSystemUser('postgres')
  if (user) return user
  throw new Error(
    'PostgreSQL does not run as root and this machine has no user postgres. ' +
      'Install postgresql-15, start as an ordinary user, or set DATABASE_URL.',
  )
}

/** Tried rather than worked out from modes: access lists and parent folders count too. */
async function canEnter(user: SystemUser, folder: string): Promise<boolean> {
  return runCommand('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { user }).then(
    () => true,
    () => false,
  )
}

async function ensureOutsideFolder(home: string, user: SystemUser): Promise<string> {
  const parent = outsideFolderOf(home)
  const isNew = await mkdir(parent, { mode: 0o700 }).then(
    () => true,
    () => false,
  )
  if (isNew) await chown(parent, user.uid, user.gid)
  // Anyone may create names in /var/tmp: one that was put there for us is not to be trusted.
  const found = await lstat(parent)
  if (found.isDirectory() && found.uid === user.uid && (found.mode & 0o077) === 0) return parent
  throw new Error(`${parent} belongs to somebody else. Remove it, or set CONTINUITY_HOME to another folder.`)
}
