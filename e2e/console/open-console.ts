import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { CHROMIUM, FLAGS } from '../ingest-shapes/play-in-browser.ts'
import type { Station } from './station.ts'

export async function startBrowser(opened: AsyncDisposableStack): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  opened.defer(() => browser.close())
  return browser
}

/** A page that records what goes wrong in it: script errors, and what the content security policy has blocked. */
export async function openPage(context: BrowserContext): Promise<{ page: Page; faults: readonly string[] }> {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text())
  })
  return { page, faults }
}

export async function logIn(page: Page, { baseUrl, login }: Station): Promise<void> {
  await page.goto(`${baseUrl}/`)
  await page.getByLabel('Account name').fill(login.account_name)
  await page.getByLabel('Email').fill(login.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(login.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'On air' }).waitFor()
}

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeViolation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Serious and critical violations of accessibility rules on the page as it is. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // Through the debugging protocol: the content security policy allows no script element.
  await page.evaluate(await readScript())
  const violations = (await page.evaluate(
    'axe.run().then(({ violations }) => violations)',
  )) as readonly AxeViolation[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
    )
}

let script: Promise<string> | undefined
const readScript = (): Promise<string> => (script ??= readFile(axeSource, 'utf8'))
