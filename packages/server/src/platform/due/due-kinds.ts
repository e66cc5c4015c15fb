/** Every kind of due row. Each needs a handler in app/build-jobs.ts. */
export const dueKinds = [
  'as_run_months',
  'audience_days',
  'channel_off',
  'close_scratch_alert',
  'fail_dead_assets',
  'failed_program',
  'forget_expired',
  'late_items',
  'live_log',
  'live_source',
  'plan_channel',
  'plan_rules',
  'publish_feed',
  'publish_guide',
  'record_as_run',
  'start_channel',
] as const

export type DueKind = (typeof dueKinds)[number]
