import { enqueueInto } from './enqueue.ts'
import { type JobMap, job, type NoData } from './job-map.ts'

/** Everything that is done later, with what it is given. Each needs a handler in app/build-jobs.ts. */
export const allJobs = {
  forget_expired: job<NoData>({ retries: 3, limitMs: 10 * 60_000, atOnce: 1, oneWaiting: true }),
  /** Of the catalog's search; a tier by where it begins. */
  divide_tier: job<{ readonly from_ms: number; readonly from_id: string }>({ oneWaiting: true, atOnce: 1 }),
  /** Of a series that has another title. */
  refresh_series: job<{ readonly series_id: string }>({ oneWaiting: true, atOnce: 2 }),
  /** Of a program that was handed over. */
  process_request: job<{ readonly request_id: string }>({ atOnce: 2 }),
  /**
   * Fetches and packages one file. The encoder uses every core, so more at once would only make all of them late;
   * a second fetches meanwhile. The longest file takes hours, and the queue lets a run have a day at most.
   */
  package_asset: job<{ readonly asset_id: string }>({
    atOnce: 2,
    limitMs: 86_000_000,
    // Two hours: longer than a store or a partner's server is usually away.
    retries: 30,
  }),
  /** A slate of an account. It takes seconds, in a lane of its own: a channel that starts waits for it, and for no upload. */
  make_slate: job<{ readonly asset_id: string }>({ atOnce: 1, limitMs: 10 * 60_000, retries: 30 }),
  /** Of a request whose job is among the dead letters. */
  fail_request: job<{ readonly request_id: string }>({ oneWaiting: true }),
  /** Of an asset whose job is among the dead letters. */
  fail_asset: job<{ readonly asset_id: string }>({ oneWaiting: true }),
  /** The slates that an account begins with. */
  make_default_media: job<NoData>({ oneWaiting: true, atOnce: 1 }),
  /** Channels follow the signal of a live source. */
  auto_switch: job<{ readonly live_source_id: string; readonly signal: 'on' | 'off' }>({ atOnce: 4 }),
  /** Of one hour of a live source. */
  delete_live_segments: job<{ readonly live_source_id: string; readonly hour: number }>({
    atOnce: 1,
    limitMs: 10 * 60_000,
    retries: 20,
  }),
} as const satisfies JobMap

export type AllJobs = typeof allJobs

/** Leaves a job in the caller's transaction: rolled back, there never was one. */
export const enqueue = enqueueInto<AllJobs>()
