/** Two addresses and a country have some 90 characters. A file without line breaks is not read into memory. */
const LINE_MAXIMUM = 1_000

/**
 * The lines of a text with their numbers, from 1. Chunks are read as they come: such a file has tens of megabytes, and
 * other requests run in between.
 */
export async function* readShortLines(chunks: AsyncIterable<string>): AsyncGenerator<[number, string]> {
  let number = 0
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      number += 1
      yield [number, trimEnd(line)]
    }
    if (rest.length > LINE_MAXIMUM) throw new Error(`line ${number + 1} is too long`)
  }
  if (rest !== '') yield [number + 1, trimEnd(rest)]
}

const trimEnd = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)
