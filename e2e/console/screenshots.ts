import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pollUntil } from '@continuity/dev/waiting'
import { openOwner } from '@continuity/server/owner'
import { FILM, FILM_SECONDS, makeFilm, PICTURE } from './film-server.ts'
import {
  inEveryLook,
  logIn,
  newContext,
  openPage,
  startBrowser,
  WIDTHS,
  waitUntilPlaying,
} from './open-console.ts'
import { addAired, addAudience, addFilms } from './seed.ts'
import { type Station, startStation } from './systems.ts'

/**
 * Takes a picture of every screen of the console, full, loading, failing and empty, and of its dialogs, from a running
 * system: wide and narrow, light and dark. For reviews by eye; nothing is compared.
 */
const folder = resolve(process.argv[2] ?? join(tmpdir(), 'continuity-screenshots'))

const PATIENCE_MS = 120_000
const SETTLED_MS = 2_000
const DAY_MS = 86_400_000

interface Screen {
  readonly name: string
  readonly path: string
  /** On the page when it is full. */
  readonly shows: string | RegExp
  /** Requests that are held up and rejected for two more pictures. */
  readonly requests?: string
  /** Buttons that each open a dialog or a form. */
  readonly dialogs?: readonly (string | RegExp)[]
  readonly hasVideo?: true
}

await mkdir(folder, { recursive: true })
await using opened = new AsyncDisposableStack()
const [station, browser] = await Promise.all([startStation(opened), startBrowser(opened)])
const screens = await seed(station)
const { page } = await openPage(await newContext(browser))
page.setDefaultTimeout(PATIENCE_MS)
let taken = 0

await page.goto(`${station.baseUrl}/console/`)
await page.getByRole('button', { name: 'Log in' }).waitFor()
await take('login')
await logIn(page, station)
for (const screen of screens) await takeScreen(screen)
await takeEmptyAccount()
console.log(`${taken} pictures in ${folder}`)

async function take(name: string): Promise<void> {
  await inEveryLook(page, async (width, scheme) => {
    const path = join(folder, `${name}-${width}-${scheme}.png`)
    await page.screenshot({ path, fullPage: true, animations: 'disabled' })
    taken += 1
  })
}

