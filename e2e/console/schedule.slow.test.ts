import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pollUntil } from '@continuity/dev/waiting'
import type { Page } from 'playwright-core'
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

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** More than a screen has rows for. */
const CHANNELS = 60

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

const [station, browser] = await Promise.all([startStation(opened), startBrowser(opened)])
const { client } = station
const three = { linear_channel_id: station.channelIds['North Three']! }
const [ferry] = await addFilms(station, [{ title: 'The Long Ferry', minutes: 30 }])
const { page, faults } = await openPage(await newContext(browser))

/** The next full hour that is at least one away, so that there is room before it on the screen. */
const HOUR = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS
const time = (ms: number) => new Date(ms).toISOString().slice(11, 16)

const grid = (of = page) => of.getByRole('grid')
const row = (title: string, of = page) =>
  grid(of)
    .getByRole('row')
    .filter({ has: of.getByRole('rowheader', { name: new RegExp(`^${title}`) }) })
const cell = (channel: string, name: string | RegExp, of = page) =>
  row(channel, of).getByRole('gridcell', { name })
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

async function programsOfThree() {
  const { hits } = await client.listPrograms({ params: three })
  return hits.map(({ title, start_time }) => ({ title, startMs: Date.parse(start_time) }))
}
const isAt = (title: string, startMs: number) => async () =>
  (await programsOfThree()).some((one) => one.title === title && one.startMs === startMs) || undefined

async function fillStart(ms: number): Promise<void> {
  const [date, clock] = new Date(ms).toISOString().split('T')
  await page.getByLabel('Starts on').fill(date!)
  await page.getByLabel('Starts at, UTC').fill(clock!.slice(0, 5))
}

async function findText(of: Page, label: string, text: string): Promise<void> {
  await of.getByLabel(label).fill(text)
  await of.getByRole('list', { name: 'Videos found' }).getByRole('button', { name: text }).click()
}

test('the schedule shows the programs of every channel by time, with origin and state, and names the zone', async () => {
  await logIn(page, station)
  await page.getByRole('link', { name: 'Schedule' }).click()
  await cell('North One', /^Harbour Nights, .* UTC, Ingest, /).waitFor()
  await cell('North Three', /^No program, /)
    .first()
    .waitFor()

  await grid().getByRole('columnheader', { name: 'Channel UTC' }).waitFor()
  assert.deepEqual(await findViolations(page), [])
})

test('the label of a program that began before what is in sight is in sight, and so is its channel', async () => {
  await grid().focus()
  await page.keyboard.press('t')
  const program = cell('North One', /^Harbour Nights, .* UTC, Ingest, /).first()
  const channel = grid().getByRole('rowheader', { name: /^North One/ })
  const cut = async () => {
    const [box, label, header] = await Promise.all([
      program.boundingBox(),
      program.locator('strong').boundingBox(),
      channel.boundingBox(),
    ])
    const edge = header!.x + header!.width
    return {
      fromEdge: box!.x - edge,
      isCut: box!.x < edge - 80,
      isLabelInSight: label!.x >= edge && label!.x < edge + 40,
      x: header!.x,
    }
  }
  const before = await cut()
  assert.equal(before.isCut, false)
  // An hour is 170 pixels wide.
  await grid().evaluate((it, by) => it.scrollBy(by, 0), before.fromEdge + 100)
  assert.ok(
    await pollUntil(async () => {
      const { isCut, isLabelInSight } = await cut()
      return (isCut && isLabelInSight) || undefined
    }, PATIENCE_MS),
    JSON.stringify(await cut()),
  )
  assert.equal((await cut()).x, before.x)
  await page.keyboard.press('t')
})

test('a program is scheduled with the keyboard alone', async () => {
  await grid().focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('t')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('n')
  await dialog('New program').waitFor()
  const chosen = page.getByLabel('Channel', { exact: true }).locator('option:checked')
  assert.equal(await chosen.textContent(), 'North Three')
  await page.keyboard.type('Ferry Night')
  await fillStart(HOUR)
  await page.getByLabel('Add a video').focus()
  await page.keyboard.type('Long Ferry')
  await page
    .getByRole('list', { name: 'Videos found' })
    .getByRole('button', { name: 'The Long Ferry' })
    .waitFor()
  await page.keyboard.press('Enter')
  await dialog('New program').getByText('30:00').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.getByRole('button', { name: 'Schedule the program' }).press('Enter')

  await cell(
    'North Three',
    `Ferry Night, ${day(HOUR)}, ${time(HOUR)} to ${time(HOUR + 30 * MINUTE_MS)} UTC, One-off, Planned`,
  ).waitFor()
  assert.ok(await isAt('Ferry Night', HOUR)())
})

