/** Runs at most so many tasks concurrently; the others wait. */
export function createLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The slot passes to the next waiter; it is free only where none waits.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
