import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pollUntil } from '@continuity/dev/waiting'
import { CHAPTER_MS, FILM, FILM_SECONDS, PICTURE, startFilmServer } from './film-server.ts'
import {
  findViolations,
  logIn,
  newContext,
  openPage,
  PATIENCE_MS,
  someLooks,
  startBrowser,
  waitUntilPlaying,
} from './open-console.ts'
import { addAired, addFilms } from './seed.ts'
import { startOffice } from './systems.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

const server = await startFilmServer(opened)
const [office, browser] = await Promise.all([
  startOffice(opened, {
    titles: ['North One', 'North Two'],
    allowedHosts: [server.host],
    withPlayout: true,
  }),
  startBrowser(opened),
])
const { client, channelIds } = office
const { page, faults } = await openPage(await newContext(browser))

/** The only video with a file. It has a time slot tomorrow. */
const START_MS = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + DAY_MS
const { request_id } = await client.scheduleProgram({
  body: {
    linear_channel_id: channelIds['North One']!,
    source_id: 'north',
    program_title: 'Harbour Evening',
    videos: [
      {
        type: 'VIDEO',
        video_source_id: 'HN-0412',
        title: 'The Tide Table',
        description: 'A ferry is late.',
        video_url: server.addressOf(FILM),
        image_url: server.addressOf(PICTURE),
        duration: FILM_SECONDS,
        parental_rating: 'TV-PG',
      },
    ],
    schedule: { start_time: new Date(START_MS).toISOString(), duration_ms: HOUR_MS },
  },
})
const nights = await client.createSeries({ body: { title: 'Harbour Nights' } })
const films = [
  { title: 'The Long Ferry', minutes: 92, genre: 'film' },
  { title: 'Salt and Rope', minutes: 88, genre: 'film' },
  { title: 'Ferry Notes', minutes: 4, genre: 'short' },
  { title: 'Winter Quay', minutes: 61, genre: 'film', status: 'DISABLED' },
  { title: 'First Light', minutes: 42, seriesId: nights.series_id, episode: 1 },
  { title: 'Low Water', minutes: 42, seriesId: nights.series_id, episode: 2 },
  { title: 'Fog', minutes: 42, seriesId: nights.series_id, episode: 5 },
] as const
const filmIds = await addFilms(office, films)
const idOf = (title: string): string => filmIds[films.findIndex((film) => film.title === title)]!

const videos = page.getByRole('list', { name: 'Videos' }).getByRole('listitem')
const open = (path: string) => page.goto(`${office.baseUrl}/console/catalog/${path}`)

/** Made by the platform when the account has its first program. */
const slates = /Time fill|Ad slate|Rescue slate/

/** Waits until the list has these videos and no other. */
async function waitForTitles(titles: readonly string[]): Promise<void> {
  let shown: readonly string[] = []
  const isShown = async () => {
    const texts = (await videos.allTextContents()).filter((text) => !slates.test(text))
    shown = texts
    const isEach = titles.every((title) => texts.some((text) => text.includes(title)))
    return (texts.length === titles.length && isEach) || undefined
  }
  assert.ok(await pollUntil(isShown, PATIENCE_MS), `${shown.join(' | ')} instead of ${titles.join(', ')}`)
}

const titlesOf = (isMeant: (film: { minutes: number; title: string; genre?: string }) => boolean) =>
  films.filter(isMeant).map(({ title }) => title)

test('the catalog is searched as one types, and the search is in the address', async () => {
  await logIn(page, office)
  await page.getByRole('link', { name: 'Catalog' }).click()
  await waitForTitles(['The Tide Table', ...titlesOf(() => true)])
  assert.deepEqual(await findViolations(page), [])
  await page.getByLabel('Search').pressSequentially('ferry', { delay: 20 })

  // One by its description, two by their titles.
  await waitForTitles(['The Tide Table', 'The Long Ferry', 'Ferry Notes'])
  assert.equal(new URL(page.url()).searchParams.get('text'), 'ferry')
  await page.getByLabel('Search').fill('ferry -long')
  await waitForTitles(['The Tide Table', 'Ferry Notes'])
  await page.reload()
  await waitForTitles(['The Tide Table', 'Ferry Notes'])
  await page.getByLabel('Search').fill('zeppelin')
  await page.getByText('No video matches.').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.getByRole('link', { name: 'Show all videos' }).click()
  await waitForTitles(['The Tide Table', ...titlesOf(() => true)])
})

