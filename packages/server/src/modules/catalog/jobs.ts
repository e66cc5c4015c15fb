import { divideTier } from './search-index/divide-tier.ts'
import { refreshSeries } from './series/refresh-series.ts'

/** The background jobs of the catalog. */
export const catalogJobs = { divide_tier: divideTier, refresh_series: refreshSeries }
