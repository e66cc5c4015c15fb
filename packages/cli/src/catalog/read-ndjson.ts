import { readLines } from './read-lines.ts'
import type { SourceItem } from './source-item.ts'

/** As much as the service takes in one body. */
const LINE_BYTES = 1_048_576

/** Entries of a file with one JSON object a line. Empty lines count and are passed over. */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceItem, void, undefined> {
  for await (const { number, bytes, bytesRead } of readLines(chunks, LINE_BYTES)) {
    const placed = { place: number, where: `line ${number}`, bytesRead }
    if (bytes === undefined) yield { ...placed, fault: `is longer than ${LINE_BYTES} bytes` }
    else if (bytes.some((byte) => byte > 32)) yield { ...placed, ...parse(bytes) }
  }
}

// It also takes away a byte order mark, which some programs begin a file with.
const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer): { entry: unknown } | { fault: string } {
  try {
    return { entry: JSON.parse(utf8.decode(bytes)) as unknown }
  } catch (error) {
    return { fault: error instanceof SyntaxError ? `is no JSON: ${error.message}` : 'is not in UTF-8' }
  }
}
