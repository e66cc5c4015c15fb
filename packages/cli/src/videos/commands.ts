import type { Client } from '@continuity/client'
import { type Command, command } from '../terminal/command.ts'
import { givenOf } from '../terminal/given.ts'
import { firstOf, limitOption, pageSizeOf } from '../terminal/limit.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { readTitle } from '../terminal/read-text.ts'
import { fields, table } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'

const operand = 'VIDEO_ID'
const readStatus = oneOf('READY', 'DISABLED', 'DRAFT')
const paramsOf = (id: string) => ({ params: { video_id: id } })

const listVideos = command({
  name: 'videos list',
  about: 'List videos, by default the newest first',
  options: {
    ...sessionOptions,
    ...limitOption,
    sort: { value: 'FIELD.ORDER', about: 'such as title.ASC or date_created.DESC' },
  },
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'videos list')
    const query = { page_size: pageSizeOf(options.limit), ...givenOf({ sort: options.sort }) } as VideoQuery
    return listed(await firstOf(client.listVideos.all({ query }), options.limit), account)
  },
})

const searchVideos = command({
  name: 'videos search',
  about: 'Search videos; all terms must match, "a phrase" in quotes, -term excludes',
  operand: 'TERM…',
  options: { ...sessionOptions, ...limitOption },
  run: async ({ operands, options, world }) => {
    const { client, account } = await openSession(options, world, 'videos search')
    const query = { page_size: pageSizeOf(options.limit) }
    const found = client.searchVideos.all({ query, body: { query: operands.join(' ') } })
    return listed(await firstOf(found, options.limit), account)
  },
})

const showVideo = command({
  name: 'videos show',
  about: 'Show a video; --json has all of its fields',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'videos show')
    const video = await client.getVideo(paramsOf(id))
    return { text: show(video), json: video }
  },
})

const changeVideo = command({
  name: 'videos change',
  about: 'Change fields of a video',
  operand,
  options: {
    ...sessionOptions,
    title: { value: 'TITLE', about: 'title', read: readTitle },
    description: { value: 'TEXT', about: 'description' },
    series: { value: 'SERIES_ID', about: 'series that it belongs to' },
    status: {
      value: 'STATUS',
      about: 'READY, DISABLED (not listed for viewers) or DRAFT',
      read: readStatus,
    },
  },
  run: async ({ operand: id, options, world }) => {
    const { title, description, series, status } = options
    const body = givenOf({ title, description, series_id: series, status })
    if (Object.keys(body).length === 0) throw new UsageFault('Nothing to change.', 'videos change')
    const { client } = await openSession(options, world, 'videos change')
    const video = await client.changeVideo({ ...paramsOf(id), body })
    return { text: show(video), json: video }
  },
})

const deleteVideo = command({
  name: 'videos delete',
  about: 'Delete a video; it must not be on air or in a program of the next day',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'videos delete')
    await client.deleteVideo(paramsOf(id))
    return { text: `Deleted video ${id}.`, json: { video_id: id, deleted: true } }
  },
})

export const videoCommands: readonly Command[] = [
  listVideos,
  searchVideos,
  showVideo,
  changeVideo,
  deleteVideo,
]

type Video = Awaited<ReturnType<Client['getVideo']>>
type VideoQuery = NonNullable<NonNullable<Parameters<Client['listVideos']>[0]>['query']>
type Row = Pick<Video, 'video_id' | 'status' | 'duration' | 'title'>

export function listed(videos: readonly Row[], account: string) {
  if (videos.length === 0) return { text: `${account} has no such videos.`, json: [] }
  const rows = videos.map((it) => [it.video_id, it.status, secondsOf(it), it.title])
  return { text: table(['id', 'status', 'seconds', 'title'], rows), json: videos }
}

const secondsOf = ({ duration }: Pick<Video, 'duration'>) => (duration === null ? '' : String(duration))

const show = (it: Video): string =>
  fields([
    ['video', it.title],
    ['id', it.video_id],
    ['status', it.status],
    ['seconds', secondsOf(it)],
    ['source', [it.source_id, it.video_source_id].filter(Boolean).join(' ')],
    ['series', it.series_id ?? ''],
    ['published', it.date_published ?? ''],
    ['available', [it.date_available, it.date_expired].map((at) => at ?? '').join(' to ')],
    ['media', it.media_url ?? ''],
  ])
