import { type Dialect, type Driver, Kysely } from 'kysely'
import { accountDialect } from '../../../packages/server/src/platform/database/account-dialect.ts'
import { ConnectionPool } from '../../../packages/server/src/platform/database/connection-pool.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { createLogger } from '../../../packages/server/src/platform/log/logger.ts'
import { buildBenchedCatalog } from '../benched-catalog.ts'
import type { HttpRequest } from './http-client.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface Recorded {
  readonly statements: readonly Statement[]
  /** Number of videos in the answer. */
  readonly hits: number
}

/** Records the statements that the server sends for each request, in order. */
export async function recordStatements(
  serviceUrl: string,
  requests: readonly HttpRequest[],
): Promise<Recorded[]> {
  const logger = createLogger({ level: 'silent', base: {}, write: () => {} })
  const pool = new ConnectionPool(serviceUrl, { connections: 1, logger, patience: 8 })
  let statements: Statement[] = []
  const database: Database = {
    forAccount: (id) =>
      new Kysely({
        dialect: recordingDialect(accountDialect(pool, id), (statement) => statements.push(statement)),
      }),
    platform: new Kysely({ dialect: accountDialect(pool, undefined) }),
    openSnapshot: () => Promise.reject(new Error('catalog requests open no snapshot')),
    close: () => pool.close(),
  }
  const server = buildBenchedCatalog(database, logger)
  const recorded: Recorded[] = []
  for (const { method, path, headers, body } of requests) {
    statements = []
    const answer = await server.inject({
      method,
      url: path,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    if (answer.statusCode !== 200) throw new Error(`${path} failed with ${answer.statusCode}: ${answer.body}`)
    recorded.push({ statements, hits: answer.json<{ hits: unknown[] }>().hits.length })
  }
  await server.close()
  await database.close()
  return recorded
}

function recordingDialect(dialect: Dialect, record: (statement: Statement) => void): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => recordingDriver(dialect.createDriver(), record),
  }
}

function recordingDriver(driver: Driver, record: (statement: Statement) => void): Driver {
  return {
    init: () => driver.init(),
    async acquireConnection() {
      const connection = await driver.acquireConnection()
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query) => {
        record(query)
        return execute(query)
      }
      return connection
    },
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
  }
}
