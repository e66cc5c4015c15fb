import { ticksOf } from '@continuity/core/time/ticks'
import type { Database, Db } from '../../platform/database/database.ts'
import { type Due, setDue } from '../../platform/due/due-rows.ts'
import type { DueHandler } from '../../platform/due/sweeper.ts'
import { keepAsRunMonths } from './as-run-months.ts'
import { keepFeed } from './keep-feed.ts'
import { keepGuides } from './keep-guides.ts'
import { watchItems } from './late-items.ts'
import { type PlanDeps, planChannel } from './plan-channel.ts'
import { keepDueWhileUnpublished, type PublishJobDeps, publishUpdates } from './publish-feed.ts'
import { type GuideDeps, publishGuide } from './publish-guide.ts'
import { recordAsRun } from './record-as-run.ts'
import { replanLate } from './replan-late.ts'
import { startChannel } from './start-channel.ts'
import { endChannel } from './stop-channel.ts'
import { purgeRunsBefore, type TimelineId } from './timeline-store.ts'

export interface ScheduleDeps extends PlanDeps, PublishJobDeps {
  readonly database: Database
}

const MONTHS_EVERY_MS = 6 * 3_600_000

/** Handlers of the due rows of channels. Updates that they commit are published right after. */
export function scheduleDue(deps: ScheduleDeps & GuideDeps) {
  const publish = (due: Due<string>) => async () => {
    // Otherwise each due row would wait five seconds until the feed times out.
    if (!deps.isFeedUp()) return
    const id = idOf(due)
    await publishUpdates(deps.database.forAccount(id.accountId), deps, id)
  }
  return {
    start_channel: async (tx, due) => {
      await startChannel(tx, deps, idOf(due))
      return publish(due)
    },
    plan_channel: async (tx, due) => {
      await planChannel(tx, deps, idOf(due))
      return publish(due)
    },
    channel_off: async (tx, due) => endChannel(tx, deps, idOf(due)),
    as_run_months: async (tx, { subjectId, accountId }, nowMs) => {
      await keepAsRunMonths(tx, nowMs)
      await setDue(tx, { kind: 'as_run_months', subjectId, accountId, dueMs: nowMs + MONTHS_EVERY_MS })
    },
    record_as_run: async (tx, due) => recordAsRun(tx, deps, idOf(due)),
    publish_feed: async (tx, due) => {
      await keepDueWhileUnpublished(tx, deps, idOf(due))
      return publish(due)
    },
    publish_guide: async (tx, due) => publishGuide(tx, deps, idOf(due)),
    late_items: async (tx, { subjectId, accountId }) =>
      watchItems(tx, deps, { accountId: accountId!, programId: subjectId }),
  } as const satisfies Record<string, DueHandler>
}

const idOf = ({ subjectId, accountId }: Due<string>): TimelineId => ({
  accountId: accountId!,
  channelId: subjectId,
})

/** Longer than a viewer can go back: a day of time shift, and the longest window. */
const KEPT_MS = 72 * 3_600_000
const AT_ONCE = 1_000

/** Deletes runs that were aired long ago; the as-run record keeps what they showed. */
export const purgeRuns = (platform: Db, nowMs: number): Promise<number> =>
  purgeRunsBefore(platform, ticksOf(nowMs - KEPT_MS), AT_ONCE)

export { type GuideDeps, keepFeed, keepGuides, replanLate, type TimelineId }
