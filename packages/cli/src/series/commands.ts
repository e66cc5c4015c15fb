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

const operand = 'SERIES_ID'
const readStatus = oneOf('READY', 'DISABLED')
const paramsOf = (id: string) => ({ params: { series_id: id } })

const listSeries = command({
  name: 'series list',
  about: 'List series by title',
  options: { ...sessionOptions, ...limitOption },
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'series list')
    const query = { page_size: pageSizeOf(options.limit) }
    const series = await firstOf(client.listSeries.all({ query }), options.limit)
    if (series.length === 0) return { text: `${account} has no series.`, json: [] }
    const rows = series.map((it) => [it.series_id, it.status, String(it.video_count), it.title])
    return { text: table(['id', 'status', 'videos', 'title'], rows), json: series }
  },
})

const showSeries = command({
  name: 'series show',
  about: 'Show a series',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'series show')
    const series = await client.getSeries(paramsOf(id))
    return { text: show(series), json: series }
  },
})

const listEpisodes = command({
  name: 'series videos',
  about: 'List the videos of a series by season and episode',
  operand,
  options: { ...sessionOptions, ...limitOption },
  run: async ({ operand: id, options, world }) => {
    const { client, account } = await openSession(options, world, 'series videos')
    const query = { page_size: pageSizeOf(options.limit) }
    const videos = client.listSeriesVideos.all({ ...paramsOf(id), query })
    return listed(await firstOf(videos, options.limit), account)
  },
})

const createSeries = command({
  name: 'series create',
  about: 'Create a series',
  options: {
    ...sessionOptions,
    title: { value: 'TITLE', about: 'title', isRequired: true, read: readTitle },
    description: { value: 'TEXT', about: 'description' },
    brand: { value: 'BRAND_ID', about: 'brand that it belongs to' },
  },
  run: async ({ options, world }) => {
    const { client } = await openSession(options, world, 'series create')
    const { title, description, brand } = options
    const series = await client.createSeries({
      body: { title, ...givenOf({ description, brand_id: brand }) },
    })
    return { text: show(series), json: series }
  },
})

const changeSeries = command({
  name: 'series change',
  about: 'Change a series',
  operand,
  options: {
    ...sessionOptions,
    title: { value: 'TITLE', about: 'title', read: readTitle },
    description: { value: 'TEXT', about: 'description' },
    brand: { value: 'BRAND_ID', about: 'brand that it belongs to' },
    status: { value: 'STATUS', about: 'READY or DISABLED (not listed for viewers)', read: readStatus },
  },
  run: async ({ operand: id, options, world }) => {
    const { title, description, brand, status } = options
    const body = givenOf({ title, description, brand_id: brand, status })
    if (Object.keys(body).length === 0) throw new UsageFault('Nothing to change.', 'series change')
    const { client } = await openSession(options, world, 'series change')
    const series = await client.changeSeries({ ...paramsOf(id), body })
    return { text: show(series), json: series }
  },
})

const deleteSeries = command({
  name: 'series delete',
  about: 'Delete a series; its videos stay',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'series delete')
    await client.deleteSeries(paramsOf(id))
    return { text: `Deleted series ${id}.`, json: { series_id: id, deleted: true } }
  },
})

export const seriesCommands: readonly Command[] = [
  listSeries,
  showSeries,
  listEpisodes,
  createSeries,
  changeSeries,
  deleteSeries,
]

type Series = Awaited<ReturnType<Client['getSeries']>>

const show = (it: Series): string =>
  fields([
    ['series', it.title],
    ['id', it.series_id],
    ['status', it.status],
    ['brand', it.brand_id ?? ''],
    ['seasons', String(it.season_count)],
    ['videos', String(it.video_count)],
  ])
