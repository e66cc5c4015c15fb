/** Runs the work for every item, at most so many at once, and returns the results in the order of the items. */
export async function severalAtOnce<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next
      next += 1
      results[index] = await work(items[index]!, index)
    }
  }
  await Promise.all(Array.from({ length: most }, worker))
  return results
}
