import { type MigrateOptions, migrate } from '../platform/database/migrate.ts'
import type { Migration } from '../platform/database/migrations.ts'
import { allJobs } from '../platform/jobs/all-jobs.ts'
import { installJobs } from '../platform/jobs/install-jobs.ts'

/** Migrates our tables and the job queue. */
export function migrateSchema(
  ownerUrl: string,
  options: Pick<MigrateOptions, 'nowMs' | 'log'>,
): Promise<readonly Migration[]> {
  return migrate(ownerUrl, { ...options, afterwards: (client) => installJobs(client, allJobs) })
}
