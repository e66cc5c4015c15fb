/** Asks for one after the other, again from the beginning, by some at once who each wait for their answer. */
export async function askInTurn<T>(
  orders: readonly T[],
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
  ask: (order: T, client: number) => Promise<unknown>,
): Promise<number[]> {
  const tookMs: number[] = []
  const endMs = performance.now() + seconds * 1_000
  let next = 0
  const run = async (client: number) => {
    do {
      const order = orders[next % orders.length]!
      next += 1
      const startMs = performance.now()
      await ask(order, client)
      tookMs.push(performance.now() - startMs)
    } while (performance.now() < endMs)
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  return tookMs
}
