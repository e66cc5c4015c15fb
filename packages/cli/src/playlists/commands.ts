import type { Client } from '@continuity/client'
import { type Command, command } from '../terminal/command.ts'
import { givenOf } from '../terminal/given.ts'
import { firstOf, limitOption, pageSizeOf } from '../terminal/limit.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { readTitle } from '../terminal/read-text.ts'
import { fields, table } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'
import { listed } from '../videos/commands.ts'

const operand = 'PLAYLIST_ID'
const readStatus = oneOf('READY', 'DISABLED')
const paramsOf = (id: string) => ({ params: { playlist_id: id } })

const listPlaylists = command({
  name: 'playlists list',
  about: 'List playlists',
  options: { ...sessionOptions, ...limitOption },
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'playlists list')
    const query = { page_size: pageSizeOf(options.limit) }
    const playlists = await firstOf(client.listPlaylists.all({ query }), options.limit)
    if (playlists.length === 0) return { text: `${account} has no playlists.`, json: [] }
    const rows = playlists.map((it) => [it.playlist_id, it.status, String(it.video_count), it.title])
    return { text: table(['id', 'status', 'videos', 'title'], rows), json: playlists }
  },
})

const showPlaylist = command({
  name: 'playlists show',
  about: 'Show a playlist',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'playlists show')
    const playlist = await client.getPlaylist(paramsOf(id))
    return { text: show(playlist), json: playlist }
  },
})

const listItems = command({
  name: 'playlists videos',
  about: 'List the videos of a playlist in their order',
  operand,
  options: { ...sessionOptions, ...limitOption },
  run: async ({ operand: id, options, world }) => {
    const { client, account } = await openSession(options, world, 'playlists videos')
    const query = { page_size: pageSizeOf(options.limit) }
    const videos = client.listPlaylistVideos.all({ ...paramsOf(id), query })
    return listed(await firstOf(videos, options.limit), account)
  },
})

const createPlaylist = command({
  name: 'playlists create',
  about: 'Create a playlist; "playlists set" gives it its videos',
  options: {
    ...sessionOptions,
    title: { value: 'TITLE', about: 'title', isRequired: true, read: readTitle },
    description: { value: 'TEXT', about: 'description' },
  },
  run: async ({ options, world }) => {
    const { client } = await openSession(options, world, 'playlists create')
    const { title, description } = options
    const playlist = await client.createPlaylist({ body: { title, ...givenOf({ description }) } })
    return { text: show(playlist), json: playlist }
  },
})

const setVideos = command({
  name: 'playlists set',
  about: 'Replace the videos of a playlist by these, in this order; by none if none is given',
  operand: `${operand} [VIDEO_ID]…`,
  options: sessionOptions,
  run: async ({ operands: [id = '', ...video_ids], options, world }) => {
    const { client } = await openSession(options, world, 'playlists set')
    await client.setPlaylistVideos({ ...paramsOf(id), body: { video_ids } })
    const playlist = await client.getPlaylist(paramsOf(id))
    return { text: show(playlist), json: playlist }
  },
})

const changePlaylist = command({
  name: 'playlists change',
  about: 'Change a playlist',
  operand,
  options: {
    ...sessionOptions,
    title: { value: 'TITLE', about: 'title', read: readTitle },
    description: { value: 'TEXT', about: 'description' },
    status: { value: 'STATUS', about: 'READY or DISABLED (not listed for viewers)', read: readStatus },
  },
  run: async ({ operand: id, options, world }) => {
    const { title, description, status } = options
    const body = givenOf({ title, description, status })
    if (Object.keys(body).length === 0) throw new UsageFault('Nothing to change.', 'playlists change')
    const { client } = await openSession(options, world, 'playlists change')
    const playlist = await client.changePlaylist({ ...paramsOf(id), body })
    return { text: show(playlist), json: playlist }
  },
})

const deletePlaylist = command({
  name: 'playlists delete',
  about: 'Delete a playlist; its videos stay',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'playlists delete')
    await client.deletePlaylist(paramsOf(id))
    return { text: `Deleted playlist ${id}.`, json: { playlist_id: id, deleted: true } }
  },
})

export const playlistCommands: readonly Command[] = [
  listPlaylists,
  showPlaylist,
  listItems,
  createPlaylist,
  changePlaylist,
  setVideos,
  deletePlaylist,
]

type Playlist = Awaited<ReturnType<Client['getPlaylist']>>

const show = (it: Playlist): string =>
  fields([
    ['playlist', it.title],
    ['id', it.playlist_id],
    ['status', it.status],
    ['videos', String(it.video_count)],
  ])
