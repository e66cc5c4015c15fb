import pg from 'pg'

/**
 * `copy … from stdin`, with all of its data in one message. To go by COPY is the cheapest way in for many rows, and the
 * driver by itself answers the server that it has none.
 */
export class CopyQuery extends pg.Query {
  readonly #data: Buffer

  constructor(text: string, data: Buffer) {
    super({ text })
    this.#data = data
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#data)
    connection.endCopyFrom()
  }
}

/** What the driver can do with a connection in a copy; its types leave it out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}
