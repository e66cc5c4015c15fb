/** Sends the requests in a loop from several concurrent clients, each of which waits for its answer. */
export async function runRoundRobin<T>(
  requests: readonly T[],
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
  send: (request: T, client: number) => Promise<unknown>,
): Promise<number[]> {
  const tookMs: number[] = []
  const endMs = performance.now() + seconds * 1_000
  let next = 0
  const run = async (client: number) => {
    do {
      const request = requests[next % requests.length]!
      next += 1
      const startMs = performance.now()
      await send(request, client)
      tookMs.push(performance.now() - startMs)
    } while (performance.now() < endMs)
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  return tookMs
}
