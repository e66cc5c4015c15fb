import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '@continuity/client'
import type { DemoAccount } from '@continuity/dev/demo-account'
import { DEMO_CACHE } from './cache-log.ts'
import { type DemoChannel, type DemoFilm, openingRules, playlistOf } from './library.ts'
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
  /** When the first channel is watched: what takes processor time is left until then. */
  readonly onFirstOnAir: () => void
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

const SOURCE_ID = 'demo-library'
const POLL_MS = 500
const HOUR_MS = 3_600_000

/** A player is some seconds behind: until its first picture is shown, the processor is left to it. */
const FIRST_PICTURE_MS = 15_000

/** What is committed is this long; only programs of operators and partners are still placed in it. */
const COMMITTED_HOURS = 26
/** Such a program starts a minute from now at the earliest. */
const NOTICE_MS = 90_000

/**
 * Puts the first channel on the air with its first film, before anything else is made. Then submits all films; each channel
 * is planned when its films are packaged.
 */
export async function fillAccount(
  options: FillOptions,
): Promise<{ readonly client: Client; readonly channelIds: readonly string[] }> {
  const { account, channels } = options
  const client = createClient({ baseUrl: options.baseUrl })
  const { account_name, email, password } = account
  await client.login({ body: { account_name, email, password } })
  const ids = await ensureSeries(client, channels)
  const known = await listChannels(client)
  const fillings: Filling[] = []
  for (const [at, channel] of channels.entries()) {
    const { linear_channel_id: channelId, status } =
      known.get(channel.title) ?? (await createChannel(client, channel))
    const filling = { client, channelId, channel, ids, options, wasOnAir: status !== 'OFFLINE' }
    fillings.push(filling)
    if (at === 0 && !filling.wasOnAir) await openChannel(filling)
  }
  options.onFirstOnAir()
  await Promise.all(fillings.map((filling, at) => fillChannel(filling, at === 0)))
  for (const source of await options.startSources()) await ensureSource(client, source)
  return { client, channelIds: fillings.map(({ channelId }) => channelId) }
}

interface Filling {
  readonly client: Client
  readonly channelId: string
  readonly channel: DemoChannel
  /** Of series by title, and of playlists by `playlistOf` their channel. */
  readonly ids: Map<string, string>
  readonly options: FillOptions
  readonly wasOnAir: boolean
}

/** The first hour of a channel, with its first film alone. */
async function openChannel(filling: Filling): Promise<void> {
  const { client, channelId, channel, ids, options } = filling
  const params = { linear_channel_id: channelId }
  const films = channel.films.slice(0, 1)
  const requestId = await handOver(filling, films, `${channel.title}: preview`, options.premiereMs - HOUR_MS)
  if (requestId === undefined) return
  await untilReady(filling, requestId, films)
  await client.putPlan({ params, body: openingRules(ids, Date.now()) as RulesOf })
  await untilPlanned(filling)
  await client.startLinearChannel({ params })
  options.log(`${channel.title} is put on the air`)
  await wait(FIRST_PICTURE_MS, undefined, options)
}

/** All films of a channel, and its week. */
async function fillChannel(filling: Filling, isOpened: boolean): Promise<void> {
  const { client, channelId, channel, ids, options } = filling
  const { title, films } = channel
  const params = { linear_channel_id: channelId }
  const requestId = await handOver(filling, films, `${title}: everything in a row`, options.premiereMs)
  if (requestId === undefined) return
  const videoIds = await untilReady(filling, requestId, films)
  const playlistId = await ensurePlaylist(client, title, videoIds)
  ids.set(playlistOf(title), playlistId)
  await client.changeLinearChannel({ params, body: { filler_playlist_id: playlistId } })
  await client.putPlan({ params, body: channel.rules(ids, options.days) as RulesOf })
  await untilPlanned(filling)
  if (isOpened) await planFirstDay(filling)
  if (filling.wasOnAir || isOpened) return
  await client.startLinearChannel({ params })
  options.log(`${title} is put on the air`)
}

async function untilPlanned({ client, channelId, options }: Filling): Promise<void> {
  const params = { linear_channel_id: channelId }
  while ((await client.getPlan({ params })).is_planning) await wait(POLL_MS / 5, undefined, options)
}

