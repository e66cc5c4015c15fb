import { dirname, join } from 'node:path'
import { getPostgresBinaries } from '@continuity/dev/postgres-binaries'
import { runCommand } from '@continuity/dev/run-command'

/** Where the schema that all migrations together make is committed, so that a change to it is seen. */
export const SCHEMA_FILE = 'packages/server/schema.sql'

const HEAD = '-- What all migrations together make of schema public. Printed by npm run dump-schema.\n\n'

/** The schema `public` of a database, as it is committed. */
export async function dumpSchema(ownerUrl: string): Promise<string> {
  return HEAD + (await printSchema(ownerUrl, ['--no-owner', '--schema=public']))
}

/** The schema of a database as pg_dump prints it with these options, without what differs between servers. */
export async function printSchema(databaseUrl: string, options: readonly string[]): Promise<string> {
  const { password, ...place } = partsOf(databaseUrl)
  const { psql } = await getPostgresBinaries(process.env['PG_BIN_DIR'], process.env['PATH'] ?? '')
  const program = join(dirname(psql), 'pg_dump')
  const args = ['--schema-only', ...options, '--dbname', place.url]
  return steady(await runCommand(program, args, { env: { PGPASSWORD: password } }))
}

/** Arguments can be read by every user of the machine, so the password goes another way. */
function partsOf(address: string): { url: string; password: string } {
  const url = new URL(address)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { url: url.href, password }
}

/** Comments contain versions, settings depend on the client, and newer clients print a key that is new each time. */
export function steady(dump: string): string {
  const lines = dump.split('\n').filter((line) => !VOLATILE.test(line))
  return `${lines
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n\n')
    .trim()}\n`
}

const VOLATILE =
  /^(--|SET |SELECT pg_catalog\.set_config|\\(un)?restrict |(CREATE|COMMENT ON) SCHEMA public\b)/
