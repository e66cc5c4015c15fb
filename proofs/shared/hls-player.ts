import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startChild } from '@continuity/dev/child-process'
import { CHROMIUM, FLAGS, startPageServer } from '@continuity/dev/play-in-browser'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { chromium, type Page } from 'playwright-core'

// <<< audience/open-browser.ts
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

// <<< audience/hls-player.ts
/** How a player reports: CMCD v2 with events, CMCD v1, or not at all. */
export type Reporting = 'v2' | 'v1' | 'none'

/** What a page has measured itself, from its first request for a media playlist to its last. */
export interface Measured {
  /** By how much the picture advanced, without jumps. */
  readonly playedMs: number
  /** For the picture, while it was not paused. */
  readonly waitedMs: number
  readonly pausedMs: number
  readonly hiddenPlayedMs: number
  /** Between two requests for a media playlist. */
  readonly longestReloadMs: number
  /** Changes of the discontinuity number, and renditions that were shown. */
  readonly joins: number
  readonly levels: number
  /** Of CMCD v2 that were accepted. */
  readonly events: number
  readonly faults: readonly string[]
}

export interface HlsPlayer {
  start(address: string, reporting: Reporting): Promise<void>
  pause(): Promise<void>
  play(): Promise<void>
  /** The other rendition, from the next segment on. */
  changeRendition(): Promise<void>
  setHidden(isHidden: boolean): Promise<void>
  stop(): Promise<Measured>
}

/** hls.js in a page of its own, as a viewer uses it. */
export function createHlsPlayer({ page, setHidden }: Window): HlsPlayer {
  return {
    start: (address, reporting) => page.evaluate(start, { address, reporting }),
    pause: () => page.evaluate(() => (globalThis as unknown as WatchPage).watching.video.pause()),
    play: () => page.evaluate(() => (globalThis as unknown as WatchPage).watching.video.play()),
    changeRendition: () =>
      page.evaluate(() => {
        const { hls } = (globalThis as unknown as WatchPage).watching
        hls.nextLevel = hls.levels.length - 1
      }),
    setHidden,
    stop: () => page.evaluate(() => (globalThis as unknown as WatchPage).watching.stop()),
  }
}

interface StartOptions {
  readonly address: string
  readonly reporting: Reporting
}

/** Runs in the page. */
async function start({ address, reporting }: StartOptions): Promise<void> {
  const global = globalThis as unknown as WatchPage
  const { document, Hls } = global
  const video = document.querySelector('video')
  const sums = {
    playedMs: 0,
    waitedMs: 0,
    pausedMs: 0,
    hiddenPlayedMs: 0,
    longestReloadMs: 0,
    joins: 0,
    events: 0,
  }
  const levels = new Set<number>()
  const faults: string[] = []
  let requestedMs: number | undefined
  let number: number | undefined
  let last = { atMs: performance.now(), timeMs: 0, isPaused: true, isHidden: false }

  // To an address with the session's id, which is known from the multivariant playlist on.
  const sendEvents = async ({ body, headers }: { body: string; headers: Record<string, string> }) => {
    const sid = /[?&]sid=([^&]+)/.exec(hls.levels[0]?.url[0] ?? '')?.[1]
    if (sid === undefined) return { status: 204 }
    const target = address.replace('index.m3u8', `cmcd?sid=${sid}`)
    const { status } = await fetch(target, { method: 'POST', keepalive: true, body, headers })
    if (status === 204) sums.events += 1
    else faults.push(`an event: ${status}`)
    return { status }
  }
  const configs = {
    v2: {
      cmcd: {
        version: 2,
        eventTargets: [{ url: address, events: ['ps'], batchSize: 1 }],
        loader: sendEvents,
      },
    },
    v1: { cmcd: { version: 1 } },
    none: {},
  }
  const hls = new Hls({ startLevel: 0, ...configs[reporting] })
  hls.on(Hls.Events.ERROR, (_event, { details, fatal }) => {
    if (fatal === true) faults.push(`hls.js: ${details}`)
  })
  hls.on(Hls.Events.LEVEL_LOADING, () => {
    const atMs = performance.now()
    sums.longestReloadMs = Math.max(sums.longestReloadMs, atMs - (requestedMs ?? atMs))
    requestedMs = atMs
  })
  hls.on(Hls.Events.FRAG_CHANGED, (_event, { frag }) => {
    if (number !== undefined && frag?.cc !== number) sums.joins += 1
    number = frag?.cc
    levels.add(frag?.level ?? -1)
  })
  const look = () => {
    const atMs = performance.now()
    const passedMs = atMs - last.atMs
    const timeMs = video.currentTime * 1_000
    // More than the time that passed is a jump of the player.
    const movedMs = last.isPaused ? 0 : Math.min(passedMs, Math.max(0, timeMs - last.timeMs))
    if (requestedMs !== undefined) {
      sums.playedMs += movedMs
      if (last.isPaused) sums.pausedMs += passedMs
      else sums.waitedMs += passedMs - movedMs
      if (last.isHidden) sums.hiddenPlayedMs += movedMs
    }
    last = { atMs, timeMs, isPaused: video.paused, isHidden: document.visibilityState === 'hidden' }
  }
  const timer = setInterval(look, 100)
  for (const event of ['pause', 'play', 'playing', 'seeking', 'seeked', 'waiting']) {
    video.addEventListener(event, look)
  }
  document.addEventListener('visibilitychange', look)
  global.watching = {
    video,
    hls,
    async stop() {
      // With a playlist: what is played after the last one is counted nowhere.
      await new Promise<void>((resolve) => hls.on(Hls.Events.LEVEL_LOADED, () => resolve()))
      look()
      clearInterval(timer)
      hls.destroy()
      return { ...sums, levels: levels.size, faults }
    },
  }
  // With sound: a browser pauses a hidden video that has none.
  video.muted = false
  hls.loadSource(address)
  hls.attachMedia(video)
  await video.play()
}

/** The part of the page that is used: the project has no browser types. */
interface WatchPage {
  watching: { readonly video: WatchVideo; readonly hls: WatchHls; stop(): Promise<Measured> }
  readonly document: {
    querySelector(name: 'video'): WatchVideo
    addEventListener(event: string, work: () => void): void
    readonly visibilityState: string
  }
  readonly Hls: {
    new (config: object): WatchHls
    readonly Events: Readonly<Record<'ERROR' | 'FRAG_CHANGED' | 'LEVEL_LOADING' | 'LEVEL_LOADED', string>>
  }
}

interface WatchVideo {
  readonly currentTime: number
  readonly paused: boolean
  muted: boolean
  addEventListener(event: string, work: () => void): void
  play(): Promise<void>
  pause(): void
}

interface WatchHls {
  readonly levels: readonly { readonly url: readonly string[] }[]
  nextLevel: number
  on(event: string, work: (event: string, data: WatchEvent) => void): void
  loadSource(address: string): void
  attachMedia(video: WatchVideo): void
  destroy(): void
}

interface WatchEvent {
  readonly details?: string
  readonly fatal?: boolean
  readonly frag?: { readonly cc: number; readonly level: number }
}