test('filters and an order narrow and sort the catalog', async () => {
  await page.getByLabel('Length').selectOption({ label: '80 minutes and more' })
  await waitForTitles(titlesOf(({ minutes }) => minutes >= 80))
  await page.getByLabel('Length').selectOption({ label: 'Any' })
  await page.getByLabel('Genre').fill('film')
  await page.getByLabel('Status').selectOption({ label: 'Disabled' })
  await waitForTitles(['Winter Quay'])
  await videos.getByText('Disabled').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Series').selectOption({ label: 'Harbour Nights' })
  await page.getByLabel('Order').selectOption({ label: 'Title' })
  await waitForTitles(titlesOf((film) => 'seriesId' in film))

  const isInOrder = async () =>
    /First Light.*Fog.*Low Water/.test((await videos.allTextContents()).join(' ')) || undefined
  assert.ok(await pollUntil(isInOrder, PATIENCE_MS), (await videos.allTextContents()).join(' '))
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Ingested for').selectOption({ label: 'North One' })
  await waitForTitles(['The Tide Table'])
})

test('a video plays, and has its picture and its facts', async () => {
  const isReady = async () => {
    const { items } = await client.getScheduleRequest({ params: { request_id } })
    return items[0]!.state === 'READY' || undefined
  }
  assert.ok(await pollUntil(isReady, PATIENCE_MS), 'the film was not packaged')
  await open('videos?text=tide')
  await videos.getByRole('link', { name: /The Tide Table/ }).click()
  await page.getByRole('heading', { name: 'The Tide Table' }).waitFor()
  await page.getByText('TV-PG').waitFor()
  await page.getByRole('img', { name: 'Thumbnail of The Tide Table' }).first().waitFor()
  const width = `[...document.images].find((one) => one.alt.startsWith('Thumbnail')).naturalWidth`
  const isShown = async () => Number(await page.evaluate(width)) > 0 || undefined
  assert.ok(await pollUntil(isShown, PATIENCE_MS), 'the picture is not shown')
  await page.evaluate("document.querySelector('video').muted = true")
  await page.evaluate("document.querySelector('video').play()")

  await waitUntilPlaying(page)
  await page.evaluate("document.querySelector('video').pause()")
  assert.deepEqual(await findViolations(page), [])
})

const points = page.getByRole('list', { name: 'Cue points in order' }).getByRole('listitem')
const mark = (number: number) => page.getByRole('slider', { name: `Cue point ${number}` })
const positionMs = async () =>
  Math.round(Number(await page.evaluate("document.querySelector('video').currentTime")) * 1_000)
const videoOfFilm = async () => {
  const { items } = await client.getScheduleRequest({ params: { request_id } })
  return client.getVideo({ params: { video_id: items[0]!.video_id! } })
}

test('cue points are on the scrubber, and lead the player there', async () => {
  await points.getByText('Chapter of the file, cut to the frame').waitFor()
  assert.equal(await mark(1).getAttribute('aria-valuenow'), String(CHAPTER_MS))
  await page.getByRole('button', { name: 'Show cue point 1' }).click()

  assert.equal(await positionMs(), CHAPTER_MS)
  await page.getByRole('slider', { name: 'Position' }).fill('26000')
  assert.equal(await positionMs(), 26_000)
})

test('cue points are added, moved and removed, by keys and by the mouse, and saved', async () => {
  await page.getByRole('button', { name: 'Add a cue point here' }).click()
  await points.getByText('Not saved').nth(1).waitFor()
  await mark(1).focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  assert.equal(await mark(1).getAttribute('aria-valuetext'), '0:00:14.900')

  // Too near to the first one: that is stated at the field.
  await page.getByLabel('Time of cue point 2').fill('20')
  await page.keyboard.press('Enter')
  await points.getByText('At least 10 seconds after 0:00:14.900.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Save the cue points' }).isDisabled())
  assert.deepEqual(await findViolations(page, someLooks), [])
  const box = (await mark(2).boundingBox())!
  const track = (await page.getByRole('slider', { name: 'Position' }).boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(track.x + track.width * 0.9, box.y + 8, { steps: 4 })
  await page.mouse.up()
  const draggedMs = Number(await mark(2).getAttribute('aria-valuenow'))
  assert.ok(Math.abs(draggedMs - 0.9 * FILM_SECONDS * 1_000) < 500, `${draggedMs}`)
  await page.getByRole('button', { name: 'Save the cue points' }).click()

  await points
    .getByText(/^Given/)
    .nth(1)
    .waitFor()
  assert.deepEqual((await videoOfFilm()).cue_points_ms, [14_900, draggedMs])
  await mark(2).focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Save the cue points' }).click()
  await page.getByText('Not saved').waitFor({ state: 'detached' })
  assert.deepEqual((await videoOfFilm()).cue_points_ms, [14_900])
})

