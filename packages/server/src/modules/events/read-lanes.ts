/** Runs a limited number of tasks concurrently; the others are queued. */
export type Lanes = <T>(work: () => Promise<T>) => Promise<T>

export function createLanes(most: number): Lanes {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The next queued task takes over the slot, so that later calls cannot overtake it.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
