import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type EventKind, eventKinds } from '@continuity/contract'

/** The test that causes each kind of event and checks it against its schema. */
const causedIn: Readonly<Record<EventKind, string>> = {
  'channel.created': 'channels/channels.db.test.ts',
  'channel.changed': 'channels/channels.db.test.ts',
  'channel.deleted': 'channels/channels.db.test.ts',
  'output.created': 'channels/outputs.db.test.ts',
  'output.changed': 'channels/outputs.db.test.ts',
  'output.deleted': 'channels/outputs.db.test.ts',
  'override.started': 'overrides/overrides.db.test.ts',
  'override.ended': 'overrides/overrides.db.test.ts',
  'program.placed': 'ingest/settle-asset.db.test.ts',
  'program.changed': 'programs/change-programs.db.test.ts',
  'plan.applied': 'plans/plans.db.test.ts',
  'program.removed': 'ingest/replaced-requests.db.test.ts',
  'request.created': 'ingest/settle-asset.db.test.ts',
  'request.changed': 'ingest/settle-asset.db.test.ts',
  'item.changed': 'ingest/settle-asset.db.test.ts',
  'live_source.created': 'live/sources.db.test.ts',
  'live_source.changed': 'live/sources.db.test.ts',
  'live_source.deleted': 'live/sources.db.test.ts',
  'ad_break.inserted': 'live/keep-log.db.test.ts',
  'ad_break.ended': 'live/keep-log.db.test.ts',
  'alert.opened': 'alerts/alerts.db.test.ts',
  'alert.changed': 'alerts/alerts.db.test.ts',
  'alert.closed': 'alerts/alerts.db.test.ts',
  'user.created': 'auth/users/user-events.db.test.ts',
  'user.changed': 'auth/users/user-events.db.test.ts',
  'user.deleted': 'auth/users/user-events.db.test.ts',
}

test('every kind of event is caused in a test that checks it against its schema', () => {
  assert.deepEqual(Object.keys(causedIn).toSorted(), Object.keys(eventKinds).toSorted())
  for (const [kind, path] of Object.entries(causedIn)) {
    const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
    const compared = [...text.matchAll(/assertEvents\(\s*[\w.()]+,\s*\[([^\]]*)\]/g)].map(
      ([, kinds]) => kinds,
    )
    assert.ok(
      compared.some((kinds) => kinds?.includes(`'${kind}'`)),
      `${path} does not check ${kind}`,
    )
  }
})
