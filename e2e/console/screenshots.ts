import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pollUntil } from '@continuity/dev/waiting'
import { openOwner } from '@continuity/server/owner'
import { takeAccess } from './access-screens.ts'
import { takeCatalog } from './catalog-screens.ts'
import { takeIngest } from './ingest-screens.ts'
import {
  inEveryLook,
  logIn,
  newContext,
  openPage,
  startBrowser,
  WIDTHS,
  waitUntilPlaying,
} from './open-console.ts'
import { takeReports } from './report-screens.ts'
import { takeSchedule } from './schedule-screenshots.ts'
import { type Station, startStation } from './station.ts'

/**
 * Takes a picture of every screen of the console in every state that it has, from a running system: wide and narrow,
 * light and dark. For reviews by eye; nothing is compared.
 */
const folder = resolve(process.argv[2] ?? join(tmpdir(), 'continuity-screenshots'))

const PATIENCE_MS = 120_000

const others = [
  { title: 'Harbour News', program: 'The Morning Desk', minutes: 180 },
  { title: 'Kino Klassik', program: 'The Lighthouse Keeper: the restored version of 1931', minutes: 95 },
  { title: 'Northern Nature and Documentary Channel, eastern feed', program: 'Tidal Flats', minutes: 50 },
  { title: 'Sport 2', program: 'Rowing: heats', minutes: 120 },
  { title: 'Sport 10', program: 'Rowing: finals', minutes: 1_500 },
] as const

await mkdir(folder, { recursive: true })
await using opened = new AsyncDisposableStack()
const [station, browser] = await Promise.all([startStation(opened), startBrowser(opened)])
await seed(station)
const { page } = await openPage(await newContext(browser))
page.setDefaultTimeout(PATIENCE_MS)
let taken = 0
await takeLogin()
await takeWall()
await takeChannel()
await takeLiveSources()
await takeSchedule({ page, station, take, open, takeLoadingAndFailing })
await takeCatalog({ page, take, open, takeLoadingAndFailing }, station)
await takeIngest({ page, take, open, takeLoadingAndFailing }, station)
await takeReports({ page, take, open, takeLoadingAndFailing }, station)
await takeAccess({ page, take, open, takeLoadingAndFailing }, station)
await takeEmptyAccount()
console.log(`${taken} pictures in ${folder}`)

async function take(name: string): Promise<void> {
  await inEveryLook(page, async (width, scheme) => {
    const path = join(folder, `${name}-${width}-${scheme}.png`)
    await page.screenshot({ path, fullPage: true, animations: 'disabled' })
    taken += 1
  })
}

