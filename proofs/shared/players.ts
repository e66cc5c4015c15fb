import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChild } from '@continuity/dev/child-process'
import { CHROMIUM, FLAGS, openPage, startPageServer } from '@continuity/dev/play-in-browser'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { chromium, type Page } from 'playwright-core'
import { until } from './until.ts'

/**
 * A browser whose windows can be hidden as a viewer hides them. One that Playwright starts always shows all of them, and does
 * not slow down the timers of hidden ones.
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
  const [port, path] = await until('chromium starts', async () => {
    const text = await readFile(join(folder, 'DevToolsActivePort'), 'utf8').catch(() => '')
    return /^\d+\n\S+/.test(text) && text.split('\n')
  })
  const browser = await chromium.connectOverCDP(`ws://127.0.0.1:${port}${path}`, { noDefaults: true })
  opened.defer(() => browser.close())
  const context = browser.contexts()[0]!
  const session = await browser.newBrowserCDPSession()
  return {
    async openWindow() {
      const [page] = await Promise.all([
        context.waitForEvent('page'),
        session.send('Target.createTarget', { url: 'about:blank', newWindow: true }),
      ])
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      const own = await context.newCDPSession(page)
      const { windowId } = await own.send('Browser.getWindowForTarget')
      return {
        page,
        async setHidden(isHidden: boolean) {
          const bounds = { windowState: isHidden ? 'minimized' : 'normal' } as const
          await own.send('Browser.setWindowBounds', { windowId, bounds })
        },
      }
    },
  }
}

/** Plays a channel with hls.js in a browser of its own. */
export async function openPlayer(opened: AsyncDisposableStack, address: string) {
  const player = createHlsPlayer(await openPage(opened))
  await player.start(address, 'none')
  return player
}

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
  /** The longest stall of the picture, for any reason: on a busy machine also for lack of processor time. */
  readonly longestStallMs: number
  /** The longest stall for lack of media. */
  readonly longestWithoutMediaMs: number
  /** Changes of the discontinuity number, and renditions that were shown. */
  readonly joins: number
  readonly levels: number
  /** Of CMCD v2 that were accepted. */
  readonly events: number
  /** Errors of hls.js, and those of them that it did not recover from. */
  readonly faults: readonly string[]
  readonly fatalFaults: readonly string[]
}

/** hls.js in a page, as a viewer uses it. */
export function createHlsPlayer(page: Page) {
  const call = (name: keyof Watching): Promise<unknown> =>
    page.evaluate((it) => (globalThis as unknown as PlayerPage).watching[it as 'joins'](), name as string)
  return {
    start: (address: string, reporting: Reporting) => page.evaluate(start, { address, reporting }),
    joins: () => call('joins') as Promise<number>,
    pause: () => call('pause'),
    play: () => call('play'),
    changeRendition: () => call('changeRendition'),
    stop: () => call('stop') as Promise<Measured>,
  }
}

/** Runs in the page. */
async function start({ address, reporting }: { address: string; reporting: Reporting }): Promise<void> {
  const page = globalThis as unknown as PlayerPage
  const { document, Hls } = page
  const video = document.querySelector('video')
  const sums = { playedMs: 0, waitedMs: 0, pausedMs: 0, hiddenPlayedMs: 0, joins: 0, events: 0 }
  const longest = { longestReloadMs: 0, longestStallMs: 0, longestWithoutMediaMs: 0 }
  const levels = new Set<number>()
  const faults: string[] = []
  const fatalFaults: string[] = []
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
    else fatalFaults.push(`an event: ${status}`)
    return { status }
  }
  const eventTargets = [{ url: address, events: ['ps'], batchSize: 1 }]
  const configs = {
    v2: { cmcd: { version: 2, eventTargets, loader: sendEvents } },
    v1: { cmcd: { version: 1 } },
    none: {},
  }
  const hls = new Hls({ startLevel: 0, ...configs[reporting] })
  hls.on(Hls.Events.ERROR, (_event, { details, fatal, error }) => {
    const list = fatal === true ? [faults, fatalFaults] : [faults]
    for (const it of list) it.push(`hls.js: ${details} ${error?.message ?? ''}`)
  })
  hls.on(Hls.Events.LEVEL_LOADING, () => {
    const atMs = performance.now()
    longest.longestReloadMs = Math.max(longest.longestReloadMs, atMs - (requestedMs ?? atMs))
    requestedMs = atMs
  })
  hls.on(Hls.Events.FRAG_CHANGED, (_event, { frag }) => {
    if (number !== undefined && frag?.cc !== number) sums.joins += 1
    number = frag?.cc
    levels.add(frag?.level ?? -1)
  })
  const hasMedia = () => {
    const { buffered, currentTime } = video
    for (let at = 0; at < buffered.length; at += 1)
      if (buffered.start(at) <= currentTime && currentTime + 0.1 < buffered.end(at)) return true
    return false
  }
  let hasBegun = false
  let movedMs = 0
  let playableMs = 0
  const look = () => {
    const atMs = performance.now()
    const passedMs = atMs - last.atMs
    const timeMs = video.currentTime * 1_000
    // More than the time that passed is a jump of the player.
    const advancedMs = last.isPaused ? 0 : Math.min(passedMs, Math.max(0, timeMs - last.timeMs))
    if (requestedMs !== undefined) {
      sums.playedMs += advancedMs
      if (last.isPaused) sums.pausedMs += passedMs
      else sums.waitedMs += passedMs - advancedMs
      if (last.isHidden) sums.hiddenPlayedMs += advancedMs
    }
    if (!hasBegun || last.isPaused || timeMs !== last.timeMs) movedMs = atMs
    if (movedMs === atMs || hasMedia()) playableMs = atMs
    longest.longestStallMs = Math.max(longest.longestStallMs, atMs - movedMs)
    longest.longestWithoutMediaMs = Math.max(longest.longestWithoutMediaMs, atMs - playableMs)
    last = { atMs, timeMs, isPaused: video.paused, isHidden: document.visibilityState === 'hidden' }
  }
  page.watching = {
    joins: () => sums.joins,
    pause: () => video.pause(),
    play: () => video.play(),
    changeRendition() {
      hls.nextLevel = hls.levels.length - 1
    },
    async stop() {
      // With a playlist: what is played after the last one is counted nowhere.
      await new Promise<void>((resolve) => {
        hls.on(Hls.Events.LEVEL_LOADED, () => resolve())
        setTimeout(resolve, 20_000)
      })
      look()
      clearInterval(timer)
      hls.destroy()
      return { ...sums, ...longest, levels: levels.size, faults, fatalFaults }
    },
  }
  // With sound: a browser pauses a hidden video that has none.
  video.muted = false
  hls.loadSource(address)
  hls.attachMedia(video)
  const timer = setInterval(look, 100)
  for (const event of ['pause', 'play', 'playing', 'seeking', 'seeked', 'waiting'])
    video.addEventListener(event, look)
  document.addEventListener('visibilitychange', look)
  await video.play()
  hasBegun = true
}

