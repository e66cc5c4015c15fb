import { migrateSchema } from '../app/migrate-schema.ts'
import { openDatabase } from '../platform/database/database.ts'
import { findMissingMigrations } from '../platform/database/missing-migrations.ts'
import { createLogger } from '../platform/log/logger.ts'
import { ownerAccounts } from './owner-accounts.ts'
import { ownerAppKeys } from './owner-app-keys.ts'
import { ownerFeed } from './owner-feed.ts'
import { ownerUsers } from './owner-users.ts'

/** The operations of the platform owner, at one time. It connects to the database at the first use. */
export function openOwner(ownerUrl: string, nowMs: number) {
  // A command reports its own errors; a log would be noise.
  const logger = createLogger({ level: 'silent', base: {}, write: () => {} })
  const database = openDatabase(ownerUrl, { connections: 1, logger })
  return {
    ...ownerAccounts(database.platform, nowMs),
    ...ownerUsers(database, nowMs),
    ...ownerAppKeys(database, nowMs),
    ...ownerFeed(database.platform, nowMs),

    async migrate(report: (migration: string) => void) {
      const applied = await migrateSchema(ownerUrl, { nowMs, log: report })
      return applied.map(nameOf)
    },

    async findPendingMigrations() {
      const missing = await findMissingMigrations(ownerUrl)
      return missing.map(nameOf)
    },

    close: () => database.close(),
  }
}

/** The name of its file. */
const nameOf = ({ version, name }: { readonly version: number; readonly name: string }) =>
  `${String(version).padStart(4, '0')}-${name}`
