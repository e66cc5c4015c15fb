import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeHome } from '@continuity/dev/make-home'
import { getPostgresBinaries } from '@continuity/dev/postgres-binaries'
import { startPrivatePostgres } from '@continuity/dev/private-postgres'
import { removeHome } from '@continuity/dev/remove-home'
import { readMigrations } from '../../../packages/server/src/platform/database/migrations.ts'
import { GENERATOR_VERSION } from '../generate/catalog-plan.ts'
import { loadCatalog } from './load-catalog.ts'

export interface OpenedCatalog extends AsyncDisposable {
  readonly ownerUrl: string
  readonly serviceUrl: string
  /** The folder of PostgreSQL's programs. */
  readonly binDir: string
}

export interface CatalogOptions {
  readonly videos: number
  /** A folder in which it is kept and reused; undefined for a temporary one. */
  readonly keep?: string | undefined
  log(line: string): void
}

/** A catalog takes 4 GB a million: above this size most of it should be in memory, as in production. */
const LARGE = 500_000

const settingsOf = (videos: number) => [
  'fsync=off',
  'synchronous_commit=off',
  'max_wal_size=8GB',
  `shared_buffers=${videos < LARGE ? '512MB' : '4GB'}`,
  `maintenance_work_mem=${videos < LARGE ? '256MB' : '4GB'}`,
]

/** Opens a separate PostgreSQL with a catalog: a kept one, or else a new one. */
export async function openCatalog({ videos, keep, log }: CatalogOptions): Promise<OpenedCatalog> {
  const home = keep === undefined ? await mkdtemp(join(tmpdir(), 'continuity-bench-')) : resolve(keep)
  const wanted = await describeCatalog(videos)
  const isLoaded = await findLoaded(home, wanted)
  await makeHome(home)
  if (!isLoaded) await writeFile(join(home, UNFINISHED), wanted)
  const searchPath = process.env['PATH'] ?? ''
  const { psql } = await getPostgresBinaries(process.env['PG_BIN_DIR'], searchPath)
  const options = { home, searchPath, log, binDir: process.env['PG_BIN_DIR'] }
  const postgres = await startPrivatePostgres({ ...options, serverSettings: settingsOf(videos) })
  const dispose = async () => {
    await postgres.stop()
    if (keep === undefined) await removeHome(home)
  }
  try {
    const { ownerUrl, url: serviceUrl } = postgres
    if (!isLoaded) {
      await loadCatalog({ psql, ownerUrl, videos }, log)
      await rename(join(home, UNFINISHED), join(home, LOADED))
    }
    return { ownerUrl, serviceUrl, binDir: dirname(psql), [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

const LOADED = 'catalog.json'
const UNFINISHED = 'catalog-unfinished.json'

/** Whether the folder has the catalog. An unfinished one is removed; a foreign folder is not touched. */
async function findLoaded(home: string, wanted: string): Promise<boolean> {
  const names = await readdir(home).catch((): string[] => [])
  if (names.includes(UNFINISHED)) {
    await removeHome(home)
    return false
  }
  if (names.length === 0) return false
  const found = await readFile(join(home, LOADED), 'utf8').catch(() => 'no catalog')
  if (found === wanted) return true
  throw new Error(`${home} contains ${found}, expected ${wanted}. Remove it, or use another folder.`)
}

/** A kept catalog is valid while the schema and the generator are unchanged. */
async function describeCatalog(videos: number): Promise<string> {
  const schema = createHash('sha256')
  for (const { checksum } of await readMigrations()) schema.update(checksum)
  return JSON.stringify({ videos, generator: GENERATOR_VERSION, schema: schema.digest('hex') })
}
