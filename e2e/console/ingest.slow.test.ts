import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pollUntil } from '@continuity/dev/waiting'
import { FILM, FILM_SECONDS, startFilmServer } from './film-server.ts'
import {
  findViolations,
  logIn,
  newContext,
  openPage,
  PATIENCE_MS,
  someLooks,
  startBrowser,
} from './open-console.ts'
import { startOffice } from './systems.ts'

const HOUR_MS = 3_600_000

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

const server = await startFilmServer(opened)
const [office, browser] = await Promise.all([
  startOffice(opened, { titles: ['North One', 'North Two'], allowedHosts: [server.host] }),
  startBrowser(opened),
])
const { client, channelIds } = office
const { page, faults } = await openPage(await newContext(browser))

const HOUR = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS
const requests = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
const form = page.getByRole('form', { name: 'Program' })
const field = (label: string) => form.getByLabel(label, { exact: true })
const open = async () => {
  await page.goto(`${office.baseUrl}/console/ingest`)
  await page.getByRole('heading', { name: 'Submit a program' }).waitFor()
}
const requestId = () => decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1)!)
/** The text of a field that is marked as invalid. */
async function faultOf(label: string): Promise<string> {
  const input = field(label)
  assert.equal(await input.getAttribute('aria-invalid'), 'true', label)
  const ids = (await input.getAttribute('aria-describedby'))!.split(' ')
  return (await page.locator(ids.map((id) => `[id="${id}"]`).join(', ')).allTextContents()).join(' ')
}
async function fillStart(ms: number): Promise<void> {
  const [date, clock] = new Date(ms).toISOString().split('T')
  await field('Starts on').fill(date!)
  await field('Starts at, UTC').fill(clock!.slice(0, 5))
}
const submit = () => form.getByRole('button', { name: 'Submit the program' }).click()

