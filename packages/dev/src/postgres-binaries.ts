import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { canRun, findProgram } from './find-program.ts'
import { runCommand } from './run-command.ts'

// The oldest that the platform is tested with.
const OLDEST_VERSION = 15
const DEBIAN_FOLDER = '/usr/lib/postgresql'
const PROGRAMS = ['initdb', 'postgres', 'psql']

export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  readonly psql: string
}

/** The requested folder, else the newest that Debian's packages installed, else the one on the path. */
export async function getPostgresBinaries(
  requested: string | undefined,
  searchPath: string,
): Promise<PostgresBinaries> {
  const folders = requested === undefined ? await listInstalled(searchPath) : [requested]
  for (const folder of folders) {
    if (!(await hasPrograms(folder))) continue
    const binaries = {
      initdb: join(folder, 'initdb'),
      postgres: join(folder, 'postgres'),
      psql: join(folder, 'psql'),
    }
    if ((await versionOf(binaries.postgres)) >= OLDEST_VERSION) return binaries
  }
  const where = requested === undefined ? 'on this machine' : `in PG_BIN_DIR=${requested}`
  throw new Error(
    `No PostgreSQL ${OLDEST_VERSION} or newer was found ${where}. ` +
      'Install postgresql-15, set PG_BIN_DIR to the folder of its programs, or set DATABASE_URL to a server that runs.',
  )
}

async function listInstalled(searchPath: string): Promise<string[]> {
  const names = await readdir(DEBIAN_FOLDER).catch(() => [])
  const versions = names.map(Number).filter(Number.isInteger)
  const newestFirst = versions
    .toSorted((a, b) => b - a)
    .map((version) => join(DEBIAN_FOLDER, `${version}`, 'bin'))
  const pgConfig = await findProgram('pg_config', searchPath)
  const onPath = pgConfig ? await runCommand(pgConfig, ['--bindir']) : ''
  return [...newestFirst, onPath.trim()].filter((folder) => folder !== '')
}

async function hasPrograms(folder: string): Promise<boolean> {
  const found = await Promise.all(PROGRAMS.map((program) => canRun(join(folder, program))))
  return found.every(Boolean)
}

async function versionOf(postgres: string): Promise<number> {
  const text = await runCommand(postgres, ['--version'])
  return Number(/ (\d+)/.exec(text)?.[1] ?? 0)
}
