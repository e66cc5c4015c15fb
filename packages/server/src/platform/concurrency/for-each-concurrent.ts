/**
 * Runs `work` for every item, a few at a time: a slow item delays one slot and not the rest.
 *
 * After the first failure no further item is begun. The call still waits for those that run, so that nothing is left
 * running when it returns, and then throws the first error.
 */
export async function forEachConcurrent<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  let failure: { readonly error: unknown } | undefined // written by the slot that fails first
  const runSlot = async () => {
    for (const item of left) {
      if (failure !== undefined) return
      try {
        await work(item)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runSlot))
  if (failure !== undefined) throw failure.error
}
