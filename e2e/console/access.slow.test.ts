import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createClient, isProblem } from '@continuity/client'
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
import { startOffice } from './systems.ts'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

/** Requests that the receiver of a webhook got. */
const arrivals: { readonly headers: Readonly<Record<string, string>>; readonly body: string }[] = []
const receiver = createServer(async (request, response) => {
  const body = (await request.toArray()).map(String).join('')
  arrivals.push({ headers: request.headers as Record<string, string>, body })
  response.end('thank you')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
opened.defer(() => {
  receiver.close()
  receiver.closeAllConnections()
})
const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
const [office, browser] = await Promise.all([
  startOffice(opened, { titles: [], allowedHosts: [receiverHost] }),
  startBrowser(opened),
])
const { page, faults } = await openPage(await newContext(browser))

const dialog = page.getByRole('dialog')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const openPart = async (name: string) => {
  await page.goto(`${office.baseUrl}/console/access/${name}`)
  await page.getByRole('heading', { name: 'Access' }).waitFor()
}

const DUTY = { email: 'duty@north.example', password: 'a password of the night desk' }

const canLogIn = async ({ email, password }: typeof DUTY): Promise<boolean> => {
  const client = createClient({ baseUrl: office.baseUrl })
  try {
    await client.login({ body: { account_name: office.login.account_name, email, password } })
    return true
  } catch (error) {
    if (isProblem(error, 'session.refused')) return false
    throw error
  }
}

/** Ids by title. */
const channelIds: Record<string, string> = {}

test('an account without channels opens with a form, which puts a first one on the air', async () => {
  await using visit = await newContext(browser)
  const { page: visitor } = await openPage(visit)
  await logIn(visitor, office)
  const form = visitor.getByRole('form', { name: 'First channel' })
  assert.ok(await form.getByRole('button', { name: 'Make and start it' }).isDisabled())
  assert.deepEqual(await findViolations(visitor), [])

  await form.getByLabel('Name of the channel').fill('North One')
  await form.getByLabel('Name of the channel').press('Enter')
  await visitor.getByRole('heading', { name: 'North One' }).waitFor()

  const [channel] = await office.client.listLinearChannels()
  const linear_channel_id = channel!.linear_channel_id
  assert.equal(new URL(visitor.url()).pathname, `/console/on-air/${linear_channel_id}`)
  assert.match(channel!.status, /^(PENDING_)?ON_AIR$/)
  channelIds['North One'] = linear_channel_id
  // The other tests need no picture.
  await visitor.getByRole('button', { name: 'Take off the air' }).click()
  const stop = visitor.getByRole('dialog', { name: 'Take off the air' })
  await stop.getByRole('radio', { name: 'Now' }).check()
  // A key of the page, which a dialog must not pass to it.
  await visitor.keyboard.press('r')
  assert.equal(await visitor.getByRole('dialog').count(), 1)
  assert.deepEqual(await findViolations(visitor, someLooks), [])
  await stop.getByRole('button', { name: 'Take off the air' }).click()
  await visitor.getByText('OFFLINE', { exact: true }).waitFor()
})

test('another channel is made off the air, put on it and taken off', async () => {
  await using visit = await newContext(browser)
  const { page: visitor } = await openPage(visit)
  await logIn(visitor, office)
  await visitor.getByRole('button', { name: 'Add a channel' }).click()
  const form = visitor.getByRole('dialog', { name: 'Add a channel' })
  await form.getByRole('checkbox', { name: 'Put it on the air at once' }).uncheck()
  assert.ok(await form.getByRole('button', { name: 'Add the channel' }).isDisabled())
  assert.deepEqual(await findViolations(visitor, someLooks), [])
  await form.getByLabel('Name of the channel').fill('North Two')
  await form.getByLabel('Name of the channel').press('Enter')
  await visitor.getByRole('heading', { name: 'North Two' }).waitFor()
  const id = new URL(visitor.url()).pathname.split('/').at(-1)!
  channelIds['North Two'] = id
  const statusOf = async () =>
    (await office.client.getLinearChannel({ params: { linear_channel_id: id } })).status
  assert.equal(await statusOf(), 'OFFLINE')

  await visitor.getByRole('button', { name: 'Put on the air' }).click()
  await visitor.getByRole('dialog').getByRole('button', { name: 'Put on the air' }).click()
  await visitor.getByText(/^(PENDING_)?ON_AIR$/).waitFor()
  assert.match(await statusOf(), /^(PENDING_)?ON_AIR$/)
  await visitor.getByRole('button', { name: 'Take off the air' }).click()
  await visitor.getByRole('dialog').getByRole('button', { name: 'Take off the air' }).click()
  await visitor.getByText('OFFLINE', { exact: true }).waitFor()

  assert.equal(await statusOf(), 'OFFLINE')
})

test('the address of a demo opens the console logged in, and the log out closes it', async () => {
  await using visit = await newContext(browser)
  const { page: visitor } = await openPage(visit)
  await visitor.goto(`${office.baseUrl}/`)
  await visitor.getByRole('heading', { name: 'On air' }).waitFor()
  assert.equal(new URL(visitor.url()).hash, '')

  await visitor.getByRole('button', { name: 'Log out' }).click()
  await visitor.getByRole('button', { name: 'Log in' }).waitFor()
  await visitor.reload()

  await visitor.getByRole('button', { name: 'Log in' }).waitFor()
})

test('a user is made with the keyboard alone, and can log in', async () => {
  await logIn(page, office)
  await page.getByRole('link', { name: 'Access' }).click()
  await page.getByRole('button', { name: 'Add a user' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Email').waitFor()
  await page.keyboard.type(DUTY.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Night desk')
  await page.keyboard.press('Tab')
  await page.keyboard.type(DUTY.password)
  await dialog.getByRole('checkbox', { name: 'Operator' }).focus()
  await page.keyboard.press('Space')
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.keyboard.press('Enter')

  await row(DUTY.email).getByText('Operator').waitFor()
  await row(DUTY.email).getByText('Night desk').waitFor()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(await canLogIn(DUTY))
  assert.deepEqual(await findViolations(page), [])
})

test('roles are changed, a disabled user cannot log in, and the last administrator stays', async () => {
  await page.getByRole('button', { name: `Change ${DUTY.email}` }).click()
  await dialog.getByRole('checkbox', { name: 'Scheduler' }).check()
  await dialog.getByRole('radio', { name: 'Disabled' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row(DUTY.email).getByText('Disabled').waitFor()
  const { hits } = await office.client.listUsers({ query: { email: DUTY.email } })
  assert.deepEqual(hits[0]!.roles.toSorted(), ['ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE'])
  assert.equal(await canLogIn(DUTY), false)

  await page.getByRole('button', { name: `Change ${office.login.email}` }).click()
  await dialog.getByRole('checkbox', { name: 'Administrator' }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()

  await dialog.getByRole('alert').getByText('This is the last active administrator.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('the page of roles has the rights of the contract', async () => {
  await openPart('roles')
  await row('Starts by channel').waitFor()
  const cells = await row('Starts by channel').getByRole('cell').allTextContents()
  assert.deepEqual(cells, ['Starts by channel', '–', '–', 'Yes', '–'])
  assert.deepEqual(await findViolations(page, someLooks), [])
})

test('an app key is shown once and registers devices until it is revoked', async () => {
  await openPart('app-keys')
  await page.getByRole('button', { name: 'Make an app key' }).click()
  await dialog.getByLabel('Name of the app').fill('harbour-tv')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  const sdk_key = (await dialog.locator('code').textContent())!
  assert.deepEqual(await findViolations(page, someLooks), [])
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  assert.ok(!(await page.content()).includes(sdk_key))
  const register = () => {
    const app = createClient({ baseUrl: office.baseUrl })
    return app.registerDevice({ body: { app_name: 'harbour-tv', sdk_key } })
  }
  await register()

  await page.getByRole('button', { name: 'Revoke the key of harbour-tv' }).click()
  await dialog.getByRole('button', { name: 'Revoke the key' }).click()

  await row('harbour-tv').getByText('Revoked').waitFor()
  await assert.rejects(register())
})

test('an output is made, changed and deleted, and shows what the distributor gets', async () => {
  const channel = channelIds['North Two']!
  await openPart('outputs')
  await page.getByLabel('Channel').selectOption({ label: 'North Two' })
  await page.getByRole('button', { name: 'Add an output' }).click()
  await dialog.getByLabel('Distributor', { exact: true }).fill('harbourtv')
  await dialog.getByLabel('Ad breaks are marked by').selectOption({ label: 'Not marked' })
  await dialog.getByLabel('Delay, seconds').fill('3600')
  assert.deepEqual(await findViolations(page, someLooks), [])
  await dialog.getByRole('button', { name: 'Add the output' }).click()

  await page.getByText(`https://play.north.example/channels/${channel}/harbourtv/index.m3u8`).waitFor()
  await page.getByText('A live playlist of 32 seconds, 1 hour behind the channel').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('button', { name: 'Change harbourtv' }).click()
  await dialog.getByLabel('Length of the playlist, seconds').fill('60')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A live playlist of 1 minute, 1 hour behind the channel').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete direct' }).count(), 0)
  await page.getByRole('button', { name: 'Delete harbourtv' }).click()
  await dialog.getByRole('button', { name: 'Delete the output' }).click()
  await page.getByRole('heading', { name: 'harbourtv', exact: true }).waitFor({ state: 'detached' })
  const outputs = await office.client.listOutputs({ params: { linear_channel_id: channel } })
  assert.deepEqual(
    outputs.map(({ distributor }) => distributor),
    ['direct'],
  )
})

test('a webhook gets a signed test delivery, and the log shows the request and the answer', async () => {
  await openPart('webhooks')
  await page.getByText('This account has no webhooks yet.').waitFor()
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await dialog.getByLabel('Address').fill(`http://${receiverHost}/hook`)
  await dialog.getByLabel('Description').fill('Playout desk')
  await dialog.getByRole('checkbox', { name: 'Send everything' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Channels' }).check()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await dialog.getByRole('button', { name: 'Add the webhook' }).click()
  const secret = (await dialog.locator('code').textContent())!
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('link', { name: 'Playout desk' }).click()
  await page.getByText('Nothing was sent in the last 7 days.').waitFor()

  await page.getByRole('button', { name: 'Send a test delivery' }).click()
  const log = page.getByRole('region', { name: 'Deliveries' })
  const entry = log.getByRole('listitem').filter({ hasText: 'Test' })
  await entry.getByText('Delivered').waitFor()
  await entry.getByText('status 200').first().click()
  await entry.getByText('thank you').waitFor()
  await entry.getByText('"type": "webhook.test"').waitFor()

  assert.deepEqual(await findViolations(page), [])
  const { headers, body } = arrivals[0]!
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  assert.equal(
    headers['webhook-signature'],
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  )
})

test('a webhook is paused, resumed, sends again, gets a new secret and is deleted', async () => {
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Nothing is sent while it is paused.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Send a test delivery' }).isDisabled())
  await office.client.createLinearChannel({ body: { title: 'North Three' } })
  await page.getByRole('button', { name: 'Resume' }).click()
  const log = page.getByRole('region', { name: 'Deliveries' })
  const created = log.getByRole('listitem').filter({ hasText: 'channel.created' })
  await created.getByText('Delivered').first().waitFor()
  const before = arrivals.length

  await page.getByRole('button', { name: 'Send events again' }).click()
  await dialog.getByRole('button', { name: 'Send them again' }).click()
  const isSentAgain = async () => arrivals.length > before || undefined
  assert.ok(await pollUntil(isSentAgain, PATIENCE_MS))
  await page.getByRole('button', { name: 'New secret' }).click()
  await dialog.getByRole('button', { name: 'Make a new secret' }).click()
  assert.match((await dialog.locator('code').textContent())!, /^whsec_/)
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByText('Signs as well until').waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByRole('button', { name: 'Delete the webhook' }).click()

  await page.getByText('This account has no webhooks yet.').waitFor()
  assert.equal((await office.client.listWebhooks()).total, 0)
})

test('the audit shows who did what as sentences, by user and channel, page by page', async () => {
  await openPart('audit')
  const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
  await entries.filter({ hasText: 'gave the webhook a new secret' }).waitFor()
  const changed = entries.filter({ hasText: 'Demo changed the user' }).filter({ hasText: 'Night desk' })
  await changed.first().click()
  await changed.first().getByText('Active → Disabled').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  const linear_channel_id = channelIds['North One']!
  for (let count = 0; count < 26; count += 1) {
    const body = { description: `Night ${count}` }
    await office.client.changeLinearChannel({ params: { linear_channel_id }, body })
  }
  const { total } = await office.client.listAudit({ query: { subject_id: linear_channel_id } })

  await page.getByLabel('Channel').selectOption({ label: 'North One' })
  await page.getByText(`1 to 25 of ${total}`).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText(`26 to ${total} of ${total}`).waitFor()
  await entries.filter({ hasText: 'created the channel' }).waitFor()
  await page.getByLabel('Who').selectOption({ label: 'Night desk' })
  await page.getByText('No entry matches.').waitFor()
  assert.match(page.url(), /user=.+&channel=/)
})

test('a reader sees outputs without the commands, and which role the rest needs', async () => {
  const email = 'reader@north.example'
  await office.client.createUser({ body: { email, password: DUTY.password, roles: ['ROLE_USER'] } })
  await using other = await newContext(browser)
  const { page: reader } = await openPage(other)
  await logIn(reader, { ...office, login: { ...office.login, email, password: DUTY.password } })
  await reader.goto(`${office.baseUrl}/console/access/users`)
  await reader.getByText('Users need the role Administrator.').waitFor()
  await reader.goto(`${office.baseUrl}/console/access/outputs`)
  await reader.getByRole('heading', { name: 'direct' }).waitFor()
  assert.equal(await reader.getByRole('button', { name: /output|Change|Delete/ }).count(), 0)

  await reader.goto(`${office.baseUrl}/console/access/session`)
  await reader.getByRole('button', { name: 'End this session' }).click()

  await reader.getByRole('button', { name: 'Log in' }).waitFor()
})

test('a list that cannot be read is explained, and shown when the service is back', async () => {
  await page.route('**/api/2.1/users?*', (route) => route.abort())
  await page.goto(`${office.baseUrl}/console/access/users`)
  await page.getByRole('alert').getByText('No answer from the service.').waitFor()
  assert.deepEqual(await findViolations(page, someLooks), [])
  await page.unroute('**/api/2.1/users?*')

  await row(DUTY.email).waitFor()
})

test('no script failed, and the content security policy blocked nothing', () => {
  assert.deepEqual(faults, [])
})