test('a program opens beside the grid with its components', async () => {
  await cell('North Three', /^Ferry Night/).click()
  const panel = page.getByRole('complementary', { name: 'Program Ferry Night' })
  await panel.getByText('The Long Ferry').waitFor()
  await panel.getByText(/^One-off: .* scheduled it\.$/).waitFor()

  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('a program is moved with the mouse, and with the keyboard', async () => {
  const from = (await cell('North Three', /^Ferry Night/).boundingBox())!
  await page.mouse.move(from.x + 20, from.y + 20)
  await page.mouse.down()
  // An hour is 170 pixels wide.
  await page.mouse.move(from.x + 60, from.y + 20)
  await page.mouse.move(from.x + 20 + 170, from.y + 20)
  await page.mouse.up()
  await dialog('Move Ferry Night').getByRole('button', { name: 'Save' }).click()
  assert.ok(await pollUntil(isAt('Ferry Night', HOUR + HOUR_MS), PATIENCE_MS), 'not moved by the mouse')
  await cell('North Three', new RegExp(`^Ferry Night, .*, ${time(HOUR + HOUR_MS)} to`)).click()
  await page.keyboard.press('Escape')

  for (let at = 0; at < 3; at += 1) await page.keyboard.press('Shift+ArrowRight')
  await page.getByText(/^Ferry Night to .* Enter to continue/).waitFor()
  await page.keyboard.press('Enter')
  await dialog('Move Ferry Night').getByText('The Long Ferry').waitFor()
  await page.getByRole('button', { name: 'Save' }).press('Enter')

  const startMs = HOUR + HOUR_MS + 15 * MINUTE_MS
  assert.ok(await pollUntil(isAt('Ferry Night', startMs), PATIENCE_MS), 'not moved by keys')
  await cell('North Three', new RegExp(`^Ferry Night, .*, ${time(startMs)} to`)).waitFor()
})

test('what the service rejects is stated at its field', async () => {
  const startMs = HOUR + HOUR_MS
  await page.getByRole('button', { name: 'New program' }).click()
  await page.getByRole('button', { name: 'Schedule the program' }).click()
  await dialog('New program').getByText('A program needs a title.').waitFor()
  await page.getByLabel('Channel', { exact: true }).selectOption('North Three')
  await page.getByLabel('Title', { exact: true }).fill('Second')
  await fillStart(startMs)
  await findText(page, 'Add a video', 'The Long Ferry')
  await page.getByRole('button', { name: 'Schedule the program' }).click()

  const start = page.getByLabel('Starts at, UTC')
  await dialog('New program')
    .getByText(/^The channel has another program on /)
    .waitFor()
  assert.equal(await start.getAttribute('aria-invalid'), 'true')
  assert.deepEqual(await findViolations(page, someLooks), [])
  await fillStart(Date.now() - HOUR_MS)
  await page.getByRole('button', { name: 'Schedule the program' }).click()
  await dialog('New program').getByText('at least 60 seconds from now').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
})

test('a program shows a part of a video, from its in point to its out point', async () => {
  const inPoint = page.getByLabel('In point, item 1')
  const outPoint = page.getByLabel('Out point, item 1')
  const submit = () => page.getByRole('button', { name: 'Schedule the program' }).click()
  await page.getByRole('button', { name: 'New program' }).click()
  await page.getByLabel('Channel', { exact: true }).selectOption('North Three')
  await page.getByLabel('Title', { exact: true }).fill('Part of a Ferry')
  await fillStart(HOUR + 2 * HOUR_MS)
  await findText(page, 'Add a video', 'The Long Ferry')
  await inPoint.fill('soon')
  await submit()
  await dialog('New program').getByText('Hours, minutes and seconds, such as 0:12:34.').waitFor()
  assert.equal(await inPoint.getAttribute('aria-invalid'), 'true')
  await inPoint.fill('20:00')
  await outPoint.fill('0:10:00')
  await submit()
  await dialog('New program').getByText('A part begins before it ends').waitFor()
  assert.equal(await inPoint.getAttribute('aria-invalid'), 'true')
  assert.deepEqual(await findViolations(page, someLooks), [])
  await outPoint.fill('0:25:00.5')
  await submit()

  await cell('North Three', /^Part of a Ferry/).click()
  const storedItems = async () => {
    const { hits } = await client.listPrograms({ params: three, query: { components: true } })
    return hits.find(({ title }) => title === 'Part of a Ferry')?.items
  }
  assert.deepEqual(await storedItems(), [{ video_id: ferry, in_ms: 1_200_000, out_ms: 1_500_500 }])
  await page.getByRole('button', { name: 'Move or change' }).click()
  await outPoint.waitFor()
  assert.deepEqual([await inPoint.inputValue(), await outPoint.inputValue()], ['0:20:00', '0:25:00.500'])
  await outPoint.fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await dialog(/^Change/)
    .getByText('longer than the window')
    .waitFor()
  await page.getByLabel('Ends on').fill('')
  await page.getByLabel('Ends at, UTC').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await dialog(/^Change/).waitFor({ state: 'detached' })
  assert.deepEqual(await storedItems(), [{ video_id: ferry, in_ms: 1_200_000 }])
})

test('what another user does appears without a reload, and is not overwritten unseen', async () => {
  const startMs = HOUR + 3 * HOUR_MS
  const body = {
    title: 'Of another user',
    start_time: new Date(startMs).toISOString(),
    items: [{ video_id: ferry! }],
  }
  const { program_id } = await client.createProgram({ params: three, body })
  await cell('North Three', /^Of another user/).click()
  await page.getByRole('button', { name: 'Move or change' }).click()
  await dialog('Change Of another user').getByText('30:00').waitFor()

  await client.replaceProgram({
    params: { ...three, program_id },
    body: { ...body, title: 'Changed meanwhile' },
  })
  await page.getByRole('button', { name: 'Save' }).click()

  await dialog('Change Of another user').getByText('Another user has changed this since').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await cell('North Three', /^Changed meanwhile/).click()
})

test('a program is removed after a confirmation', async () => {
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove the program' }).click()

  // While it is open, nothing else of the page is found by its role.
  await dialog('Remove Changed meanwhile').waitFor({ state: 'detached' })
  await cell('North Three', /^Changed meanwhile/).waitFor({ state: 'detached' })
  assert.ok(!(await programsOfThree()).some(({ title }) => title === 'Changed meanwhile'))
})

test('only what is in sight is in the document, and every channel can be reached', async () => {
  for (let at = 1; at <= CHANNELS; at += 1) {
    await client.createLinearChannel({ body: { title: `Regional ${at}` } })
  }
  await grid()
    .and(page.locator(`[aria-rowcount="${CHANNELS + 4}"]`))
    .waitFor()
  const rows = await grid().getByRole('row').count()
  assert.ok(rows > 5 && rows < 25, `${rows} rows`)

  await grid().focus()
  for (let at = 0; at < 7; at += 1) await page.keyboard.press('PageDown')
  await cell(`Regional ${CHANNELS}`, /^No program/)
    .first()
    .waitFor()
  await row('North One').waitFor({ state: 'detached' })
})

test('a user who may not change schedules sees them, and the role that it takes is named', async () => {
  const password = crypto.randomUUID()
  const body = { email: 'viewer@north.example', name: 'Vera', password, roles: ['ROLE_USER' as const] }
  await client.createUser({ body })
  await using other = await newContext(browser)
  const { page: second } = await openPage(other)
  await logIn(second, { ...station, login: { ...station.login, email: body.email, password } })
  await second.getByRole('link', { name: 'Schedule' }).click()
  await cell('North Three', /^Ferry Night/, second).click()

  await second.getByText('Your roles allow no changes of schedules').waitFor()
  assert.equal(await second.getByRole('button', { name: 'New program' }).count(), 0)
})

test('no script failed, and the content security policy blocked nothing', () => {
  assert.deepEqual(faults, [])
})

function day(ms: number): string {
  const date = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
  return date.format(ms).replace(',', '')
}