/** The first day of a channel that was put on the air with one film: by hand, an hour of its playlist at a time. */
async function planFirstDay({ client, channelId, channel, ids }: Filling): Promise<void> {
  const params = { linear_channel_id: channelId }
  // An earlier start has done it.
  for await (const { origin } of client.listPrograms.all({ params })) if (origin.type === 'OPERATOR') return
  const playlist_id = ids.get(playlistOf(channel.title))!
  const seconds = channel.films.reduce((sum, film) => sum + film.seconds, 0)
  const items = Array.from({ length: Math.floor(3_600 / seconds) }, () => ({ playlist_id }))
  const firstMs = Math.ceil((Date.now() + NOTICE_MS) / 60_000) * 60_000
  for (let hour = 0; hour < COMMITTED_HOURS; hour += 1) {
    const startMs = firstMs + hour * HOUR_MS
    const times = {
      start_time: new Date(startMs).toISOString(),
      end_time: new Date(startMs + HOUR_MS).toISOString(),
    }
    const body = { title: `${channel.title} all day`, ...times, items }
    await client.createProgram({ params, body })
  }
}

type RulesOf = Parameters<Client['putPlan']>[0]['body']

async function ensurePlaylist(client: Client, title: string, videoIds: readonly string[]): Promise<string> {
  for await (const it of client.listPlaylists.all()) if (it.title === title) return it.playlist_id
  const { playlist_id } = await client.createPlaylist({ body: { title } })
  await client.setPlaylistVideos({ params: { playlist_id }, body: { video_ids: [...videoIds] } })
  return playlist_id
}

async function ensureSeries(client: Client, channels: readonly DemoChannel[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { title, series_id } of client.listSeries.all()) found.set(title, series_id)
  const titles = new Set(channels.flatMap(({ films }) => films.flatMap(({ series }) => series?.title ?? [])))
  for (const title of titles)
    if (!found.has(title)) found.set(title, (await client.createSeries({ body: { title } })).series_id)
  return found
}

type Made = Pick<Awaited<ReturnType<Client['listLinearChannels']>>[number], 'linear_channel_id' | 'status'>

/** By title. */
const listChannels = async (client: Client): Promise<ReadonlyMap<string, Made>> =>
  new Map((await client.listLinearChannels()).map((it) => [it.title, it]))

async function createChannel(client: Client, { title, description }: DemoChannel): Promise<Made> {
  const body = { title, description, filler_title: title }
  const made = await client.createLinearChannel({ body })
  const params = { linear_channel_id: made.linear_channel_id }
  await client.createOutput({ params, body: { distributor: DEMO_DISTRIBUTOR } })
  await client.createOutput({ params, body: { distributor: DEMO_CACHE, audience_source: 'LOGS' } })
  return made
}

/**
 * A partner's program some days ahead. Sent again it is the same request; undefined once its time has passed, when the
 * channel has all it needs.
 */
async function handOver(
  { client, channelId, channel, options }: Filling,
  films: readonly DemoFilm[],
  program_title: string,
  startMs: number,
): Promise<string | undefined> {
  if (startMs < Date.now()) return undefined
  const videos = films.map((film) => ({
    type: 'VIDEO' as const,
    video_source_id: film.id,
    title: film.title,
    duration: film.seconds,
    video_url: options.urlOf(film),
    genres: [{ genre: film.genre, sub_genre: '' }],
    parental_rating: film.rating,
  }))
  const seconds = films.reduce((sum, film) => sum + film.seconds, 0)
  const schedule = { start_time: new Date(startMs).toISOString(), duration_ms: seconds * 1_000 }
  const body = { linear_channel_id: channelId, source_id: SOURCE_ID, program_title, videos, schedule }
  const { request_id } = await client.scheduleProgram({ body })
  options.log(
    `${channel.title}: ${films.length === 1 ? 'a film is' : `${films.length} films are`} fetched and packaged`,
  )
  return request_id
}

/** Waits until the films of a request are packaged, and completes their records as they are. Returns the ids of all. */
async function untilReady(
  { client, ids, options }: Filling,
  requestId: string,
  films: readonly DemoFilm[],
): Promise<readonly string[]> {
  const done = new Map<string, string>()
  for (;;) {
    const { items } = await client.getScheduleRequest({ params: { request_id: requestId } })
    for (const { video_source_id: id, video_id, state, reason } of items) {
      if (state === 'FAILED') throw new Error(`${id}: ${reason?.message}`)
      if (state !== 'READY' || video_id === null || id === null || done.has(id)) continue
      const { series } = films.find((film) => film.id === id)!
      const episode = series && {
        series_id: ids.get(series.title)!,
        season_number: 1,
        episode_number: series.episode,
      }
      await client.changeVideo({ params: { video_id }, body: { status: 'READY', ...episode } })
      done.set(id, video_id)
    }
    if (done.size === films.length) return films.map((film) => done.get(film.id)!)
    await wait(POLL_MS, undefined, options)
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
