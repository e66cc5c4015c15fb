import pg from 'pg'

/**
 * Several statements in one round trip, executed in order: all are sent before one Sync. When one fails, the server
 * skips those after it.
 */
export class BatchQuery extends pg.Query {
  readonly #statements: readonly WireQuery[]
  readonly #results: pg.QueryResult[] = []
  #fault: Error | undefined // in decoding a value
  #at = 0 // index of the statement whose result is being read

  constructor(configs: readonly pg.QueryConfig[]) {
    super({ ...configs[0]!, queryMode: 'extended' } as pg.QueryConfig)
    this.#statements = configs.map((config, at) => {
      const received = (error: Error | null, result: pg.QueryResult) => {
        if (error !== null) this.#fault ??= error
        else this.#results[at] = result
      }
      return Object.assign(new pg.Query(config), { callback: received }) as unknown as WireQuery
    })
  }

  prepare(connection: WireConnection): void {
    // The driver ends each statement with a Sync.
    const withoutSync = Object.create(connection, { sync: { value: () => {} } }) as WireConnection
    for (const statement of this.#statements) statement.prepare(withoutSync)
    connection.sync()
  }

  handleRowDescription(message: unknown): void {
    this.#statements[this.#at]!.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#statements[this.#at]!.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, connection: WireConnection): void {
    this.#statements[this.#at]!.handleCommandComplete(message, connection)
    this.#at += 1
    const next = this.#statements[this.#at]
    // The driver records by this name that the server has parsed a statement.
    if (next !== undefined) Object.assign(this, { name: next.name, text: next.text })
  }

  handleReadyForQuery(connection: WireConnection): void {
    for (const statement of this.#statements) statement.handleReadyForQuery(connection)
    const { callback } = this as unknown as { callback(error: Error | null, results?: unknown): void }
    callback(this.#fault ?? null, this.#results)
  }

  handleError(error: unknown, connection: WireConnection): void {
    // The server has not parsed the statements that it skipped.
    for (const { name } of this.#statements.slice(this.#at)) {
      if (name !== undefined) delete connection.submittedNamedStatements[name]
    }
    parent.handleError.call(this, error, connection)
  }
}

/** Methods of the driver's queries that its types do not declare. */
interface WireQuery {
  readonly name: string | undefined
  readonly text: string
  prepare(connection: WireConnection): void
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: WireConnection): void
  handleReadyForQuery(connection: WireConnection): void
}

interface WireConnection {
  readonly submittedNamedStatements: Record<string, string>
  sync(): void
}

const parent = pg.Query.prototype as unknown as {
  handleError(error: unknown, connection: WireConnection): void
}
