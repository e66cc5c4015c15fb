import { type Dialect, type Driver, Kysely } from 'kysely'
import { accountDialect } from '../../../packages/server/src/platform/database/account-dialect.ts'
import { ConnectionPool } from '../../../packages/server/src/platform/database/connection-pool.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { createLogger } from '../../../packages/server/src/platform/logger.ts'
import { buildBenchedCatalog } from '../benched-catalog.ts'
import type { HttpRequest } from './ask-http.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface Recorded {
  readonly statements: readonly Statement[]
  /** How many videos were answered. */
  readonly hits: number
}

/** The statements that the server sends for each request, in their order. */
export async function recordStatements(
  serviceUrl: string,
  orders: readonly HttpRequest[],
): Promise<Recorded[]> {
  const logger = createLogger({ level: 'silent', base: {}, write: () => {} })
  const pool = new ConnectionPool(serviceUrl, { connections: 1, logger })
  let heard: Statement[] = []
  const database: Database = {
    forAccount: (id) =>
      new Kysely({ dialect: overheard(accountDialect(pool, id), (statement) => heard.push(statement)) }),
    platform: new Kysely({ dialect: accountDialect(pool, undefined) }),
    openSnapshot: () => Promise.reject(new Error('no request of the catalog opens one')),
    close: () => pool.close(),
  }
  const server = buildBenchedCatalog(database, logger)
  const recorded: Recorded[] = []
  for (const { method, path, headers, body } of orders) {
    heard = []
    const answer = await server.inject({
      method,
      url: path,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    if (answer.statusCode !== 200)
      throw new Error(`${path} was answered ${answer.statusCode}: ${answer.body}`)
    recorded.push({ statements: heard, hits: answer.json<{ hits: unknown[] }>().hits.length })
  }
  await server.close()
  await database.close()
  return recorded
}

function overheard(dialect: Dialect, hear: (statement: Statement) => void): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => overheardDriver(dialect.createDriver(), hear),
  }
}

function overheardDriver(driver: Driver, hear: (statement: Statement) => void): Driver {
  return {
    init: () => driver.init(),
    async acquireConnection() {
      const connection = await driver.acquireConnection()
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query) => {
        hear(query)
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
