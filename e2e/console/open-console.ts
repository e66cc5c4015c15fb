import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { CHROMIUM, FLAGS } from '@continuity/dev/play-in-browser'
import { pollUntil } from '@continuity/dev/waiting'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import type { Office } from './systems.ts'

/** A busy machine may be slow; everything takes seconds. */
export const PATIENCE_MS = 60_000

export async function startBrowser(opened: AsyncDisposableStack): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  opened.defer(() => browser.close())
  return browser
}

/** Without transitions, in the middle of which colours have another contrast. */
export function newContext(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: WIDTHS[0], height: HEIGHT },
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
  })
}

/** A page that records what goes wrong in it: script errors, and what the content security policy has blocked. */
export async function openPage(context: BrowserContext): Promise<{ page: Page; faults: readonly string[] }> {
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text())
  })
  return { page, faults }
}

export async function logIn(
  page: Page,
  { baseUrl, login }: Pick<Office, 'baseUrl' | 'login'>,
): Promise<void> {
  await page.goto(`${baseUrl}/console/`)
  await page.getByLabel('Account name').fill(login.account_name)
  await page.getByLabel('Email').fill(login.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(login.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'On air' }).waitFor()
}

const wallOf = (page: Page): Locator => page.getByRole('list', { name: 'Channels' })

/** A channel on the wall. */
export const channelLink = (page: Page, title: string): Locator =>
  wallOf(page).getByRole('link', { name: title, exact: true })
export const channelTile = (page: Page, title: string): Locator =>
  wallOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: title, exact: true }) })

/** Waits until the first video of the page plays. */
export async function waitUntilPlaying(page: Page): Promise<void> {
  // Not waitForFunction: from its second try on, the content security policy forbids what it evaluates.
  const isPlaying = async () =>
    (await page.evaluate(`document.querySelector('video')?.currentTime > 0`)) === true || undefined
  if (!(await pollUntil(isPlaying, PATIENCE_MS))) throw new Error('the video does not play')
}

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeResults {
  readonly passes: readonly unknown[]
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

export const WIDTHS = [1280, 390] as const
export const SCHEMES = ['light', 'dark'] as const
export const HEIGHT = 800

/** Shows the page in one width and colour scheme after another, and then as it was. */
export async function inEveryLook(
  page: Page,
  look: (width: number, scheme: string) => Promise<void>,
  isWanted: (width: number, scheme: string) => boolean = () => true,
): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      if (!isWanted(width, colorScheme)) continue
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: HEIGHT })
      await page.evaluate(waitForScheme(colorScheme))
      await look(width, colorScheme)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT })
}

/** Of dialogs and messages: each width and each scheme once. */
export const someLooks = (width: number, scheme: string): boolean =>
  (width === WIDTHS[0]) === (scheme === SCHEMES[0])

/**
 * Serious and critical violations of accessibility rules on the page as it is, in every look; and whether it is wider
 * than its screen.
 */
export async function findViolations(
  page: Page,
  isWanted?: (width: number, scheme: string) => boolean,
): Promise<readonly string[]> {
  // Through the debugging protocol: the content security policy allows no script element.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(await readScript())
  const found: string[] = []
  await inEveryLook(
    page,
    async (width, scheme) => {
      const { passes, violations } = (await page.evaluate(RUN_AXE)) as AxeResults
      if (passes.length === 0) found.push(`${width} ${scheme}: nothing was checked`)
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      if (isTooWide === true) found.push(`${width} ${scheme}: the page is wider than its screen`)
      for (const { id, impact, nodes } of violations) {
        if (impact !== 'serious' && impact !== 'critical') continue
        const where = nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')
        found.push(`${width} ${scheme}: ${id}: ${where}`)
      }
    },
    isWanted,
  )
  return found
}

const waitForScheme = (scheme: string): string => `new Promise((resolve) => {
  const check = () => document.documentElement.dataset.mantineColorScheme === '${scheme}'
    ? resolve()
    : requestAnimationFrame(check)
  check()
})`
const RUN_AXE = `axe.run({ resultTypes: ['violations'], iframes: false })
  .then(({ passes, violations }) => ({ passes: passes.map(({ id }) => id), violations }))`

let script: Promise<string> | undefined
const readScript = (): Promise<string> => (script ??= readFile(axeSource, 'utf8'))