async function takeScreen({ name, path, shows, requests, dialogs = [], hasVideo }: Screen): Promise<void> {
  const open = async () => {
    await page.goto(`${station.baseUrl}/console${path}`)
    await page.getByText(shows).first().waitFor()
  }
  await open()
  if (hasVideo) await waitUntilPlaying(page)
  await loadPictures()
  await take(name)
  for (const [at, dialog] of dialogs.entries()) {
    await open()
    await page.getByRole('button', { name: dialog }).first().click()
    await page.getByRole('dialog').or(page.getByRole('group')).first().waitFor()
    await take(`${name}-dialog-${at + 1}`)
  }
  if (requests === undefined) return
  await page.route(requests, () => new Promise(() => {}))
  await page.goto(`${station.baseUrl}/console${path}`)
  await page.getByRole('navigation').waitFor()
  await take(`${name}-loading`)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route(requests, (route) => route.abort())
  await page.goto(`${station.baseUrl}/console${path}`)
  await page.getByText('No answer from the service').first().waitFor()
  await take(`${name}-failing`)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

/** Pictures below the fold are loaded lazily. */
async function loadPictures(): Promise<void> {
  await page.setViewportSize({ width: WIDTHS[0], height: 4_000 })
  const areLoaded = async () =>
    (await page.evaluate('[...document.images].every((one) => one.hidden || one.naturalWidth > 0)')) ===
      true || undefined
  await pollUntil(areLoaded, PATIENCE_MS)
}

async function takeEmptyAccount(): Promise<void> {
  const login = { ...station.login, account_name: 'empty', password: 'an account without records' }
  const owner = openOwner(station.databaseOwnerUrl, Date.now())
  const format = { title: 'Empty', country: undefined, frame_rate: undefined, segment_ms: undefined }
  await owner.createAccount({ ...format, account_name: login.account_name })
  const roles = ['ROLE_USER', 'ROLE_ADMIN', 'SCHEDULE']
  await owner.createUser('empty', { email: login.email, name: 'Ada', password: login.password, roles })
  await owner.close()
  await page.goto(`${station.baseUrl}/console/on-air`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await logIn(page, { ...station, login })
  for (const { name, path } of screens.filter(({ requests }) => requests !== undefined)) {
    if (/[0-9a-f]{8}-/.test(path)) continue
    await page.goto(`${station.baseUrl}/console${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Each page states in its own words that there is nothing.
    await sleep(SETTLED_MS)
    await take(`${name}-empty`)
  }
}

/** A station with records for every screen. */
async function seed(station: Station): Promise<readonly Screen[]> {
  const { client, channelIds, files, databaseOwnerUrl } = station
  const [one, two, three] = ['North One', 'North Two', 'North Three'].map((title) => channelIds[title]!)
  await station.scheduleProgram(two!, 'The Lighthouse Keeper: the restored version of 1931', 95 * 60_000)
  const [camera] = (await client.listLiveSources()).hits
  await client.activateLiveSource({ params: { live_source_id: camera!.live_source_id } })
  await client.rescueChannels({ body: [{ linear_channel_id: two! }] })

  const series = await client.createSeries({ body: { title: 'Harbour Nights' } })
  const { series_id } = series
  const films = await addFilms(station, [
    { title: 'Winter Quay: the long version, restored from the negative', minutes: 96, genre: 'film' },
    { title: 'Salt and Rope', minutes: 88, genre: 'film', status: 'DISABLED' },
    ...[1, 2, 3, 4].map((episode) => ({
      title: `Episode ${episode}`,
      minutes: 42,
      seriesId: series_id,
      episode,
    })),
  ])
  const { playlist_id } = await client.createPlaylist({ body: { title: 'Night trains' } })
  await client.setPlaylistVideos({ params: { playlist_id }, body: { video_ids: films.slice(0, 3) } })
  await client.putPlan({
    params: { linear_channel_id: three! },
    body: {
      time_zone: 'Europe/Berlin',
      blocks: [
        {
          id: 'prime time',
          times: [{ from: '20:00', to: '22:00' }],
          content: { series_ids: [series_id] },
          order: 'NEXT_EPISODE',
        },
      ],
      default: { content: { filter: { in: { genre: ['film'] } } }, order: 'SHUFFLE' },
    },
  })
  await makeFilm(files.folder)
  const startMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS
  const film = { type: 'VIDEO', title: 'The Tide Table', duration: FILM_SECONDS } as const
  const { request_id } = await client.scheduleProgram({
    body: {
      linear_channel_id: one!,
      source_id: 'north-automation',
      program_title: 'Harbour Evening',
      videos: [
        {
          ...film,
          video_source_id: 'HN-0412',
          video_url: files.addressOf(FILM),
          image_url: files.addressOf(PICTURE),
        },
        { ...film, video_source_id: 'HN-0413', video_url: files.addressOf('missing.mp4') },
      ],
      schedule: { start_time: new Date(startMs).toISOString(), duration_ms: 3_600_000 },
    },
  })
  const videoId = await pollUntil(async () => {
    const { items } = await client.getScheduleRequest({ params: { request_id } })
    return items[0]!.state === 'READY' ? items[0]!.video_id! : undefined
  }, PATIENCE_MS)
  if (videoId === undefined) throw new Error('the film was not packaged in time')
  const aired = { channelId: one!, videoId, program: 'Late Film', seconds: 5_280 }
  await addAired(station, { ...aired, startMs: startMs - 3 * DAY_MS })
  await addAudience({ client, databaseOwnerUrl, channelIds: [one!, two!], days: 30, nowMs: Date.now() })

  const password = 'a password of the night desk'
  const user = { email: 'duty@north.example', name: 'Night desk', password }
  await client.createUser({ body: { ...user, roles: ['ROLE_USER', 'ROLE_OPERATOR'] } })
  await client.createAppKey({ body: { app_name: 'harbour-tv' } })
  const url = 'https://hooks.north.example/continuity'
  const { webhook_id } = await client.createWebhook({ body: { url, description: 'Playout desk' } })
  await client.testWebhook({ params: { webhook_id } })

  const reports = ['videos', 'everything-watched', 'audience', 'starts', 'interstitials', 'programs']
  return [
    {
      name: 'wall',
      path: '/on-air',
      shows: 'Harbour Nights',
      requests: '**/api/2.3/linear_channels*',
      dialogs: ['Add a channel', 'Keys'],
    },
    {
      name: 'channel',
      path: `/on-air/${one}`,
      shows: /left of it$/,
      requests: '**/api/2.3/linear_channels*',
      dialogs: ['Take off the air', 'Rescue slate', 'Cut to a live source'],
      hasVideo: true,
    },
    { name: 'channel-overridden', path: `/on-air/${two}`, shows: 'OVERRIDDEN', hasVideo: true },
    { name: 'channel-off-air', path: `/on-air/${three}`, shows: 'OFFLINE', dialogs: ['Put on the air'] },
    {
      name: 'live-sources',
      path: '/live-sources',
      shows: 'Received. Channels can be cut to it.',
      requests: '**/api/2.3/live_sources*',
      dialogs: ['Add a live source', 'Change Harbour camera'],
    },
    {
      name: 'schedule',
      path: '/schedule',
      shows: 'Harbour Nights',
      requests: '**/api/2.3/linear_channels*',
      dialogs: ['New program'],
    },
    {
      name: 'rules',
      path: `/schedule/${three}`,
      shows: /^next episode/,
      requests: '**/api/2.3/linear_channels/*/plan',
      dialogs: ['Remove the rules', 'Add a block'],
    },
    {
      name: 'catalog',
      path: '/catalog',
      shows: 'The Tide Table',
      requests: '**/api/2.1/search/videos*',
    },
    {
      name: 'video',
      path: `/catalog/videos/${videoId}`,
      shows: 'Late Film',
      requests: '**/api/2.1/videos/*',
      dialogs: ['Change…', 'Delete…'],
    },
    { name: 'series', path: '/catalog/series', shows: 'Harbour Nights', dialogs: ['Make a series'] },
    { name: 'one-series', path: `/catalog/series/${series_id}`, shows: 'Season 1', dialogs: ['Change…'] },
    { name: 'playlists', path: '/catalog/playlists', shows: 'Night trains' },
    { name: 'playlist', path: `/catalog/playlists/${playlist_id}`, shows: 'Winter Quay' },
    { name: 'ingest', path: '/ingest', shows: 'Harbour Evening' },
    {
      name: 'ingest-request',
      path: `/ingest/${request_id}`,
      shows: 'It has its time slot on the channel.',
      requests: '**/automation/schedule/*',
    },
    ...reports.map((name) => ({
      name: `reports-${name}`,
      path: `/reports/${name}`,
      shows: 'Download CSV',
      ...(name === 'videos' && { requests: '**/api/2.3/reports/*' }),
    })),
    {
      name: 'users',
      path: '/access/users',
      shows: 'Night desk',
      requests: '**/api/2.1/users?*',
      dialogs: ['Add a user', `Change ${user.email}`, `Delete ${user.email}`],
    },
    { name: 'roles', path: '/access/roles', shows: 'Yes' },
    { name: 'app-keys', path: '/access/app-keys', shows: 'harbour-tv', dialogs: ['Make an app key'] },
    { name: 'outputs', path: '/access/outputs', shows: 'direct', dialogs: ['Add an output'] },
    { name: 'webhooks', path: '/access/webhooks', shows: 'Playout desk', dialogs: ['Add a webhook'] },
    { name: 'webhook', path: `/access/webhooks/${webhook_id}`, shows: 'Playout desk' },
    { name: 'audit', path: '/access/audit', shows: 'created' },
    { name: 'session', path: '/access/session', shows: 'End this session' },
  ]
}
