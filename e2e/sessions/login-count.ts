/** How many passwords the processes have hashed since they started, from their metrics. */
export async function countHashes(apis: readonly string[]): Promise<number> {
  const counts = await Promise.all(
    apis.map(async (api) => {
      const text = await (await fetch(`${api}/metrics`)).text()
      const found = /^login_hashes_total (\d+)$/m.exec(text)
      if (found === null) throw new Error('The metrics have no login_hashes_total.')
      return Number(found[1])
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
