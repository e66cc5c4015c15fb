import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pollUntil } from '@continuity/dev/waiting'
import {
  findViolations,
  logIn,
  newContext,
  openPage,
  PATIENCE_MS,
  someLooks,
  startBrowser,
} from './open-console.ts'
import { addFilms } from './seed.ts'
import { startStation } from './systems.ts'

const DAY_MS = 86_400_000

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

const [station, browser] = await Promise.all([startStation(opened), startBrowser(opened)])
const { client } = station
const three = { linear_channel_id: station.channelIds['North Three']! }
const { series_id } = await client.createSeries({ body: { title: 'Harbour Nights' } })
const episodeIds = await addFilms(
  station,
  [1, 2, 3].map((episode) => ({ title: `Episode ${episode}`, minutes: 40, seriesId: series_id, episode })),
)
const { page, faults } = await openPage(await newContext(browser))
const preview = page.getByRole('region', { name: 'Preview' })

test('a channel without rules states that, and a block is made by form', async () => {
  await logIn(page, station)
  await page.getByRole('link', { name: 'Schedule' }).click()
  await page.getByRole('grid').getByRole('link', { name: 'North Three' }).click()
  await page.getByText('This channel has no rules').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])

  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByRole('button', { name: 'Add a block' }).click()
  await page.getByLabel('Name of the block').fill('prime time')
  await page.getByText('Block “prime time”, what is shown, series: Choose at least one series.').waitFor()
  assert.equal(await page.getByLabel('Series').getAttribute('aria-invalid'), 'true')
  await preview.getByText('It follows when the problem is mended.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Save the rules' }).isDisabled())
  assert.deepEqual(await findViolations(page, someLooks), [])
})

test('the preview shows a day by the rules in the form, with the reason of each program', async () => {
  await page.getByLabel('Series').selectOption('Harbour Nights')

  await preview.getByText(/^next episode: S1E1/).waitFor()
  await preview.getByText('20:00–20:40').waitFor()
  await preview
    .getByText(/^Fill, /)
    .first()
    .waitFor()
  assert.equal((await client.listPrograms({ params: three })).total, 0)
  assert.deepEqual(await findViolations(page), [])
})

test('rules are stored after a confirmation, and programs are planned by them', async () => {
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save the rules' }).click()

  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { rules } = await client.getPlan({ params: three })
  assert.deepEqual(
    rules.blocks?.map(({ id, content }) => ({ id, content })),
    [{ id: 'prime time', content: { series_ids: [series_id] } }],
  )
  const isPlanned = async () => (await client.listPrograms({ params: three })).total > 0 || undefined
  assert.ok(await pollUntil(isPlanned, PATIENCE_MS))
})

test('availability on the channel is limited by series, video and keyword', async () => {
  const row = (number: number) => page.getByRole('group', { name: `Availability ${number}` })
  const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  const add = () => page.getByRole('button', { name: 'Add a limit of availability' }).click()
  await add()
  await row(1).getByText('Choose what it limits.').waitFor()
  assert.equal(await page.getByLabel('Series of availability 1').getAttribute('aria-invalid'), 'true')
  assert.ok(await page.getByRole('button', { name: 'Save the rules' }).isDisabled())
  await page.getByLabel('Series of availability 1').selectOption('Harbour Nights')
  await row(1).getByText('Give the time from which it is available').waitFor()
  await row(1).getByLabel('From on').fill(dayFromNow(10))
  await row(1).getByText('Give a day, and a time such as 20:00.').waitFor()
  await row(1).getByLabel('From at').fill('06:00')
  // The preview is of tomorrow.
  await preview.getByText('0 programs by rules').waitFor()
  await row(1).getByLabel('Until on').fill(dayFromNow(9))
  await row(1).getByLabel('Until at').fill('06:00')
  await row(1).getByText('It has to be after the time from which it is available.').waitFor()
  assert.equal(await row(1).getByLabel('Until at').getAttribute('aria-invalid'), 'true')
  assert.deepEqual(await findViolations(page, someLooks), [])
  await row(1).getByLabel('From on').fill(dayFromNow(-1))
  await row(1).getByLabel('Until on').fill('')
  await row(1).getByLabel('Until at').fill('')
  await add()
  await row(2).getByLabel('Availability 2 of').selectOption('Videos with a keyword')
  await row(2).getByLabel('Keyword of availability 2').fill('winter')
  await add()
  await row(3).getByLabel('Availability 3 of').selectOption('A video')
  await row(3).getByLabel('Video of availability 3').fill('Episode 3')
  await row(3).getByRole('button', { name: 'Episode 3' }).click()
  await row(3).getByLabel('Until on').fill('2040-02-03')
  await row(3).getByLabel('Until at').fill('04:00')
  await page.getByRole('button', { name: 'Remove availability 2' }).click()
  await row(2).getByText('Episode 3').waitFor()
  await preview.getByText(/^next episode: S1E1/).waitFor()
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save the rules' }).click()

  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { rules } = await client.getPlan({ params: three })
  const stored = rules.availability?.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null)),
  )
  assert.deepEqual(stored, [
    { series_id, from: `${dayFromNow(-1)}T06:00:00.000Z` },
    { video_id: episodeIds[2], until: '2040-02-03T04:00:00.000Z' },
  ])
})

test('a program of a rule names its rule and its reason in the schedule', async () => {
  await page.getByRole('link', { name: 'Schedule' }).first().click()
  const cell = page.getByRole('grid').getByRole('gridcell', { name: /^Harbour Nights, .* Rule, / })
  await page.getByLabel('Filter by channel').fill('Three')
  await page.getByText('24 h', { exact: true }).click()
  await cell.first().click()

  const panel = page.getByRole('complementary')
  await panel.getByText(/^next episode: S1E/).waitFor()
  await panel.getByRole('link', { name: 'prime time' }).click()
  await page.getByRole('heading', { name: 'Rules of North Three' }).waitFor()
})

test('what only the service knows is stated at its field', async () => {
  await page.getByText('JSON', { exact: true }).click()
  const document = page.getByLabel('The rules as a document')
  const rules = await document.inputValue()
  await document.fill('{')
  await page.getByText('This is not valid JSON.').waitFor()
  await document.fill(rules.replace(series_id, '00000000-0000-7000-8000-000000000000'))
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save the rules' }).click()

  await page.getByText('It names a series that does not exist.').first().waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.getByRole('button', { name: 'Discard changes' }).click()
})

test('rules of another user are not overwritten unseen', async () => {
  await page.getByText('Form', { exact: true }).click()
  await page.getByLabel('Days ahead').fill('10')
  const { rules } = await client.getPlan({ params: three })
  await client.putPlan({ params: three, body: { ...rules, horizon_days: 7 } })
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save the rules' }).click()

  await page.getByRole('dialog').getByText('Another user has changed this since').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Show the rules of the other user' }).click()
  assert.equal(await page.getByLabel('Days ahead').inputValue(), '7')
})

test('rules are removed after a confirmation', async () => {
  await page.getByRole('button', { name: 'Remove the rules' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the rules' }).click()

  await page.getByText('This channel has no rules').waitFor()
  assert.equal((await client.listPrograms({ params: three })).total, 0)
})

test('no script failed, and the content security policy blocked nothing', () => {
  assert.deepEqual(faults, [])
})
