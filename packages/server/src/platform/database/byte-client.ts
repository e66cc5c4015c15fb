import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'

/**
 * A connection whose results can be read as bytes: strings with one character per byte that PostgreSQL sent. Data that
 * is only passed on need not be decoded and encoded again, which for a page of documents takes longer than the rest of
 * the request.
 *
 * The driver decodes everything as UTF-8 and does not expose its parser, so the parser is created here, as the driver
 * does it.
 */
export class ByteClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as { readonly connection: ParsedConnection }
    connection.attachListeners = (stream) => {
      const parser = new Parser()
      connection.reader = (parser as unknown as { readonly reader: Reader }).reader
      stream.on('data', (bytes: Buffer) => {
        parser.parse(bytes, (message) => {
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message)
        })
      })
    }
  }
}

interface Reader {
  encoding: 'utf-8' | 'latin1' // written by `readAs`
}

interface ParsedConnection extends EventEmitter {
  attachListeners(stream: EventEmitter): void
  reader?: Reader
}

/** Sets how the next results of a connection are decoded. A connection runs one query at a time. */
export function readAs(connection: unknown, form: 'text' | 'bytes'): void {
  const { reader } = connection as ParsedConnection
  if (reader === undefined) throw new Error('the connection is not open')
  reader.encoding = form === 'bytes' ? 'latin1' : 'utf-8'
}
