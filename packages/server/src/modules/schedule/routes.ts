import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag } from '../../http/entity-tag.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type Channel, channelAt, toWireChannel } from '../channels/index.ts'
import { FeedUnavailable } from './errors.ts'
import type { ScheduleDeps } from './jobs.ts'
import { publishUpdates } from './publish-feed.ts'
import { requestStart } from './start-channel.ts'
import { stopChannel } from './stop-channel.ts'

export interface ScheduleRouteDeps extends Omit<ScheduleDeps, 'isFeedUp'> {
  readonly publisher: Pick<FeedPublisher, 'publishUpdate' | 'isUp'>
  readonly logger: Logger
}

/** Endpoint to use case. */
export function scheduleRoutes(deps: ScheduleRouteDeps) {
  const { changing } = recordHandlers(deps.database)
  /** Where it fails, a worker publishes by the due row. */
  const publish = (id: Channel) => () =>
    void publishUpdates(deps.database.forAccount(id.accountId), deps, id).catch((error: unknown) =>
      deps.logger.warn(
        { err: error, channel_id: id.channelId },
        'change on air not published yet, a worker retries',
      ),
    )
  return {
    startLinearChannel: changing(async (tx, { params }, actor, onCommit) => {
      if (!deps.publisher.isUp()) throw FeedUnavailable()
      const channel = await requestStart(tx, deps, actor, params.linear_channel_id)
      onCommit(publish(channel))
      return toAnswer(channel, deps.clock())
    }),
    stopLinearChannel: changing(async (tx, { params, body }, actor, onCommit) => {
      if (!deps.publisher.isUp()) throw FeedUnavailable()
      const isImmediate = body?.immediate ?? false
      const channel = await stopChannel(tx, deps, actor, params.linear_channel_id, isImmediate)
      onCommit(publish(channel))
      return toAnswer(channel, deps.clock())
    }),
  } satisfies Handlers
}

const toAnswer = (channel: Channel, nowMs: number) =>
  answered(toWireChannel(channelAt(channel, nowMs)), { etag: recordEtag(channel.version) })
