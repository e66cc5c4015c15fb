import { pollUntil } from '@continuity/dev/waiting'
import { addAired } from './add-aired.ts'
import { addFilms } from './add-films.ts'
import { FILM, FILM_SECONDS, makeFilm, PICTURE } from './film-server.ts'
import { waitUntilPlaying } from './open-console.ts'
import type { Camera } from './report-screens.ts'
import type { Station } from './station.ts'

const PATIENCE_MS = 120_000
const DAY_MS = 86_400_000

type Seeded = Pick<Station, 'client' | 'channelIds' | 'files' | 'login' | 'databaseOwnerUrl'>

/** Videos, series and playlists: lists, pages, dialogs. */
export async function takeCatalog(
  { page, take, open, takeLoadingAndFailing }: Camera,
  station: Seeded,
): Promise<void> {
  const { videoId, seriesId, playlistId } = await seed(station)
  await open('/catalog', 'Catalog')
  await page.getByText('The Tide Table').first().waitFor()
  await take('catalog-videos')
  await open('/catalog/videos?text=zeppelin&status=READY', 'Catalog')
  await page.getByText('No video matches.').waitFor()
  await take('catalog-no-match')
  await open(`/catalog/videos/${videoId}`, 'Catalog')
  await page.getByRole('cell', { name: 'Late Film' }).first().waitFor()
  await page.evaluate("document.querySelector('video').muted = true")
  await page.evaluate("document.querySelector('video').play()")
  await waitUntilPlaying(page)
  await page.evaluate("document.querySelector('video').pause()")
  await take('catalog-video')
  await page.getByRole('slider', { name: 'Position' }).fill('22000')
  await page.getByRole('button', { name: 'Add a cue point here' }).click()
  await page.getByText('At least 10 seconds after').waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await take('catalog-video-cue-fault')
  await open(`/catalog/videos/${videoId}`, 'Catalog')
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('option', { name: 'Harbour Tales' }).waitFor({ state: 'attached' })
  await take('catalog-video-change')
  await page.getByLabel('Rating').fill('x'.repeat(65))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('64 characters').waitFor()
  await take('catalog-video-change-problem')
  await page.getByLabel('Rating').fill('TV-14')
  await station.client.changeVideo({ params: { video_id: videoId }, body: { parental_rating: 'TV-G' } })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Another user has changed this').waitFor()
  await take('catalog-video-change-conflict')
  await open(`/catalog/series/${seriesId}`, 'Catalog')
  await page.getByRole('button', { name: /^Move Fog/ }).press('ArrowUp')
  await take('catalog-one-series')
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('dialog').waitFor()
  await take('catalog-series-change')
  await open('/catalog/series', 'Catalog')
  await page.getByRole('table').waitFor()
  await take('catalog-series')
  await page.getByRole('button', { name: 'Make a series' }).click()
  await page.getByRole('dialog').waitFor()
  await take('catalog-series-make')
  await open('/catalog/playlists', 'Catalog')
  await page.getByRole('table').waitFor()
  await take('catalog-playlists')
  await open(`/catalog/playlists/${playlistId}`, 'Catalog')
  await page.getByLabel('Add a video').fill('winter')
  await page.getByRole('list', { name: 'Videos found' }).getByRole('button').first().waitFor()
  await take('catalog-playlist')
  await takeLoadingAndFailing('catalog-videos', '/catalog/videos', '**/api/2.1/search/videos*')
  await takeLoadingAndFailing('catalog-video', `/catalog/videos/${videoId}`, '**/api/2.1/videos/*')
  await takeLoadingAndFailing(
    'catalog-playlist',
    `/catalog/playlists/${playlistId}`,
    '**/api/2.1/playlists/*',
  )
}

async function seed(station: Seeded) {
  const { client, channelIds, files } = station
  const channelId = Object.values(channelIds)[0]!
  await makeFilm(files.folder)
  const startMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS
  const { request_id } = await client.scheduleProgram({
    body: {
      linear_channel_id: channelId,
      source_id: 'north-automation',
      program_title: 'Harbour Evening',
      videos: [
        {
          type: 'VIDEO',
          video_source_id: 'HN-0412',
          title: 'The Tide Table',
          description: 'A ferry is late, and the harbour master has one night to find out why.',
          keywords: 'harbour, ferry, night',
          video_url: files.addressOf(FILM),
          image_url: files.addressOf(PICTURE),
          duration: FILM_SECONDS,
          genres: [{ genre: 'drama', sub_genre: 'maritime' }],
          audio_language: 'en',
          parental_rating: 'TV-PG',
        },
      ],
      schedule: { start_time: new Date(startMs).toISOString(), duration_ms: 3_600_000 },
    },
  })
  const findReady = async () => {
    const { items } = await client.getScheduleRequest({ params: { request_id } })
    return items[0]!.state === 'READY' ? items[0]!.video_id! : undefined
  }
  const videoId = await pollUntil(findReady, PATIENCE_MS)
  if (videoId === undefined) throw new Error('the film was not packaged in time')
  const { series_id } = await client.createSeries({
    body: { title: 'Harbour Tales', description: 'A port that never sleeps, and those who work there.' },
  })
  await client.changeVideo({
    params: { video_id: videoId },
    body: { series_id, season_number: 1, episode_number: 1 },
  })
  const ids = await addFilms(station, [
    { title: 'Winter Quay: the long version, restored from the negative', minutes: 96, genre: 'film' },
    { title: 'Notes from a Breakwater', minutes: 4, genre: 'short', status: 'DRAFT' },
    { title: 'A Rope Too Short', minutes: 88, genre: 'film', status: 'DISABLED' },
    ...['Low Water', 'Fog', 'First Light'].map((title, at) => ({
      title,
      minutes: 42,
      seriesId: series_id,
      episode: at + 2,
    })),
  ])
  const { playlist_id } = await client.createPlaylist({ body: { title: 'Night trains' } })
  await client.setPlaylistVideos({
    params: { playlist_id },
    body: { video_ids: [videoId, ids[0]!, ids[3]!] },
  })
  const aired = { videoId, program: 'Late Film', seconds: 5_280 }
  for (const days of [1, 3]) {
    await addAired(station, { ...aired, channelId, startMs: startMs - (days + 2) * DAY_MS })
  }
  return { videoId, seriesId: series_id, playlistId: playlist_id }
}
