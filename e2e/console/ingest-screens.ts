import type { BodyOf, Operations } from '@continuity/contract'
import { pollUntil } from '@continuity/dev/waiting'
import { FILM, FILM_SECONDS, makeFilm, PICTURE } from './film-server.ts'
import type { Camera } from './report-screens.ts'
import type { Station } from './station.ts'

type Program = BodyOf<Operations['scheduleProgram']>

const PATIENCE_MS = 120_000
const DAY_MS = 86_400_000

/** Submitting a program, with and without problems, and what becomes of it. */
export async function takeIngest(
  { page, take, open, takeLoadingAndFailing }: Camera,
  station: Pick<Station, 'client' | 'channelIds' | 'files'>,
): Promise<void> {
  const { client, channelIds, files } = station
  await makeFilm(files.folder)
  const startMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 3 * DAY_MS
  const videos = [
    { title: 'The Tide Table', file: FILM },
    { title: 'Winter Quay: the long version, restored from the negative', file: 'missing.mp4' },
    { title: 'Low Water', file: FILM },
  ]
  const program: Program = {
    linear_channel_id: Object.values(channelIds)[0]!,
    source_id: 'north-automation',
    program_title: 'Harbour Evening, with a film',
    program_description: 'A port that never sleeps.',
    videos: [
      ...videos.map(({ title, file }, at) => ({
        type: 'VIDEO' as const,
        video_source_id: `HN-05${at}`,
        title,
        video_url: files.addressOf(file),
        image_url: files.addressOf(PICTURE),
        duration: FILM_SECONDS,
      })),
      { type: 'AD_POD', duration: 120 },
    ],
    schedule: { start_time: new Date(startMs).toISOString(), duration_ms: 3_600_000 },
  }
  const { request_id } = await client.scheduleProgram({ body: program })
  await open(`/ingest/${request_id}`, 'Ingest')
  await page.getByRole('list', { name: 'Items' }).waitFor()
  await take('ingest-request-begun')
  const isOver = async () => {
    const { state } = await client.getScheduleRequest({ params: { request_id } })
    return state === 'SCHEDULED' || state === 'FAILED' || undefined
  }
  if (!(await pollUntil(isOver, PATIENCE_MS))) throw new Error('the request is not processed in time')
  await page.getByText('It has its time slot on the channel.').waitFor()
  await take('ingest-request')
  await open('/ingest', 'Ingest')
  await page.getByRole('list', { name: 'Requests' }).waitFor()
  await take('ingest')
  const [first, ...rest] = program.videos
  const wrong = {
    ...program,
    linear_channel_id: 'none',
    videos: [{ ...first, video_url: 'tide.mxf' }, ...rest],
  }
  const buffer = Buffer.from(JSON.stringify(wrong))
  await page.locator('input[type=file]').setInputFiles({ name: 'evening.json', mimeType: '', buffer })
  await page.getByText('An address begins with').waitFor()
  await take('ingest-problems')
  const broken = { name: 'items.csv', mimeType: '', buffer: Buffer.from('title,duration\n"Low') }
  await page.locator('input[type=file]').setInputFiles(broken)
  await page.getByText('items.csv cannot be used').waitFor()
  await take('ingest-broken-file')
  await takeLoadingAndFailing('ingest-request', `/ingest/${request_id}`, '**/automation/schedule/*')
}