/** The part of the page that is used; the project has no browser types. */
interface PlayerPage {
  watching: Watching
  readonly document: {
    querySelector(name: 'video'): Video
    addEventListener(event: string, work: () => void): void
    readonly visibilityState: string
  }
  readonly Hls: {
    new (config: object): Hls
    readonly Events: Readonly<Record<'ERROR' | 'FRAG_CHANGED' | 'LEVEL_LOADING' | 'LEVEL_LOADED', string>>
  }
}

interface Watching {
  joins(): number
  pause(): void
  play(): Promise<void>
  /** To the other one, from the next segment on. */
  changeRendition(): void
  stop(): Promise<Measured>
}

interface Video {
  readonly currentTime: number
  readonly paused: boolean
  readonly buffered: { readonly length: number; start(at: number): number; end(at: number): number }
  muted: boolean
  addEventListener(event: string, work: () => void): void
  play(): Promise<void>
  pause(): void
}

interface Hls {
  readonly levels: readonly { readonly url: readonly string[] }[]
  nextLevel: number
  on(event: string, work: (event: string, data: HlsEvent) => void): void
  loadSource(address: string): void
  attachMedia(video: Video): void
  destroy(): void
}

interface HlsEvent {
  readonly details?: string
  readonly fatal?: boolean
  readonly error?: { readonly message: string }
  readonly frag?: { readonly cc: number; readonly level: number }
}

/**
 * Decodes so many seconds of a channel by ffmpeg, stopping at the first error. Returns the frames, the segments that had
 * left the playlist before ffmpeg read them, and the errors that it printed.
 *
 * One variant is selected explicitly: by default ffmpeg takes video and audio of different variants, reads the one that
 * is behind by its timestamps, and starves the other where timestamps restart at a join. ffmpeg does not read
 * EXT-X-DISCONTINUITY: it closes a jump forward only if it exceeds a threshold, 10 s by default, and counts a smaller one
 * as time without frames. Timestamps of a live source and a slate can be that close. With a threshold below the length of
 * a segment no jump is left, so a segment that ffmpeg skips has to be counted by its warning.
 */
export async function decodeLive(address: string, seconds: number) {
  const input = ['-dts_delta_threshold', '1', '-i', address]
  const variant = ['-map', '0:v:0', '-map', '0:a:0', '-t', `${seconds}`]
  const strict = ['-hide_banner', '-nostdin', '-v', 'level+warning', '-xerror']
  const args = [...strict, ...input, ...variant, '-progress', 'pipe:1', '-f', 'null', '-']
  const printed = await promisify(execFile)('ffmpeg', args, { timeout: seconds * 1_000 + 60_000 }).catch(
    (error: Partial<Record<'stdout' | 'stderr', string>> & Error) => error,
  )
  const { stdout = '', stderr = '' } = printed
  const skipped = [...stderr.matchAll(/skipping (\d+) segments ahead/g)]
  const errors = stderr.split('\n').filter((line) => line !== '' && !line.includes('[warning]'))
  return {
    // Progress is printed repeatedly; the last value counts.
    frames: Number(/.*frame=(\d+)/s.exec(stdout)?.[1] ?? Number.NaN),
    skipped: skipped.reduce((sum, [, count]) => sum + Number(count), 0),
    messages: printed instanceof Error ? [...errors, printed.message.split('\n', 1)[0] ?? ''] : errors,
  }
}
