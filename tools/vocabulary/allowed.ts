/** Where a banned word is the right one, and why. */
export interface Allowed {
  /** A path of the project; a folder ends with `/`. */
  readonly path: string
  /** The words allowed there; all of them when absent. */
  readonly words?: readonly string[]
  readonly reason: string
}

export const allowed: readonly Allowed[] = [
  { path: 'tools/vocabulary/', reason: 'the list itself and its tests' },
  { path: 'packages/server/migrations/', reason: 'applied migrations are frozen by their checksums' },
  { path: 'e2e/start/users.test.ts', words: ['nobody'], reason: 'the Unix user nobody' },
  {
    path: 'packages/server/src/platform/feed/feed-subjects.ts',
    words: ['ask'],
    reason: 'the NATS subject feed.ask',
  },
  {
    path: 'packages/server/src/modules/auth/sessions/login-limits.ts',
    words: ['stranger'],
    reason: 'part of the hashed key of login_limits, which is stored',
  },
  {
    path: 'packages/client/README.md',
    words: ['refused'],
    reason: "the outcome 'refused' of importCatalog is part of the SDK",
  },
  {
    path: 'packages/client/src/import-catalog.ts',
    words: ['refused'],
    reason: "the outcome 'refused' of importCatalog is part of the SDK",
  },
  {
    path: 'packages/client/src/importing.test.ts',
    words: ['refused'],
    reason: "the outcome 'refused' of importCatalog is part of the SDK",
  },
  {
    path: 'packages/cli/src/catalog/import-file.ts',
    words: ['refused'],
    reason: "the outcome 'refused' of importCatalog is part of the SDK",
  },
  { path: 'deploy/nats/continuity.conf', words: ['ask'], reason: 'the NATS subject feed.ask' },
  { path: 'deploy/nats/single.conf', words: ['ask'], reason: 'the NATS subject feed.ask' },
  {
    path: 'docs/adr/0029-nats-permissions-and-signed-feed.md',
    words: ['ask'],
    reason: 'the NATS subject feed.ask',
  },
  { path: 'docs/adr/0040-reports.md', words: ['house'], reason: 'the product ClickHouse' },
  {
    path: 'e2e/stolen-credential/',
    words: ['ask'],
    reason: 'the NATS subject feed.ask',
  },
]
