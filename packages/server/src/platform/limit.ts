/** Runs at most so many pieces of work at once; the others wait for their turn. */
export function createLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The turn is passed on; only where nobody waits is one free.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
