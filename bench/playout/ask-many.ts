const AT_ONCE = 100

/** Asks for each path in turn, many at once. */
export async function askMany(url: string, paths: readonly string[], requests: number): Promise<void> {
  let at = 0
  const askOn = async () => {
    while (at < requests) {
      const path = paths[at++ % paths.length]!
      const answer = await fetch(`${url}${path}?sid=${at}`)
      if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askOn))
}
