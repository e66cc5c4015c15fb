import { Readable } from 'node:stream'
import pg from 'pg'
import { DatabaseUnavailable, isUnavailable } from './database-errors.ts'

/** A snapshot of the database, read as one account on its own connection: a large answer does not block the pool. */
export interface Snapshot {
  /** The rows of a `copy (…) to stdout` as the server printed them, with this line end. May be called repeatedly. */
  copy(text: string, lineEnd: '\n' | '\r\n'): AsyncGenerator<Buffer>
  /** Closes the connection; a running statement is cancelled. */
  close(): void
}

export interface SnapshotOptions {
  readonly url: string
  readonly accountId: string
  /** Multiplies the timeout of the first answer, for tests on a busy machine. */
  readonly patience?: number
}

const CONNECT_MS = 3_000

/** A statement lasts as long as the client takes to read its rows. */
const STATEMENT_MS = 3_600_000

/** The rows of a large answer come in index order, so that the first is sent without sorting all of them. */
export const SNAPSHOT_SETTINGS =
  'set jit = off; set max_parallel_workers_per_gather = 0; set enable_sort = off; set enable_seqscan = off'

/** Checked because the id is written into a statement. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function openSnapshot({ url, accountId, patience = 1 }: SnapshotOptions): Promise<Snapshot> {
  if (!UUID.test(accountId)) throw new Error('the account id is not a UUID')
  const client = new pg.Client({
    connectionString: url,
    application_name: 'continuity-reports',
    connectionTimeoutMillis: CONNECT_MS * patience,
    statement_timeout: STATEMENT_MS,
    lock_timeout: CONNECT_MS * patience,
    keepAlive: true,
  })
  client.on('error', () => {}) // the reader gets the error
  const { stream } = (client as unknown as Inside).connection
  try {
    await client.connect()
    // The server notices when this process has gone, also while it sorts.
    await client.query(`set client_connection_check_interval = 5000; ${SNAPSHOT_SETTINGS}`)
    await client.query(
      `begin isolation level repeatable read read only; select set_config('app.account_id', '${accountId}', true)`,
    )
  } catch (error) {
    stream.destroy()
    throw isUnavailable(error) ? DatabaseUnavailable() : error
  }
  return {
    async *copy(text, lineEnd) {
      const query = new CopyOutQuery(text, lineEnd === '\r\n', stream)
      client.query(query as unknown as pg.Submittable)
      try {
        for await (const rows of query.rows) yield rows as Buffer
      } catch (error) {
        throw isUnavailable(error) ? DatabaseUnavailable() : error
      }
    },
    close: () => stream.destroy(),
  }
}

const BLOCK_BYTES = 65_536

/** The server sends one message per row; they are joined into blocks. The server pauses while the reader is busy. */
class CopyOutQuery extends pg.Query {
  readonly rows: Readable
  readonly #isCrlf: boolean
  readonly #pause: () => void
  #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #used = 0

  constructor(text: string, isCrlf: boolean, stream: Inside['connection']['stream']) {
    super({ text })
    this.#isCrlf = isCrlf
    this.#pause = () => stream.pause()
    this.rows = new Readable({ highWaterMark: 4 * BLOCK_BYTES, read: () => stream.resume() })
    Object.assign(this, {
      callback: (error: Error | null) => {
        if (error) this.rows.destroy(error)
        else this.#end()
      },
    })
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const length = chunk.length
    if (this.#used + length + 1 > this.#block.length) this.#flush(length + 1)
    // The driver reuses its buffer.
    chunk.copy(this.#block, this.#used)
    this.#used += length
    if (!this.#isCrlf) return
    this.#block[this.#used - 1] = 0x0d
    this.#block[this.#used] = 0x0a
    this.#used += 1
  }

  #flush(least: number): void {
    if (this.#used > 0 && !this.rows.push(this.#block.subarray(0, this.#used))) this.#pause()
    this.#block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, least))
    this.#used = 0
  }

  #end(): void {
    this.#flush(0)
    this.rows.push(null)
  }
}

/** Members of a client that its types do not declare. */
interface Inside {
  readonly connection: {
    readonly stream: { destroy(): void; pause(): void; resume(): void }
  }
}
