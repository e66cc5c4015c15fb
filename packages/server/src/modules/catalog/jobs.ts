import { divideTier } from './divide-tier.ts'
import { refreshSeries } from './refresh-series.ts'

/** What the catalog does later. */
export const catalogJobs = { divide_tier: divideTier, refresh_series: refreshSeries }
