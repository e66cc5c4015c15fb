import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** Why processes of an earlier release do not work with it; undefined where they do. */
  readonly breaking: string | undefined
}

export const migrationsFolder = join(import.meta.dirname, '../../../migrations')

/** The migrations of this release, in order. */
export async function readMigrations(folder = migrationsFolder): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(files.map((file) => readMigration(folder, file)))
  for (const [index, { version }] of migrations.entries()) {
    if (version !== index + 1) throw new Error(`migration ${index + 1} is missing in ${folder}`)
  }
  return migrations
}

async function readMigration(folder: string, file: string): Promise<Migration> {
  const match = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file)
  if (match === null) throw new Error(`${file} is not named like 0001-what-it-brings.sql`)
  const sql = await readFile(join(folder, file), 'utf8')
  return {
    version: Number(match[1]),
    name: match[2]!,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    breaking: /^-- breaking: (.+)$/m.exec(sql)?.[1],
  }
}
