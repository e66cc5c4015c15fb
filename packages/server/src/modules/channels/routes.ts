import type { ChannelFields } from '@continuity/core/channels/channel-fields'
import { readChannelSort } from '@continuity/core/channels/channel-sort'
import { answered, answeredText } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { changeChannel } from './change-channel.ts'
import { changeOutput } from './change-output.ts'
import { createChannel } from './create-channel.ts'
import { createOutput } from './create-output.ts'
import { deleteChannel } from './delete-channel.ts'
import { deleteOutput } from './delete-output.ts'
import type { NamedMedia } from './named-media.ts'
import { listOutputs } from './output-store.ts'
import { requireChannel, requireChannelLocked } from './require-channel.ts'
import { type Channel, channelAt, listChannelsAsJson } from './store.ts'
import { readChannelFields, readOutputFields, toWireChannel, toWireOutput } from './wire.ts'

export interface ChannelDeps {
  readonly database: Database
  readonly namedMedia: NamedMedia
  readonly publishChange: PublishChange
}

/** Publishes a change of a locked channel to playout nodes. Provided by the app. */
export type PublishChange = (
  tx: Transaction,
  actor: Actor,
  channel: Channel,
  what: 'changed' | 'slates' | 'deleted',
) => Promise<void>

/** Endpoint to use case. Start and stop are in the schedule module. */
export function channelRoutes({ database, namedMedia, publishChange }: ChannelDeps) {
  const { reading, changing } = recordHandlers(database)
  const publishOutputs = async (tx: Transaction, actor: Actor, channelId: string) =>
    publishChange(tx, actor, await requireChannelLocked(tx, actor.accountId, channelId), 'changed')
  return {
    listLinearChannels: reading(async (db, { principal, query, nowMs }) => {
      const sort = readChannelSort(query.sort)
      if (sort === undefined) throw new Error(`the contract accepts the invalid sort ${query.sort}`)
      const filter = { status: query.status, name: query.linear_channel_name ?? '', sort, nowMs }
      const channels = await listChannelsAsJson(db, principal.accountId, filter)
      return answeredText(`[${channels.join(',')}]`)
    }),
    getLinearChannel: reading(async (db, { principal, params, nowMs }) => {
      const channel = await requireChannel(db, principal.accountId, params.linear_channel_id)
      return toAnswer(channelAt(channel, nowMs))
    }),
    createLinearChannel: changing(async (tx, { body }, actor) => {
      const draft = { ...readChannelFields(body), title: body.title }
      return toAnswer(await createChannel(tx, actor, draft, namedMedia))
    }),
    changeLinearChannel: changing(async (tx, call, actor) => {
      const changes = readChannelFields(call.body)
      const { linear_channel_id } = call.params
      const check = requireSeen(call)
      const channel = await changeChannel(tx, actor, linear_channel_id, changes, check, namedMedia)
      // Writing the same values again is not a change, and is not published.
      if (channel.updatedMs === actor.nowMs)
        await publishChange(tx, actor, channel, isOfSlates(changes) ? 'slates' : 'changed')
      return toAnswer(channelAt(channel, actor.nowMs))
    }),
    deleteLinearChannel: changing(async (tx, call, actor) => {
      const channel = await deleteChannel(tx, actor, call.params.linear_channel_id, requireSeen(call))
      await publishChange(tx, actor, channel, 'deleted')
    }),

    listOutputs: reading(async (db, { principal, params }) => {
      const { accountId, channelId } = await requireChannel(db, principal.accountId, params.linear_channel_id)
      return (await listOutputs(db, accountId, channelId)).map(toWireOutput)
    }),
    createOutput: changing(async (tx, { params, body }, actor) => {
      const { distributor, ...fields } = body
      const id = { channelId: params.linear_channel_id, distributor }
      const output = await createOutput(tx, actor, id, readOutputFields(fields))
      await publishOutputs(tx, actor, id.channelId)
      return toWireOutput(output)
    }),
    changeOutput: changing(async (tx, { params, body }, actor) => {
      const output = await changeOutput(tx, actor, outputOf(params), readOutputFields(body))
      await publishOutputs(tx, actor, params.linear_channel_id)
      return toWireOutput(output)
    }),
    deleteOutput: changing(async (tx, { params }, actor) => {
      await deleteOutput(tx, actor, outputOf(params))
      await publishOutputs(tx, actor, params.linear_channel_id)
    }),
  } satisfies Handlers
}

const toAnswer = (channel: Channel) => answered(toWireChannel(channel), { etag: recordEtag(channel.version) })

const isOfSlates = (changes: Partial<ChannelFields>): boolean =>
  Object.keys(changes).some((name) => name.endsWith('VideoId') || name === 'fillerPlaylistId')

const outputOf = (params: { readonly linear_channel_id: string; readonly distributor: string }) => ({
  channelId: params.linear_channel_id,
  distributor: params.distributor,
})
