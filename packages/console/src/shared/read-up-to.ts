/** The first items of a list that is read page by page. */
export async function readUpTo<T>(maximum: number, items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) {
    found.push(item)
    if (found.length === maximum) break
  }
  return found
}
