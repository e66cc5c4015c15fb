import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { findViolations, logIn, newContext, openPage, someLooks, startBrowser } from './open-console.ts'
import { addAudience } from './seed.ts'
import { startOffice } from './systems.ts'

const DAY_MS = 86_400_000

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

const [office, browser] = await Promise.all([
  startOffice(opened, { titles: ['North One', 'North Two'] }),
  startBrowser(opened),
])
const nowMs = Date.now()
await addAudience({ ...office, channelIds: Object.values(office.channelIds), days: 3, nowMs })
const { page, faults } = await openPage(await newContext(browser))
const requests: string[] = []
page.on('request', (request) => requests.push(request.url()))

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const yesterday = dayOf(nowMs - DAY_MS)
const range = { from: dayOf(nowMs - 2 * DAY_MS), to: yesterday }
const address = (path: string, query: Record<string, string> = {}) =>
  `${office.baseUrl}/console/reports/${path}?${new URLSearchParams({ ...range, ...query }).toString()}`
const chart = (by: string) => page.getByRole('img', { name: new RegExp(`^(Minutes|Hours) watched by ${by}`) })
const amounts = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

test('the minutes of a report are added up by hour, channel, distributor and country', async () => {
  await logIn(page, office)
  await page.getByRole('link', { name: 'Reports' }).click()
  await page.getByRole('heading', { name: 'Reports' }).waitFor()
  await page.getByLabel('First day, UTC').fill(range.from)
  await page.getByLabel('Last day, UTC').fill(range.to)
  await page.getByRole('button', { name: 'Show' }).click()

  const { rows } = await office.client.reportAnalytics({ query: { ...range, include_countries: true } })
  const sumOf = (isCounted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isCounted).reduce((sum, { minutes_watched }) => sum + minutes_watched, 0)
  assert.ok(rows.length > 1_000)
  const total = amounts.format(sumOf(() => true))
  await page.getByText(`${total} minutes in 2 days`).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('from'), range.from)
  for (const [by, label, isCounted] of [
    ['channel', 'North One', (row) => row.linear_channel_name === 'North One'],
    ['distributor', 'harbourtv', (row) => row.distributor === 'harbourtv'],
    ['country', 'Germany', (row) => row.country === 'DE'],
    ['country', 'Unknown', (row) => row.country === 'ZZ'],
  ] as const satisfies readonly [string, string, (row: (typeof rows)[number]) => boolean][]) {
    const text = await chart(by).getAttribute('aria-label')
    assert.ok(text!.includes(`${label} ${amounts.format(sumOf(isCounted))}`), `${text}`)
  }
  const hourly = await chart('hour').getAttribute('aria-label')
  const evening = `${yesterday}T20:00:00.000Z`
  assert.ok(hourly!.includes(`20:00 UTC ${amounts.format(sumOf(({ timestamp }) => timestamp === evening))}`))
  for (const by of ['hour', 'channel', 'distributor', 'country']) await chart(by).locator('canvas').waitFor()
  assert.deepEqual(await findViolations(page), [])
})

test('the table pages through the rows, and the page is in the address', async () => {
  const first = page.getByRole('table').getByRole('row').nth(1)
  const before = await first.textContent()
  await page.getByRole('button', { name: 'Next' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Rows 26 to 50 of').waitFor()
  assert.notEqual(await first.textContent(), before)
  await page.reload()
  await page.getByText('Rows 26 to 50 of').waitFor()

  await page.goBack()

  await page.getByText('Rows 1 to 25 of').waitFor()
  assert.equal(await first.textContent(), before)
})

test('the file has what the service returns, and its request has no credential in the address', async () => {
  requests.length = 0
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await saved

  assert.equal(file.suggestedFilename(), `videos-${range.from}-${range.to}.csv`)
  const body = await office.client.report('reportAnalytics', { ...range, include_countries: true })
  assert.equal(await readFile(await file.path(), 'utf8'), await new Response(body).text())
  const sent = requests.filter((url) => url.includes('/reports/analytics'))
  assert.equal(sent.length, 1)
  assert.deepEqual([...new URL(sent[0]!).searchParams.keys()].toSorted(), ['from', 'include_countries', 'to'])
})

test('every report is shown with names, without ids and values of the interface', async () => {
  const shown = {
    'everything-watched': ['Ad break', 'North Two'],
    audience: ['North One', 'rivercable'],
    starts: ['North One', 'direct'],
    interstitials: ['Night Ferry', 'direct'],
  }
  for (const [path, texts] of Object.entries(shown)) {
    await page.goto(address(path))
    for (const text of texts) await page.getByRole('cell', { name: text, exact: true }).first().waitFor()
    const table = await page.getByRole('table').textContent()
    assert.doesNotMatch(table!, /AD_POD|INTERSTITIAL|[0-9a-f]{8}-[0-9a-f]{4}-/)
  }
  await page.getByRole('link', { name: 'Audience' }).click()
  await page.getByRole('checkbox', { name: 'By country' }).check()
  await chart('country').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
})

test('days without viewers, days that cannot be shown and a failing service are explained', async () => {
  await page.goto(address('programs'))
  await page.getByText(`Nothing aired or is planned from ${range.from} to ${range.to}.`).waitFor()
  await page.goto(address('videos', { from: '2026-01-01', to: '2026-01-02' }))
  await page.getByText('Nothing was watched from 2026-01-01 to 2026-01-02.').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.goto(address('videos', { from: range.to, to: range.from }))
  await page.getByText('The first day is after the last.').waitFor()
  await page.goto(address('videos', { from: '2026-01-01', to: '2026-12-31' }))
  await page.getByText('At most 92 days in one report.').waitFor()

  await page.route('**/reports/analytics?*', (route) => route.abort())
  await page.goto(address('videos'))
  await page.getByRole('alert').getByText('No answer from the service.').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await page.getByText('Nothing was saved').waitFor()
  await page.unroute('**/reports/analytics?*')
  await page.getByText('minutes in 2 days').waitFor()
})

test('a user without the role of reports sees which one it is', async () => {
  const email = 'duty@north.example'
  const password = 'a password of the night desk'
  await office.client.createUser({ body: { email, password, roles: ['ROLE_USER'] } })
  await using other = await newContext(browser)
  const { page: visitor } = await openPage(other)
  await logIn(visitor, { ...office, login: { ...office.login, email, password } })
  await visitor.goto(address('videos'))

  await visitor.getByText('Reports need the role').waitFor()
  assert.equal(await visitor.getByRole('button', { name: 'Download CSV' }).count(), 0)
})

test('no script failed, and the content security policy blocked nothing', () => {
  assert.deepEqual(faults, [])
})
