import { pollUntil } from '@continuity/dev/waiting'
import type { Camera } from './report-screens.ts'
import type { Station } from './station.ts'

const PATIENCE_MS = 60_000

const users = [
  { email: 'duty@north.example', name: 'Night desk', roles: ['ROLE_USER', 'ROLE_OPERATOR'] },
  { email: 'planning@north.example', name: 'Maria Lindqvist-Oyelaran', roles: ['ROLE_USER', 'SCHEDULE'] },
  { email: 'former.colleague@north.example', name: '', roles: ['ROLE_USER'] },
] as const

/** Every page of access, and its dialogs. */
export async function takeAccess(
  { page, take, open, takeLoadingAndFailing }: Camera,
  station: Pick<Station, 'client' | 'channelIds'>,
): Promise<void> {
  const webhookId = await seed(station)
  const takePage = async (name: string, visible: string) => {
    await open(`/access/${name}`, 'Access')
    await page.getByText(visible).first().waitFor()
    await take(`access-${name.replaceAll('/', '-').replace(webhookId, 'one')}`)
  }
  const takeDialog = async (button: string, name: string) => {
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').waitFor()
    await take(`access-${name}`)
    await page.getByRole('button', { name: 'Cancel' }).click()
  }
  await takePage('users', 'Night desk')
  await takeDialog('Add a user', 'users-add')
  await takeDialog('Change duty@north.example', 'users-change')
  await takeDialog('Delete duty@north.example', 'users-delete')
  await takePage('roles', 'Yes')
  await takePage('app-keys', 'harbour-tv')
  await page.getByRole('button', { name: 'Make an app key' }).click()
  await page.getByLabel('Name of the app').fill('north-phone')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('It is shown only now.').waitFor()
  await take('access-app-keys-secret')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.goto(page.url().replace(/access.*/, `access/outputs?channel=${firstOf(station)}`))
  await page.getByRole('heading', { name: 'harbourtv' }).waitFor()
  await take('access-outputs')
  await takeDialog('Add an output', 'outputs-add')
  await takePage('webhooks', 'Playout desk')
  await takeDialog('Add a webhook', 'webhooks-add')
  await page.getByRole('link', { name: 'Playout desk' }).click()
  await page.locator('summary').first().click()
  await take('access-webhook')
  await takePage('audit', 'created')
  await page.locator('summary').first().click()
  await take('access-audit-entry')
  await takePage('session', 'End this session')
  await takeLoadingAndFailing('access', '/access/users', '**/api/2.1/users?*')
}

const firstOf = ({ channelIds }: Pick<Station, 'channelIds'>): string => Object.values(channelIds)[0]!

/** Users of several roles, two outputs, keys, and a webhook whose receiver does not exist. */
async function seed(station: Pick<Station, 'client' | 'channelIds'>): Promise<string> {
  const { client } = station
  for (const { email, name, roles } of users) {
    const body = { email, name, roles: [...roles], password: 'a password of the night desk' }
    const { user_id } = await client.createUser({ body })
    if (name === '') await client.changeUser({ params: { user_id }, body: { status: 'DISABLED' } })
  }
  await client.createAppKey({ body: { app_name: 'harbour-tv' } })
  const { app_key_id } = await client.createAppKey({ body: { app_name: 'harbour-tv 2025' } })
  await client.revokeAppKey({ params: { app_key_id } })
  await client.createOutput({
    params: { linear_channel_id: firstOf(station) },
    body: { distributor: 'harbourtv', key: 'HTV-0412', markers: 'CUE', delay_ms: 3_600_000 },
  })
  const hook = { url: 'https://hooks.north.example/continuity', description: 'Playout desk' }
  const { webhook_id } = await client.createWebhook({ body: { ...hook, kinds: ['channel.*', 'alert.*'] } })
  const paused = await client.createWebhook({ body: { url: 'https://stats.north.example/events' } })
  const params = { webhook_id: paused.webhook_id }
  await client.changeWebhook({ params, body: { status: 'PAUSED' } })
  await client.testWebhook({ params: { webhook_id } })
  const isTried = async () => {
    const { hits } = await client.listWebhookDeliveries({ params: { webhook_id } })
    return hits.some(({ response }) => response !== null) || undefined
  }
  if (!(await pollUntil(isTried, PATIENCE_MS))) throw new Error('the test delivery was not tried in time')
  return webhook_id
}
