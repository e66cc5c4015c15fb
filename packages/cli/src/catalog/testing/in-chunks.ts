/** A text as chunks of this many bytes. */
export async function* inChunks(
  text: string | Buffer,
  size = 7,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
