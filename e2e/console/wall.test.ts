import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  channelLink,
  channelTile,
  findViolations,
  logIn,
  newContext,
  openPage,
  someLooks,
  startBrowser,
  waitUntilPlaying,
} from './open-console.ts'
import { type Station, startStation } from './systems.ts'

/** Compressed, before the first player. */
const SCRIPT_BYTES_MAXIMUM = 400_000

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

const [station, browser] = await Promise.all([startStation(opened), startBrowser(opened)])
const { page, faults } = await openPage(await newContext(browser))
const tile = (title: string) => channelTile(page, title)

test('the address of the service leads to the login, which opens the wall', async () => {
  await page.goto(`${station.baseUrl}/`)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/console/')
  assert.deepEqual(await findViolations(page), [])

  await logIn(page, station)

  assert.equal(new URL(page.url()).pathname, '/console/on-air')
})

test('the wall shows every channel by its name, its status and what comes next', async () => {
  await tile('North One').getByText('ON_AIR').waitFor()
  await tile('North Two').getByText('ON_AIR').waitFor()
  await tile('North Three').getByText('OFFLINE').waitFor()
  await tile('North One').getByText('Harbour Nights').waitFor()
  await tile('North One')
    .getByText(/^\d+ viewers?$/)
    .waitFor()

  assert.deepEqual(await findViolations(page), [])
})

test('the first load is under 400 kB of compressed script, without the player', async () => {
  const scripts = await scriptsOf(page)

  assert.ok(scripts.length > 0)
  const bytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  assert.ok(bytes > 50_000 && bytes < SCRIPT_BYTES_MAXIMUM, `${bytes} bytes: ${JSON.stringify(scripts)}`)
  assert.ok(!scripts.some(({ name }) => name.includes('hls')), JSON.stringify(scripts))
})

test('selected channels are cut to their rescue slate and returned, each with its result', async () => {
  await page.getByRole('checkbox', { name: 'Select North One' }).check()
  await page.getByRole('checkbox', { name: 'Select North Two' }).check()
  await page
    .getByRole('region', { name: 'Selected channels' })
    .getByRole('button', { name: 'Rescue slate' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Rescue slate' })
  await dialog.getByText('Viewers of these 2 channels see the rescue slate').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])

  await dialog.getByRole('button', { name: 'Show the rescue slate' }).click()
  for (const name of ['North One', 'North Two']) {
    await dialog.getByRole('row', { name: new RegExp(`${name}.*(Switches in|On air since)`) }).waitFor()
  }
  await dialog.getByRole('button', { name: 'Done' }).click()
  await tile('North One').getByText('OVERRIDDEN').waitFor()
  await tile('North Two').getByText('OVERRIDDEN').waitFor()
  await tile('North Two').getByText('until returned').waitFor()
  await tile('North Two').getByText('Rescue slate', { exact: true }).waitFor()
  assert.deepEqual(await overrideStatuses(station), { 'North One': 'OVERRIDDEN', 'North Two': 'OVERRIDDEN' })
  await page.getByRole('button', { name: 'Deselect all' }).click()
})

test('a channel is returned with the keyboard alone, and its page shows who did what', async () => {
  await channelLink(page, 'North One').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'North One' }).waitFor()
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Return to schedule' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Done' }).waitFor()
  await page.keyboard.press('Enter')

  const history = page.getByRole('region', { name: 'Who did what last' })
  await history.getByText('returned it to its schedule').waitFor()
  await history.getByText('put it on its rescue slate').waitFor()
  await waitUntilPlaying(page)
  assert.deepEqual(await findViolations(page), [])
  const statuses = await overrideStatuses(station)
  assert.notEqual(statuses['North One'], 'OVERRIDDEN')
})

test('a live source is activated, and a channel is cut to it', async () => {
  await page.getByRole('link', { name: 'Live sources' }).click()
  await page.getByRole('button', { name: 'Activate Harbour camera', exact: true }).waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.getByRole('button', { name: 'Activate Harbour camera', exact: true }).click()
  await page.getByText('Received. Channels can be cut to it.').waitFor()
  await page.getByRole('img', { name: 'Harbour camera now' }).waitFor()
  const signal = page.getByRole('region', { name: 'Signal of Harbour camera' })
  await signal.getByRole('img', { name: 'Signal, last 10 minutes' }).waitFor()
  await signal.getByText(/ Mbit\/s · .+ LUFS · at least .+ s early$/).waitFor()
  assert.deepEqual(await findViolations(page), [])

  await page.getByRole('link', { name: 'On air' }).click()
  await channelLink(page, 'North One').focus()
  await page.keyboard.press('l')
  const dialog = page.getByRole('dialog', { name: 'Cut to a live source' })
  await dialog.getByRole('radio', { name: 'Harbour camera' }).check()
  await dialog.getByRole('button', { name: 'Cut to Harbour camera' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await tile('North One').getByText('Harbour camera').waitFor()
})

test('an ad break counts down and is ended early', async () => {
  await page.getByRole('link', { name: 'Live sources' }).click()
  await page.getByRole('button', { name: 'Begin ad break, Harbour camera' }).click()
  await page.getByRole('timer', { name: 'Ad break of Harbour camera' }).waitFor()
  await page.getByRole('button', { name: 'End the ad break now, Harbour camera' }).click()

  await page.getByRole('button', { name: 'Begin ad break, Harbour camera' }).waitFor()
})

test('no script failed, and the content security policy blocked nothing', () => {
  assert.deepEqual(faults, [])
})

interface LoadedScript {
  readonly name: string
  readonly encodedBodySize: number
}

const scriptsOf = (of: Page): Promise<readonly LoadedScript[]> =>
  of.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`,
  )

async function overrideStatuses({ client }: Station): Promise<Record<string, string>> {
  const channels = await client.listLinearChannels({ query: { status: 'ON_AIR' } })
  return Object.fromEntries(
    channels
      .toSorted((a, b) => (a.title < b.title ? -1 : 1))
      .map(({ title, linear_channel_override_status }) => [title, linear_channel_override_status]),
  )
}
