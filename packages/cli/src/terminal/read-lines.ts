const LINE_FEED = 10

export interface Line {
  /** From 1. */
  readonly number: number
  /** Undefined if it is longer than the limit. */
  readonly bytes: Buffer | undefined
  /** Bytes that were read up to its end. */
  readonly bytesRead: number
}

/** The lines of a file. At most the limit of a line is buffered: a file without line breaks is one long line. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  limitBytes: number,
): AsyncGenerator<Line, void, undefined> {
  let number = 0
  let bytesRead = 0
  let parts: Buffer[] = [] // of the line that has not ended yet
  let length = 0

  const take = (part: Buffer) => {
    length += part.length
    if (length <= limitBytes) parts.push(part)
    else parts = []
  }
  const end = (): Line => {
    const bytes = length > limitBytes ? undefined : Buffer.concat(parts)
    number += 1
    parts = []
    length = 0
    return { number, bytes, bytesRead }
  }

  for await (const chunk of chunks) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let from = 0
    for (let at = buffer.indexOf(LINE_FEED); at !== -1; at = buffer.indexOf(LINE_FEED, from)) {
      take(buffer.subarray(from, at))
      bytesRead += at + 1 - from
      from = at + 1
      yield end()
    }
    take(buffer.subarray(from))
    bytesRead += buffer.length - from
  }
  if (length > 0) yield end()
}
