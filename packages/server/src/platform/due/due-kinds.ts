/** Everything that falls due at a time. Each needs a handler in app/build-jobs.ts. */
export const dueKinds = ['fail_dead_assets', 'forget_expired'] as const

export type DueKind = (typeof dueKinds)[number]
