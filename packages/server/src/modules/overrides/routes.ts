import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import type { Media } from '@continuity/core/media/media'
import type { Handlers } from '../../http/bind.ts'
import { forEachItem } from '../../http/bulk.ts'
import { isId } from '../../platform/crypto/ids.ts'
import type { AppError } from '../../platform/errors.ts'
import { type Channel, channelAt, findChannel } from '../channels/index.ts'
import { lockActiveSource, requireActiveSource } from '../live/index.ts'
import {
  FeedUnavailable,
  overrideChannel,
  publishTogether,
  rescueChannel,
  returnChannel,
  type ScheduleRouteDeps,
} from '../schedule/index.ts'

type OverrideItem = BodyOf<Operations['overrideChannels']>[number]
type ChannelItem = BodyOf<Operations['rescueChannels']>[number]
type Overridden = AnswerOf<Operations['overrideChannels']>[number]
type Returned = AnswerOf<Operations['returnChannelsToSchedule']>[number]

/** Endpoint to use case. */
export function overrideRoutes(deps: ScheduleRouteDeps) {
  const { database, publisher, logger, clock } = deps
  const requireFeed = () => {
    if (!publisher.isUp()) throw FeedUnavailable()
  }
  const publishOf = (accountId: string) => {
    const publish = publishTogether(database.forAccount(accountId), deps, accountId)
    return ({ linear_channel_id: channelId }: ChannelItem) =>
      publish(channelId).catch((error: unknown) => {
        // A worker publishes by the due row.
        logger.warn(
          { err: error, channel_id: channelId },
          'cut committed and not published yet, a worker retries',
        )
        throw FeedUnavailable(error)
      })
  }
  /** The result of a channel that was not cut. */
  const errorResultOf =
    (accountId: string) =>
    async ({ linear_channel_id: channelId }: ChannelItem, { kind, message }: AppError) => {
      const found = isId(channelId)
        ? await findChannel(database.forAccount(accountId), accountId, channelId)
        : undefined
      const overrideStatus = found === undefined ? 'NOT_STARTED' : channelAt(found, clock()).overrideStatus
      return {
        channel: found,
        result: {
          status: kind.status,
          linear_channel_id: channelId,
          linear_channel_override_status: overrideStatus,
          code: kind.code,
          message,
        },
      }
    }
  return {
    async overrideChannels(call) {
      requireFeed()
      const { accountId } = call.principal
      const sourceId = call.params.live_source_id
      const { name } = await requireActiveSource(database.forAccount(accountId), accountId, sourceId)
      const cutDeps = { ...deps, fills: new Map<string, Media>() }
      return forEachItem<OverrideItem, Overridden>(database, call, {
        idOf,
        async change(tx, { linear_channel_id: channelId, title = name, description = '' }, actor) {
          const lock = lockActiveSource(tx, accountId, sourceId)
          const show = { sourceId, title, description, lock }
          const audited = { live_source_id: sourceId, title, description }
          const { channel, onAirMs } = await overrideChannel(tx, cutDeps, actor, channelId, show, audited)
          return { title, description, ...done(channel, onAirMs) }
        },
        publish: publishOf(accountId),
        async errorResult(item, error) {
          const { title = name, description = '' } = item
          return { title, description, ...(await errorResultOf(accountId)(item, error)).result }
        },
      })
    },
    async rescueChannels(call) {
      requireFeed()
      const { accountId } = call.principal
      return forEachItem<ChannelItem, Overridden>(database, call, {
        idOf,
        async change(tx, { linear_channel_id: channelId }, actor) {
          const { channel, onAirMs } = await rescueChannel(tx, deps, actor, channelId)
          return { title: channel.title, description: channel.description, ...done(channel, onAirMs) }
        },
        publish: publishOf(accountId),
        async errorResult(item, error) {
          const { channel, result } = await errorResultOf(accountId)(item, error)
          return { title: channel?.title ?? '', description: channel?.description ?? '', ...result }
        },
      })
    },
    async returnChannelsToSchedule(call) {
      requireFeed()
      const { accountId } = call.principal
      return forEachItem<ChannelItem, Returned>(database, call, {
        idOf,
        async change(tx, { linear_channel_id: channelId }, actor) {
          const { channel, onAirMs } = await returnChannel(tx, deps, actor, channelId)
          return done(channel, onAirMs)
        },
        publish: publishOf(accountId),
        errorResult: async (item, error) => (await errorResultOf(accountId)(item, error)).result,
      })
    },
  } satisfies Handlers
}

const idOf = ({ linear_channel_id }: ChannelItem): string => linear_channel_id

const done = ({ channelId, overrideStatus }: Channel, onAirMs: number) => ({
  status: 200,
  linear_channel_id: channelId,
  linear_channel_override_status: overrideStatus,
  on_air_at: new Date(onAirMs).toISOString(),
})
