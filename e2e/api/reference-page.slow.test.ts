import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CHROMIUM, FLAGS } from '@continuity/dev/play-in-browser'
import { startTestSystem, type TestSystem } from '@continuity/dev/test-system'
import { pollUntil } from '@continuity/dev/waiting'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'

/** Some seconds; more on a busy machine. */
const STEP_MS = 120_000

let system: TestSystem
let browser: Browser

before(async () => {
  const starting = chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  system = await startTestSystem()
  browser = await starting
})
after(async () => {
  await browser.close()
  await system[Symbol.asyncDispose]()
})

test('the page finds an operation, shows its roles and errors, and sends a request, all within its policy', async () => {
  const { page, faults, addresses } = await openReference('')
  await page.getByRole('heading', { level: 1, name: 'Continuity 2.1' }).waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('list series')
  await page
    .getByRole('option', { name: /List series/ })
    .first()
    .click()
  const operation = page.locator('[id="v2-1/tag/series/listSeries"]')
  await operation.getByText('any role').waitFor()
  await operation.getByText('page.mark_invalid').first().waitFor()
  await operation.getByRole('button', { name: 'Test Request' }).click()

  const { token, device_id } = await logIn()
  const client = page.getByRole('dialog')
  const values = client.locator('input[autocomplete="off"]')
  await values.nth(0).fill(token.token_access)
  await values.nth(1).fill(device_id)
  const answering = page.waitForResponse((response) => response.url().includes('/api/2.1/series'))
  await client.getByRole('button', { name: 'Send' }).first().click()
  const answer = await answering

  assert.equal(answer.status(), 200)
  assert.deepEqual(((await answer.json()) as { hits: unknown[] }).hits, [])
  await client.getByText('200').first().waitFor()
  assert.deepEqual(faults, [])
  assert.deepEqual(
    addresses.filter((address) => !address.startsWith(`${system.baseUrl}/`)),
    [],
  )
})

test('the address in a problem leads to the table with its code, and an operationId to the operation', async () => {
  const response = await fetch(`${system.baseUrl}/api/2.1/videos`)
  const { type, title } = (await response.json()) as { type: string; title: string }

  const { page, faults } = await openReference(type.replace('/docs', ''))
  await assertInView(page, page.getByRole('cell', { name: title }))
  await page.goto('about:blank')
  await page.goto(`${system.baseUrl}/docs#startLinearChannel`)
  await assertInView(page, page.locator('[id="v2-3/tag/channels/startLinearChannel"]'))

  assert.deepEqual(faults, [])
})

/** Positions are fractions of a pixel. */
async function assertInView(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  const { height } = page.viewportSize()!
  const box = await pollUntil(async () => {
    const place = await element.boundingBox()
    return place !== null && place.y > -1 && place.y < height ? place : undefined
  }, STEP_MS)
  assert.ok(box, 'the page does not scroll to it')
}

/** The reference, with what the browser complains about and the addresses that it requests. */
async function openReference(hash: string) {
  const page: Page = await browser.newPage()
  page.setDefaultTimeout(STEP_MS)
  const faults: string[] = []
  const addresses: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('request', (request) => addresses.push(request.url()))
  await page.exposeFunction('addFault', (fault: string) => faults.push(fault))
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => addFault(event.violatedDirective + ' ' + event.blockedURI))",
  )
  await page.goto(`${system.baseUrl}/docs${hash}`)
  return { page, faults, addresses }
}

async function logIn() {
  const { account_name, email, password } = system.demoAccount
  const response = await fetch(`${system.baseUrl}/api/2.1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account_name, email, password }),
  })
  return (await response.json()) as { token: { token_access: string }; device_id: string }
}
