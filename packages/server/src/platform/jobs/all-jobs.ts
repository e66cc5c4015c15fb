import { enqueueInto } from './enqueue.ts'
import { type JobMap, job, type NoData } from './job-map.ts'

/** Every kind of job and its data. Each needs a handler in app/build-jobs.ts. */
export const allJobs = {
  forget_expired: job<NoData>({ retries: 3, limitMs: 10 * 60_000, atOnce: 1, oneWaiting: true }),
  /** Splits a tier of the catalog's search index, named by where it begins. */
  divide_tier: job<{ readonly from_ms: number; readonly from_id: string }>({ oneWaiting: true, atOnce: 1 }),
  /** Updates the search index after the title of a series has changed. */
  refresh_series: job<{ readonly series_id: string }>({ oneWaiting: true, atOnce: 2 }),
  /** Processes an ingest request. */
  process_request: job<{ readonly request_id: string }>({ atOnce: 2 }),
  /**
   * Fetches and packages one file. The encoder uses every core, so more of them would only slow each other down; a
   * second one can fetch meanwhile. The longest file takes hours, and pg-boss limits a run to a day.
   */
  package_asset: job<{ readonly asset_id: string }>({
    atOnce: 2,
    limitMs: 86_000_000,
    // Two hours: longer than a usual outage of a store or a partner's server.
    retries: 30,
  }),
  /** Packages a slate. Takes seconds, in a queue of its own: a channel start waits for it, and must not wait for uploads. */
  make_slate: job<{ readonly asset_id: string }>({ atOnce: 1, limitMs: 10 * 60_000, retries: 30 }),
  /** Fails a request whose job is a dead letter. */
  fail_request: job<{ readonly request_id: string }>({ oneWaiting: true }),
  /** Fails an asset whose job is a dead letter. */
  fail_asset: job<{ readonly asset_id: string }>({ oneWaiting: true }),
  /** The slates of a new account. */
  make_default_media: job<NoData>({ oneWaiting: true, atOnce: 1 }),
  /** Plans the programs of a channel by its rules. One at a time, because it keeps a core busy. */
  plan_rules: job<{ readonly linear_channel_id: string }>({ atOnce: 1, limitMs: 120_000, oneWaiting: true }),
  /** Switches channels by the signal of a live source. */
  auto_switch: job<{ readonly live_source_id: string; readonly signal: 'on' | 'off' }>({ atOnce: 4 }),
  /** Deletes one hour of a live source. */
  delete_live_segments: job<{ readonly live_source_id: string; readonly hour: number }>({
    atOnce: 1,
    limitMs: 10 * 60_000,
    retries: 20,
  }),
} as const satisfies JobMap

export type AllJobs = typeof allJobs

/** Enqueues a job in the caller's transaction: a rollback removes it. */
export const enqueue = enqueueInto<AllJobs>()
