import { rm } from 'node:fs/promises'
import pg from 'pg'
import { readChapter } from '../../e2e/getting-started/guide.ts'
import type { OnAirSystem } from '../on-air/on-air-system.ts'
import { type DatabaseState, differencesOf, readState } from './database-state.ts'
import { backUp, RUNBOOK, restoreCommands, runScript } from './runbook.ts'

export interface MoveResult {
  /** Tables of the new server before the restore. */
  readonly tablesBefore: number
  readonly tables: number
  readonly filledTables: number
  readonly rows: number
  /** Tables and sequences that are not what they were, and the schema if it is not. */
  readonly differences: readonly string[]
}

/**
 * Takes a backup of a database that no process uses any more, loses its server with all files, and restores the backup on
 * an empty one.
 */
export async function moveToEmptyServer(trial: {
  readonly system: OnAirSystem
  readonly folder: string
}): Promise<MoveResult> {
  const { system } = trial
  const before = await readState(superuserOf(system))
  await backUp(trial)
  const lost = system.postgres()
  await lost.stop()
  await rm(lost.folder, { recursive: true })
  await system.startPostgresAgain()
  const empty = await createRolesAgain(system)

  const { restore, migrate, newEpoch } = await restoreCommands()
  await runScript(trial, restore)
  // Before the migration, which writes the tables of pg-boss each time.
  const after = await readState(superuserOf(system))
  await runScript(trial, migrate)
  await runScript(trial, newEpoch)
  const tables = [...after.tables.values()]
  return {
    tablesBefore: empty.tables.size,
    tables: tables.length,
    filledTables: tables.filter(({ rows }) => rows > 0).length,
    rows: tables.reduce((all, { rows }) => all + rows, 0),
    differences: differencesOf(before, after),
  }
}

const superuserOf = ({ postgres }: OnAirSystem, database = 'continuity'): string =>
  Object.assign(new URL(postgres().ownerUrl), { username: 'postgres', pathname: database }).href

/** A private server creates roles and database by itself; here they come from the runbook. */
async function createRolesAgain(system: OnAirSystem): Promise<DatabaseState> {
  const [roles] = (await readChapter('Restore it on a new server', RUNBOOK)).blocks('sql')
  const password = new URL(system.postgres().ownerUrl).password
  const client = new pg.Client({ connectionString: superuserOf(system, 'postgres') })
  await client.connect()
  try {
    for (const it of ['database continuity', 'role continuity', 'role continuity_service'])
      await client.query(`drop ${it}`)
    // One by one: a database cannot be created in a transaction.
    for (const statement of roles!.trim().split('\n')) await client.query(statement.replace('…', password))
  } finally {
    await client.end()
  }
  return readState(superuserOf(system))
}