test('another user’s change of the video is not overwritten unseen', async () => {
  const { video_id } = await videoOfFilm()
  await mark(1).focus()
  await page.keyboard.press('ArrowRight')
  await client.changeVideo({ params: { video_id }, body: { cue_points_ms: [12_000] } })
  await page.getByRole('button', { name: 'Save the cue points' }).click()
  await page.getByRole('alert').getByText('Another user has changed this video').waitFor()
  const again = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Save the cue points' }).click()
  assert.equal((await again).status(), 412)
  assert.deepEqual((await videoOfFilm()).cue_points_ms, [12_000])
  await page.getByRole('button', { name: 'Discard changes' }).click()

  await page.getByLabel('Time of cue point 1').and(page.locator('[value="0:00:12.000"]')).waitFor()
  await page.getByRole('button', { name: 'Use the chapters of the file' }).click()
  await points.getByText('Chapter of the file').waitFor()
  assert.equal((await videoOfFilm()).cue_points_ms, null)
})

test('a video has where it has aired and where it will', async () => {
  const airedMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * DAY_MS
  const aired = { channelId: channelIds['North Two']!, videoId: idOf('Salt and Rope'), seconds: 88 * 60 }
  const ahead = { linear_channel_id: channelIds['North Two']! }
  await client.createProgram({
    params: ahead,
    body: {
      title: 'Rope Again',
      start_time: new Date(START_MS).toISOString(),
      items: [{ video_id: idOf('Salt and Rope') }],
    },
  })
  await addAired(office, { ...aired, program: 'Late Film', startMs: airedMs })
  await open(`videos/${idOf('Salt and Rope')}`)
  const row = (region: string) =>
    page.getByRole('region', { name: region, exact: true }).getByRole('row').nth(1)

  await row('Aired').waitFor()
  await row('On air and to come').waitFor()
  const past = await row('Aired').getByRole('cell').allTextContents()
  const future = await row('On air and to come').getByRole('cell').allTextContents()

  const moment = (ms: number) => new Date(ms).toISOString().slice(11, 19)
  assert.match(past[0]!, new RegExp(`${moment(airedMs)} UTC$`))
  assert.deepEqual(past.slice(1), ['North Two', 'Late Film', ' Video in 2 parts'])
  assert.match(future[0]!, new RegExp(`${moment(START_MS)} UTC$`))
  assert.deepEqual(future.slice(1), ['North Two', 'Rope Again', ' Video'])
  await page.getByText('It has no media').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  const body = { title: 'Rope at Noon', start_time: new Date(START_MS + 6 * HOUR_MS).toISOString() }
  await client.createProgram({
    params: ahead,
    body: { ...body, items: [{ video_id: idOf('Salt and Rope') }] },
  })
  await page.getByRole('cell', { name: 'Rope at Noon' }).waitFor()
})

