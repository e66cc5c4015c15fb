/** Runs so many pieces of work at once; the others wait for their turn. */
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
      // The next in line takes over the place, so that no one who comes later is faster.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
