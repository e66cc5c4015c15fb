import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '@continuity/client'
import type { DemoAccount } from '../dev-stack/demo-account.ts'
import type { DemoChannel, DemoFilm } from './library.ts'
import { DEMO_DISTRIBUTOR } from './viewers.ts'

export interface DemoSource {
  readonly name: string
  readonly url: string
}

export interface FillOptions {
  readonly baseUrl: string
  readonly account: DemoAccount
  readonly channels: readonly DemoChannel[]
  /** How far ahead the channels are planned. */
  readonly days: number
  readonly urlOf: (film: DemoFilm) => string
  /** Of the partner's programs; the same when it is called again. */
  readonly premiereMs: number
  /** Starts the live sources: last, because they take processor time from the first films. */
  readonly startSources: () => Promise<readonly DemoSource[]>
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

const SOURCE_ID = 'demo-library'
const POLL_MS = 500

/** Submits all films, plans the channels and starts them: each as soon as its first film is packaged. */
export async function fillAccount(options: FillOptions): Promise<readonly string[]> {
  const { account } = options
  const client = createClient({ baseUrl: options.baseUrl })
  const { account_name, email, password } = account
  await client.login({ body: { account_name, email, password } })
  const seriesIds = await ensureSeries(client, options.channels)
  const known = await listChannels(client)
  const channelIds: string[] = []
  for (const channel of options.channels)
    channelIds.push(known.get(channel.title) ?? (await createChannel(client, channel)))
  const fillings = options.channels.map((channel, at) =>
    fillChannel({ client, channelId: channelIds[at]!, channel, seriesIds, options }),
  )
  await Promise.all(fillings)
  for (const source of await options.startSources()) await ensureSource(client, source)
  return channelIds
}

interface Filling {
  readonly client: Client
  readonly channelId: string
  readonly channel: DemoChannel
  readonly seriesIds: ReadonlyMap<string, string>
  readonly options: FillOptions
}

/** Rules with the first film at first, so that it is soon on the air; then with all of them. */
async function fillChannel(filling: Filling): Promise<void> {
  const { client, channelId, channel, seriesIds, options } = filling
  const params = { linear_channel_id: channelId }
  const requestId = await handOver(filling)
  if (requestId === undefined) return
  for (const count of new Set([1, channel.films.length])) {
    await untilReady(filling, requestId, count)
    await client.putPlan({ params, body: channel.rules(seriesIds, options.days) as RulesOf })
    while ((await client.getPlan({ params })).is_planning) await wait(POLL_MS, undefined, options)
    if (count > 1) break
    await client.startLinearChannel({ params })
    options.log(`${channel.title} is put on the air`)
  }
}

type RulesOf = Parameters<Client['putPlan']>[0]['body']

async function ensureSeries(
  client: Client,
  channels: readonly DemoChannel[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const { title, series_id } of client.listSeries.all()) found.set(title, series_id)
  const titles = new Set(channels.flatMap(({ films }) => films.flatMap(({ series }) => series?.title ?? [])))
  for (const title of titles)
    if (!found.has(title)) found.set(title, (await client.createSeries({ body: { title } })).series_id)
  return found
}

/** By title. */
const listChannels = async (client: Client): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await client.listLinearChannels()).map(({ title, linear_channel_id }) => [title, linear_channel_id]),
  )

async function createChannel(client: Client, { title, description }: DemoChannel): Promise<string> {
  const body = { title, description, filler_title: title }
  const { linear_channel_id } = await client.createLinearChannel({ body })
  await client.createOutput({ params: { linear_channel_id }, body: { distributor: DEMO_DISTRIBUTOR } })
  return linear_channel_id
}

/**
 * A partner's program some days ahead, with all films of a channel. Sent again it is the same request; undefined once its
 * time has passed, when the channel has all it needs.
 */
async function handOver({ client, channelId, channel, options }: Filling): Promise<string | undefined> {
  const { urlOf, premiereMs, log } = options
  if (premiereMs < Date.now()) return undefined
  const { title, films } = channel
  const videos = films.map((film) => ({
    type: 'VIDEO' as const,
    video_source_id: film.id,
    title: film.title,
    duration: film.seconds,
    video_url: urlOf(film),
    genres: [{ genre: film.genre, sub_genre: '' }],
    parental_rating: film.rating,
  }))
  const seconds = films.reduce((sum, film) => sum + film.seconds, 0)
  const schedule = { start_time: new Date(premiereMs).toISOString(), duration_ms: seconds * 1_000 }
  const body = {
    linear_channel_id: channelId,
    source_id: SOURCE_ID,
    program_title: `${title}: everything in a row`,
    videos,
    schedule,
  }
  const { request_id } = await client.scheduleProgram({ body })
  log(`${title}: ${films.length} films are fetched and packaged`)
  return request_id
}

/** Waits for the first films of a request to be packaged, and completes their records as they are. */
async function untilReady(
  { client, channel, seriesIds, options }: Filling,
  requestId: string,
  count: number,
): Promise<void> {
  const done = new Set<string>()
  while (done.size < count) {
    const { items } = await client.getScheduleRequest({ params: { request_id: requestId } })
    for (const { video_source_id: id, video_id, state, reason } of items.slice(0, count)) {
      if (state === 'FAILED') throw new Error(`${id}: ${reason?.message}`)
      if (state !== 'READY' || video_id === null || id === null || done.has(id)) continue
      const { series } = channel.films.find((film) => film.id === id)!
      const episode = series && {
        series_id: seriesIds.get(series.title)!,
        season_number: 1,
        episode_number: series.episode,
      }
      await client.changeVideo({ params: { video_id }, body: { status: 'READY', ...episode } })
      done.add(id)
    }
    if (done.size < count) await wait(POLL_MS, undefined, options)
  }
}

async function ensureSource(client: Client, { name, url }: DemoSource): Promise<void> {
  const metadata = { input_url: url }
  for await (const source of client.listLiveSources.all()) {
    if (source.name !== name) continue
    // Its port may be another one than last time.
    if (source.metadata.input_url === url) return
    const params = { live_source_id: source.live_source_id }
    return void (await client.changeLiveSource({ params, body: { metadata } }))
  }
  const { live_source_id } = await client.createLiveSource({ body: { name, type: 'HLS_PULL', metadata } })
  await client.activateLiveSource({ params: { live_source_id } })
}
