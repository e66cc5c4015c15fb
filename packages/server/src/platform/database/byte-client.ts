import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'

/**
 * A connection whose answers can be read as bytes: strings in which each
 * character is one byte of what PostgreSQL sent. What is only passed on need not
 * be made text of and bytes again, which for a page of documents takes longer
 * than all the rest that is done with it.
 *
 * The driver decodes everything as UTF-8 and keeps its parser to itself, so the
 * parser is made here. It does what the driver's own does.
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

/** From now on the answers of a connection are text, or bytes. It has one query at a time. */
export function readAs(connection: unknown, form: 'text' | 'bytes'): void {
  const { reader } = connection as ParsedConnection
  if (reader === undefined) throw new Error('the connection is not open')
  reader.encoding = form === 'bytes' ? 'latin1' : 'utf-8'
}
