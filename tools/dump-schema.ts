import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getPostgresBinaries } from '@continuity/dev/postgres-binaries'
import { projectRoot } from '@continuity/dev/project-root'
import { startTestPostgres } from '@continuity/dev/test-postgres'
import { dumpSchema, SCHEMA_FILE } from './architecture/schema-dump.ts'

/**
 * `npm run dump-schema` migrates an empty database and prints its schema into
 * the repository. With `--if-there` a machine without PostgreSQL goes without.
 */
const isOptional = process.argv.includes('--if-there')
const missing = await getPostgresBinaries(process.env['PG_BIN_DIR'], process.env['PATH'] ?? '').then(
  () => undefined,
  (fault: Error) => fault,
)
if (missing !== undefined && !isOptional) throw missing
if (missing !== undefined) {
  console.log(`as it was ${SCHEMA_FILE}: ${missing.message}`)
} else {
  await using postgres = await startTestPostgres()
  writeFileSync(join(projectRoot, SCHEMA_FILE), await dumpSchema(postgres.templateUrl))
  console.log(`written   ${SCHEMA_FILE}`)
}
