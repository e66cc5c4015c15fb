/** Two addresses and a country have some 90 characters. A file without line ends is not gathered in memory. */
const LINE_MAXIMUM = 1_000

/**
 * The lines of a text and their numbers, from 1. The pieces are given as they
 * come: such a file has tens of megabytes, and other requests go on between them.
 */
export async function* readShortLines(pieces: AsyncIterable<string>): AsyncGenerator<[number, string]> {
  let number = 0
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      number += 1
      yield [number, trimEnd(line)]
    }
    if (rest.length > LINE_MAXIMUM) throw new Error(`line ${number + 1} has no end`)
  }
  if (rest !== '') yield [number + 1, trimEnd(rest)]
}

const trimEnd = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)