const dialog = page.getByRole('dialog')
const change = async () => {
  await page.getByRole('button', { name: 'Change…' }).click()
  await dialog.waitFor()
}
const save = async () => {
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** A record of its own: the other tests count on theirs. */
let spareId = ''
const spare = async () => client.getVideo({ params: { video_id: spareId } })

test('the fields of a video, and its place in a series, are changed on its page', async () => {
  spareId = (await addFilms(office, [{ title: 'Slack Tide', minutes: 30, genre: 'short' }]))[0]!
  await client.createBrand({ body: { brand_id: 'north', name: 'North Television' } })
  await open(`videos/${spareId}`)
  await change()
  await dialog.getByLabel('Title').fill('Slack Water')
  await dialog.getByLabel('Description').fill('Between two tides.')
  await dialog.getByLabel('Status').selectOption('Disabled')
  await dialog.getByLabel('Brand').selectOption('North Television')
  await dialog.getByLabel('Series').selectOption('Harbour Nights')
  await dialog.getByLabel('Season').fill('2')
  await dialog.getByLabel('Episode').fill('7')
  await dialog.getByLabel('Keywords').fill('tide, night,')
  await dialog.getByLabel('Sub-genre 1').fill('maritime')
  await dialog.getByLabel('Rating').fill('TV-14')
  await dialog.getByLabel('From on').fill('2026-01-02')
  await dialog.getByLabel('From at').fill('20:00')
  assert.deepEqual(await findViolations(page, someLooks), [])
  await save()

  await page.getByRole('heading', { name: 'Slack Water' }).waitFor()
  await page.getByText('Season 2, episode 7').waitFor()
  const { title, description, status, brand_id, series_id, season_number, episode_number, ...rest } =
    await spare()
  assert.deepEqual(
    { title, description, status, brand_id, series_id, season_number, episode_number },
    {
      title: 'Slack Water',
      description: 'Between two tides.',
      status: 'DISABLED',
      brand_id: 'north',
      series_id: nights.series_id,
      season_number: 2,
      episode_number: 7,
    },
  )
  const { keywords, genres, parental_rating, date_available, date_expired } = rest
  assert.deepEqual(
    { keywords, genres, parental_rating, date_available, date_expired },
    {
      keywords: ['tide', 'night'],
      genres: [{ genre: 'short', sub_genre: 'maritime' }],
      parental_rating: 'TV-14',
      date_available: '2026-01-02T20:00:00.000Z',
      date_expired: null,
    },
  )
  await page.getByRole('link', { name: 'Harbour Nights' }).click()
  await page.getByRole('heading', { name: 'Season 2' }).waitFor()
  assert.deepEqual(await titlesIn('Season 2'), ['Slack Water'])
})

test('what is wrong with a field of a video is stated at the field', async () => {
  const { series_id } = await client.createSeries({ body: { title: 'Short-lived' } })
  await open(`videos/${spareId}`)
  await change()
  await dialog.getByLabel('Until on').fill('2026-01-02')
  await dialog.getByLabel('Until at').fill('19:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('It has to be after the time from which it is available.').waitFor()
  assert.equal(await dialog.getByLabel('Until at').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('Until on').fill('2030-01-02')

  // Only the service knows the rest.
  await dialog.getByLabel('Series').selectOption('Short-lived')
  await client.deleteSeries({ params: { series_id } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('It names no series of the account.').waitFor()
  const series = dialog.getByLabel('Series')
  assert.equal(await series.getAttribute('aria-invalid'), 'true')
  await series.and(page.locator(':focus')).waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await series.selectOption('None')
  await dialog.getByLabel('Rating').fill('x'.repeat(65))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^It .*64 characters/).waitFor()
  assert.equal(await dialog.getByLabel('Rating').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('Rating').fill('')
  await save()

  const { series_id: left, parental_rating, date_expired } = await spare()
  assert.deepEqual(
    { left, parental_rating, date_expired },
    { left: null, parental_rating: null, date_expired: '2030-01-02T19:00:00.000Z' },
  )
})

test('fields that another user has changed are not overwritten, and are there when the dialog is closed', async () => {
  await change()
  await dialog.getByLabel('Title').fill('Of this user')
  await client.changeVideo({ params: { video_id: spareId }, body: { title: 'Of another user' } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').getByText('Another user has changed this since you opened it').waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled())
  assert.equal((await spare()).title, 'Of another user')

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Of another user' }).waitFor()
  await change()
  await dialog.getByLabel('Description').fill('Of both.')
  await save()
  const { title, description } = await spare()
  assert.deepEqual({ title, description }, { title: 'Of another user', description: 'Of both.' })
})

test('a video is deleted after a confirmation', async () => {
  await page.getByRole('button', { name: 'Delete…' }).click()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await dialog.getByRole('button', { name: 'Delete the video' }).click()

  await waitForTitles(['The Tide Table', ...titlesOf(() => true)])
  await assert.rejects(spare(), { code: 'video.not_found' })
})

test('series and playlists get another title, description and status', async () => {
  const series = await client.createSeries({ body: { title: 'Spare series' } })
  const playlist = await client.createPlaylist({ body: { title: 'Spare playlist' } })
  const kinds = [
    {
      kind: 'series',
      path: `series/${series.series_id}`,
      read: () => client.getSeries({ params: { series_id: series.series_id } }),
      rename: (title: string) =>
        client.changeSeries({ params: { series_id: series.series_id }, body: { title } }),
    },
    {
      kind: 'playlist',
      path: `playlists/${playlist.playlist_id}`,
      read: () => client.getPlaylist({ params: { playlist_id: playlist.playlist_id } }),
      rename: (title: string) =>
        client.changePlaylist({ params: { playlist_id: playlist.playlist_id }, body: { title } }),
    },
  ]
  for (const { kind, path, read, rename } of kinds) {
    await open(path)
    await change()
    await dialog.getByLabel('Title').fill('Renamed')
    await dialog.getByLabel('Description').fill('x'.repeat(10_001))
    await dialog.getByLabel('Status').selectOption('Disabled')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/^It .*10000 characters/).waitFor()
    assert.equal(await dialog.getByLabel('Description').getAttribute('aria-invalid'), 'true')
    assert.deepEqual(await findViolations(page, someLooks), [])
    await dialog.getByLabel('Description').fill('As good as new.')
    await save()
    await page.getByRole('heading', { name: 'Renamed' }).waitFor()
    await page.getByText('Disabled').waitFor()
    const { title, description, status } = await read()
    assert.deepEqual(
      { title, description, status },
      { title: 'Renamed', description: 'As good as new.', status: 'DISABLED' },
    )

    await change()
    await rename('By another user')
    await dialog.getByLabel('Status').selectOption('Ready')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('Another user has changed this since you opened it').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'By another user' }).waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await dialog.getByRole('button', { name: `Delete the ${kind}` }).click()
    await dialog.waitFor({ state: 'detached' })
    await assert.rejects(read(), { code: `${kind}.not_found` })
  }
})

test('a series gets a brand, and loses it again', async () => {
  await client.createBrand({ body: { brand_id: 'south', name: 'South Television' } })
  await open('series')
  await page.getByRole('button', { name: 'Make a series' }).click()
  await dialog.getByLabel('Title').fill('Tide Tables')
  await dialog.getByLabel('Brand').selectOption('South Television')
  await dialog.getByRole('button', { name: 'Make it' }).click()
  await page.getByRole('heading', { name: 'Tide Tables' }).waitFor()
  await page.getByText('Brand: South Television').waitFor()
  const series_id = new URL(page.url()).pathname.split('/').at(-1)!
  const stored = async () => (await client.getSeries({ params: { series_id } })).brand_id
  assert.equal(await stored(), 'south')

  await change()
  assert.equal(await dialog.getByLabel('Brand').inputValue(), 'south')
  assert.deepEqual(await findViolations(page, someLooks), [])
  await dialog.getByLabel('Brand').selectOption('None')
  await save()
  await page.getByText('Brand: South Television').waitFor({ state: 'detached' })
  assert.equal(await stored(), null)
  await client.deleteSeries({ params: { series_id } })
})

const order = (label: string) => page.getByRole('list', { name: label }).getByRole('listitem')
const titlesIn = async (label: string) => order(label).getByRole('link').allTextContents()
async function drag(label: string, from: string, to: string): Promise<void> {
  const handle = (await page.getByRole('button', { name: new RegExp(`^Move ${from}`) }).boundingBox())!
  const target = (await order(label).filter({ hasText: to }).boundingBox())!
  await page.mouse.move(handle.x + 10, handle.y + 10)
  await page.mouse.down()
  await page.mouse.move(handle.x + 10, target.y + target.height / 2, { steps: 4 })
  await page
    .getByRole('status')
    .filter({ hasText: `${from}: ` })
    .waitFor({ state: 'attached' })
  await page.mouse.up()
}

test('a playlist is made, filled, and ordered with keys and with the mouse', async () => {
  await open('playlists')
  await page.getByText('This account has no playlists yet.').waitFor()
  await page.getByRole('button', { name: 'Make a playlist' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Night trains')
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.getByRole('button', { name: 'Make it' }).click()
  await page.getByRole('heading', { name: 'Night trains' }).waitFor()
  for (const title of ['The Long Ferry', 'Salt and Rope', 'Ferry Notes']) {
    await page.getByLabel('Add a video').fill(title)
    await page.getByRole('list', { name: 'Videos found' }).getByRole('button', { name: title }).click()
  }
  const label = 'Videos of Night trains'
  await page.getByRole('button', { name: /^Move Ferry Notes/ }).focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  assert.deepEqual(await titlesIn(label), ['Ferry Notes', 'The Long Ferry', 'Salt and Rope'])
  await drag(label, 'Salt and Rope', 'The Long Ferry')
  assert.deepEqual(await titlesIn(label), ['Ferry Notes', 'Salt and Rope', 'The Long Ferry'])
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('button', { name: 'Save the playlist' }).click()
  await page.getByRole('button', { name: 'Save the playlist' }).waitFor({ state: 'detached' })
  const playlist_id = new URL(page.url()).pathname.split('/').at(-1)!
  const stored = async () => {
    const { hits } = await client.listPlaylistVideos({ params: { playlist_id } })
    return hits.map(({ title }) => title)
  }
  assert.deepEqual(await stored(), ['Ferry Notes', 'Salt and Rope', 'The Long Ferry'])

  await page.getByRole('button', { name: 'Remove Salt and Rope' }).click()
  await client.setPlaylistVideos({ params: { playlist_id }, body: { video_ids: [idOf('Fog')] } })
  await page.getByRole('button', { name: 'Save the playlist' }).click()
  await page.getByRole('alert').getByText('Another user has changed this playlist').waitFor()
  assert.deepEqual(await stored(), ['Fog'])
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete the playlist' }).click()
  await page.getByText('This account has no playlists yet.').waitFor()
})

test('the episodes of a season are ordered, and keep the numbers that the season has', async () => {
  await open('series')
  await page.getByRole('link', { name: 'Harbour Nights' }).click()
  await page.getByRole('heading', { name: 'Season 1' }).waitFor()
  assert.deepEqual(await titlesIn('Season 1'), ['First Light', 'Low Water', 'Fog'])
  await drag('Season 1', 'Fog', 'First Light')
  assert.deepEqual(await titlesIn('Season 1'), ['Fog', 'First Light', 'Low Water'])
  await page.getByRole('button', { name: 'Save the order' }).click()
  await page.getByRole('button', { name: 'Save the order' }).waitFor({ state: 'detached' })

  const { hits } = await client.listSeriesVideos({ params: { series_id: nights.series_id } })
  assert.deepEqual(
    hits.map(({ title, episode_number }) => [title, episode_number]),
    [
      ['Fog', 1],
      ['First Light', 2],
      ['Low Water', 5],
    ],
  )
  assert.deepEqual(await findViolations(page, someLooks), [])

  await drag('Season 1', 'Low Water', 'Fog')
  const params = { video_id: idOf('First Light') }
  await client.changeVideo({ params, body: { episode_number: 9 } })
  await page.getByRole('button', { name: 'Save the order' }).click()
  await page.getByRole('alert').getByText('Another user has changed the order').waitFor()
  const { hits: unchanged } = await client.listSeriesVideos({ params: { series_id: nights.series_id } })
  assert.deepEqual(
    unchanged.map(({ title, episode_number }) => [title, episode_number]),
    [
      ['Fog', 1],
      ['Low Water', 5],
      ['First Light', 9],
    ],
  )
  await page.getByRole('button', { name: 'Discard changes' }).click()
  assert.deepEqual(await titlesIn('Season 1'), ['Fog', 'Low Water', 'First Light'])
})

test('a reader sees the catalog without the commands, and which role the rest needs', async () => {
  const login = { email: 'reader@north.example', password: crypto.randomUUID() }
  await client.createUser({ body: { ...login, roles: ['ROLE_USER'] } })
  await using other = await newContext(browser)
  const { page: reader } = await openPage(other)
  await logIn(reader, { ...office, login: { ...office.login, ...login } })
  await reader.goto(`${office.baseUrl}/console/catalog/videos/${(await videoOfFilm()).video_id}`)
  await reader.getByText('To change them, you need the role Administrator.').waitFor()
  await reader.getByText('Where a video airs is a report, which needs the role Scheduler.').waitFor()
  await reader.getByText('To change it, you need the role Administrator.').waitFor()
  const commands = /^(Add|Remove|Save|Use the|Change|Delete)/
  assert.equal(await reader.getByRole('button', { name: commands }).count(), 0)
  await reader.goto(`${office.baseUrl}/console/catalog/series`)
  await reader.getByRole('link', { name: 'Harbour Nights' }).click()
  await reader.getByRole('link', { name: 'Low Water' }).waitFor()

  assert.equal(await reader.getByRole('button', { name: /^(Move|Change|Delete|Save)/ }).count(), 0)
})

test('a catalog that cannot be read is explained, and shown when the service is back', async () => {
  await page.route('**/api/2.1/search/videos*', (route) => route.abort())
  await open('videos')
  await page.getByRole('alert').getByText('No answer from the service.').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.unroute('**/api/2.1/search/videos*')

  await waitForTitles(['The Tide Table', ...titlesOf(() => true)])
})

test('no script failed, and the content security policy blocked nothing', () => {
  assert.deepEqual(faults, [])
})
