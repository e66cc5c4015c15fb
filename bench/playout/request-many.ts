const AT_ONCE = 100

/** Requests the paths round-robin, many at once. */
export async function requestMany(url: string, paths: readonly string[], requests: number): Promise<void> {
  let at = 0
  const run = async () => {
    while (at < requests) {
      const path = paths[at++ % paths.length]!
      const answer = await fetch(`${url}${path}?sid=${at}`)
      if (answer.status !== 200) throw new Error(`${path} failed with ${answer.status}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
}
