import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { OF_A_TEST } from '@continuity/dev/account-traps'
import {
  nameWithTraps,
  startTestPostgres,
  type TestPostgres,
  withDatabase,
} from '@continuity/dev/test-postgres'
import { PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { type Database, openDatabase } from '../database/database.ts'
import { createLog } from '../log/logger.ts'

export interface TestDatabase {
  readonly database: Database
  /** As the processes connect. */
  readonly serviceUrl: string
  /** As the migrator connects; row-level security does not apply to it. */
  readonly ownerUrl: string
}

/** Ends with a test, with the file of tests where none is given, or with a proof. */
export interface Scope {
  after(work: () => Promise<void>): void
}

/**
 * A migrated, empty database that only the caller uses: a test, or a whole file that awaits it at its top.
 *
 * A statement of ours that lacks an account filter fails in it, see `setAccountTraps`.
 */
export async function aDatabase(t: Scope = { after }): Promise<TestDatabase> {
  if (!isMarking) markStatementsOfTests()
  isMarking = true
  const server = await testServer()
  return openCopy(t, server, nameWithTraps(templateOf(server)))
}

/** The same with the released policies: for query plans, and for statements over all accounts. */
export async function aReleasedDatabase(t: Scope = { after }): Promise<TestDatabase> {
  const server = await testServer()
  return openCopy(t, server, templateOf(server))
}

/** Tolerates a busy machine. Tests of time limits open their own databases. */
const PATIENCE = 8

const templateOf = ({ templateUrl }: TestServer) => new URL(templateUrl).pathname.slice(1)

async function openCopy(t: Scope, server: TestServer, template: string): Promise<TestDatabase> {
  const name = await makeDatabase(server, template)
  const serviceUrl = withDatabase(server.serviceUrl, name)
  const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
  const database = openDatabase(serviceUrl, { connections: 10, logger, patience: PATIENCE })
  t.after(() => database.close())
  return { database, serviceUrl, ownerUrl: withDatabase(server.templateUrl, name) }
}

/** Statements of tests need no account filter: their account is the one that they connect as. */
function markStatementsOfTests(): void {
  const { compileQuery } = PostgresQueryCompiler.prototype
  PostgresQueryCompiler.prototype.compileQuery = function (...args) {
    const compiled = compileQuery.apply(this, args)
    return isCalledByTest() ? { ...compiled, sql: `${OF_A_TEST} ${compiled.sql}` } : compiled
  }
}

let isMarking = false // from the first database with traps on

/** Whether the first caller outside of Kysely and platform/database is a test. */
function isCalledByTest(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 30
  const frames = new Error().stack?.split('\n').slice(3) ?? []
  Error.stackTraceLimit = stackTraceLimit
  const caller = frames.find((frame) => !/node_modules|platform\/database\/[\w-]+(?<!\.test)\.ts/.test(frame))
  return caller !== undefined && /\.test\.ts|\/testing\//.test(caller)
}

/** A database without a schema. Returns the owner's address. */
export async function anEmptyDatabase(): Promise<string> {
  const server = await testServer()
  return withDatabase(server.templateUrl, await makeDatabase(server, 'template1'))
}

/** Not dropped: the server is removed after the test run. */
async function makeDatabase({ templateUrl }: TestServer, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asOwner(templateUrl, `create database ${name} template ${template}`)
  return name
}

export type TestServer = Pick<TestPostgres, 'templateUrl' | 'serviceUrl'>

/** The server of the whole test run, or one for this file when it is run alone. */
let own: Promise<TestPostgres> | undefined

export async function testServer(): Promise<TestServer> {
  const { TEST_TEMPLATE_URL: templateUrl, TEST_SERVICE_URL: serviceUrl } = process.env
  if (templateUrl !== undefined && serviceUrl !== undefined) return { templateUrl, serviceUrl }
  if (own === undefined) {
    own = startTestPostgres()
    after(async () => (await own)?.[Symbol.asyncDispose]())
  }
  return own
}

async function asOwner(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
