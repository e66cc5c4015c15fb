/** How much is kept of standard error: its end, which contains the reason of a failure. */
const TAIL_BYTES = 16_384

/** Longer lines are dropped; lines of a progress report are shorter. */
const LINE_BYTES = 65_536

/** The last bytes of a stream of any length. */
export function createTail(): { add(chunk: Buffer): void; text(): string } {
  let kept: Buffer = Buffer.alloc(0)
  return {
    add: (chunk) => {
      kept = Buffer.concat([kept, chunk]).subarray(-TAIL_BYTES)
    },
    text: () => kept.toString(),
  }
}

/** Calls `onLine` for each complete line. A line that is too long is dropped chunk by chunk. */
export function createLineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_BYTES) rest = ''
    for (const line of lines) onLine(line)
  }
}
