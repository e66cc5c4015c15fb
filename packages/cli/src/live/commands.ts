import type { Client } from '@continuity/client'
import { type Call, type Command, type CommandResult, command, type Options } from '../terminal/command.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { fields, table } from '../terminal/table.ts'
import { showHealth } from './health-lines.ts'

const readStatus = oneOf('IDLE', 'PROCESSING', 'ACTIVE', 'ERROR', 'ALL')
const PAGE = 50

const listSources = command({
  name: 'live list',
  about: 'List live sources, with why one is in ERROR',
  options: {
    ...sessionOptions,
    status: {
      value: 'STATUS',
      about: 'only live sources with this status, such as ACTIVE',
      read: readStatus,
    },
  },
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'live list')
    const { status = 'ALL' } = options
    const sources: Source[] = []
    for (let total = 1; sources.length < total; ) {
      const query = { status, page_size: PAGE, page_offset: sources.length }
      const page = await client.listLiveSources({ query })
      if (page.hits.length === 0) break
      sources.push(...page.hits)
      total = page.total
    }
    if (sources.length === 0) return { text: `${account} has no such live sources.`, json: [] }
    const rows = sources.map((it) => [it.live_source_id, it.name, it.status, it.status_detail?.message ?? ''])
    return { text: table(['id', 'name', 'status', 'reason'], rows), json: sources }
  },
})

const createSource = command({
  name: 'live create',
  about: 'Create a live source that is pulled as HLS; activate it before channels are cut to it',
  options: {
    ...sessionOptions,
    name: { value: 'NAME', about: 'name of the source', isRequired: true },
    input: { value: 'URL', about: 'address of its HLS playlist', isRequired: true },
  },
  run: async ({ options, world }) => {
    const { client } = await openSession(options, world, 'live create')
    const { name, input } = options
    const source = await client.createLiveSource({
      body: { name, type: 'HLS_PULL', metadata: { input_url: input } },
    })
    return { text: showSource(source), json: source }
  },
})

const deleteSource = command({
  name: 'live delete',
  about: 'Delete a live source that no channel shows',
  operand: 'SOURCE_ID',
  options: sessionOptions,
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'live delete')
    await client.deleteLiveSource({ params: { live_source_id: operand } })
    return { text: `${operand} is deleted.`, json: { live_source_id: operand } }
  },
})

const showSourceHealth = command({
  name: 'live health',
  about: 'Show the last ten minutes of a live source',
  operand: 'SOURCE_ID',
  options: sessionOptions,
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'live health')
    const health = await client.getLiveSourceHealth({ params: { live_source_id: operand } })
    return { text: showHealth(health), json: health }
  },
})

/** Timeout of an activation, and the interval of polling. */
const VALIDATION_MS = 45_000
const POLL_MS = 500

const switchSource = (verb: 'activate' | 'deactivate', about: string) =>
  command({
    name: `live ${verb}`,
    about,
    operand: 'SOURCE_ID',
    options: sessionOptions,
    run: async ({ operand, options, world, report }) => {
      const { client } = await openSession(options, world, `live ${verb}`)
      const call = { params: { live_source_id: operand } }
      let source =
        verb === 'activate' ? await client.activateLiveSource(call) : await client.deactivateLiveSource(call)
      const endMs = world.clock() + VALIDATION_MS
      if (source.status === 'PROCESSING') report(`${source.name}: PROCESSING …`)
      while (source.status === 'PROCESSING' && world.clock() < endMs) {
        await world.sleep(POLL_MS)
        source = await client.getLiveSource(call)
      }
      const isFailure = source.status !== (verb === 'activate' ? 'ACTIVE' : 'IDLE')
      return { text: showSource(source), json: source, ...(isFailure ? { isFailure } : {}) }
    },
  })

const channelOptions = {
  ...sessionOptions,
  channels: {
    value: 'ID[,ID…]',
    about: 'the channels',
    isRequired: true,
    read: (text: string) => {
      const ids = text.split(',').map((id) => id.trim())
      return ids.every((id) => id !== '')
        ? { value: ids }
        : { fault: 'must be channel ids separated by commas.' }
    },
  },
} as const satisfies Options

