import { ticksOf } from '@continuity/core/time/ticks'
import type { Database, Db } from '../../platform/database/database.ts'
import type { Due } from '../../platform/due/due-rows.ts'
import type { DueHandler } from '../../platform/due/sweeper.ts'
import { keepFeed } from './keep-feed.ts'
import { watchItems } from './late-items.ts'
import { type PlanDeps, planChannel } from './plan-channel.ts'
import { lookForSteps, type PublishDeps, publishSteps } from './publish-feed.ts'
import { recordAsRun } from './record-as-run.ts'
import { startChannel } from './start-channel.ts'
import { endChannel } from './stop-channel.ts'
import { forgetRunsBefore, type TimelineId } from './timeline-store.ts'

export interface ScheduleDeps extends PlanDeps, PublishDeps {
  readonly database: Database
}

/** What is done when something of a channel falls due. What that leaves to publish is published right after. */
export function scheduleDue(deps: ScheduleDeps) {
  const publish = (due: Due<string>) => async () => {
    // Else each row that is due would wait until the feed has not answered for five seconds.
    if (!deps.isFeedUp()) return
    const id = idOf(due)
    await publishSteps(deps.database.forAccount(id.accountId), deps, id)
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
    record_as_run: async (tx, due) => recordAsRun(tx, deps, idOf(due)),
    publish_feed: async (tx, due) => {
      await lookForSteps(tx, deps, idOf(due))
      return publish(due)
    },
    late_items: async (tx, { subjectId, accountId }) =>
      watchItems(tx, deps, { accountId: accountId!, programId: subjectId }),
  } as const satisfies Record<string, DueHandler>
}

const idOf = ({ subjectId, accountId }: Due<string>): TimelineId => ({
  accountId: accountId!,
  channelId: subjectId,
})

/** Longer than anybody can ask for, however far back: a day of shift, and the longest windows. */
const KEPT_MS = 72 * 3_600_000
const AT_ONCE = 1_000

/** Takes away runs that have long been aired; the as-run record has what they showed. */
export const forgetRuns = (platform: Db, nowMs: number): Promise<number> =>
  forgetRunsBefore(platform, ticksOf(nowMs - KEPT_MS), AT_ONCE)

export { keepFeed }