/** As a user who drops a file from another window. */
async function drop(name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}))
      return transfer
    })()`,
  )
  await page.getByText('Drop a file here').dispatchEvent('drop', { dataTransfer })
}

test('what is missing is stated at each field, and the first has the focus', async () => {
  await logIn(page, office)
  await page.getByRole('link', { name: 'Ingest' }).click()
  await page.getByText('Nothing was submitted, here or by partners.').waitFor()
  await form.getByRole('button', { name: 'Add a video' }).click()
  await submit()

  assert.match(await faultOf('Channel'), /Choose a channel\./)
  assert.match(await faultOf('Program title'), /This is required\./)
  assert.match(await faultOf('Length, minutes'), /Give a number of minutes\./)
  assert.match(await faultOf('Address of the file, item 1'), /This is required\./)
  const hasFocus = "document.activeElement === document.querySelector('form [aria-invalid=true]')"
  const isFocused = async () => (await page.evaluate(hasFocus)) === true || undefined
  assert.ok(await pollUntil(isFocused, PATIENCE_MS))
  await field('Program title').fill('Harbour Evening')
  assert.equal(await field('Program title').getAttribute('aria-invalid'), null)
  await field('Address of the file, item 1').fill('ftp://partner.example/a.mp4')
  await submit()
  assert.match(await faultOf('Address of the file, item 1'), /begins with https/)
  assert.deepEqual(await findViolations(page), [])
})

test('a program is submitted by the form, and is seen while it is fetched, packaged and placed', async () => {
  server.serveAtMost(0)
  await field('Channel').selectOption({ label: 'North One' })
  await fillStart(HOUR)
  await field('Length, minutes').fill('30')
  await field('Partner').fill('north')
  await field('Title, item 1').fill('The Tide Table')
  await field('Partner’s id, item 1').fill('HN-0412')
  await field('Address of the file, item 1').fill(server.addressOf(FILM))
  await field('Length, seconds, item 1').fill(String(FILM_SECONDS))
  await form.getByRole('button', { name: 'Add an ad break' }).click()
  await submit()
  await page.getByRole('heading', { name: 'Harbour Evening' }).waitFor()
  const item = page.getByRole('list', { name: 'Items' }).getByRole('listitem').first()
  await item.getByText('Being fetched').waitFor()
  const step = (name: string) => page.getByRole('progressbar', { name, exact: true })
  assert.equal(await step('Fetched').getAttribute('value'), '0')
  assert.deepEqual(await findViolations(page, someLooks), [])

  server.serveAtMost(Number.POSITIVE_INFINITY)
  await item.getByText('Ready').waitFor()
  await page.getByText('It has its time slot on the channel.').waitFor()
  for (const name of ['Fetched', 'Packaged', 'Placed']) {
    assert.equal(await step(name).getAttribute('value'), '1', name)
  }
  assert.equal(await page.getByRole('progressbar', { name: /^Progress of/ }).getAttribute('value'), '1')
  await item.getByRole('link', { name: 'The Tide Table' }).waitFor()
  const { hits } = await client.listPrograms({
    params: { linear_channel_id: channelIds['North One']! },
    query: { from: new Date(HOUR).toISOString(), components: true },
  })
  const program = hits.find(({ title }) => title === 'Harbour Evening')!
  assert.equal(Date.parse(program.end_time!) - Date.parse(program.start_time), 30 * 60_000)
  assert.deepEqual(
    program.items!.map((one) => ('type' in one ? one.duration : 'a video')),
    ['a video', 120],
  )
})

/** With a channel that does not exist, an address that is none, and a field that the form does not have. */
const program = (startMs: number) => ({
  linear_channel_id: '0195c1de-6f00-7a10-8000-00000000c001',
  source_id: 'north',
  program_title: 'Dropped Evening',
  videos: [
    {
      type: 'VIDEO',
      video_source_id: 'HN-0413',
      title: 'Low Water',
      video_url: 'harbour.mp4',
      duration: FILM_SECONDS,
      genres: [{ genre: 'drama', sub_genre: 'maritime' }],
    },
  ],
  schedule: { start_time: new Date(startMs).toISOString(), duration_ms: 1_800_000 },
})

test('a JSON file that is dropped fills the form, with its problems at the fields', async () => {
  await open()
  await drop('evening.json', '{"videos": [')
  await page.getByRole('alert').getByText('evening.json cannot be used').waitFor()
  await drop('evening.json', JSON.stringify(program(HOUR)))
  await page.getByText('evening.json: 1 item in the form below.').waitFor()

  assert.match(await faultOf('Channel'), /does not exist/)
  assert.match(await faultOf('Address of the file, item 1'), /begins with https/)
  assert.equal(await field('Length, minutes').inputValue(), '30')
  assert.equal(await field('Starts at, UTC').inputValue(), new Date(HOUR).toISOString().slice(11, 16))
  await form.getByText('Also from the file: genres.').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
})

test('what the service rejects is stated at its field, and the mended program is accepted', async () => {
  await field('Channel').selectOption({ label: 'North One' })
  await field('Address of the file, item 1').fill(server.addressOf(FILM))
  await field('Partner').fill('another')
  await submit()
  await form.getByText('1 problem').or(form.getByText('One problem')).waitFor()
  assert.match(await faultOf('Starts at, UTC'), /UTC/)
  await fillStart(HOUR + HOUR_MS)
  await field('Length, seconds, item 1').fill('9999999')
  await submit()
  await form.getByText('One problem').waitFor()
  assert.match(await faultOf('Length, seconds, item 1'), /604800/)
  await field('Length, seconds, item 1').fill(String(FILM_SECONDS))
  await submit()
  await page.getByRole('heading', { name: 'Dropped Evening' }).waitFor()
  await page.getByRole('list', { name: 'Items' }).getByText('Ready').waitFor()

  const { items } = await client.getScheduleRequest({ params: { request_id: requestId() } })
  const video = await client.getVideo({ params: { video_id: items[0]!.video_id! } })
  assert.deepEqual(video.genres, [{ genre: 'drama', sub_genre: 'maritime' }])
})

test('the items of a CSV file are added to what was typed, and its mistakes are named by line', async () => {
  await open()
  await field('Program title').fill('Two Films and a Break')
  await drop('items.csv', 'title,video_source_id,video_url,duration\r\n"Low')
  await page.getByText('Line 2: a quoted value has no end.').waitFor()
  await drop('items.csv', 'title,duration\r\nLow Water,32')
  await page.getByText('no column video_source_id, video_url').waitFor()
  const rows = [
    'type,video_source_id,title,video_url,duration,genre,house_number',
    `VIDEO,HN-0414,"Fog, part 2",${server.addressOf(FILM)},${FILM_SECONDS},drama,7`,
    'AD_POD,,,,60,,',
    `,HN-0415,First Light,${server.addressOf('missing.mp4')},twelve,,`,
  ]
  const buffer = Buffer.from(rows.join('\r\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'items.csv', mimeType: 'text/csv', buffer })
  await page.getByText('Columns that were not used: house_number.').waitFor()

  assert.equal(await field('Program title').inputValue(), 'Two Films and a Break')
  assert.equal(await field('Title, item 1').inputValue(), 'Fog, part 2')
  assert.equal(await field('Length, seconds, item 2').inputValue(), '60')
  assert.match(await faultOf('Length, seconds, item 3'), /whole seconds/)
  await form.getByRole('button', { name: 'Item 3 up' }).click()
  assert.equal(await field('Title, item 2').inputValue(), 'First Light')
})

test('a video that cannot be fetched is shown with the reason, and the others are placed', async () => {
  await field('Length, seconds, item 2').fill('12')
  await field('Channel').selectOption({ label: 'North Two' })
  await field('Partner').fill('north')
  await fillStart(HOUR)
  await field('Length, minutes').fill('10')
  await submit()
  await page.getByRole('heading', { name: 'Two Films and a Break' }).waitFor()
  const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem')
  await items.nth(1).getByText('Failed').waitFor()
  await items.nth(0).getByText('Ready').waitFor()

  const { items: stored } = await client.getScheduleRequest({ params: { request_id: requestId() } })
  await items.nth(1).getByText(stored[1]!.reason!.message).waitFor()
  await page.getByText('Item 2 cannot be played').waitFor()
  assert.deepEqual(await findViolations(page), [])
})

test('requests of other users appear by themselves, with their states', async () => {
  await page.getByRole('link', { name: 'All requests' }).click()
  await requests.filter({ hasText: 'Harbour Evening' }).getByText('Placed').waitFor()
  const body = {
    ...program(HOUR + 6 * HOUR_MS),
    linear_channel_id: channelIds['North Two']!,
    program_title: 'Of a partner',
  }
  const videos = [{ ...body.videos[0]!, type: 'VIDEO' as const, video_url: server.addressOf('none.mp4') }]
  const { request_id } = await client.scheduleProgram({ body: { ...body, videos } })
  await requests.first().getByText('Of a partner').waitFor()

  await requests.first().getByText('Failed').waitFor()
  await requests.first().getByText('North Two').waitFor()
  await requests.first().click()
  await page.getByText('It cannot be shown.').waitFor()
  const { reason } = await client.getScheduleRequest({ params: { request_id } })
  await page.getByRole('alert').getByText(reason!.message).waitFor()
})

test('a user who may not submit programs is shown the roles that it takes', async () => {
  const login = { email: 'reader@north.example', password: crypto.randomUUID() }
  await client.createUser({ body: { ...login, roles: ['ROLE_USER'] } })
  await using other = await newContext(browser)
  const { page: reader } = await openPage(other)
  await logIn(reader, { ...office, login: { ...office.login, ...login } })
  await reader.getByRole('link', { name: 'Ingest' }).click()

  await reader.getByText('Ingest needs the role Administrator or Scheduler.').waitFor()
  assert.equal(await reader.getByRole('form').count(), 0)
})

test('a request that cannot be read is explained, and shown when the service is back', async () => {
  const address = page.url()
  await page.route('**/api/2.1/automation/schedule/*', (route) => route.abort())
  await page.goto(address)
  await page.getByRole('alert').getByText('No answer from the service.').waitFor()
  await page.unroute('**/api/2.1/automation/schedule/*')

  await page.getByRole('heading', { name: 'Of a partner' }).waitFor()
})

test('no script failed, and the content security policy blocked nothing', () => {
  assert.deepEqual(faults, [])
})
