import type { ReportId } from '@continuity/client'
import type { Operations, QueryInput } from '@continuity/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import { serverNowMs } from '../shared/server-time.ts'
import { type ReadReport, readRows } from './read-rows.ts'
import type { Report } from './report-list.ts'
import type { ReportRange } from './report-range.ts'

/** A report of today has more rows every minute. No event reports them. */
const STALE_MS = 60_000

export interface ReportChoice {
  readonly report: Report
  readonly range: ReportRange
  readonly hasCountries: boolean
  readonly isByMinute: boolean
}

export type ReportQuery = QueryInput<Operations[ReportId]>

/** The query of the request. By the minute there are no countries. */
export const queryOf = ({ report, range, hasCountries, isByMinute }: ReportChoice): ReportQuery => ({
  ...range,
  ...(report.hasMinutes === true && isByMinute ? { time_frame: 'minute' } : {}),
  ...(report.countries !== undefined && hasCountries && !isByMinute ? { include_countries: true } : {}),
})

export interface ShownReport extends ReadReport {
  readonly readMs: number
}

export function useReport(choice: ReportChoice, isEnabled: boolean) {
  const client = useClient()
  const query = queryOf(choice)
  return useQuery({
    queryKey: keys.report(choice.report.id, query),
    enabled: isEnabled,
    staleTime: STALE_MS,
    queryFn: async ({ signal }): Promise<ShownReport> => {
      const readMs = serverNowMs()
      const body = await client.report(choice.report.id, query, { format: 'ndjson', signal })
      return { ...(await readRows(choice.report, body)), readMs }
    },
  })
}
