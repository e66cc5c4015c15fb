import type { Client } from '@continuity/client'
import { type Command, command } from '../terminal/command.ts'
import { givenOf } from '../terminal/given.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { readTitle } from '../terminal/read-text.ts'
import { fields, table } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'

const createChannel = command({
  name: 'channels create',
  about: 'Create a channel; it is off air until it is started',
  options: {
    ...sessionOptions,
    title: { value: 'TITLE', about: 'what viewers see', isRequired: true, read: readTitle },
    description: { value: 'TEXT', about: 'description in the guide' },
    'filler-playlist': { value: 'ID', about: 'playlist of filler videos' },
  },
  run: async ({ options, world }) => {
    const { client } = await openSession(options, world, 'channels create')
    const { title, description = '', 'filler-playlist': filler_playlist_id = null } = options
    const channel = await client.createLinearChannel({ body: { title, description, filler_playlist_id } })
    const hint = `To start it: continuity channels start ${channel.linear_channel_id}`
    return { text: `${showChannel(channel)}\n${hint}`, json: channel }
  },
})

const readStatus = oneOf('ON_AIR', 'PENDING_OFFLINE', 'OFFLINE', 'PENDING_ON_AIR', 'ERROR', 'ALL')

const listChannels = command({
  name: 'channels list',
  about: 'List the channels of an account, with their status',
  options: {
    ...sessionOptions,
    status: { value: 'STATUS', about: 'only channels with this status, such as ON_AIR', read: readStatus },
  },
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'channels list')
    const { status = 'ALL' } = options
    const channels = await client.listLinearChannels({ query: { status, sort: 'title.asc' } })
    if (channels.length === 0) {
      const text =
        status === 'ALL'
          ? `${account} has no channels. To make one: continuity channels create --title TITLE`
          : `${account} has no channels that are ${status}.`
      return { text, json: [] }
    }
    const rows = channels.map((it) => [
      it.linear_channel_id,
      it.title,
      it.status,
      it.linear_channel_override_status,
    ])
    return { text: table(['id', 'title', 'status', 'override'], rows), json: channels }
  },
})

const startChannel = command({
  name: 'channels start',
  about: 'Put a channel on air; has no effect if it already is',
  operand: 'CHANNEL_ID',
  options: sessionOptions,
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'channels start')
    const channel = await client.startLinearChannel({ params: { linear_channel_id: operand } })
    return { text: showChannel(channel), json: channel }
  },
})

const stopChannel = command({
  name: 'channels stop',
  about: 'Take a channel off air when its program ends',
  operand: 'CHANNEL_ID',
  options: { ...sessionOptions, now: { about: 'within seconds, even in the middle of a program' } },
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'channels stop')
    const call = { params: { linear_channel_id: operand }, body: { immediate: options.now } }
    const channel = await client.stopLinearChannel(call)
    return { text: showChannel(channel), json: channel }
  },
})

const showOne = command({
  name: 'channels show',
  about: 'Show a channel',
  operand: 'CHANNEL_ID',
  options: sessionOptions,
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'channels show')
    const channel = await client.getLinearChannel({ params: { linear_channel_id: operand } })
    const details = fields([
      ['override', channel.linear_channel_override_status],
      ['description', channel.description],
      ['internal title', channel.internal_title],
      ['filler playlist', channel.filler_playlist_id ?? ''],
      ['created', channel.created_date],
    ])
    return { text: `${showChannel(channel)}\n${details}`, json: channel }
  },
})

const changeChannel = command({
  name: 'channels change',
  about: 'Change a channel',
  operand: 'CHANNEL_ID',
  options: {
    ...sessionOptions,
    title: { value: 'TITLE', about: 'what viewers see', read: readTitle },
    description: { value: 'TEXT', about: 'description in the guide' },
    'internal-title': { value: 'TEXT', about: 'name for operators', read: readTitle },
    'filler-playlist': { value: 'ID', about: 'playlist of filler videos' },
  },
  run: async ({ operand, options, world }) => {
    const { title, description, 'internal-title': internal_title, 'filler-playlist': filler } = options
    const body = givenOf({ title, description, internal_title, filler_playlist_id: filler })
    if (Object.keys(body).length === 0) throw new UsageFault('Nothing to change.', 'channels change')
    const { client } = await openSession(options, world, 'channels change')
    const channel = await client.changeLinearChannel({ params: { linear_channel_id: operand }, body })
    return { text: showChannel(channel), json: channel }
  },
})

const deleteChannel = command({
  name: 'channels delete',
  about: 'Delete a channel that is off air',
  operand: 'CHANNEL_ID',
  options: sessionOptions,
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'channels delete')
    await client.deleteLinearChannel({ params: { linear_channel_id: operand } })
    return { text: `Deleted channel ${operand}.`, json: { linear_channel_id: operand, deleted: true } }
  },
})

/** These commands only use the API, like `catalog`. */
export const channelCommands: readonly Command[] = [
  createChannel,
  listChannels,
  showOne,
  changeChannel,
  startChannel,
  stopChannel,
  deleteChannel,
]

type Channel = Awaited<ReturnType<Client['startLinearChannel']>>

const showChannel = ({ title, linear_channel_id, status }: Channel): string =>
  fields([
    ['channel', title],
    ['id', linear_channel_id],
    ['status', status],
  ])
