import pg from 'pg'

/**
 * `copy … from stdin` with all of its data in one message. COPY is the cheapest way to insert many rows, and the driver
 * by itself answers the server that there is no data.
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

/** Methods of the driver's connection that its types do not declare. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}
