import { readChannelSort } from '@continuity/core/channels/channel-sort'
import { answered, answeredText } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireMatch } from '../../http/entity-tag.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeChannel } from './change-channel.ts'
import { changeOutput } from './change-output.ts'
import { createChannel } from './create-channel.ts'
import { createOutput } from './create-output.ts'
import { deleteChannel } from './delete-channel.ts'
import { deleteOutput } from './delete-output.ts'
import type { NamedMedia } from './named-media.ts'
import { listOutputs } from './output-store.ts'
import { requireChannel } from './require-channel.ts'
import { type Channel, listChannelsAsJson } from './store.ts'
import { readChannelFields, readOutputFields, toWireChannel, toWireOutput } from './wire.ts'

export interface ChannelDeps {
  readonly database: Database
  readonly namedMedia: NamedMedia
}

/** Endpoint to use case. Start and stop come with playout. */
export function channelRoutes({ database, namedMedia }: ChannelDeps) {
  const { reading, changing } = recordHandlers(database)
  return {
    listLinearChannels: reading(async (db, { principal, query }) => {
      const sort = readChannelSort(query.sort)
      if (sort === undefined) throw new Error(`the contract lets ${query.sort} through`)
      const filter = { status: query.status, name: query.linear_channel_name ?? '', sort }
      const channels = await listChannelsAsJson(db, principal.accountId, filter)
      return answeredText(`[${channels.join(',')}]`)
    }),
    getLinearChannel: reading(async (db, { principal, params }) =>
      toAnswer(await requireChannel(db, principal.accountId, params.linear_channel_id)),
    ),
    createLinearChannel: changing(async (tx, { body }, actor) => {
      const draft = { ...readChannelFields(body), title: body.title }
      return toAnswer(await createChannel(tx, actor, draft, namedMedia))
    }),
    changeLinearChannel: changing(async (tx, call, actor) => {
      const changes = readChannelFields(call.body)
      const { linear_channel_id } = call.params
      const check = requireSeen(call)
      return toAnswer(await changeChannel(tx, actor, linear_channel_id, changes, check, namedMedia))
    }),
    deleteLinearChannel: changing(async (tx, call, actor) => {
      await deleteChannel(tx, actor, call.params.linear_channel_id, requireSeen(call))
    }),

    listOutputs: reading(async (db, { principal, params }) => {
      const { accountId, channelId } = await requireChannel(db, principal.accountId, params.linear_channel_id)
      return (await listOutputs(db, accountId, channelId)).map(toWireOutput)
    }),
    createOutput: changing(async (tx, { params, body }, actor) => {
      const { distributor, ...fields } = body
      const id = { channelId: params.linear_channel_id, distributor }
      return toWireOutput(await createOutput(tx, actor, id, readOutputFields(fields)))
    }),
    changeOutput: changing(async (tx, { params, body }, actor) =>
      toWireOutput(await changeOutput(tx, actor, outputOf(params), readOutputFields(body))),
    ),
    deleteOutput: changing(async (tx, { params }, actor) => {
      await deleteOutput(tx, actor, outputOf(params))
    }),
  } satisfies Handlers
}

const toAnswer = (channel: Channel) => answered(toWireChannel(channel), { etag: recordEtag(channel.version) })

const requireSeen =
  (call: { readonly ifMatch: string | undefined }) =>
  ({ version }: Channel) =>
    requireMatch(call, recordEtag(version))

const outputOf = (params: { readonly linear_channel_id: string; readonly distributor: string }) => ({
  channelId: params.linear_channel_id,
  distributor: params.distributor,
})
