import { readLines } from '../terminal/read-lines.ts'
import type { SourceItem } from './source-item.ts'

/** The service's limit of a request body. */
const LINE_BYTES = 1_048_576

/** Entries of a file with one JSON object per line. Empty lines are counted and skipped. */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceItem, void, undefined> {
  for await (const { number, bytes, bytesRead } of readLines(chunks, LINE_BYTES)) {
    const common = { position: number, where: `line ${number}`, bytesRead }
    if (bytes === undefined) yield { ...common, fault: `is longer than ${LINE_BYTES} bytes` }
    else if (bytes.some((byte) => byte > 32)) yield { ...common, ...parse(bytes) }
  }
}

// Also removes a byte order mark.
const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer): { entry: unknown } | { fault: string } {
  try {
    return { entry: JSON.parse(utf8.decode(bytes)) as unknown }
  } catch (error) {
    return { fault: error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'is not valid UTF-8' }
  }
}
