/** What is kept of a program's complaints: the end of them, where it says why it gave up. */
const TAIL_BYTES = 16_384

/** No line of a program that tells its progress is longer. */
const LINE_BYTES = 65_536

/** The last bytes of a stream, however much comes. */
export function createTail(): { add(chunk: Buffer): void; text(): string } {
  let kept: Buffer = Buffer.alloc(0)
  return {
    add: (chunk) => {
      kept = Buffer.concat([kept, chunk]).subarray(-TAIL_BYTES)
    },
    text: () => kept.toString(),
  }
}

/** Gives each whole line. One that never ends is thrown away piece by piece. */
export function createLineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_BYTES) rest = ''
    for (const line of lines) onLine(line)
  }
}
