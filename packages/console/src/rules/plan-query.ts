import { isProblem } from '@continuity/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { READ_AGAIN_MS } from '../shared/page-state.tsx'
import { keys } from '../shared/query-keys.ts'
import { readUpTo } from '../shared/read-up-to.ts'
import type { Program } from '../shared/wire-types.ts'
import type { Plan, Rules } from './rules-types.ts'

const PLANNING_MS = 2_000

/** The rules of a channel; null where it has none. */
export function usePlan(channelId: string) {
  const client = useClient()
  return useQuery({
    queryKey: keys.plan(channelId),
    // A copy would have no ETag.
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<Plan | null> => {
      try {
        return await client.getPlan({ params: { linear_channel_id: channelId } }, { signal })
      } catch (error) {
        if (isProblem(error, 'plan.not_found')) return null
        throw error
      }
    },
    refetchInterval: ({ state }) => {
      if (state.status === 'error') return READ_AGAIN_MS
      return state.data?.is_planning === true ? PLANNING_MS : false
    },
  })
}

/** What the rules would plan in a range. The last preview stays until the next one is there. */
export function usePreview(
  channelId: string,
  rules: Rules | undefined,
  range: { readonly fromMs: number; readonly toMs: number },
) {
  const client = useClient()
  return useQuery({
    queryKey: [...keys.plan(channelId), 'preview', range, rules],
    enabled: rules !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.previewPlan(
        {
          params: { linear_channel_id: channelId },
          body: {
            ...(rules === undefined ? {} : { rules }),
            from: new Date(range.fromMs).toISOString(),
            to: new Date(range.toMs).toISOString(),
          },
        },
        { signal },
      ),
    gcTime: 60_000,
  })
}

/** Programs that rules leave as they are: of partners and operators. */
export function useFixedPrograms(
  channelId: string,
  range: { readonly fromMs: number; readonly toMs: number },
) {
  const client = useClient()
  return useQuery({
    queryKey: [...keys.programs(channelId), 'fixed', range],
    queryFn: async ({ signal }) => {
      const query = {
        from: new Date(range.fromMs).toISOString(),
        to: new Date(range.toMs).toISOString(),
        page_size: 50,
      }
      const found: Program[] = []
      const params = { linear_channel_id: channelId }
      for await (const program of client.listPrograms.all({ params, query }, { signal })) {
        if (program.origin.type !== 'RULE' && program.state !== 'FAILED') found.push(program)
      }
      return found
    },
  })
}

const CHOICES_MAXIMUM = 500

export function useSeriesChoices() {
  const client = useClient()
  return useQuery({
    queryKey: keys.series,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const pages = client.listSeries.all({ query: { page_size: 50 } }, { signal })
      const found = await readUpTo(CHOICES_MAXIMUM, pages)
      return found.map(({ series_id, title }) => ({ id: series_id, title }))
    },
  })
}