async function takeLogin(): Promise<void> {
  await page.goto(`${station.baseUrl}/console/`)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await take('login-full')
  await page.getByLabel('Account name').fill(station.login.account_name)
  await page.getByLabel('Email').fill(station.login.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').waitFor()
  await take('login-failing')
  await logIn(page, station)
  await page.route('**/auth/refresh', () => new Promise(() => {}))
  await page.reload()
  await page.getByLabel('Opening the session').waitFor()
  await take('login-loading')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/auth/refresh', (route) => route.abort())
  await page.reload()
  await page.getByText('No answer from the service').waitFor()
  await take('login-unreachable')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

async function takeWall(): Promise<void> {
  await open('/on-air', 'On air')
  await page.getByText('The Morning Desk').first().waitFor()
  await loadPictures()
  await take('wall-full')
  await open('/on-air?name=zzz', 'On air')
  await take('wall-no-match')
  await open('/on-air', 'On air')
  for (const title of ['North One', 'North Three', 'Sport 10']) {
    await page.getByRole('checkbox', { name: `Select ${title}`, exact: true }).check()
  }
  await page.getByRole('button', { name: 'Rescue slate' }).click()
  await page.getByRole('dialog').waitFor()
  await take('wall-dialog-slate')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Cut to a live source' }).click()
  await page.getByRole('radio', { name: 'Harbour camera', exact: true }).check()
  await take('wall-dialog-live')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Add a channel' }).click()
  await page.getByLabel('Name of the channel').fill('North Four')
  await take('wall-dialog-add')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Keys' }).click()
  await take('wall-keys')
  await page.keyboard.press('Escape')
  await page.context().setOffline(true)
  await page.getByText('Connection lost.').waitFor()
  await take('wall-offline')
  await page.context().setOffline(false)
  await takeLoadingAndFailing('wall', '/on-air', '**/api/2.3/linear_channels*')
}

async function takeChannel(): Promise<void> {
  const at = (title: string) => `/on-air/${station.channelIds[title]}`
  await open(at('Harbour News'), 'Harbour News')
  await page.getByRole('region', { name: 'Components of the program' }).waitFor()
  await waitUntilPlaying(page)
  await take('channel-full')
  await page.getByRole('button', { name: 'Take off the air' }).click()
  await take('channel-dialog-stop')
  await open(at('North Two'), 'North Two')
  await waitUntilPlaying(page)
  await take('channel-overridden')
  await open(at('North Three'), 'North Three')
  await take('channel-empty')
  await open('/on-air/00000000-0000-7000-8000-000000000000', 'There is no such channel')
  await take('channel-unknown')
  await takeLoadingAndFailing('channel', at('Harbour News'), '**/api/2.3/linear_channels*')
}

async function takeLiveSources(): Promise<void> {
  await open('/live-sources', 'Live sources')
  await page.getByRole('img', { name: 'Harbour camera now' }).waitFor()
  await page.getByRole('button', { name: 'Begin ad break, Harbour camera' }).click()
  await page.getByRole('timer', { name: 'Ad break of Harbour camera' }).waitFor()
  await loadPictures()
  await take('live-sources-full')
  await page.getByRole('button', { name: 'Change Harbour camera' }).click()
  await take('live-sources-dialog-change')
  await takeLoadingAndFailing('live-sources', '/live-sources', '**/api/2.3/live_sources*')
}

async function takeEmptyAccount(): Promise<void> {
  const login = { ...station.login, account_name: 'empty', password: randomBytes(12).toString('base64url') }
  const owner = openOwner(station.databaseOwnerUrl, Date.now())
  await owner.createAccount({
    title: 'Empty',
    account_name: login.account_name,
    country: undefined,
    frame_rate: undefined,
    segment_ms: undefined,
  })
  const roles = ['ROLE_USER', 'ROLE_ADMIN', 'SCHEDULE']
  await owner.createUser(login.account_name, {
    email: login.email,
    name: 'Ada',
    password: login.password,
    roles,
  })
  await owner.close()
  await open('/on-air', 'On air')
  await page.getByRole('button', { name: 'Log out' }).click()
  await logIn(page, { baseUrl: station.baseUrl, login })
  await take('wall-empty')
  await open('/live-sources', 'Live sources')
  await take('live-sources-empty')
  await open('/schedule', 'Schedule')
  await take('schedule-empty')
  await open('/ingest', 'Ingest')
  await page.getByText('Nothing was submitted').waitFor()
  await take('ingest-empty')
  for (const name of ['videos', 'series', 'playlists']) {
    await open(`/catalog/${name}`, 'Catalog')
    // A new account has slates, which are videos, as soon as they are rendered.
    const slates = page.getByRole('list', { name: 'Videos' })
    await page.getByText('has no').or(slates).first().waitFor()
    await take(`catalog-${name}-empty`)
  }
  await open('/reports', 'Reports')
  await page.getByText('Nothing was watched').waitFor()
  await take('reports-empty')
  for (const name of ['app-keys', 'outputs', 'webhooks']) {
    await open(`/access/${name}`, 'Access')
    await page.getByText('has no').waitFor()
    await take(`access-${name}-empty`)
  }
}

async function takeLoadingAndFailing(name: string, path: string, requests: string): Promise<void> {
  await page.route(requests, () => new Promise(() => {}))
  await page.goto(`${station.baseUrl}/console${path}`)
  await page.getByRole('navigation').waitFor()
  await take(`${name}-loading`)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route(requests, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: '/docs#internal',
        title: 'Internal error',
        status: 500,
        code: 'internal',
        detail: 'The request failed. The fault has been logged.',
        instance: '',
        request_id: '019a-example',
      }),
    }),
  )
  await page.goto(`${station.baseUrl}/console${path}`)
  await page.getByText('The request failed.').waitFor()
  await take(`${name}-failing`)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

async function open(path: string, heading: string): Promise<void> {
  await page.goto(`${station.baseUrl}/console${path}`)
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}

/** Pictures below the fold are loaded lazily. */
async function loadPictures(): Promise<void> {
  await page.setViewportSize({ width: WIDTHS[0], height: 4_000 })
  const areLoaded = async () =>
    (await page.evaluate('[...document.images].every((one) => one.hidden || one.naturalWidth > 0)')) ===
      true || undefined
  await pollUntil(areLoaded, PATIENCE_MS)
}

/** More channels with programs on air, an override of each kind, and live sources in other states. */
async function seed({ client, channelIds, scheduleProgram, playoutUrl }: Station): Promise<void> {
  const ids = channelIds as Record<string, string>
  for (const { title, program, minutes } of others) {
    const { linear_channel_id } = await client.createLinearChannel({ body: { title } })
    ids[title] = linear_channel_id
    await client.startLinearChannel({ params: { linear_channel_id } })
    await scheduleProgram(linear_channel_id, program, minutes * 60_000)
  }
  const dead = { type: 'HLS_PULL', metadata: { input_url: `${playoutUrl}/channels/none.m3u8` } } as const
  const broken = await client.createLiveSource({ body: { name: 'Studio B', ...dead } })
  await client.createLiveSource({ body: { name: 'Outside broadcast van 3', ...dead } })
  const camera = (await client.listLiveSources()).hits.find(({ name }) => name === 'Harbour camera')!
  for (const { live_source_id } of [camera, broken]) {
    await client.activateLiveSource({ params: { live_source_id } })
  }
  const isReady = async () => {
    const { hits } = await client.listLiveSources()
    const states = hits.map(({ status }) => status)
    return (states.includes('ACTIVE') && states.includes('ERROR')) || undefined
  }
  if (!(await pollUntil(isReady, PATIENCE_MS))) throw new Error('the live sources are not ready in time')
  const isOnAir = async () => {
    const states = await Promise.all(
      others.map(({ title }) => client.readOnAirNow({ params: { linear_channel_id: ids[title]! } })),
    )
    return states.every(({ program }) => program !== null) || undefined
  }
  if (!(await pollUntil(isOnAir, PATIENCE_MS))) throw new Error('the programs are not on air in time')
  await client.rescueChannels({ body: [{ linear_channel_id: ids['North Two']! }] })
  await client.overrideChannels({
    params: { live_source_id: camera.live_source_id },
    body: [{ linear_channel_id: ids['Sport 2']! }],
  })
}
