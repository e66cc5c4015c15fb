import type { BodyOf, Operations } from '@continuity/contract'
import { pollUntil } from '@continuity/dev/waiting'
import type { Page } from 'playwright-core'
import { addFilms } from './add-films.ts'
import type { Station } from './station.ts'

export interface ScreenshotTools {
  readonly page: Page
  readonly station: Station
  readonly take: (name: string) => Promise<void>
  readonly open: (path: string, heading: string) => Promise<void>
  readonly takeLoadingAndFailing: (name: string, path: string, requests: string) => Promise<void>
}

const REGIONS = 14
const PATIENCE_MS = 120_000
const HOUR_MS = 3_600_000

/** The schedule and the rules, in every state. */
export async function takeSchedule(tools: ScreenshotTools): Promise<void> {
  const { page, take, open, takeLoadingAndFailing } = tools
  const channelId = await seed(tools.station)
  await open('/schedule', 'Schedule')
  await page
    .getByRole('gridcell', { name: /Rule, Planned/ })
    .first()
    .waitFor()
  await take('schedule-full')
  await page.getByRole('gridcell', { name: /^Winter Special/ }).click()
  await page.getByRole('complementary').getByText('Video').first().waitFor()
  await take('schedule-program')
  await page.getByRole('button', { name: 'Move or change' }).click()
  await page.getByRole('dialog').getByText('1:52:00').waitFor()
  await take('schedule-dialog')
  await page.getByLabel('In point, item 3').fill('1:30:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A part begins before it ends').waitFor()
  await take('schedule-dialog-problem')
  await page.keyboard.press('Escape')
  await page
    .getByRole('gridcell', { name: /^No program/ })
    .first()
    .click()
  await take('schedule-gap')
  await open('/schedule?hours=24&zone=local', 'Schedule')
  await page
    .getByRole('gridcell', { name: /Rule, Planned/ })
    .first()
    .waitFor()
  await take('schedule-day')
  await takeLoadingAndFailing('schedule', '/schedule', '**/api/2.3/linear_channels*')
  await page.route('**/programs?*', (route) => route.abort())
  await page.goto(`${tools.station.baseUrl}/console/schedule`)
  await page
    .getByRole('gridcell', { name: /^Could not be loaded/ })
    .first()
    .waitFor()
  await take('schedule-cells-failing')
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  const path = `/schedule/${channelId}`
  await open(path, 'Rules of Regional 1')
  await page
    .getByText(/^next episode/)
    .first()
    .waitFor()
  await take('rules-full')
  await page.getByRole('button', { name: 'Add a block' }).click()
  await page.getByRole('button', { name: 'Add a limit of availability' }).click()
  await page.getByText('Choose at least one series.').first().waitFor()
  await take('rules-problem')
  await page.getByText('JSON', { exact: true }).click()
  await take('rules-json')
  await page.getByRole('button', { name: 'Remove the rules' }).click()
  await take('rules-dialog')
  await open(`/schedule/${tools.station.channelIds['North Three']}`, 'Rules of North Three')
  await take('rules-empty')
  await takeLoadingAndFailing('rules', path, '**/api/2.3/linear_channels/*/plan')
}

/** Channels that plan themselves, and a one-off among their programs. Returns the first of them. */
async function seed(station: Station): Promise<string> {
  const { client } = station
  const [nights, flats] = await Promise.all(
    ['Harbour Nights', 'Tidal Flats'].map((title) => client.createSeries({ body: { title } })),
  )
  const episodes = (title: string, seriesId: string, minutes: number) =>
    [1, 2, 3, 4, 5, 6].map((episode) => ({ title: `${title} ${episode}`, minutes, seriesId, episode }))
  const films = [
    'Salt and Rope',
    'After Closing',
    'The Lighthouse Keeper: the restored version of 1931',
    'Winter Quay',
  ]
  const ids = await addFilms(station, [
    ...films.map((title, at) => ({ title, minutes: 91 + at * 7, genre: 'film' })),
    ...episodes('Harbour Nights', nights!.series_id, 42),
    ...episodes('Tidal Flats', flats!.series_id, 26),
  ])
  const rules: BodyOf<Operations['putPlan']> = {
    time_zone: 'Europe/Berlin',
    horizon_days: 9,
    starts: 'HALF_HOUR',
    blocks: [
      {
        id: 'prime time',
        days: ['MON', 'TUE', 'WED', 'THU', 'FRI'],
        times: [{ from: '20:00', to: '22:00' }],
        content: { series_ids: [nights!.series_id] },
        order: 'NEXT_EPISODE',
      },
      {
        id: 'nature',
        times: [
          { from: '07:00', to: '09:00' },
          { from: '15:00', to: '16:30' },
        ],
        content: { series_ids: [flats!.series_id] },
        order: 'NEXT_EPISODE',
        track: 'nature',
      },
    ],
    default: { content: { filter: { in: { genre: ['film'] } } }, order: 'SHUFFLE', track: 'films' },
    separation: [{ by: 'VIDEO', minutes: 240 }],
    availability: [
      { series_id: flats!.series_id, from: '2026-01-01T00:00:00.000Z' },
      { video_id: ids[0]!, until: '2040-12-31T23:00:00.000Z' },
    ],
  }
  const channels: string[] = []
  for (let at = 1; at <= REGIONS; at += 1) {
    const { linear_channel_id } = await client.createLinearChannel({ body: { title: `Regional ${at}` } })
    channels.push(linear_channel_id)
    await client.putPlan({ params: { linear_channel_id }, body: rules })
  }
  const params = { linear_channel_id: channels.at(-1)! }
  const isPlanned = async () => (await client.getPlan({ params })).planned_until ?? undefined
  if (!(await pollUntil(isPlanned, PATIENCE_MS))) throw new Error('the channels are not planned in time')
  await client.createProgram({
    params: { linear_channel_id: channels[0]! },
    body: {
      title: 'Winter Special',
      start_time: new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS).toISOString(),
      items: [
        { video_id: ids[3]! },
        { type: 'AD_POD', duration: 120 },
        { video_id: ids[0]!, in_ms: 600_000, out_ms: 1_230_500 },
      ],
    },
  })
  return channels[0]!
}