const override = command({
  name: 'live override',
  about: 'Cut channels to a live source',
  operand: 'SOURCE_ID',
  options: {
    ...channelOptions,
    title: { value: 'TITLE', about: 'title of the program on air; default the name of the source' },
    description: { value: 'TEXT', about: 'description of the program on air' },
  },
  run: async (call) => {
    const { operand, options, world } = call
    const { client } = await openSession(options, world, 'live override')
    const { title, description } = options
    const about = {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
    }
    const body = options.channels.map((linear_channel_id) => ({ linear_channel_id, ...about }))
    return showCut(call, await client.overrideChannels({ params: { live_source_id: operand }, body }))
  },
})

const cutTo = (name: 'rescue' | 'return', about: string) =>
  command({
    name: `live ${name}`,
    about,
    options: channelOptions,
    run: async (call) => {
      const { options, world } = call
      const { client } = await openSession(options, world, `live ${name}`)
      const body = options.channels.map((linear_channel_id) => ({ linear_channel_id }))
      const results =
        name === 'rescue'
          ? await client.rescueChannels({ body })
          : await client.returnChannelsToSchedule({ body })
      return showCut(call, results)
    },
  })

const beginBreak = command({
  name: 'live break',
  about: 'Begin an ad break on a live source',
  operand: 'SOURCE_ID',
  options: {
    ...sessionOptions,
    seconds: {
      value: 'SECONDS',
      about: 'how long it lasts, 1 to 600',
      isRequired: true,
      read: (text: string) => {
        const seconds = Number(text)
        const isOne = Number.isInteger(seconds) && seconds >= 1 && seconds <= 600
        return isOne ? { value: seconds } : { fault: 'must be a whole number from 1 to 600.' }
      },
    },
  },
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'live break')
    const call = { params: { live_source_id: operand }, body: { duration: options.seconds } }
    const result = await client.insertAdBreak(call)
    return { text: `${result.message} It lasts ${result.duration} s.`, json: result }
  },
})

const endBreak = command({
  name: 'live end',
  about: 'End the open ad break of a live source',
  operand: 'SOURCE_ID',
  options: sessionOptions,
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'live end')
    const result = await client.endAdBreak({ params: { live_source_id: operand } })
    return { text: `${result.message} It has lasted ${result.duration} s.`, json: result }
  },
})

/** Commands for live sources, overrides and ad breaks. */
export const liveCommands: readonly Command[] = [
  listSources,
  createSource,
  deleteSource,
  showSourceHealth,
  switchSource('activate', 'Activate a live source, and wait for its validation'),
  switchSource('deactivate', 'Deactivate a live source'),
  override,
  cutTo('rescue', 'Put channels on their rescue slate'),
  cutTo('return', 'Return channels to their schedule'),
  beginBreak,
  endBreak,
]

type Source = Awaited<ReturnType<Client['listLiveSources']>>['hits'][number]

interface CutResult {
  readonly status: number
  readonly linear_channel_id: string
  readonly linear_channel_override_status: string
  readonly on_air_at?: string
  readonly message?: string
}

/** Counts down to the cut, and then prints the result of each channel. */
async function showCut(
  { world, report, asJson }: Pick<Call, 'world' | 'report' | 'asJson'>,
  results: readonly CutResult[],
): Promise<CommandResult> {
  const times = results.flatMap(({ on_air_at }) => (on_air_at === undefined ? [] : [Date.parse(on_air_at)]))
  const seconds = Math.ceil((Math.max(0, ...times) - world.clock()) / 1_000)
  for (let left = asJson ? 0 : seconds; left > 0; left -= 1) {
    report(`on air in ${left} s`)
    await world.sleep(1_000)
  }
  const rows = results.map((it) => [
    it.linear_channel_id,
    `${it.status}`,
    it.linear_channel_override_status,
    it.message ?? '',
  ])
  const isFailure = results.some(({ status }) => status !== 200)
  const text = table(['channel', 'result', 'override', 'reason'], rows)
  return { text, json: results, ...(isFailure ? { isFailure } : {}) }
}

const showSource = ({ name, live_source_id, status, status_detail }: Source): string =>
  fields([
    ['source', name],
    ['id', live_source_id],
    ['status', status],
    ...(status_detail == null ? [] : [['reason', status_detail.message] as const]),
  ])
