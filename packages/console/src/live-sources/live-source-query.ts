import { useQuery } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import type { LiveSource } from '../shared/wire-types.ts'

const inOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** An account has 2,000 at most. */
export function useLiveSources() {
  const client = useClient()
  return useQuery({
    queryKey: keys.liveSources,
    queryFn: async ({ signal }): Promise<readonly LiveSource[]> => {
      const sources: LiveSource[] = []
      for await (const source of client.listLiveSources.all({}, { signal })) sources.push(source)
      return sources.toSorted((a, b) => inOrder.compare(a.name, b.name))
    },
  })
}
