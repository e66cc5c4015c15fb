import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '@continuity/dev/project-root'
import { readChapter } from '../../e2e/getting-started/guide.ts'
import type { OnAirSystem } from '../on-air/on-air-system.ts'

export const RUNBOOK = 'docs/runbooks/restore-database.md'

export interface Restoring {
  readonly system: Pick<OnAirSystem, 'postgres'>
  /** Where the commands are executed, and the backup is. */
  readonly folder: string
}

/** Takes the backup into the folder. */
export async function backUp(trial: Restoring): Promise<void> {
  const [backup] = (await readChapter('Take a backup', RUNBOOK)).blocks('sh')
  await runScript(trial, backup!)
}

/** Follows the runbook; with the stream kept, the last command is left out, and a worker has to detect the restore. */
export async function restoreBackup(trial: Restoring, isEpochBegun: boolean): Promise<void> {
  const { restore, migrate, newEpoch } = await restoreCommands()
  for (const command of [restore, migrate, ...(isEpochBegun ? [newEpoch] : [])])
    await runScript(trial, command)
}

/** What PostgreSQL's own programs do first, and the two commands that follow. */
export async function restoreCommands() {
  const [block] = (await readChapter('Restore it', RUNBOOK)).blocks('sh')
  const lines = block!.trim().split('\n')
  const [migrate, newEpoch] = lines.splice(-2)
  if (migrate !== 'npx continuity migrate' || newEpoch !== 'npx continuity feed new-epoch')
    throw new Error('the runbook does not end with the migration and the new epoch')
  return { restore: lines.join('\n'), migrate, newEpoch }
}

export async function runScript({ system, folder }: Restoring, lines: string): Promise<void> {
  const script = lines.replaceAll(
    /^npx continuity/gm,
    `node ${join(projectRoot, 'packages/cli/src/continuity.ts')}`,
  )
  const env = { ...process.env, DATABASE_OWNER_URL: system.postgres().ownerUrl }
  await promisify(execFile)('bash', ['-ec', script], { cwd: folder, env, timeout: 120_000 })
}
