import { randomBytes, randomUUID } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { PostgresPlace } from './postgres-folder.ts'
import { runCommand } from './run-command.ts'

export interface PostgresCluster {
  readonly dataFolder: string
  readonly password: string
}

const FOLDER = 'postgres'
const UNFINISHED = 'postgres.new-'

/** A folder that a run of tests has made once, for its systems to copy: initdb takes longer than any other part of a start. */
export const MADE_CLUSTER = 'TEST_POSTGRES_CLUSTER'

/**
 * The data folder and its password, made on the first start.
 *
 * Both are made under another name and renamed together when complete. So a
 * start that is killed half-way leaves nothing that the next could mistake
 * for a database, and a password is never stored beside data of another one.
 */
export async function ensurePostgresCluster(
  place: PostgresPlace,
  binaries: PostgresBinaries,
  signal?: AbortSignal,
): Promise<PostgresCluster> {
  const folder = join(place.parent, FOLDER)
  if (!(await isFolder(folder))) {
    await removeUnfinished(place.parent)
    const unfinished = join(place.parent, `${UNFINISHED}${randomUUID()}`)
    try {
      await createCluster(unfinished, place, binaries, signal)
      await rename(unfinished, folder)
    } catch (error) {
      await removeUnfinished(place.parent)
      throw error
    }
  }
  return { dataFolder: join(folder, 'data'), password: await readFile(join(folder, 'password'), 'utf8') }
}

async function createCluster(
  folder: string,
  { user }: PostgresPlace,
  binaries: PostgresBinaries,
  signal?: AbortSignal,
): Promise<void> {
  const made = process.env[MADE_CLUSTER]
  if (made !== undefined) {
    await runCommand('/bin/cp', ['-a', made, folder], { signal })
    return
  }
  const passwordFile = join(folder, 'password')
  await mkdir(folder, { mode: 0o700 })
  // Every user of the machine reaches the loopback, so the private server requires a password too.
  await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  for (const path of user ? [passwordFile, folder] : []) await chown(path, user!.uid, user!.gid)
  const args = [
    ['-D', join(folder, 'data')],
    ['-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ['-E', 'UTF8', '--locale=C.UTF-8'],
  ]
  await runCommand(binaries.initdb, args.flat(), { user, signal })
}

/** Only leftovers are here: the lock on the home keeps a second starter away. */
async function removeUnfinished(parent: string): Promise<void> {
  const names = await readdir(parent)
  const unfinished = names.filter((name) => name.startsWith(UNFINISHED))
  // An initdb that outlived its starter may still write into the folder that we clear.
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }
  await Promise.all(unfinished.map((name) => rm(join(parent, name), options)))
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
