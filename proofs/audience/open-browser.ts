import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startChild } from '@continuity/dev/child-process'
import { CHROMIUM, FLAGS, startPageServer } from '@continuity/dev/play-in-browser'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { chromium, type Page } from 'playwright-core'

/** A page in a window of its own, which can be hidden as a viewer hides it. */
export interface Window {
  readonly page: Page
  setHidden(isHidden: boolean): Promise<void>
}

const START_MS = 60_000

/**
 * A browser whose pages can be hidden. One that Playwright starts always shows all of them, and does not slow down the timers
 * of hidden ones.
 */
export async function openBrowser(opened: AsyncDisposableStack) {
  const folder = await temporaryFolder(opened)
  const server = await startPageServer(opened)
  const child = await startChild({
    name: 'chromium',
    command: CHROMIUM,
    args: ['--headless', '--remote-debugging-port=0', `--user-data-dir=${folder}`, ...FLAGS],
    env: { HOME: folder },
    logFile: join(folder, 'chromium.log'),
    stopSignal: 'SIGTERM',
    forceSignal: 'SIGKILL',
    graceMs: 10_000,
  })
  opened.defer(() => child.stop())
  // The port and the path, in two lines.
  const endpoint = await pollUntil(async () => {
    const text = await readFile(join(folder, 'DevToolsActivePort'), 'utf8').catch(() => '')
    return /^\d+\n\S+/.test(text) ? text.split('\n') : undefined
  }, START_MS)
  if (endpoint === undefined) throw new Error('chromium does not start')
  const browser = await chromium.connectOverCDP(`ws://127.0.0.1:${endpoint[0]}${endpoint[1]}`, {
    noDefaults: true,
  })
  opened.defer(() => browser.close())
  const context = browser.contexts()[0]!
  const session = await browser.newBrowserCDPSession()
  const pageUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  return {
    async openWindow(): Promise<Window> {
      const [page] = await Promise.all([
        context.waitForEvent('page'),
        session.send('Target.createTarget', { url: 'about:blank', newWindow: true }),
      ])
      await page.goto(pageUrl)
      const own = await context.newCDPSession(page)
      const { windowId } = await own.send('Browser.getWindowForTarget')
      return {
        page,
        async setHidden(isHidden) {
          const bounds = { windowState: isHidden ? 'minimized' : 'normal' } as const
          await own.send('Browser.setWindowBounds', { windowId, bounds })
        },
      }
    },
  }
}
